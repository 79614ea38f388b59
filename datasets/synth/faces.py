"""Faces of tiles: where the pips of each number sit, and how a face looks in flat light."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from .numerals import draw_numeral
from .scene import SetStyle

Points = tuple[tuple[float, float], ...]

_LOW, _MID, _HIGH = 0.22, 0.5, 0.78
_THIRDS = (0.2, 0.5, 0.8)
_QUARTERS = (0.16, 0.387, 0.613, 0.84)
_FIFTHS = (0.13, 0.315, 0.5, 0.685, 0.87)
_SIXTHS = (0.12, 0.272, 0.424, 0.576, 0.728, 0.88)


def _turned(points: Points) -> Points:
    return tuple((y, x) for x, y in points)


def _columns(*columns: tuple[float, ...]) -> Points:
    """Pips in columns along the tile; x of the columns are spread over the half."""
    xs = {2: (_LOW, _HIGH), 3: _THIRDS, 4: _QUARTERS, 5: _FIFTHS}[len(columns)]
    return tuple((x, y) for x, ys in zip(xs, columns, strict=True) for y in ys)


def _arrangements() -> dict[int, tuple[Points, ...]]:
    two = ((_LOW, _LOW), (_HIGH, _HIGH))
    mirrored = ((_HIGH, _LOW), (_LOW, _HIGH))
    four = (*two, *mirrored)
    middle = ((_MID, _MID),)
    six = _columns((_LOW, _MID, _HIGH), (_LOW, _MID, _HIGH))
    nine = _columns(_THIRDS, _THIRDS, _THIRDS)
    eight = tuple(p for p in nine if p != (0.5, 0.5))
    eight_rows = _columns(_QUARTERS, _QUARTERS)
    ten_outer = _columns(_QUARTERS, (_QUARTERS[0], _QUARTERS[3]), _QUARTERS)
    ten_inner = _columns(_QUARTERS, (_QUARTERS[1], _QUARTERS[2]), _QUARTERS)
    ten_between = _columns(_QUARTERS, (0.3, 0.7), _QUARTERS)
    ten_343 = _columns(_THIRDS, _QUARTERS, _THIRDS)
    eleven = _columns(_QUARTERS, (0.16, 0.5, 0.84), _QUARTERS)
    eleven_close = _columns(_QUARTERS, (0.273, 0.5, 0.727), _QUARTERS)
    twelve = _columns(_QUARTERS, _QUARTERS, _QUARTERS)
    within_fifths = tuple((p + q) / 2 for p, q in pairwise(_FIFTHS))
    within_sixths = tuple((p + q) / 2 for p, q in pairwise(_SIXTHS))
    thirteen = _columns(within_fifths, _FIFTHS, within_fifths)
    thirteen_even = _columns(_QUARTERS, _FIFTHS, _QUARTERS)
    quincunx = _columns(_FIFTHS[::2], _FIFTHS[1::2], _FIFTHS[::2], _FIFTHS[1::2], _FIFTHS[::2])
    fourteen = _columns(_FIFTHS, within_fifths, _FIFTHS)
    fourteen_even = _columns(_FIFTHS, _QUARTERS, _FIFTHS)
    fourteen_ring = _columns(_QUARTERS, _THIRDS, _THIRDS, _QUARTERS)
    fifteen = _columns(_FIFTHS, _FIFTHS, _FIFTHS)
    square = _columns(_QUARTERS, _QUARTERS, _QUARTERS, _QUARTERS)
    sixteen = _columns(within_sixths, _SIXTHS, within_sixths)
    seventeen = _columns(_SIXTHS, within_sixths, _SIXTHS)
    seventeen_even = _columns(_SIXTHS, _FIFTHS, _SIXTHS)
    eighteen = _columns(_SIXTHS, _SIXTHS, _SIXTHS)
    both = lambda *kinds: tuple(p for kind in kinds for p in (kind, _turned(kind)))  # noqa: E731
    return {
        0: ((),),
        1: (middle,),
        2: (two, mirrored, two, mirrored, ((_MID, _LOW), (_MID, _HIGH))),
        3: ((*two, *middle), (*mirrored, *middle)),
        4: (four,),
        5: ((*four, *middle),),
        6: (six, six, six, _turned(six)),
        7: ((*six, *middle), (*six, *middle), (*six, *middle), _turned((*six, *middle))),
        8: (eight, eight, eight, *both(eight_rows)),
        9: (nine,),
        10: both(ten_outer, ten_inner, ten_between, ten_outer, ten_343),
        11: both(eleven, eleven_close),
        12: both(twelve),
        13: both(thirteen, thirteen, thirteen_even, quincunx),
        14: both(fourteen, fourteen, fourteen_even, fourteen_ring),
        15: both(fifteen),
        16: both(square, square, sixteen),
        17: both(seventeen, seventeen, seventeen_even),
        18: both(eighteen),
    }


ARRANGEMENTS = _arrangements()
"""Arrangements of pips in use, by number; x across, y from the outer edge to the divider, both 0..1."""


def half_pips(number: int, pattern: int, spread: float) -> NDArray[np.float64]:
    """(n, 2) places of the pips in a half, 0..1."""
    kinds = ARRANGEMENTS[number]
    points = np.array(kinds[pattern % len(kinds)], float).reshape(-1, 2)
    return 0.5 + (points - 0.5) * spread


class Brush:
    """Draws smooth discs and bars in fractions of the tile's width."""

    _SHIFT = 4

    def __init__(self, image: NDArray[np.uint8], width_px: int) -> None:
        self.image, self.width_px = image, width_px

    def _fix(self, value: float) -> int:
        return round(value * self.width_px * (1 << self._SHIFT))

    def disc(self, x: float, y: float, radius: float, rgb: NDArray[np.float64]) -> None:
        colour = tuple(float(c) for c in np.clip(rgb, 0, 255))
        r = max(1, self._fix(radius))
        cv2.circle(self.image, (self._fix(x) - 8, self._fix(y) - 8), r, colour, -1, cv2.LINE_AA, self._SHIFT)

    def bar(self, x0: float, x1: float, y: float, thick: float, rgb: NDArray[np.float64]) -> None:
        colour = tuple(float(c) for c in np.clip(rgb, 0, 255))
        box = np.array([[x0, y - thick / 2], [x1, y - thick / 2], [x1, y + thick / 2], [x0, y + thick / 2]])
        points = np.round(box * self.width_px * (1 << self._SHIFT)).astype(np.int32) - 8
        cv2.fillPoly(self.image, [points], colour, cv2.LINE_AA, self._SHIFT)


def _blank_face(
    style: SetStyle, rgb: tuple[float, float, float], width: int, rng: np.random.Generator
) -> NDArray[np.uint8]:
    height = round(width * style.length)
    face = np.empty((height, width, 3), np.float32)
    face[:] = rgb
    if style.texture == "wood":
        grain = rng.normal(0, 1, (int(rng.integers(2, 6)), int(rng.integers(14, 40)))).astype(np.float32)
        grain = cv2.resize(grain, (width, height), interpolation=cv2.INTER_CUBIC)
        face += grain[..., None] * np.float32(rng.uniform(6, 18))
    elif style.texture == "marbled":
        waves = cv2.resize(rng.normal(0, 1, (7, 4)).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
        face += (np.abs(np.sin(waves * 3)) * rng.uniform(6, 30))[..., None].astype(np.float32)
    elif style.texture == "speckled":
        specks = rng.random((height, width), np.float32) < 0.03
        face[specks] *= np.float32(rng.uniform(0.5, 0.8))
    else:
        stain = cv2.resize(
            rng.normal(0, 2.5, (6, 3)).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC
        )
        face += stain[..., None]
    return np.clip(face, 0, 255).astype(np.uint8)


def draw_face(
    style: SetStyle, a: int, b: int, width: int, light: NDArray[np.float64], rng: np.random.Generator
) -> NDArray[np.uint8]:
    """The face of tile a-b, half a on top: (round(width * length), width, 3) uint8 RGB.

    `light` is where shadows fall, in the tile's own axes; engraved pips are shaded by it.
    """
    face = _blank_face(style, style.body, width, rng)
    brush = Brush(face, width)
    body, length = np.array(style.body), style.length
    _draw_divider(style, brush, body, rng)
    if style.holes:
        _draw_holes(style, brush, body, light)
    for number, flip in ((a, False), (b, True)):
        if style.numerals:
            draw_numeral(face, style, number, flip, light)
            continue
        if number == 0:
            continue
        radius = _radius(style, number)
        colour = np.array(style.pips[number], float) + rng.normal(0, 3)
        for x, y in _places(style, number):
            y = y * length / 2
            if flip:
                x, y = 1 - x, length - y
            x, y = x + rng.normal(0, 0.004), y + rng.normal(0, 0.004)
            _draw_pip(style, brush, x, y, radius, colour, body, light)
    return face


def _radius(style: SetStyle, number: int) -> float:
    if style.holes:
        return min(style.pip_radius, _HOLE * 0.9)
    most = 1.0 if number <= 12 else 0.068 if number <= 15 else 0.058
    return min(style.pip_radius if number < 10 else style.dense_radius, most)


def _places(style: SetStyle, number: int) -> NDArray[np.float64]:
    points = half_pips(number, style.patterns[number], style.spread)
    if not style.holes:
        return points
    return _SITES[np.abs(points[:, None] - _SITES[None]).sum(2).argmin(1)]  # a peg sits in a hole


_SITES = np.array([(x, y) for x in _THIRDS for y in _THIRDS])
_HOLE = 0.115


def _draw_holes(style: SetStyle, brush: Brush, body: NDArray[np.float64], light: NDArray[np.float64]) -> None:
    lx, ly = light * 0.03
    for x, y in np.concatenate([_SITES, _SITES + np.array([0, 1])]) * [1, style.length / 2]:
        brush.disc(x + lx, y + ly, _HOLE * 1.04, body * 1.25 + 22)
        brush.disc(x, y, _HOLE, body * 0.55)
        brush.disc(x + lx * 0.6, y + ly * 0.6, _HOLE * 0.72, body * 0.8 + 3)


def _draw_pip(
    style: SetStyle,
    brush: Brush,
    x: float,
    y: float,
    r: float,
    colour: NDArray[np.float64],
    body: NDArray[np.float64],
    light: NDArray[np.float64],
) -> None:
    lx, ly = light * (0.22 * r)
    if style.pip_kind == "flat":
        brush.disc(x, y, r, colour)
    elif style.pip_kind == "engraved":  # a bowl: its wall towards the lamp lies in shadow
        brush.disc(x + lx * 0.5, y + ly * 0.5, r * 1.06, body * 1.1 + 12)
        brush.disc(x, y, r, colour * 0.62)
        brush.disc(x + lx, y + ly, r * 0.82, colour)
        brush.disc(x + lx * 2.2, y + ly * 2.2, r * 0.36, colour * 1.2 + 26)
    elif style.pip_kind == "domed":
        brush.disc(x + lx, y + ly, r * 1.05, body * 0.6)
        brush.disc(x, y, r, colour * 0.85)
        brush.disc(x - lx, y - ly, r * 0.75, colour)
        brush.disc(x - lx * 2, y - ly * 2, r * 0.25, colour * 0.5 + 127)
    elif style.pip_kind == "ringed":
        brush.disc(x, y, r * 1.08, colour * 0.5)
        brush.disc(x, y, r * 0.9, colour)
        brush.disc(x, y, r * 0.45, colour * 0.75)
    else:  # socket: a hole with a bright rim
        brush.disc(x, y, r * 1.12, body * 0.75)
        brush.disc(x, y, r, colour)
        brush.disc(x - lx, y - ly, r * 0.6, colour * 0.9)


def _draw_divider(style: SetStyle, brush: Brush, body: NDArray[np.float64], rng: np.random.Generator) -> None:
    middle, rgb = style.length / 2, np.array(style.divider_rgb)
    margin = rng.uniform(0.06, 0.14)
    if style.divider in ("line", "line+pin"):
        brush.bar(margin, 1 - margin, middle, rng.uniform(0.012, 0.035), rgb)
    elif style.divider == "bar":
        thick = rng.uniform(0.045, 0.085)
        brush.bar(margin, 1 - margin, middle, thick, rgb)
        brush.bar(margin, 1 - margin, middle + thick * 0.25, thick * 0.25, rgb * 1.1 + 30)
    elif style.divider == "groove":
        brush.bar(margin * 0.4, 1 - margin * 0.4, middle, rng.uniform(0.02, 0.05), body * 0.7)
        brush.bar(margin * 0.4, 1 - margin * 0.4, middle + 0.02, 0.012, body * 1.1 + 10)
    if style.divider in ("pin", "line+pin"):
        radius = rng.uniform(0.035, 0.07)
        brush.disc(0.5, middle, radius, np.array([190.0, 150.0, 70.0]))
        brush.disc(0.485, middle - 0.015, radius * 0.45, np.array([250.0, 225.0, 160.0]))


def draw_back(style: SetStyle, width: int, rng: np.random.Generator) -> NDArray[np.uint8]:
    """The back of a tile, same shape as `draw_face`."""
    face = _blank_face(style, style.back, width, rng)
    brush = Brush(face, width)
    ink = np.array(style.back) * 0.6 if np.mean(style.back) > 90 else np.array(style.back) * 1.4 + 50
    if style.back_kind == "logo":
        text = "".join(chr(c) for c in rng.integers(65, 91, int(rng.integers(1, 5))))
        scale, (w, h) = width / 60, (0, 0)
        (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, 1)
        scale *= 0.8 * width / max(w, 1)
        at = (int(0.1 * width), int(style.length * width * rng.uniform(0.4, 0.65)))
        rgb = tuple(float(v) for v in np.clip(ink if rng.random() < 0.6 else rng.uniform(0, 255, 3), 0, 255))
        cv2.putText(face, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, rgb, max(1, int(width / 30)), cv2.LINE_AA)
        if rng.random() < 0.5:
            brush.bar(0.1, 0.9, style.length * rng.uniform(0.68, 0.8), 0.04, ink)
    elif style.back_kind == "pattern":
        step = rng.uniform(0.12, 0.3)
        for k in np.arange(-2, 1.1, step):
            p = (int(k * width), 0)
            q = (int((k + style.length) * width), int(style.length * width))
            rgb = tuple(float(v) for v in np.clip(ink, 0, 255))
            cv2.line(face, p, q, rgb, max(1, width // 40), cv2.LINE_AA)
            cv2.line(face, (width - p[0], p[1]), (width - q[0], q[1]), rgb, max(1, width // 40), cv2.LINE_AA)
    elif style.back_kind == "frame":
        m = int(width * 0.12)
        h = face.shape[0]
        rgb = tuple(float(v) for v in np.clip(ink, 0, 255))
        cv2.rectangle(face, (m, m), (width - m, h - m), rgb, max(1, width // 30), cv2.LINE_AA)
        cv2.ellipse(face, (width // 2, h // 2), (width // 4, h // 5), 0, 0, 360, rgb, max(1, width // 40), cv2.LINE_AA)
    return face
