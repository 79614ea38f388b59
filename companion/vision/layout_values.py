"""The numbers of a whole chain: what was read, weighed with the neighbours and with what lay there before."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.rules.tiles import Tile
from companion.vision.layout_numbers import ILLEGAL
from companion.vision.readings import Doubt, KnownChain

Floats = NDArray[np.float64]
Pair = tuple[int, int]

_CHANGED, _LAST_CHANGED = 0.001, 0.02
"""How likely a tile that lay in a chain is another one now; the last one may have been taken back."""

_SURE, _OVERRULED = 0.97, 3.0
"""Where a half was read so surely, a tile laid against the rules is likelier than its chances say (nats)."""

_TWICE = 10.0
"""How much (nats) it counts against a tile that it surely lies elsewhere."""


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """One tile of a chain, before its numbers are settled."""

    inner: Floats
    """(numbers,) probabilities of the half that points to the engine."""
    outer: Floats
    across: bool
    """It lies across, so it is a double."""
    read: Pair | None
    """Inner and outer as read; None: it could not be read."""
    known: Pair | None = None
    """What lay here before."""
    known_last: bool = False
    """It was the last tile of its chain."""


@dataclass(frozen=True, slots=True)
class Settled:
    """The numbers of one tile."""

    inner: int
    outer: int
    doubts: frozenset[Doubt]


def settle(places: Sequence[Place], start: int | None, held: Collection[Tile]) -> list[Settled]:
    """The most likely numbers of a chain, at least one place.

    `start` is what the first tile must show, None where that is not known. `held` are tiles that surely lie elsewhere
    in the photo. Where touching numbers still differ, the outer tile has a doubt; so has every tile that was changed.
    """
    count = len(places[0].inner)
    alike, differ = float(np.log(1 - ILLEGAL)), float(np.log(ILLEGAL / (count - 1)))
    options = [_options(places, k, start) for k in range(len(places))]
    best = [[_weight(places[0], pair, held) for pair in options[0]]]
    if start is not None:
        best[0] = [w + (alike if pair[0] == start else differ) for w, pair in zip(best[0], options[0], strict=True)]
    came: list[list[int]] = [[]]
    for k in range(1, len(places)):
        weights, origins = [], []
        for pair in options[k]:
            ways = [
                w + (alike if last[1] == pair[0] else differ) for w, last in zip(best[-1], options[k - 1], strict=True)
            ]
            origin = int(np.argmax(ways))
            origins.append(origin)
            weights.append(ways[origin] + _weight(places[k], pair, held))
        best.append(weights)
        came.append(origins)
    at = int(np.argmax(best[-1]))
    chosen: list[Pair] = []
    for k in range(len(places) - 1, -1, -1):
        chosen.append(options[k][at])
        at = came[k][at] if k else 0
    chosen.reverse()
    return [
        _settled(place, pair, wanted)
        for place, pair, wanted in zip(places, chosen, _wanted(chosen, start), strict=True)
    ]


def _wanted(chosen: Sequence[Pair], start: int | None) -> list[int | None]:
    return [start, *(outer for _, outer in chosen[:-1])]


def _settled(place: Place, pair: Pair, wanted: int | None) -> Settled:
    doubts = set()
    if place.read is None:
        doubts.add(Doubt.UNREADABLE)
    if pair != place.read:
        doubts.add(Doubt.CORRECTED)
    if wanted is not None and pair[0] != wanted:
        doubts.add(Doubt.NUMBERS_DIFFER)
    return Settled(*pair, frozenset(doubts))


def _options(places: Sequence[Place], k: int, start: int | None) -> list[Pair]:
    """Pairs worth weighing: what was read, what was second, what the neighbours show, what lay there before."""
    place = places[k]
    inner, outer = _likeliest(place.inner), _likeliest(place.outer)
    before = [start] if k == 0 and start is not None else _likeliest(places[k - 1].outer) if k else []
    after = _likeliest(places[k + 1].inner) if k + 1 < len(places) else []
    if place.known is not None:
        inner, outer = [*inner, place.known[0]], [*outer, place.known[1]]
    inner, outer = [*inner, *before], [*outer, *after]
    if place.across:
        return [(n, n) for n in dict.fromkeys([*inner, *outer])]
    return list(dict.fromkeys((a, b) for a in inner for b in outer))


def _likeliest(chances: Floats) -> list[int]:
    return [int(n) for n in np.argsort(-chances, kind="stable")[:2]]


def _weight(place: Place, pair: Pair, held: Collection[Tile]) -> float:
    weight = float(np.log(place.inner[pair[0]]) + np.log(place.outer[pair[1]]))
    if place.read is not None and pair != place.read:
        if Tile(*pair) in held:
            weight -= _TWICE
        for chances, pips, read in zip((place.inner, place.outer), pair, place.read, strict=True):
            weight -= _OVERRULED if pips != read and chances[read] >= _SURE else 0.0
    if place.known is not None and set(pair) != set(place.known):
        weight += float(np.log(_LAST_CHANGED if place.known_last else _CHANGED))
    return weight


def best_known(
    values: Sequence[Pair | None], known: Sequence[KnownChain], attached: bool
) -> tuple[KnownChain, int] | None:
    """Which chain that lay there before this is, and at which of its tiles it begins.

    Only where more than half of the tiles that lie in both agree; an `attached` chain begins where it began.
    """
    found: tuple[int, KnownChain, int] | None = None
    for chain in known:
        for offset in range(1 if attached else len(chain.values)):
            pairs = list(zip(values, chain.values[offset:], strict=False))
            agree = sum(pair == (was[0], was[1]) for pair, was in pairs)
            if 2 * agree > len(pairs) and (found is None or agree > found[0]):
                found = agree, chain, offset
    return None if found is None else found[1:]
