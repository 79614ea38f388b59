"""Which direction of a photo belongs to which train.

Angles are radians in the photo's frame, x to the right and y down, so that growing means clockwise as seen, the way
turns go (R-TURN-1). Trains start towards their owners, who sit clockwise by seat; the Mexican Train starts anywhere.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import atan2, cos, pi, sin

from companion.rules.turn import TrainKey

Sides = Mapping[TrainKey, float]
"""Where trains start, as far as known."""

_EXACT = 0.35
"""So far off, in parts of the room that each player has, a train may start and still be the player's for sure."""
_UNLIKE = 8.0
"""Cost of a train that starts a whole player's room away from its owner."""
_MOST = 7.0
_MEXICAN_NEAR_A_SEAT = 4.5
"""Cost of calling the Mexican Train what starts just where a player sits."""


def turned(start: float, end: float) -> float:
    """The turn from one angle to another, -pi..pi."""
    return (end - start + pi) % (2 * pi) - pi


def mean_turn(turns: Iterable[float]) -> float | None:
    """The mean of several turns; None: there is none."""
    turns = tuple(turns)
    if not turns:
        return None
    return atan2(sum(sin(turn) for turn in turns), sum(cos(turn) for turn in turns))


def rotated(sides: Sides, turn: float) -> dict[TrainKey, float]:
    """All sides after the camera has turned."""
    return {key: turned(0.0, angle + turn) for key, angle in sides.items()}


def all_sides(sides: Sides, order: Sequence[int]) -> dict[int, float]:
    """A side for every seat: those known, and evenly spread between them clockwise; empty while none is known."""
    known = [place for place, seat in enumerate(order) if seat in sides]
    if not known:
        return {}
    found: dict[int, float] = {}
    for this, following in zip(known, [*known[1:], known[0] + len(order)], strict=True):
        start, end = sides[order[this]], sides[order[following % len(order)]]
        room = 2 * pi if following - this == len(order) else (end - start) % (2 * pi)
        for place in range(this, following):
            angle = start + room * (place - this) / (following - this)
            found[order[place % len(order)]] = turned(0.0, angle)
    return found


def start_cost(key: TrainKey, heading: float, sides: Sides, order: Sequence[int]) -> float:
    """How much speaks against a train that starts in this direction being that of `key`; 0: nothing."""
    room = 2 * pi / max(len(order), 1)
    seats = all_sides(sides, order)
    if key is None:
        if None in sides and abs(turned(sides[None], heading)) <= _EXACT * room:
            return 0.0
        nearest = min((abs(turned(angle, heading)) for angle in seats.values()), default=room)
        return 0.0 if nearest > _EXACT * room else _MEXICAN_NEAR_A_SEAT
    if key not in seats:
        return 0.0
    off = abs(turned(seats[key], heading)) / room
    return 0.0 if off <= _EXACT else min(1.0 + _UNLIKE * (off - _EXACT), _MOST)


def seat_at(heading: float, sides: Sides, order: Sequence[int]) -> int | None:
    """The seat on this side of the table; None: between two, or nothing is known."""
    room = 2 * pi / max(len(order), 1)
    seats = all_sides(sides, order)
    near = min(seats, key=lambda seat: abs(turned(seats[seat], heading)), default=None)
    return None if near is None or abs(turned(seats[near], heading)) > _EXACT * room else near
