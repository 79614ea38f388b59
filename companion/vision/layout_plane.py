"""The table seen straight from above: the plane is found from the tiles, each of which is known to be a rectangle."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

USUAL_LENGTH = 2.0
"""Length of a tile in tile widths; sets differ by a tenth."""

_ROUNDS = 25
_ROBUST = 0.12
"""Sides that are off by more than this share pull less on the plane: tiles that stand, boxes that went wrong."""

_PRIOR_WEIGHTS = np.array([0.15, 0.15, 0.15, 0.15, 0.0, 4.0])
"""How strongly a plane is preferred that lies square to the camera, with tiles of the usual length."""


@dataclass(frozen=True, slots=True, eq=False)
class Plane:
    """Leads from the photo to the table, on which lengths are tile widths and nothing is mirrored."""

    numbers: Floats
    """Perspective in x and y, slant (a stretch and a shear), and logarithms of a tile's width and length."""
    middle: Floats
    size: float
    """The photo's points are shifted by `middle` and divided by this before they are mapped."""

    @property
    def length(self) -> float:
        """Of a tile."""
        return USUAL_LENGTH * float(np.exp(self.numbers[5]))

    def at(self, points: Floats) -> Floats:
        """Points (..., 2) px on the table."""
        mapped = _map(self.numbers, (np.asarray(points, np.float64) - self.middle) / self.size)
        return np.asarray(mapped / np.exp(self.numbers[4]))

    def misfits(self, quads: Floats) -> Floats:
        """(n,): by how much each tile (n, 4, 2) px is no rectangle of the common size: 0 fits, 0.3 does not."""
        points = (np.asarray(quads, np.float64) - self.middle) / self.size
        return np.asarray(np.abs(_residuals(self.numbers, points)).max(1))


def find_plane(quads: Floats) -> Plane:
    """The table under tiles (n, 4, 2) px, n >= 1.

    Four numbers describe a plane up to a turn, a shift and a size: two for the perspective, two for the slant. They
    are fitted, together with the tiles' width and length, so that all tiles become rectangles of one size.
    """
    middle = quads.mean((0, 1))
    size = max(float(np.abs(quads - middle).max()), 1e-6)
    points = (quads - middle) / size
    start = np.zeros(6)
    start[4] = float(np.median(np.log(np.maximum(np.linalg.norm(points[:, 1] - points[:, 0], axis=1), 1e-6))))
    return Plane(_fit(points, start), middle, size)


def _map(p: Floats, points: Floats) -> Floats:
    x, y = points[..., 0], points[..., 1]
    depth = np.maximum(1 + p[0] * x + p[1] * y, 0.05)
    return np.stack([(x + p[3] * y) / depth, np.exp(p[2]) * y / depth], -1)


def _residuals(p: Floats, points: Floats) -> Floats:
    """(n, 5): both widths, both lengths, and the angle, as shares."""
    q = _map(p, points)
    sides = np.roll(q, -1, 1) - q
    sizes = np.log(np.maximum(np.linalg.norm(sides, axis=2), 1e-9))
    across, along = sides[:, 0] - sides[:, 2], sides[:, 1] - sides[:, 3]
    square = (across * along).sum(1) / np.maximum(np.linalg.norm(across, axis=1) * np.linalg.norm(along, axis=1), 1e-12)
    width, length = p[4], p[4] + p[5] + np.log(USUAL_LENGTH)
    return np.column_stack(
        [sizes[:, 0] - width, sizes[:, 2] - width, sizes[:, 1] - length, sizes[:, 3] - length, square]
    )


def _fit(points: Floats, start: Floats) -> Floats:
    """Damped least squares with little weight for what fits badly."""
    p: Floats = start.copy()
    damping = 1e-3
    best = _price(p, points)
    for _ in range(_ROUNDS):
        residuals = _residuals(p, points)
        weights = 1 / np.maximum(1, np.abs(residuals) / _ROBUST)
        columns = []
        for k in range(6):
            step = np.zeros(6)
            step[k] = 1e-5
            columns.append(((_residuals(p + step, points) - residuals) / 1e-5).ravel())
        jacobian = np.column_stack(columns)
        pull = (weights.ravel()[:, None] * jacobian).T
        matrix = pull @ jacobian + np.diag(_PRIOR_WEIGHTS)
        slope = pull @ residuals.ravel() + _PRIOR_WEIGHTS * p
        moved = False
        for _ in range(6):
            damped = matrix + damping * np.diag(np.diag(matrix) + 1e-9)
            tried: Floats = p - np.asarray(np.linalg.solve(damped, slope), np.float64)
            price = _price(tried, points)
            if price < best:
                moved = best - price > 1e-9
                p, best, damping = tried, price, damping * 0.3
                break
            damping *= 5
        if not moved:
            break
    return p


def _price(p: Floats, points: Floats) -> float:
    """What is made small: Huber's measure of the residuals, and the prior."""
    r = np.abs(_residuals(p, points))
    huber = np.where(r < _ROBUST, r**2 / 2, _ROBUST * (r - _ROBUST / 2))
    if (1 + p[0] * points[..., 0] + p[1] * points[..., 1] < 0.1).any():
        return float("inf")
    return float(huber.sum() + (_PRIOR_WEIGHTS * p**2).sum() / 2)
