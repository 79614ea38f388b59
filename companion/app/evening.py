"""What a table says between the moves, as drafts for `Place.propose`: a round begins, is over, the game is over."""

from companion.app.session import Draft, GameSession
from companion.rules.counting import count_hand, end_game
from companion.rules.fold import apply_all
from companion.rules.seating import join, leave, start_round
from companion.rules.state import EndReason
from companion.rules.table import end_round


def propose_round(session: GameSession, starter: int | None = None, ruling: str | None = None) -> Draft:
    """The next round begins; `starter` where the rules do not say who starts. Raises IllegalMoveError."""
    return session.draft(*start_round(session.game, starter, None, ruling))


def propose_out(session: GameSession, seat: int) -> Draft:
    """A player has laid the last tile: the round is over and the player's score is known. Raises IllegalMoveError.

    The table knows it better than a log that has missed a move (R-RULING-1).
    """
    over = end_round(session.game, EndReason.OUT, seat, "")
    return session.draft(*over, *count_hand(apply_all(session.game, over), seat))


def propose_round_over(session: GameSession, reason: EndReason) -> Draft:
    """Nobody can play any more, or the table stops: all hands are counted. Raises IllegalMoveError."""
    return session.draft(*end_round(session.game, reason, ruling=""))


def propose_game_over(session: GameSession) -> Draft:
    """The table ends the game before its last round. Raises IllegalMoveError."""
    return session.draft(*end_game(session.game))


def propose_join(session: GameSession, name: str) -> Draft:
    """Somebody sits down and plays from the next round on. Raises IllegalMoveError and UsageError."""
    return session.draft(*join(session.game, name))


def propose_leave(session: GameSession, seat: int) -> Draft:
    """Somebody goes home; what was scored stays. Raises IllegalMoveError."""
    return session.draft(*leave(session.game, seat))
