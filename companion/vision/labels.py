"""Where the labels of an annotated photo go: beside their tiles, over as few pips as can be."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_MAP_SIDE = 600
"""Longer side of the map on which places are weighed."""
_DIVIDER_COST = 0.35
"""How bad it is to cover the middle of a tile, against 1 for its pips."""


def place_labels(
    quads: Sequence[NDArray[np.float32]], sizes: Sequence[tuple[int, int]], frame: tuple[int, int]
) -> list[tuple[int, int]]:
    """The upper left corners of the labels.

    `quads` are the tiles, (4, 2) px in the order of `TileBox.corners`; those beyond `len(sizes)` get no label but
    are kept free. `sizes` and `frame` are (width, height) px. Every label that is not larger than the frame lies
    inside it.
    """
    shapes = [np.asarray(quad, dtype=np.float64) for quad in quads]
    costs, owners, scale = _maps(shapes, frame)
    choices = [_candidates(shape, size, frame) for shape, size in zip(shapes, sizes, strict=False)]
    fixed = [
        _place_cost(centres, reach, n, size, shapes[n], costs, owners, scale)
        for n, ((centres, reach), size) in enumerate(zip(choices, sizes, strict=True))
    ]
    chosen: list[Floats | None] = [None] * len(sizes)
    for _ in range(2):  # the second time round, every label knows where all the others went
        for n, size in enumerate(sizes):
            centres, cost = choices[n][0], fixed[n].copy()
            for other, centre in enumerate(chosen):
                if centre is not None and other != n:
                    cost += 30 * _overlap(centres, size, centre, sizes[other])
            chosen[n] = centres[int(np.argmin(cost))]
    return [
        (round(float(centre[0]) - width / 2), round(float(centre[1]) - height / 2))
        for centre, (width, height) in zip(chosen, sizes, strict=True)
        if centre is not None
    ]


def _maps(shapes: list[Floats], frame: tuple[int, int]) -> tuple[NDArray[np.float64], NDArray[np.int32], float]:
    """The summed cost of covering the picture, which tile lies where (1.. in order), and pixels to map."""
    scale = min(1.0, _MAP_SIDE / max(frame))
    height, width = (int(np.ceil(side * scale)) + 1 for side in (frame[1], frame[0]))
    cost = np.zeros((height, width), dtype=np.float32)
    owners = np.zeros((height, width), dtype=np.int32)
    for n, shape in enumerate(shapes, start=1):
        a, b, c, d = shape * scale
        cv2.fillPoly(cost, [np.rint([a, b, c, d]).astype(np.int32)], 1.0)
        middle = [a + 0.38 * (d - a), b + 0.38 * (c - b), b + 0.62 * (c - b), a + 0.62 * (d - a)]
        cv2.fillPoly(cost, [np.rint(middle).astype(np.int32)], _DIVIDER_COST)
        cv2.fillPoly(owners, [np.rint([a, b, c, d]).astype(np.int32)], n)
    return cv2.integral(cost, sdepth=cv2.CV_64F).astype(np.float64), owners, scale


def _candidates(shape: Floats, size: tuple[int, int], frame: tuple[int, int]) -> tuple[Floats, Floats]:
    """Possible centres (N, 2) of a label, and how far each is from the nearest it could be, in tile widths."""
    centre = shape.mean(axis=0)
    half = np.array(size) / 2
    width = max(1.0, float(np.linalg.norm(shape[1] - shape[0]) + np.linalg.norm(shape[3] - shape[2])) / 2)
    angles = np.deg2rad(np.arange(-90, 270, 15))
    directions = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    nearest = ((shape - centre) @ directions.T).max(axis=0) + np.abs(directions) @ half + 0.08 * width
    steps = np.arange(0, 3.5, 0.35)
    centres = centre + directions[None] * (nearest + steps[:, None] * width)[..., None]
    centres = np.concatenate([[centre], centres.reshape(-1, 2)])
    reach = np.concatenate([[0.0], np.repeat(steps, len(angles))])
    low, high = np.minimum(half, np.array(frame) / 2), np.maximum(np.array(frame) - half, np.array(frame) / 2)
    inside = ((centres >= low) & (centres <= high)).all(axis=1)
    if not inside.any():
        return centre.clip(low, high)[None], np.zeros(1)
    return centres[inside], reach[inside]


def _place_cost(
    centres: Floats,
    reach: Floats,
    n: int,
    size: tuple[int, int],
    shape: Floats,
    costs: Floats,
    owners: NDArray[np.int32],
    scale: float,
) -> Floats:
    """What each place costs by itself: pips covered, distance, and a line to the tile that crosses other tiles."""
    half = np.array(size) / 2
    limits = np.array([costs.shape[1] - 1, costs.shape[0] - 1])
    x0, y0 = np.rint((centres - half) * scale).clip(0, limits).astype(int).T
    x1, y1 = np.rint((centres + half) * scale).clip(0, limits).astype(int).T
    area = np.maximum(1, (x1 - x0) * (y1 - y0))
    covered = (costs[y1, x1] - costs[y0, x1] - costs[y1, x0] + costs[y0, x0]) / area
    way = np.linspace(0, 1, 12)[:, None, None]
    points = (centres[None] * (1 - way) + shape.mean(axis=0) * way) * scale
    xs, ys = np.rint(points).clip(0, np.array(owners.shape[::-1]) - 1).astype(int).transpose(2, 0, 1)
    crossed = ~np.isin(owners[ys, xs], (0, n + 1))
    return np.asarray(6 * covered + 0.5 * reach + 5 * crossed.mean(axis=0), dtype=np.float64)


def _overlap(centres: Floats, size: tuple[int, int], other: Floats, other_size: tuple[int, int]) -> Floats:
    """The part of a label (0..1) that another label would cover, for each place."""
    reach = (np.array(size) + np.array(other_size)) / 2 - np.abs(centres - other)
    shared = np.minimum(reach, np.minimum(size, other_size)).clip(0)
    return np.asarray(shared.prod(axis=1) / (size[0] * size[1]), dtype=np.float64)
