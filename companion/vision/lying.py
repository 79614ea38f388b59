"""Which backs lie on the table: a hand may stand at its rim, and of those tiles now this one is found, now that one,
which would be draws from the boneyard."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from companion.vision.layout_plane import Plane, find_plane
from companion.vision.pips import half_sizes_px
from companion.vision.readings import TileBox

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

_LEAST_AREA = 0.6
"""A back smaller than this share of the usual area does not help to find the plane of the table."""

_USUAL = 80
"""Without a face in view, the percentile of the backs' areas that is taken for the usual one."""

_FITS = 0.1
"""By so much, as a share, a side of a tile that lies, or its angle, is usually off at most,"""

_FITS_BESIDE = 0.25
"""and by so much among others that lie."""

_SIDE_BY_SIDE = 2.6
"""Backs whose middles are not farther apart, in tile widths, belong to one hand."""


def lying(backs: Sequence[TileBox], faces: Sequence[TileBox]) -> tuple[TileBox, ...]:
    """Those of the backs that have the size and the form of a tile in the plane of the table.

    `faces` are the tiles that lie face up. What stands is seen askew, as narrow as the tile is thick, and a hand
    stands or lies as a whole.
    """
    if not backs:
        return ()
    quads = np.array([box.corners for box in (*faces, *backs)], np.float64)
    areas = np.array([float(np.prod(half_sizes_px(quad))) for quad in quads])
    usual = float(np.median(areas[: len(faces)])) if faces else float(np.percentile(areas, _USUAL))
    keep: Mask = areas >= _LEAST_AREA * usual
    for _ in range(3):
        keep = _by_hand(find_plane(quads[keep]), quads)
        keep[: len(faces)] = True
        if not keep.any():
            break
    return tuple(box for box, lies in zip(backs, keep[len(faces) :], strict=True) if lies)


def _by_hand(plane: Plane, quads: Floats) -> Mask:
    """(n,) which of these lie, by what is usual among their neighbours and the neighbours of those."""
    middles = plane.at(quads).mean(1)
    near = np.linalg.norm(middles[:, None] - middles, axis=2) <= _SIDE_BY_SIDE
    group = np.arange(len(quads))
    while True:
        least = np.where(near, group, len(quads)).min(1)
        if (least == group).all():
            break
        group = least
    misfits = plane.misfits(quads)
    usual = np.array([np.median(misfits[group == of]) for of in group])
    return np.asarray((usual <= _FITS) & (misfits <= _FITS_BESIDE))
