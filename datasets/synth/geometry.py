"""From the table to the picture."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .scene import Camera, SetStyle, TilePose

Array = NDArray[np.float64]


def project(camera: Camera, points: Array) -> Array:
    """Points (n, 3) of the scene -> (n, 2) pixels, x right, y down, the origin at the picture's upper left corner."""
    ca, sa = np.cos(camera.azimuth), np.sin(camera.azimuth)
    ct, st = np.cos(camera.tilt), np.sin(camera.tilt)
    turned = (points - [*camera.target, 0.0]) @ np.array([[ca, sa, 0], [-sa, ca, 0], [0, 0, 1]])
    seen = turned @ np.array([[1, 0, 0], [0, ct, -st], [0, st, ct]])
    depth = np.maximum(camera.distance - seen[:, 2], 0.05)
    middle = np.array([camera.width / 2, camera.height / 2]) + camera.offset_px
    return seen[:, :2] * [1, -1] * (camera.focal_px / depth)[:, None] + middle


def camera_position(camera: Camera) -> Array:
    """Where the camera stands, (3,)."""
    ca, sa = np.cos(camera.azimuth), np.sin(camera.azimuth)
    ct, st = np.cos(camera.tilt), np.sin(camera.tilt)
    x, y = camera.target
    return np.array([x - sa * st * camera.distance, y - ca * st * camera.distance, ct * camera.distance])


def frame(pose: TilePose, style: SetStyle) -> tuple[Array, Array, Array, Array]:
    """The middle of the tile's upper (or front) face and its axes: across, from half a to half b, outwards."""
    c, s = np.cos(pose.yaw), np.sin(pose.yaw)
    if pose.standing:
        outward = np.array([c, s, 0.0])
        sign = 1.0 if pose.face_up else -1.0  # a standing tile lies on either long edge
        across, along = np.array([0.0, 0.0, sign]), np.array([-s, c, 0.0]) * sign
        middle = np.array([pose.x, pose.y, pose.lift + 0.5]) + outward * style.thickness / 2
    else:
        outward = np.array([0.0, 0.0, 1.0])
        across, along = np.array([c, s, 0.0]), np.array([s, -c, 0.0])
        middle = np.array([pose.x, pose.y, pose.lift + style.thickness])
    return middle, across, along, outward


def face_corners(pose: TilePose, style: SetStyle, inset: float = 0.0) -> Array:
    """(4, 3): clockwise as seen from outside, the first two at the short side of half a."""
    middle, across, along, _ = frame(pose, style)
    u, v = across * (0.5 - inset), along * (style.length / 2 - inset)
    return np.array([middle - v - u, middle - v + u, middle + v + u, middle + v - u])


def outline(pose: TilePose, style: SetStyle) -> Array:
    """(n, 3): the rounded edge of the face."""
    middle, across, along, _ = frame(pose, style)
    k = style.corner
    turns = np.linspace(0, np.pi / 2, 4)
    points = []
    for sign_u, sign_v, start in ((1, 1, 0), (-1, 1, 1), (-1, -1, 2), (1, -1, 3)):
        angles = turns + start * np.pi / 2
        u = sign_u * (0.5 - k) + k * np.cos(angles)
        v = sign_v * (style.length / 2 - k) + k * np.sin(angles)
        points.append(middle + u[:, None] * across + v[:, None] * along)
    return np.concatenate(points)
