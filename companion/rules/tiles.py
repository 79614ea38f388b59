"""Tiles and sets (R-SET-1, R-SET-2)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, total_ordering

from companion.errors import TileSyntaxError

MAX_PIPS = 18
"""The highest number on any set that is sold."""

SET_SIZES = (6, 9, 12, 15, 18)
"""The highest pips of the sets that are sold."""

_TILE = re.compile(r"\s*(\d{1,2})\s*[-/:|]\s*(\d{1,2})\s*", re.ASCII)


@total_ordering
@dataclass(frozen=True, slots=True)
class Tile:
    """A tile, low half first; `Tile(12, 3)` is `Tile(3, 12)`."""

    low: int
    """Pips of the lower half, 0..18."""
    high: int
    """Pips of the higher half, 0..18."""

    def __post_init__(self) -> None:
        if not (0 <= self.low <= MAX_PIPS and 0 <= self.high <= MAX_PIPS):
            raise TileSyntaxError("tile_out_of_range", text=f"{self.low}-{self.high}", max=MAX_PIPS)
        if self.low > self.high:
            low, high = self.high, self.low
            object.__setattr__(self, "low", low)
            object.__setattr__(self, "high", high)

    @classmethod
    def parse(cls, text: str) -> "Tile":
        """Read `3-12`, `12/3` or `12:3`. Raises TileSyntaxError."""
        match = _TILE.fullmatch(text)
        if match is None:
            raise TileSyntaxError("tile_syntax", text=text)
        return cls(int(match[1]), int(match[2]))

    def __str__(self) -> str:
        return f"{self.low}-{self.high}"

    def __hash__(self) -> int:
        # Tiles live in sets; this is twice as fast as hashing a tuple.
        return self.low * (MAX_PIPS + 1) + self.high

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Tile):
            return NotImplemented
        return (self.low, self.high) < (other.low, other.high)

    @property
    def is_double(self) -> bool:
        """Both halves alike."""
        return self.low == self.high

    @property
    def pips(self) -> int:
        """Pips of both halves together."""
        return self.low + self.high

    def has(self, pips: int) -> bool:
        """Does one of the halves show this number?"""
        return pips in (self.low, self.high)

    def other(self, pips: int) -> int:
        """The half across from the one that shows `pips` (for a double: the same number)."""
        if pips == self.low:
            return self.high
        if pips == self.high:
            return self.low
        raise ValueError(f"{self} has no half with {pips} pips")


@dataclass(frozen=True)
class TileSet:
    """A double-n set: every unordered pair of 0..n once (R-SET-1)."""

    max_pip: int
    """n, the highest number of pips on a half."""

    def __post_init__(self) -> None:
        if not 1 <= self.max_pip <= MAX_PIPS:
            raise TileSyntaxError("set_unknown", max_pip=self.max_pip)

    @cached_property
    def tiles(self) -> tuple[Tile, ...]:
        """All tiles, lowest first."""
        return tuple(Tile(low, high) for low in range(self.max_pip + 1) for high in range(low, self.max_pip + 1))

    def __len__(self) -> int:
        return (self.max_pip + 1) * (self.max_pip + 2) // 2

    def __iter__(self) -> Iterator[Tile]:
        return iter(self.tiles)

    def __contains__(self, tile: object) -> bool:
        return isinstance(tile, Tile) and tile.high <= self.max_pip

    @property
    def engines(self) -> tuple[Tile, ...]:
        """The doubles, highest first: the engines of the rounds (R-ENG-1)."""
        return tuple(Tile(n, n) for n in range(self.max_pip, -1, -1))
