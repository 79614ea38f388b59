"""How a camera was pushed between two pictures of one table: shift, turn and zoom."""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Grey = NDArray[np.float32]

_POINTS = 240
_LEAST_POINTS = 12
_AGREEING = 0.5
"""Share of the points that must have gone the same way; the others lie on what was laid or taken."""
_OFF_PX = 1.5
_BACK_PX = 0.7
"""A point that is followed forth and back must come home so near."""


@dataclass(frozen=True, slots=True)
class Push:
    """Where the points of an earlier picture are in a later one."""

    turn: float
    """Radians, clockwise as seen."""
    zoom: float
    """Above 1: everything has become larger."""
    x_px: float
    """Where the upper left corner of the earlier picture has gone."""
    y_px: float

    def scaled(self, factor: float) -> "Push":
        """The same for pictures so much larger."""
        return Push(self.turn, self.zoom, self.x_px * factor, self.y_px * factor)

    def matrix(self) -> NDArray[np.float64]:
        """(2, 3), for `cv2.warpAffine`."""
        c, s = self.zoom * np.cos(self.turn), self.zoom * np.sin(self.turn)
        return np.array([[c, -s, self.x_px], [s, c, self.y_px]], np.float64)


def find_push(before: Grey, now: Grey) -> Push | None:
    """The push that explains most of the picture; None: the pictures show different things."""
    old, new = _as_bytes(before), _as_bytes(now)
    return _followed(old, new) or _matched(old, new)


def reach_px(push: Push, shape: tuple[int, ...]) -> float:
    """How far the corner of a picture (h, w) that moved most has moved."""
    h, w = shape[:2]
    corners = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float64)
    moved = np.column_stack([corners, np.ones(4)]) @ push.matrix().T
    return float(np.linalg.norm(moved - corners, axis=1).max())


def _as_bytes(grey: Grey) -> NDArray[np.uint8]:
    """Evenly bright, so that light does not matter."""
    low, high = np.percentile(grey, (1, 99))
    return np.asarray(np.clip((grey - low) * (255 / max(float(high - low), 1.0)), 0, 255), np.uint8)


def _followed(old: NDArray[np.uint8], new: NDArray[np.uint8]) -> Push | None:
    """For small pushes: corners are followed from one picture to the other."""
    points = cv2.goodFeaturesToTrack(old, _POINTS, 0.02, 6)
    if points is None or len(points) < _LEAST_POINTS:
        return None
    there, good, _ = _follow(old, new, points)
    back, good_back, _ = _follow(new, old, there)
    home = np.linalg.norm((back - points)[:, 0], axis=1) < _BACK_PX
    kept = (good[:, 0] == 1) & (good_back[:, 0] == 1) & home
    return _agreed(points[kept, 0], there[kept, 0], len(points))


def _follow(old: NDArray[np.uint8], new: NDArray[np.uint8], points: Any) -> tuple[Any, Any, Any]:
    flow: Any = cv2.calcOpticalFlowPyrLK  # its types ask for what may be left out
    found: tuple[Any, Any, Any] = flow(old, new, points, None, winSize=(21, 21), maxLevel=4)
    return found


def _matched(old: NDArray[np.uint8], new: NDArray[np.uint8]) -> Push | None:
    """For large ones: corners that look alike are matched."""
    orb = cv2.ORB.create(600, fastThreshold=8, edgeThreshold=12)
    (here, mine), (there, yours) = orb.detectAndCompute(old, None), orb.detectAndCompute(new, None)
    if mine is None or yours is None or min(len(here), len(there)) < _LEAST_POINTS:
        return None
    pairs = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(mine, yours)
    if len(pairs) < _LEAST_POINTS:
        return None
    start = np.array([here[pair.queryIdx].pt for pair in pairs], np.float32)
    end = np.array([there[pair.trainIdx].pt for pair in pairs], np.float32)
    # tiles look much alike, so that many pairs are wrong
    return _agreed(start, end, len(pairs) * 0.4)


def _agreed(start: NDArray[np.float32], end: NDArray[np.float32], of: float) -> Push | None:
    if len(start) < _LEAST_POINTS:
        return None
    matrix, inside = cv2.estimateAffinePartial2D(start, end, method=cv2.RANSAC, ransacReprojThreshold=_OFF_PX)
    if matrix is None or int(inside.sum()) < max(_LEAST_POINTS, _AGREEING * of):
        return None
    zoom = float(np.hypot(matrix[0, 0], matrix[1, 0]))
    if not 0.4 < zoom < 2.5:
        return None
    return Push(float(np.arctan2(matrix[1, 0], matrix[0, 0])), zoom, float(matrix[0, 2]), float(matrix[1, 2]))
