"""Scenes made fit for bodies: no tile inside another, and hands of which every tile is well in view."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from . import layouts
from .chance import vivid
from .geometry import face_corners, project
from .sampling import Recipe, sample_scene
from .scene import Camera, Rgb, Scene, SetStyle, TilePose

Array = NDArray[np.float64]
Rng = np.random.Generator

SMALLEST_HALF = 26.0
"""Pixels along the shorter side of a half that can be read without a doubt."""
_MARGIN = 8.0
APART = 40.0
"""CIE 1976 distance from which pips can be told from the plastic; about that of the palest colours in the shops."""
EXPOSURES = (0.75, 1.2)
"""What a metered picture may be brightened or darkened by."""


def scene_for(recipe: Recipe, index: int) -> Scene:
    """The scene number `index` of a recipe, ready to be built."""
    return hand_scene(recipe, index) if recipe.hands else settled(sample_scene(recipe, index))


def settled(scene: Scene) -> Scene:
    """The same scene with tiles that would stand in each other pushed apart until they touch."""
    boxes = [_box(pose, scene.style) for pose in scene.tiles]
    places = np.array([b[0] for b in boxes]).reshape(-1, 2)
    for _ in range(60):
        moved = False
        for i in range(len(boxes)):
            for j in range(i):
                push = _push(places[i], boxes[i][1], places[j], boxes[j][1])
                if push is not None:
                    places[i] += push * 0.51
                    places[j] -= push * 0.51
                    moved = True
        if not moved:
            break
    poses = tuple(replace(p, x=float(x), y=float(y)) for p, (x, y) in zip(scene.tiles, places, strict=True))
    moved_by = places - np.array([b[0] for b in boxes]).reshape(-1, 2)
    things = tuple(
        t if t.on < 0 else replace(t, x=t.x + float(moved_by[t.on][0]), y=t.y + float(moved_by[t.on][1]))
        for t in scene.things
    )
    return replace(scene, tiles=poses, things=things)


def ground(pose: TilePose, style: SetStyle) -> NDArray[np.float32]:
    """(4, 2) corners of what a tile covers on the table, lying or standing."""
    middle, (u, v) = _box(pose, style)
    return np.array([middle - u - v, middle + u - v, middle + u + v, middle - u + v], np.float32)


def _box(pose: TilePose, style: SetStyle) -> tuple[Array, Array]:
    """Middle, and the two half sides, of the rectangle a tile covers on the table."""
    c, s = np.cos(pose.yaw), np.sin(pose.yaw)
    across, along = (style.thickness / 2, style.length / 2) if pose.standing else (0.5, style.length / 2)
    return np.array([pose.x, pose.y]), np.array([[c * across, s * across], [s * along, -c * along]])


def _push(p: Array, a: Array, q: Array, b: Array) -> Array | None:
    """The shortest way to move a rectangle out of another, or None if they are apart."""
    if np.hypot(*(p - q)) > 2.6:
        return None
    best: tuple[float, Array] | None = None
    for side in (*a, *b):
        axis = side / np.hypot(*side)
        depth = float(np.abs(a @ axis).sum() + np.abs(b @ axis).sum() - abs((p - q) @ axis))
        if depth <= 1e-4:
            return None
        if best is None or depth < best[0]:
            best = depth, axis * (1 if (p - q) @ axis >= 0 else -1)
    assert best is not None
    return best[0] * best[1]


def hand_scene(recipe: Recipe, index: int) -> Scene:
    """A hand as people count it: `recipe.hands` tiles, face up, all inside the picture and large enough to read."""
    assert recipe.hands is not None
    scene = sample_scene(recipe, index)
    # coins and beads might be markers, and fingers cover tiles
    clutter = tuple(c for c in scene.clutter if c.kind not in ("coin", "dots", "finger"))
    scene = replace(scene, clutter=clutter, things=())
    if recipe.legible:
        scene = _legible(scene, np.random.default_rng([recipe.seed, index, 3]))
    fewest, most = recipe.hands
    for attempt in range(200):
        rng = np.random.default_rng([recipe.seed, index, 1, attempt])
        n = int(rng.integers(fewest, most + 1)) - attempt // 20
        kind = scene.kind if scene.kind in layouts.LAYOUTS else "scatter"
        hand = layouts.Hand(scene.style.max_pip, rng, allow_blank_double=scene.style.divider != "none")
        poses = layouts.LAYOUTS[kind](scene.style, hand, max(n, fewest), rng)
        if len(poses) < fewest:
            continue
        laid = settled(replace(scene, tiles=tuple(poses), kind=kind))
        camera = _framed(laid, recipe, rng)
        if camera is not None:
            return replace(laid, camera=camera)
    raise RuntimeError(f"no hand of recipe {recipe.name} fits picture {index}")


def _legible(scene: Scene, rng: Rng) -> Scene:
    """The same scene with pips that can be told from the plastic, and exposed once.

    The ray tracer's picture is metered already; the exposure that the compositor needs would come on top of it, and
    wash out or drown what no camera would.
    """
    style, light = scene.style, scene.light
    inks: dict[Rgb, Rgb] = {}
    for ink in (*style.pips[1:], style.divider_rgb):
        kept = ink
        for _ in range(40):
            if _distance(kept, style.body) >= APART:
                break
            kept = vivid(rng, 0.1, 1.0)
        else:
            kept = (20.0,) * 3 if float(np.mean(style.body)) > 128 else (240.0,) * 3
        inks.setdefault(ink, kept)
    style = replace(
        style, pips=(style.pips[0], *(inks[p] for p in style.pips[1:])), divider_rgb=inks[style.divider_rgb]
    )
    return replace(scene, style=style, light=replace(light, exposure=float(np.clip(light.exposure, *EXPOSURES))))


def _distance(a: Rgb, b: Rgb) -> float:
    """How far two colours lie apart to the eye: CIE 1976, the distance in L*a*b*."""
    pair = cv2.cvtColor(np.array([[a, b]], np.float32) / 255, cv2.COLOR_RGB2Lab)[0]
    return float(np.linalg.norm(pair[0] - pair[1]))


def _framed(scene: Scene, recipe: Recipe, rng: Rng) -> Camera | None:
    """A camera that has all tiles in the picture, or None where their halves would be too small."""
    places = np.array([[p.x, p.y] for p in scene.tiles])
    middle = (places.min(0) + places.max(0)) / 2
    corners = np.concatenate([face_corners(p, scene.style) for p in scene.tiles])
    old = scene.camera
    tilt = float(min(abs(rng.normal(0, 0.33)), recipe.max_tilt))
    camera = replace(old, target=(float(middle[0]), float(middle[1])), offset_px=(0.0, 0.0), tilt=tilt)
    fill = rng.uniform(0.6, 0.93)
    size = np.array([old.width, old.height])
    distance = old.focal_px / recipe.width_px[1]
    for _ in range(60):
        camera = replace(camera, distance=max(distance, 2.2))
        seen = project(camera, corners)
        if ((seen.max(0) - seen.min(0)) <= fill * size).all():
            break
        distance *= 1.06
    room = size - (seen.max(0) - seen.min(0)) - 2 * _MARGIN
    if (room < 0).any():
        return None
    shift = _MARGIN - seen.min(0) + room * rng.uniform(0.1, 0.9, 2)
    seen = seen + shift
    quads = seen.reshape(-1, 4, 2)
    short = np.linalg.norm(np.roll(quads, -1, 1) - quads, axis=2) / [1, 2, 1, 2]
    if short.min() < SMALLEST_HALF:
        return None
    return replace(camera, offset_px=(float(shift[0]), float(shift[1])))
