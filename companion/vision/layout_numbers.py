"""What the numbers say about which half touches which."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from companion.vision.readings import HalfReading, KnownChain, TileReading

Floats = NDArray[np.float64]

_SUREST = 0.998
"""No half is believed more than this: one in some hundreds is misread for certain."""

_SECOND = 0.6
"""Share of the doubt about a half that belongs to its runner-up; the rest is spread over all other numbers."""

ILLEGAL = 0.004
"""How likely a tile was laid against the rules."""

_KNOWN_GAIN = 3.0
"""How much (nats) it counts that two halves touched in the last photo, or that they touched others."""


def half_chances(half: HalfReading, count: int) -> Floats:
    """(count,) probabilities of the numbers 0..count-1."""
    sure = min(max(half.confidence, 1 / count), _SUREST)
    chances = np.full(count, (1 - sure) * (1 - _SECOND) / max(1, count - 2))
    chances[half.runner_up] = (1 - sure) * _SECOND
    chances[half.pips] = sure
    return np.asarray(chances / chances.sum())


def tile_chances(reading: TileReading, count: int) -> Floats:
    """(2, count), in the order of the box."""
    return np.array([half_chances(half, count) for half in reading.halves])


def double_chances(chances: Floats) -> tuple[float, Floats]:
    """How likely a tile (2, count) is a double, and, if so, the probabilities (count,) of its number."""
    joint = chances[0] * chances[1]
    return float(joint.sum()), np.asarray(joint / joint.sum())


def match_gain(a: Floats, b: Floats) -> float:
    """How much (nats) the numbers of two halves (count,) speak for it that they were laid together."""
    alike = float(a @ b)
    by_chance = 1 / len(a)
    return float(np.log((1 - ILLEGAL) * alike / by_chance + ILLEGAL * (1 - alike) / (1 - by_chance)))


End = tuple[tuple[int, int], int]
"""A tile, low number first, and the number of one of its halves."""


class Memory:
    """Which halves touched in the last accepted state of the table."""

    def __init__(self, chains: Sequence[KnownChain], seen: Sequence[TileReading]) -> None:
        """`seen` are the tiles of the photo: a half whose neighbour is not among them may touch anything."""
        present = {(reading.tile.low, reading.tile.high) for reading in seen}
        self._touching: set[frozenset[End]] = set()
        self._engaged: set[End] = set()
        for chain in chains:
            ends = [((min(pair), max(pair)), pair) for pair in chain.values]
            for (tile, (_, outer)), (following, (inner, _)) in pairwise(ends):
                pair = ((tile, outer), (following, inner))
                self._touching.add(frozenset(pair))
                if {tile, following} <= present:
                    self._engaged |= set(pair)

    def gain(self, a: TileReading, half_a: int, b: TileReading, half_b: int) -> float:
        """How much (nats) the last state speaks for it that half `half_a` of `a` touches half `half_b` of `b`."""
        ends = [((t.tile.low, t.tile.high), t.halves[h].pips) for t, h in ((a, half_a), (b, half_b))]
        if frozenset(ends) in self._touching:
            return _KNOWN_GAIN
        engaged = sum(end in self._engaged and end[0][0] != end[0][1] for end in ends)  # a double has two such ends
        return -_KNOWN_GAIN * engaged
