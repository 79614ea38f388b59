"""Lamps, windows, the sun, and rooms around the table (the HDRIs that come with Blender, CC0)."""

from __future__ import annotations

import colorsys
from functools import lru_cache
from pathlib import Path

import bpy
import numpy as np
from mathutils import Vector

from .cycles_table import extent
from .geometry import camera_position
from .scene import Scene

Rng = np.random.Generator

_ROOMS = ("city", "courtyard", "forest", "interior", "night", "studio", "sunrise", "sunset")


def add_lights(scene: Scene, rng: Rng) -> None:
    """The key light stands where the scene's shadows ask for it; the room gives the rest. Level 1 is arbitrary:
    the camera meters."""
    key = float(np.clip(scene.light.shadow, 0.1, 0.8))
    plan = str(rng.choice(["room", "lamp", "window", "sun", "dim"], p=[0.3, 0.3, 0.2, 0.1, 0.1]))
    if plan == "room":
        key *= 0.5
    elif plan == "dim":
        key = rng.uniform(0.75, 0.95)
    ambient = 1 - key
    _room(rng, ambient, warm=plan == "dim")
    dx, dy = scene.light.direction
    way = Vector((-dx, -dy, 1.0)).normalized()
    target = Vector((*scene.camera.target, 0.0))
    reach = max(extent(scene), 6.0)
    tint = _white(rng, warm=plan == "dim")
    if plan == "sun":
        data = bpy.data.lights.new("sun", "SUN")
        data.angle, data.energy = rng.uniform(0.005, 0.06), key * np.pi / way.z
        _add(data, target + way * 50, way, tint)
    else:
        far = reach * (rng.uniform(0.7, 1.2) if plan == "dim" else rng.uniform(1.2, 3.0))
        size = far * float(np.clip(scene.light.softness * 1.8, 0.05, 0.8))
        if plan == "window":
            far, size = reach * rng.uniform(1.2, 2.5), reach * rng.uniform(0.6, 1.6)
            way = Vector((way.x * 2 + 0.3, way.y * 2, rng.uniform(0.5, 1.0))).normalized()
        _area(target, way, far, size, key, tint, rng.uniform(0.3, 1.0))
    for x, y, r, strength in scene.light.glare[:2]:
        _mirrored(scene, x, y, r, strength, tint)


def _white(rng: Rng, warm: bool) -> tuple[float, float, float]:
    hue, depth = (0.09, rng.uniform(0.25, 0.5)) if warm else (rng.choice([0.1, 0.58]), abs(rng.normal(0, 0.07)))
    return colorsys.hsv_to_rgb(float(hue), min(float(depth), 0.4), 1.0)


def _add(data: bpy.types.Light, place: Vector, way: Vector, tint: tuple[float, float, float]) -> None:
    data.color = tint
    lamp = bpy.data.objects.new(data.name, data)
    lamp.location = place
    lamp.rotation_euler = way.to_track_quat("Z", "Y").to_euler()
    bpy.context.scene.collection.objects.link(lamp)


def _area(
    target: Vector, way: Vector, far: float, size: float, level: float, tint: tuple[float, float, float], shape: float
) -> None:
    """A lamp that lights a white, level thing at `target` with `level` (1: a white sky)."""
    data = bpy.data.lights.new("lamp", "AREA")
    data.shape, data.size, data.size_y = "RECTANGLE" if shape < 0.8 else "ELLIPSE", size, max(size * shape, 0.05)
    data.energy = level * np.pi * np.pi * far * far / max(way.z, 0.2)
    _add(data, target + way * far, way, tint)


def _mirrored(scene: Scene, x: float, y: float, r: float, strength: float, tint: tuple[float, float, float]) -> None:
    """A lamp that a level mirror at (x, y) of the picture would show to the camera."""
    eye = camera_position(scene.camera)
    spot = on_table(scene, x, y)
    if spot is None:
        return
    way = np.array([*spot, 0.0]) - eye
    way = way / np.linalg.norm(way)
    way[2] = -way[2]
    far = max(1.2 * extent(scene), 10.0)
    size = float(np.clip(2.5 * r * extent(scene), 0.3, far * 0.6))
    level = 0.05 + strength / 255 * 0.35
    _area(Vector((*spot, 0.0)), Vector(way), far, size, level, tint, 0.7)


def on_table(scene: Scene, x: float, y: float) -> tuple[float, float] | None:
    """The place on the table that is seen at the fractions (x, y) of the picture; None above the horizon."""
    cam = scene.camera
    ca, sa, ct, st = np.cos(cam.azimuth), np.sin(cam.azimuth), np.cos(cam.tilt), np.sin(cam.tilt)
    turn = np.array([[ca, sa, 0], [-sa, ca, 0], [0, 0, 1]]) @ np.array([[1, 0, 0], [0, ct, -st], [0, st, ct]])
    px = (x - 0.5) * cam.width - cam.offset_px[0]
    py = (y - 0.5) * cam.height - cam.offset_px[1]
    way = turn @ np.array([px / cam.focal_px, -py / cam.focal_px, -1.0])
    if way[2] > -0.05:
        return None
    eye = camera_position(cam)
    spot = eye - way * (eye[2] / way[2])
    return float(spot[0]), float(spot[1])


@lru_cache(maxsize=16)
def _level(path: str) -> float:
    """Light that falls on a level white thing under an HDRI of strength 1."""
    image = bpy.data.images.load(path)
    w, h = image.size
    values = np.empty(w * h * 4, np.float32)
    image.pixels.foreach_get(values)
    bpy.data.images.remove(image)
    luminance = values.reshape(h, w, 4)[..., :3] @ np.array([0.2126, 0.7152, 0.0722], np.float32)
    height = (np.arange(h) + 0.5) / h * np.pi - np.pi / 2
    weight = np.where(height > 0, np.sin(height) * np.cos(height), 0)
    return float((luminance.mean(1) * weight).sum() / weight.sum())


def _room(rng: Rng, level: float, warm: bool) -> None:
    world = bpy.data.worlds.new("room")
    bpy.context.scene.world = world
    world.use_nodes = True
    world.cycles.sampling_method, world.cycles.sample_map_resolution = "MANUAL", 256
    tree = world.node_tree
    back = next(n for n in tree.nodes if n.type == "BACKGROUND")
    if warm or rng.random() < 0.25:
        tone = rng.uniform(0.75, 1.0, 3) if not warm else np.array([1.0, 0.8, 0.6])
        back.inputs[0].default_value = (*tone.tolist(), 1.0)
        back.inputs[1].default_value = level
        return
    folder = Path(bpy.utils.resource_path("LOCAL")) / "datafiles" / "studiolights" / "world"
    path = str(folder / f"{rng.choice(_ROOMS)}.exr")
    strength = level / max(_level(path), 1e-3)
    node = tree.nodes.new("ShaderNodeTexEnvironment")
    node.image = bpy.data.images.load(path)
    place, turn = tree.nodes.new("ShaderNodeTexCoord"), tree.nodes.new("ShaderNodeMapping")
    turn.inputs["Rotation"].default_value = (0, 0, rng.uniform(0, 2 * np.pi))
    tree.links.new(place.outputs["Generated"], turn.inputs[0])
    tree.links.new(turn.outputs[0], node.inputs[0])
    fade = tree.nodes.new("ShaderNodeHueSaturation")  # a camera balances most of a room's colour away
    fade.inputs["Saturation"].default_value = rng.uniform(0.3, 0.9)
    tree.links.new(node.outputs[0], fade.inputs["Color"])
    tree.links.new(fade.outputs[0], back.inputs[0])
    back.inputs[1].default_value = strength
