"""What the tiles lie on, as matter: the compositor's own patterns with roughness and relief, and the room below."""

from __future__ import annotations

import bpy
import cv2
import numpy as np

from .cycles_nodes import Nodes, albedo, picture
from .scene import Scene
from .surfaces import draw_surface

Rng = np.random.Generator

_ROUGH = {
    "wood": (0.2, 0.6), "plain": (0.15, 0.9), "cloth": (0.85, 1.0), "checks": (0.6, 1.0), "pattern": (0.5, 1.0),
    "leather": (0.3, 0.6), "marble": (0.05, 0.3), "speckle": (0.15, 0.6), "carpet": (0.95, 1.0), "grass": (0.6, 0.9),
    "floor": (0.1, 0.5), "shapes": (0.2, 0.9), "photo": (0.2, 0.9),
}  # fmt: skip
_RELIEF = {"cloth": 0.02, "carpet": 0.06, "leather": 0.02, "grass": 0.1, "wood": 0.012, "floor": 0.02, "checks": 0.01}
"""Height of the texture in tile widths."""


def extent(scene: Scene) -> float:
    """How much of the table the longer side of the picture shows, in tile widths."""
    cam = scene.camera
    return max(cam.width, cam.height) * cam.distance / cam.focal_px


def add_table(scene: Scene, rng: Rng) -> tuple[np.ndarray, np.ndarray]:
    """A table top, mostly endless, sometimes with its edge in the picture and a floor under it; its lowest and
    highest x and y."""
    surface, cam = scene.surface, scene.camera
    pixels = int(np.clip(1.6 * max(cam.width, cam.height), 512, 1280))
    image = draw_surface(surface, pixels, pixels).astype(np.float32)
    side = 1.6 * extent(scene)
    nodes = Nodes("table")
    rough = float(rng.uniform(*_ROUGH.get(surface.kind, (0.3, 0.9))))
    metal = 1.0 if surface.kind == "plain" and rng.random() < 0.06 else 0.0
    nodes.set(roughness=max(rough, 0.25) if metal else rough, metal=metal)
    if (surface.kind == "wood" and rng.random() < 0.35) or (surface.kind == "plain" and rng.random() < 0.1):
        nodes.bsdf.inputs["Coat Weight"].default_value = rng.uniform(0.3, 1.0)  # varnish, a sheet of glass
        nodes.bsdf.inputs["Coat Roughness"].default_value = rng.uniform(0.02, 0.25)
    place, scale = nodes.add("ShaderNodeNewGeometry"), nodes.add("ShaderNodeMapping")
    scale.inputs["Scale"].default_value = (1 / side, 1 / side, 1)
    middle = np.array([*cam.target, 0.0])
    scale.inputs["Location"].default_value = (0.5 - middle[0] / side, 0.5 - middle[1] / side, 0)
    nodes.link(place.outputs["Position"], scale.inputs[0])
    colour = nodes.image(picture("table", albedo(image)))
    colour.extension = "MIRROR"
    nodes.link(scale.outputs[0], colour.inputs[0])
    nodes.link(colour.outputs["Color"], nodes.bsdf.inputs["Base Color"])
    relief = _RELIEF.get(surface.kind, 0.0) * rng.uniform(0.4, 1.4)
    if relief:
        grey = cv2.cvtColor(image / 255, cv2.COLOR_RGB2GRAY)
        grey = (grey - grey.mean()) / max(float(grey.std()), 1e-3)
        height = nodes.image(picture("relief", np.repeat(grey[..., None] * np.float32(relief * 0.5), 3, 2)))
        height.extension = "MIRROR"
        nodes.link(scale.outputs[0], height.inputs[0])
        bump = nodes.add("ShaderNodeBump")
        bump.inputs["Distance"].default_value, bump.inputs["Strength"].default_value = 1.0, 0.8
        nodes.link(height.outputs["Color"], bump.inputs["Height"])
        nodes.link(bump.outputs[0], nodes.bsdf.inputs["Normal"])
    low, high = _bounds(scene)
    if rng.random() < 0.25:
        reach = rng.uniform(0.1, 0.6, 4) * max(extent(scene), 8.0)
        low, high = low - reach[:2], high + reach[2:]
        floor = Nodes("floor").set(rng.uniform(25, 190) + rng.normal(0, 15, 3), 0.7)
        _slab("floor", middle[:2] - 400, middle[:2] + 400, -30.0, floor)
    else:
        low, high = middle[:2] - 200, middle[:2] + 200
    _slab("table", low, high, 0.0, nodes)
    return low, high


def _bounds(scene: Scene) -> tuple[np.ndarray, np.ndarray]:
    points = np.array([scene.camera.target, *([p.x, p.y] for p in (*scene.tiles, *scene.things))])
    return points.min(0) - 1.2, points.max(0) + 1.2


def _slab(name: str, low: np.ndarray, high: np.ndarray, top: float, nodes: Nodes) -> None:
    (x0, y0), (x1, y1), z = low, high, top - 1.2
    corners = [(x, y, h) for h in (top, z) for x, y in ((x0, y0), (x1, y0), (x1, y1), (x0, y1))]
    sides = [[k, k + 4, (k + 1) % 4 + 4, (k + 1) % 4] for k in range(4)]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata([tuple(float(v) for v in c) for c in corners], [], [[0, 1, 2, 3], [7, 6, 5, 4], *sides])
    mesh.materials.append(nodes.material)
    bpy.context.scene.collection.objects.link(bpy.data.objects.new(name, mesh))
