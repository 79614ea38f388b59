"""How a train grows on a real table: straight on while there is room, then round the corner.

Lengths are in tile widths, as in the scene. Tiles stay where they were laid.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from .scene import TilePose

Rng = np.random.Generator
Vector = NDArray[np.float64]

_TRIES: tuple[tuple[float, float, tuple[float, ...]], ...] = (
    (0.4, 0.0, ()),
    (0.2, 0.0, ()),
    (0.08, 0.0, ()),
    (0.0, 0.5, (-0.5, 0.5)),
    (0.0, 2.5, (-0.8, -0.5, 0.5, 0.8)),
)
"""Room left to other tiles, room taken beyond the ground, odd angles: what people allow, one after the other."""

_LOOK_AHEAD = 8
"""How many tiles ahead people see that a way will be blocked."""


@dataclass(frozen=True, slots=True)
class Habits:
    """How the people at one table lay their tiles."""

    gap: float
    """Usual distance between tiles; single ones are up to 0.4 apart."""
    offset: float
    """How far tiles are off sideways (standard deviation)."""
    turn: float
    """By how much tiles are turned (standard deviation, radians)."""
    corner_bends: float
    """Share of bends in which the next tile lies before the end of the last and not at its side."""
    straight_doubles: bool
    """Doubles are laid lengthwise like all other tiles."""
    curl: float
    """How gladly people bend a train that could go on (0: never)."""
    folds: bool
    """At the table's edge a train may turn right back, its next tile beside the last."""
    room: float
    """How much of the usual room is left between trains, 0..1."""


class Rest(NamedTuple):
    """Where a tile of a train lies."""

    middle: Vector
    axis: float
    """Direction from the inner to the outer half; of a double across the direction of the train."""
    across: bool

    def reach(self, length: float) -> tuple[float, float]:
        """From the middle to the edge ahead and to the edge at the side."""
        return (0.5, length / 2) if self.across else (length / 2, 0.5)

    def pose(self, inner: int, outer: int, lift: float = 0.0) -> TilePose:
        """For the scene, in which half a lies at `yaw + 90°` of the middle."""
        yaw = self.axis + np.pi / 2 + (np.pi / 2 if self.across else 0)
        return TilePose(inner, outer, float(self.middle[0]), float(self.middle[1]), float(yaw), lift=lift)

    def outline(self, length: float, grow: float = 0.0) -> NDArray[np.float32]:
        """(4, 2) corners on the table, `grow` wider on every side."""
        ahead, side = self.reach(length)
        u, n = unit(self.axis), unit(self.axis + np.pi / 2)
        u, n = u * (ahead + grow), n * (side + grow)
        m = self.middle
        return np.array([m - u - n, m - u + n, m + u + n, m + u - n], np.float32)


def unit(angle: float) -> Vector:
    """The direction of an angle."""
    return np.array([np.cos(angle), np.sin(angle)])


@dataclass(frozen=True)
class Ground:
    """The table with everything that lies on it."""

    width: float
    depth: float
    length: float
    """Of a tile."""
    taken: list[NDArray[np.float32]] = field(default_factory=list)
    """Outlines, (4, 2) each."""

    def with_more(self, outlines: list[NDArray[np.float32]], margin: float = 0.0) -> Ground:
        """The same table, and a little beyond, with more things on it."""
        return Ground(self.width + 2 * margin, self.depth + 2 * margin, self.length, self.taken + outlines)

    @cached_property
    def _middles(self) -> Vector:
        return np.array([outline.mean(0) for outline in self.taken], float).reshape(-1, 2)

    @cached_property
    def _reach(self) -> Vector:
        return np.array([np.abs(o - o.mean(0)).max() for o in self.taken], float)

    def is_free(self, rest: Rest, clearance: float, but: tuple[NDArray[np.float32], ...] = ()) -> bool:
        """May a tile lie here? `but` are outlines that it may touch."""
        outline = rest.outline(self.length)
        if (np.abs(outline) > [self.width / 2, self.depth / 2]).any():
            return False
        grown = rest.outline(self.length, clearance)
        near = np.abs(self._middles - rest.middle).max(1) < self._reach + self.length / 2 + 0.6 + clearance
        for k in np.flatnonzero(near):
            touching = any(self.taken[k] is each for each in but)
            if cv2.intersectConvexConvex(outline if touching else grown, self.taken[k])[0] > 0.004:
                return False
        return True

    def is_free_of_tiles(self, point: Vector, radius: float) -> bool:
        """Is no tile nearer to this point than `radius`?"""
        at = (float(point[0]), float(point[1]))
        return all(cv2.pointPolygonTest(outline, at, True) < -radius for outline in self.taken)


class Way(NamedTuple):
    """One possible place for the next tile, before chance moves it a little."""

    kind: str
    """straight | side | corner | fold"""
    turn: float
    price: float


@dataclass
class Line:
    """One train on the table."""

    start: Vector
    """Where the inner edge of the first tile goes."""
    heading: float
    rests: list[Rest] = field(default_factory=list)
    outlines: list[NDArray[np.float32]] = field(default_factory=list)

    def reserved(self, length: float) -> list[NDArray[np.float32]]:
        """While nothing lies here, the others keep this place free."""
        if self.rests:
            return []
        return [Rest(self.start + unit(self.heading) * length, self.heading, False).outline(2 * length, -length / 2)]

    def lay(self, double: bool, ground: Ground, others: list[NDArray[np.float32]], habits: Habits, rng: Rng) -> Rest:
        """Find a place for the next tile; its outline is then the last of `outlines`. Raises NoRoomError."""
        ways = self._ways(habits, rng)
        for usual, margin, turns in _TRIES:
            clearance = usual * habits.room
            room = ground.with_more(others, margin)
            best: tuple[float, Rest] | None = None
            for way in ways + [Way("straight", turn, 3 + abs(turn)) for turn in turns]:
                rest = self._place(way, double and not habits.straight_doubles, ground.length, habits, rng)
                if rest is None or not room.is_free(rest, clearance, self._neighbours(way)):
                    continue
                price = way.price - _prospect(rest, room, clearance)
                if best is None or price < best[0]:
                    best = price, rest
            if best is not None:
                outline = best[1].outline(ground.length)
                self.rests.append(best[1])
                self.outlines.append(outline)
                return best[1]
        raise NoRoomError

    def _neighbours(self, way: Way) -> tuple[NDArray[np.float32], ...]:
        """Tiles that the next one may come near to: the last, and at a bend the one before."""
        return tuple(self.outlines[-1:] if way.kind == "straight" else self.outlines[-2:])

    def _ways(self, habits: Habits, rng: Rng) -> list[Way]:
        if not self.rests:
            return [Way("straight", t, abs(t) * 4) for t in (0.0, -0.1, 0.1, -0.25, 0.25)]
        bends = 2.4 - habits.curl * rng.random()
        ways = [Way("straight", t, 6 * abs(t)) for t in (0.0, -0.12, 0.12, -0.25, 0.25)]
        kinds = ["side", "corner"] if rng.random() > habits.corner_bends else ["corner", "side"]
        for sign in (-1, 1):
            for n, kind in enumerate(kinds):
                ways.append(Way(kind, sign * np.pi / 2, bends + 0.5 * n + 0.3 * rng.random()))
        if habits.folds and not self.rests[-1].across:
            ways += [Way("fold", sign * np.pi, bends + 0.6) for sign in (-1, 1)]
        return ways

    def _place(self, way: Way, across: bool, length: float, habits: Habits, rng: Rng) -> Rest | None:
        gap = min(0.38, abs(rng.normal(0, habits.gap)) + (rng.uniform(0, 0.25) if rng.random() < 0.03 else 0))
        sideways = float(np.clip(rng.normal(0, habits.offset), -0.2, 0.2))
        wobble = float(np.clip(rng.normal(0, habits.turn), -0.2, 0.2))
        reach = 0.5 if across else length / 2
        at, axis = self.start, self.heading
        if self.rests:
            last = self.rests[-1]
            ahead, side = last.reach(length)
            h, axis = unit(last.axis), last.axis
            at = last.middle + h * ahead
            if way.kind == "side":
                at = last.middle + (0 if last.across else h * (ahead - length / 4)) + unit(axis + way.turn) * side
            elif way.kind == "fold":
                if across:
                    return None
                beside = unit(axis + way.turn / 2) * (1.0 + gap + abs(np.sin(wobble)) * length / 2)
                return Rest(last.middle + beside + h * sideways, axis + way.turn + wobble, False)
            elif way.kind == "corner":
                if last.across or across:
                    return None
                axis += way.turn + wobble
                half = at + h * (gap + 0.5 + abs(np.sin(wobble)) * length / 2)
                return Rest(half + unit(axis) * (length / 4 + sideways), axis, False)
        axis += way.turn + wobble
        slant = (length / 2 if across else 0.5) * abs(np.sin(wobble if way.kind == "side" else way.turn + wobble))
        middle = at + unit(axis) * (gap + min(slant, 0.35) + reach) + unit(axis + np.pi / 2) * sideways
        return Rest(middle, axis, across)


def _prospect(rest: Rest, ground: Ground, clearance: float) -> float:
    """How good it is to go on from here: room straight ahead, and round the corner after that."""
    run, last = _run(rest, ground, clearance)
    corners = []
    for sign in (-1, 1):
        ahead, side = last.reach(ground.length)
        axis = last.axis + sign * np.pi / 2
        at = last.middle + (0 if last.across else unit(last.axis) * (ahead - ground.length / 4))
        first = Rest(at + unit(axis) * (side - ground.length / 2), axis, False)
        corners.append(_run(first, ground, clearance)[0])
    return 1.2 * min(run, 4) + 0.4 * min(run, _LOOK_AHEAD) + 0.5 * max(corners)


def _run(rest: Rest, ground: Ground, clearance: float) -> tuple[int, Rest]:
    """How many tiles could go straight on from here, and where the last of them would lie."""
    u = unit(rest.axis)
    ahead = rest.reach(ground.length)[0]
    last = rest
    for n in range(_LOOK_AHEAD):
        next_one = Rest(rest.middle + u * (ahead + (n + 0.5) * ground.length + 0.05), rest.axis, False)
        if not ground.is_free(next_one, clearance):
            return n, last
        last = next_one
    return _LOOK_AHEAD, last


class NoRoomError(Exception):
    """The table is full where this train ends."""
