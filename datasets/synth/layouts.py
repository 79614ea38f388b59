"""How people lay tiles: scattered hands, rows and grids, piles that touch, fans, trains, standing tiles."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from .scene import SetStyle, TilePose

Rng = np.random.Generator
Poly = NDArray[np.float32]


class Hand:
    """Hands out tiles of a set, each once while there are any left."""

    def __init__(self, max_pip: int, rng: Rng, allow_blank_double: bool = True) -> None:
        tiles = [(a, b) for a in range(max_pip + 1) for b in range(a, max_pip + 1)]
        if not allow_blank_double:
            tiles.remove((0, 0))
        self._all, self._rng = tiles, rng
        self._left: list[tuple[int, int]] = []

    @property
    def left(self) -> int:
        """How many tiles there are until some come a second time."""
        return len(self._left)

    def deal(self) -> None:
        """Begin with a whole set."""
        self._left = [self._all[k] for k in self._rng.permutation(len(self._all))]

    def draw(self) -> tuple[int, int]:
        if not self._left:
            self.deal()
        a, b = self._left.pop()
        return (a, b) if self._rng.random() < 0.5 else (b, a)

    def draw_double(self, pips: int) -> bool:
        """Take this double; False where it is not to be had."""
        if (pips, pips) not in self._left:
            return False
        self._left.remove((pips, pips))
        return True

    def draw_with(self, pips: int) -> tuple[int, int] | None:
        """A tile with this number on its first half, or None."""
        for k in range(len(self._left) - 1, -1, -1):
            a, b = self._left[k]
            if pips in (a, b):
                self._left.pop(k)
                return (pips, b if a == pips else a)
        return None


def footprint(x: float, y: float, yaw: float, style: SetStyle, grow: float = 1.0) -> Poly:
    """(4, 2) corners on the table of a tile that lies flat."""
    c, s = np.cos(yaw), np.sin(yaw)
    u, v = np.array([c, s]) * 0.5 * grow, np.array([s, -c]) * style.length / 2 * grow
    p = np.array([x, y])
    return np.array([p - v - u, p - v + u, p + v + u, p + v - u], np.float32)


def overlaps(poly: Poly, others: list[Poly], allowed: float = 0.005) -> bool:
    for other in others:
        if np.abs(poly.mean(0) - other.mean(0)).sum() < 4.5 and cv2.intersectConvexConvex(poly, other)[0] > allowed:
            return True
    return False


def scatter(style: SetStyle, hand: Hand, n: int, rng: Rng) -> list[TilePose]:
    """Thrown down, not touching on purpose."""
    side = np.sqrt(n * style.length) * rng.uniform(1.0, 2.2) + 1
    poses: list[TilePose] = []
    polys: list[Poly] = []
    bias = rng.uniform(0, np.pi)
    for _ in range(n * 6):
        if len(poses) == n:
            break
        x, y = rng.uniform(-side / 2, side / 2, 2)
        yaw = rng.uniform(0, 2 * np.pi) if rng.random() < 0.7 else bias + rng.normal(0, 0.2)
        poly = footprint(x, y, yaw, style)
        if not overlaps(poly, polys):
            poses.append(TilePose(*hand.draw(), x, y, yaw))
            polys.append(poly)
    return poses


def grid(style: SetStyle, hand: Hand, n: int, rng: Rng) -> list[TilePose]:
    """Rows and columns, touching or nearly, as tidy people count."""
    columns = int(rng.integers(1, min(n, 9) + 1))
    if rng.random() < 0.25:
        columns = n
    gap = abs(rng.normal(0, 0.02)) if rng.random() < 0.55 else rng.uniform(0.05, 0.8)
    gap_y = gap if rng.random() < 0.6 else rng.uniform(0, 0.6)
    sloppy = rng.choice([0.0, 0.008, 0.03])
    lying = rng.random() < 0.5
    w, h = (style.length, 1.0) if lying else (1.0, style.length)
    poses = []
    for k in range(n):
        x = (k % columns) * (w + gap) + rng.normal(0, sloppy)
        y = -(k // columns) * (h + gap_y) + rng.normal(0, sloppy)
        yaw = (np.pi / 2 if lying else 0) + rng.normal(0, sloppy) + (np.pi if rng.random() < 0.5 else 0)
        poses.append(TilePose(*hand.draw(), x, y, yaw))
    return poses


def pile(style: SetStyle, hand: Hand, n: int, rng: Rng) -> list[TilePose]:
    """Pushed together: each tile slides in until it touches."""
    poses = [TilePose(*hand.draw(), 0.0, 0.0, float(rng.uniform(0, np.pi)))]
    polys = [footprint(poses[0].x, poses[0].y, poses[0].yaw, style)]
    order = rng.random()
    for _ in range(n - 1):
        yaw = poses[0].yaw + rng.integers(4) * np.pi / 2 if rng.random() < order else rng.uniform(0, 2 * np.pi)
        towards = rng.uniform(0, 2 * np.pi)
        step = np.array([np.cos(towards), np.sin(towards)])
        aim = polys[int(rng.integers(len(polys)))].mean(0) + rng.normal(0, 0.6, 2)
        near, far = 0.0, 12.0
        for _ in range(11):
            middle = (near + far) / 2
            if overlaps(footprint(*(aim + step * middle), yaw, style), polys, 0.002):
                near = middle
            else:
                far = middle
        x, y = aim + step * (far + abs(rng.normal(0, 0.02)))
        poses.append(TilePose(*hand.draw(), float(x), float(y), float(yaw)))
        polys.append(footprint(x, y, yaw, style))
    return poses


def fan(_style: SetStyle, hand: Hand, n: int, rng: Rng) -> list[TilePose]:
    """A curved row, as a hand of cards."""
    radius = rng.uniform(3, 12)
    step = (1 + rng.uniform(0.0, 0.4)) / radius
    poses = []
    for k in range(n):
        angle = (k - n / 2) * step
        x, y = radius * np.sin(angle), radius * (np.cos(angle) - 1)
        poses.append(TilePose(*hand.draw(), x, y, -angle + rng.normal(0, 0.02) + np.pi * int(rng.integers(2))))
    return poses


def trains(style: SetStyle, hand: Hand, n: int, rng: Rng) -> list[TilePose]:
    """Chains with doubles across and bends, from one engine or from anywhere."""
    poses: list[TilePose] = []
    polys: list[Poly] = []

    def lay(a: int, b: int, x: float, y: float, yaw: float) -> bool:
        poly = footprint(x, y, yaw, style, 0.96)
        if overlaps(poly, polys):
            return False
        poses.append(TilePose(a, b, x, y, yaw))
        polys.append(poly)
        return True

    count = int(rng.integers(1, 5))
    base = rng.uniform(0, 2 * np.pi)
    snap = rng.random() < 0.6
    for k in range(count):
        angle = base + (k * 2 * np.pi / count if rng.random() < 0.8 else rng.uniform(0, 6))
        if snap:
            angle = base + round((angle - base) / (np.pi / 2)) * np.pi / 2
        end = np.array([np.cos(angle), np.sin(angle)]) * rng.uniform(0.6, 2.0) * (1 + k * 0.3)
        value = int(rng.integers(style.max_pip + 1))
        for _ in range(max(2, n // count)):
            tile = hand.draw_with(value) or hand.draw()
            double = tile[0] == tile[1]
            reach = 0.5 if double else style.length / 2
            heading = np.array([np.cos(angle), np.sin(angle)])
            middle = end + heading * (reach + abs(rng.normal(0, 0.025))) + rng.normal(0, 0.02, 2)
            yaw = angle + np.pi / 2 + (np.pi / 2 if double else 0) + rng.normal(0, 0.025)
            if not lay(tile[0], tile[1], float(middle[0]), float(middle[1]), float(yaw)):
                angle += rng.choice([-1, 1]) * np.pi / 2
                continue
            value = tile[1]
            end = middle + heading * reach
            if rng.random() < 0.12:  # the train bends
                turn = rng.choice([-1, 1]) * np.pi / 2
                angle += turn
                end = end - heading * 0.5 + np.array([np.cos(angle), np.sin(angle)]) * 0.5
    return poses


def stood(style: SetStyle, hand: Hand, n: int, rng: Rng, facing: float) -> list[TilePose]:
    """Tiles on their long edge, in rows behind each other; `facing` is the direction of their faces."""
    poses = []
    across = np.array([-np.sin(facing), np.cos(facing)])
    depth = np.array([np.cos(facing), np.sin(facing)])
    rows = int(rng.integers(1, 4))
    for k in range(n):
        row, column = k % rows, k // rows
        place = across * column * (style.length + rng.uniform(0.02, 0.6)) - depth * row * rng.uniform(1.2, 2.6)
        place = place + across * rng.normal(0, 0.5)
        yaw = facing + rng.normal(0, 0.12)
        poses.append(TilePose(*hand.draw(), float(place[0]), float(place[1]), float(yaw), standing=True))
    return poses


def rows(style: SetStyle, hand: Hand, n: int, rng: Rng, facing: float) -> list[TilePose]:
    """A hand on its long edges as it stands before its owner: one to four rows, close or wide, a bit askew."""
    poses: list[TilePose] = []
    polys: list[Poly] = []
    across, depth = np.array([-np.sin(facing), np.cos(facing)]), np.array([np.cos(facing), np.sin(facing)])
    count = int(rng.integers(1, min(4, n) + 1))
    bend, step = rng.uniform(-0.03, 0.03), rng.uniform(0.75, 2.4)
    gap = rng.uniform(0.0, 0.12) if rng.random() < 0.5 else rng.uniform(0.1, 1.2)
    askew = rng.choice([0.02, 0.1, 0.25])
    for k in range(n):
        row, column = k % count, k // count
        along = (column - n / count / 2) * (style.length + gap) + rng.normal(0, 0.08 + gap * 0.3)
        along += row * rng.uniform(-0.9, 0.9)
        place = across * along - depth * (row * step + bend * along * along + rng.normal(0, 0.06 + askew * 0.5))
        yaw = facing + rng.normal(0, askew) - 2 * bend * along
        poly = _standing_footprint(float(place[0]), float(place[1]), yaw, style)
        if not overlaps(poly, polys, 0.01):
            polys.append(poly)
            up = rng.random() < 0.5
            poses.append(TilePose(*hand.draw(), float(place[0]), float(place[1]), yaw, face_up=up, standing=True))
    return poses


def _standing_footprint(x: float, y: float, yaw: float, style: SetStyle) -> Poly:
    c, s = np.cos(yaw), np.sin(yaw)
    u, v = np.array([c, s]) * style.thickness / 2, np.array([-s, c]) * style.length / 2
    p = np.array([x, y])
    return np.array([p - v - u, p - v + u, p + v + u, p + v - u], np.float32)


def table(style: SetStyle, hand: Hand, n: int, rng: Rng) -> list[TilePose]:
    """A round in progress: the engine in the middle, trains that radiate from it, hands and a boneyard at the rim.

    The first tile is the engine; around it there may be room for a station.
    """
    radius = hub_radius(rng)
    hand.deal()
    value = next(k for k in rng.permutation(style.max_pip + 1) if hand.draw_double(int(k)))
    poses = [TilePose(int(value), int(value), 0.0, 0.0, float(rng.uniform(0, 2 * np.pi)))]
    polys = [footprint(0, 0, poses[0].yaw, style)]
    ways = int(rng.integers(2, 9))
    places = int(rng.choice([8, 8, 6, 4]))
    base = poses[0].yaw
    for k in rng.permutation(places)[:ways]:
        angle = base + k * 2 * np.pi / places + rng.normal(0, 0.03)
        end = np.array([np.cos(angle), np.sin(angle)]) * radius
        poses += _train(style, hand, end, angle, int(value), max(1, round(n / ways + rng.normal(0, 1))), polys, rng)
    reach = max(4.0, *(float(np.hypot(p.x, p.y)) for p in poses)) + 1.2
    sides = [k for k in range(4) if rng.random() < 0.55]
    for k in sides:
        facing = k * np.pi / 2 + rng.normal(0, 0.05)
        out = np.array([np.cos(facing), np.sin(facing)]) * reach * rng.uniform(0.9, 1.2)
        stand = rng.random() < 0.75
        if stand and hand.left > 1:
            group = rows(style, hand, min(int(rng.integers(2, 8)), hand.left), rng, facing)
        else:  # face down, nobody knows which
            unknown = scatter(style, Hand(style.max_pip, rng), int(rng.integers(2, 9)), rng)
            group = [replace(p, face_up=False) for p in unknown]
        for p in group:
            moved = replace(p, x=p.x + float(out[0]), y=p.y + float(out[1]))
            poly = footprint(moved.x, moved.y, moved.yaw, style)
            if not overlaps(poly, polys):
                polys.append(poly)
                poses.append(moved)
    return poses


def hub_radius(rng: Rng) -> float:
    """How far from the middle of the engine the trains begin: right at it, or at the rim of a station."""
    return float(rng.uniform(1.05, 1.3) if rng.random() < 0.3 else rng.uniform(1.2, 2.1))


def _train(
    style: SetStyle, hand: Hand, end: NDArray[np.float64], angle: float, value: int, n: int, polys: list[Poly], rng: Rng
) -> list[TilePose]:
    """A train that begins at `end`; bends where it would run into something."""
    poses: list[TilePose] = []
    gap = abs(rng.normal(0, 0.04))
    tries = 0
    while len(poses) < n and tries < n + 4 and hand.left:
        tries += 1
        tile = hand.draw_with(value) or hand.draw()
        double = tile[0] == tile[1] and bool(poses)
        reach = 0.5 if double else style.length / 2
        heading = np.array([np.cos(angle), np.sin(angle)])
        middle = end + heading * (reach + gap + abs(rng.normal(0, 0.02))) + rng.normal(0, 0.02, 2)
        yaw = angle + np.pi / 2 + (np.pi / 2 if double else 0) + rng.normal(0, 0.03)
        poly = footprint(float(middle[0]), float(middle[1]), yaw, style, 0.96)
        if overlaps(poly, polys):
            turn = rng.choice([-1, 1]) * np.pi / 2
            end = end - heading * 0.5 + np.array([np.cos(angle + turn), np.sin(angle + turn)]) * 0.5
            angle += turn
            continue
        polys.append(poly)
        poses.append(TilePose(*tile, float(middle[0]), float(middle[1]), float(yaw)))
        value, end = tile[1], middle + heading * reach
        angle += rng.normal(0, 0.04) + (rng.choice([-1, 1]) * rng.uniform(0.3, 0.6) if rng.random() < 0.08 else 0)
    return poses


LAYOUTS = {"scatter": scatter, "grid": grid, "pile": pile, "fan": fan, "trains": trains}
"""Layouts of tiles that lie flat."""
