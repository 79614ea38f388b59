"""Somebody who follows simulated games by pictures: every table is drawn, and read by the networks."""

import pickle
import time
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray
from synth.compositor import draw
from synth.geometry import face_corners, project
from synth.rounds import RoundTable
from synth.scene import Clutter, Scene

from companion.app.following import known_chains, known_engine
from companion.rules.turn import TrainKey
from companion.vision.photo import Photo
from companion.vision.reader import Reader
from companion.vision.readings import TableReading
from companion.vision.table_parts import TableParts
from tests.app.table_follower import LOOKS, Follower

WIDTHS_PX = (1280, 1408, 1536, 1664, 1792, 1920, 2240, 2560, 3200, 3840)
"""The smallest in which all halves are larger than 20 pixels is taken: what is not needed need not be drawn."""


class Misreading(Reader):
    """A reader that takes a share of all halves for another number."""

    share = 0.0
    random = Random(0)

    def _chances(self, photo: Photo, corners: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        chances, cut = super()._chances(photo, corners)
        random, numbers = self.random, range(len(self._numbers))
        for half in chances.reshape(-1, chances.shape[2]):
            if random.random() < self.share and (true := int(half.argmax())) in numbers:
                wrong = random.choice([n for n in numbers if n != true])
                sure = random.uniform(0.9, 0.99) if random.random() < 0.2 else random.uniform(0.5, 0.9)
                half *= (1 - sure) / max(1 - half[wrong], 1e-6)
                half[wrong] = sure
        return chances, cut


@dataclass
class Shot:
    """One picture and what was recognised in it."""

    table: tuple[object, ...]
    """What lay there: of another simulation, the picture is another."""
    parts: TableParts
    backs: list[NDArray[np.float32]]
    """Corners of the tiles that lie face down in it."""
    markers: list[NDArray[np.float32]]
    took: Counter[str]
    """Milliseconds."""


@dataclass
class Watcher(Follower):
    """Follows one game by pictures of its table."""

    reader: Misreading | None = None
    seed: int = 0
    keeps: bool = True
    album: Path | None = None
    """Here every picture's `Shot` is kept and looked up: what is recognised does not depend on how it is followed."""
    shots: dict[tuple[object, ...], Shot] = field(default_factory=dict)

    def sit_down(self) -> None:
        table = self.simulator.game.table
        assert table is not None
        seed = self.seed + 1000 * len(self.simulator.game.rounds)
        self.laid = RoundTable(table.participants, self.simulator.rules.tile_set, seed, WIDTHS_PX)
        self.still, self.looked = 0, 0
        if self.album is not None and self.album.exists():
            self.shots = pickle.loads(self.album.read_bytes())
        self.laid.follow(table)
        camera = self.laid.scene()[0].camera
        ahead = [(np.cos(self.laid.side(seat)), np.sin(self.laid.side(seat)), 0.0) for seat in table.participants]
        middle, *ends = project(camera, np.array([(0.0, 0.0, 0.0), *ahead]))
        # the table says once where each train starts, by a tap on the photo that is off by a few degrees
        angles = [float(np.arctan2(*(end - middle)[::-1])) + self.random.uniform(-0.1, 0.1) for end in ends]
        self.following = self.following.with_sides(dict(zip(table.participants, angles, strict=True)))

    def counted(self, seat: int) -> bool:
        return not self.laid.stands(seat)

    def look(self) -> None:
        self.still, self.looked = self.still + 1, 0
        super().look()

    def reading(self, hidden: Collection[TrainKey]) -> TableReading:
        assert self.session is not None
        key = (self.still, self.looked, *hidden)
        table = self.simulator.game.table
        assert table is not None
        lies = (table.engine, table.trains, tuple(hand.count for hand in table.hands))
        if key not in self.shots or self.shots[key].table != lies:
            self.shots[key] = self._shoot(hidden, lies)
        shot = self.shots[key]
        self.looked += 1
        game = self.session.game
        start = time.process_time()
        reading = shot.parts.laid_out(game.rules.tile_set, known_engine(game), known_chains(game, self.following))
        self.figures["photos"] += 1
        self.figures.update(shot.took)
        self.figures["ms to read"] += round(1000 * (time.process_time() - start))
        self._compare(shot, reading)
        return reading

    def _shoot(self, hidden: Collection[TrainKey], lies: tuple[object, ...]) -> Shot:
        table = self.simulator.game.table
        assert table is not None
        assert self.reader is not None
        number = LOOKS * self.still + self.looked
        self.reader.share, self.reader.random = self.faults.misread, Random(f"{self.seed} {number}")
        start = time.process_time()
        self.laid.follow(table)
        scene, truth = self.laid.scene(number)
        for owner, tiles in truth.chains:
            if owner in hidden:
                scene = replace(scene, clutter=(*scene.clutter, *hand_over(scene, tiles[len(tiles) // 2 :])))
        drawn = draw(scene)
        made = time.process_time()
        parts = self.reader.table_parts(Photo(drawn.image, f"{number:064x}"), self.simulator.rules.tile_set)
        took = {"ms to draw": made - start, "ms to read": time.process_time() - made}
        return Shot(
            lies,
            parts,
            [tile.corners for tile in drawn.tiles if not tile.face_up and not tile.standing],
            [thing.corners for thing in drawn.things if thing.kind == "marker"],
            Counter({name: round(1000 * seconds) for name, seconds in took.items()}),
        )

    def keep(self) -> None:
        """Put what was recognised into the album."""
        if self.album is not None:
            self.album.parent.mkdir(parents=True, exist_ok=True)
            self.album.write_bytes(pickle.dumps(self.shots))

    def _compare(self, shot: Shot, reading: TableReading) -> None:
        """Count what was seen of the table, whatever is made of it."""
        table = self.simulator.game.table
        assert table is not None
        figures = self.figures
        true = {tuple((t.inner, t.outer) for t in train.tiles) for train in table.trains if train.tiles}
        seen = {chain.values for chain in reading.chains}
        engine = reading.engine.tile if reading.engine is not None else None
        figures["chains"] += len(true)
        figures["chains seen"] += len(true & seen)
        exact = true == seen and engine == table.engine
        figures["tables exact"] += exact
        self.disturbed |= not exact
        read = {tile.tile for tile in (*reading.laid, *reading.loose)}
        up = {placed.tile for train in table.trains for placed in train.tiles}
        figures["tiles"] += len(up)
        figures["tiles seen"] += len(up & read)
        figures["no tiles"] += len(read - up)
        figures["backs"] += len(shot.backs)
        figures["backs seen"] += hits(shot.backs, [box.corners for box in reading.face_down])
        figures["no backs"] += len(reading.face_down)
        figures["markers"] += len(shot.markers)
        figures["markers seen"] += hits(shot.markers, [box.corners for box in reading.markers])
        figures["no markers"] += len(reading.markers)


def hits(true: Collection[object], seen: Collection[NDArray[np.float32]]) -> int:
    """How many of these places (4, 2) were seen: something has its middle well within them."""
    middles = np.array([np.asarray(quad).mean(0) for quad in seen]).reshape(-1, 2)
    found = 0
    for quad in true:
        corners = np.asarray(quad, float)
        reach = 0.5 * min(np.linalg.norm(corners[1] - corners[0]), np.linalg.norm(corners[3] - corners[0]))
        found += bool(len(middles)) and bool(np.linalg.norm(middles - corners.mean(0), axis=1).min() < reach)
    return found


def hand_over(scene: Scene, tiles: Collection[int]) -> tuple[Clutter, ...]:
    """An arm that comes in from the rim over these tiles of a scene."""
    cam = scene.camera
    quads = np.array([project(cam, face_corners(scene.tiles[k], scene.style)) for k in tiles])
    middles = quads.mean(1)
    length = float(np.linalg.norm(quads[0, 3] - quads[0, 0]))
    outwards = middles.mean(0) - [cam.width / 2, cam.height / 2]
    angle = float(np.arctan2(outwards[1], outwards[0]))
    size = 3 * length / max(cam.width, cam.height)
    skin = (198.0, 150.0, 122.0)
    return tuple(
        Clutter("finger", float(x) / cam.width, float(y) / cam.height, size, angle, skin, skin, 5, above=True)
        for x, y in middles
    )
