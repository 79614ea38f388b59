"""Faces with digits instead of pips, as sets with high numbers have them."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from .scene import SetStyle

Mask = NDArray[np.uint8]

_BOLD = Path(__file__).parents[2] / "companion" / "vision" / "fonts" / "DejaVuSans-Bold.ttf"
_GLYPH = 96
"""Height of a digit before it is brought to its place, in pixels."""

FONTS: tuple[tuple[int | None, int, float, float], ...] = (
    (None, 0, 1.0, 0.0),
    (None, 0, 0.78, 0.0),
    (None, 0, 0.9, 0.2),
    (cv2.FONT_HERSHEY_SIMPLEX, 10, 1.0, 0.0),
    (cv2.FONT_HERSHEY_SIMPLEX, 6, 0.85, 0.0),
    (cv2.FONT_HERSHEY_DUPLEX, 9, 1.0, 0.0),
    (cv2.FONT_HERSHEY_COMPLEX, 8, 1.0, 0.0),
    (cv2.FONT_HERSHEY_TRIPLEX, 8, 1.0, 0.0),
    (cv2.FONT_HERSHEY_TRIPLEX, 8, 0.95, 0.22),
    (cv2.FONT_HERSHEY_PLAIN, 9, 1.2, 0.0),
)
"""Faces of digits: Hershey's number or None for the bundled font, stroke, width as a factor, slant."""


@lru_cache(maxsize=512)
def glyph(number: int, font: int, mark: str) -> Mask:
    """The number as a white mask on black, cropped: (h, w) uint8. 6 and 9 bear the mark of the set."""
    text = str(number)
    hershey, stroke, widen, slant = FONTS[font % len(FONTS)]
    canvas: Mask
    if hershey is None:
        picture = Image.new("L", (3 * _GLYPH, 2 * _GLYPH))
        ImageDraw.Draw(picture).text((20, 20), text, fill=255, font=ImageFont.truetype(str(_BOLD), _GLYPH))
        canvas = np.array(picture)
    else:
        canvas = np.zeros((2 * _GLYPH, 3 * _GLYPH), np.uint8)
        (_, h), _ = cv2.getTextSize(text, hershey, 1.0, 1)
        scale = 0.75 * _GLYPH / h
        cv2.putText(canvas, text, (30, 20 + _GLYPH), hershey, scale, 255, stroke, cv2.LINE_AA)
    ys, xs = np.nonzero(canvas > 40)
    canvas = np.ascontiguousarray(canvas[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1])
    if text in ("6", "9") and mark:
        canvas = _marked(canvas, mark)
    h, w = canvas.shape
    lean = abs(slant) * h
    matrix = np.array([[widen, -slant, lean], [0, 1, 0]])
    return np.asarray(cv2.warpAffine(canvas, matrix, (int(w * widen + lean) + 1, h)), np.uint8)


def _marked(canvas: Mask, mark: str) -> Mask:
    h, w = canvas.shape
    if mark == "line":
        below = np.zeros((round(h * 0.24), w), np.uint8)
        below[round(h * 0.11) :] = 255
        return np.concatenate([canvas, below])
    beside = np.zeros((h, round(w * 0.42)), np.uint8)
    r = max(3, round(w * 0.14))
    cv2.circle(beside, (beside.shape[1] - r - 1, h - r - 1), r, 255, -1, cv2.LINE_AA)
    return np.concatenate([canvas, beside], 1)


def _turns(style: SetStyle, flip: bool) -> int:
    """Quarter turns clockwise that bring the upright digit into its place on half a (or b, where `flip`)."""
    half_a = {"outer": 0, "inner": 2, "side": 1, "sides": 1}[style.numeral_up]
    return (half_a + 2 * flip * (style.numeral_up != "sides")) % 4


def draw_numeral(face: NDArray[np.uint8], style: SetStyle, number: int, flip: bool, light: NDArray[np.float64]) -> None:
    """Write a number onto half a (or b, where `flip`) of a face (h, w, 3) uint8 RGB, in place."""
    if number == 0 and not style.zero:
        return
    width = face.shape[1]
    turns = _turns(style, flip)
    mask = np.rot90(glyph(number, style.font, style.mark), -turns)
    room = np.array([0.5 * style.length, 1.0]) * width * min(0.9, style.spread * 0.78)
    tall = width * 0.46 * style.spread * (1.0 if number < 10 else 0.92)  # digits of one set are equally high
    scale = min(tall / _GLYPH * 1.25, *(room / mask.shape))
    size = (max(2, round(mask.shape[1] * scale)), max(3, round(mask.shape[0] * scale)))
    mask = cv2.resize(np.ascontiguousarray(mask), size, interpolation=cv2.INTER_AREA)
    h, w = mask.shape
    y = round(width * style.length * (0.75 if flip else 0.25)) - h // 2
    x = width // 2 - w // 2
    ink, body = np.array(style.pips[number], float), np.array(style.body, float)
    if style.pip_kind in ("engraved", "domed", "socket"):
        sign = 1 if style.pip_kind == "domed" else -1
        shift = -np.round(light * sign * max(1.0, width * 0.012)).astype(int)
        _ink(face, mask, x - int(shift[0]), y - int(shift[1]), body * 1.15 + 18)
        _ink(face, mask, x + int(shift[0]), y + int(shift[1]), ink * 0.55)
    _ink(face, mask, x, y, ink)


def _ink(face: NDArray[np.uint8], mask: Mask, x: int, y: int, rgb: NDArray[np.float64]) -> None:
    h, w = mask.shape
    x, y = int(np.clip(x, 0, face.shape[1] - w)), int(np.clip(y, 0, face.shape[0] - h))
    cover = mask[..., None].astype(np.float32) / 255
    part = face[y : y + h, x : x + w]
    part[:] = (part * (1 - cover) + np.clip(rgb, 0, 255) * cover).astype(np.uint8)
