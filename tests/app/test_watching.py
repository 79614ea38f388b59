"""A round followed live, with a stand-in that reads: what is told, what is asked, and what gets in the way."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import pi

import cv2
import numpy as np
import pytest

from companion.app.session import GameSession
from companion.app.table_intake import Ask
from companion.app.watching import Asked, Happening, LookTaken, Said, Told, Watcher, Withdrawn
from companion.errors import UsageError
from companion.rules.events import TileDrawn, TilePlayed, TurnPassed
from companion.rules.fold import decide
from companion.rules.moves import Play
from companion.vision.boxes import Region
from companion.vision.detector import Found
from companion.vision.evidence import Evidence
from companion.vision.frames import Frame
from companion.vision.readings import Doubt, TableReading, TileReading
from companion.vision.seen import Seen
from tests.app.table_scene import Scene, t
from tests.vision.drawn import HEIGHT, WIDTH, Image, lay, table

STEP_S = 0.1
EMPTY = Evidence(*(np.zeros(shape, np.float32) for shape in ((0, 4, 2), (0, 2), (0, 3), (0, 2, 14))))
NOTHING = Found(np.zeros((0, 4, 2), np.float32), np.zeros((0, 4), np.float32))
SEEN = Seen((HEIGHT, WIDTH), EMPTY, np.zeros((0, 2, 64, 64, 3), np.float32), NOTHING, 1)


class Room:
    """A table with a camera above it, and somebody who follows."""

    def __init__(self, sides: bool = True, **how: object) -> None:
        self.scene = Scene(sides=sides, **how)  # type: ignore[arg-type]
        self.picture = table(3, tiles=6)
        self.other: TableReading | None = None
        """What is read instead of the table."""
        self.engine = True
        self.broken = False
        self.asked: list[bool] = []
        """For every reading: only a part of the picture?"""
        self.parts: list[Region] = []
        """All that were read."""
        self.time_s = 0.0
        self.laid = 0
        self.watcher = Watcher(self.scene.session, self, self.scene.following)

    def look_table(self, photo, tile_set, engine=None, before=(), seen=None, changed=None):  # type: ignore[no-untyped-def]
        self.asked.append(changed is not None)
        self.parts += changed or ()
        if self.broken:
            raise RuntimeError("a network failed")
        return self.other or self.scene.reading(engine=self.engine), replace(SEEN, whole=changed is None)

    def frames(self, pictures: Sequence[Image | None]) -> list[Happening]:
        found: list[Happening] = []
        for picture in pictures:
            found += self.watcher.see(Frame(self.time_s, picture))
            self.time_s = round(self.time_s + STEP_S, 3)
        return found

    def still(self, seconds: float = 1.5) -> list[Happening]:
        return self.frames([self.picture] * round(seconds / STEP_S))

    def hand(self) -> list[Happening]:
        """Somebody reaches over the table and leaves a tile there."""
        before = self.picture
        self.picture = before.copy()
        self.laid += 1
        lay(self.picture, 90.0 + 60 * (self.laid % 18), 70.0 + 90 * (self.laid // 18), 0, self.laid)
        return self.frames([arm(before, 0.3), arm(before, 0.6), arm(self.picture, 0.5), arm(self.picture, 0.2)])

    def move(self, seat: int, tile: str, train: int | None) -> list[Happening]:
        """Somebody lays a tile, and the table lies still again."""
        self.scene.play(seat, tile, train)
        return [*self.hand(), *self.still()]


def arm(picture: Image, reach: float) -> Image:
    covered = picture.copy()
    cv2.line(covered, (WIDTH, HEIGHT), (round(WIDTH * (1 - reach)), round(HEIGHT * (1 - reach))), (190, 140, 110), 90)
    return covered


def told(happenings: Sequence[Happening]) -> list[tuple[int, str, int | None]]:
    events = [event for each in happenings if isinstance(each, Told) for event in each.events]
    return [(event.seat, str(event.tile), event.train) for event in events if isinstance(event, TilePlayed)]


def said(happenings: Sequence[Happening]) -> list[str]:
    return [each.notice.key for each in happenings if isinstance(each, Said)]


def test_a_move_is_told_within_a_second_and_a_half_and_only_what_changed_is_read() -> None:
    room = Room()
    assert told(room.still()) == []
    assert room.asked == [False]
    room.scene.play(0, "3-12", 0)
    assert told(room.hand()) == []
    began = room.time_s
    happenings = room.still()
    (told_s,) = [each.time_s for each in happenings if isinstance(each, Told)]
    assert told(happenings) == [(0, "3-12", 0)]
    assert told_s - began <= 0.8, "the rest is for the networks"
    assert room.asked == [False, True, True], "twice, because one look may err"
    assert room.scene.plays() == [(0, "3-12", 0)]
    assert [each.time_s for each in room.still(3) if isinstance(each, LookTaken)] == []


def test_what_is_between_two_moves_is_told_with_the_second() -> None:
    room = Room()
    room.still()
    room.move(0, "3-12", 0)
    room.scene.out_of_hand(1)
    happenings = room.move(2, "5-12", 2)
    kinds = [type(event) for each in happenings if isinstance(each, Told) for event in each.events]
    assert kinds == [TileDrawn, TurnPassed, TilePlayed]


@pytest.mark.parametrize(
    ("picture", "key"),
    [
        (None, "watch_no_picture"),
        (np.zeros((HEIGHT, WIDTH, 3), np.uint8), "watch_dark"),
        (np.full((HEIGHT, WIDTH, 3), 140, np.uint8), "watch_covered"),
    ],
)
def test_when_the_view_is_gone_it_is_said_once_and_it_goes_on_when_it_returns(picture: Image | None, key: str) -> None:
    room = Room()
    room.still()
    room.move(0, "3-12", 0)
    seq = room.scene.session.seq
    assert said(room.frames([picture] * 40)) == [key]
    assert room.scene.session.seq == seq
    back = room.still()
    assert said(back) == ["watch_back"]
    assert told(back) == []
    assert told(room.move(1, "5-12", 1)) == [(1, "5-12", 1)]


def test_a_move_that_was_made_while_nothing_could_be_seen_is_told_afterwards() -> None:
    room = Room()
    room.still()
    room.frames([None] * 5)
    room.scene.play(0, "3-12", 0)
    room.hand()
    assert told(room.still()) == [(0, "3-12", 0)]


def test_a_picture_that_is_black_for_a_moment_is_not_worth_a_word() -> None:
    room = Room()
    room.still()
    dark = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    assert said(room.frames([dark] * 4)) == []
    assert said(room.still()) == []


def test_another_table_changes_nothing() -> None:
    room = Room()
    room.still()
    room.move(0, "3-12", 0)
    seq = room.scene.session.seq
    elsewhere = Scene()
    elsewhere.play(0, "0-12", 0)
    elsewhere.play(1, "1-12", 1)
    room.other = replace(elsewhere.reading(), engine=None)
    mine, room.picture = room.picture, table(44, tiles=20)
    happenings = room.still(6)
    assert said(happenings) == ["follow_other_table"]
    assert room.scene.session.seq == seq
    room.other, room.picture = None, mine
    assert told(room.still()) == []
    assert told(room.move(1, "5-12", 1)) == [(1, "5-12", 1)]


def test_nothing_in_view_changes_nothing() -> None:
    room = Room()
    room.still()
    room.other = TableReading(None, ())
    mine, room.picture = room.picture, table(45, tiles=1)
    assert said(room.still(6)) == ["follow_empty"]
    room.other, room.picture = None, mine
    room.still()
    assert told(room.move(0, "3-12", 0)) == [(0, "3-12", 0)]


def test_without_the_engine_in_view_the_trains_are_followed() -> None:
    room = Room()
    room.still()
    room.move(0, "3-12", 0)
    room.move(1, "5-12", 1)
    room.engine = False
    happenings = [*room.move(2, "7-12", 2), *room.still(4)]
    assert "follow_no_engine" in said(happenings)
    assert said(happenings).count("follow_no_engine") == 1
    room.engine = True
    assert told([*happenings, *room.move(0, "3-6", 0)])[-1] == (0, "3-6", 0)


def test_a_camera_that_is_turned_upside_down_is_told_and_the_trains_are_known_again() -> None:
    room = Room()
    room.still()
    room.move(0, "3-12", 0)
    room.move(1, "5-12", 1)
    room.picture = room.picture[::-1, ::-1].copy()
    room.scene.painter.turn = pi
    happenings = room.still()
    assert said(happenings) == ["watch_pushed"]
    assert told(happenings) == []
    assert room.asked[-1] is False, "everything is read anew"
    assert told(room.move(2, "7-12", 2)) == [(2, "7-12", 2)]


def test_sides_turn_with_a_camera_that_is_turned_before_the_first_tile() -> None:
    room = Room(players=2)
    room.still()
    room.picture = room.picture[::-1, ::-1].copy()
    room.scene.painter.turn = pi
    assert said(room.still()) == ["watch_pushed"]
    assert told(room.move(0, "3-12", 0)) == [(0, "3-12", 0)]
    assert told(room.move(1, "5-12", 1)) == [(1, "5-12", 1)]


def test_halves_that_are_too_small_are_not_guessed() -> None:
    room = Room()
    room.still()
    room.scene.play(0, "3-12", 0)
    full = room.scene.reading()
    room.other = shrunk(full, 0.3)
    room.hand()
    assert said(room.still(5)) == ["watch_closer"]
    assert room.scene.plays() == []
    room.other = None
    room.hand()  # the camera comes nearer
    assert told(room.still()) == [(0, "3-12", 0)]


def shrunk(reading: TableReading, factor: float) -> TableReading:
    def small(tile: TileReading) -> TileReading:
        return replace(tile, box=replace(tile.box, corners=tile.box.corners * np.float32(factor)))

    chains = tuple(
        replace(chain, tiles=tuple(replace(laid, reading=small(laid.reading)) for laid in chain.tiles))
        for chain in reading.chains
    )
    assert reading.engine is not None
    return replace(reading, chains=chains, engine=small(reading.engine))


def test_a_game_whose_round_is_not_followed_is_told_once_and_not_read() -> None:
    room = Room(hands=0)
    assert said(room.still(5)) == ["watch_not_followed"]
    assert room.asked == []


def test_a_network_that_fails_is_told_and_the_next_picture_is_read() -> None:
    room = Room()
    room.broken = True
    assert said(room.still(3)) == ["reading_failed"]
    room.broken = False
    room.still()
    assert told(room.move(0, "3-12", 0)) == [(0, "3-12", 0)]


def test_a_hand_that_never_leaves_is_told_once() -> None:
    room = Room()
    room.still()
    moving = [arm(room.picture, 0.3 + 0.02 * (n % 9)) for n in range(200)]
    assert said(room.frames(moving)) == ["watch_hand"]


def test_a_tile_in_doubt_is_read_again_with_what_has_changed() -> None:
    room = Room()
    room.still()
    room.scene.play(0, "3-12", 0)
    full = room.scene.reading()
    (chain,) = full.chains
    unsure = replace(chain.tiles[0], reading=replace(chain.tiles[0].reading, doubts=frozenset({Doubt.GLARE})))
    room.other = replace(full, chains=(replace(chain, tiles=(unsure,)),))
    room.hand()
    room.still()
    room.other = None
    room.move(1, "5-12", 1)
    x, y = unsure.reading.box.corners.mean(0)
    assert any(left <= x <= right and top <= y <= bottom for left, top, right, bottom in room.parts)
    room.parts.clear()
    room.move(2, "7-12", 2)
    assert room.parts
    assert not any(left <= x <= right and top <= y <= bottom for left, top, right, bottom in room.parts)


# others who enter moves meanwhile


def other_phone(room: Room) -> GameSession:
    return GameSession(room.scene.session._store, room.scene.session.game_id)


def test_a_move_that_a_phone_has_entered_is_not_recorded_again() -> None:
    room = Room()
    room.still()
    phone = other_phone(room)
    phone.commit(phone.draft(*decide(phone.game, Play(0, t("3-12"), 0))))
    assert told(room.move(0, "3-12", 0)) == []
    assert told(room.move(1, "5-12", 1)) == [(1, "5-12", 1)]
    assert room.scene.plays() == [(0, "3-12", 0), (1, "5-12", 1)]


def test_a_phone_that_is_quicker_than_the_second_look_wins() -> None:
    room = Room()
    room.still()
    room.scene.play(0, "3-12", 0)
    room.hand()
    while len(room.asked) < 2:
        assert told(room.frames([room.picture])) == []
    phone = other_phone(room)
    phone.commit(phone.draft(*decide(phone.game, Play(0, t("3-12"), 0))))
    assert told(room.still(3)) == []
    assert room.scene.plays() == [(0, "3-12", 0)]


def test_what_a_phone_takes_back_is_not_recorded_again_before_something_changes() -> None:
    room = Room()
    room.still()
    room.move(0, "3-12", 0)
    other_phone(room).undo()
    assert told(room.still(5)) == []
    phone = other_phone(room)
    phone.commit(phone.draft(*decide(phone.game, Play(0, t("3-12"), 0))))
    assert told(room.move(1, "5-12", 1)) == [(1, "5-12", 1)]


# questions


def asked(happenings: Sequence[Happening]) -> Iterator[Asked]:
    return (each for each in happenings if isinstance(each, Asked))


def test_the_first_tiles_tell_nothing_of_whose_train_it_is_so_it_is_asked_once() -> None:
    room = Room(sides=False)
    room.still()
    happenings = room.move(0, "3-12", 0)
    (question,) = (each.question for each in asked(happenings))
    assert question.ask is Ask.WHICH
    assert list(asked(room.still(5))) == []
    # nobody answers: it stays the only question, and nothing is guessed
    later = [*room.move(1, "5-12", 1), *room.move(2, "7-12", 2), *room.move(0, "3-6", 0), *room.move(1, "5-9", 1)]
    assert room.scene.plays() == []
    assert list(asked(later)) == []
    right = next(
        number
        for number, answer in enumerate(question.alternatives, start=1)
        if [(play.seat, getattr(play, "train", "")) for play in answer.plays] == [(0, 0)]
    )
    answered = [*room.watcher.answer(right), *room.still(4)]
    assert room.watcher.question is None
    expected = [(0, "3-12", 0), (1, "5-12", 1), (2, "7-12", 2), (0, "3-6", 0), (1, "5-9", 1)]
    assert told(answered) == expected
    assert room.scene.plays() == expected


def test_answers_that_are_none() -> None:
    room = Room(sides=False)
    room.still()
    for number in (0, 1, -1):
        with pytest.raises(UsageError):
            room.watcher.answer(number)
    (question,) = (each.question for each in asked(room.move(0, "3-12", 0)))
    for number in (0, len(question.alternatives) + 1):
        with pytest.raises(UsageError) as caught:
            room.watcher.answer(number)
        assert caught.value.key == "watch_no_answer"
    assert room.watcher.question is question


def test_an_illegal_move_is_asked_with_its_clause_and_withdrawn_when_the_tile_is_taken_back() -> None:
    room = Room()
    room.still()
    room.move(0, "3-12", 0)
    before = room.scene.truth
    room.scene.put(1, 6, 9)
    happenings = [*room.hand(), *room.still()]
    (question,) = (each.question for each in asked(happenings))
    assert question.ask is Ask.ILLEGAL
    assert question.violations
    assert all(violation.clause.startswith("R-") for violation in question.violations)
    assert room.scene.plays() == [(0, "3-12", 0)]
    room.scene.truth = before
    happenings = [*room.hand(), *room.still()]
    assert any(isinstance(each, Withdrawn) for each in happenings)
    assert told(room.move(1, "5-12", 1)) == [(1, "5-12", 1)]
