"""Counting hands and correcting scores: what is agreed is stored, and asked about when it looks odd."""

from collections.abc import Sequence

from companion.rules import events as ev
from companion.rules.events import ZERO_FOR_LOWEST
from companion.rules.fold import apply, overrule, refuse
from companion.rules.legality import misnamed
from companion.rules.moves import Violation
from companion.rules.moves import ViolationCode as Code
from companion.rules.scoring import lowest_hands, plausible, score_for
from companion.rules.state import EndReason, Game, Phase, Round
from companion.rules.tiles import Tile
from companion.rules.words import one_line

__all__ = ["ZERO_FOR_LOWEST", "correct_score", "count_hand", "count_known_hands", "end_game", "odd_score"]


def count_hand(
    game: Game,
    seat: int,
    points: int | None = None,
    tiles: Sequence[Tile] | None = None,
    number: int | None = None,
    why: str | None = None,
) -> tuple[ev.Event, ...]:
    """The score of a seat in a round (None: the latest): a total, or the tiles that are left, or both.

    Odd numbers, and tiles that do not fit what the log knows, are violations until `why` says that they
    are right. The last count of a round may bring more: a zero for the lowest hand (R-SCORE-3), the end
    of the game. Raises IllegalMoveError.
    """
    why = one_line(why or "") or None
    current = _round(game, number)
    if current is None:
        refuse(Violation.of(Code.NO_SUCH_ROUND, number=number))
    violations = list(_counting(current, seat))
    if not violations:
        if tiles is not None:
            violations += _left_over(game, current, seat, tiles)
        expected = _expected(game, current, seat, tiles)
        if points is None:
            points = expected
        elif expected is not None and points != expected:
            violations.append(Violation.of(Code.SCORE_DIFFERS, seat=seat, points=points, expected=expected))
        if points is None:
            violations.append(Violation.of(Code.NOT_COUNTED, seat=seat))
        elif expected is None:
            violations += odd_score(game, current, seat, points)
    overrule(violations, why)
    assert points is not None
    counted = ev.HandCounted(current.number, seat, points, None if tiles is None else tuple(sorted(tiles)), why)
    return (counted, *_consequences(apply(game, counted), current.number))


def count_known_hands(game: Game) -> tuple[ev.Event, ...]:
    """Count every hand of the latest round that is fully known and not counted yet."""
    current = game.round
    happened: list[ev.Event] = []
    for seat in current.missing if current else ():
        hand = game.rounds[-1].table.hands[seat]
        if not hand.unknown:
            more = count_hand(game, seat, tiles=sorted(hand.known))
            happened += more
            for event in more:
                game = apply(game, event)
    return tuple(happened)


def correct_score(game: Game, number: int, seat: int, points: int, why: str) -> tuple[ev.Event, ...]:
    """An agreed score was wrong; the reason is kept with it (R-SCORE-6). Raises IllegalMoveError."""
    why = one_line(why)
    current = _round(game, number)
    violations = []
    if current is None:
        violations.append(Violation.of(Code.NO_SUCH_ROUND, number=number))
    elif current.score(seat) is None:
        violations.append(Violation.of(Code.NOT_COUNTED, seat=seat))
    if not why:
        violations.append(Violation.of(Code.REASON_NEEDED))
    overrule(violations, None)
    return (ev.ScoreCorrected(number, seat, points, why),)


def end_game(game: Game) -> tuple[ev.Event, ...]:
    """The game is over, after its last round or because the table says so. Raises IllegalMoveError."""
    if not game.players or game.ended:
        refuse(Violation.of(Code.NOT_NOW))
    return (ev.GameEnded(),)


def odd_score(game: Game, current: Round, seat: int, points: int) -> list[Violation]:
    """Is a total outside of what a hand can cost?"""
    least, most = plausible(game, current, seat)
    if least <= points <= most:
        return []
    return [Violation.of(Code.SCORE_ODD, seat=seat, points=points, least=least, most=most)]


def _round(game: Game, number: int | None) -> Round | None:
    if number is None:
        return game.round
    return next((current for current in game.rounds if current.number == number), None)


def _counting(current: Round, seat: int) -> list[Violation]:
    """May this seat be counted now?"""
    if seat not in current.table.participants:
        return [Violation.of(Code.NOT_AT_TABLE, seat=seat)]
    score = current.score(seat)
    if score is not None:
        return [Violation.of(Code.ALREADY_COUNTED, seat=seat, points=score.points, number=current.number)]
    if current.ended is None and current.table.phase is not Phase.DEALING and seat in current.table.seats:
        return [Violation.of(Code.ROUND_UNFINISHED, number=current.number)]
    return []


def _left_over(game: Game, current: Round, seat: int, tiles: Sequence[Tile]) -> list[Violation]:
    """Can these tiles be what the seat has left?"""
    table = current.table
    elsewhere = {
        tile
        for other, score in enumerate(current.scores)
        if score and score.tiles and other != seat
        for tile in score.tiles
    }
    violations = misnamed(game.rules, game.missing_tiles, table.on_table, tiles)
    violations += [Violation.of(Code.TILE_TWICE, tile=tile) for tile in sorted(elsewhere & set(tiles))]
    hand = table.hands[seat]
    dealt = table.phase is not Phase.DEALING and any(other.count for other in table.hands)
    out = current.ended is EndReason.OUT and current.went_out == seat
    if (dealt or out) and len(tiles) != hand.count:
        violations.append(Violation.of(Code.HAND_SIZE, seat=seat, count=len(tiles), expected=hand.count))
    elif dealt and not hand.known <= set(tiles):
        missing = min(hand.known - set(tiles))
        violations.append(Violation.of(Code.IN_OTHER_HAND, seat=seat, tile=missing))
    return violations


def _expected(game: Game, current: Round, seat: int, tiles: Sequence[Tile] | None) -> int | None:
    """What the seat must score, where that follows from the tiles or from the log."""
    if tiles is not None:
        return score_for(game, current, seat, tiles)
    hand = current.table.hands[seat]
    if current.ended is EndReason.OUT and current.went_out == seat:
        return game.rules.going_out_bonus
    if current.ended is not None and hand.count and not hand.unknown:
        return score_for(game, current, seat, hand.known)
    return None


def _consequences(game: Game, number: int) -> list[ev.Event]:
    """What the last count of a round brings with it."""
    current = _round(game, number)
    assert current is not None
    if current.missing:
        return []
    happened: list[ev.Event] = []
    if current.ended is EndReason.BLOCKED and game.rules.blocked_lowest_scores_zero:
        for seat in lowest_hands(game, current):
            score = current.score(seat)
            if score and score.points:
                happened.append(ev.ScoreCorrected(number, seat, 0, ZERO_FOR_LOWEST))
    complete = len(game.rounds) >= game.planned_rounds and not any(each.missing for each in game.rounds)
    if complete and not game.ended:
        happened.append(ev.GameEnded())
    return happened
