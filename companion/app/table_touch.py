"""Where tiles lie in a photo: their middles and length, and how near one comes to another."""

from collections.abc import Sequence
from itertools import pairwise
from math import hypot

import numpy as np
from numpy.typing import NDArray

from companion.app.table_guesses import halves
from companion.vision.readings import LaidTile, TableReading, TileBox

Point = tuple[float, float]


def centres(boxes: Sequence[TileBox]) -> list[tuple[float, float]]:
    """The middles of boxes, px."""
    if not boxes:
        return []
    return [(float(x), float(y)) for x, y in np.stack([box.corners for box in boxes]).mean(axis=1)]


def tile_length(reading: TableReading) -> float:
    """The usual length of a tile in this photo, px; 0 where there is none."""
    boxes = [tile.box for tile in reading.laid]
    if reading.engine is not None:
        boxes.append(reading.engine.box)
    if not boxes:
        return 0.0
    corners = np.stack([box.corners for box in boxes])
    sides = np.linalg.norm(corners - np.roll(corners, -1, axis=1), axis=2)
    return float(np.median(np.maximum(sides[:, 0] + sides[:, 2], sides[:, 1] + sides[:, 3]) / 2))


def turned_round(tiles: Sequence[LaidTile]) -> tuple[LaidTile, ...]:
    """The tiles of a chain from its other end."""
    return tuple(LaidTile(laid.reading, laid.outer, laid.inner) for laid in reversed(tiles))


def gap_between(last: LaidTile, following: LaidTile) -> float:
    """How far the inner half of a tile is from the outer half of the one before, px: end to end, or end to side."""
    ends, way = _half(np.roll(_from_inside(last), -2, 0), last)
    next_ends, next_way = _half(_from_inside(following), following)
    return min(*(way_off(end, next_way) for end in ends), *(way_off(end, way) for end in next_ends))


def _half(corners: NDArray[np.float32], laid: LaidTile) -> tuple[list[Point], list[Point]]:
    """Of the half with the first two corners: middles of edges that may touch, and the corners of the way round it.

    Of a double, which may lie across, all round.
    """
    round_it = _points(corners)
    ends = _points((corners + np.roll(corners, -1, axis=0)) / 2)
    if laid.reading.tile.is_double:
        return ends, [*round_it, round_it[0]]
    return ends[:1], [ends[3], round_it[0], round_it[1], ends[1]]


def _points(places: NDArray[np.float32 | np.float64]) -> list[Point]:
    return [(float(x), float(y)) for x, y in places]


def _from_inside(laid: LaidTile) -> NDArray[np.float32]:
    """(4, 2): the corners of a tile, those of its inner end first, px."""
    corners = laid.reading.box.corners
    return corners if halves(laid)[0] is laid.reading.halves[0] else np.roll(corners, -2, 0)


def way_off(at: Point, way: Sequence[Point]) -> float:
    """From a point to a way of at least one point, px."""
    x, y = at
    best = hypot(x - way[0][0], y - way[0][1])
    for (ax, ay), (bx, by) in pairwise(way):
        along, up = bx - ax, by - ay
        length = along * along + up * up
        t = min(1.0, max(0.0, ((x - ax) * along + (y - ay) * up) / length)) if length else 0.0
        best = min(best, hypot(x - ax - t * along, y - ay - t * up))
    return best
