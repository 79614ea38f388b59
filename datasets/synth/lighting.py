"""Edges of light in a picture: sun through windows and blinds, shadows of hands, heads and arms."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from .scene import Shade

Mask = NDArray[np.uint8]
Array = NDArray[np.float64]

KINDS = ("window", "blinds", "hand", "head", "arm")
_SIDE = 192
"""Shades are drawn this large and brought to the size of the picture: their edges are soft anyway."""


def draw_shades(shades: tuple[Shade, ...], h: int, w: int) -> NDArray[np.float32]:
    """The factor of light over a picture, (h, w) float32."""
    field = np.ones((h, w), np.float32)
    for shade in shades:
        mask = np.zeros((_SIDE, _SIDE), np.uint8)
        for part in _parts(shade):
            cv2.fillPoly(mask, [np.round(part * _SIDE * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
        large = cv2.resize(mask, (w, h), interpolation=cv2.INTER_CUBIC)
        sigma = shade.softness * max(h, w)
        if sigma > 0.5:
            k = max(1, int(sigma // 3))
            small = cv2.resize(large, (w // k, h // k), interpolation=cv2.INTER_AREA) if k > 1 else large
            large = cv2.resize(cv2.GaussianBlur(small, (0, 0), sigma / k), (w, h))
        field *= 1 + large.astype(np.float32) / 255 * np.float32(shade.factor - 1)
    return field


def _parts(shade: Shade) -> list[Array]:
    """Polygons (n, 2) in fractions of the picture."""
    rng = np.random.default_rng(shade.seed)
    c, s = np.cos(shade.angle), np.sin(shade.angle)
    turn = np.array([[c, s], [-s, c]]) * shade.size
    local = {"window": _window, "blinds": _blinds, "hand": _hand, "head": _head, "arm": _arm}[shade.kind](rng)
    return [part @ turn + [shade.x, shade.y] for part in local]


def _quad(x0: float, x1: float, y0: float, y1: float, lean: float = 0.0) -> Array:
    return np.array([[x0 + lean * y0, y0], [x1 + lean * y0, y0], [x1 + lean * y1, y1], [x0 + lean * y1, y1]])


def _window(rng: np.random.Generator) -> list[Array]:
    lean, bars = rng.uniform(-0.8, 0.8), int(rng.integers(1, 4))
    return [_quad(k * 1.1, k * 1.1 + 1.0, -rng.uniform(0.6, 1.2), rng.uniform(0.6, 2.0), lean) for k in range(bars)]


def _blinds(rng: np.random.Generator) -> list[Array]:
    lean, share = rng.uniform(-0.4, 0.4), rng.uniform(0.3, 0.7)
    step = rng.uniform(0.1, 0.35)
    return [_quad(-2, 2, y, y + step * share, lean) for y in np.arange(-1, 1, step)]


def _disc(x: float, y: float, rx: float, ry: float) -> Array:
    t = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    return np.column_stack([x + rx * np.cos(t), y + ry * np.sin(t)])


def _hand(rng: np.random.Generator) -> list[Array]:
    parts = [_disc(0, 0, 0.28, 0.3), _quad(-0.16, 0.16, 0.1, 3.0)]
    for k in range(5):
        angle = (k - 2) * rng.uniform(0.18, 0.4)
        away, across = np.array([np.sin(angle), -np.cos(angle)]), np.array([np.cos(angle), np.sin(angle)])
        long, wide = rng.uniform(0.45, 0.65), rng.uniform(0.04, 0.06)
        start = away * 0.2
        parts.append(np.array([start - across * wide, start + across * wide, start + away * long + across * wide * 0.7,
                               start + away * long - across * wide * 0.7]))  # fmt: skip
    return parts


def _head(rng: np.random.Generator) -> list[Array]:
    return [_disc(0, 0, 0.3, 0.38), _quad(-0.12, 0.12, 0.2, 0.6), _disc(0, rng.uniform(0.95, 1.1), 0.8, 0.5)]


def _arm(rng: np.random.Generator) -> list[Array]:
    wide = rng.uniform(0.08, 0.2)
    return [np.array([[-wide, 0], [wide, 0], [wide * 1.6, 3], [-wide * 1.6, 3]]), _disc(0, 0, wide * 1.1, wide * 1.3)]
