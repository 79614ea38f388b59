"""From typed or photographed hands to drafts."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.app.intake import (
    fixed_tiles,
    is_counted,
    propose_correction,
    propose_count,
    propose_move,
    propose_tiles,
    propose_total,
    taken_tiles,
)
from companion.app.session import DraftDoubt, GameSession
from companion.errors import IllegalMoveError, UsageError
from companion.rules.events import GameEnded, HandCounted, RoundStarted, ScoreCorrected
from companion.rules.house_rules import HouseRules
from companion.rules.moves import Play
from companion.rules.moves import ViolationCode as Code
from companion.rules.seating import deal, start_game, start_round
from companion.rules.tiles import Tile
from companion.storage.sqlite_store import SqliteStore
from companion.vision.readings import Doubt, HandReading
from tests.app.helpers import Clock, open_store
from tests.hands import box, hand, tile

PHOTO = "ab" * 32


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    store = open_store(tmp_path)
    yield store
    store.close()


@pytest.fixture
def session(store: SqliteStore) -> GameSession:
    rules = HouseRules(rounds=2, double_blank_points=25)
    return GameSession.create(store, start_game(rules, ["Anna", "Bob"]), clock=Clock())


def test_the_first_score_begins_the_round(session: GameSession) -> None:
    draft = propose_total(session, 0, 40)
    assert [type(event) for event in draft.events] == [RoundStarted, HandCounted]
    assert session.game.rounds == ()  # a draft changes nothing
    assert session.commit(draft).rounds[0].score(0).points == 40  # type: ignore[union-attr]


def test_a_whole_score_only_game_of_two_rounds_ends_by_itself(session: GameSession) -> None:
    for seat, points in ((0, 40), (1, 0)):
        session.commit(propose_total(session, seat, points))
    assert session.game.rounds[0].missing == ()
    session.commit(propose_tiles(session, 1, [Tile(0, 0), Tile(3, 4)]))
    assert len(session.game.rounds) == 2
    draft = propose_total(session, 0, 0)
    assert isinstance(draft.events[-1], GameEnded)
    session.commit(draft)
    assert session.game.ended
    with pytest.raises(IllegalMoveError) as caught:
        propose_total(session, 0, 3)
    assert caught.value.violations[0].code is Code.NO_ROUND_LEFT


def test_a_score_of_an_earlier_round(session: GameSession) -> None:
    session.commit(propose_total(session, 0, 40))
    session.commit(session.draft(HandCounted(1, 1, 3)))
    session.commit(propose_total(session, 0, 5))
    with pytest.raises(IllegalMoveError) as caught:
        propose_total(session, 0, 9, number=1)
    assert caught.value.violations[0].code is Code.ALREADY_COUNTED
    assert propose_correction(session, 0, 9, "miscounted", 1).events == (ScoreCorrected(1, 0, 9, "miscounted"),)
    assert propose_correction(session, 0, [Tile(0, 0), Tile(1, 2)], "by tiles", 1).events == (
        ScoreCorrected(1, 0, 28, "by tiles"),
    )


def test_is_counted_looks_at_the_round_that_is_meant(session: GameSession) -> None:
    assert not is_counted(session.game, 0)
    session.commit(propose_total(session, 0, 40))
    assert is_counted(session.game, 0)
    assert not is_counted(session.game, 1)
    session.commit(propose_total(session, 1, 4))
    assert not is_counted(session.game, 0)  # the next score is one of the next round
    assert is_counted(session.game, 0, 1)
    assert not is_counted(session.game, 0, 2)


def test_a_reading_without_doubts(session: GameSession) -> None:
    draft = propose_count(session, 0, hand("3-12", "0-0"), PHOTO)
    assert (draft.doubts, draft.violations, draft.photo) == ((), (), PHOTO)
    assert draft.events[-1] == HandCounted(1, 0, 40, (Tile(0, 0), Tile(3, 12)))


def test_every_doubt_is_carried(session: GameSession) -> None:
    reading = HandReading(
        (tile("3-12", box(0, 0), Doubt.GLARE, Doubt.CUT_OFF), tile("0-0")),
        (box(200, 0),),
        (box(300, 0),),
        frozenset({Doubt.BLURRED}),
    )
    assert propose_count(session, 0, reading, PHOTO).doubts == (
        DraftDoubt(Doubt.CUT_OFF, Tile(3, 12)),
        DraftDoubt(Doubt.GLARE, Tile(3, 12)),
        DraftDoubt(Doubt.BLURRED),
        DraftDoubt(Doubt.FACE_DOWN_NEARBY),
        DraftDoubt(Doubt.UNREADABLE),
    )


def test_a_reading_that_cannot_be_is_corrected_and_then_committed(session: GameSession) -> None:
    draft = propose_count(session, 0, hand("3-12", "3-12", "12-12?"), PHOTO)
    assert draft.events == ()
    assert {violation.code for violation in draft.violations} == {Code.TILE_TWICE, Code.TILE_ON_TABLE}
    for attempt in (draft, draft.confirmed()):
        with pytest.raises(IllegalMoveError):
            session.commit(attempt)
    session.commit(propose_tiles(session, 0, [Tile(3, 12)], photo=PHOTO))
    assert session.entries()[-1].photo == PHOTO


def test_a_hand_that_is_not_as_large_as_the_log_says(session: GameSession) -> None:
    session.commit(session.draft(*(opening := start_round(session.game, 0)), *deal_after(session, opening)))
    session.commit(propose_move(session, Play(0, Tile(3, 12), 0)))
    with pytest.raises(IllegalMoveError) as caught:
        propose_move(session, Play(0, Tile(3, 5), 0))
    assert Code.OUT_OF_TURN in {violation.code for violation in caught.value.violations}
    ruled = propose_move(session, Play(0, Tile(3, 5), 0), "he may")
    assert ruled.events[0].ruling.why == "he may"  # type: ignore[union-attr]


def deal_after(session: GameSession, opening: tuple[object, ...]) -> tuple[object, ...]:
    from companion.rules.fold import apply_all

    return deal(apply_all(session.game, opening))  # type: ignore[arg-type]


def test_tiles_that_are_elsewhere(session: GameSession) -> None:
    assert taken_tiles(session.game, 0) == frozenset()
    session.commit(propose_tiles(session, 1, [Tile(5, 5)]))
    assert taken_tiles(session.game, 0) == {Tile(12, 12), Tile(5, 5)}
    assert taken_tiles(session.game, 1) == {Tile(12, 12)}
    session.commit(propose_total(session, 0, 7))
    assert taken_tiles(session.game, 0) == frozenset()  # a new round is due


def test_corrections_of_a_reading() -> None:
    read = (Tile(3, 11), Tile(7, 7), Tile(7, 7))
    fixes = [(Tile(3, 11), Tile(3, 12)), (Tile(7, 7), None), (None, Tile(0, 1))]
    assert fixed_tiles(read, fixes) == (Tile(7, 7), Tile(3, 12), Tile(0, 1))
    with pytest.raises(UsageError):
        fixed_tiles(read, [(Tile(1, 1), None)])
