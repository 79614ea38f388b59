"""What lies on the table: a hand may stand at its rim, and of its tiles now this one is found, now that one.

Backs among them would be draws from the boneyard, faces would be tiles that lie twice.
"""

import numpy as np
from numpy.typing import NDArray

from companion.vision.layout_plane import Plane, find_plane
from companion.vision.pips import half_sizes_px

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

_ASPECTS = (1.5, 2.7)
"""Length of a tile that lies in widths, seen from anywhere; one that stands is seen narrower, mostly."""

_LEAST_AREA = 0.6
"""A tile smaller than this share of the usual area of those does not help to find the plane of the table."""

_USUAL = 80
"""Where none has such an aspect, the percentile of the areas that is taken for the usual one."""

_FITS = 0.1
"""By so much, as a share, a side of a tile that lies, or its angle, is usually off at most,"""

_FITS_BESIDE = 0.25
"""and by so much among others that lie. A face is dropped only if it has not even the aspect of a tile that lies, and
where all round it fit as badly."""

_SIDE_BY_SIDE = 2.6
"""Tiles whose middles are not farther apart, in tile widths, belong to one hand, or one train."""


def lying(faces: NDArray[np.floating], backs: NDArray[np.floating]) -> tuple[Mask, Mask]:
    """Which of these tiles (n, 4, 2) px have the size and the form of a tile in the plane of the table.

    What stands is seen askew, as narrow as the tile is thick, and a hand stands or lies as a whole.
    """
    quads = np.concatenate([faces, backs]).astype(np.float64)
    if not len(quads):
        return np.ones(0, np.bool_), np.ones(0, np.bool_)
    halves = np.array([half_sizes_px(quad) for quad in quads])
    areas, aspects = halves.prod(1), 2 * halves[:, 1] / np.maximum(halves[:, 0], 1e-6)
    likely: Mask = (aspects >= _ASPECTS[0]) & (aspects <= _ASPECTS[1])
    usual = float(np.median(areas[likely])) if likely.any() else float(np.percentile(areas, _USUAL))
    keep: Mask = areas >= _LEAST_AREA * usual
    plain = keep & likely & (np.arange(len(quads)) < len(faces))
    fits = around = np.zeros(len(quads))
    for _ in range(3):
        fits, around = _misfits(find_plane(quads[keep]), quads)
        keep = (around <= _FITS) & (fits <= _FITS_BESIDE) | plain
        if not keep.any():
            break
    stands = (around > _FITS_BESIDE) & (fits > _FITS_BESIDE) & ~plain
    return ~stands[: len(faces)], keep[len(faces) :]


def _misfits(plane: Plane, quads: Floats) -> tuple[Floats, Floats]:
    """(n,) how badly each tile fits, and how badly is usual among its neighbours and the neighbours of those."""
    middles = plane.at(quads).mean(1)
    near = np.linalg.norm(middles[:, None] - middles, axis=2) <= _SIDE_BY_SIDE
    group = np.arange(len(quads))
    while True:
        least = np.where(near, group, len(quads)).min(1)
        if (least == group).all():
            break
        group = least
    misfits = plane.misfits(quads)
    return misfits, np.array([np.median(misfits[group == of]) for of in group])
