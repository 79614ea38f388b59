"""A set has every tile once: the joint reading of all tiles in a photo."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.rules.tiles import Tile, TileSet
from companion.vision.readings import Doubt, TileBox

_SURE = 0.985
"""Two tiles read alike with at least this probability each stay as they are: then there are two."""

_WORST_CHANGE = 0.02
"""A reading is changed only to one that the network held for at least this likely."""


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

    def chance(self, value: tuple[int, int]) -> float:
        """Probability of this pair of halves."""
        return float(self.chances[0][value[0]] * self.chances[1][value[1]])


Settled = tuple[tuple[int, int], set[Doubt]]


def settle(candidates: list[Candidate], tile_set: TileSet, taken: frozenset[Tile]) -> list[Settled]:
    """The halves' numbers of each candidate, no tile twice where that can honestly be said, and the doubts.

    Of tiles that were read alike, the less sure ones take the likeliest tile that is free, if it was likely at all;
    what was changed is a doubt. Two that are both read clearly stay, and both are a doubt. `taken` tiles are free for
    nobody else, and a tile read as one of them is a doubt.
    """
    values = [candidate.likeliest for candidate in candidates]
    doubts: list[set[Doubt]] = [set() for _ in candidates]
    order = sorted(range(len(candidates)), key=lambda k: -candidates[k].chance(values[k]))
    held: dict[Tile, int] = {}
    for k in order:
        tile = Tile(*values[k])
        if tile not in held and tile not in taken:
            held[tile] = k
            continue
        if candidates[k].chance(values[k]) < _SURE:
            other = _next_best(candidates[k], set(held) | taken, tile_set)
            if other is not None:
                values[k] = other
                doubts[k].add(Doubt.CORRECTED)
                held[Tile(*other)] = k
                continue
        if tile in held:
            doubts[k].add(Doubt.DUPLICATE)
            doubts[held[tile]].add(Doubt.DUPLICATE)
        if tile in taken:
            doubts[k].add(Doubt.ALREADY_ON_TABLE)
    return list(zip(values, doubts, strict=True))


def _next_best(candidate: Candidate, gone: set[Tile], tile_set: TileSet) -> tuple[int, int] | None:
    joint = np.outer(candidate.chances[0], candidate.chances[1])
    for flat in np.argsort(-joint, axis=None, kind="stable"):
        a, b = divmod(int(flat), joint.shape[1])
        if joint[a, b] < _WORST_CHANGE:
            return None
        tile = Tile(a, b)
        if tile not in gone and tile in tile_set:
            return a, b
    return None
