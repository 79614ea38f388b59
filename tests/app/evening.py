"""A whole evening through `app`, as somebody at the table enters it, without any user interface."""

from collections.abc import Sequence
from itertools import takewhile

from companion.app.intake import propose_correction, propose_move, propose_tiles, propose_total
from companion.app.session import Clock, Draft, GameSession
from companion.rules import events as ev
from companion.rules.moves import Draw, EndTurn, LayEngine, Mark, Pass, Play
from companion.rules.seating import deal, due_starter, join, leave, start_game, start_round
from companion.rules.table import end_round, miss_call
from companion.storage.event_store import EventStore
from companion.storage.records import Source


def propose(session: GameSession, event: ev.Event, later: Sequence[ev.Event]) -> Draft:
    """What somebody enters when `event` happens at the table; `later` follows it."""
    game = session.game
    match event:
        case ev.RoundStarted():
            due = due_starter(game)
            starter = event.starter if event.ruling or due is None else None
            return session.draft(*start_round(game, starter, event.engine, _why(event)))
        case ev.HandDealt():
            dealt = [event, *takewhile(lambda each: isinstance(each, ev.HandDealt), later)]
            hands = {each.seat: each.tiles for each in dealt if isinstance(each, ev.HandDealt)}
            return session.draft(*deal(game, hands))
        case ev.EngineLaid():
            return propose_move(session, LayEngine(event.seat, event.tile), _why(event))
        case ev.TilePlayed():
            move = Play(event.seat, event.tile, event.train, event.outer, event.keep_marker)
            return propose_move(session, move, _why(event))
        case ev.TileDrawn():
            return propose_move(session, Draw(event.seat, event.tile), _why(event))
        case ev.TurnPassed():
            return propose_move(session, Pass(event.seat), _why(event))
        case ev.TurnEnded():
            return propose_move(session, EndTurn(event.seat), _why(event))
        case ev.MarkerSet():
            return propose_move(session, Mark(event.seat, event.on), _why(event))
        case ev.CallMissed():
            return session.draft(*miss_call(game, event.seat, event.tiles))
        case ev.RoundEnded():
            return session.draft(*end_round(game, event.reason, event.went_out, _why(event)))
        case ev.HandCounted(tiles=None):
            return propose_total(session, event.seat, event.points, event.number, event.why)
        case ev.HandCounted():
            return propose_tiles(session, event.seat, event.tiles or (), event.number, event.why)
        case ev.ScoreCorrected():
            return propose_correction(session, event.seat, event.points, event.why, event.number)
        case ev.PlayerJoined():
            return session.draft(*join(game, event.name, event.after))
        case ev.PlayerLeft():
            return session.draft(*leave(game, event.seat, event.hand, event.ranked))
        case _:
            raise AssertionError(f"nobody enters {event}")


def _why(event: ev.Event) -> str | None:
    ruling = getattr(event, "ruling", None)
    return None if ruling is None else str(ruling.why)


def play_again(store: EventStore, events: Sequence[ev.Event], sources: Sequence[Source], clock: Clock) -> GameSession:
    """Enter what a log tells, step by step; each step must record just what the log says next."""
    start = events[0]
    assert isinstance(start, ev.GameStarted)
    opening = start_game(start.rules, start.players, start.preset, start.missing_tiles)
    session = GameSession.create(store, opening, sources[0], clock)
    while session.seq < len(events):
        at = session.seq
        event, source = events[at], sources[at]
        if isinstance(event, ev.Retracted):
            session.undo(source, event.why)
        elif isinstance(events[at - 1], ev.Retracted) and event in _taken(events, at - 1):
            session.redo(source)
        else:
            session.commit(propose(session, event, events[at + 1 :]), source)
        recorded = session.events[at:]
        assert recorded == tuple(events[at : at + len(recorded)])
    return session


def _taken(events: Sequence[ev.Event], at: int) -> list[ev.Event]:
    """What a retraction took back."""
    retraction = events[at]
    assert isinstance(retraction, ev.Retracted)
    return [events[seq - 1] for seq in retraction.seqs]
