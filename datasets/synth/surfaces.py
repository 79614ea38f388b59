"""What tiles lie on, drawn from noise: wood, cloth, leather, stone, carpet, grass; and photographs that may be used."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from .scene import Surface

Image = NDArray[np.float32]
Rng = np.random.Generator


def noise(rng: Rng, h: int, w: int, cells_y: float, cells_x: float) -> Image:
    """Smooth noise, zero mean, unit spread: (h, w) float32."""
    grid = rng.standard_normal((max(2, round(cells_y)), max(2, round(cells_x))), np.float32)
    return cv2.resize(grid, (w, h), interpolation=cv2.INTER_CUBIC)


def rotate(image: Image, angle: float) -> Image:
    h, w = image.shape[:2]
    turn = cv2.getRotationMatrix2D((w / 2, h / 2), np.degrees(angle), 1.0)
    return cv2.warpAffine(image, turn, (w, h), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)


def _wood(s: Surface, rng: Rng, h: int, w: int) -> Image:
    grain = noise(rng, h, w, 3 / s.scale**0.3, 60 / s.scale**0.5) + 0.6 * noise(rng, h, w, 8, 200)
    rings = np.sin(noise(rng, h, w, 2, 5) * 5 + np.linspace(0, 20, w, dtype=np.float32))
    value = (grain * 0.6 + rings * 0.5) * s.contrast
    planks = max(1, int(1 / max(s.scale, 0.05)))
    width = max(8, w // planks)
    for k in range(0, w, width):
        value[:, k : k + width] += rng.normal(0, 0.5) * s.contrast
        value[:, k : k + 2] -= 2.2 * s.contrast
    return value


def _cloth(s: Surface, rng: Rng, h: int, w: int) -> Image:
    period = max(2, round(s.scale * 12))
    yy, xx = np.mgrid[:h, :w]
    weave = (((xx // period) + (yy // period)) % 2).astype(np.float32) - 0.5
    return (weave + 0.4 * rng.standard_normal((h, w), np.float32) + 0.7 * noise(rng, h, w, 4, 4)) * s.contrast


def _checks(s: Surface, rng: Rng, h: int, w: int) -> Image:
    period = max(6, int(s.scale * w * 0.4))
    yy, xx = np.mgrid[:h, :w]
    stripes = ((xx % period) < period * rng.uniform(0.3, 0.7)).astype(np.float32)
    bars = ((yy % period) < period * rng.uniform(0.3, 0.7)).astype(np.float32)
    return (stripes + bars - 1) * s.contrast * 2


def _pattern(s: Surface, rng: Rng, h: int, w: int) -> Image:
    """A printed cloth: one motif again and again."""
    size = max(10, int(s.scale * w * 0.3))
    motif = np.zeros((size, size), np.float32)
    for _ in range(int(rng.integers(2, 6))):
        at = tuple(int(v) for v in rng.integers(0, size, 2))
        if rng.random() < 0.6:
            cv2.circle(motif, at, int(rng.integers(1, max(2, size // 3))), float(rng.uniform(-2, 2)), -1, cv2.LINE_AA)
        else:
            to = tuple(int(v) for v in rng.integers(0, size, 2))
            cv2.line(motif, at, to, float(rng.uniform(-2, 2)), int(rng.integers(1, max(2, size // 6))), cv2.LINE_AA)
    return np.tile(motif, (h // size + 1, w // size + 1))[:h, :w] * s.contrast * 1.5


def _leather(s: Surface, rng: Rng, h: int, w: int) -> Image:
    cells = 40 / max(s.scale, 0.15)
    bumps = np.abs(noise(rng, h, w, cells, cells)) + 0.5 * np.abs(noise(rng, h, w, cells * 2, cells * 2))
    folds = noise(rng, h, w, 3, 3) + np.maximum(noise(rng, h, w, 4, 2), 0) * 1.5
    return (bumps * 0.7 + folds) * s.contrast


def _marble(s: Surface, rng: Rng, h: int, w: int) -> Image:
    base = noise(rng, h, w, 3, 3) + 0.5 * noise(rng, h, w, 7, 7) + 0.25 * noise(rng, h, w, 20, 20)
    veins = -2.5 * np.exp(-np.abs(np.sin(base * 3)) * rng.uniform(6, 20))
    return (base * 0.5 + veins) * s.contrast


def _speckle(s: Surface, rng: Rng, h: int, w: int) -> Image:
    cells = 120 / max(s.scale, 0.1)
    fine = rng.standard_normal((h, w), np.float32)
    return (np.sign(noise(rng, h, w, cells, cells)) * 0.7 + fine * 0.5 + 0.5 * noise(rng, h, w, 5, 5)) * s.contrast


def _carpet(s: Surface, rng: Rng, h: int, w: int) -> Image:
    fine = rng.standard_normal((h, w), np.float32)
    tufts = noise(rng, h, w, 100 / max(s.scale, 0.2), 100 / max(s.scale, 0.2))
    return (fine * 0.8 + tufts + 0.6 * noise(rng, h, w, 6, 6)) * s.contrast * 1.3


def _grass(s: Surface, rng: Rng, h: int, w: int) -> Image:
    value = noise(rng, h, w, 10, 10)
    for _ in range(3):
        value = value + rotate(noise(rng, h, w, 12, 220), rng.uniform(0, np.pi))
    return value * s.contrast


def _tiled_floor(s: Surface, rng: Rng, h: int, w: int) -> Image:
    period = max(20, int(s.scale * w))
    value = noise(rng, h, w, 8, 8) * 0.4
    for k in range(0, max(h, w), period):
        value[k : k + max(2, period // 30)] -= 2
        value[:, k : k + max(2, period // 30)] -= 2
    return value * s.contrast


def _shapes(s: Surface, rng: Rng, h: int, w: int) -> Image:
    value = np.zeros((h, w), np.float32)
    for _ in range(int(rng.integers(8, 50))):
        points = rng.uniform(0, [w, h]) + rng.normal(0, s.scale * w * 0.3, (int(rng.integers(3, 6)), 2))
        cv2.fillPoly(value, [points.astype(np.int32)], float(rng.normal(0, 1.5)), cv2.LINE_AA)
    return value * s.contrast


def _boards(s: Surface, rng: Rng, h: int, w: int) -> Image:
    """Planks of a strong grain with knots, and dark joints across and along."""
    value = np.zeros((h, w), np.float32)
    width = max(24, int(w * np.clip(s.scale, 0.15, 0.8)))
    yy, xx = np.mgrid[:h, :w].astype(np.float32)
    for x0 in range(-int(rng.integers(width)), w, width):
        a, b = max(0, x0), min(w, x0 + width)
        if b - a < 2:
            continue
        wave = noise(rng, h, w, 5, 2)[:, a:b] * 6
        part = xx[:, a:b] * rng.uniform(0.25, 0.6) + wave
        for _ in range(int(rng.integers(0, 3))):  # the grain runs around a knot
            kx, ky, r = rng.uniform(a, b), rng.uniform(0, h), rng.uniform(4, 16) * (w / 512)
            d = np.sqrt((xx[:, a:b] - kx) ** 2 + ((yy[:, a:b] - ky) * rng.uniform(0.3, 0.7)) ** 2)
            part = part + 9 * np.exp(-((d / (2.5 * r)) ** 2))
            value[:, a:b] -= 2.2 * np.exp(-((d / r) ** 4))
        fine = noise(rng, h, b - a, h / rng.uniform(20, 60), (b - a) / 1.5)
        value[:, a:b] += np.sin(part) * 0.6 + fine * 0.7 + rng.normal(0, 0.4)
        value[:, a : a + max(1, w // 250)] -= 3
        joint = int(rng.integers(h))
        value[joint : joint + max(1, h // 250), a:b] -= 3
    return value * s.contrast


def _polish(s: Surface, rng: Rng, h: int, w: int) -> Image:
    """Varnish, glass, lacquer: the room is mirrored as large soft shapes."""
    cells = rng.uniform(2, 5)
    blots = np.tanh(3 * noise(rng, h, w, cells * rng.uniform(0.6, 1.6), cells)) + 0.5 * noise(rng, h, w, 2, 2)
    return (blots + 0.06 * rng.standard_normal((h, w), np.float32)) * s.contrast


def _seams(s: Surface, rng: Rng, h: int, w: int) -> Image:
    """Upholstery: leather that shines in its folds, and sewn seams."""
    value = _leather(s, rng, h, w)
    value += np.maximum(noise(rng, h, w, 3, 3), 0) ** 2 * 1.6 * s.contrast
    for _ in range(int(rng.integers(1, 4))):
        p, angle = rng.uniform(0, 1, 2) * [w, h], rng.uniform(0, np.pi)
        step = np.array([np.cos(angle), np.sin(angle)])
        t = np.linspace(-1.5 * w, 1.5 * w, 20)
        bend = rng.normal(0, 0.0004)
        points = p + t[:, None] * step + (t**2 * bend)[:, None] * [-step[1], step[0]]
        thick = max(1, w // 120)
        cv2.polylines(value, [points.astype(np.int32)], False, float(-3 * s.contrast), thick, cv2.LINE_AA)
        side = points + np.array([-step[1], step[0]]) * thick * 1.5
        cv2.polylines(value, [side.astype(np.int32)], False, float(2 * s.contrast), thick, cv2.LINE_AA)
    return value


def _onyx(s: Surface, rng: Rng, h: int, w: int) -> Image:
    """Clouded stone with veins of another colour, laid as slabs with a joint."""
    cloud = noise(rng, h, w, 4, 4) + 0.5 * noise(rng, h, w, 11, 11) + 0.3 * noise(rng, h, w, 40, 40)
    value = cloud * 0.6 - 2.2 * np.exp(-np.abs(np.sin(cloud * 2 + noise(rng, h, w, 3, 3))) * rng.uniform(6, 16))
    value = value * s.contrast
    at = float(rng.uniform(0.2, 0.8))
    cv2.line(value, (int(at * w), 0), (int((at + rng.uniform(-0.4, 0.4)) * w), h), -4.0, max(1, w // 200), cv2.LINE_AA)
    return value


def _weave(s: Surface, rng: Rng, h: int, w: int) -> Image:
    """Knitting, wicker, a place mat: bumps in rows that are shifted against each other."""
    period = max(5, int(s.scale * w * 0.06))
    yy, xx = np.mgrid[:h, :w].astype(np.float32)
    row = np.floor(yy / period)
    value = np.sin(xx / period * 2 * np.pi + row * np.pi) * np.cos(yy / period * 2 * np.pi)
    return (value + 0.3 * rng.standard_normal((h, w), np.float32) + 0.5 * noise(rng, h, w, 4, 4)) * s.contrast


BASIC = ("wood", "cloth", "checks", "pattern", "leather", "marble", "speckle", "carpet", "grass", "floor", "shapes")
"""Kinds that the first recipes draw from; `broad` and its like keep their pictures whatever is added."""

TEXTURES = {
    "wood": _wood,
    "cloth": _cloth,
    "checks": _checks,
    "pattern": _pattern,
    "leather": _leather,
    "marble": _marble,
    "speckle": _speckle,
    "carpet": _carpet,
    "grass": _grass,
    "floor": _tiled_floor,
    "shapes": _shapes,
    "boards": _boards,
    "polish": _polish,
    "seams": _seams,
    "onyx": _onyx,
    "weave": _weave,
}
"""Kinds of surface that are made of noise; besides these there are 'plain' and 'photo'."""


@lru_cache(maxsize=1)
def photographs() -> tuple[NDArray[np.uint8], ...]:
    """Photographs that scikit-image carries in its wheel, RGB; those it would download are left out."""
    import skimage
    from skimage import io

    folder = skimage.__path__[0] + "/data"
    found = []
    for name in ("astronaut.png", "brick.png", "chelsea.png", "coffee.png", "grass.png", "gravel.png", "ihc.png"):
        try:
            image = io.imread(f"{folder}/{name}")
        except (FileNotFoundError, OSError):
            continue
        found.append(np.ascontiguousarray(np.stack([image] * 3, -1) if image.ndim == 2 else image[..., :3]))
    return tuple(found)


def draw_surface(s: Surface, h: int, w: int) -> Image:
    """The empty table: (h, w, 3) float32 RGB, 0..255."""
    rng = np.random.default_rng(s.seed)
    rgb, rgb2 = np.array(s.rgb, np.float32), np.array(s.rgb2, np.float32)
    if s.kind == "photo" and photographs():
        picture = photographs()[int(rng.integers(len(photographs())))]
        side = int(min(picture.shape[:2]) * np.clip(s.scale, 0.25, 1))
        y = int(rng.integers(0, picture.shape[0] - side + 1))
        x = int(rng.integers(0, picture.shape[1] - side + 1))
        patch = cv2.resize(picture[y : y + side, x : x + side], (w, h)).astype(np.float32)
        return np.clip(rotate(patch, np.pi / 2 * int(rng.integers(4))) * (0.4 + rgb / 180), 0, 255)
    if s.kind in TEXTURES:
        value = TEXTURES[s.kind](s, rng, h, w)
        if s.angle:
            value = rotate(value, s.angle)
    else:
        value = noise(rng, h, w, 3, 3) * s.contrast * 0.4
    mix = np.clip(0.5 + value * 0.35, 0, 1)[..., None]
    return np.clip(rgb * (1 - mix) + rgb2 * mix + noise(rng, h, w, 6, 6)[..., None] * 2, 0, 255)
