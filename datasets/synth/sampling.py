"""Scenes by chance: a recipe gives the ranges, a seed and an index give the scene."""

from __future__ import annotations

import colorsys
import tomllib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from . import clutter as clutter_module
from . import layouts, surfaces
from .faces import ARRANGEMENTS
from .scene import Camera, Clutter, Lens, Light, Rgb, Scene, SetStyle, Surface, TilePose

Rng = np.random.Generator

COLOUR_CODES: tuple[dict[int, Rgb], ...] = (
    {
        1: (70, 165, 205), 2: (50, 130, 60), 3: (200, 30, 50), 4: (150, 85, 55), 5: (25, 85, 190),
        6: (245, 160, 30), 7: (175, 45, 140), 8: (25, 150, 140), 9: (75, 45, 120), 10: (230, 95, 30),
        11: (110, 30, 60), 12: (130, 130, 135),
    },
    {
        1: (90, 170, 220), 2: (20, 120, 80), 3: (190, 20, 40), 4: (150, 140, 120), 5: (80, 140, 215),
        6: (240, 200, 30), 7: (235, 120, 170), 8: (35, 85, 45), 9: (120, 90, 180), 10: (245, 165, 30),
        11: (30, 30, 35), 12: (150, 150, 160),
    },
    {
        1: (30, 60, 150), 2: (200, 40, 40), 3: (30, 110, 60), 4: (90, 60, 40), 5: (20, 20, 25),
        6: (230, 180, 40), 7: (110, 50, 120), 8: (60, 160, 220), 9: (200, 90, 130), 10: (100, 150, 40),
        11: (170, 110, 60), 12: (90, 95, 105),
    },
)  # fmt: skip
"""Colour codes of sets in the shops, number -> RGB; makers differ, so they are starting points."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a set of pictures is made of; read from `datasets/recipes/NAME.toml`."""

    name: str
    seed: int
    size: int
    """Longer side of a picture in pixels."""
    width_px: tuple[float, float]
    """Width of a tile in the picture, drawn evenly on a logarithmic scale."""
    max_tilt: float
    """Radians."""
    layouts: dict[str, float]
    """Weights of the layouts; 'standing' and 'none' (a picture without a tile) besides those of `layouts`."""
    dark: float
    """Share of pictures in very little light."""
    clutter: float
    """Mean number of things that are no tiles."""
    ordinary: float = 0.0
    """Share of pictures with the sets and tables most people have: ivory or white on white, wood or black."""

    @classmethod
    def load(cls, path: Path) -> Recipe:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
        values["width_px"] = tuple(values["width_px"])
        return cls(name=path.stem, **values)


def _pick(rng: Rng, weights: dict[str, float]) -> str:
    names = list(weights)
    p = np.array([weights[n] for n in names], float)
    return str(names[int(rng.choice(len(names), p=p / p.sum()))])


def _rgb(values: np.ndarray | tuple[float, ...] | list[float]) -> Rgb:
    r, g, b = (float(v) for v in np.clip(np.asarray(values, float), 0, 255))
    return (r, g, b)


def _vivid(rng: Rng, low: float = 0.25, high: float = 0.95) -> Rgb:
    r, g, b = colorsys.hsv_to_rgb(rng.random(), rng.uniform(0.45, 1.0), rng.uniform(low, high))
    return _rgb((r * 255, g * 255, b * 255))


def sample_style(rng: Rng, ordinary: bool = False) -> SetStyle:
    """A box of tiles: most are ivory or white, as in the shops; some black, coloured or wooden."""
    max_pip = int(rng.choice([6, 9, 12], p=[0.3, 0.1, 0.6]))
    kinds = {"ivory": 0.3, "white": 0.32, "black": 0.11, "vivid": 0.15, "wood": 0.06, "grey": 0.06}
    kind = _pick(rng, {"ivory": 0.5, "white": 0.42, "black": 0.08} if ordinary else kinds)
    white = rng.uniform(215, 255)
    body = {
        "ivory": np.array([white, white - rng.uniform(2, 22), white - rng.uniform(15, 80)]),
        "white": np.full(3, white) - rng.uniform(0, 10, 3),
        "black": rng.uniform(8, 55, 3) * 0.4 + rng.uniform(5, 40),
        "vivid": np.array(_vivid(rng)),
        "wood": np.array([rng.uniform(140, 225), rng.uniform(95, 170), rng.uniform(50, 115)]),
        "grey": np.full(3, rng.uniform(90, 200)) + rng.normal(0, 8, 3),
    }[kind]
    light_body = body @ [0.3, 0.59, 0.11] > 120
    pips = _sample_pips(rng, kind, bool(light_body), body)
    small = kind == "vivid" and rng.random() < 0.4
    radius = rng.uniform(0.045, 0.075) if small else rng.uniform(0.072, 0.12)
    divider = _pick(rng, {"line": 0.22, "bar": 0.33, "groove": 0.12, "pin": 0.07, "line+pin": 0.2, "none": 0.06})
    if rng.random() < 0.6:
        ink = np.full(3, rng.uniform(5, 60)) if light_body else np.full(3, rng.uniform(190, 255))
    else:
        ink = np.array(pips[int(rng.integers(1, max_pip + 1))])
    layered = rng.random() < 0.3
    side = (
        body * rng.uniform(0.75, 1.0) if not layered else np.array(_vivid(rng) if rng.random() < 0.5 else (25, 22, 20))
    )
    back = side if layered else body
    if rng.random() < 0.12:
        back = np.array(_vivid(rng))
    return SetStyle(
        max_pip=max_pip,
        body=_rgb(body),
        side=_rgb(side),
        back=_rgb(back),
        back_kind=_pick(rng, {"plain": 0.62, "logo": 0.18, "pattern": 0.1, "frame": 0.1}),
        pips=pips,
        pip_kind=_pick(rng, {"flat": 0.27, "engraved": 0.43, "ringed": 0.08, "domed": 0.12, "socket": 0.1}),
        pip_radius=radius,
        dense_radius=min(radius, rng.uniform(0.058, 0.092)),
        spread=rng.uniform(0.88, 1.08),
        patterns=tuple(int(rng.integers(len(ARRANGEMENTS[n]))) for n in range(max_pip + 1)),
        divider=divider,
        divider_rgb=_rgb(ink),
        corner=rng.uniform(0.03, 0.2),
        bevel=rng.uniform(0.02, 0.09),
        length=float(np.clip(rng.normal(1.98, 0.07), 1.75, 2.2)),
        thickness=rng.uniform(0.16, 0.52),
        texture="wood" if kind == "wood" else _pick(rng, {"plain": 0.86, "marbled": 0.1, "speckled": 0.04}),
        gloss=rng.uniform(0, 1) ** 1.5,
    )


def _sample_pips(rng: Rng, kind: str, light_body: bool, body: np.ndarray) -> tuple[Rgb, ...]:
    if light_body and kind in ("ivory", "white", "grey", "wood"):
        plan = _pick(rng, {"code": 0.38, "black": 0.37, "random": 0.18, "one": 0.07})
    elif light_body:
        plan = _pick(rng, {"black": 0.3, "white": 0.25, "one": 0.3, "random": 0.15})
    else:
        plan = _pick(rng, {"white": 0.66, "one": 0.16, "random": 0.18})
    spread = rng.uniform(0, 16)
    if plan == "code":
        code = COLOUR_CODES[int(rng.choice(len(COLOUR_CODES), p=[0.5, 0.3, 0.2]))]
        gain = rng.uniform(0.8, 1.15)
        return (_rgb((0, 0, 0)), *(_rgb(np.array(code[n]) * gain + rng.normal(0, spread, 3)) for n in range(1, 13)))
    if plan == "black":
        return (_rgb(rng.uniform(5, 55, 3) * 0.5 + rng.uniform(0, 25)),) * 13
    if plan == "white":
        return (_rgb(np.full(3, rng.uniform(200, 255)) - rng.uniform(0, 25, 3)),) * 13
    if plan == "one":
        for _ in range(20):
            ink = np.array(_vivid(rng, 0.2, 1.0))
            if np.abs(ink - body).sum() > 90:
                break
        return (_rgb(ink),) * 13
    low, high = (0.15, 0.85) if light_body else (0.7, 1.0)
    return tuple(_vivid(rng, low, high) for _ in range(13))


def _ordinary_surface(rng: Rng) -> Surface:
    """White or cream, near black, or wood; often in hardly another tone than the tiles."""
    table = _pick(rng, {"light": 0.45, "dark": 0.25, "wood": 0.2, "middle": 0.1})
    low, high = {"light": (165, 250), "dark": (4, 45), "wood": (60, 190), "middle": (60, 160)}[table]
    tone = rng.uniform(low, high)
    warmth = rng.uniform(0, 0.45 if table == "wood" else 0.14) * (1 if rng.random() < 0.75 else -0.5)
    rgb = tone * np.array([1.0, 1 - warmth * 0.5, 1 - warmth])
    kinds = {
        "plain": 0.5,
        "cloth": 0.15,
        "leather": 0.08,
        "marble": 0.09,
        "speckle": 0.09,
        "pattern": 0.04,
        "carpet": 0.05,
    }
    kind = "wood" if table == "wood" else _pick(rng, kinds)
    contrast = rng.uniform(0.1, 0.8)
    seed = int(rng.integers(2**31))
    return Surface(
        kind,
        _rgb(rgb),
        _rgb(rgb * rng.uniform(0.7, 1.0)),
        rng.uniform(0.06, 0.9),
        contrast,
        rng.uniform(0, np.pi),
        seed,
    )


def _sample_surface(rng: Rng) -> Surface:
    kinds = dict.fromkeys(surfaces.TEXTURES, 1.0) | {
        "plain": 3.2,
        "photo": 2.6,
        "wood": 2.6,
        "cloth": 1.8,
        "leather": 1.2,
    }
    kind = _pick(rng, kinds)
    if kind == "wood" and rng.random() < 0.8:
        rgb = np.array([rng.uniform(50, 205), 0, 0])
        rgb[1], rgb[2] = rgb[0] * rng.uniform(0.6, 0.85), rgb[0] * rng.uniform(0.3, 0.65)
    elif rng.random() < 0.36:
        rgb = np.full(3, rng.uniform(2, 45)) + rng.uniform(0, 8, 3)
    elif rng.random() < 0.35:
        rgb = np.full(3, rng.uniform(170, 255)) - rng.uniform(0, 25, 3)
    elif rng.random() < 0.35:
        rgb = np.array(_vivid(rng, 0.15, 0.9))
    else:  # muted, as most tables and cloths are
        rgb = rng.uniform(30, 220) + rng.normal(0, 22, 3)
    rgb2 = rgb * rng.uniform(0.4, 0.95) if rng.random() < 0.8 else rng.uniform(0, 255, 3)
    angle = rng.uniform(0, np.pi) if rng.random() < 0.6 else 0.0
    return Surface(
        kind, _rgb(rgb), _rgb(rgb2), rng.uniform(0.06, 0.9), rng.uniform(0.15, 1.1), angle, int(rng.integers(2**31))
    )


def _sample_clutter(rng: Rng, count: int, above: bool) -> tuple[Clutter, ...]:
    kinds = dict.fromkeys(clutter_module.KINDS, 1.0) | {"die": 1.6, "card": 1.2, "finger": 0.4}
    items = []
    for _ in range(count):
        kind = "finger" if above else _pick(rng, kinds)
        light = np.full(3, rng.uniform(170, 255)) - rng.uniform(0, 40, 3)
        rgb = light if rng.random() < 0.4 else np.array(_vivid(rng, 0.1, 1.0))
        rgb2 = rng.uniform(0, 90, 3) if rgb.mean() > 128 else rng.uniform(150, 255, 3)
        size = float(np.exp(rng.uniform(np.log(0.03), np.log(0.3))))
        angle = rng.uniform(0, 2 * np.pi)
        x, y = rng.uniform(0, 1, 2)
        items.append(Clutter(kind, x, y, size, angle, _rgb(rgb), _rgb(rgb2), int(rng.integers(2**31)), above))
    return tuple(items)


def _luminance(rgb: Rgb | np.ndarray) -> float:
    return float(np.asarray(rgb, float) @ [0.299, 0.587, 0.114])


def _sample_light(rng: Rng, dark: float, style: SetStyle) -> Light:
    exposure = rng.uniform(0.7, 1.25)
    if rng.random() < dark:
        exposure = float(np.exp(rng.uniform(np.log(0.12), np.log(0.6))))
    elif rng.random() < 0.1:
        exposure = rng.uniform(1.3, 1.7)
    brightest = max(_luminance(style.body), *(_luminance(p) for p in style.pips[1:]))
    exposure = max(exposure, 45 / brightest)  # no camera keeps a photo in which nothing can be seen
    gloss = style.gloss
    depth = rng.uniform(0, 0.35)
    field = tuple(tuple(float(v) for v in row) for row in rng.uniform(1 - depth, 1 + depth * 0.6, (3, 3)))
    glare = []
    if rng.random() < 0.2 + 0.3 * gloss:
        for _ in range(int(rng.integers(1, 5))):
            glare.append(
                (*rng.uniform(0, 1, 2), float(np.exp(rng.uniform(np.log(0.01), np.log(0.35)))), rng.uniform(30, 230))
            )
    warm = rng.normal(0, 0.09)
    tint = np.array([1 + warm, 1 + rng.normal(0, 0.025), 1 - warm])
    return Light(
        direction=(rng.normal(0, 0.6), rng.normal(0, 0.6)),
        shadow=rng.uniform(0.1, 0.8),
        softness=float(np.exp(rng.uniform(np.log(0.02), np.log(0.35)))),
        field=field,
        glare=tuple((float(a), float(b), float(c), float(d)) for a, b, c, d in glare),
        tint=(float(tint[0]), float(tint[1]), float(tint[2])),
        exposure=exposure,
        gamma=rng.uniform(0.85, 1.2),
    )


def _sample_lens(rng: Rng) -> Lens:
    blur = float(rng.uniform(0.2, 1.0)) if rng.random() < 0.7 else float(rng.uniform(0.8, 2.0))
    return Lens(
        blur_px=blur if rng.random() < 0.75 else 0.0,
        motion_px=float(rng.uniform(2, 7)) if rng.random() < 0.1 else 0.0,
        motion_angle=rng.uniform(0, np.pi),
        noise=rng.uniform(0, 9) if rng.random() < 0.8 else rng.uniform(8, 20),
        grain=float(rng.uniform(1, 2.5)),
        sharpen=rng.uniform(0, 1.2) if rng.random() < 0.35 else 0.0,
        jpeg=int(rng.integers(40, 97)),
        vignette=rng.uniform(0, 0.4) if rng.random() < 0.3 else 0.0,
    )


def sample_scene(recipe: Recipe, index: int) -> Scene:
    """The scene number `index` of a recipe; the same for ever."""
    rng = np.random.default_rng([recipe.seed, index])
    ordinary = bool(recipe.ordinary) and rng.random() < recipe.ordinary
    style = sample_style(rng, ordinary)
    kind = _pick(rng, recipe.layouts)
    width_px = float(np.exp(rng.uniform(*np.log(recipe.width_px))))
    hand = layouts.Hand(style.max_pip, rng, allow_blank_double=style.divider != "none")
    room = (recipe.size / width_px) ** 2 / style.length * 0.55
    most = int(np.clip(room, 1, 40))
    n = int(np.clip(rng.integers(1, min(most, 18) + 1) if rng.random() < 0.8 else rng.integers(1, most + 1), 1, most))
    tilt = min(abs(rng.normal(0, 0.33)), recipe.max_tilt)
    azimuth = rng.uniform(0, 2 * np.pi)
    if kind == "none":
        poses: list[TilePose] = []
    elif kind == "standing":
        tilt = rng.uniform(0.6, max(0.61, recipe.max_tilt * 1.25))
        poses = layouts.stood(style, hand, min(n, 10), rng, -azimuth - np.pi / 2 + rng.normal(0, 0.35))
    else:
        poses = layouts.LAYOUTS[kind](style, hand, n, rng)
        if rng.random() < 0.08 and n > 4:  # the rest of the hands, standing at the rim
            far = layouts.stood(style, hand, 4, rng, rng.uniform(0, 2 * np.pi))
            radius = max(np.hypot(p.x, p.y) for p in poses) + 2
            at = rng.uniform(0, 2 * np.pi)
            poses += [_moved(p, radius * np.cos(at), radius * np.sin(at)) for p in far]
    poses = _turn_some_down(poses, rng)
    spread = np.array([[p.x, p.y] for p in poses]) if poses else np.zeros((1, 2))
    aim = spread.mean(0) if rng.random() < 0.75 else spread[int(rng.integers(len(spread)))]
    shape = recipe.size, recipe.size
    if rng.random() < 0.3:
        short = round(recipe.size * rng.uniform(0.56, 0.8) / 2) * 2
        shape = (recipe.size, short) if rng.random() < 0.5 else (short, recipe.size)
    focal = recipe.size * rng.uniform(0.75, 1.7)
    camera = Camera(
        width=shape[0],
        height=shape[1],
        focal_px=focal,
        distance=max(focal / width_px, 2.2),
        tilt=float(tilt),
        azimuth=azimuth,
        target=(float(aim[0]), float(aim[1])),
        offset_px=(rng.uniform(-0.12, 0.12) * shape[0], rng.uniform(-0.12, 0.12) * shape[1]),
    )
    count = int(rng.poisson(recipe.clutter * (2.5 if kind == "none" else 1.0)))
    things = _sample_clutter(rng, count, False)
    if poses and rng.random() < 0.04:
        things += _sample_clutter(rng, 1, True)
    light = _sample_light(rng, recipe.dark, style)
    draw_table = _ordinary_surface if ordinary else _sample_surface
    surface = draw_table(rng)
    down = any(not p.face_up for p in poses)  # without pips a tile can be told from the table by its tone alone
    while down and sum(abs(s - b) for s, b in zip(surface.rgb, style.back, strict=True)) < 40:
        surface = draw_table(rng)
    lens = _sample_lens(rng)
    return Scene((recipe.seed, index), style, tuple(poses), camera, light, surface, things, lens, kind)


def _moved(pose: TilePose, dx: float, dy: float) -> TilePose:
    return TilePose(pose.a, pose.b, pose.x + dx, pose.y + dy, pose.yaw, pose.face_up, pose.standing, pose.lift)


def _turn_some_down(poses: list[TilePose], rng: Rng) -> list[TilePose]:
    share = rng.uniform(0.1, 1.0) if rng.random() < 0.2 else 0.0
    return [TilePose(p.a, p.b, p.x, p.y, p.yaw, p.standing or rng.random() >= share, p.standing, p.lift) for p in poses]
