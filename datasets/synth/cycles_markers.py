"""Markers and stations as bodies, and what the sidecar says of them."""

from __future__ import annotations

from dataclasses import replace

import bpy
import cv2
import numpy as np
from mathutils import Vector
from numpy.typing import NDArray

from .compositor import ThingTruth
from .cycles_nodes import Nodes, albedo, picture
from .cycles_shapes import Array, pose_matrix, show, turned
from .geometry import camera_position, project
from .scene import Camera, Scene, Thing
from .things import MODELS, Carver, ring, station_shape

Rng = np.random.Generator

_STATION_THICK = 0.03
"""Tiles lie on the table's level even where they lie in a station, so that it may only be a sheet."""
_PROBES = 15


def add_markers(scene: Scene) -> None:
    """Put the things of the game on the table."""
    for number, thing in enumerate(scene.things):
        rng = np.random.default_rng([thing.seed, 1])
        r = thing.size / 2
        lift = min(thing.lift, _STATION_THICK) if thing.on < 0 else thing.lift
        matrix = pose_matrix(np.array([thing.x, thing.y]), lift, thing.yaw)
        name = _name(number)
        glossy = Nodes("marker").set(thing.rgb, rng.uniform(0.1, 0.5), coat=rng.uniform(0, 0.5))
        if thing.model == "bead":
            flat = rng.uniform(0.55, 1.0)
            turns = np.linspace(-np.pi / 2, np.pi / 2, 13)
            profile = [(r * np.cos(t), r * flat * (1 + np.sin(t))) for t in turns]
            if rng.random() < 0.4:
                glossy.bsdf.inputs["Transmission Weight"].default_value = 0.6
            show(turned(name, profile, 3.0), [glossy], matrix)
        elif thing.model == "peg":
            show(turned(name, _pawn(r, rng), 0.9), [glossy], matrix)
        elif thing.model == "train":
            _locomotive(name, thing, r, glossy, matrix, rng)
        else:
            thick = {"coin": 0.16 * r, "button": 0.22 * r}.get(thing.model, _STATION_THICK)
            shape = ring(r, 40) if thing.kind == "marker" else station_shape(thing.model, r)
            top = Nodes("top")
            top.link(top.image(picture("thing", albedo(_from_above(scene, thing)))).outputs[0], top.bsdf.inputs[0])
            metal = 0.85 if thing.model == "coin" else 0.0
            rough = rng.uniform(0.25, 0.5)
            top.set(roughness=rough, metal=metal)
            side = Nodes("side").set(thing.rgb, rough, metal)
            show(_prism(name, shape, thick, r), [top, side], matrix)


def _name(number: int) -> str:
    return f"thing {number}"


def _from_above(scene: Scene, thing: Thing) -> NDArray[np.uint8]:
    """The compositor's drawing of a flat thing, straight from above: (n, n, 3), as wide as the thing."""
    pixels, far = 160 if thing.kind == "marker" else 420, 400.0
    camera = Camera(pixels, pixels, pixels / thing.size * far, far, 0.0, 0.0, (0.0, 0.0), (0.0, 0.0))
    image = np.zeros((pixels, pixels, 3), np.uint8)
    image[:] = np.clip(thing.rgb, 0, 255)
    still = replace(thing, x=0.0, y=0.0, yaw=0.0, lift=0.0)
    carver = Carver(image, replace(scene, camera=camera), still)
    MODELS[thing.model](carver, thing.size / 2, np.array(thing.rgb), np.array(thing.rgb2))
    return image


def _prism(name: str, shape: Array, thick: float, r: float) -> bpy.types.Mesh:
    n = len(shape)
    points = [(float(x), float(y), z) for z in (thick, 0.0) for x, y in shape]
    sides = [[k, k + n, (k + 1) % n + n, (k + 1) % n] for k in range(n)]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, [], [list(range(n)), *sides])
    mesh.polygons.foreach_set("material_index", [0] + [1] * n)
    uv = mesh.uv_layers.new(name="uv")
    corner = np.empty(len(mesh.loops), np.int32)
    mesh.loops.foreach_get("vertex_index", corner)
    places = np.concatenate([shape, shape]) / (2 * r) + 0.5
    uv.data.foreach_set("uv", places[corner].ravel().tolist())
    return mesh


def _pawn(r: float, rng: Rng) -> list[tuple[float, float]]:
    tall, head = r * rng.uniform(2.2, 3.4), r * rng.uniform(0.48, 0.55)
    middle = tall - head
    ball = [(head * np.cos(t), middle + head * np.sin(t)) for t in np.linspace(-1.1, np.pi / 2, 9)]
    return [(0, 0), (r, 0), (r, tall * 0.07), (r * 0.85, tall * 0.12), (r * 0.35, tall * 0.62), *ball]


def _locomotive(name: str, thing: Thing, r: float, body: Nodes, matrix: Array, rng: Rng) -> None:
    """A toy: frame on wheels, boiler, cab with a roof, chimney."""
    wide, wheel, tall = r * rng.uniform(0.4, 0.6), r * rng.uniform(0.2, 0.3), r * rng.uniform(0.75, 1.1)
    second, dark = Nodes("cab").set(thing.rgb2, 0.4), Nodes("wheels").set((28, 28, 28), 0.5)

    def brick(x0: float, x1: float, y: float, z0: float, z1: float, nodes: Nodes) -> None:
        at = [(a, b, c) for c in (z0, z1) for a, b in ((x0, -y), (x1, -y), (x1, y), (x0, y))]
        sides = [[k, (k + 1) % 4, (k + 1) % 4 + 4, k + 4] for k in range(4)]
        mesh = bpy.data.meshes.new(name)
        mesh.from_pydata(at, [], [[3, 2, 1, 0], [4, 5, 6, 7], *sides])
        show(mesh, [nodes], matrix, bevel=0.04 * r)

    brick(-r, r, wide, wheel, wheel * 1.8, body)
    brick(-r * 0.98, -r * 0.25, wide, wheel * 1.8, tall * 1.25, second)
    brick(-r * 1.05, -r * 0.19, wide * 1.1, tall * 1.25, tall * 1.35, dark)
    boiler = turned(name, [(0, -r * 0.25), (wide * 0.7, -r * 0.25), (wide * 0.7, r * 0.95), (0, r * 0.95)])
    lying = np.array([[0, 0, 1, 0], [0, 1, 0, 0], [-1, 0, 0, wheel * 1.8 + wide * 0.6], [0, 0, 0, 1.0]])
    show(boiler, [body], matrix @ lying)
    chimney = turned(name, [(0, wheel * 2), (r * 0.13, wheel * 2), (r * 0.2, tall * 1.45), (0, tall * 1.45)])
    ahead = np.eye(4)
    ahead[0, 3] = 0.65 * r
    show(chimney, [second], matrix @ ahead)
    for x in np.linspace(-0.65, 0.65, int(rng.integers(2, 4))) * r:
        for y in (-wide, wide):
            disc = turned(name, [(0, -0.05 * r), (wheel, -0.05 * r), (wheel, 0.05 * r), (0, 0.05 * r)])
            at = np.array([[1, 0, 0, x], [0, 0, 1, y], [0, -1, 0, wheel], [0, 0, 0, 1.0]])
            show(disc, [dark], matrix @ at)


def things_truth(scene: Scene) -> tuple[ThingTruth, ...]:
    """Box and visible share of every thing, found by rays as for the tiles."""
    found = []
    for number, thing in enumerate(scene.things):
        bodies = [o for o in bpy.context.scene.objects if o.name.split(".")[0] == _name(number)]
        points = np.concatenate([np.array([(o.matrix_world @ v.co)[:] for v in o.data.vertices]) for o in bodies])
        hull = cv2.convexHull(project(scene.camera, points).astype(np.float32))[:, 0]
        size = np.array([scene.camera.width, scene.camera.height])
        if (hull.max(0) < 0).any() or (hull.min(0) > size).any() or (np.ptp(hull, 0) > 4 * size).any():
            continue
        (x0, y0), (x1, y1) = hull.min(0), hull.max(0)
        upright = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
        corners = cv2.boxPoints(cv2.minAreaRect(hull)) if thing.model == "train" else upright
        box = tuple((float(x), float(y)) for x, y in corners)
        found.append(ThingTruth(thing.kind, thing.model, box, _share(scene, thing, hull, number)))
    return tuple(found)


def _share(scene: Scene, thing: Thing, hull: NDArray[np.float32], number: int) -> float:
    """Share of the thing that is in the picture and not behind anything."""
    cam, graph, eye = scene.camera, bpy.context.evaluated_depsgraph_get(), camera_position(scene.camera)
    middle = np.array([thing.x, thing.y, thing.lift])
    beyond = float(np.linalg.norm(middle - eye)) + thing.size / 2
    ours = hidden = outside = 0
    low, high = hull.min(0), hull.max(0)
    for u in (np.arange(_PROBES) + 0.5) / _PROBES:
        for v in (np.arange(_PROBES) + 0.5) / _PROBES:
            at = low + (high - low) * [u, v]
            if cv2.pointPolygonTest(hull, (float(at[0]), float(at[1])), False) < 0:
                continue
            if (at < 0).any() or (at >= [cam.width, cam.height]).any():
                outside += 1
                continue
            hit, where, _, _, body, _ = bpy.context.scene.ray_cast(graph, Vector(eye), Vector(_way(cam, at)))
            if hit and body.name.split(".")[0] == _name(number):
                ours += 1
            elif hit and where.z > 0.02 and float(np.linalg.norm(np.array(where) - eye)) < beyond:
                hidden += 1
    return ours / max(1, ours + hidden + outside)


def _way(cam: Camera, pixel: Array) -> Array:
    """Direction of the ray through a pixel."""
    ca, sa, ct, st = np.cos(cam.azimuth), np.sin(cam.azimuth), np.cos(cam.tilt), np.sin(cam.tilt)
    turn = np.array([[ca, sa, 0], [-sa, ca, 0], [0, 0, 1]]) @ np.array([[1, 0, 0], [0, ct, -st], [0, st, ct]])
    x, y = pixel - np.array([cam.width / 2, cam.height / 2]) - cam.offset_px
    way = turn @ np.array([x / cam.focal_px, -y / cam.focal_px, -1.0])
    return way / np.linalg.norm(way)
