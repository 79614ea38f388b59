"""Strokes in pixels with which things that are no tiles are drawn."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from .scene import Clutter

Image = NDArray[np.uint8]
Rng = np.random.Generator
Colour = tuple[float, float, float]


def tone(rgb: tuple[float, float, float] | NDArray[np.float64], factor: float = 1.0) -> Colour:
    r, g, b = (float(np.clip(v * factor, 0, 255)) for v in rgb)
    return (r, g, b)


def turned_box(item: Clutter, shape: tuple[int, ...], aspect: float) -> NDArray[np.float64]:
    """Corners (4, 2) of a turned rectangle, in pixels."""
    h, w = shape[:2]
    size = item.size * max(h, w)
    c, s = np.cos(item.angle), np.sin(item.angle)
    u, v = np.array([c, s]) * size / 2, np.array([-s, c]) * size * aspect / 2
    p = np.array([item.x * w, item.y * h])
    return np.array([p - u - v, p + u - v, p + u + v, p - u + v])


def at(corners: NDArray[np.float64], x: float, y: float) -> NDArray[np.float64]:
    return corners[0] + (corners[1] - corners[0]) * x + (corners[3] - corners[0]) * y


def fill(image: Image, points: NDArray[np.float64], rgb: Colour) -> None:
    cv2.fillPoly(image, [np.round(points * 8).astype(np.int32)], rgb, cv2.LINE_AA, 3)


def line(image: Image, p: NDArray[np.float64], q: NDArray[np.float64], rgb: Colour, thick: float) -> None:
    a, b = (tuple(int(v) for v in np.round(e * 8)) for e in (p, q))
    cv2.line(image, a, b, rgb, max(1, round(thick)), cv2.LINE_AA, 3)


def disc(image: Image, p: NDArray[np.float64], r: float, rgb: Colour) -> None:
    x, y = (int(v) for v in np.round(p * 8))
    cv2.circle(image, (x, y), max(1, int(r * 8)), rgb, -1, cv2.LINE_AA, 3)


def text(image: Image, rng: Rng, place: NDArray[np.float64], size: float, rgb: Colour) -> None:
    word = "".join(chr(c) for c in rng.integers(65, 91, int(rng.integers(2, 9))))
    x, y = (int(v) for v in place)
    face = int(rng.choice([cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_SCRIPT_SIMPLEX]))
    cv2.putText(image, word, (x, y), face, max(0.2, size / 30), rgb, max(1, int(size / 12)), cv2.LINE_AA)
