"""Tables of whole rounds with readings as perfect, or as imprecise, as is asked for; no picture is drawn."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import numpy as np
from synth.geometry import face_corners, project
from synth.rounds import RoundTable
from synth.scene import Scene

from companion.app.simulation import Simulator, Strategy
from companion.rules import seating
from companion.rules.house_rules import HouseRules, Preset
from companion.rules.state import TableState
from companion.rules.tiles import Tile
from companion.vision.boxes import oriented_box
from companion.vision.readings import Doubt, HalfReading, KnownChain, TableReading, TileBox, TileReading

Values = frozenset[tuple[tuple[int, int], ...]]


def play_round(players: int, seed: int, rules: HouseRules | None = None) -> Iterator[TableState]:
    """The states of one simulated round, one after every move."""
    names = [f"player {seat}" for seat in range(players)]
    strategies = list(Strategy)
    sim = Simulator(rules or HouseRules(), names, [strategies[k % 4] for k in range(players)], Random(seed))
    sim.record(seating.start_game(sim.rules, names, Preset.CUSTOM, ()))
    sim.start_round()
    assert sim.game.table is not None
    yield sim.game.table
    for _ in sim.round_moves():
        yield sim.game.table


def lay_rounds(players: int, seed: int, every: int = 1) -> Iterator[tuple[TableState, RoundTable]]:
    """A table that follows a round; it is the same object every time."""
    table = None
    for move, state in enumerate(play_round(players, seed)):
        if table is None:
            table = RoundTable(state.participants, HouseRules().tile_set, seed)
        table.follow(state)
        if move % every == 0:
            yield state, table


def readings(
    scene: Scene, noise: float = 0.0, seed: int = 0, misread: float = 0.0, upright: bool = False
) -> tuple[list[TileReading], list[TileBox]]:
    """What perfect eyes would read in a scene, and the tiles face down.

    `upright`: boxes are the smallest rectangles around the tiles, as a detector gives them. `noise` is the standard
    deviation of every corner, in tile widths; `misread` the share of halves with a wrong number, which are
    then read with less confidence.
    """
    rng = np.random.default_rng([seed, 3])
    faces, backs = [], []
    for pose in scene.tiles:
        if pose.standing:
            continue
        corners = project(scene.camera, face_corners(pose, scene.style))
        if upright:
            corners = oriented_box(corners, corners)
        width = float(np.linalg.norm(corners[1] - corners[0]))
        corners = corners + rng.normal(0, noise * width, (4, 2)) if noise else corners
        numbers = [pose.a, pose.b]
        if rng.random() < 0.5:  # the detector does not know which half is which
            corners, numbers = corners[[2, 3, 0, 1]], numbers[::-1]
        box = TileBox(np.asarray(corners, np.float32), 0.95)
        if not pose.face_up:
            backs.append(box)
            continue
        halves = []
        for number in numbers:
            other = int(rng.integers(scene.style.max_pip))
            other += other >= number
            wrong = rng.random() < misread
            confidence = float(rng.uniform(0.45, 0.9) if wrong else rng.uniform(0.96, 0.9999))
            halves.append(HalfReading(other, confidence, number) if wrong else HalfReading(number, confidence, other))
        faces.append(
            TileReading(
                Tile(halves[0].pips, halves[1].pips),
                halves[0].confidence * halves[1].confidence,
                box,
                (halves[0], halves[1]),
                frozenset({Doubt.LOW_CONFIDENCE} if min(h.confidence for h in halves) < 0.9 else ()),
            )
        )
    return faces, backs


def true_chains(state: TableState) -> Values:
    """The numbers of every train that has tiles."""
    return frozenset(tuple((t.inner, t.outer) for t in train.tiles) for train in state.trains if train.tiles)


def known_chains(state: TableState) -> tuple[KnownChain, ...]:
    """The same as `before` of a reading."""
    return tuple(KnownChain(values) for values in sorted(true_chains(state)))


def read_chains(reading: TableReading) -> Values:
    """The numbers of every chain that was read."""
    return frozenset(chain.values for chain in reading.chains)


def tilted(scene: Scene, tilt: float) -> Scene:
    """The same table from a lower place."""
    return replace(scene, camera=replace(scene.camera, tilt=tilt, distance=scene.camera.distance * 1.3))
