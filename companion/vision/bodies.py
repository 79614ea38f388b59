"""A blank face against a back by the colour of the plastic, where the other tiles of the photo show both colours.

Both are a plain rectangle. In most sets with coloured backs one look at their neighbours tells them apart; where faces
and backs have one colour, nothing is said.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.colours import LIGHTNESS, density
from companion.vision.evidence import BACK, FACE, Evidence

_INNER = slice(10, 54)
"""Rows and columns of a crop that show the plastic whatever the corners."""
_SURE = 0.8
"""Boxes that are a face, or a back, at least so probably show its colour."""
_FEWEST = 3
"""So many of them, of each."""
_FLOOR = 6.0
"""Light falls unevenly: tiles of one colour differ at least so much (CIE Lab)."""
_APART = 3.0
"""Faces and backs must differ by so many times as much as tiles of one kind do."""
_STRONGEST = 12.0
"""Colour multiplies or divides the odds of face against back by at most this."""
_PLAIN = 0.5
"""Where a half shows pips more probably than this, the box is no back, and its colour is not asked for."""


def by_body(kinds: NDArray[np.float64], evidence: Evidence, cut: NDArray[np.float32]) -> NDArray[np.float64]:
    """The kinds (n, 3) of a photo's boxes, as the colours of the boxes make them likely.

    `cut` (n, 2, CROP_PX, CROP_PX, 3) are the halves as bright as in the photo, from `cut_halves`.
    """
    pips = 1 - np.asarray(evidence.chances[:, :, -1] + evidence.chances[:, :, 0], np.float64).min(1, initial=1.0)
    plain = pips < _PLAIN
    faces = (kinds[:, FACE] > _SURE) & ~plain
    backs = (kinds[:, BACK] > _SURE) & plain
    if faces.sum() < _FEWEST or backs.sum() < _FEWEST or not (plain & (kinds[:, FACE] < 1)).any():
        return kinds
    colours = body_colours(cut)
    face, back = _Colour(colours[faces]), _Colour(colours[backs])
    if np.linalg.norm(face.middle - back.middle) < _APART * max(face.spread, back.spread):
        return kinds
    factor = np.clip(
        density(colours - face.middle, face.spread) / density(colours - back.middle, back.spread),
        1 / _STRONGEST,
        _STRONGEST,
    )
    told = kinds.copy()
    told[plain, FACE] *= factor[plain]
    return np.asarray(told / told.sum(1, keepdims=True))


def body_colours(cut: NDArray[np.float32]) -> NDArray[np.float64]:
    """(n, 3) CIE Lab of the plastic of n tiles, with less lightness; pips cover less than half of a half."""
    inner = cut[:, :, _INNER, _INNER].reshape(len(cut), -1, 3)
    rgb = (np.median(inner, 1) / 255).astype(np.float32)
    return np.asarray(cv2.cvtColor(rgb[None], cv2.COLOR_RGB2LAB)[0], np.float64) * (LIGHTNESS, 1.0, 1.0)


class _Colour:
    """The colour of some tiles."""

    def __init__(self, colours: NDArray[np.float64]) -> None:
        self.middle = np.median(colours, 0)
        self.spread = max(_FLOOR, float(np.median(np.linalg.norm(colours - self.middle, axis=1))))
