"""What lies on the table besides tiles and belongs to the game: markers and the station, drawn from simple solids.

Every solid is a right prism or a cone over a shape on the table, given in tile widths around the thing's own middle.
The rule for labels: a coin, train, peg, bead or button anywhere on the table is a marker, whoever put it there;
round things under 0.3 tile widths are crumbs and none.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from .geometry import project
from .scene import Camera, Scene, Thing

Image = NDArray[np.uint8]
Owner = NDArray[np.int16]
Array = NDArray[np.float64]
Rng = np.random.Generator

FIRST_OWNER = 8000
"""Numbers of things in the map of owners start here; those below are halves of tiles."""

MARKERS = ("coin", "train", "peg", "bead", "button")
STATIONS = ("round", "star", "octagon")


class Carver:
    """Paints solids of one thing, from the lowest to the highest, and keeps their outline."""

    def __init__(self, image: Image, scene: Scene, thing: Thing) -> None:
        self.image, self.scene, self.thing = image, scene, thing
        self.rng = np.random.default_rng(thing.seed)
        self.outline: list[NDArray[np.float32]] = []
        lamp = np.array([-scene.light.direction[0], -scene.light.direction[1], 1.0])
        self._lamp = lamp / np.linalg.norm(lamp)

    def place(self, shape: Array, z: float) -> Array:
        """Points (n, 2) of the thing's own plane at height z -> (n, 2) pixels."""
        return project(self.scene.camera, _placed(self.thing, shape, z))

    def solid(self, low: Array, high: Array, z0: float, z1: float, rgb: Array, part: bool = True) -> None:
        """A body with base `low` at z0 and top `high` at z1."""
        base, top = self.place(low, z0), self.place(high, z1)
        hull = cv2.convexHull(np.concatenate([base, top]).astype(np.float32))[:, 0]
        if part:
            self.outline.append(hull)
        side = 0.55 + 0.2 * float(self._lamp[0])
        if len(low) == len(high) and not cv2.isContourConvex(np.round(top * 16).astype(np.int32)):
            ahead = (np.arange(len(low)) + 1) % len(low)
            for wall in np.stack([base, base[ahead], top[ahead], top], 1):
                self._fill(wall, rgb * side)
        else:
            self._fill(hull, rgb * side)
        self._fill(top, rgb * float(np.clip(0.72 + 0.3 * self._lamp[2], 0.6, 1.05)))

    def flat(self, shape: Array, z: float, rgb: Array) -> None:
        """Paint on a face at height z."""
        self._fill(self.place(shape, z), rgb)

    def line(self, shape: Array, z: float, rgb: Array, thick: float) -> None:
        """An open line on a face at height z, `thick` in tile widths."""
        px = self.scene.camera.focal_px / self.scene.camera.distance
        points = np.round(self.place(shape, z) * 16).astype(np.int32)
        cv2.polylines(self.image, [points], False, _colour(rgb), max(1, round(thick * px)), cv2.LINE_AA, 4)

    def _fill(self, points: Array | NDArray[np.float32], rgb: Array) -> None:
        cv2.fillPoly(self.image, [np.round(points * 16).astype(np.int32)], _colour(rgb), cv2.LINE_AA, 4)


def _colour(rgb: Array) -> tuple[float, float, float]:
    r, g, b = (float(v) for v in np.clip(rgb, 0, 255))
    return (r, g, b)


def _placed(thing: Thing, shape: Array, z: float) -> Array:
    c, s = np.cos(thing.yaw), np.sin(thing.yaw)
    flat = shape @ np.array([[c, s], [-s, c]]) + [thing.x, thing.y]
    return np.column_stack([flat, np.full(len(flat), thing.lift + z)])


def ring(radius: float, n: int = 28, x: float = 0.0, y: float = 0.0) -> Array:
    """A circle, (n, 2)."""
    t = np.linspace(0, 2 * np.pi, n, endpoint=False)
    return np.column_stack([x + radius * np.cos(t), y + radius * np.sin(t)])


def box(x0: float, x1: float, y0: float, y1: float) -> Array:
    """A rectangle, (4, 2)."""
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])


def _coin(c: Carver, r: float, rgb: Array, rgb2: Array) -> None:
    thick = 0.16 * r
    c.solid(ring(r), ring(r), 0, thick, rgb)
    if c.rng.random() < 0.35:  # two metals
        c.flat(ring(r * c.rng.uniform(0.65, 0.75)), thick, rgb2)
        rgb = rgb2
    c.flat(ring(r * 0.86), thick, rgb * 0.86)
    c.flat(ring(r * 0.82), thick, rgb)
    relief = c.rng.normal(0, 0.22 * r, (9, 2)) + np.array([0.08 * r, 0])
    hull = cv2.convexHull(relief.astype(np.float32))[:, 0].astype(float)
    c.flat(hull, thick, rgb * c.rng.uniform(0.75, 0.9))
    c.flat(hull * 0.8 + 0.03 * r, thick, rgb * 1.12)
    for k in range(int(c.rng.integers(0, 12))):
        angle = 0.5 * k
        at = np.array([np.cos(angle), np.sin(angle)]) * r * 0.68
        c.line(np.array([at * 0.95, at * 1.05]), thick, rgb * 0.7, 0.03)


def _button(c: Carver, r: float, rgb: Array, rgb2: Array) -> None:
    thick = 0.22 * r
    c.solid(ring(r), ring(r * 0.97), 0, thick, rgb)
    c.flat(ring(r * 0.72), thick, rgb * 0.85)
    c.flat(ring(r * 0.66), thick, rgb * 0.95)
    n = 4 if c.rng.random() < 0.65 else 2
    for k in range(n):
        angle = 2 * np.pi * k / n + 0.4
        c.flat(ring(r * 0.13, 10, 0.27 * r * np.cos(angle), 0.27 * r * np.sin(angle)), thick, rgb2 * 0.3)
    if c.rng.random() < 0.3:
        c.line(np.array([[-0.2 * r, -0.1 * r], [0.2 * r, 0.1 * r]]), thick, rgb2, 0.06)


def _bead(c: Carver, r: float, rgb: Array, _rgb2: Array) -> None:
    """A ball or a drop of glass: darker at the rim, light where it shines through, a bright spot."""
    flatness = c.rng.uniform(0.5, 1.0)
    for k in np.linspace(0, 1, 5):
        z = r * flatness * (1 + np.sin(np.pi / 2 * (2 * k - 1)))
        size = r * np.cos(np.pi / 2 * (2 * k - 1) * 0.8)
        c.solid(ring(size, 20), ring(size, 20), z * 0.9, z, rgb * (0.75 + 0.25 * k))
    top = 2 * r * flatness
    c.flat(ring(r * 0.75, 20, -0.1 * r, 0.12 * r), top * 0.8, rgb * 1.05 + 8)
    c.flat(ring(r * 0.5, 20, -0.2 * r, -0.2 * r), top * 0.85, rgb * 1.25 + 20)
    c.flat(ring(r * 0.16, 10, 0.25 * r, 0.3 * r), top, np.full(3, 250.0))
    if c.rng.random() < 0.3:
        c.flat(ring(r * 0.18, 10), top, rgb * 0.2)


def _peg(c: Carver, r: float, rgb: Array, _rgb2: Array) -> None:
    """A pawn: foot, cone, head."""
    tall = r * c.rng.uniform(2.2, 3.4)
    c.solid(ring(r), ring(r * 0.9), 0, tall * 0.1, rgb)
    c.solid(ring(r * 0.8), ring(r * 0.35), tall * 0.1, tall * 0.7, rgb)
    for k in (-0.8, -0.3, 0.3, 0.8):
        head = r * c.rng.uniform(0.5, 0.54)
        size = head * np.sqrt(1 - k * k * 0.8)
        z = tall * 0.78 + head * k
        c.solid(ring(size, 18), ring(size, 18), z, z + head * 0.3, rgb * (0.95 + 0.12 * k))
    c.flat(ring(r * 0.14, 10, 0.12 * r, 0.15 * r), tall, rgb * 0.4 + 150)


def _train(c: Carver, r: float, rgb: Array, rgb2: Array) -> None:
    """A toy locomotive: frame on wheels, boiler, cab with a roof, chimney."""
    wide = r * c.rng.uniform(0.4, 0.6)
    wheel = r * c.rng.uniform(0.2, 0.3)
    tall = r * c.rng.uniform(0.75, 1.1)
    dark = np.full(3, 28.0) if c.rng.random() < 0.6 else rgb2 * 0.6
    for x in np.linspace(-0.65, 0.65, int(c.rng.integers(2, 4))) * r:
        for y in (-wide * 1.05, wide * 1.05):
            c.solid(box(x - wheel, x + wheel, y - 0.04, y + 0.04), box(x - wheel, x + wheel, y - 0.04, y + 0.04), 0,
                    wheel * 1.7, dark)  # fmt: skip
    frame = box(-r, r, -wide, wide)
    c.solid(frame, frame, wheel, wheel * 1.8, rgb * 0.8)
    boiler, back = box(-r * 0.25, r * 0.95, -wide * 0.75, wide * 0.75), r * -0.25
    c.solid(boiler, box(-r * 0.25, r * 0.95, -wide * 0.4, wide * 0.4), wheel * 1.8, tall, rgb)
    c.solid(box(-r * 0.98, back, -wide, wide), box(-r * 0.98, back, -wide, wide), wheel * 1.8, tall * 1.25, rgb2)
    roof = box(-r * 1.05, back + 0.06 * r, -wide * 1.1, wide * 1.1)
    c.solid(roof, roof, tall * 1.25, tall * 1.35, rgb if c.rng.random() < 0.5 else dark)
    thin, broad = ring(r * 0.13, 14, 0.65 * r), ring(r * 0.2, 14, 0.65 * r)
    c.solid(thin, broad, tall, tall * 1.45, dark if c.rng.random() < 0.5 else rgb2)
    c.flat(ring(r * 0.11, 12, 0.65 * r), tall * 1.45, np.full(3, 15.0))
    if c.rng.random() < 0.6:
        c.solid(ring(r * 0.15, 12, 0.2 * r), ring(r * 0.08, 12, 0.2 * r), tall, tall * 1.2, rgb2)


def station_shape(model: str, r: float) -> Array:
    """The rim of a station of radius r."""
    if model == "octagon":
        c, k = np.cos(np.pi / 8), np.sin(np.pi / 8)
        return ring(r, 8) @ np.array([[c, k], [-k, c]])  # its sides face the trains
    if model == "star":
        points = ring(r, 32)
        points[1::2] *= 0.86  # sixteen shallow points; the hull of a star would hide its slots
        return points
    return ring(r, 48)


def _station(c: Carver, r: float, rgb: Array, rgb2: Array) -> None:
    """The hub: a plate with a place for the engine in the middle and slots all around in which trains begin."""
    thing, thick = c.thing, c.rng.choice([0.04, 0.12, 0.22])
    shape = station_shape(thing.model, r)
    c.solid(shape, shape, 0, thick, rgb)
    grain = rgb * c.rng.uniform(0.82, 0.94)
    style = c.rng.choice(["plain", "wood", "printed"])
    if style == "wood":
        for y in np.linspace(-0.85, 0.85, 12) * r:
            x = np.sqrt(max(0.0, (0.86 * r) ** 2 - y * y))
            c.line(np.array([[-x, y], [0, y + c.rng.normal(0, 0.03)], [x, y]]), thick, grain, 0.03)
    elif style == "printed":
        c.flat(station_shape(thing.model, r * 0.93), thick, rgb2)
        c.flat(station_shape(thing.model, r * 0.88), thick, rgb)
    depth = rgb * c.rng.uniform(0.4, 0.7) if c.rng.random() < 0.6 else rgb2
    wide = min(0.56, 0.9 * np.pi * r * 0.8 / max(thing.slots, 1) / 2)
    inner = max(0.62 * r, r - 0.8)
    rim = {"round": 0.97, "octagon": 0.9, "star": 0.84}[thing.model] * r
    outer = np.sqrt(rim**2 - wide**2)  # slots end within the rim
    for k in range(thing.slots):
        angle = 2 * np.pi * k / thing.slots
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        slot = box(min(inner, 0.9 * outer), outer, -wide, wide) @ turn
        c.flat(slot, thick, depth)
        if style != "plain":
            c.line(slot[[3, 0, 1, 2]], thick, rgb * 0.5, 0.03)
        if c.rng.random() < 0.5:
            c.flat(ring(0.09, 10) + np.array([inner * 0.93, 0]) @ turn, thick, rgb2)
    middle = box(-0.55, 0.55, -1.06, 1.06)
    if r > 1.15:
        c.flat(middle, thick, rgb * 0.6)
        c.flat(middle * 0.95, thick, depth)


MODELS: dict[str, Callable[[Carver, float, Array, Array], None]] = {
    "coin": _coin,
    "train": _train,
    "peg": _peg,
    "bead": _bead,
    "button": _button,
    "round": _station,
    "star": _station,
    "octagon": _station,
}
"""What can be drawn; the first five are markers, the others stations."""


def footing(thing: Thing, camera: Camera, direction: tuple[float, float]) -> tuple[Array, Array]:
    """Where a thing touches the table and where its shadow falls, as pixels; both may be filled as hulls."""
    r = thing.size / 2
    low = _placed(thing, ring(r * 0.95, 16), 0.0)
    height = {"train": 1.1, "peg": 2.4, "bead": 1.4, "coin": 0.16, "button": 0.22}.get(thing.model, 0.1) * r
    top = _placed(thing, ring(r * 0.6 if thing.model in ("peg", "bead") else r * 0.8, 16), height)
    top[:, :2] += np.array(direction) * (top[:, 2:3] - thing.lift)
    top[:, 2] = thing.lift
    return project(camera, low), project(camera, np.concatenate([low, top]))


def draw_thing(image: Image, owner: Owner, scene: Scene, number: int) -> tuple[Array, float] | None:
    """Draw thing `number` of the scene; its (4, 2) box and the area it covers in pixels, None out of view."""
    thing = scene.things[number]
    carver = Carver(image, scene, thing)
    far = carver.place(ring(thing.size, 8), 0.0)
    size = np.array([scene.camera.width, scene.camera.height])
    if (far.max(0) < 0).any() or (far.min(0) > size).any() or (np.ptp(far, 0) > 4 * size).any():
        return None
    MODELS[thing.model](carver, thing.size / 2, np.array(thing.rgb), np.array(thing.rgb2))
    hull = cv2.convexHull(np.concatenate(carver.outline))[:, 0]
    mine = np.zeros_like(owner, np.uint8)
    for part in carver.outline:
        cv2.fillConvexPoly(owner, np.round(part).astype(np.int32), FIRST_OWNER + number)
        cv2.fillConvexPoly(mine, np.round(part).astype(np.int32), 1)
    if thing.model == "train":
        corners = cv2.boxPoints(cv2.minAreaRect(hull))
    else:  # round things have no angle of their own: an upright box
        (x0, y0), (x1, y1) = hull.min(0), hull.max(0)
        corners = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
    frame = np.array([[0, 0], [size[0], 0], size, [0, size[1]]], np.float32)
    inside = cv2.intersectConvexConvex(hull, frame)[0]
    area = float(cv2.contourArea(hull))
    outside = max(area, 1.0) / max(inside, 1e-3)
    return np.asarray(corners, float), max(1.0, float(mine.sum())) * outside
