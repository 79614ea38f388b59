"""A whole round on a table as people lay it: trains around the station, boneyard at the side, hands at the rim.

`RoundTable` follows the states of one round; whatever lies keeps its place from move to move. Each picture is taken a
little differently. `scene_for` gives the pictures of `datasets/recipes/round-table.toml`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.app.simulation import Simulator, Strategy
from companion.rules import seating
from companion.rules.house_rules import HouseRules, Preset
from companion.rules.state import PlacedTile, TableState
from companion.rules.tiles import Tile, TileSet

from .laying import Ground, Habits, Line, NoRoomError, Rest, unit
from .round_looks import RIM, WIDTHS_PX, hue, picture_for, style_for, whole_table
from .sampling import Recipe
from .scene import Camera, Scene, Thing, TilePose
from .things import MARKERS, STATIONS

Rng = np.random.Generator

_HAND_WIDTH = 10.0
"""Room at the rim for one hand; a large one lies in several rows."""


@dataclass(frozen=True, slots=True)
class RoundTruth:
    """What lies where, as numbers of `Scene.tiles`."""

    engine: int | None
    chains: tuple[tuple[int | None, tuple[int, ...]], ...]
    """The owner of each train that has tiles (None: the Mexican Train), and its tiles from the engine outwards."""
    markers: tuple[tuple[int, float, float], ...]
    """Owner and place on the table, in tile widths, of every marker that is on."""

    def to_json(self) -> dict[str, Any]:
        """Plain lists, for the sidecar."""
        chains = [{"owner": owner, "tiles": list(tiles)} for owner, tiles in self.chains]
        return {"engine": self.engine, "chains": chains, "markers": [list(marker) for marker in self.markers]}


class RoundTable:
    """One table during one round.

    `seats` are those who play, clockwise as seen from above; `seed` decides the people's habits, the tiles' looks, the
    camera and the light. The pictures have the width `width_px`, or the smallest of several in which halves are large
    enough.
    """

    def __init__(
        self, seats: tuple[int, ...], tile_set: TileSet, seed: int, width_px: int | tuple[int, ...] = WIDTHS_PX
    ) -> None:
        self._rng = rng = np.random.default_rng([seed, 7])
        self._seed = seed
        self.style = style_for(tile_set, rng)
        self.habits = Habits(
            gap=float(rng.uniform(0.015, 0.1)),
            offset=float(rng.uniform(0.02, 0.06)),
            turn=float(np.radians(rng.uniform(1, 4))),
            corner_bends=float(rng.choice([0.0, 0.3, 1.0], p=[0.5, 0.3, 0.2])),
            straight_doubles=bool(rng.random() < 0.08),
            curl=float(rng.choice([0.0, 0.8])),
            folds=bool(rng.random() < 0.25),
            room=float(rng.choice([1.0, 0.4])),
        )
        crowd = len(seats)
        self.ground = Ground(rng.uniform(36, 42) + 1.2 * crowd, rng.uniform(25, 29) + 0.8 * crowd, self.style.length)
        self.station = float(rng.uniform(1.9, 2.9)) if rng.random() < 0.5 else 0.0
        """Radius of the piece in the middle; 0: there is none."""
        self._engine_axis = float(rng.choice([0.0, np.pi / 2]) + rng.normal(0, 0.05))
        self._lines = self._start_lines(seats)
        self._standing = {seat: bool(rng.random() < 0.6) for seat in seats}
        self._seats = seats
        self._things = np.random.default_rng([seed, 12])
        self._marker_model = str(rng.choice(MARKERS))
        self._colours = {seat: hue(k / max(1, len(seats)), self._things) for k, seat in enumerate(seats)}
        self._station_piece = self._make_station()
        self._rims = self._seat_rims(seats)
        self._boneyard = self._boneyard_places(len(tile_set))
        self._tiles = list(tile_set)
        self._widths_px = width_px if isinstance(width_px, tuple) else (width_px,)
        self._base_camera: Camera | None = None
        self._picture = picture_for(np.random.default_rng([seed, 8]), self.style)
        self._engine: TilePose | None = None
        self._placed: dict[int | None, list[tuple[Tile, TilePose]]] = {owner: [] for owner in self._lines}
        self._state: TableState | None = None

    def side(self, owner: int | None) -> float:
        """The direction in which a train starts, radians of the table."""
        return self._lines[owner].heading

    def stands(self, seat: int) -> bool:
        """Does the hand of this player stand, so that its tiles cannot be counted?"""
        return self._standing[seat]

    def _make_station(self) -> tuple[Thing, ...]:
        """The piece in the middle, with a slot for every train; nothing where people do without."""
        if not self.station:
            return ()
        rng, slots = self._things, len(self._seats) + 1
        yaw = next(iter(self._lines.values())).heading
        model = str(rng.choice(STATIONS))
        rgb, rgb2 = hue(rng.random(), rng), hue(rng.random(), rng)
        size = 2 * self.station
        return (Thing("station", model, 0.0, 0.0, size, yaw, rgb, rgb2, int(rng.integers(2**31)), slots=slots),)

    def _marker_pieces(self, markers: tuple[tuple[int, float, float], ...]) -> tuple[Thing, ...]:
        """What shows that a train is open, in its owner's colour."""
        size = {"coin": 0.85, "button": 0.6, "bead": 0.5, "peg": 0.5, "train": 1.0}[self._marker_model]
        return tuple(
            Thing("marker", self._marker_model, x, y, size, owner + 0.4, self._colours[owner], (40, 40, 44), owner)
            for owner, x, y in markers
        )

    def _start_lines(self, seats: tuple[int, ...]) -> dict[int | None, Line]:
        """Where every train will start: evenly around the middle, the own trains in the order of the seats."""
        rng, count = self._rng, len(seats) + 1
        owners: list[int | None] = list(seats)
        owners.insert(int(rng.integers(count)), None)
        tight = 0.55 / np.tan(np.pi / count) if count > 2 else 0.6
        base = float(rng.uniform(0, 2 * np.pi))
        lines: dict[int | None, Line] = {}
        for k, owner in enumerate(owners):
            angle = base - 2 * np.pi * k / count + float(np.clip(rng.normal(0, 0.05), -0.12, 0.12)) * 6 / count
            radius = self.station or max(tight, self._engine_edge(angle) + 0.3 * abs(np.sin(2 * angle)))
            lines[owner] = Line(unit(angle) * (radius + 0.12 + abs(rng.normal(0, 0.05))), angle)
        return lines

    def _engine_edge(self, angle: float) -> float:
        """Distance from the middle of the engine to its edge in a direction."""
        c, s = np.abs(unit(angle - self._engine_axis))
        return float(min(self.style.length / 2 / max(c, 1e-6), 0.5 / max(s, 1e-6)))

    def _boneyard_places(self, count: int) -> list[tuple[float, float, float]]:
        """Rows of tiles face down at one side of the table, beyond the rim: x, y, yaw."""
        rng = self._rng
        tidy = rng.random() < 0.5
        columns = 3 if tidy else 5
        sides = [side for side in (-1.0, 1.0) if all(place[0] * side <= 0 for place, _ in self._side_rims())]
        side = float(rng.choice(sides or [-1.0, 1.0]))
        out = self.ground.width / 2 + (RIM if sides else RIM + 5)  # beyond the hands, where some lie on both sides
        rows = -(-count // columns)
        pitch = max(1.08 if tidy else 1.25, min(1.4, (self.ground.depth - 2) / rows))
        noise = np.clip(rng.normal(0, 0.02 if tidy else 0.06, (count, 3)), -0.1, 0.1) * [1, 0.3, 1]
        places = []
        for k in range(count):
            column, row = k % columns, k // columns
            x = side * (out + 1.5 + column * (self.style.length + 0.25))
            y = (row - (rows - 1) / 2) * pitch
            places.append((x + noise[k, 0], y + noise[k, 1], np.pi / 2 + noise[k, 2]))
        return places if tidy else [places[int(k)] for k in rng.permutation(count)]

    def _side_rims(self) -> list[tuple[NDArray[np.float64], float]]:
        """The hands at the left and the right of the table."""
        return [rim for rim in self._rims.values() if abs(np.cos(rim[1])) > 0.5]

    def follow(self, state: TableState) -> None:
        """Lay what is new, take away what has been taken back.

        Where a train has no room to go on, people move it, or all of them. Raises NoRoomError if even that fails.
        """
        if self._engine is None and state.engine is not None:
            rest = Rest(np.zeros(2), self._engine_axis, False)
            self._engine = rest.pose(state.engine.high, state.engine.high)
            self.ground = self.ground.with_more([rest.outline(self.style.length)])
        self._state = state
        trains = {train.owner: train.tiles for train in state.trains if train.owner in self._lines}
        for owner, tiles in trains.items():
            placed = self._placed[owner]
            while placed and [tile for tile, _ in placed] != [t.tile for t in tiles[: len(placed)]]:
                self._take_back(owner)
        try:
            self._lay(trains)
            return
        except NoRoomError:
            stuck = next(owner for owner in trains if len(self._placed[owner]) < len(trains[owner]))
        for owners in ((stuck,), (stuck,), (stuck,), *(tuple(trains),) * 20):
            for owner in owners:
                while self._placed[owner]:
                    self._take_back(owner)
            try:
                self._lay(trains)
                return
            except NoRoomError:
                continue
        raise NoRoomError

    def _lay(self, trains: dict[int | None, tuple[PlacedTile, ...]]) -> None:
        """Lay the tiles that do not lie yet, of the longest train first."""
        for owner in sorted(trains, key=lambda owner: len(self._placed[owner]) - len(trains[owner])):
            line, placed = self._lines[owner], self._placed[owner]
            for new in trains[owner][len(placed) :]:
                others = [
                    outline
                    for each in self._lines.values()
                    if each is not line
                    for outline in each.reserved(self.style.length)
                ]
                rest = line.lay(new.tile.is_double, self.ground, others, self.habits, self._rng)
                self.ground = self.ground.with_more(line.outlines[-1:])
                placed.append((new.tile, rest.pose(new.inner, new.outer)))

    def _take_back(self, owner: int | None) -> None:
        """Take the last tile of a train away."""
        line = self._lines[owner]
        self._placed[owner].pop()
        line.rests.pop()
        gone = line.outlines.pop()
        self.ground = replace(self.ground, taken=[outline for outline in self.ground.taken if outline is not gone])

    def scene(self, look: int = 0) -> tuple[Scene, RoundTruth]:
        """The picture number `look` of what lies now."""
        state = self._state
        assert state is not None, "follow a state first"
        rng = np.random.default_rng([self._seed, 9, look])
        poses: list[TilePose] = []
        engine = None
        if self._engine is not None:
            engine = len(poses)
            poses.append(self._engine)
        chains = []
        for owner, placed in self._placed.items():
            if placed:
                chains.append((owner, tuple(range(len(poses), len(poses) + len(placed)))))
                poses += [_nudged(pose, rng) for _, pose in placed]
        poses += self._hands(state)
        unseen = [tile for tile in self._tiles if tile not in state.on_table]
        for x, y, yaw in self._boneyard[: state.boneyard]:
            tile = unseen[int(rng.integers(len(unseen)))] if unseen else Tile(0, 0)
            poses.append(TilePose(tile.low, tile.high, x, y, yaw, face_up=False))
        markers = tuple((t.owner, *self._marker(t.owner)) for t in state.trains if t.marker and t.owner is not None)
        light, surface, lens = self._picture
        light = replace(
            light,
            exposure=light.exposure * float(np.exp(rng.normal(0, 0.04))),
            field=tuple(tuple(v + float(rng.normal(0, 0.01)) for v in row) for row in light.field),
        )
        scene = Scene(
            (self._seed, look), self.style, tuple(poses), self._camera(rng), light, surface, (), lens, "round",
            (*self._station_piece, *self._marker_pieces(markers)),
        )  # fmt: skip
        return scene, RoundTruth(engine, tuple(chains), markers)

    def _hands(self, state: TableState) -> list[TilePose]:
        """Each hand at the rim before its owner, standing with its face to the owner, or face down."""
        poses = []
        known = {tile for hand in state.hands for tile in hand.known}
        hidden = [tile for tile in self._tiles if tile not in state.on_table and tile not in known]
        for seat in self._seats:
            hand = state.hands[seat]
            tiles = sorted(hand.known) + [hidden.pop() for _ in range(min(hand.unknown, len(hidden)))]
            rng = np.random.default_rng([self._seed, 10, seat])
            place, outward = self._rims[seat]
            along = unit(outward + np.pi / 2)
            standing = self._standing[seat]
            pitch = self.style.length + 0.15 if standing else 1.15
            per_row = max(1, int((_HAND_WIDTH - 0.6) / pitch))
            for k, tile in enumerate(tiles):
                row, column = divmod(k, per_row)
                depth = unit(outward) * (row * (1.2 if standing else self.style.length + 0.2))
                at = place + along * ((column - (per_row - 1) / 2) * pitch) + depth + rng.normal(0, 0.04, 2)
                yaw = outward + (0.0 if standing else -np.pi / 2) + float(rng.normal(0, 0.05))
                poses.append(TilePose(tile.low, tile.high, float(at[0]), float(at[1]), yaw, standing, standing))
        return poses

    def _seat_rims(self, seats: tuple[int, ...]) -> dict[int, tuple[NDArray[np.float64], float]]:
        """For each hand its place at the rim, and the direction to its owner; hands on one side keep apart."""
        half = np.array([self.ground.width, self.ground.depth]) / 2
        sides: dict[tuple[int, float], list[int]] = {}
        for seat in seats:
            h = unit(self._lines[seat].heading)
            axis = 0 if abs(h[0]) * half[1] > abs(h[1]) * half[0] else 1
            sides.setdefault((axis, float(np.sign(h[axis]))), []).append(seat)
        rims = {}
        for (axis, sign), there in sides.items():
            other = 1 - axis
            wanted = {}
            for seat in there:
                h = unit(self._lines[seat].heading)
                wanted[seat] = float(h[other] / abs(h[axis]) * half[axis])
            there.sort(key=lambda seat: wanted[seat])
            room = half[other] + 2 * RIM - _HAND_WIDTH / 2
            pitch = min(_HAND_WIDTH, 2 * room / max(1, len(there) - 1))
            at = np.array([wanted[seat] for seat in there])
            for n in range(1, len(at)):
                at[n] = max(at[n], at[n - 1] + pitch)
            at -= max(0.0, at[-1] - room)
            for n in range(len(at) - 2, -1, -1):
                at[n] = min(at[n], at[n + 1] - pitch)
            for seat, along in zip(there, at, strict=True):
                place = np.zeros(2)
                place[axis], place[other] = sign * (half[axis] + 0.8), along
                rims[seat] = place, float(np.arctan2(sign * axis, sign * (1 - axis)))
        return rims

    def _marker(self, owner: int) -> tuple[float, float]:
        """Where the train would begin, beside its beginning where that is clear, or else before its owner."""
        line = self._lines[owner]
        sides = (1.15, -1.15, 1.6, -1.6) if self._placed.get(owner) else (0.0, 1.15, -1.15, 1.6, -1.6)
        for out in np.arange(0.8, 12, 0.7):
            for side in sides:
                at = line.start + unit(line.heading) * out + unit(line.heading + np.pi / 2) * side
                others = [self._aside(at, other) for other in self._lines if other != owner]
                if abs(side) > 0.7 * min(others, default=np.inf):
                    continue
                if np.hypot(*at) > self.station + 0.6 and self.ground.is_free_of_tiles(at, 0.55):
                    return float(at[0]), float(at[1])
        place, outward = self._rims[owner]
        at = place - unit(outward) * 1.6
        return float(at[0]), float(at[1])

    def _aside(self, at: NDArray[np.float64], owner: int | None) -> float:
        """How far a place is from the straight way on which a train begins."""
        line = self._lines[owner]
        offset = at - line.start
        along = max(0.0, float(offset @ unit(line.heading)))
        return float(np.hypot(*(offset - unit(line.heading) * along)))

    def _camera(self, rng: Rng) -> Camera:
        """The same place all round, pushed and turned by a little for every picture."""
        if self._base_camera is None:
            self._base_camera = whole_table(self.ground, self.style, self._boneyard, self._seed, self._widths_px)
        base = self._base_camera
        return replace(
            base,
            tilt=max(0.0, base.tilt + float(rng.normal(0, 0.006))),
            azimuth=base.azimuth + float(rng.normal(0, 0.012)),
            target=(base.target[0] + float(rng.normal(0, 0.12)), base.target[1] + float(rng.normal(0, 0.12))),
            distance=base.distance * (1 + float(rng.normal(0, 0.004))),
        )


def scene_for(recipe: Recipe, index: int) -> tuple[Scene, RoundTruth]:
    """Picture number `index` of a recipe with the layout 'round': somewhere in a round that simulated people play."""
    rng = np.random.default_rng([recipe.seed, index])
    players, seed = int(rng.integers(2, 9)), int(rng.integers(2**31))
    rules = HouseRules()
    strategies = list(Strategy)
    names = [f"player {seat}" for seat in range(players)]
    sim = Simulator(rules, names, [strategies[k % len(strategies)] for k in range(players)], Random(seed))
    sim.record(seating.start_game(rules, names, Preset.CUSTOM, ()))
    sim.start_round()
    assert sim.game.table is not None
    table = RoundTable(sim.game.table.seats, rules.tile_set, seed, recipe.size)
    states = [sim.game.table, *(sim.game.table for _ in sim.round_moves())]
    for state in states[: int(rng.integers(1, len(states) + 1))]:
        assert state is not None
        table.follow(state)
    return table.scene(0)


def _nudged(pose: TilePose, rng: Rng) -> TilePose:
    """A sleeve has touched it: now and then a tile moves by a hair."""
    if rng.random() > 0.03:
        return pose
    dx, dy, turn = rng.normal(0, 0.02, 3)
    return replace(pose, x=pose.x + float(dx), y=pose.y + float(dy), yaw=pose.yaw + float(turn))
