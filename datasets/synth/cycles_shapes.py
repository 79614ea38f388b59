"""Simple bodies for Blender: bricks, bodies of revolution, and where they stand."""

from __future__ import annotations

import bpy
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

from .cycles_nodes import Nodes

Array = NDArray[np.float64]
Profile = list[tuple[float, float]]
"""Radius and height of a turned body, from the middle of the bottom round to the inside."""

TURN = 40


def show(mesh: bpy.types.Mesh, nodes: list[Nodes], matrix: Array, bevel: float = 0.0) -> None:
    """Put a body of these materials into the scene."""
    for n in nodes:
        mesh.materials.append(n.material)
    thing = bpy.data.objects.new(mesh.name, mesh)
    thing.matrix_world = Matrix(matrix.tolist())
    if bevel:
        edge = thing.modifiers.new("bevel", "BEVEL")
        edge.width, edge.segments = bevel, 2
    bpy.context.scene.collection.objects.link(thing)


def pose_matrix(at: Array, z: float, yaw: float, scale: float = 1.0) -> Array:
    """(4, 4): turned by `yaw` about the vertical, then moved to `at` and up to `z`."""
    c, s = np.cos(yaw) * scale, np.sin(yaw) * scale
    return np.array([[c, -s, 0, at[0]], [s, c, 0, at[1]], [0, 0, scale, z], [0, 0, 0, 1.0]])


def turned(name: str, profile: Profile, smooth: float = 0.7) -> bpy.types.Mesh:
    """A body of revolution; edges sharper than `smooth` stay sharp."""
    turns = np.linspace(0, 2 * np.pi, TURN, endpoint=False)
    rings = [np.column_stack([r * np.cos(turns), r * np.sin(turns), np.full(TURN, z)]) for r, z in profile]
    faces = [
        [i * TURN + k, i * TURN + (k + 1) % TURN, (i + 1) * TURN + (k + 1) % TURN, (i + 1) * TURN + k]
        for i in range(len(profile) - 1)
        for k in range(TURN)
    ]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(np.concatenate(rings).tolist(), [], faces)
    mesh.polygons.foreach_set("use_smooth", [True] * len(faces))
    mesh.set_sharp_from_angle(angle=smooth)
    return mesh


def box(name: str, size: tuple[float, float, float], bevel: float) -> bpy.types.Object:
    """A bevelled brick that stands on z = 0."""
    x, y, z = (v / 2 for v in size)
    corners = [(a * x, b * y, c * z + z) for c in (-1, 1) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    sides = [[k, (k + 1) % 4, (k + 1) % 4 + 4, k + 4] for k in range(4)]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(corners, [], [[3, 2, 1, 0], [4, 5, 6, 7], *sides])
    uv = mesh.uv_layers.new(name="uv")
    uv.data.foreach_set("uv", [v for _ in range(6) for v in (0, 0, 1, 0, 1, 1, 0, 1)])
    thing = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(thing)
    edge = thing.modifiers.new("bevel", "BEVEL")
    edge.width, edge.segments, edge.harden_normals = bevel, 3, True
    mesh.polygons.foreach_set("use_smooth", [True] * 6)
    return thing
