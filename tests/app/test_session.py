"""Sessions: what is recorded, who may take it back, and what happens to two writers."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from companion.app.session import CODE_LENGTH, CODE_LETTERS, Draft, DraftDoubt, GameSession, new_code
from companion.errors import LogConflictError, LogCorruptError, UsageError
from companion.rules.events import GameStarted, HandCounted, Retracted, ScoreCorrected, TurnPassed
from companion.rules.house_rules import HouseRules
from companion.rules.tiles import Tile
from companion.storage.records import CODEC, HOST, Recorded, Source
from companion.storage.sqlite_store import SqliteStore
from companion.vision.readings import Doubt
from tests.app.helpers import Clock, counted, open_store, started

ZOE, IVAN, BOB = Source(0), Source(1), Source(2)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    store = open_store(tmp_path)
    yield store
    store.close()


def points(session: GameSession) -> list[int | None]:
    current = session.game.round
    assert current is not None
    return [None if (score := current.score(seat)) is None else score.points for seat in range(3)]


def score(session: GameSession, seat: int, value: int, source: Source = HOST) -> None:
    session.commit(session.draft(counted(session, seat, value)), source)


def test_a_game_can_be_opened_again_as_it_was_left(store: SqliteStore) -> None:
    session = started(store)
    score(session, 1, 40)
    again = GameSession(store, session.game_id)
    assert again.game == session.game
    assert again.seq == session.seq == store.last_seq(session.game_id)
    assert again.events == session.events
    assert points(again) == [None, 40, None]


def test_a_code_is_short_and_can_be_said_aloud() -> None:
    codes = {new_code() for _ in range(200)}
    assert len(codes) == 200
    assert all(len(code) == CODE_LENGTH and set(code) <= set(CODE_LETTERS) for code in codes)
    assert not set(CODE_LETTERS) & set("IL1O0")


def test_a_code_that_is_taken_is_not_used_again(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    codes = iter(["AAAAAA", "AAAAAA", "AAAAAA", "BBBBBB"])
    monkeypatch.setattr("companion.app.session.new_code", lambda: next(codes))
    start = GameStarted(HouseRules(), ("A", "B"))
    assert [GameSession.create(store, [start]).game_id for _ in range(2)] == ["AAAAAA", "BBBBBB"]
    assert store.last_seq("AAAAAA") == 1


def test_an_unknown_game(store: SqliteStore) -> None:
    with pytest.raises(UsageError) as caught:
        GameSession(store, "NOGAME")
    assert caught.value.key == "game_unknown"


def test_a_log_that_tells_no_game_is_a_damaged_one(store: SqliteStore) -> None:
    at = "2026-07-30T19:00:00.000Z"
    store.append("NOTHNG", 0, [CODEC.line(Recorded(1, at, HOST, None, TurnPassed(0)))])
    start = Recorded(1, at, HOST, None, GameStarted(HouseRules(), ("A", "B")))
    store.append("NOSENS", 0, [CODEC.line(start), CODEC.line(Recorded(2, at, HOST, None, TurnPassed(0)))])
    for code in ("NOTHNG", "NOSENS"):
        with pytest.raises(LogCorruptError):
            GameSession(store, code)


def test_who_entered_what_when_and_from_which_photo(store: SqliteStore) -> None:
    session = started(store)
    session.commit(session.draft(counted(session, 0, 12), photo="ab" * 32), IVAN)
    entry = session.entries()[-1]
    assert (entry.source, entry.photo, entry.effective) == (IVAN, "ab" * 32, True)
    assert [record.event for record in entry.records] == [HandCounted(1, 0, 12)]
    assert entry.at == "2026-07-30T19:00:04.000Z"
    assert session.photos() == {"ab" * 32}
    assert [len(one.records) for one in session.entries()] == [1, 4, 1, 1]


def test_the_times_of_a_game_only_grow(store: SqliteStore) -> None:
    session = started(store)
    clock = Clock()
    clock.time -= timedelta(days=1)  # somebody set the clock back
    late = GameSession(store, session.game_id, clock)
    for value in (1, 2, 3):
        score(late, 0, value)
    times = [entry.at for entry in late.entries()]
    assert times == sorted(set(times))


def test_doubts_must_be_confirmed_first(store: SqliteStore) -> None:
    session = started(store)
    doubts = [DraftDoubt(Doubt.GLARE, Tile(3, 12)), DraftDoubt(Doubt.BLURRED)]
    draft = session.draft(counted(session, 0, 15), doubts=doubts)
    with pytest.raises(UsageError) as caught:
        session.commit(draft)
    assert (caught.value.key, caught.value.params) == ("draft_doubtful", {"n": 2})
    assert points(session) == [None, None, None]
    session.commit(draft.confirmed())
    assert points(session) == [15, None, None]


def test_a_draft_of_another_game_is_a_mistake_of_ours(store: SqliteStore) -> None:
    session = started(store)
    with pytest.raises(ValueError, match="a draft for"):
        session.commit(Draft("OTHER2", session.seq, ()))


def test_two_writers_the_second_gets_a_conflict_and_the_newer_state(store: SqliteStore) -> None:
    first, second = started(store), None
    second = GameSession(SqliteStore(store.path), first.game_id, Clock())
    mine = first.draft(counted(first, 0, 11))
    theirs = second.draft(counted(second, 1, 22))
    first.commit(mine, ZOE)
    with pytest.raises(LogConflictError) as caught:
        second.commit(theirs, IVAN)
    assert caught.value.params["actual"] == first.seq
    assert points(second) == [11, None, None]  # the newer state
    with pytest.raises(LogConflictError):
        second.commit(theirs, IVAN)  # a draft on an old state stays refused
    second.commit(second.draft(*theirs.events), IVAN)  # nothing of it was lost
    assert points(second) == [11, 22, None]
    assert first.refresh()
    assert not first.refresh()
    assert first.game == second.game


def test_somebody_deletes_the_game_meanwhile(store: SqliteStore) -> None:
    session = started(store)
    other = GameSession(store, session.game_id)
    other.delete()
    with pytest.raises(LogConflictError) as caught:
        score(session, 0, 5)
    assert caught.value.key == "game_deleted_meanwhile"
    with pytest.raises(UsageError):
        GameSession(store, session.game_id)


def test_a_game_that_grew_is_not_deleted(store: SqliteStore) -> None:
    session = started(store)
    other = GameSession(store, session.game_id)
    score(session, 0, 5)
    with pytest.raises(LogConflictError):
        other.delete()
    assert points(GameSession(store, session.game_id)) == [5, None, None]


def test_undo_and_redo_walk_back_and_forth(store: SqliteStore) -> None:
    session = started(store)
    states = [session.game]
    for seat, value in ((0, 10), (1, 20), (2, 30)):
        score(session, seat, value)
        states.append(session.game)
    for expected in (states[2], states[1], states[0]):
        assert session.undo() == expected
    for expected in (states[1], states[2], states[3]):
        assert session.redo() == expected
    with pytest.raises(UsageError) as caught:
        session.redo()
    assert caught.value.key == "redo_nothing"
    assert GameSession(store, session.game_id).game == session.game == states[3]
    assert [type(event) for event in session.events].count(Retracted) == 3


def test_undo_takes_back_a_whole_entry(store: SqliteStore) -> None:
    session = started(store)
    before = session.game
    session.commit(session.draft(counted(session, 0, 1), counted(session, 1, 2)))
    assert session.undo() == before
    assert [entry.effective for entry in session.entries()] == [True, True, True, False, False]
    session.redo()
    assert points(session) == [1, 2, None]


def test_undo_of_a_replacement_brings_back_what_was_replaced(store: SqliteStore) -> None:
    session = started(store)
    start = session.game
    score(session, 0, 10)
    first = session.game
    wrong = session.draft(Retracted((session.seq,)), counted(session, 0, 40))
    assert session.commit(wrong) != first
    assert session.undo() == first
    assert GameSession(store, session.game_id).game == first
    assert session.undo() == start  # nobody walks round in circles


def test_undo_keeps_the_reason(store: SqliteStore) -> None:
    session = started(store)
    score(session, 0, 1)
    session.undo(why="the wrong round")
    assert session.events[-1] == Retracted((session.seq - 1,), "the wrong round")


def test_redo_remembers_the_photo(store: SqliteStore) -> None:
    session = started(store)
    session.commit(session.draft(counted(session, 0, 12), photo="cd" * 32))
    session.undo()
    session.redo()
    assert session.entries()[-1].photo == "cd" * 32


def test_something_new_ends_redo(store: SqliteStore) -> None:
    session = started(store)
    score(session, 0, 10)
    session.undo()
    score(session, 1, 20)
    with pytest.raises(UsageError):
        session.redo()


def test_one_takes_back_ones_own_last_entry(store: SqliteStore) -> None:
    session = started(store)
    score(session, 0, 10, ZOE)
    score(session, 1, 20, IVAN)
    session.undo(ZOE)  # a score of hers, though Ivan came later
    assert points(session) == [None, 20, None]
    with pytest.raises(UsageError) as caught:
        session.undo(ZOE)
    assert caught.value.key == "undo_nothing"
    with pytest.raises(UsageError) as caught:
        session.undo(BOB)
    assert caught.value.key == "undo_nothing"
    with pytest.raises(UsageError) as caught:
        session.redo(IVAN)  # what Zoé took back is hers
    assert caught.value.key == "redo_nothing"
    session.redo(ZOE)
    assert points(session) == [10, 20, None]


def test_the_host_takes_back_anybodys(store: SqliteStore) -> None:
    session = started(store)
    score(session, 0, 10, ZOE)
    session.undo(HOST)
    assert points(session) == [None, None, None]
    session.redo(HOST)
    assert points(session) == [10, None, None]


def test_what_others_rest_on_stays(store: SqliteStore) -> None:
    session = started(store)
    score(session, 0, 10, ZOE)
    session.commit(session.draft(ScoreCorrected(1, 0, 15, "a tile under the table")), HOST)
    with pytest.raises(UsageError) as caught:
        session.undo(ZOE)
    assert caught.value.key == "undo_buried"
    assert points(session) == [15, None, None]


def test_the_beginning_of_a_game_is_not_undone(store: SqliteStore) -> None:
    session = GameSession.create(store, [GameStarted(HouseRules(), ("A", "B"))])
    with pytest.raises(UsageError) as caught:
        session.undo()
    assert caught.value.key == "undo_start"
    with pytest.raises(UsageError) as caught:
        session.undo(ZOE)
    assert caught.value.key == "undo_nothing"


def test_undo_meets_another_writer(store: SqliteStore) -> None:
    session = started(store)
    score(session, 0, 10)
    other = GameSession(store, session.game_id)
    score(session, 1, 20)
    with pytest.raises(LogConflictError):
        other.undo()
    assert points(other) == [10, 20, None]
    other.undo()
    assert points(other) == [10, None, None]
