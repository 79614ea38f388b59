"""What a new tile may be, where it was read as one that does not fit."""

from dataclasses import dataclass

from companion.rules.tiles import Tile
from companion.vision.readings import HalfReading, LaidTile


@dataclass(frozen=True, slots=True)
class Changed:
    """A tile that was explained as another one than was read."""

    read: Tile
    tile: Tile
    forced: bool
    """Not even the second guess of the reading fits: it is what must lie there if the play was right."""
    cost: float
    """What that costs."""


@dataclass(frozen=True, slots=True)
class Guess:
    """What a new tile may be."""

    tile: Tile
    outer: int
    cost: float = 0.0
    changed: Changed | None = None


def guesses(laid: LaidTile, tail_pips: int, following: LaidTile | None, gone: frozenset[Tile]) -> list[Guess]:
    """What a tile at this tail may be: as it was read, else with its second guesses, else what must lie there.

    A tile that lies elsewhere (`gone`) is no guess; another outer half than was read is one only where the tile as
    read cannot be, or the tile after it does not fit. Only one half is ever thought to be misread.
    """
    inner_half, outer_half = halves(laid)
    read = laid.reading.tile
    found: list[Guess] = []

    def add(inner: int, outer: int, cost: float, forced: bool = False) -> None:
        tile = Tile(inner, outer)
        if tile not in gone and all(guess.tile != tile for guess in found):
            found.append(Guess(tile, outer, cost, None if tile == read else Changed(read, tile, forced, cost)))

    add(laid.inner, laid.outer, 0.0)
    as_read = bool(found)
    if laid.inner != tail_pips:
        second = inner_half.runner_up == tail_pips
        add(tail_pips, laid.outer, _changing(inner_half, 1.0 if second else 2.5), not second)
    elif not as_read or (following is not None and following.inner != laid.outer):
        add(laid.inner, outer_half.runner_up, _changing(outer_half, 1.0))
    return found


def _changing(half: HalfReading, least: float) -> float:
    return least + 2.5 * half.confidence**2


def halves(laid: LaidTile) -> tuple[HalfReading, HalfReading]:
    """The inner and the outer half as they were read."""
    first, second = laid.reading.halves
    straight = (first.pips == laid.inner) + (second.pips == laid.outer)
    crossed = (second.pips == laid.inner) + (first.pips == laid.outer)
    return (first, second) if straight >= crossed else (second, first)
