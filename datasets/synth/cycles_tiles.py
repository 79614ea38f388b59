"""Tiles as bodies: a rounded brick of two layers with bevelled edges, its face painted and engraved."""

from __future__ import annotations

from dataclasses import replace

import bpy
import cv2
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

from .cycles_nodes import Nodes, albedo, picture
from .faces import draw_back, draw_face
from .geometry import frame
from .scene import Scene, SetStyle, TilePose

Array = NDArray[np.float64]
Rng = np.random.Generator

_WHITE, _BLACK = (255.0, 255.0, 255.0), (0.0, 0.0, 0.0)
_ROUND, _RINGS = 6, 4
"""Steps of a corner and of a bevel."""
_DEPTH = {"flat": 0.0, "engraved": -0.55, "ringed": -0.25, "domed": 0.4, "socket": -0.6}
"""How far a pip stands out, in its radii."""


def add_tiles(scene: Scene, rng: Rng) -> None:
    """Put the tiles of a scene on the table; faces share one atlas."""
    if not scene.tiles:
        return
    style = scene.style
    px = scene.camera.focal_px / scene.camera.distance
    width = int(np.clip(px * 1.7, 40, 300))
    cells = [
        _face(style, pose, width, np.random.default_rng([*scene.seed, 3, k])) for k, pose in enumerate(scene.tiles)
    ]
    cells.append(_back(style, width, np.random.default_rng([*scene.seed, 4])))
    colours, reliefs, places = _atlas(cells)
    matters = _materials(scene, colours, reliefs, rng)
    for k, pose in enumerate(scene.tiles):
        face, back = places[k], places[-1]
        turned = not pose.face_up and not pose.standing
        mesh = _mesh(style, *((back, face) if turned else (face, back)), swapped=turned)
        for matter in matters:
            mesh.materials.append(matter)
        thing = bpy.data.objects.new(f"tile {k}", mesh)
        middle, across, along, outward = frame(pose, style)
        matrix = np.eye(4)
        matrix[:3, :4] = np.stack([across, -along, outward, middle], 1)
        thing.matrix_world = Matrix(matrix.tolist())
        bpy.context.scene.collection.objects.link(thing)


def _face(style: SetStyle, pose: TilePose, width: int, rng: Rng) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Colour (h, w, 3), and relief (h, w, 3): height in tile widths, roughness added, metal 0..1."""
    seed = int(rng.integers(2**31))
    still = np.zeros(2)

    def draw(**changes: object) -> NDArray[np.uint8]:
        painted = replace(style, **changes)  # type: ignore[arg-type]
        return draw_face(painted, pose.a, pose.b, width, still, np.random.default_rng(seed))

    count = len(style.pips)
    kind = style.pip_kind if style.pip_kind in ("ringed", "socket") else "flat"
    colour = draw(pip_kind=kind)
    clear = {"body": _WHITE, "pip_kind": "flat"}
    pips = _dark(draw(**clear, pips=(_BLACK,) * count, divider_rgb=_WHITE)[..., 0])
    lines = _dark(draw(**clear, pips=(_WHITE,) * count, divider_rgb=_BLACK)[..., 0], 190)
    rivet = _dark(draw(**clear, pips=(_WHITE,) * count, divider_rgb=_WHITE)[..., 2], 190)
    if style.texture != "plain":  # grain is no line
        lines, rivet = (cv2.morphologyEx(m, cv2.MORPH_OPEN, np.ones((3, 3))) for m in (lines, rivet))
    radius = style.pip_radius if max(pose.a, pose.b) < 10 else style.dense_radius
    inner = cv2.distanceTransform((pips > 0.5).astype(np.uint8), cv2.DIST_L2, 5) / max(1.0, radius * width)
    inner = np.clip(cv2.GaussianBlur(inner, (0, 0), 0.7), 0, 1)
    depth = _DEPTH.get(style.pip_kind, -0.3) * radius
    if style.pip_kind == "ringed":
        height = depth * np.sin(np.clip(inner * 2.5, 0, 1) * np.pi)
    elif style.pip_kind == "socket":
        height = depth * np.clip(inner * 4, 0, 1)
    else:
        height = depth * (1 - (1 - inner) ** 2)
    height = height - lines * (0.035 if style.divider == "groove" else 0.012)
    dome = cv2.distanceTransform((rivet > 0.5).astype(np.uint8), cv2.DIST_L2, 5) / max(1.0, 0.05 * width)
    height = height + 0.02 * (1 - (1 - np.clip(dome, 0, 1)) ** 2)
    if style.pip_kind in ("engraved", "socket"):  # little light gets to the wall of a bowl
        wall = pips * (1 - np.clip(inner * 2.2, 0, 1))
        colour = (colour * (1 - 0.3 * wall)[..., None]).astype(np.uint8)
    rough = rng.uniform(-0.08, 0.2) * pips + _smudges(rng, *pips.shape)
    return colour, np.stack([height, rough, rivet], -1).astype(np.float32)


def _dark(values: NDArray[np.uint8], limit: float = 128) -> NDArray[np.float32]:
    return np.clip((limit + 30 - values.astype(np.float32)) / 60, 0, 1)


def _smudges(rng: Rng, h: int, w: int) -> NDArray[np.float32]:
    """Fingers leave a film that mirrors less."""
    film = cv2.resize(rng.standard_normal((7, 4), np.float32), (w, h), interpolation=cv2.INTER_CUBIC)
    return film * np.float32(rng.uniform(0, 0.06))


def _back(style: SetStyle, width: int, rng: Rng) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    colour = draw_back(style, width, rng)
    relief = np.zeros((*colour.shape[:2], 3), np.float32)
    if style.back_kind != "plain" and rng.random() < 0.6:  # stamped, not printed
        mark = np.abs(colour.astype(np.float32) - np.array(style.back, np.float32)).max(2)
        relief[..., 0] = -0.02 * cv2.GaussianBlur(np.clip((mark - 25) / 40, 0, 1), (0, 0), 0.8)
    relief[..., 1] = _smudges(rng, *colour.shape[:2])
    return colour, relief


def _atlas(
    cells: list[tuple[NDArray[np.uint8], NDArray[np.float32]]],
) -> tuple[NDArray[np.uint8], NDArray[np.float32], list[tuple[float, float, float, float]]]:
    """All cells in two pictures, and each one's place (u0, v0, u1, v1), v upwards."""
    edge = 3
    h, w = (n + 2 * edge for n in cells[0][0].shape[:2])
    columns = int(np.ceil(np.sqrt(len(cells) * h / w)))
    rows = -(-len(cells) // columns)
    colours = np.zeros((rows * h, columns * w, 3), np.uint8)
    reliefs = np.zeros((rows * h, columns * w, 3), np.float32)
    places = []
    for k, (colour, relief) in enumerate(cells):
        x, y = k % columns * w, k // columns * h
        around = (edge, edge, edge, edge, cv2.BORDER_REPLICATE)
        colours[y : y + h, x : x + w] = cv2.copyMakeBorder(colour, *around)
        reliefs[y : y + h, x : x + w] = cv2.copyMakeBorder(relief, *around)
        left, right, top, bottom = x + edge, x + w - edge, y + edge, y + h - edge
        places.append((left / (columns * w), 1 - bottom / (rows * h), right / (columns * w), 1 - top / (rows * h)))
    return colours, reliefs, places


def _materials(
    scene: Scene, colours: NDArray[np.uint8], reliefs: NDArray[np.float32], rng: Rng
) -> tuple[bpy.types.Material, ...]:
    style = scene.style
    rough = float(np.clip(0.62 - 0.5 * style.gloss + rng.normal(0, 0.05), 0.07, 0.8))
    if style.texture == "wood":
        rough = max(rough, rng.uniform(0.25, 0.6))
    coat = rng.uniform(0.2, 0.8) if style.gloss > 0.55 and rng.random() < 0.6 else 0.0
    soft = rng.uniform(0.1, 0.3) if style.texture == "plain" and min(style.body) > 170 and rng.random() < 0.15 else 0.0

    def base(name: str) -> Nodes:
        nodes = Nodes(name)
        nodes.set(roughness=rough, coat=coat)
        nodes.bsdf.inputs["Subsurface Weight"].default_value = soft
        nodes.bsdf.inputs["Subsurface Scale"].default_value = 0.05
        return nodes

    face = base("face")
    relief = face.image(picture("relief", reliefs), "Closest" if reliefs.shape[0] < 2 else "Linear")
    split = face.add("ShaderNodeSeparateColor")
    face.link(relief.outputs["Color"], split.inputs[0])
    face.link(face.image(picture("faces", albedo(colours))).outputs["Color"], face.bsdf.inputs["Base Color"])
    bump = face.add("ShaderNodeBump")
    bump.inputs["Strength"].default_value, bump.inputs["Distance"].default_value = 1.0, 1.0
    face.link(split.outputs[0], bump.inputs["Height"])
    face.link(bump.outputs[0], face.bsdf.inputs["Normal"])
    plus = face.add("ShaderNodeMath")
    plus.operation, plus.use_clamp, plus.inputs[1].default_value = "ADD", True, rough
    face.link(split.outputs[1], plus.inputs[0])
    face.link(plus.outputs[0], face.bsdf.inputs["Roughness"])
    face.link(split.outputs[2], face.bsdf.inputs["Metallic"])
    upper, lower = base("upper"), base("lower")
    upper.set(colour=style.body)
    lower.set(colour=style.side)
    return face.material, upper.material, lower.material


def _ring(style: SetStyle, inset: float) -> tuple[Array, Array]:
    """The tile's outline drawn in by `inset`: points (n, 2) and their outward directions, anticlockwise."""
    k = max(style.corner - inset, 1e-4)
    turns = np.linspace(0, np.pi / 2, _ROUND + 1)
    points, ways = [], []
    for quarter, (su, sv) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        way = np.stack([np.cos(turns + quarter * np.pi / 2), np.sin(turns + quarter * np.pi / 2)], 1)
        centre = np.array([su * (0.5 - inset - k), sv * (style.length / 2 - inset - k)])
        points.append(centre + way * k)
        ways.append(way)
    return np.concatenate(points), np.concatenate(ways)


def _mesh(
    style: SetStyle,
    top: tuple[float, float, float, float],
    bottom: tuple[float, float, float, float],
    swapped: bool,
) -> bpy.types.Mesh:
    """A tile with its upper face at z = 0; `top` and `bottom` are places in the atlas."""
    bevel = min(style.bevel, 0.95 * style.corner, 0.42 * style.thickness)
    levels: list[tuple[float, float, float]] = []  # inset, z, slope of the normal
    for step in np.linspace(0, np.pi / 2, _RINGS + 1):
        levels.append((bevel * (1 - np.sin(step)), -bevel * (1 - np.cos(step)), float(np.pi / 2 - step)))
    half = -style.thickness / 2
    levels += [(0.0, half, 0.0)]
    levels += [(i, -style.thickness - z, -s) for i, z, s in reversed(levels[:-1])]
    points, normals = [], []
    for inset, z, slope in levels:
        ring, ways = _ring(style, inset)
        points.append(np.column_stack([ring, np.full(len(ring), z)]))
        normals.append(np.column_stack([ways * np.cos(slope), np.full(len(ring), np.sin(slope))]))
    n = len(points[0])
    rows = len(levels)
    faces: list[list[int]] = [list(range(n)), [(rows - 1) * n + k for k in reversed(range(n))]]
    matter = [0, 0]
    for row in range(rows - 1):
        for k in range(n):
            here, there = row * n + k, row * n + (k + 1) % n
            faces.append([here, here + n, there + n, there])
            painted = row < _RINGS - 1 or row >= rows - _RINGS
            matter.append(0 if painted else (1 if (row <= _RINGS) != swapped else 2))
    vertices = np.concatenate(points)
    mesh = bpy.data.meshes.new("tile")
    mesh.from_pydata(vertices.tolist(), [], faces)
    mesh.polygons.foreach_set("material_index", matter)
    mesh.polygons.foreach_set("use_smooth", [True] * len(faces))
    corner = np.empty(len(mesh.loops), np.int32)
    mesh.loops.foreach_get("vertex_index", corner)
    layer = mesh.uv_layers.new(name="uv")
    layer.data.foreach_set("uv", _uv(style, vertices, top, bottom)[corner].ravel().tolist())
    mesh.update()
    mesh.normals_split_custom_set_from_vertices(np.concatenate(normals).tolist())
    return mesh


def _uv(
    style: SetStyle,
    vertices: Array,
    top: tuple[float, float, float, float],
    bottom: tuple[float, float, float, float],
) -> Array:
    u, v = vertices[:, 0] + 0.5, vertices[:, 1] / style.length + 0.5
    above = vertices[:, 2] > -style.thickness / 2
    place = np.where(above[:, None], np.array(top), np.array(bottom))
    u = np.where(above, u, 1 - u)  # seen from below
    return np.stack([place[:, 0] + (place[:, 2] - place[:, 0]) * u, place[:, 1] + (place[:, 3] - place[:, 1]) * v], 1)
