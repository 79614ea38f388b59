"""Undo and redo without erasing: which events of a log still count (R-RULING-3)."""

from collections.abc import Iterable, Sequence

from companion.rules.events import (
    ZERO_FOR_LOWEST,
    EngineLaid,
    Event,
    GameEnded,
    HandCounted,
    HandDealt,
    PlayerLeft,
    Retracted,
    RoundEnded,
    RoundStarted,
    ScoreCorrected,
    TilePlayed,
    TurnPassed,
)
from companion.rules.state import EndReason


def effective_seqs(events: Iterable[Event]) -> tuple[int, ...]:
    """Places (from 1) of the events that have not been taken back, without the retractions."""
    seqs: dict[int, None] = {}
    for seq, event in enumerate(events, 1):
        if isinstance(event, Retracted):
            for taken in event.seqs:
                seqs.pop(taken, None)
        else:
            seqs[seq] = None
    return tuple(seqs)


def effective(events: Sequence[Event]) -> tuple[Event, ...]:
    """The events that still count, oldest first."""
    return tuple(events[seq - 1] for seq in effective_seqs(events))


def actions(events: Sequence[Event]) -> tuple[tuple[int, ...], ...]:
    """The effective events in groups of what happened at once: a deal, a play that ended the round.

    Undo takes back the last group as a whole: `Retracted(actions(events)[-1])`.
    """
    groups: list[list[int]] = []
    before: Event | None = None
    for seq in effective_seqs(events):
        event = events[seq - 1]
        if before is not None and _follows(event, before):
            groups[-1].append(seq)
        else:
            groups.append([seq])
        before = event
    return tuple(tuple(group) for group in groups)


def _follows(event: Event, before: Event) -> bool:
    """Is this event a consequence of the one before, so that both come and go together?"""
    match event:
        case HandDealt():
            return isinstance(before, RoundStarted | HandDealt)
        case RoundEnded(reason=EndReason.OUT):
            return isinstance(before, TilePlayed | EngineLaid) and before.seat == event.went_out
        case RoundEnded(reason=EndReason.BLOCKED):
            return isinstance(before, TurnPassed)
        case GameEnded():
            return isinstance(before, HandCounted | ScoreCorrected)
        case HandCounted():
            return isinstance(before, PlayerLeft) and before.hand is not None and before.seat == event.seat
        case ScoreCorrected(why=why):
            return why == ZERO_FOR_LOWEST and isinstance(before, HandCounted | ScoreCorrected)
        case _:
            return False


def redoable(events: Sequence[Event]) -> tuple[Event, ...]:
    """What redo would append again: the events taken back last, as long as nothing else was done since."""
    stack: list[list[Event]] = []
    for event in events:
        if isinstance(event, Retracted):
            stack.append([events[seq - 1] for seq in event.seqs])
        elif stack and stack[-1] and event == stack[-1][0]:
            del stack[-1][0]
            if not stack[-1]:
                stack.pop()
        else:
            stack.clear()
    return tuple(stack[-1]) if stack else ()
