"""`companion watch` with a stand-in for the camera and the reader: lines, JSON, typed answers, and its end."""

import io
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.cli import watch as module
from companion.cli.watch import sides
from companion.errors import CaptureError, UsageError
from companion.rules.events import GameStarted, PlayerLeft, RoundStarted
from companion.rules.fold import apply_all
from companion.rules.house_rules import HouseRules
from companion.rules.state import Game
from companion.rules.tiles import Tile
from companion.text import Language
from companion.vision import frames as vision_frames
from companion.vision.frames import Frame
from tests.app.test_watching import Room
from tests.cli.conftest import Companion

Between = Callable[[Room], None]


class Film:
    """Frames of a room; between them something is done."""

    def __init__(self, room: Room, *scenes: Between) -> None:
        self.room, self.scenes = room, scenes

    def __enter__(self) -> "Film":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def __iter__(self) -> Iterator[Frame]:
        for scene in self.scenes:
            pictures: list[Any] = []
            self.room.frames = lambda more, into=pictures: into.extend(more) or []  # type: ignore[method-assign]
            scene(self.room)
            for picture in pictures:
                yield Frame(self.room.time_s, picture)
                self.room.time_s += 0.1


@pytest.fixture
def film(companion: Companion, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """A game with a round that is followed, and a camera above it."""

    def start(*scenes: Between) -> None:
        companion("new", "Anna", "Boris", "Clara")
        companion("round", "last", "start", "--starter", "Anna")
        room = Room(hands=15)
        monkeypatch.setattr(module, "load_reader", lambda: room)
        monkeypatch.setattr(vision_frames, "open_frames", lambda _: Film(room, *scenes))

    return start


def still(room: Room) -> None:
    room.still()


def play(seat: int, tile: str, train: int | None) -> Between:
    def done(room: Room) -> None:
        room.move(seat, tile, train)

    return done


def interrupt(_: Room) -> None:
    raise KeyboardInterrupt


SIDES = ("--side", "Anna=9", "--side", "Boris=1", "--side", "clara=5")


def test_every_move_is_a_line(companion: Companion, film: Callable[..., None]) -> None:
    film(still, play(0, "3-12", 0), play(1, "5-12", 1))
    answer = companion("watch", "0", *SIDES)
    assert answer.code == 0
    assert answer.err == ""
    lines = answer.out.splitlines()
    assert lines[1:3] == ["Anna plays 3-12 on Anna’s train.", "Boris plays 5-12 on Boris’s train."]
    assert "2 entries recorded" in lines[3]
    assert len(lines) == 4


def test_json_has_one_object_for_everything_that_happens(companion: Companion, film: Callable[..., None]) -> None:
    film(still, play(0, "3-12", 0))
    answer = companion("watch", "0", *SIDES, "--json")
    kinds = [each["happening"] for each in answer.objects]
    assert kinds == ["read", "read", "read", "recorded", "end"]
    recorded = answer.objects[3]
    assert recorded["recorded"][0]["data"]["tile"] == "3-12"
    assert recorded["sentences"] == ["Anna plays 3-12 on Anna’s train."]
    assert [each["whole"] for each in answer.objects[:3]] == [True, False, False]


def test_ctrl_c_ends_it_with_what_was_recorded(companion: Companion, film: Callable[..., None]) -> None:
    film(still, play(0, "3-12", 0), interrupt, play(1, "5-12", 1))
    answer = companion("watch", "0", *SIDES)
    assert answer.code == 0
    assert "1 entry recorded" in answer.out.splitlines()[-1]


def test_a_camera_that_goes_for_good_ends_it_with_what_was_recorded(
    companion: Companion, film: Callable[..., None]
) -> None:
    def gone(_: Room) -> None:
        raise CaptureError("watch_camera_lost")

    film(still, play(0, "3-12", 0), gone)
    answer = companion("watch", "0", *SIDES)
    assert answer.code == 2
    assert "1 entry recorded" in answer.out.splitlines()[-1]
    assert len(answer.err.splitlines()) == 1


def test_a_game_that_is_deleted_meanwhile_ends_it(companion: Companion, film: Callable[..., None]) -> None:
    def delete(_: Room) -> None:
        (game,) = [line.split()[0] for line in companion("games").out.splitlines()[2:]]
        assert companion("delete", game, "--yes").code == 0

    film(still, play(0, "3-12", 0), delete, play(1, "5-12", 1), play(2, "7-12", 2))
    answer = companion("watch", "0", *SIDES)
    assert answer.code == 2
    assert "has been deleted" in answer.err
    assert "1 entry recorded" in answer.out.splitlines()[-1]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_answers_are_typed(companion: Companion, film: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    film(still, play(0, "3-12", 0), still, play(1, "5-12", 1))
    typed = iter(["99\n", "x\n", "\n", "1\n"])
    line = module.queue.SimpleQueue()

    def asked(self: Any, happenings: Any, tell: Any = module._Watch.tell) -> None:
        tell(self, happenings)
        if self.watcher.question is not None:
            for word in typed:
                line.put(word)

    monkeypatch.setattr(module._Watch, "tell", asked)
    monkeypatch.setattr(module, "_typed_lines", lambda: line)
    monkeypatch.setattr("sys.stdin", Terminal())
    answer = companion("watch", "0")
    lines = answer.out.splitlines()
    assert lines[1] == "What happened?"
    assert lines[2].startswith("  1: Anna laid 3-12 on ")
    assert "Type the number of the answer, or play on." not in lines
    assert sum(line.startswith("Type the number of the answer: until then nothing is recorded.") for line in lines) == 1
    assert "Nothing is asked that has the answer 99." in lines
    assert "Nothing is asked that has the answer x." in lines
    assert any(line.startswith("Anna plays 3-12 on ") for line in lines)


@pytest.mark.parametrize(
    ("words", "recorded"),
    [(["1\n"], True), (["\n"], False), (["99\n", "1\n"], True), ([None], False), (["99\n", None], False)],
)
def test_a_question_that_a_video_leaves_open_can_still_be_answered(
    words: list[str | None],
    recorded: bool,
    companion: Companion,
    film: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    film(still, play(0, "3-12", 0))
    line = module.queue.SimpleQueue()
    monkeypatch.setattr(module, "_typed_lines", lambda: line)
    monkeypatch.setattr("sys.stdin", Terminal())

    def over(self: Any, typed: Any, take: Any = module._Watch.take_last_answers) -> None:
        for word in words:
            line.put(word)
        take(self, typed)

    monkeypatch.setattr(module._Watch, "take_last_answers", over)
    answer = companion("watch", "0")
    assert answer.code == 0
    assert "The video is over. Type the number of the answer, or Enter to leave it open." in answer.out.splitlines()
    assert ("Anna plays 3-12 on " in answer.out) == recorded
    assert ("What was laid after that is not recorded" in answer.out) == recorded


def test_a_question_that_a_video_leaves_open_is_told_where_nobody_can_answer(
    companion: Companion, film: Callable[..., None]
) -> None:
    film(still, play(0, "3-12", 0))
    answer = companion("watch", "0")
    assert answer.out.splitlines()[-2].startswith("A question was still open")


def test_lines_come_from_the_terminal_and_from_nowhere_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n"))
    assert module._typed_lines().empty()
    monkeypatch.setattr("sys.stdin", Terminal("2\n"))
    lines = module._typed_lines()
    assert [lines.get(timeout=5), lines.get(timeout=5)] == ["2\n", None]


@pytest.mark.parametrize("lang", Language)
def test_what_cannot_be_watched(
    lang: Language, companion: Companion, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    companion("new", "Anna", "Boris")
    (tmp_path / "text.mp4").write_text("no video")
    companion("round", "last", "start", "--starter", "Anna")
    sample = Path("docs/samples/hand-1.jpg").resolve()
    for source in (tmp_path / "none.mp4", tmp_path / "text.mp4", tmp_path, "x" * 300 + ".mp4", sample):
        answer = companion("--lang", lang, "watch", str(source))
        assert answer.code == 2
        assert len(answer.err.splitlines()) == 1
        assert answer.out == ""
    monkeypatch.setattr(vision_frames.Webcam, "_opened", lambda _: None)
    answer = companion("--lang", lang, "watch", "7")
    assert answer.code == 2
    assert len(answer.err.splitlines()) == 1


def test_sigterm_ends_it_as_ctrl_c_does(companion: Companion, film: Callable[..., None]) -> None:
    def stop(_: Room) -> None:
        signal.raise_signal(signal.SIGTERM)

    before = signal.getsignal(signal.SIGTERM)
    film(still, play(0, "3-12", 0), stop, play(1, "5-12", 1))
    answer = companion("watch", "0", *SIDES)
    assert answer.code == 0
    assert "1 entry recorded" in answer.out.splitlines()[-1]
    assert signal.getsignal(signal.SIGTERM) is before


def test_only_own_entries_are_counted(companion: Companion, film: Callable[..., None]) -> None:
    def undo(_: Room) -> None:
        companion("undo", "last")

    film(still, play(0, "3-12", 0), undo)
    answer = companion("watch", "0", *SIDES)
    assert "1 entry recorded" in answer.out.splitlines()[-1]


def test_a_game_without_a_round_to_follow(companion: Companion, film: Callable[..., None]) -> None:
    film(still)
    companion("new", "--rounds", "1", "Anna", "Boris")
    begin = companion("watch", "film.mp4")
    assert begin.code == 2
    assert "companion round" in begin.err
    companion("score", "last", "Anna", "12")
    scored = companion("watch", "film.mp4")
    assert scored.code == 2
    assert "kept by its scores" in scored.err
    companion("score", "last", "Boris", "0")
    over = companion("watch", "film.mp4")
    assert over.code == 2
    assert "over" in over.err


def test_a_game_that_is_not_there(companion: Companion) -> None:
    assert companion("watch", "0").code == 2
    companion("new", "Anna", "Boris")
    assert companion("watch", "0", "--game", "NOSUCH").code == 2


@pytest.mark.parametrize("word", ["Anna", "Anna=", "Anna=0", "Anna=13", "Anna=left", "Zoé=3", "=3"])
def test_sides_that_are_none(companion: Companion, word: str) -> None:
    companion("new", "Anna", "Boris")
    answer = companion("watch", "0", "--side", word)
    assert answer.code == 2
    assert len(answer.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("words", "key"),
    [
        (("Anna=9", "Anna=3"), "watch_side_twice"),
        (("Anna=9", "A=9"), "watch_side_twice"),
        (("Anna=9", "Boris=9"), "watch_side_shared"),
        (("Anna=9", "Clara=12", "Boris=3"), "watch_side_order"),
        (("Anna=9", "Boris=12", "Clara=6", "Dan=3"), "watch_side_order"),
    ],
)
def test_sides_that_contradict_each_other(words: tuple[str, ...], key: str) -> None:
    with pytest.raises(UsageError) as told:
        sides(four(), words)
    assert told.value.key == key


@pytest.mark.parametrize("words", [("Anna=9", "Boris=3"), ("Dan=6", "Anna=9", "Clara=3"), ("Boris=1", "Dan=11")])
def test_sides_of_some(words: tuple[str, ...]) -> None:
    assert len(sides(four(), words).sides) == len(words)


def test_the_side_of_somebody_who_has_left() -> None:
    opening = (GameStarted(HouseRules(), ("Anna", "Boris", "Clara", "Dan")), PlayerLeft(3))
    game = apply_all(Game(), (*opening, RoundStarted(1, Tile(12, 12), 0)))
    with pytest.raises(UsageError) as told:
        sides(game, ("Dan=6",))
    assert told.value.key == "watch_side_absent"


def four() -> Game:
    opening = (GameStarted(HouseRules(), ("Anna", "Boris", "Clara", "Dan")), RoundStarted(1, Tile(12, 12), 0))
    return apply_all(Game(), opening)


def test_sides_are_hours_of_a_clock() -> None:
    game = four()
    found = sides(game, ("Anna=9", "boris=12", "Clara=3", "4=6")).sides
    assert abs(abs(found[0]) - 3.14159) < 1e-4
    assert abs(found[1] + 1.5708) < 1e-4, "y grows downwards"
    assert found[2] == 0
    assert abs(found[3] - 1.5708) < 1e-4
    with pytest.raises(UsageError):
        sides(game, ("Anna=noon",))
