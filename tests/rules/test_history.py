"""What belongs together, what still counts, what redo would bring back."""

from companion.rules.events import (
    ZERO_FOR_LOWEST,
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
from companion.rules.history import actions, effective, effective_seqs, redoable
from companion.rules.state import EndReason, LeavingHand
from companion.rules.tiles import Tile


def test_consequences_come_and_go_with_their_cause():
    log = [
        RoundStarted(1), HandDealt(0, 2), HandDealt(1, 2),
        TurnPassed(0), TilePlayed(1, Tile(1, 2), 1, 2), RoundEnded(1, EndReason.OUT, 1),
        HandCounted(1, 0, 4), HandCounted(1, 1, 0), GameEnded(),
    ]  # fmt: skip
    assert actions(log) == ((1, 2, 3), (4,), (5, 6), (7,), (8, 9))
    assert actions([TurnPassed(0), RoundEnded(1, EndReason.CALLED)]) == ((1,), (2,))
    said = [RoundStarted(1), RoundEnded(1, EndReason.OUT, 1), TurnPassed(0), RoundEnded(1, EndReason.BLOCKED)]
    assert actions(said) == ((1,), (2,), (3, 4))
    zero = [HandCounted(1, 0, 4), ScoreCorrected(1, 0, 0, ZERO_FOR_LOWEST), ScoreCorrected(1, 0, 0, "he had none")]
    assert actions(zero) == ((1, 2), (3,))
    left = [PlayerLeft(0, True, LeavingHand.COUNTED), HandCounted(1, 0, 4), HandCounted(1, 1, 4)]
    assert actions(left) == ((1, 2), (3,))


def test_retractions_take_back_without_erasing():
    log = [TurnPassed(0), TurnPassed(1), Retracted((2,)), TurnPassed(2), Retracted((1, 4))]
    assert effective_seqs(log) == ()
    assert effective(log[:3]) == (TurnPassed(0),)
    assert actions(log[:4]) == ((1,), (4,))


def test_redo_goes_back_step_by_step():
    log = [TurnPassed(0), TurnPassed(1), Retracted((2,)), Retracted((1,))]
    assert redoable(log) == (TurnPassed(0),)
    log.append(TurnPassed(0))
    assert redoable(log) == (TurnPassed(1),)
    log.append(TurnPassed(2))
    assert redoable(log) == ()
    assert redoable([]) == ()


def test_redo_of_a_group_half_done():
    log = [TilePlayed(1, Tile(1, 2), 1, 2), RoundEnded(1, EndReason.OUT, 1), Retracted((1, 2))]
    assert redoable(log) == tuple(log[:2])
    log.append(log[0])
    assert redoable(log) == (log[1],)
