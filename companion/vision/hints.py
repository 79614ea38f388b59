"""What is wrong with a photo: blurred, too far, glare, cut off, too dark, too steep.

A hint helps to take a better photo, and is said only where there is something to check anyway. A reflection may erase
pips and leave a clean face, so it is a doubt of the tile, too; blur is none, because what it hides makes the reader
unsure by itself (on 747 rendered tiles, blurred by up to 8 % of a half's width, no sure reading was wrong).
"""

from collections.abc import Iterable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.pips import CROP_PX, half_sizes_px
from companion.vision.readings import Doubt, Hint

_LUMINANCE = np.array([0.299, 0.587, 0.114])

_CONTRAST = 40.0
"""Edges are measured where light and dark differ at least this much (of 255)."""
_PIXEL_BLUR = 0.6
"""Blur of a sharp photo, in its own pixels: what a camera's sensor and a JPEG leave."""
_BLURRED = 0.025
"""Of a photo, as `blur` estimates it: in truth about 0.06 of a half's width, where dense pips begin to merge."""

_SATURATED, _VEILED, _BRIGHTER = 250.0, 60.0, 14.0
"""A reflection is nearly white, or on darker tiles brighter by the second than the body; and always brighter than the
body by the third, so that white tiles in bright light have none."""
_LIGHT_BODY = 150.0
_PATCH_PX = 17
"""On tiles that are not light, a reflection is told from light pips by its size: this high and wide at least, of the
64 px of a half."""
HIDDEN = 0.2
"""Share of a half under a reflection from which on pips may be hidden. On rendered hands with spots of light, 14 of 20
halves that were read wrongly and surely have it, and 56 of 1,309 that were read rightly; of 498 without spots none."""

_DARK = 70.0
"""Brightness of the lightest parts of the tiles, body or pips, under which a photo is dark."""
_FAR_PX = 26.0
_STEEP = 0.57
"""Foreshortening, the cosine of the tilt: 55 degrees."""


def photo_hints(
    crops: NDArray[np.uint8], corners: Sequence[NDArray[np.floating]], doubts: Iterable[Doubt]
) -> frozenset[Hint]:
    """What would make a better photo, by its tiles: `crops` (n, 2, 64, 64, 3) as they are in it, `corners` (4, 2) each.

    `doubts` are those that were raised; without any tile nothing is said.
    """
    if not len(crops):
        return frozenset()
    raised = set(doubts)
    sizes = [half_sizes_px(quad) for quad in corners]
    blurs = blur(crops, sizes)
    lightest = np.median(np.percentile((crops @ _LUMINANCE).reshape(len(crops), -1), 97, axis=1))
    said = {
        Hint.BLURRED: bool(np.isfinite(blurs).any()) and float(np.nanmedian(blurs)) > _BLURRED,
        Hint.CUT_OFF: Doubt.CUT_OFF in raised,
        Hint.GLARE: Doubt.GLARE in raised,
        Hint.STEEP: float(np.median([_foreshortening(quad) for quad in corners])) < _STEEP,
        Hint.TOO_DARK: float(lightest) < _DARK,
        Hint.TOO_FAR: Doubt.TOO_SMALL in raised or float(np.median([min(size) for size in sizes])) < _FAR_PX,
    }
    return frozenset(hint for hint, wanted in said.items() if wanted)


def _foreshortening(quad: NDArray[np.floating]) -> float:
    """How much shorter a tile looks in the direction in which it is tilted, 0..1, however it is turned."""
    c = np.asarray(quad, np.float64)
    across, along = (c[1] - c[0] + c[2] - c[3]) / 2, (c[3] - c[0] + c[2] - c[1]) / 4
    short, long = sorted(np.linalg.svd(np.stack([across, along]), compute_uv=False).tolist())
    return float(short / max(long, 1e-6))


def blur(crops: NDArray[np.uint8], sizes: Sequence[tuple[float, float]]) -> NDArray[np.float64]:
    """How blurred tiles (n, 2, 64, 64, 3) are: standard deviation in widths of a half, (n,); NaN without edges.

    `crops` show the halves as they are in the photo, `sizes` are their width and depth there in pixels. The steepest
    edge of what has contrast tells: a blurred step of height c has the slope c / (sigma sqrt(2 pi)).
    """
    result = np.full(len(crops), np.nan)
    for k, (crop, size) in enumerate(zip(crops, sizes, strict=True)):
        least = np.inf
        for half in crop:
            light = half[4:-4, 4:-4] @ _LUMINANCE
            low, high = np.percentile(light, (2, 98))
            if high - low < _CONTRAST:
                continue
            dy, dx = np.gradient(light)
            slope = float(np.percentile(np.hypot(dx, dy), 99.5))
            least = min(least, (high - low) / (slope * np.sqrt(2 * np.pi)))
        if np.isfinite(least):
            own = _PIXEL_BLUR / max(min(size), 1.0)
            result[k] = np.sqrt(max((least / CROP_PX) ** 2 - own**2, 0.0))
    return result


def glare(crops: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Share of each half, without its rim, under a reflection, (n, 2), of a photo's tiles (n, 2, 64, 64, 3)."""
    if not len(crops):
        return np.zeros((0, 2))
    faintest = crops.min(4)
    body = float(np.median(np.percentile(faintest[:, :, 6:-6, 6:-6].reshape(len(crops), -1), 75, axis=1)))
    if body >= _LIGHT_BODY:
        lit = faintest >= max(_SATURATED, body + _BRIGHTER)
    else:
        kernel = np.ones((_PATCH_PX, _PATCH_PX), np.uint8)
        patches = [[cv2.morphologyEx(half, cv2.MORPH_OPEN, kernel) for half in tile] for tile in faintest]
        lit = np.array(patches) >= min(_SATURATED, body + _VEILED)
    return np.asarray(lit[:, :, 12:-12, 12:-12].mean((2, 3)), np.float64)
