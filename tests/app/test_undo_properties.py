"""Whatever several people enter, take back and bring back, in whatever order."""

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.app.intake import propose_correction, propose_total
from companion.app.session import Entry, GameSession
from companion.errors import IllegalMoveError, UsageError
from companion.rules.events import Event, GameStarted, Retracted, RoundEnded, RoundStarted, ScoreCorrected
from companion.rules.fold import replay
from companion.rules.history import effective, effective_seqs
from companion.rules.house_rules import HouseRules
from companion.rules.seating import start_game
from companion.rules.state import EndReason
from companion.storage.records import HOST, Source
from tests.app.helpers import Clock
from tests.app.memory_store import MemoryStore

PEOPLE = (HOST, Source(0), Source(1))
steps = st.lists(
    st.one_of(
        st.tuples(st.just("score"), st.sampled_from(PEOPLE), st.integers(0, 1), st.integers(0, 50)),
        st.tuples(st.just("correct"), st.sampled_from(PEOPLE), st.integers(0, 1), st.integers(0, 50)),
        st.tuples(st.just("undo"), st.sampled_from(PEOPLE), st.just(0), st.just(0)),
        st.tuples(st.just("redo"), st.sampled_from(PEOPLE), st.just(0), st.just(0)),
    ),
    max_size=25,
)


def alive(session: GameSession) -> list[Entry]:
    return [entry for entry in session.entries() if entry.effective]


def act(session: GameSession, what: str, who: Source, seat: int, points: int) -> None:
    match what:
        case "score":
            session.commit(propose_total(session, seat, points), who)
        case "correct":
            session.commit(propose_correction(session, seat, points, "again"), who)
        case "undo":
            session.undo(who)
        case _:
            session.redo(who)


@settings(max_examples=150, deadline=None)
@given(steps)
def test_the_log_only_grows_and_the_game_is_what_it_tells(actions: list[tuple[str, Source, int, int]]) -> None:
    store = MemoryStore()
    opening = start_game(HouseRules(rounds=3), ["Anna", "Bob"])
    session = GameSession.create(store, opening, clock=Clock())
    for what, who, seat, points in actions:
        before, lines, game = alive(session), store.read(session.game_id), session.game
        try:
            act(session, what, who, seat, points)
        except (UsageError, IllegalMoveError):
            assert (store.read(session.game_id), session.game) == (lines, game)
            continue
        after = alive(session)
        assert store.read(session.game_id)[: len(lines)] == lines
        assert session.game == replay(session.events) == GameSession(store, session.game_id).game
        if what == "undo":
            (gone,) = [entry for entry in before if entry.records[0].seq not in {e.records[0].seq for e in after}]
            assert who.is_host or gone.source == who
            assert isinstance(session.events[-1], Retracted)
            session.redo(who)  # and back again
            assert session.game == game
            session.undo(who)
        else:
            assert len(after) == len(before) + 1


entered = st.lists(
    st.one_of(
        st.tuples(st.just("enter"), st.just(0), st.integers(1, 3)),
        st.tuples(st.just("replace"), st.integers(1, 5), st.integers(1, 3)),
        st.tuples(st.just("undo"), st.just(0), st.just(0)),
        st.tuples(st.just("redo"), st.just(0), st.just(0)),
    ),
    max_size=25,
)


@settings(max_examples=150, deadline=None)
@given(entered)
def test_undo_walks_back_through_every_state_and_no_other(actions: list[tuple[str, int, int]]) -> None:
    """What replaces the end of the log, parts of entries and several of them, too."""
    opening = (GameStarted(HouseRules(), ("Anna", "Bob")), RoundStarted(1, None, 0), RoundEnded(1, EndReason.CALLED))
    session = GameSession.create(MemoryStore(), opening, clock=Clock())
    start = len(session.events)
    states = [effective(session.events)]
    gone: list[tuple[Event, ...]] = []
    points = 0
    for what, back, count in actions:
        if what == "undo" and len(states) > 1:
            session.undo()
            gone.append(states.pop())
        elif what == "redo":
            try:
                session.redo()
            except UsageError:  # what had replaced something is not redone
                continue
            states.append(gone.pop())
        elif what in ("enter", "replace"):
            taken = [seq for seq in effective_seqs(session.events) if seq > start][-back:] if back else []
            new = [ScoreCorrected(1, 0, points := points + 1, "again") for _ in range(count)]
            session.commit(session.draft(*([Retracted(tuple(taken))] if taken else []), *new))
            states.append(effective(session.events))
            gone.clear()
        assert effective(session.events) == states[-1]
    while len(states) > 1:
        states.pop()
        session.undo()
        assert effective(session.events) == states[-1]
