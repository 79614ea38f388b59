"""Clutter as bodies: dice, coins, pencils, mugs, glasses, phones, beads, fingers; paper and prints lie flat.

Bodies keep clear of the tiles; flat things may lie under them, as sheets do.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import bpy
import cv2
import numpy as np
from mathutils import Matrix, Vector

from .clutter import draw_clutter
from .cycles_hands import ground
from .cycles_light import on_table
from .cycles_nodes import Nodes, albedo, picture
from .cycles_shapes import TURN, Array, box, pose_matrix, show, turned
from .cycles_table import extent
from .faces import half_pips
from .geometry import camera_position, outline, project
from .scene import Clutter, Scene

Rng = np.random.Generator

_THICKEST_ROD = 0.22
_REACH = {"die": 0.45, "coin": 0.42, "block": 0.72, "plate": 0.8}
"""Radius of the circle a body needs, in its sizes."""


def add_things(scene: Scene, table: tuple[Array, Array], rng: Rng) -> None:
    """Put every thing of the scene where the picture has it, if there is room on the table (its corners)."""
    taken = [(np.array([t.x, t.y]), t.size / 2) for t in scene.things]
    for number, item in enumerate(scene.clutter):
        spot = on_table(scene, item.x, item.y)
        own = np.random.default_rng(item.seed)
        if spot is None:
            continue
        size = item.size * extent(scene)
        at = np.array(spot)
        room = min((at - table[0]).min(), (table[1] - at).min())
        if room < (0 if item.kind == "finger" else size * 0.6):
            continue
        if item.kind not in _BODIES and item.kind != "finger":
            _flat(item, at, size, 0.004 * (number + 1), own)
            continue
        if item.kind == "finger":
            if item.above or _clear(scene, at, size * 0.6):
                _finger(item, at, size, own)
            continue
        radius = _THICKEST_ROD if item.kind == "rod" else _REACH.get(item.kind, 0.6) * size
        reach = _rod_length(size) / 2 * np.array([np.cos(item.angle), np.sin(item.angle)])
        along = np.linspace(-1, 1, 15)[:, None] * reach if item.kind == "rod" else np.zeros((1, 2))
        place = _free_place(scene, at, along, radius, taken, rng, tall=item.kind == "plate")
        if place is not None:
            taken += [(place + step, radius) for step in along]
            _BODIES[item.kind](item, place, size, own)


def _clear(scene: Scene, at: Array, radius: float) -> bool:
    polys = (ground(p, scene.style) for p in scene.tiles)
    return all(-cv2.pointPolygonTest(poly, (float(at[0]), float(at[1])), True) > radius + 0.05 for poly in polys)


def _rod_length(size: float) -> float:
    return float(np.clip(size * 2, 3, 9))


def _free_place(
    scene: Scene, at: Array, along: Array, radius: float, taken: list[tuple[Array, float]], rng: Rng, tall: bool
) -> Array | None:
    """Near `at`, away from tiles and other bodies, and from the lines of sight if it is tall.

    `along` (n, 2) are steps from the middle of a body to points that have to be clear by `radius`.
    """
    for step in range(12):
        place = at + rng.normal(0, 0.25 * step * max(radius, 0.5), 2)
        if not all(_clear(scene, place + step, radius) for step in along):
            continue
        if any(np.hypot(*(place + step - p)) < radius + r for step in along for p, r in taken):
            continue
        if tall and _hides(scene, place, radius):
            continue
        return place
    return None


def _hides(scene: Scene, at: Array, radius: float) -> bool:
    """Whether a body as high as it is wide would stand before most of a tile."""
    turns = np.linspace(0, 2 * np.pi, 12)[:, None]
    ring = np.concatenate([np.cos(turns), np.sin(turns)], 1) * radius + at
    body = np.concatenate([np.column_stack([ring, np.full(12, z)]) for z in (0.0, 1.7 * radius)])
    if camera_position(scene.camera)[2] < 3.0 * radius:
        return True
    hull = cv2.convexHull(project(scene.camera, body).astype(np.float32))
    for pose in scene.tiles:
        seen = project(scene.camera, outline(pose, scene.style))
        if sum(cv2.pointPolygonTest(hull, (float(x), float(y)), False) >= 0 for x, y in seen) > len(seen) * 0.4:
            return True
    return False


def _flat(item: Clutter, at: Array, size: float, z: float, rng: Rng) -> None:
    """The compositor's drawing as a sheet; its picture is drawn on black and on white to find where it is clear."""
    pixels = 384
    share = 0.3  # of the sheet's side; sheets and keyboards grow to about three times their size
    flat = replace(item, x=0.5, y=0.5, angle=0.0, size=share)
    black, white = np.zeros((pixels, pixels, 3), np.uint8), np.full((pixels, pixels, 3), 255, np.uint8)
    draw_clutter(black, flat)
    draw_clutter(white, flat)
    alpha = 1 - (white.astype(np.float32) - black).max(2) / 255
    nodes = Nodes(item.kind)
    node = nodes.image(picture("sheet", albedo(black), np.clip(alpha, 0, 1)))
    node.extension = "CLIP"
    nodes.link(node.outputs["Color"], nodes.bsdf.inputs["Base Color"])
    nodes.link(node.outputs["Alpha"], nodes.bsdf.inputs["Alpha"])
    nodes.set(roughness=rng.uniform(0.15, 0.4) if item.kind == "card" else rng.uniform(0.4, 0.9))
    half = size / share / 2
    mesh = bpy.data.meshes.new(item.kind)
    mesh.from_pydata([(-half, -half, 0), (half, -half, 0), (half, half, 0), (-half, half, 0)], [], [[0, 1, 2, 3]])
    uv = mesh.uv_layers.new(name="uv")
    uv.data.foreach_set("uv", [0, 0, 1, 0, 1, 1, 0, 1])
    show(mesh, [nodes], pose_matrix(at, z, item.angle))


def _coin(item: Clutter, at: Array, size: float, rng: Rng) -> None:
    r = size * 0.4
    h, e = r * rng.uniform(0.1, 0.18), r * 0.03
    profile = [(0, 0), (r, 0), (r, h - e), (r - e, h), (r * 0.9, h), (r * 0.87, h * 0.85), (0, h * 0.85)]
    metal = rng.random() < 0.8
    rgb = np.array([(200, 160, 90), (190, 190, 195), (180, 110, 70)][int(rng.integers(3))]) if metal else item.rgb
    nodes = Nodes("coin").set(rgb, rng.uniform(0.2, 0.5), 1.0 if metal else 0.0)
    noise, bump = nodes.add("ShaderNodeTexVoronoi"), nodes.add("ShaderNodeBump")
    noise.inputs["Scale"].default_value = rng.uniform(3, 8)
    bump.inputs["Distance"].default_value = 0.04 * r
    nodes.link(noise.outputs["Distance"], bump.inputs["Height"])
    nodes.link(bump.outputs[0], nodes.bsdf.inputs["Normal"])
    show(turned("coin", profile), [nodes], pose_matrix(at, 0.0, item.angle))


def _die(item: Clutter, at: Array, size: float, rng: Rng) -> None:
    side = size * 0.6
    thing = box("die", (side, side, side), side * rng.uniform(0.06, 0.2))
    numbers = list(rng.permutation([1, 2, 3, 4, 5, 6]))
    for number in numbers:
        face = np.empty((96, 96, 3), np.uint8)
        face[:] = np.clip(item.rgb, 0, 255)
        for x, y in half_pips(int(number), 0, 1.0):
            rgb = tuple(float(v) for v in item.rgb2)
            cv2.circle(face, (int(x * 1536), int(y * 1536)), 9 * 16, rgb, -1, cv2.LINE_AA, 4)
        nodes = Nodes("die").set(roughness=0.25)
        nodes.link(nodes.image(picture("die", albedo(face))).outputs["Color"], nodes.bsdf.inputs["Base Color"])
        thing.data.materials.append(nodes.material)
    thing.data.polygons.foreach_set("material_index", list(range(6)))
    thing.matrix_world = Matrix(pose_matrix(at, 0.0, item.angle).tolist())


def _rod(item: Clutter, at: Array, size: float, rng: Rng) -> None:
    """A pencil or a pen: a turned body laid down, with a point."""
    long, r = _rod_length(size), float(rng.uniform(0.1, _THICKEST_ROD))
    tip = r * rng.uniform(2, 5)
    thing = turned("rod", [(0, 0), (r, 0), (r, long * 0.9), (r, long - tip), (r * 0.12, long), (0, long)])
    body = Nodes("rod").set(item.rgb, rng.uniform(0.15, 0.5))
    end = Nodes("point").set((205, 170, 120) if rng.random() < 0.5 else item.rgb2, 0.5)
    thing.polygons.foreach_set("material_index", [int(k // TURN >= 3) for k in range(len(thing.polygons))])
    c, s = np.cos(item.angle), np.sin(item.angle)
    start = at - np.array([c, s]) * long / 2
    matrix = np.array([[0, -s, c, start[0]], [0, c, s, start[1]], [-1, 0, 0, r], [0, 0, 0, 1.0]])
    show(thing, [body, end], matrix)


def _block(item: Clutter, at: Array, size: float, rng: Rng) -> None:
    """A phone, an eraser, a matchbox: a brick with writing or a dark screen on top."""
    aspect, phone = rng.uniform(0.45, 0.9), rng.random() < 0.35
    high = size * (0.06 if phone else rng.uniform(0.12, 0.35))
    thing = box("block", (size, size * (0.5 if phone else aspect), high), size * (0.02 if phone else 0.025))
    top = np.empty((128, 192, 3), np.uint8)
    top[:] = np.clip(item.rgb, 0, 255)
    if phone:
        cv2.rectangle(top, (6, 6), (185, 121), (12, 12, 14), -1)
    else:
        word = "".join(chr(c) for c in rng.integers(65, 91, int(rng.integers(2, 8))))
        rgb = tuple(float(v) for v in item.rgb2)
        cv2.putText(top, word, (14, 80), cv2.FONT_HERSHEY_TRIPLEX, rng.uniform(0.8, 1.8), rgb, 3, cv2.LINE_AA)
    nodes = Nodes("top").set(roughness=0.06 if phone else rng.uniform(0.2, 0.7))
    nodes.link(nodes.image(picture("block", albedo(top))).outputs["Color"], nodes.bsdf.inputs["Base Color"])
    for n in (Nodes("sides").set(item.rgb, 0.4), nodes):
        thing.data.materials.append(n.material)
    thing.data.polygons.foreach_set("material_index", [0, 1, 0, 0, 0, 0])
    thing.matrix_world = Matrix(pose_matrix(at, 0.0, item.angle).tolist())


def _plate(item: Clutter, at: Array, size: float, rng: Rng) -> None:
    """A plate, a mug, a bowl or a glass."""
    r = size * rng.uniform(0.45, 0.75)
    kind = str(rng.choice(["plate", "mug", "bowl", "glass"]))
    nodes = Nodes(kind).set(item.rgb, rng.uniform(0.05, 0.4), coat=0.4)
    if kind == "plate":
        profile = [(0, 0), (r * 0.6, 0), (r, r * 0.14), (r, r * 0.17), (r * 0.62, r * 0.05), (0, r * 0.04)]
        show(turned(kind, profile, 1.2), [nodes], pose_matrix(at, 0.0, 0.0))
    elif kind == "bowl":
        outer = [(r * np.sin(t), r * 0.6 * (1 - np.cos(t))) for t in np.linspace(0.35, np.pi / 2, 7)]
        inner = [(x * 0.93, z + r * 0.05) for x, z in reversed(outer)]
        base = outer[0][1]
        show(turned(kind, [(0, base), *outer, *inner, (0, inner[-1][1])], 1.2), [nodes], pose_matrix(at, -base, 0.0))
    else:
        r *= 0.7
        h, wall = r * rng.uniform(1.4, 2.2), 0.9 if kind == "mug" else 0.94
        profile = [(0, 0), (r * 0.9, 0), (r, h * 0.08), (r, h), (r * wall, h), (r * wall, h * 0.12), (0, h * 0.1)]
        if kind == "glass":
            nodes.set((250, 250, 250), 0.02).clear()
        show(turned(kind, profile), [nodes], pose_matrix(at, 0.0, 0.0))
        if kind == "mug":
            level = h * rng.uniform(0.5, 0.9)
            drink = Nodes("drink").set([(60, 35, 20), (120, 70, 30), (200, 170, 140)][int(rng.integers(3))], 0.05)
            show(turned("drink", [(r * wall, level), (0, level)]), [drink], pose_matrix(at, 0.0, 0.0))
            _handle(nodes, at, r, h, item.angle)


def _handle(nodes: Nodes, at: Array, r: float, h: float, yaw: float) -> None:
    curve = bpy.data.curves.new("handle", "CURVE")
    curve.dimensions, curve.bevel_depth, curve.bevel_resolution = "3D", r * 0.09, 3
    line = curve.splines.new("POLY")
    turns = np.linspace(-np.pi / 2, np.pi / 2, 12)
    line.points.add(len(turns) - 1)
    for point, t in zip(line.points, turns, strict=True):
        point.co = (r * 0.97 + np.cos(t) * r * 0.45, 0, h * 0.52 + np.sin(t) * h * 0.3, 1)
    curve.materials.append(nodes.material)
    thing = bpy.data.objects.new("handle", curve)
    thing.matrix_world = Matrix(pose_matrix(at, 0.0, yaw).tolist())
    bpy.context.scene.collection.objects.link(thing)


def _finger(item: Clutter, at: Array, size: float, rng: Rng) -> None:
    """One to three fingers that come in from outside, a little over the table."""
    r = float(np.clip(size * 0.3, 0.25, 0.45))
    skin = np.array([rng.uniform(120, 235), 0, 0])
    skin[1], skin[2] = skin[0] * rng.uniform(0.62, 0.75), skin[0] * rng.uniform(0.45, 0.62)
    nodes = Nodes("skin").set(skin, 0.5)
    away = np.array([np.cos(item.angle), np.sin(item.angle)])
    side = np.array([-away[1], away[0]])
    tip = [(r * np.sin(t), r * (1 - np.cos(t))) for t in np.linspace(0, np.pi / 2, 6)]
    for k in range(int(rng.integers(1, 4))):
        mesh = turned("finger", [*tip, (r * 0.96, r * 4), (r * 1.08, r * 7), (r * 1.1, 40)], 3.0)
        rise = rng.uniform(0.15, 0.5)
        way = Vector((*(away * np.cos(rise)), np.sin(rise)))
        start = Vector((*(at + side * 2.1 * r * k - away * rng.uniform(0, r)), r + 0.55))
        matrix = Matrix.Translation(start) @ way.to_track_quat("Z", "Y").to_matrix().to_4x4()
        show(mesh, [nodes], np.array(matrix))


_BODIES: dict[str, Callable[[Clutter, Array, float, Rng], None]] = {
    "coin": _coin,
    "die": _die,
    "rod": _rod,
    "block": _block,
    "plate": _plate,
}
"""Kinds that stand on the table; any other kind is drawn flat."""
