"""Scenes by chance: a recipe gives the ranges, a seed and an index give the scene."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from . import breadth, layouts, surfaces
from . import clutter as clutter_module
from .chance import Rng, pick, rgb_of, vivid
from .rare_styles import widen_style
from .scene import Camera, Clutter, Lens, Light, Rgb, Scene, SetStyle, Surface, TilePose
from .styles import COLOUR_CODES, sample_style

__all__ = ["COLOUR_CODES", "Recipe", "sample_scene", "sample_style"]


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
    things: dict[str, float] = field(default_factory=lambda: {"die": 1.6, "card": 1.2, "finger": 0.4})
    """Weights of the kinds of things that are no tiles; what is not named has 1."""
    ordinary: float = 0.0
    """Share of pictures with the sets and tables most people have: ivory or white on white, wood or black."""
    hands: tuple[int, int] | None = None
    """Of `cycles_hands`: fewest and most tiles of a hand that lies whole in the picture; else whatever comes."""
    big: float = 0.0
    """Share of double-fifteen and double-eighteen sets."""
    numerals: float = 0.0
    """Share of sets with digits instead of pips."""
    markers: float = 0.0
    """Share of pictures with markers; where it is over 0, nothing that looks like one lies about without a label."""
    stations: float = 0.0
    """Share of pictures of the layout 'table' in which the engine lies in a station."""
    coloured: float = 0.0
    """Share of sets in plastic of any colour."""
    legible: bool = False
    """Of `cycles_hands`: only sets whose pips can be told from the plastic, exposed as a camera would."""
    breadth: float = 0.0
    """Share of pictures that get each of the kinds in `breadth.py`: toys, tables, sun and shadows, defocus, tilt."""

    @classmethod
    def load(cls, path: Path) -> Recipe:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
        for key in ("width_px", "hands"):
            if key in values:
                values[key] = tuple(values[key])
        if unknown := set(values.get("things", ())) - set(clutter_module.BASIC):
            raise ValueError(f"{path.name}: no such things: {', '.join(sorted(unknown))}")
        return cls(name=path.stem, **values)


def _ordinary_surface(rng: Rng) -> Surface:
    """White or cream, near black, or wood; often in hardly another tone than the tiles."""
    table = pick(rng, {"light": 0.45, "dark": 0.25, "wood": 0.2, "middle": 0.1})
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
    kind = "wood" if table == "wood" else pick(rng, kinds)
    contrast = rng.uniform(0.1, 0.8)
    seed = int(rng.integers(2**31))
    return Surface(
        kind,
        rgb_of(rgb),
        rgb_of(rgb * rng.uniform(0.7, 1.0)),
        rng.uniform(0.06, 0.9),
        contrast,
        rng.uniform(0, np.pi),
        seed,
    )


def _sample_surface(rng: Rng) -> Surface:
    kinds = dict.fromkeys(surfaces.BASIC, 1.0) | {
        "plain": 3.2,
        "photo": 2.6,
        "wood": 2.6,
        "cloth": 1.8,
        "leather": 1.2,
    }
    kind = pick(rng, kinds)
    if kind == "wood" and rng.random() < 0.8:
        rgb = np.array([rng.uniform(50, 205), 0, 0])
        rgb[1], rgb[2] = rgb[0] * rng.uniform(0.6, 0.85), rgb[0] * rng.uniform(0.3, 0.65)
    elif rng.random() < 0.36:
        rgb = np.full(3, rng.uniform(2, 45)) + rng.uniform(0, 8, 3)
    elif rng.random() < 0.35:
        rgb = np.full(3, rng.uniform(170, 255)) - rng.uniform(0, 25, 3)
    elif rng.random() < 0.35:
        rgb = np.array(vivid(rng, 0.15, 0.9))
    else:  # muted, as most tables and cloths are
        rgb = rng.uniform(30, 220) + rng.normal(0, 22, 3)
    rgb2 = rgb * rng.uniform(0.4, 0.95) if rng.random() < 0.8 else rng.uniform(0, 255, 3)
    angle = rng.uniform(0, np.pi) if rng.random() < 0.6 else 0.0
    return Surface(
        kind, rgb_of(rgb), rgb_of(rgb2), rng.uniform(0.06, 0.9), rng.uniform(0.15, 1.1), angle, int(rng.integers(2**31))
    )


def _sample_clutter(rng: Rng, count: int, above: bool, weights: dict[str, float]) -> tuple[Clutter, ...]:
    kinds = dict.fromkeys(clutter_module.BASIC, 1.0) | weights
    items = []
    for _ in range(count):
        kind = "finger" if above else pick(rng, kinds)
        light = np.full(3, rng.uniform(170, 255)) - rng.uniform(0, 40, 3)
        rgb = light if rng.random() < 0.4 else np.array(vivid(rng, 0.1, 1.0))
        rgb2 = rng.uniform(0, 90, 3) if rgb.mean() > 128 else rng.uniform(150, 255, 3)
        size = float(np.exp(rng.uniform(np.log(0.03), np.log(0.3))))
        angle = rng.uniform(0, 2 * np.pi)
        x, y = rng.uniform(0, 1, 2)
        items.append(Clutter(kind, x, y, size, angle, rgb_of(rgb), rgb_of(rgb2), int(rng.integers(2**31)), above))
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
    more = np.random.default_rng([recipe.seed, index, 2])  # what old recipes do not have must not change their numbers
    style = widen_style(sample_style(rng, ordinary), recipe, more)
    kind = pick(rng, recipe.layouts)
    width_px = float(np.exp(rng.uniform(*np.log(recipe.width_px))))
    hand = layouts.Hand(style.max_pip, rng, allow_blank_double=style.divider != "none")
    room = (recipe.size / width_px) ** 2 / style.length * 0.55
    most = int(np.clip(room, 1, 40))
    n = int(np.clip(rng.integers(1, min(most, 18) + 1) if rng.random() < 0.8 else rng.integers(1, most + 1), 1, most))
    if recipe.breadth:  # no tile twice, with four more in a hand at the rim
        n = min(n, (style.max_pip + 1) * (style.max_pip + 2) // 2 - 4)
    tilt = min(abs(rng.normal(0, 0.33)), recipe.max_tilt)
    azimuth = rng.uniform(0, 2 * np.pi)
    if kind == "table":
        width_px = recipe.size / more.uniform(8, 26)
    elif kind == "rows":
        width_px = max(width_px, recipe.size / 26)
    if more.random() < recipe.breadth * 0.5:
        tilt = more.uniform(0.3, recipe.max_tilt)
    if kind == "none":
        poses: list[TilePose] = []
    elif kind == "standing":
        tilt = rng.uniform(0.6, max(0.61, recipe.max_tilt * 1.25))
        poses = layouts.stood(style, hand, min(n, 10), rng, -azimuth - np.pi / 2 + rng.normal(0, 0.35))
    elif kind == "rows":
        tilt = rng.uniform(0.7, 1.2)
        poses = layouts.rows(style, hand, min(n, 14), rng, -azimuth - np.pi / 2 + rng.normal(0, 0.25))
    elif kind == "table":
        azimuth = round(azimuth / (np.pi / 2)) * np.pi / 2 + rng.normal(0, 0.15)
        poses = layouts.table(style, hand, max(n, 4), rng)
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
    things = _sample_clutter(rng, count, False, recipe.things)
    if poses and rng.random() < 0.04:
        things += _sample_clutter(rng, 1, True, recipe.things)
    light = _sample_light(rng, recipe.dark, style)
    draw_table = _ordinary_surface if ordinary else _sample_surface
    surface = draw_table(rng)
    down = any(not p.face_up for p in poses)  # without pips a tile can be told from the table by its tone alone
    while down and sum(abs(s - b) for s, b in zip(surface.rgb, style.back, strict=True)) < 40:
        surface = draw_table(rng)
    lens = _sample_lens(rng)
    scene = Scene((recipe.seed, index), style, tuple(poses), camera, light, surface, things, lens, kind)
    return breadth.widen(scene, recipe, more)


def _moved(pose: TilePose, dx: float, dy: float) -> TilePose:
    return TilePose(pose.a, pose.b, pose.x + dx, pose.y + dy, pose.yaw, pose.face_up, pose.standing, pose.lift)


def _turn_some_down(poses: list[TilePose], rng: Rng) -> list[TilePose]:
    share = rng.uniform(0.1, 1.0) if rng.random() < 0.2 else 0.0
    return [replace(p, face_up=p.face_up and (p.standing or rng.random() >= share)) for p in poses]
