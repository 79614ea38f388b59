"""Points, the score sheet and the standings (R-SCORE-1..6)."""

from collections.abc import Iterable
from dataclasses import dataclass

from companion.rules.house_rules import DeadDouble, HouseRules, TieBreak
from companion.rules.state import EndReason, Game, Round
from companion.rules.tiles import Tile
from companion.rules.turn import is_dead


def tile_points(rules: HouseRules, tile: Tile) -> int:
    """What one tile left in a hand costs (R-SCORE-1, R-SCORE-2, R-SCORE-4)."""
    if tile.high == 0:
        return rules.double_blank_points or 0  # replaces whatever 0-0 would count otherwise
    points = tile.pips + (rules.blank_half_points if tile.low == 0 else 0)
    return 2 * points if rules.doubles_count_twice and tile.is_double else points


def hand_points(rules: HouseRules, tiles: Iterable[Tile]) -> int:
    """What a hand costs."""
    return sum(tile_points(rules, tile) for tile in tiles)


def table_penalty(game: Game, current: Round, seat: int) -> int:
    """What the own train costs who did not go out: an open double at its end, the marker (R-SCORE-4).

    A dead double that is released is not open (R-DBL-5).
    """
    rules, table = game.rules, current.table
    penalty = rules.marker_penalty if table.trains[seat].marker else 0
    if rules.open_double_penalty:
        penalty += rules.open_double_penalty * sum(
            double.train == seat
            and (
                rules.dead_double is DeadDouble.BINDS or not is_dead(double.tile.high, rules, game.missing_tiles, table)
            )
            for double in table.open_doubles
        )
    return penalty


def score_for(game: Game, current: Round, seat: int, tiles: Iterable[Tile]) -> int:
    """The score of a seat that is left with these tiles, before R-SCORE-3's zero for the lowest hand.

    Whoever went out scores zero or the bonus, whatever the own train looks like (R-SCORE-1).
    """
    if current.ended is EndReason.OUT and current.went_out == seat:
        return game.rules.going_out_bonus
    return hand_points(game.rules, tiles) + table_penalty(game, current, seat)


def plausible(game: Game, current: Round, seat: int) -> tuple[int, int]:
    """The least and the most a seat can score; outside of it the table is asked for a reason."""
    rules = game.rules
    count = current.table.hands[seat].count if seat < len(current.table.hands) else 0
    tiles = [tile for tile in rules.tile_set if tile not in game.missing_tiles and tile != current.table.engine]
    dearest = sorted((tile_points(rules, tile) for tile in tiles), reverse=True)
    most = sum(dearest[:count] if count else dearest) + rules.marker_penalty + rules.open_double_penalty
    return rules.going_out_bonus, most


def lowest_hands(game: Game, current: Round) -> tuple[int, ...]:
    """Seats with the lowest hand of a round; empty while a hand is not counted (R-SCORE-3)."""
    hands: dict[int, int] = {}
    for seat in current.table.participants:
        score = current.score(seat)
        if score is None:
            if seat in current.missing:
                return ()
            continue
        # The penalties for trains are no part of the hand.
        hands[seat] = score.points if score.tiles is None else hand_points(game.rules, score.tiles)
    least = min(hands.values(), default=0)
    return tuple(seat for seat, points in hands.items() if points == least)


def round_winners(game: Game, current: Round) -> tuple[int, ...]:
    """Who went out, else the lowest hand (R-SCORE-3); empty while that is unknown."""
    if current.ended is EndReason.OUT and current.went_out is not None:
        return (current.went_out,)
    return lowest_hands(game, current)


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the score sheet."""

    number: int
    engine: Tile | None
    ended: EndReason | None
    points: tuple[int | None, ...]
    """By seat; None: not counted, or not in this round."""
    missing: tuple[int, ...]
    """Seats whose score is still to be entered."""
    winners: tuple[int, ...]


def sheet(game: Game) -> tuple[Row, ...]:
    """The score sheet: a line for every round that has started."""
    rows = []
    for current in game.rounds:
        scores = [current.score(player.seat) for player in game.players]
        points = tuple(score.points if score else None for score in scores)
        missing = current.missing if current.ended is not None or any(scores) else ()
        rows.append(
            Row(current.number, current.table.engine, current.ended, points, missing, round_winners(game, current))
        )
    return tuple(rows)


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a player stands."""

    seat: int
    rank: int | None
    """1 is best; equal ranks are shared; None: out of the ranking."""
    total: int
    """Points so far, a late joiner's opening points included."""
    missing: int
    """Rounds that are still to be entered: the total is not final."""
    zero_rounds: int
    """Rounds without a point, or below."""
    lowest_other: int
    """The lowest round above zero; 0: there is none."""


def standings(game: Game) -> tuple[Standing, ...]:
    """Everybody by rank, then by seat; those out of the ranking come last (R-SCORE-5, R-PLAYER-1)."""
    rows = [_standing(game, player.seat) for player in game.players]
    ranked = [row for row in rows if game.players[row.seat].ranked]
    placed = [
        Standing(
            row.seat,
            1 + sum(_order(game.rules, other) < _order(game.rules, row) for other in ranked),
            row.total,
            row.missing,
            row.zero_rounds,
            row.lowest_other,
        )
        for row in ranked
    ]
    placed.sort(key=lambda row: (row.rank or 0, row.seat))
    return (*placed, *(row for row in rows if not game.players[row.seat].ranked))


def winners(game: Game) -> tuple[int, ...]:
    """Seats of rank one once the game is over; several share a tie."""
    return tuple(row.seat for row in standings(game) if row.rank == 1) if game.ended else ()


def total(game: Game, seat: int) -> int:
    """Points of a seat over all rounds so far."""
    scores = (current.score(seat) for current in game.rounds)
    return game.players[seat].opening_points + sum(score.points for score in scores if score)


def _standing(game: Game, seat: int) -> Standing:
    points = [score.points for current in game.rounds if (score := current.score(seat))]
    missing = sum(seat in current.missing for current in game.rounds if current.finished)
    lowest_other = min((value for value in points if value > 0), default=0)
    return Standing(seat, None, total(game, seat), missing, sum(value <= 0 for value in points), lowest_other)


def _order(rules: HouseRules, row: Standing) -> tuple[int, ...]:
    if rules.tie_break is TieBreak.MOST_ZERO_ROUNDS:
        return row.total, -row.zero_rounds, row.lowest_other
    return (row.total,)
