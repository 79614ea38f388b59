"""Things on a table that are no tiles, and that a detector must leave alone."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from .faces import half_pips
from .scene import Clutter

Image = NDArray[np.uint8]
Rng = np.random.Generator
Colour = tuple[float, float, float]


def _colour(rgb: tuple[float, float, float] | NDArray[np.float64], factor: float = 1.0) -> Colour:
    r, g, b = (float(np.clip(v * factor, 0, 255)) for v in rgb)
    return (r, g, b)


def _box(item: Clutter, shape: tuple[int, ...], aspect: float) -> NDArray[np.float64]:
    """Corners (4, 2) of a turned rectangle, in pixels."""
    h, w = shape[:2]
    size = item.size * max(h, w)
    c, s = np.cos(item.angle), np.sin(item.angle)
    u, v = np.array([c, s]) * size / 2, np.array([-s, c]) * size * aspect / 2
    p = np.array([item.x * w, item.y * h])
    return np.array([p - u - v, p + u - v, p + u + v, p - u + v])


def _at(corners: NDArray[np.float64], x: float, y: float) -> NDArray[np.float64]:
    return corners[0] + (corners[1] - corners[0]) * x + (corners[3] - corners[0]) * y


def _fill(image: Image, points: NDArray[np.float64], rgb: Colour) -> None:
    cv2.fillPoly(image, [np.round(points * 8).astype(np.int32)], rgb, cv2.LINE_AA, 3)


def _line(image: Image, p: NDArray[np.float64], q: NDArray[np.float64], rgb: Colour, thick: float) -> None:
    a, b = (tuple(int(v) for v in np.round(e * 8)) for e in (p, q))
    cv2.line(image, a, b, rgb, max(1, round(thick)), cv2.LINE_AA, 3)


def _disc(image: Image, p: NDArray[np.float64], r: float, rgb: Colour) -> None:
    x, y = (int(v) for v in np.round(p * 8))
    cv2.circle(image, (x, y), max(1, int(r * 8)), rgb, -1, cv2.LINE_AA, 3)


def _text(image: Image, rng: Rng, at: NDArray[np.float64], size: float, rgb: Colour) -> None:
    word = "".join(chr(c) for c in rng.integers(65, 91, int(rng.integers(2, 9))))
    x, y = (int(v) for v in at)
    face = int(rng.choice([cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_SCRIPT_SIMPLEX]))
    cv2.putText(image, word, (x, y), face, max(0.2, size / 30), rgb, max(1, int(size / 12)), cv2.LINE_AA)


def _coin(image: Image, item: Clutter, rng: Rng) -> None:
    h, w = image.shape[:2]
    p, r = np.array([item.x * w, item.y * h]), item.size * max(h, w) * 0.4
    _disc(image, p + r * 0.12, r * 1.03, (20.0, 18.0, 16.0))
    _disc(image, p, r, _colour(item.rgb))
    _disc(image, p, r * 0.86, _colour(item.rgb, 0.85))
    _disc(image, p - r * 0.15, r * 0.45, _colour(item.rgb, 1.1))
    if rng.random() < 0.3:  # a socket or a button: two or four holes
        for k in range(int(rng.choice([2, 4]))):
            angle = item.angle + k * np.pi / (1 if rng.random() < 0.5 else 2)
            _disc(image, p + np.array([np.cos(angle), np.sin(angle)]) * r * 0.4, r * 0.14, _colour(item.rgb2, 0.4))


def _die(image: Image, item: Clutter, rng: Rng) -> None:
    corners = _box(item, image.shape, 1.0)
    corners = corners.mean(0) + (corners - corners.mean(0)) * 0.6
    down = np.array([rng.uniform(-0.3, 0.3), 0.35]) * np.linalg.norm(corners[1] - corners[0])
    _fill(
        image,
        cv2.convexHull(np.concatenate([corners, corners + down]).astype(np.float32))[:, 0],
        _colour(item.rgb, 0.6),
    )
    _fill(image, corners, _colour(item.rgb))
    side = np.linalg.norm(corners[1] - corners[0])
    for x, y in half_pips(int(rng.integers(1, 7)), 0, 1.0):
        _disc(image, _at(corners, x, y), side * rng.uniform(0.07, 0.1), _colour(item.rgb2))


def _card(image: Image, item: Clutter, rng: Rng) -> None:
    corners = _box(item, image.shape, rng.uniform(1.3, 1.6))
    _fill(image, corners + 2, (25.0, 25.0, 25.0))
    _fill(image, corners, (240.0, 240.0, 236.0))
    ink = (190.0, 20.0, 30.0) if rng.random() < 0.5 else (20.0, 20.0, 25.0)
    size = float(np.linalg.norm(corners[1] - corners[0]))
    for _ in range(int(rng.integers(1, 11))):
        p = _at(corners, rng.choice([0.28, 0.5, 0.72]), rng.choice([0.2, 0.35, 0.5, 0.65, 0.8]))
        diamond = np.array([[0, -1.2], [0.8, 0], [0, 1.2], [-0.8, 0]]) * size * 0.08
        _fill(image, diamond + p, ink)
    _text(image, rng, _at(corners, 0.06, 0.16), size * 0.1, ink)


def _paper(image: Image, item: Clutter, rng: Rng) -> None:
    """A sheet, a book, a box with writing, a score pad."""
    corners = _box(item, image.shape, rng.uniform(0.5, 1.6))
    corners = corners.mean(0) + (corners - corners.mean(0)) * rng.uniform(1.2, 2.8)
    _fill(image, corners + rng.uniform(1, 6), (25.0, 22.0, 20.0))
    _fill(image, corners, _colour(item.rgb))
    for y in np.linspace(0.1, 0.9, int(rng.integers(0, 12))):
        _line(
            image, _at(corners, 0.08, y), _at(corners, rng.uniform(0.4, 0.92), y), _colour(item.rgb2), rng.uniform(1, 3)
        )
    if rng.random() < 0.6:
        _text(image, rng, _at(corners, 0.15, 0.4), item.size * max(image.shape) * 0.3, _colour(item.rgb2))


def _keys(image: Image, item: Clutter, rng: Rng) -> None:
    """A keyboard, a remote control, a calculator."""
    corners = _box(item, image.shape, rng.uniform(0.3, 0.6))
    corners = corners.mean(0) + (corners - corners.mean(0)) * 2.2
    _fill(image, corners, _colour(item.rgb, 0.5))
    across, down = int(rng.integers(3, 13)), int(rng.integers(2, 6))
    for i in range(across):
        for j in range(down):
            m = 0.14
            key = [
                _at(corners, (i + x) / across, (j + y) / down)
                for x, y in ((m, m), (1 - m, m), (1 - m, 1 - m), (m, 1 - m))
            ]
            _fill(image, np.array(key), _colour(item.rgb2))
            if rng.random() < 0.7:
                size = float(np.linalg.norm(key[1] - key[0]))
                _text(image, rng, key[3] + (key[0] - key[3]) * 0.3, size * 0.25, _colour(item.rgb))


def _rod(image: Image, item: Clutter, rng: Rng) -> None:
    """A pen, a cable, a straw, the edge of a table."""
    h, w = image.shape[:2]
    p = np.array([item.x * w, item.y * h])
    step = np.array([np.cos(item.angle), np.sin(item.angle)]) * item.size * max(h, w)
    thick = max(1.0, item.size * max(h, w) * rng.uniform(0.02, 0.16))
    bend = rng.normal(0, 0.3, 2) * item.size * max(h, w) * (rng.random() < 0.4)
    t = np.linspace(-2, 2, 14)[:, None]
    points = p + t * step + (t**2 - 1) * bend
    for a, b in pairwise(points):
        _line(image, a, b, _colour(item.rgb), thick)
    if rng.random() < 0.5:
        _line(image, points[3], points[-4], _colour(item.rgb2), thick * 0.3)


def _block(image: Image, item: Clutter, rng: Rng) -> None:
    """A phone, an eraser, a box of matches, a lighter: a plain brick in a colour of its own."""
    corners = _box(item, image.shape, rng.uniform(0.3, 1.0))
    down = np.array([rng.uniform(-0.1, 0.1), 0.15]) * np.linalg.norm(corners[1] - corners[0])
    hull = cv2.convexHull(np.concatenate([corners, corners + down]).astype(np.float32))[:, 0]
    _fill(image, hull, _colour(item.rgb, 0.6))
    _fill(image, corners, _colour(item.rgb))
    if rng.random() < 0.7:
        size = float(np.linalg.norm(corners[1] - corners[0]))
        _text(image, rng, _at(corners, 0.1, 0.6), size * 0.2, _colour(item.rgb2))
    for _ in range(int(rng.integers(0, 4))):
        y = rng.uniform(0.1, 0.9)
        _line(image, _at(corners, 0.1, y), _at(corners, 0.9, y), _colour(item.rgb2), 1)


def _plate(image: Image, item: Clutter, rng: Rng) -> None:
    """A plate, a glass, a cup from above: rings."""
    h, w = image.shape[:2]
    p, r = np.array([item.x * w, item.y * h]), item.size * max(h, w) * rng.uniform(0.6, 1.6)
    _disc(image, p + r * 0.06, r, (20.0, 18.0, 16.0))
    for factor, shade in ((1.0, 1.0), (0.92, 0.85), (0.7, 0.95), (0.62, 1.05)):
        _disc(image, p, r * factor, _colour(item.rgb, shade))
    if rng.random() < 0.5:
        for k in np.linspace(0, 2 * np.pi, int(rng.integers(6, 16)), endpoint=False):
            _disc(image, p + np.array([np.cos(k), np.sin(k)]) * r * 0.81, r * 0.05, _colour(item.rgb2))


def _dots(image: Image, item: Clutter, rng: Rng) -> None:
    """Loose beads, crumbs, buttons, a perforated board: dots without a tile."""
    h, w = image.shape[:2]
    p, size = np.array([item.x * w, item.y * h]), item.size * max(h, w)
    if rng.random() < 0.5:
        corners = _box(item, image.shape, rng.uniform(0.4, 1.2))
        for x in np.linspace(0, 1, int(rng.integers(2, 7))):
            for y in np.linspace(0, 1, int(rng.integers(2, 7))):
                _disc(image, _at(corners, x, y), size * 0.05, _colour(item.rgb))
    else:
        for _ in range(int(rng.integers(3, 25))):
            _disc(image, p + rng.normal(0, size * 0.6, 2), size * rng.uniform(0.02, 0.08), _colour(item.rgb))


def _stripes(image: Image, item: Clutter, rng: Rng) -> None:
    """A grille, a comb, a barcode, a ruler."""
    corners = _box(item, image.shape, rng.uniform(0.3, 1.0))
    _fill(image, corners, _colour(item.rgb2))
    for x in np.linspace(0.04, 0.96, int(rng.integers(4, 18))):
        _line(
            image, _at(corners, x, 0.05), _at(corners, x, rng.uniform(0.5, 0.95)), _colour(item.rgb), rng.uniform(1, 3)
        )


def _finger(image: Image, item: Clutter, rng: Rng) -> None:
    """A finger or a hand that comes in from the edge."""
    h, w = image.shape[:2]
    tip = np.array([item.x * w, item.y * h])
    away = np.array([np.cos(item.angle), np.sin(item.angle)])
    width = max(4.0, item.size * max(h, w) * 0.5)
    skin = np.array([rng.uniform(120, 235), rng.uniform(80, 185), rng.uniform(60, 160)])
    for k in range(int(rng.integers(1, 4))):
        start = tip + np.array([-away[1], away[0]]) * width * 1.15 * k
        _line(image, start, start + away * max(h, w), _colour(skin), width)
        _disc(image, start + away * width * 0.1, width * 0.3, _colour(skin, 1.12))


KINDS: dict[str, Callable[[Image, Clutter, Rng], None]] = {
    "coin": _coin,
    "die": _die,
    "card": _card,
    "paper": _paper,
    "keys": _keys,
    "rod": _rod,
    "block": _block,
    "plate": _plate,
    "dots": _dots,
    "stripes": _stripes,
    "finger": _finger,
}
"""Everything that can lie about."""


def draw_clutter(image: Image, item: Clutter) -> None:
    """Draw one thing onto `image` (h, w, 3) uint8 RGB, in place."""
    KINDS[item.kind](image, item, np.random.default_rng(item.seed))
