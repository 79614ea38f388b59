"""Things on a table that are no tiles, and that a detector must leave alone."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import cv2
import numpy as np

from .faces import half_pips
from .negatives import NEGATIVES
from .scene import Clutter
from .strokes import Image, Rng, at, disc, fill, line, text, tone, turned_box


def _coin(image: Image, item: Clutter, rng: Rng) -> None:
    h, w = image.shape[:2]
    p, r = np.array([item.x * w, item.y * h]), item.size * max(h, w) * 0.4
    disc(image, p + r * 0.12, r * 1.03, (20.0, 18.0, 16.0))
    disc(image, p, r, tone(item.rgb))
    disc(image, p, r * 0.86, tone(item.rgb, 0.85))
    disc(image, p - r * 0.15, r * 0.45, tone(item.rgb, 1.1))
    if rng.random() < 0.3:  # a socket or a button: two or four holes
        for k in range(int(rng.choice([2, 4]))):
            angle = item.angle + k * np.pi / (1 if rng.random() < 0.5 else 2)
            disc(image, p + np.array([np.cos(angle), np.sin(angle)]) * r * 0.4, r * 0.14, tone(item.rgb2, 0.4))


def _die(image: Image, item: Clutter, rng: Rng) -> None:
    corners = turned_box(item, image.shape, 1.0)
    corners = corners.mean(0) + (corners - corners.mean(0)) * 0.6
    down = np.array([rng.uniform(-0.3, 0.3), 0.35]) * np.linalg.norm(corners[1] - corners[0])
    fill(
        image,
        cv2.convexHull(np.concatenate([corners, corners + down]).astype(np.float32))[:, 0],
        tone(item.rgb, 0.6),
    )
    fill(image, corners, tone(item.rgb))
    side = np.linalg.norm(corners[1] - corners[0])
    for x, y in half_pips(int(rng.integers(1, 7)), 0, 1.0):
        disc(image, at(corners, x, y), side * rng.uniform(0.07, 0.1), tone(item.rgb2))


def _card(image: Image, item: Clutter, rng: Rng) -> None:
    corners = turned_box(item, image.shape, rng.uniform(1.3, 1.6))
    fill(image, corners + 2, (25.0, 25.0, 25.0))
    fill(image, corners, (240.0, 240.0, 236.0))
    ink = (190.0, 20.0, 30.0) if rng.random() < 0.5 else (20.0, 20.0, 25.0)
    size = float(np.linalg.norm(corners[1] - corners[0]))
    for _ in range(int(rng.integers(1, 11))):
        p = at(corners, rng.choice([0.28, 0.5, 0.72]), rng.choice([0.2, 0.35, 0.5, 0.65, 0.8]))
        diamond = np.array([[0, -1.2], [0.8, 0], [0, 1.2], [-0.8, 0]]) * size * 0.08
        fill(image, diamond + p, ink)
    text(image, rng, at(corners, 0.06, 0.16), size * 0.1, ink)


def _paper(image: Image, item: Clutter, rng: Rng) -> None:
    """A sheet, a book, a box with writing, a score pad."""
    corners = turned_box(item, image.shape, rng.uniform(0.5, 1.6))
    corners = corners.mean(0) + (corners - corners.mean(0)) * rng.uniform(1.2, 2.8)
    fill(image, corners + rng.uniform(1, 6), (25.0, 22.0, 20.0))
    fill(image, corners, tone(item.rgb))
    for y in np.linspace(0.1, 0.9, int(rng.integers(0, 12))):
        line(image, at(corners, 0.08, y), at(corners, rng.uniform(0.4, 0.92), y), tone(item.rgb2), rng.uniform(1, 3))
    if rng.random() < 0.6:
        text(image, rng, at(corners, 0.15, 0.4), item.size * max(image.shape) * 0.3, tone(item.rgb2))


def _keys(image: Image, item: Clutter, rng: Rng) -> None:
    """A keyboard, a remote control, a calculator."""
    corners = turned_box(item, image.shape, rng.uniform(0.3, 0.6))
    corners = corners.mean(0) + (corners - corners.mean(0)) * 2.2
    fill(image, corners, tone(item.rgb, 0.5))
    across, down = int(rng.integers(3, 13)), int(rng.integers(2, 6))
    for i in range(across):
        for j in range(down):
            m = 0.14
            key = [
                at(corners, (i + x) / across, (j + y) / down)
                for x, y in ((m, m), (1 - m, m), (1 - m, 1 - m), (m, 1 - m))
            ]
            fill(image, np.array(key), tone(item.rgb2))
            if rng.random() < 0.7:
                size = float(np.linalg.norm(key[1] - key[0]))
                text(image, rng, key[3] + (key[0] - key[3]) * 0.3, size * 0.25, tone(item.rgb))


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
        line(image, a, b, tone(item.rgb), thick)
    if rng.random() < 0.5:
        line(image, points[3], points[-4], tone(item.rgb2), thick * 0.3)


def _block(image: Image, item: Clutter, rng: Rng) -> None:
    """A phone, an eraser, a box of matches, a lighter: a plain brick in a colour of its own."""
    corners = turned_box(item, image.shape, rng.uniform(0.3, 1.0))
    down = np.array([rng.uniform(-0.1, 0.1), 0.15]) * np.linalg.norm(corners[1] - corners[0])
    hull = cv2.convexHull(np.concatenate([corners, corners + down]).astype(np.float32))[:, 0]
    fill(image, hull, tone(item.rgb, 0.6))
    fill(image, corners, tone(item.rgb))
    if rng.random() < 0.7:
        size = float(np.linalg.norm(corners[1] - corners[0]))
        text(image, rng, at(corners, 0.1, 0.6), size * 0.2, tone(item.rgb2))
    for _ in range(int(rng.integers(0, 4))):
        y = rng.uniform(0.1, 0.9)
        line(image, at(corners, 0.1, y), at(corners, 0.9, y), tone(item.rgb2), 1)


def _plate(image: Image, item: Clutter, rng: Rng) -> None:
    """A plate, a glass, a cup from above: rings."""
    h, w = image.shape[:2]
    p, r = np.array([item.x * w, item.y * h]), item.size * max(h, w) * rng.uniform(0.6, 1.6)
    disc(image, p + r * 0.06, r, (20.0, 18.0, 16.0))
    for factor, shade in ((1.0, 1.0), (0.92, 0.85), (0.7, 0.95), (0.62, 1.05)):
        disc(image, p, r * factor, tone(item.rgb, shade))
    if rng.random() < 0.5:
        for k in np.linspace(0, 2 * np.pi, int(rng.integers(6, 16)), endpoint=False):
            disc(image, p + np.array([np.cos(k), np.sin(k)]) * r * 0.81, r * 0.05, tone(item.rgb2))


def _dots(image: Image, item: Clutter, rng: Rng) -> None:
    """Loose beads, crumbs, buttons, a perforated board: dots without a tile."""
    h, w = image.shape[:2]
    p, size = np.array([item.x * w, item.y * h]), item.size * max(h, w)
    if rng.random() < 0.5:
        corners = turned_box(item, image.shape, rng.uniform(0.4, 1.2))
        for x in np.linspace(0, 1, int(rng.integers(2, 7))):
            for y in np.linspace(0, 1, int(rng.integers(2, 7))):
                disc(image, at(corners, x, y), size * 0.05, tone(item.rgb))
    else:
        for _ in range(int(rng.integers(3, 25))):
            disc(image, p + rng.normal(0, size * 0.6, 2), size * rng.uniform(0.02, 0.08), tone(item.rgb))


def _stripes(image: Image, item: Clutter, rng: Rng) -> None:
    """A grille, a comb, a barcode, a ruler."""
    corners = turned_box(item, image.shape, rng.uniform(0.3, 1.0))
    fill(image, corners, tone(item.rgb2))
    for x in np.linspace(0.04, 0.96, int(rng.integers(4, 18))):
        line(image, at(corners, x, 0.05), at(corners, x, rng.uniform(0.5, 0.95)), tone(item.rgb), rng.uniform(1, 3))


def _finger(image: Image, item: Clutter, rng: Rng) -> None:
    """A finger or a hand that comes in from the edge."""
    h, w = image.shape[:2]
    tip = np.array([item.x * w, item.y * h])
    away = np.array([np.cos(item.angle), np.sin(item.angle)])
    width = max(4.0, item.size * max(h, w) * 0.5)
    skin = np.array([rng.uniform(120, 235), rng.uniform(80, 185), rng.uniform(60, 160)])
    for k in range(int(rng.integers(1, 4))):
        start = tip + np.array([-away[1], away[0]]) * width * 1.15 * k
        line(image, start, start + away * max(h, w), tone(skin), width)
        disc(image, start + away * width * 0.1, width * 0.3, tone(skin, 1.12))


_KINDS: dict[str, Callable[[Image, Clutter, Rng], None]] = {
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
BASIC = tuple(_KINDS)
"""Kinds that the first recipes draw from; `broad` and its like keep their pictures whatever is added."""

KINDS = _KINDS | NEGATIVES
"""Everything that can lie about."""


def draw_clutter(image: Image, item: Clutter) -> None:
    """Draw one thing onto `image` (h, w, 3) uint8 RGB, in place."""
    KINDS[item.kind](image, item, np.random.default_rng(item.seed))
