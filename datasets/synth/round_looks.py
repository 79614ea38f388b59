"""How a round's table looks: its box of tiles, its top and light, and the camera that sees all of it."""

from __future__ import annotations

import colorsys
from dataclasses import replace

import numpy as np

from companion.rules.tiles import TileSet

from .faces import ARRANGEMENTS
from .geometry import face_corners, project
from .laying import Ground
from .sampling import sample_style
from .scene import Camera, Lens, Light, Rgb, SetStyle, Surface, TilePose

Rng = np.random.Generator

RIM = 3.4
"""Width of the rim on which the hands stand, in tile widths."""

WIDTHS_PX = (1920, 2560, 3200, 3840)
"""Pictures as cameras take them; the smallest is chosen in which the halves are large enough."""

WANTED_HALF_PX = 21.0

_TABLES = {
    "wood": ((150, 104, 66), (116, 76, 46)),
    "cloth": ((34, 60, 92), (28, 50, 80)),
    "plain": ((92, 40, 44), (84, 36, 40)),
    "leather": ((46, 70, 48), (40, 60, 42)),
    "marble": ((88, 92, 98), (60, 64, 70)),
}


def whole_table(
    ground: Ground,
    style: SetStyle,
    boneyard: list[tuple[float, float, float]],
    seed: int,
    widths_px: tuple[int, ...] = WIDTHS_PX,
) -> Camera:
    """All of the table in view, in the smallest of these pictures in which the halves are large enough."""
    rng = np.random.default_rng([seed, 11])
    tilt = float(min(abs(rng.normal(0, 0.25)), 0.6))
    azimuth = float(rng.choice([0.0, np.pi]) + rng.normal(0, 0.04))
    focal = float(rng.uniform(0.8, 1.3))
    piles = np.array([place[:2] for place in boneyard])
    x, y = ground.width / 2 + RIM, ground.depth / 2 + RIM
    points = np.concatenate([[[-x, -y], [x, -y], [x, y], [-x, y]], piles + 1.2, piles - 1.2])
    low, high = points.min(0), points.max(0)
    middle = (low + high) / 2
    points = np.column_stack([points, np.zeros(len(points))])
    aspect = float(rng.choice([9 / 16, 3 / 4]))
    for width in widths_px:
        height = int(width * aspect) // 2 * 2
        camera = Camera(width, height, focal * width, 30.0, tilt, azimuth, (middle[0], middle[1]), (0.0, 0.0))
        near, far = 10.0, 600.0
        for _ in range(30):
            camera = replace(camera, distance=(near + far) / 2)
            seen = project(camera, points) - [width / 2, height / 2]
            if (np.abs(seen) < [0.485 * width, 0.485 * height]).all():
                far = camera.distance
            else:
                near = camera.distance
        camera = replace(camera, distance=far)
        if _smallest_half(camera, ground, style) >= WANTED_HALF_PX:
            break
    return camera


def hue(turn: float, rng: Rng) -> Rgb:
    """A colour of the circle (0..1), as painted wood and plastic have it."""
    r, g, b = colorsys.hsv_to_rgb(turn % 1.0, float(rng.uniform(0.6, 0.95)), float(rng.uniform(0.5, 0.9)))
    return 255 * r, 255 * g, 255 * b


def _smallest_half(camera: Camera, ground: Ground, style: SetStyle) -> float:
    """Shortest side of a half at the corners of the trains' ground, pixels."""
    sizes = []
    for x in (-ground.width / 2, ground.width / 2):
        for y in (-ground.depth / 2, ground.depth / 2):
            for yaw in (0.0, np.pi / 2):
                quad = project(camera, face_corners(TilePose(0, 0, x, y, yaw), style))
                sides = np.linalg.norm(quad - np.roll(quad, 1, 0), axis=1)
                sizes += [min(sides[1], sides[3]), min(sides[0], sides[2]) / 2]
    return float(min(sizes))


def style_for(tile_set: TileSet, rng: Rng) -> SetStyle:
    """The looks of a box of this size, as most people have it."""
    style = sample_style(rng, ordinary=True)
    while style.divider == "none":
        style = sample_style(rng, ordinary=True)
    top = tile_set.max_pip
    patterns = tuple(int(rng.integers(len(ARRANGEMENTS[n]))) for n in range(top + 1))
    pips = style.pips + style.pips[1:] * 2
    return replace(style, max_pip=top, patterns=patterns, pips=pips[: max(13, top + 1)])


def picture_for(rng: Rng, style: SetStyle) -> tuple[Light, Surface, Lens]:
    """Light, table and lens of people who want to see their tiles: these stand out from the table."""
    kind = str(rng.choice(list(_TABLES)))
    rgb, rgb2 = (np.array(tone, float) * rng.uniform(0.7, 1.2) for tone in _TABLES[kind])
    if float(np.mean(style.body)) < 120:  # dark tiles lie on a light table
        kind, rgb, rgb2 = "plain", np.array((205.0, 198.0, 186.0)), np.array((192.0, 184.0, 172.0))
    tones = [tuple(float(v) for v in np.clip(tone, 0, 255)) for tone in (rgb, rgb2)]
    surface = Surface(kind, tones[0], tones[1], rng.uniform(0.2, 0.6), 0.5, rng.uniform(0, 3), int(rng.integers(2**31)))
    field = tuple(tuple(float(v) for v in row) for row in rng.uniform(0.86, 1.06, (3, 3)))
    warm = float(rng.normal(0, 0.05))
    shadows = (float(rng.normal(0, 0.4)), float(rng.normal(0, 0.4)))
    light = Light(
        shadows, rng.uniform(0.3, 0.7), rng.uniform(0.06, 0.3), field, (), (1 + warm, 1.0, 1 - warm),
        rng.uniform(0.85, 1.15), 1.0,
    )  # fmt: skip
    lens = Lens(rng.uniform(0.3, 0.8), 0.0, 0.0, rng.uniform(0.5, 5), rng.uniform(1, 2), 0.3, 90, rng.uniform(0, 0.2))
    return light, surface, lens
