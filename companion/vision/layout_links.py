"""Which halves may touch which: every pair of edges that lie together, with what speaks for it.

A tile has ports: 0 and 1 are its halves A and B; a double that lies across has two more, the middles of its long
edges. Each port joins one other port at most. A half can be touched at its short edge, or, at a bend, at its side.
Gains are logarithms of how much likelier something is if two tiles were laid together than if they were not (nats).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from companion.vision.layout_numbers import Memory, double_chances, match_gain
from companion.vision.readings import TileReading

Floats = NDArray[np.float64]

LEFT, RIGHT = 2, 3
"""Ports of a double that lies across."""

MISFIT = 0.3
"""A tile that is so far from the common shape stands, or is none: nothing is joined to it."""

_GAP, _OVERLAP, _OFFSET, _ANGLE = 0.75, 0.4, 0.55, np.radians(55)
"""Farther apart, deeper in each other, more shifted or turned than this, two edges do not belong together."""

_TOUCH_GAIN = 6.0
"""How much it counts that two edges lie together perfectly."""

_BEND, _FOLD, _DOUBLE_END = 2.0, 4.0, 0.8
"""How much less usual it is to go on at the side of a half, back beside the last tile, or at a double's short edge."""

_LEAST_DOUBLE = 2e-3
"""A tile with a doubtful half may be a double that was misread, by this chance at least."""

_SURE, _SURELY_NONE = 0.97, 2e-5
"""A tile whose halves were both read as surely as this, and differ, is a double by this chance only."""

_ROOT_GAIN, _ROOT_REACH, _ROOT_ANGLE = 4.0, 4.3, np.radians(40)
"""A tile that points to the engine: what it counts, how far its edge is from the middle, how much it may be turned."""

_WRONG_START = 3.5
"""How much it counts against a first tile, beside what surely is the engine, that its number is another: somebody may
have laid it so."""

_HIDDEN = 4.0
"""How much it counts against a first tile that another lies between it and the engine."""


class Touch(StrEnum):
    """How two tiles meet."""

    END = "end"
    """Edge to edge."""
    BEND = "bend"
    """An end at the side of a half."""
    FOLD = "fold"
    """Side by side, going back."""


@dataclass(frozen=True, slots=True)
class Link:
    """Two ports that may touch."""

    a: int
    """Number of a tile."""
    port_a: int
    b: int
    port_b: int
    touch: Touch
    gain: float
    numbers_gain: float
    """The part of `gain` that comes from the numbers."""


@dataclass(frozen=True, slots=True)
class Root:
    """A port that may point to the engine."""

    tile: int
    port: int
    gain: float
    numbers_gain: float


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """The tiles of a photo, prepared."""

    readings: Sequence[TileReading]
    quads: Floats
    """(n, 4, 2) on the table, tile widths."""
    misfit: Floats
    """(n,), see `Plane.misfits`."""
    chances: Floats
    """(n, 2, numbers)."""

    @property
    def middles(self) -> Floats:
        """(n, 2)."""
        return np.asarray(self.quads.mean(1))


@dataclass(frozen=True, slots=True, eq=False)
class _Edges:
    """All edges at which something may lie, as parallel arrays."""

    tile: NDArray[np.int64]
    port: NDArray[np.int64]
    is_side: NDArray[np.bool_]
    point: Floats
    away: Floats
    """Unit vectors outwards."""
    axis: Floats
    """Unit vectors from the tile's middle to the end of the half; for `Touch.FOLD`."""


def _unit(v: Floats) -> Floats:
    return np.asarray(v / np.maximum(np.linalg.norm(v, axis=-1, keepdims=True), 1e-9))


def _edges(pieces: Pieces) -> _Edges:
    c = pieces.quads
    n = np.arange(len(c))
    ends = [(c[:, 0] + c[:, 1]) / 2, (c[:, 2] + c[:, 3]) / 2]
    flanks = [(c[:, 3] + c[:, 0]) / 2, (c[:, 1] + c[:, 2]) / 2]
    along, across = _unit(ends[1] - ends[0]), _unit(flanks[1] - flanks[0])
    rows = []
    for port, end, outward in ((0, ends[0], -along), (1, ends[1], along)):
        rows.append((port, False, end, outward, outward))
        for flank, sideways in ((flanks[0], -across), (flanks[1], across)):
            rows.append((port, True, (flank + end) / 2 + (flank - c.mean(1)) / 2, sideways, outward))
    rows += [(LEFT, False, flanks[0], -across, along), (RIGHT, False, flanks[1], across, along)]
    whole = np.ones(len(c))
    return _Edges(
        np.concatenate([n for _ in rows]),
        np.concatenate([whole * port for port, *_ in rows]).astype(np.int64),
        np.concatenate([whole * is_side for _, is_side, *_ in rows]).astype(bool),
        np.concatenate([point for _, _, point, _, _ in rows]),
        np.concatenate([away for _, _, _, away, _ in rows]),
        np.concatenate([axis for *_, axis in rows]),
    )


def _touch_prices(edges: _Edges, i: NDArray[np.int64], j: NDArray[np.int64]) -> Floats:
    """What speaks against it (nats) that edges `i` and `j` lie together, infinite where they do not."""
    gap_vector = edges.point[j] - edges.point[i]
    heading = _unit(edges.away[i] - edges.away[j])
    gap = (gap_vector * heading).sum(-1)
    offset = np.abs(gap_vector[..., 0] * heading[..., 1] - gap_vector[..., 1] * heading[..., 0])
    angle = np.arccos(np.clip(-(edges.away[i] * edges.away[j]).sum(-1), -1, 1))
    gap = gap - 0.5 * np.sin(angle)  # turned edges touch at a corner, their middles are apart
    price = _straying(gap, offset, angle)
    apart = (gap > _GAP) | (gap < -_OVERLAP) | (offset > _OFFSET) | (angle > _ANGLE)
    return np.where(apart, np.inf, price)


def _straying(gap: Floats, offset: Floats, angle: Floats) -> Floats:
    """Most tiles are laid well; those that are not are turned by any angle, hence the logarithm."""
    loose = np.where(gap > 0, np.maximum(gap - 0.08, 0) / 0.16, gap / 0.12)
    turned = 2 * np.log1p((angle / np.radians(9)) ** 2 / 4)
    return np.asarray((loose**2 + (offset / 0.14) ** 2) / 2 + turned)


def links(pieces: Pieces, memory: Memory | None) -> list[Link]:
    """All pairs of ports that may touch, the best way for each."""
    edges = _edges(pieces)
    fits = pieces.misfit[edges.tile] < MISFIT
    i, j = np.nonzero(
        (edges.tile[:, None] < edges.tile[None])
        & (np.abs(edges.point[:, None] - edges.point[None]).max(2) < _GAP + _OFFSET)
        & fits[:, None]
        & fits[None]
    )
    prices = _touch_prices(edges, i, j)
    prices[edges.is_side[i] & edges.is_side[j] & ((edges.axis[i] * edges.axis[j]).sum(1) < 0)] = np.inf
    found: dict[tuple[int, int, int, int], Link] = {}
    for k in np.flatnonzero(np.isfinite(prices)):
        link = _link(pieces, edges, int(i[k]), int(j[k]), float(prices[k]), memory)
        key = (link.a, link.port_a, link.b, link.port_b)
        if key not in found or link.gain > found[key].gain:
            found[key] = link
    return list(found.values())


def _link(pieces: Pieces, edges: _Edges, i: int, j: int, price: float, memory: Memory | None) -> Link:
    sides = int(edges.is_side[i]) + int(edges.is_side[j])
    touch = (Touch.END, Touch.BEND, Touch.FOLD)[sides]
    price += (0.0, _BEND, _FOLD)[sides]
    a, port_a, b, port_b = (int(v) for v in (edges.tile[i], edges.port[i], edges.tile[j], edges.port[j]))
    numbers = []
    for tile, port in ((a, port_a), (b, port_b)):
        chance, number = double_chances(pieces.chances[tile])
        if port in (LEFT, RIGHT):
            halves = pieces.readings[tile].halves
            if halves[0].pips != halves[1].pips and min(half.confidence for half in halves) >= _SURE:
                chance = _SURELY_NONE
            else:
                chance = max(chance, _LEAST_DOUBLE)
            price -= 0.5 * np.log(chance)  # half of it at either edge
            numbers.append(number)
        else:
            price += _DOUBLE_END if pieces.readings[tile].tile.is_double else 0.0
            numbers.append(pieces.chances[tile, port])
    gain = match_gain(numbers[0], numbers[1])
    if memory is not None:
        gain += memory.gain(pieces.readings[a], port_a % 2, pieces.readings[b], port_b % 2)
    return Link(a, port_a, b, port_b, touch, _TOUCH_GAIN - float(price) + gain, gain)


def roots(pieces: Pieces, centre: Floats, number: int | None, engine: int | None, sure: bool = False) -> list[Root]:
    """All ends that may be the inner end of a first tile.

    `centre` (2,) is the middle of the engine or the station, `number` what it shows, `engine` which tile it is; `sure`:
    it was read as the engine that is known.
    """
    edges = _edges(pieces)
    found = []
    for k in np.flatnonzero(~edges.is_side):
        tile, port = int(edges.tile[k]), int(edges.port[k])
        if tile == engine or pieces.misfit[tile] >= MISFIT:
            continue
        if port >= LEFT and not (sure and pieces.readings[tile].tile.is_double):
            continue  # a double that lies across begins no train by the rules: the engine is the one that would fit
        to_centre = centre - edges.point[k]
        distance = float(np.linalg.norm(to_centre))
        angle = float(np.arccos(np.clip(to_centre @ edges.away[k] / max(distance, 1e-9), -1, 1)))
        offset = abs(float(to_centre[0] * edges.away[k][1] - to_centre[1] * edges.away[k][0]))
        if distance > _ROOT_REACH or angle > np.pi / 2 or (angle > _ROOT_ANGLE and offset > 1.1):
            continue  # what looks away from the middle is the far end of a tile, or one that lies beside it
        price = ((offset / 0.5) ** 2 + (max(0.0, distance - 3.2) / 0.6) ** 2) / 2
        if _is_hidden(pieces, tile, engine, edges.point[k], centre):
            price += _HIDDEN
        gain = 0.0
        if number is not None:
            shown = np.zeros(pieces.chances.shape[2])
            shown[number] = 1.0
            gain = max(match_gain(pieces.chances[tile, port % 2], shown), -_WRONG_START if sure else -np.inf)
        found.append(Root(tile, port, _ROOT_GAIN - float(price) + gain, gain))
    return found


def _is_hidden(pieces: Pieces, tile: int, engine: int | None, end: Floats, centre: Floats) -> bool:
    """Does another tile lie between this end and the middle?"""
    way = centre - end
    share = np.clip((pieces.middles - end) @ way / max(float(way @ way), 1e-9), 0, 1)
    miss = np.linalg.norm(pieces.middles - (end + share[:, None] * way), axis=1)
    between = (miss < 0.6) & (share > 0.1)
    between[[k for k in (tile, engine) if k is not None]] = False
    return bool(between.any())
