"""What a table that has its moves followed says, as drafts for `Place.propose`: deal, move, show a hand, go on."""

from collections.abc import Sequence

from companion.app.session import Draft, GameSession
from companion.errors import IllegalMoveError, UsageError
from companion.rules.counting import count_hand
from companion.rules.events import Event, Retracted, RoundEnded, RoundStarted
from companion.rules.fold import apply_all, decide, replay
from companion.rules.history import effective_seqs
from companion.rules.house_rules import Starter
from companion.rules.moves import Move
from companion.rules.seating import deal, start_round
from companion.rules.state import EndReason, Game, Phase
from companion.rules.table import end_round, miss_call, see_hand
from companion.rules.tiles import Tile


def is_followed(game: Game) -> bool:
    """Are, or were, the moves of the latest round followed?"""
    table = game.table
    return table is not None and any(hand.count for hand in table.hands)


def can_be_followed(game: Game) -> bool:
    """Can the moves of the latest round be followed from now on: has nobody counted anything yet?"""
    current = game.round
    if current is None or game.ended or current.ended is not None:
        return False
    return current.table.phase is Phase.DEALING and not any(current.scores)


def asks_starter(game: Game) -> bool:
    """Must the table say who starts before the moves of this round can be followed (R-START-1)?"""
    current = game.round
    return current is not None and current.starter is None and game.rules.starter is not Starter.ENGINE_HOLDER


def propose_deal(session: GameSession, starter: int | None = None) -> Draft:
    """Everybody has taken a hand: from now on the moves of the round are followed.

    A round that began without saying who starts begins again with `starter`. Raises IllegalMoveError.
    """
    game = session.game
    again: tuple[Event, ...] = ()
    if starter is not None and asks_starter(game):
        again = _begun_by(session, starter)
        game = replay((*session.events, *again))
    return session.draft(*again, *deal(game))


def propose_followed_round(session: GameSession, starter: int | None = None) -> Draft:
    """The next round begins and its moves are followed. Raises IllegalMoveError."""
    opening = start_round(session.game, starter)
    return session.draft(*opening, *deal(apply_all(session.game, opening)))


def propose_turn(session: GameSession, move: Move, ruling: str | None = None) -> Draft:
    """A move; whoever lays the last tile has the score at once. Raises IllegalMoveError with every violation."""
    return session.draft(*with_score(session.game, decide(session.game, move, ruling)))


def propose_shown(session: GameSession, seat: int, tiles: Sequence[Tile], ruling: str | None = None) -> Draft:
    """A hand, or a part of it, is shown to the companion. Raises IllegalMoveError."""
    return session.draft(*see_hand(session.game, seat, tiles, ruling=ruling))


def propose_missed_call(session: GameSession, seat: int) -> Draft:
    """Somebody did not call the last tile and draws for it (R-SCORE-4). Raises IllegalMoveError."""
    return session.draft(*miss_call(session.game, seat))


def propose_end(session: GameSession, reason: EndReason, out: int | None = None, ruling: str | None = None) -> Draft:
    """The table says that the round is over. Raises IllegalMoveError."""
    return session.draft(*with_score(session.game, end_round(session.game, reason, out, ruling)))


def with_score(game: Game, events: tuple[Event, ...]) -> tuple[Event, ...]:
    """The events, and the score of who went out if they end the round so (R-SCORE-1)."""
    over = next((event for event in events if isinstance(event, RoundEnded)), None)
    if over is None or over.went_out is None:
        return events
    try:
        return (*events, *count_hand(apply_all(game, events), over.went_out))
    except IllegalMoveError:  # a ruling: tiles are left that nobody has named, so that somebody must count them
        return events


def _begun_by(session: GameSession, starter: int) -> tuple[Event, ...]:
    """The start of the round is taken back, and made again with who starts."""
    alive = effective_seqs(session.events)
    seq = next((seq for seq in reversed(alive) if isinstance(session.events[seq - 1], RoundStarted)), None)
    if seq is None:
        raise UsageError("undo_nothing")
    back = Retracted((seq,))
    before = replay((*session.events, back))
    was = session.events[seq - 1]
    assert isinstance(was, RoundStarted)
    return (back, *start_round(before, starter, was.engine))
