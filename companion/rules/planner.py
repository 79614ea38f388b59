"""The best train from a known hand: which tiles, in which order, leave the fewest pips.

A train is a walk over numbers that uses every tile once, so the search is for the heaviest trail. What
can follow depends only on the tiles that are left and the number at the tail, and each such position is
solved once; 15 tiles have at most 2**15 of them.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from companion.rules.state import PlacedTile
from companion.rules.tiles import Tile
from companion.rules.turn import TrainKey

POSITIONS = 200_000
"""Positions after which the search stops and says so; enough for every hand of 15 tiles."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A train to lay, tail outwards."""

    train: TrainKey
    """Owner of the train it continues; None: the Mexican Train."""
    tiles: tuple[PlacedTile, ...]
    left: tuple[Tile, ...]
    """Tiles that stay in the hand, lowest first."""
    points_left: int
    """What they cost."""
    exact: bool
    """No train leaves less. False: the search stopped early, a better one may exist."""

    @property
    def ends_on_double(self) -> bool:
        """The last tile is a double, which will ask to be covered."""
        return bool(self.tiles) and self.tiles[-1].tile.is_double


def pips(tile: Tile) -> int:
    """What a tile costs when only pips count."""
    return tile.pips


def plan(
    hand: Iterable[Tile],
    tails: Mapping[TrainKey, int],
    cost: Callable[[Tile], int] = pips,
    positions: int = POSITIONS,
) -> Plan | None:
    """The train that leaves the least, over all tails (train -> number); None without a tail.

    Of equal trains the one that leaves fewer tiles wins, then the first tail. `cost` must not be
    negative. Exact for 15 tiles; after `positions` positions the rest is laid heaviest first.
    """
    search = _Search(tuple(sorted(set(hand))), cost, positions)
    best: Plan | None = None
    for train, number in tails.items():
        found = search.plan(train, number)
        if best is None or (found.points_left, len(found.left)) < (best.points_left, len(best.left)):
            best = found
    if best is None or not search.exhausted:
        return best
    return Plan(best.train, best.tiles, best.left, best.points_left, exact=False)


class _Search:
    """Solves positions (tiles left as a bit mask, number at the tail), each of them once."""

    def __init__(self, tiles: tuple[Tile, ...], cost: Callable[[Tile], int], positions: int) -> None:
        self.tiles = tiles
        self.costs = [cost(tile) for tile in tiles]
        self.by_number: dict[int, list[int]] = {}
        for index, tile in enumerate(tiles):
            for number in {tile.low, tile.high}:
                self.by_number.setdefault(number, []).append(index)
        for indices in self.by_number.values():
            indices.sort(key=self._rank)
        self.solved: dict[tuple[int, int], tuple[int, int, int]] = {}
        self.positions = positions

    def _rank(self, index: int) -> tuple[bool, int, int]:
        """Doubles first: laid on arrival they are never worse, the tail stays. Then the dearest."""
        return not self.tiles[index].is_double, -self.costs[index], index

    @property
    def exhausted(self) -> bool:
        return len(self.solved) >= self.positions

    def plan(self, train: TrainKey, number: int) -> Plan:
        left = (1 << len(self.tiles)) - 1
        self.solve(left, number)
        placed = []
        while (step := self.solve(left, number)[2]) >= 0:
            tile = self.tiles[step]
            placed.append(PlacedTile(tile, number, tile.other(number)))
            left &= ~(1 << step)
            number = tile.other(number)
        rest = tuple(tile for index, tile in enumerate(self.tiles) if left >> index & 1)
        cost = sum(value for index, value in enumerate(self.costs) if left >> index & 1)
        return Plan(train, tuple(placed), rest, cost, exact=True)

    def solve(self, left: int, number: int) -> tuple[int, int, int]:
        """Cost and count of the tiles that can still be laid, and the next one (-1: none)."""
        key = (left, number)
        known = self.solved.get(key)
        if known is not None:
            return known
        best = (0, 0, -1)
        for index in self.by_number.get(number, ()):
            if not left >> index & 1:
                continue
            tile = self.tiles[index]
            cost, count, _ = self.solve(left & ~(1 << index), tile.other(number))
            cost, count = cost + self.costs[index], count + 1
            if (cost, count) > best[:2]:
                best = (cost, count, index)
            if tile.low == tile.high or self.exhausted:
                break
        self.solved[key] = best
        return best
