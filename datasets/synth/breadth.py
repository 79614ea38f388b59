"""What newer recipes add to a scene: markers and stations, unusual tables, sun, shadows, glare, defocus.

Everything here is drawn from random numbers of its own, and only where a recipe asks for it, so that the pictures of
older recipes stay what they were.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from .chance import Rng, pick, rgb_of, vivid
from .geometry import project
from .layouts import footprint
from .negatives import NEGATIVES
from .scene import Clutter, Lens, Light, Rgb, Scene, SetStyle, Shade, Surface, Thing
from .things import MARKERS, STATIONS

if TYPE_CHECKING:
    from .sampling import Recipe

_METALS = ((196, 118, 74), (170, 96, 60), (205, 168, 92), (190, 190, 186), (150, 150, 150), (215, 190, 130))


def widen(scene: Scene, recipe: Recipe, rng: Rng) -> Scene:
    """Add what the recipe asks for to a finished scene."""
    if not (recipe.breadth or recipe.markers or recipe.stations):
        return scene
    scene = replace(scene, solid=recipe.breadth > 0)
    if rng.random() < recipe.breadth * 0.3:
        surface = _surface(rng)
        down = any(not p.face_up for p in scene.tiles)
        while down and sum(abs(s - b) for s, b in zip(surface.rgb2, scene.style.back, strict=True)) < 40:
            surface = _surface(rng)
        scene = replace(scene, surface=surface)
    light, lens = scene.light, scene.lens
    if rng.random() < recipe.breadth * 0.28:
        shades = _shades(rng)
        brightest = max([1.0, *(shade.factor for shade in shades)])
        light = replace(light, shades=shades, exposure=light.exposure * brightest**-0.6)  # cameras expose for the sun
    if scene.tiles and rng.random() < recipe.breadth * 0.16:
        light = _glare_on_tiles(scene, light, rng)
    if rng.random() < recipe.breadth * 0.14:
        lens = _defocused(lens, rng)
    light = replace(light, exposure=max(light.exposure, _least_exposure(light, scene.style)))
    things = _stations(scene, recipe, rng)
    things += _markers(scene, recipe, rng, things)
    clutter = _without_markers(scene) if recipe.markers else scene.clutter
    clutter = _negatives(recipe, rng) + clutter
    return replace(scene, light=light, lens=lens, things=things, clutter=clutter)


def _least_exposure(light: Light, style: SetStyle) -> float:
    """No camera keeps a photo in which nothing can be seen, whatever shadow falls on it."""
    brightest = max(float(np.asarray(rgb) @ [0.299, 0.587, 0.114]) for rgb in (style.body, *style.pips[1:]))
    return 55 / brightest / min([1.0, *(shade.factor for shade in light.shades)])


def _surface(rng: Rng) -> Surface:
    kind = pick(rng, {"boards": 0.34, "polish": 0.22, "seams": 0.16, "onyx": 0.16, "weave": 0.12})
    tone = float(np.exp(rng.uniform(np.log(14), np.log(225))))
    warmth = rng.uniform(0.05, 0.6) if kind == "boards" else rng.uniform(-0.1, 0.3)
    rgb = tone * np.array([1.0, 1 - warmth * 0.55, 1 - warmth])
    if kind in ("weave", "polish", "seams") and rng.random() < 0.3:
        rgb = np.array(vivid(rng, 0.1, 0.8))
    dark = rgb * (rng.uniform(0.3, 0.75) if kind != "polish" else rng.uniform(0.6, 0.95))  # joints and folds
    angle = rng.uniform(0, np.pi) if rng.random() < 0.5 else 0.0
    scale, contrast = rng.uniform(0.15, 0.8), rng.uniform(0.3, 1.0)
    return Surface(kind, rgb_of(dark), rgb_of(rgb), scale, contrast, angle, int(rng.integers(2**31)))


def _shades(rng: Rng) -> tuple[Shade, ...]:
    shades = []
    for _ in range(int(rng.integers(1, 3))):
        kind = pick(rng, {"window": 0.28, "blinds": 0.2, "hand": 0.24, "head": 0.16, "arm": 0.12})
        sun = kind in ("window", "blinds")
        x, y = rng.uniform(0.05, 0.95, 2)
        shades.append(
            Shade(
                kind,
                float(x),
                float(y),
                size=rng.uniform(0.3, 1.1),
                angle=rng.uniform(0, 2 * np.pi),
                factor=rng.uniform(1.3, 2.1) if sun and rng.random() < 0.7 else rng.uniform(0.3, 0.75),
                softness=float(np.exp(rng.uniform(np.log(0.002), np.log(0.05)))),
                seed=int(rng.integers(2**31)),
            )
        )
    return tuple(shades)


def _glare_on_tiles(scene: Scene, light: Light, rng: Rng) -> Light:
    """Light mirrored by single tiles: pips pale under it, and are still there."""
    cam = scene.camera
    spots = []
    for k in rng.permutation(len(scene.tiles))[: int(rng.integers(1, 5))]:
        pose = scene.tiles[int(k)]
        place = project(cam, np.array([[pose.x, pose.y, scene.style.thickness]]))[0] / [cam.width, cam.height]
        px = cam.focal_px / cam.distance / max(cam.width, cam.height)
        spots.append((float(place[0]), float(place[1]), float(px * rng.uniform(0.2, 0.9)), rng.uniform(40, 130)))
    return replace(light, glare=(*spots, *light.glare))


def _defocused(lens: Lens, rng: Rng) -> Lens:
    return replace(lens, defocus_px=rng.uniform(1.0, 2.6), defocus_angle=rng.uniform(0, 2 * np.pi))


def _tile_px(scene: Scene) -> float:
    return scene.camera.focal_px / scene.camera.distance


def _without_markers(scene: Scene) -> tuple[Clutter, ...]:
    """Clutter with nothing that a marker or a station could be taken for: no coins, dots small, plates large."""
    side = max(scene.camera.width, scene.camera.height)
    tile = _tile_px(scene) / side
    kept = []
    for item in scene.clutter:
        if item.kind == "dots":
            item = replace(item, size=min(item.size, 0.28 * tile / 0.16))
        elif item.kind == "plate":
            item = replace(item, size=max(item.size, 4.5 * tile))
        if item.kind != "coin":
            kept.append(item)
    return tuple(kept)


def _negatives(recipe: Recipe, rng: Rng) -> tuple[Clutter, ...]:
    weights = dict.fromkeys(NEGATIVES, 1.0) | {"printed": 2.0, "knot": 0.7, "ladybird": 0.6}
    items = []
    for _ in range(int(rng.poisson(recipe.breadth * 0.9))):
        light = np.full(3, rng.uniform(185, 252)) - rng.uniform(0, 40, 3)
        rgb = light if rng.random() < 0.55 else np.array(vivid(rng, 0.15, 1.0))
        rgb2 = rng.uniform(0, 80, 3) if rgb.mean() > 120 else rng.uniform(180, 255, 3)
        if rng.random() < 0.25:
            rgb2 = np.array(vivid(rng, 0.3, 0.7) if rgb.mean() > 120 else vivid(rng, 0.8, 1.0))
        x, y = rng.uniform(0, 1, 2)
        size = float(np.exp(rng.uniform(np.log(0.06), np.log(0.32))))
        items.append(Clutter(pick(rng, weights), float(x), float(y), size, rng.uniform(0, 2 * np.pi), rgb_of(rgb),
                             rgb_of(rgb2), int(rng.integers(2**31))))  # fmt: skip
    return tuple(items)


def _stations(scene: Scene, recipe: Recipe, rng: Rng) -> tuple[Thing, ...]:
    """Under the engine of a table; now and then, empty, beside tiles of another layout."""
    reach = [float(np.hypot(p.x, p.y)) for p in scene.tiles]
    if scene.kind == "table":
        if rng.random() >= recipe.stations:
            return ()
        near = min((r for r in reach[1:]), default=3.2) - scene.style.length / 2
        radius = float(np.clip(near + rng.uniform(-0.1, 0.5), 1.15, 2.0))
        return (_station(0.0, 0.0, scene.tiles[0].yaw, radius, rng),)
    if rng.random() >= recipe.stations * 0.12:
        return ()
    radius, at = rng.uniform(1.0, 2.0), rng.uniform(0, 2 * np.pi)
    away = max(reach, default=0.0) + radius + 1.6
    return (_station(away * np.cos(at), away * np.sin(at), rng.uniform(0, 6.3), radius, rng),)


def _station(x: float, y: float, yaw: float, radius: float, rng: Rng) -> Thing:
    wood = np.array([rng.uniform(130, 220), rng.uniform(90, 165), rng.uniform(45, 110)])
    plain = np.full(3, rng.uniform(20, 245)) + rng.normal(0, 8, 3)
    colours = {"vivid": np.array(vivid(rng, 0.3, 1.0)), "wood": wood, "plain": plain}
    rgb = colours[pick(rng, {"vivid": 0.55, "wood": 0.2, "plain": 0.25})]
    rgb2 = np.array(vivid(rng, 0.3, 1.0)) if rng.random() < 0.6 else np.full(3, 20.0 if rgb.mean() > 110 else 235.0)
    model, slots = str(rng.choice(STATIONS)), int(rng.choice([4, 6, 8, 8]))
    slots = 8 if model == "octagon" and slots == 6 else slots
    return Thing("station", model, float(x), float(y), 2 * radius, yaw, rgb_of(rgb), rgb_of(rgb2),
                 int(rng.integers(2**31)), slots=slots)  # fmt: skip


_SIZES = {"coin": (0.5, 0.95), "train": (0.65, 1.1), "peg": (0.35, 0.6), "bead": (0.35, 0.65), "button": (0.38, 0.75)}


def _markers(scene: Scene, recipe: Recipe, rng: Rng, stations: tuple[Thing, ...]) -> tuple[Thing, ...]:
    """One kind of marker a table mostly; near a train's first tile, on a tile, at the hub, or lying about."""
    if rng.random() >= recipe.markers:
        return ()
    usual = str(rng.choice(MARKERS, p=[0.28, 0.32, 0.16, 0.12, 0.12]))
    polys = [footprint(p.x, p.y, p.yaw, scene.style) for p in scene.tiles]
    things: list[Thing] = []
    for _ in range(int(rng.integers(1, 6))):
        model = usual if rng.random() < 0.75 else str(rng.choice(MARKERS))
        size = rng.uniform(*_SIZES[model])
        where = pick(rng, {"beside": 0.55, "on": 0.2, "anywhere": 0.25})
        flat = [k for k, p in enumerate(scene.tiles) if not p.standing]
        on, lift = -1, 0.0
        if where == "on" and flat:
            on = flat[int(rng.integers(len(flat)))]
            pose = scene.tiles[on]
            along = rng.uniform(-0.6, 0.6)
            x, y, lift = pose.x + along * np.sin(pose.yaw), pose.y - along * np.cos(pose.yaw), scene.style.thickness
        else:
            place = _free_place(scene, polys, things, size, rng, where == "beside")
            if place is None:
                continue
            x, y = place
        if any(np.hypot(x - t.x, y - t.y) < (size + t.size) / 2 for t in things):
            continue
        if stations and on < 0 and np.hypot(x - stations[0].x, y - stations[0].y) < stations[0].size / 2:
            lift = 0.12
        rgb, rgb2 = _marker_colours(model, rng)
        seed = int(rng.integers(2**31))
        things.append(Thing("marker", model, float(x), float(y), size, rng.uniform(0, 2 * np.pi), rgb, rgb2, seed,
                            lift=float(lift), on=on))  # fmt: skip
    return tuple(things)


def _marker_colours(model: str, rng: Rng) -> tuple[Rgb, Rgb]:
    if model == "coin":
        first, second = (np.array(_METALS[int(k)]) for k in rng.integers(len(_METALS), size=2))
        return rgb_of(first * rng.uniform(0.7, 1.15)), rgb_of(second * rng.uniform(0.8, 1.15))
    first = vivid(rng, 0.4, 1.0) if rng.random() < 0.82 else rgb_of(np.full(3, rng.uniform(15, 245)))
    return first, first if rng.random() < 0.4 else vivid(rng, 0.3, 1.0)


def _free_place(
    scene: Scene, polys: list[np.ndarray], things: list[Thing], size: float, rng: Rng, beside: bool
) -> tuple[float, float] | None:
    """A place on the table where no tile lies; None where none was found."""
    view = 0.5 * max(scene.camera.width, scene.camera.height) / _tile_px(scene)
    for _ in range(10):
        if beside and polys:
            pose = scene.tiles[int(rng.integers(len(polys)))]
            angle, away = rng.uniform(0, 2 * np.pi), rng.uniform(0.6, 1.3) + size / 2
            x, y = pose.x + away * np.cos(angle), pose.y + away * np.sin(angle)
        else:
            x, y = np.array(scene.camera.target) + rng.uniform(-view, view, 2)
        around = np.array([x, y])
        if all(_outside(around, poly, size / 2) for poly in polys) and all(
            np.hypot(x - t.x, y - t.y) > (size + t.size) / 2 for t in things
        ):
            return float(x), float(y)
    return None


def _outside(point: np.ndarray, poly: np.ndarray, distance: float) -> bool:
    """Whether a point is farther than this from a rectangle (4, 2)."""
    across, along = poly[1] - poly[0], poly[3] - poly[0]
    w, h = float(np.linalg.norm(across)), float(np.linalg.norm(along))
    u, v = float((point - poly[0]) @ across) / w, float((point - poly[0]) @ along) / h
    return u < -distance or u > w + distance or v < -distance or v > h + distance
