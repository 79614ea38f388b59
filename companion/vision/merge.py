"""One hand from several photos: a tile that is seen twice counts once, and the better view of it decides.

Where the tiles lay still between the photos, those read alike in both tell how one photo maps onto the other; then a
tile is known again by its place, however it was read. Where they were moved, or too few were read alike, it is known
again by its value: a set has it once.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules.tiles import Tile
from companion.vision.pips import half_sizes_px
from companion.vision.readings import Doubt, HandReading, TileBox

Corners = NDArray[np.float64]

_FEWEST = 3
"""So many tiles, read alike in two photos, tell how one maps onto the other."""
_OFF = 0.35
"""A corner agrees with the map when it is off by less than this share of the tile's width."""
_AGREE = 0.75
"""Share of the corners that have to agree."""
_SAME_PLACE = 0.6
"""Middles nearer than this share of a tile's width are the same tile."""


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """A tile as one photo shows it, or as a person has entered it."""

    tile: Tile
    """As it was read."""
    confidence: float
    """Probability that it is right, 0..1."""
    doubts: frozenset[Doubt] = frozenset()
    """Why it may be wrong."""
    corners: Corners | None = None
    """(4, 2) as in `TileBox`, the half with fewer pips first; None: not in a photo."""


@dataclass(frozen=True, slots=True)
class Merged:
    """One tile, whatever number of photos show it."""

    sights: tuple[tuple[int, int], ...]
    """(photo, number of the sight in it) of all that show it, the best first."""
    doubts: frozenset[Doubt]
    """What is left of the doubts about it."""


@dataclass(slots=True, eq=False)
class _Group:
    """Sights of one tile."""

    members: list[tuple[int, int]]
    """(photo, number of the sight)."""
    compared: set[int]
    """Photos in which it would have been known again by its place."""


def merge(photos: Sequence[Sequence[Sight]]) -> list[Merged]:
    """Each tile once, in the order of the photos and of the sights in them.

    Of several sights of one tile the clearest is the best, and its doubts are those of the tile. Two clear ones that
    differ, and one value at two places, are doubts. What only one photo shows stays as it is, and so do tiles repeated
    within one photo.
    """
    tiles = []
    for group in _by_value(photos, _by_place(photos)):
        ranked = sorted(group.members, key=lambda place: _rank(photos[place[0]][place[1]]))
        best = photos[ranked[0][0]][ranked[0][1]]
        clear = {sight.tile for i, k in ranked if not (sight := photos[i][k]).doubts}
        tiles.append(Merged(tuple(ranked), best.doubts | ({Doubt.LOW_CONFIDENCE} if len(clear) > 1 else set())))
    return sorted(_counted_once(photos, tiles), key=lambda tile: min(tile.sights))


def _rank(sight: Sight) -> tuple[bool, float]:
    return bool(sight.doubts), -sight.confidence


def merge_hands(readings: Sequence[HandReading]) -> tuple[HandReading, ...]:
    """The same readings, each without the tiles for which another photo stands: together they are the hand."""
    sights = [
        [
            Sight(t.tile, t.confidence, t.doubts, low_first(t.box.corners, t.halves[0].pips, t.halves[1].pips))
            for t in r.tiles
        ]
        for r in readings
    ]
    merged = {tile.sights[0]: tile for tile in merge(sights)}
    maps = {(i, j): _map(sights[i], sights[j]) for i in range(len(sights)) for j in range(len(sights)) if i != j}
    hands = []
    for i, reading in enumerate(readings):
        tiles = tuple(
            replace(tile, doubts=merged[i, k].doubts) for k, tile in enumerate(reading.tiles) if (i, k) in merged
        )
        unreadable = tuple(box for box in reading.unreadable if not _read_elsewhere(box, i, readings, maps))
        face_down = tuple(box for box in reading.face_down if not _seen_before(box, i, readings, maps))
        doubts = reading.doubts - ({Doubt.UNREADABLE} if not unreadable else set())
        hands.append(replace(reading, tiles=tiles, face_down=face_down, unreadable=unreadable, doubts=doubts))
    return tuple(hands)


def together(readings: Sequence[HandReading]) -> HandReading:
    """All tiles of readings as one; corners stay those of each tile's own photo."""
    return HandReading(
        tuple(tile for reading in readings for tile in reading.tiles),
        tuple(box for reading in readings for box in reading.face_down),
        tuple(box for reading in readings for box in reading.unreadable),
        frozenset(doubt for reading in readings for doubt in reading.doubts),
        frozenset(hint for reading in readings for hint in reading.hints),
    )


def low_first(corners: NDArray[np.floating], first: int, second: int) -> Corners:
    """Corners turned so that the half with fewer pips comes first; `first` are the pips of half A."""
    c = np.asarray(corners, np.float64)
    return np.roll(c, 2, axis=0) if first > second else c


def _by_place(photos: Sequence[Sequence[Sight]]) -> list[_Group]:
    """Sights at one place, over all photos that map onto each other; single ones too."""
    group_of = {(i, k): _Group([(i, k)], set()) for i, photo in enumerate(photos) for k in range(len(photo))}
    for i, j in combinations(range(len(photos)), 2):
        there = _map(photos[i], photos[j])
        if there is None:
            continue
        for (photo, _), group in group_of.items():
            if photo in (i, j):
                group.compared |= {i, j}
        for k, m in _pairs(_mapped(there, photos[i]), [sight.corners for sight in photos[j]]):
            one, other = group_of[i, k], group_of[j, m]
            if one is not other and not {photo for photo, _ in one.members} & {photo for photo, _ in other.members}:
                one.members += other.members
                one.compared |= other.compared
                for member in other.members:
                    group_of[member] = one
    return list({id(group): group for group in group_of.values()}.values())


def _by_value(photos: Sequence[Sequence[Sight]], groups: list[_Group]) -> list[_Group]:
    """Groups with one value in photos that do not map onto each other are the same tile."""
    result: list[_Group] = []
    for group in groups:
        values = {photos[i][k].tile for i, k in group.members}
        mine = {i for i, _ in group.members}
        for other in result:
            theirs = {i for i, _ in other.members}
            if (
                not mine & theirs
                and not (mine & other.compared or theirs & group.compared)
                and values & {photos[i][k].tile for i, k in other.members}
            ):
                other.members += group.members
                other.compared |= group.compared
                break
        else:
            result.append(group)
    return result


def _counted_once(photos: Sequence[Sequence[Sight]], tiles: list[Merged]) -> list[Merged]:
    """One value in two places: once if two photos say so, with a doubt; twice, as it is, if one photo shows both."""
    same: dict[Tile, list[Merged]] = {}
    for tile in tiles:
        i, k = tile.sights[0]
        same.setdefault(photos[i][k].tile, []).append(tile)
    result: list[Merged] = []
    for alike in same.values():
        if len(alike) == 1:
            result.append(replace(alike[0], doubts=alike[0].doubts - {Doubt.DUPLICATE}))
            continue
        best, *others = sorted(alike, key=lambda tile: _rank(photos[tile.sights[0][0]][tile.sights[0][1]]))
        for other in others:
            if {i for i, _ in best.sights} & {i for i, _ in other.sights}:
                result.append(replace(other, doubts=other.doubts | {Doubt.DUPLICATE}))
            else:
                best = replace(best, sights=best.sights + other.sights)
        result.append(replace(best, doubts=best.doubts | {Doubt.DUPLICATE}))
    return result


def _map(photo: Sequence[Sight], other: Sequence[Sight]) -> Corners | None:
    """The homography (3, 3) from one photo to another by the tiles that are read alike; None where there is none."""
    here, there = _once(photo), _once(other)
    alike = sorted(here.keys() & there.keys())
    if len(alike) < _FEWEST:
        return None
    source = np.concatenate([here[tile] for tile in alike])
    target = np.concatenate([there[tile] for tile in alike])
    width = float(np.median([half_sizes_px(there[tile])[0] for tile in alike]))
    found, _ = cv2.findHomography(source, target, cv2.RANSAC, _OFF * width)
    if found is None:
        return None
    matrix = np.asarray(found, np.float64)
    off = np.linalg.norm(_project(matrix, source) - target, axis=1)
    return matrix if (off < _OFF * width).mean() >= _AGREE else None


def _once(photo: Sequence[Sight]) -> dict[Tile, Corners]:
    """Corners of the tiles that one photo shows once; not of doubles, which may lie either way round."""
    values = [sight.tile for sight in photo]
    return {
        sight.tile: sight.corners
        for sight in photo
        if sight.corners is not None and not sight.tile.is_double and values.count(sight.tile) == 1
    }


def _project(matrix: Corners, points: Corners) -> Corners:
    return np.asarray(cv2.perspectiveTransform(points.reshape(-1, 1, 2), matrix).reshape(points.shape), np.float64)


def _mapped(matrix: Corners, photo: Sequence[Sight]) -> list[Corners | None]:
    return [None if sight.corners is None else _project(matrix, sight.corners) for sight in photo]


def _pairs(here: Sequence[Corners | None], there: Sequence[Corners | None]) -> list[tuple[int, int]]:
    """Numbers of quads that lie in one place, nearest first, each used once."""
    near = sorted(
        (away, k, m)
        for k, one in enumerate(here)
        for m, other in enumerate(there)
        if one is not None and other is not None and (away := _apart(one, other)) < _SAME_PLACE
    )
    pairs: list[tuple[int, int]] = []
    for _, k, m in near:
        if all(k != a and m != b for a, b in pairs):
            pairs.append((k, m))
    return pairs


def _apart(one: Corners, other: Corners) -> float:
    """How far apart the middles of two quads are, in widths of the smaller."""
    width = min(half_sizes_px(one)[0], half_sizes_px(other)[0])
    return float(np.linalg.norm(one.mean(0) - other.mean(0))) / max(width, 1.0)


Maps = dict[tuple[int, int], Corners | None]


def _read_elsewhere(box: TileBox, i: int, readings: Sequence[HandReading], maps: Maps) -> bool:
    """Did another photo read the tile at the place of `box` in photo `i`?"""
    return any(_lies_at(box, maps[i, j], [t.box for t in r.tiles]) for j, r in enumerate(readings) if j != i)


def _seen_before(box: TileBox, i: int, readings: Sequence[HandReading], maps: Maps) -> bool:
    """Is what lies face down in photo `i` known from another photo, as a back before or as a tile that was read?"""
    backs = any(_lies_at(box, maps[i, j], list(readings[j].face_down)) for j in range(i))
    return backs or _read_elsewhere(box, i, readings, maps)


def _lies_at(box: TileBox, matrix: Corners | None, boxes: list[TileBox]) -> bool:
    if matrix is None:
        return False
    quad = _project(matrix, np.asarray(box.corners, np.float64))
    return any(_apart(quad, np.asarray(other.corners, np.float64)) < _SAME_PLACE for other in boxes)
