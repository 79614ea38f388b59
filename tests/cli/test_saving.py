"""`companion scan PHOTO --save GAME PLAYER`: from a photo to the sheet, past a person."""

import hashlib
import io
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.cli import scan as module
from companion.errors import ModelMissingError
from companion.rules.tiles import Tile, TileSet
from companion.vision.readings import HandReading
from tests.cli.conftest import Companion
from tests.hands import FakeReader, box, grey_photo, hand

Install = Callable[..., FakeReader]


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Install:
    def put(*readings: HandReading | Exception) -> FakeReader:
        reader = FakeReader(*readings)
        monkeypatch.setattr(module, "load_reader", lambda: reader)
        return reader

    return put


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    return grey_photo(tmp_path / "hand.png")


@pytest.fixture
def game(companion: Companion) -> str:
    (started,) = companion("new", "--change", "double_blank_points=50", "Anna", "Bob", "--json").objects
    return str(started["game"])


def scores(companion: Companion, game: str) -> list[int | None]:
    """The scores of round one, or nothing."""
    rounds = companion("sheet", game, "--json").objects[0]["rounds"]
    return list(rounds[0]["scores"]) if rounds else []


def test_a_clear_hand_goes_straight_to_the_sheet(
    companion: Companion, install: Install, photo: Path, game: str, data: Path
) -> None:
    reader = install(hand("3-12", "0-0", "7-7"))
    answer = companion("scan", str(photo), "--save", game, "Bob")
    assert answer.code == 0, answer.err
    assert "Round 1: Bob scores 79 (0-0, 3-12, 7-7)." in answer.out
    assert scores(companion, game) == [None, 79]
    assert reader.asked == [(TileSet(12), frozenset())]
    (counted,) = [row for row in companion("history", game, "--json").objects if row["event"] == "HandCounted"]
    assert counted["photo"] == hashlib.sha256(photo.read_bytes()).hexdigest()
    assert f"[photo {counted['photo'][:8]}]" in companion("history", game).out
    assert not (data / "photos").exists(), "photos are kept only when asked"


def test_the_photo_is_kept_when_asked_and_deleted_with_the_game(
    companion: Companion, install: Install, photo: Path, game: str, data: Path
) -> None:
    install(hand("3-12"), hand("3-5"))
    companion("scan", str(photo), "--save", game, "Bob", "--keep-photo")
    name = hashlib.sha256(photo.read_bytes()).hexdigest()
    assert (data / "photos" / name).read_bytes() == photo.read_bytes()
    assert companion("delete", game, "--photos", "--yes").out == f"1 photo of game {game} deleted; the scores stay.\n"
    assert list((data / "photos").iterdir()) == []
    assert scores(companion, game) == [None, 15]
    companion("scan", str(photo), "--save", game, "Anna", "--keep-photo")
    assert companion("delete", game, "--yes").out == f"Game {game} is deleted, with 1 photo.\n"
    assert list((data / "photos").iterdir()) == []


def test_a_photo_that_another_game_mentions_stays(
    companion: Companion, install: Install, photo: Path, game: str, data: Path
) -> None:
    install(hand("3-12"), hand("3-12"))
    (other,) = companion("new", "Carl", "Dora", "--json").objects
    companion("scan", str(photo), "--save", game, "Bob", "--keep-photo")
    companion("scan", str(photo), "--save", other["game"], "Dora", "--keep-photo")
    assert "with 0 photos" in companion("delete", game, "--yes").out
    assert len(list((data / "photos").iterdir())) == 1


def test_doubts_are_shown_and_nothing_is_saved(companion: Companion, install: Install, photo: Path, game: str) -> None:
    install(hand("3-12", "0-0?"), hand("3-12", "0-0?"))
    answer = companion("scan", str(photo), "--save", game, "Bob")
    assert answer.code == 2
    assert "? 0-0: hard to read" in answer.out
    assert "accept them with --accept or correct them with --fix" in answer.err
    assert scores(companion, game) == []
    assert companion("scan", str(photo), "--save", game, "Bob", "--accept").code == 0
    assert scores(companion, game) == [None, 65]


@pytest.mark.parametrize(("answer", "saved"), [("y\n", True), ("n\n", False)])
def test_the_person_at_the_terminal_is_asked(
    companion: Companion, install: Install, photo: Path, game: str,
    monkeypatch: pytest.MonkeyPatch, answer: str, saved: bool,
) -> None:  # fmt: skip
    install(hand("3-12?"))
    keyboard = io.StringIO(answer)
    monkeypatch.setattr(keyboard, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stdin", keyboard)
    asked = companion("scan", str(photo), "--save", game, "Bob")
    assert "Are the tiles right? [y/N]" in asked.err
    assert asked.code == (0 if saved else 2)
    assert scores(companion, game) == ([None, 15] if saved else [])


def test_corrections_settle_the_doubts(companion: Companion, install: Install, photo: Path, game: str) -> None:
    install(hand("3-11?", "7-7", "5-5"))
    fixes = ["--fix", "3-11=3-12", "--fix", "7-7=", "--fix", "=0-1"]
    answer = companion("scan", str(photo), "--save", game, "Bob", *fixes)
    assert answer.code == 0, answer.err
    assert "Bob scores 26 (0-1, 3-12, 5-5)." in answer.out


@pytest.mark.parametrize(
    ("fix", "sentence"),
    [
        ("3-11", "“3-11” is no correction"),
        ("=", "“=” is no correction"),
        ("1-1=2-2", "1-1 was not read in the photo"),
        ("3-12=x", "“x” is no tile"),
    ],
)
def test_what_is_no_correction(
    companion: Companion, install: Install, photo: Path, game: str, fix: str, sentence: str
) -> None:
    install(hand("3-12"))
    answer = companion("scan", str(photo), "--save", game, "Bob", "--fix", fix)
    assert answer.code == 2
    assert sentence in answer.err
    assert scores(companion, game) == []


def test_tiles_that_cannot_be_must_be_corrected(companion: Companion, install: Install, photo: Path, game: str) -> None:
    install(hand("12-12", "3-12", "3-12"), hand("12-12", "3-12", "3-12"))
    companion("score", game, "Anna", "5-5", "6-6")
    answer = companion("scan", str(photo), "--save", game, "Bob", "--accept")
    assert answer.code == 2
    assert "R-SET-2  12-12 already lies on the table." in answer.err
    assert "3-12 is named twice" in answer.err
    assert "--fix READ=RIGHT" in answer.err
    assert scores(companion, game) == [22, None]


def test_the_reader_is_told_what_lies_elsewhere(companion: Companion, install: Install, photo: Path, game: str) -> None:
    reader = install(hand("3-12"))
    companion("score", game, "Anna", "5-5", "6-6")
    companion("scan", str(photo), "--save", game, "Bob")
    assert reader.asked[0][1] == {Tile(12, 12), Tile(5, 5), Tile(6, 6)}


def test_tiles_face_down_are_a_doubt(companion: Companion, install: Install, photo: Path, game: str) -> None:
    seen = hand("3-12")
    install(HandReading(seen.tiles, (box(300, 10),)))
    answer = companion("scan", str(photo), "--save", game, "Bob")
    assert answer.code == 2
    assert "1 tile lies face down and is not counted" in answer.out


def test_json_tells_the_reading_and_what_was_recorded(
    companion: Companion, install: Install, photo: Path, game: str
) -> None:
    install(hand("3-12"))
    reading, recorded = companion("scan", str(photo), "--save", game, "Bob", "--json").objects
    assert reading["points"] == 15
    assert [row["event"] for row in recorded["recorded"]] == ["RoundStarted", "HandCounted"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["{photo}", "{photo}", "--save", "{game}", "Bob"], "name one photo with --save"),
        (["{photo}", "--save", "{game}", "Carl"], "“Carl” is nobody"),
        (["{photo}", "--save", "NOGAME", "Bob"], "There is no game NOGAME"),
        (["{photo}x", "--save", "{game}", "Bob"], "There is no such file"),
        (["{photo}", "--save", "{game}"], "--save"),
    ],
)
def test_mistakes(
    companion: Companion, install: Install, photo: Path, game: str, words: list[str], sentence: str
) -> None:
    install(hand("3-12"))
    answer = companion("scan", *(word.format(photo=photo, game=game) for word in words))
    assert answer.code == 2
    assert sentence in answer.err
    assert len(answer.err.splitlines()) == 1
    assert scores(companion, game) == []


def test_a_missing_model_leaves_the_game_alone(
    companion: Companion, photo: Path, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing() -> FakeReader:
        raise ModelMissingError("weights_missing", file="detector.onnx")

    monkeypatch.setattr(module, "load_reader", missing)
    answer = companion("scan", str(photo), "--save", game, "Bob")
    assert answer.code == 2
    assert "detector.onnx" in answer.err
    assert scores(companion, game) == []


def test_several_photos_of_one_hand_are_merged_and_the_log_names_the_first(
    companion: Companion, install: Install, photo: Path, game: str, tmp_path: Path
) -> None:
    install(hand("3-12", "0-0"), hand("0-0", "7-7"))
    other = grey_photo(tmp_path / "other.png", 320)
    answer = companion("scan", str(photo), str(other), "--merge", "--save", game, "Bob")
    assert answer.code == 0, answer.err
    assert "Bob scores 79 (0-0, 3-12, 7-7)." in answer.out
    (counted,) = [row for row in companion("history", game, "--json").objects if row["event"] == "HandCounted"]
    assert counted["photo"] == hashlib.sha256(photo.read_bytes()).hexdigest()
