"""Markers and stations on a table. A toy train of a tile's width is often taken for a tile: its size tells."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.vision.boxes import overlap
from companion.vision.detector import Found, usual_width
from companion.vision.readings import TileBox

_SURE = 0.4
"""From this score on a box of the class is believed,"""
_ON_STATION = 0.5
"""and from this one on where the station is, whose painted slots look like markers."""
_SMALL_AREA = (0.25, 1.35)
"""What is no tile for its size: area in squared widths of a tile, which has 2;"""
_SMALL_SIDE, _SMALL_ASPECT = 1.6, 2.3
"""its longer side in widths, and how many times as long as the shorter it is at most: standing tiles are narrow."""
_SMALL_SURE, _SMALL_ANY = 0.25, 0.3
"""Such a box is a marker from this score as one on, or from this one on as anything at all."""
_FAINT = 0.2
"""With less than that, but as much as this, it may be one."""
_COVERED = 0.3
"""A box of which more is covered by a tile is a part of it."""
_REACH = 6.0
"""So far from the next tile that lies face up, in widths, markers lie."""
_APART = 0.8
"""Two boxes nearer to each other, in widths, are one thing."""
_GROWN = 1.2
"""Grown by this factor, a box that lies apart still meets no tile."""
_NEAREST = 5
"""So many tiles around tell how large tiles are there."""
_TELLS_SIZE = 0.4
"""Boxes of this score as a tile tell how large tiles are."""


@dataclass(frozen=True, slots=True)
class Things:
    """What lies on a table besides tiles."""

    markers: tuple[TileBox, ...]
    """The surest first."""
    faint: tuple[TileBox, ...]
    """What may be a marker."""
    station: TileBox | None


def worth_keeping(found: Found, classes: tuple[str, ...]) -> NDArray[np.bool_]:
    """(n,) which boxes of the detector may be a marker or a station."""
    if not len(found):
        return np.zeros(0, np.bool_)
    tile = found.scores[:, classes.index("tile")]
    sure = found.corners[tile > _TELLS_SIZE]
    other = ~np.isin(found.scores.argmax(1), [classes.index(name) for name in ("tile", "back")])
    return np.asarray(other | _small(found.corners, usual_width(sure))) if len(sure) else np.asarray(other)


def find_things(
    found: Found,
    classes: tuple[str, ...],
    faces: NDArray[np.float32],
    backs: NDArray[np.float32],
    standing: NDArray[np.float32],
) -> Things:
    """Markers and station among the boxes of the detector; `faces`, `backs` and `standing` (n, 4, 2) are tiles."""
    if "marker" not in classes or "station" not in classes:
        return Things((), (), None)
    found = found.take([k for k in range(len(found)) if _is_box(found.corners[k])])
    marker, station = classes.index("marker"), classes.index("station")
    best = found.scores.argmax(1) if len(found) else np.zeros(0, np.intp)
    stations = [k for k in np.flatnonzero(best == station).tolist() if found.scores[k, station] >= _SURE]
    stations.sort(key=lambda k: -float(found.scores[k, station]))
    lying, tiles = np.concatenate([faces, backs]), np.concatenate([faces, backs, standing])
    width = usual_width(lying) if len(lying) else 0.0
    scores: dict[int, float] = {}
    for k in range(len(found)):
        score, whole = float(found.scores[k, marker]), min(1.0, float(np.delete(found.scores[k], station).sum()))
        on_station = any(_within(found.corners[k], found.corners[s]) for s in stations)
        if on_station:
            score = score if score >= _ON_STATION and best[k] == marker else 0.0
        elif _may_lie(found.corners[k], faces, lying, tiles):
            sure = score >= _SMALL_SURE or (whole >= _SMALL_ANY and not _touches(found.corners[k], tiles))
            score = max(score, _SURE) if sure else min(max(score, whole), _SURE - 0.01)
        elif best[k] != marker:
            score = 0.0
        if score >= _FAINT:
            scores[k] = score
    chosen: list[int] = []
    for k in sorted(scores, key=lambda k: -scores[k]):
        middle = found.corners[k].mean(0)
        if all(np.linalg.norm(middle - found.corners[other].mean(0)) >= _APART * width for other in chosen):
            chosen.append(k)
    boxes = [TileBox(found.corners[k], scores[k]) for k in chosen]
    return Things(
        tuple(box for box in boxes if box.score >= _SURE),
        tuple(box for box in boxes if box.score < _SURE),
        TileBox(found.corners[stations[0]], float(found.scores[stations[0], station])) if stations else None,
    )


def _small(corners: NDArray[np.float32], width: float) -> NDArray[np.bool_]:
    """(n,) which boxes (n, 4, 2) are too small for a tile of this width, and not so narrow as one that stands."""
    a = np.linalg.norm(corners[:, 1] - corners[:, 0], axis=1) / width
    b = np.linalg.norm(corners[:, 3] - corners[:, 0], axis=1) / width
    low, high = np.minimum(a, b), np.maximum(a, b)
    least, most = _SMALL_AREA
    return np.asarray((a * b > least) & (a * b < most) & (high < _SMALL_SIDE) & (high < _SMALL_ASPECT * low))


def _may_lie(
    corners: NDArray[np.float32],
    faces: NDArray[np.float32],
    lying: NDArray[np.float32],
    tiles: NDArray[np.float32],
) -> bool:
    """Whether a marker may lie there: near the trains, smaller than the tiles around, and not as a part of a tile."""
    if not len(lying):
        return False
    # of those nearest to it: far off tiles are smaller
    around = lying[np.argsort(np.linalg.norm(lying.mean(1) - corners.mean(0), axis=1))[:_NEAREST]]
    width = usual_width(around)
    if not _small(corners[None], width)[0]:
        return False
    near = np.linalg.norm(faces.mean(1) - corners.mean(0), axis=1).min(initial=np.inf) < _REACH * width
    return bool(near) and all(overlap(tile, corners).second <= _COVERED for tile in tiles)


def _touches(corners: NDArray[np.float32], tiles: NDArray[np.float32]) -> bool:
    """Whether a box all but touches a tile, as the next tile of a train does that is half under a hand."""
    middle = corners.mean(0)
    grown = np.asarray(middle + (corners - middle) * _GROWN, np.float32)
    return any(overlap(tile, grown).second > 0 for tile in tiles)


def _is_box(corners: NDArray[np.float32]) -> bool:
    return bool(np.isfinite(corners).all()) and float(np.linalg.norm(np.ptp(corners, axis=0))) > 2


def _within(corners: NDArray[np.float32], station: NDArray[np.float32]) -> bool:
    reach = 0.5 * float(np.linalg.norm(station[1] - station[0]))
    return bool(np.linalg.norm(corners.mean(0) - station.mean(0)) < reach)
