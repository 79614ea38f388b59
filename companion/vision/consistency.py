"""A set has every tile once: the joint reading of all tiles in a photo.

The halves' probabilities alone may name one tile twice. The best joint reading is an assignment: each box gets a tile,
no tile goes to two boxes, and the product of the probabilities is greatest. Now and then there really are two, because
two sets were mixed or one tile was boxed twice; so a repeated tile is allowed, at a price.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from companion.rules.tiles import Tile, TileSet
from companion.vision.readings import Doubt, TileBox

REPEAT = 0.02
"""What a repeated (or taken) tile costs: as much as changing a reading to one that is this many times as likely. So
two that are read clearly stay, and no reading is changed to one that the network hardly held possible."""

_CLOSE = 0.05
"""Where tiles clash, a value is a doubt if a joint reading without it is at least this many times as likely."""


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A tile before the whole hand is weighed."""

    box: TileBox
    chances: NDArray[np.float32]
    """(2, numbers) probability of each number of the set, for both halves."""
    outside: float
    """Probability that was given to numbers the set does not have."""

    @property
    def likeliest(self) -> tuple[int, int]:
        """The most likely number of each half."""
        return int(self.chances[0].argmax()), int(self.chances[1].argmax())

    def weighed(self, factors: NDArray[np.floating]) -> "Candidate":
        """The same with the chances (2, numbers) multiplied by factors."""
        chances = self.chances * factors
        return replace(self, chances=np.asarray(chances / chances.sum(1, keepdims=True), np.float32))

    def chance(self, value: tuple[int, int]) -> float:
        """Probability of this pair of halves."""
        return float(self.chances[0][value[0]] * self.chances[1][value[1]])

    def options(self, tile_set: TileSet) -> dict[Tile, tuple[int, int]]:
        """The tiles of the set worth a thought, each the likelier way round."""
        least = REPEAT * self.chance(self.likeliest)
        joint = np.outer(self.chances[0], self.chances[1])
        found: dict[Tile, tuple[int, int]] = {}
        for a, b in zip(*map(np.ndarray.tolist, np.nonzero(joint > least)), strict=True):
            tile = Tile(a, b)
            if tile in tile_set and (tile not in found or joint[a, b] > joint[found[tile]]):
                found[tile] = (a, b)
        return found


Settled = tuple[tuple[int, int], set[Doubt]]


def settle(candidates: list[Candidate], tile_set: TileSet, taken: frozenset[Tile]) -> list[Settled]:
    """The halves' numbers of each candidate, no tile twice where that can honestly be said, and the doubts.

    What was changed is CORRECTED. Two that are both read clearly stay, and both are a DUPLICATE; `taken` tiles are free
    for nobody, and a tile clearly read as one of them is ALREADY_ON_TABLE. Of tiles that clash, those whose value
    another joint reading would change are LOW_CONFIDENCE.
    """
    best = [candidate.likeliest for candidate in candidates]
    tiles = [Tile(*value) for value in best]
    if len(set(tiles)) == len(tiles) and not taken.intersection(tiles):
        return [(value, set()) for value in best]

    options = [candidate.options(tile_set) for candidate in candidates]
    columns = {tile: n for n, tile in enumerate(sorted({tile for each in options for tile in each} - taken))}
    rows = len(candidates)
    costs = np.full((rows, len(columns) + rows), np.inf)  # beyond the tiles: keep the likeliest, whoever else has it
    for k, candidate in enumerate(candidates):
        for tile, value in options[k].items():
            if tile in columns:
                costs[k, columns[tile]] = -np.log(candidate.chance(value))
        costs[k, len(columns) + k] = -np.log(max(REPEAT * candidate.chance(best[k]), 1e-300))
    chosen = assign(costs)

    names = list(columns)
    values = [best[k] if n >= len(names) else options[k][names[n]] for k, n in enumerate(chosen)]
    settled = [Tile(*value) for value in values]
    doubts: list[set[Doubt]] = [set() for _ in candidates]
    for k, tile in enumerate(settled):
        if values[k] != best[k]:
            doubts[k].add(Doubt.CORRECTED)
        if tile in taken:
            doubts[k].add(Doubt.ALREADY_ON_TABLE)
        if settled.count(tile) > 1:
            doubts[k].add(Doubt.DUPLICATE)
    total = costs[np.arange(rows), chosen].sum()
    for k in _clashing(options, tiles, taken):
        if not doubts[k]:
            without = costs.copy()
            without[k, chosen[k]] = np.inf
            if without[np.arange(rows), again := assign(without)].sum() < total - np.log(_CLOSE):
                doubts[k].update({Doubt.LOW_CONFIDENCE} if again[k] < len(names) else ())
    return list(zip(values, doubts, strict=True))


def _clashing(options: list[dict[Tile, tuple[int, int]]], tiles: list[Tile], taken: frozenset[Tile]) -> list[int]:
    """Candidates that may be moved by a clash: those who could be a tile that is wanted twice, or that is taken."""
    wanted = {tile for tile in tiles if tiles.count(tile) > 1 or tile in taken}
    found: set[int] = set()
    while more := {k for k, each in enumerate(options) if k not in found and wanted.intersection(each)}:
        found |= more
        wanted |= {tile for k in more for tile in options[k]}
    return sorted(found)


def assign(costs: NDArray[np.float64]) -> list[int]:
    """The column of each row so that no column is used twice and the sum is least (shortest augmenting paths).

    `costs` is (n, m), n <= m, +inf where a row cannot have a column; some assignment must be possible.
    """
    rows, columns = costs.shape
    above = np.zeros(rows)
    along = np.zeros(columns)
    row_of = np.full(columns, -1)
    for start in range(rows):
        distance = np.full(columns, np.inf)
        before = np.full(columns, -1)  # the column from whose row this one is reached; -1: from `start`
        done = np.zeros(columns, bool)
        row, at, reach = start, -1, 0.0
        while True:
            way = reach + costs[row] - above[row] - along
            closer = ~done & (way < distance)
            distance[closer] = way[closer]
            before[closer] = at
            at = int(np.where(done, np.inf, distance).argmin())
            reach = float(distance[at])
            done[at] = True
            if row_of[at] < 0:
                break
            row = int(row_of[at])
        above[start] += reach
        passed = np.flatnonzero(done & (row_of >= 0))
        above[row_of[passed]] += reach - distance[passed]
        along[passed] -= reach - distance[passed]
        while at >= 0:
            previous = int(before[at])
            row_of[at] = start if previous < 0 else row_of[previous]
            at = previous
    result = np.empty(rows, int)
    result[row_of[row_of >= 0]] = np.flatnonzero(row_of >= 0)
    return [int(column) for column in result]
