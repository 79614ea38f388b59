"""Oriented boxes: from the detector's numbers to corners, overlap, and which of two boxes stays."""

from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

Corners = NDArray[np.float32]

Region = tuple[int, int, int, int]
"""Part of a photo: left, top, right, bottom in pixels."""


def oriented_box(points: NDArray[np.floating[Any]], like: NDArray[np.floating[Any]]) -> Corners:
    """The smallest rectangle around `points` (n, 2): (4, 2) float32, clockwise, corners in the order of `like`."""
    box = cv2.boxPoints(cv2.minAreaRect(np.asarray(points, np.float32)))
    (x0, y0), (x1, y1), (x2, y2), _ = box
    if (x1 - x0) * (y2 - y1) < (y1 - y0) * (x2 - x1):
        box = box[::-1]
    options = [np.roll(box, k, axis=0) for k in range(4)]
    return np.asarray(min(options, key=lambda o: float(((o - like) ** 2).sum())), np.float32)


def corners_of(boxes: NDArray[np.floating[Any]]) -> Corners:
    """Boxes (n, 5) as x, y, w, h in pixels and the angle of w in radians -> (n, 4, 2) float32.

    Clockwise as seen; the first two corners are a short side.
    """
    x, y, w, h, angle = np.asarray(boxes, np.float64).reshape(-1, 5).T
    turn = w > h  # the short side comes first
    w, h, angle = np.where(turn, h, w), np.where(turn, w, h), np.where(turn, angle + np.pi / 2, angle)
    u = np.stack([np.cos(angle), np.sin(angle)], 1) * w[:, None] / 2
    v = np.stack([-np.sin(angle), np.cos(angle)], 1) * h[:, None] / 2
    c = np.stack([x, y], 1)
    return np.stack([c - u - v, c + u - v, c + u + v, c - u + v], 1).astype(np.float32)


class Overlap(NamedTuple):
    """How much two areas have in common."""

    union: float
    """Share of both together (IoU)."""
    second: float
    """Share of the second."""


def overlap(a: Corners, b: Corners) -> Overlap:
    """Overlap of two convex quadrilaterals (4, 2)."""
    common, _ = cv2.intersectConvexConvex(a, b)
    area_a, area_b = cv2.contourArea(a), cv2.contourArea(b)
    return Overlap(common / max(area_a + area_b - common, 1e-6), common / max(area_b, 1e-6))


def suppress(corners: Corners, scores: NDArray[np.floating[Any]], iou: float, inside: float) -> list[int]:
    """Which boxes (n, 4, 2) stay, best score first: one that overlaps better ones too much is dropped.

    Too much is more than `iou` of the union with one of them, or more than `inside` of its own area with all of them
    together: so goes a box that lies across two tiles side by side.
    """
    order = np.argsort(-np.asarray(scores), kind="stable")
    middles = corners.mean(1)
    reach = np.linalg.norm(corners - middles[:, None], axis=2).max(1)
    kept: list[int] = []
    for i in order:
        near = [k for k in kept if np.linalg.norm(middles[k] - middles[i]) < reach[k] + reach[i]]
        overlaps = [overlap(corners[k], corners[i]) for k in near]
        if all(o.union <= iou for o in overlaps) and sum(o.second for o in overlaps) <= inside:
            kept.append(int(i))
    return kept
