"""From moves to events to the state of a game.

`decide` checks and says what happened, `apply` believes every event, `replay` folds a whole log.
"""

from collections.abc import Iterable, Sequence
from typing import NoReturn

from companion.errors import IllegalMoveError
from companion.rules.draft import GameDraft
from companion.rules.events import (
    EngineLaid,
    Event,
    MarkerSet,
    RoundEnded,
    Ruling,
    TileDrawn,
    TilePlayed,
    TurnEnded,
    TurnPassed,
)
from companion.rules.history import effective
from companion.rules.legality import check
from companion.rules.moves import Draw, EndTurn, LayEngine, Mark, Move, Pass, Play, Violation
from companion.rules.state import EndReason, Game, Phase
from companion.rules.turn import tail
from companion.rules.words import one_line

__all__ = ["advance", "apply", "apply_all", "decide", "effective", "overrule", "refuse", "replay"]


def apply(game: Game, event: Event) -> Game:
    """The game after one more event. Never judges; a `Retracted` must go through `replay`."""
    draft = GameDraft(game)
    draft.take(event)
    return draft.freeze()


def apply_all(game: Game, events: Iterable[Event]) -> Game:
    """The game after several more events, none of them a retraction."""
    draft = GameDraft(game)
    for event in events:
        draft.take(event)
    return draft.freeze()


def replay(events: Sequence[Event]) -> Game:
    """The game that a whole log tells, retractions included."""
    return apply_all(Game(), effective(events))


def overrule(violations: Sequence[Violation], ruling: str | None) -> Ruling | None:
    """The ruling that lets a move with these violations happen, None where there are none.

    `ruling` is what the table says, None when it does not insist. Raises IllegalMoveError when nobody
    insists, or when no ruling can help (R-RULING-1).
    """
    if not violations:
        return None
    if ruling is None or any(violation.impossible for violation in violations):
        refuse(*violations)
    return Ruling(tuple(violation.code for violation in violations), one_line(ruling))


def refuse(*violations: Violation) -> NoReturn:
    """Say no: raises IllegalMoveError with these violations, which nobody can overrule."""
    raise IllegalMoveError("illegal_move", violations)


def decide(game: Game, move: Move, ruling: str | None = None) -> tuple[Event, ...]:
    """What happens when this move is made: the move itself, and the end of the round if it ends it.

    Raises IllegalMoveError with every violation, unless `ruling` says why the table insists.
    """
    return advance(game, move, ruling)[0]


def advance(game: Game, move: Move, ruling: str | None = None) -> tuple[tuple[Event, ...], Game]:
    """Like `decide`, with the game after it."""
    event = _event(game, move, overrule(check(game, move), ruling))
    draft = GameDraft(game)
    draft.take(event)
    ending = _ending(draft, event)
    if ending is None:
        return (event,), draft.freeze()
    draft.take(ending)
    return (event, ending), draft.freeze()


def _event(game: Game, move: Move, ruling: Ruling | None) -> Event:
    match move:
        case Play(seat, tile, key, outer, keep_marker):
            if outer is None:
                table = game.table
                assert table is not None
                number = tail(table, key)
                outer = tile.other(number) if tile.has(number) else tile.high
            return TilePlayed(seat, tile, key, outer, keep_marker, ruling)
        case Draw(seat, drawn):
            return TileDrawn(seat, drawn, ruling)
        case Pass(seat):
            return TurnPassed(seat, ruling)
        case EndTurn(seat):
            return TurnEnded(seat, ruling)
        case LayEngine(seat, tile):
            return EngineLaid(seat, tile, ruling)
        case Mark(seat, on):
            return MarkerSet(seat, on, ruling)


def _ending(draft: GameDraft, event: Event) -> RoundEnded | None:
    """Does this event end the round (R-END-1, R-END-2, R-DBL-6)?"""
    table, current = draft.table, draft.round
    if table is None or current is None or table.phase is not Phase.PLAYING:
        return None
    if isinstance(event, TilePlayed | EngineLaid):
        owes = table.follow_up and table.to_act == event.seat
        if not table.hands[event.seat].count and not owes:
            return RoundEnded(current.number, EndReason.OUT, event.seat)
    elif isinstance(event, TurnPassed) and table.passes_in_row >= len(table.seats):
        return RoundEnded(current.number, EndReason.BLOCKED)
    return None
