"""Readings of a table as a faultless reader would give them, and with faults, drawn from the state of a game."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import atan2, cos, pi, sin
from random import Random

import numpy as np

from companion.rules.state import PlacedTile, TableState
from companion.rules.tiles import Tile
from companion.rules.turn import TrainKey
from companion.vision.readings import Chain, HalfReading, LaidTile, TableReading, TileBox, TileReading

LENGTH = 100.0
WIDTH = 50.0


@dataclass
class Faults:
    """What goes wrong when a table is read."""

    misread: float = 0.0
    """Chance of each half to be read as another number."""
    markers: bool = True
    """Does the reader know markers?"""
    boneyard: bool = True
    """Does the boneyard lie in view?"""
    hands: bool = True
    """Do the hands lie face down in view?"""
    max_pip: int = 12


@lru_cache(100_000)
def box(x: float, y: float, heading: float, length: float = LENGTH, width: float = WIDTH) -> TileBox:
    """A tile whose half A lies towards `heading` + pi."""
    along = np.array([cos(heading), sin(heading)])
    across = np.array([-sin(heading), cos(heading)])
    corners = [
        -along * length / 2 + across * width / 2,
        -along * length / 2 - across * width / 2,
        along * length / 2 - across * width / 2,
        along * length / 2 + across * width / 2,
    ]
    return TileBox((np.array([x, y]) + np.array(corners)).astype(np.float32), 0.99)


@dataclass
class Painter:
    """Lays a table out and reads it."""

    random: Random
    order: Sequence[int]
    faults: Faults = field(default_factory=Faults)
    sides: dict[TrainKey, float] = field(default_factory=dict)
    """Where trains start when the camera stands straight."""
    turn: float = 0.0
    shift: tuple[float, float] = (0.0, 0.0)

    def __post_init__(self) -> None:
        if not self.sides:
            self.sit_down()

    def sit_down(self) -> None:
        """Players sit down evenly, roughly; the Mexican Train starts in a gap."""
        room = 2 * pi / len(self.order)
        first = self.random.uniform(-pi, pi)
        for place, seat in enumerate(self.order):
            self.sides[seat] = first + room * (place + self.random.uniform(-0.12, 0.12))
        self.sides[None] = first + room * (self.random.randrange(len(self.order)) + 0.5)

    def reading(
        self, table: TableState, hidden: Collection[TrainKey] = (), engine: bool = True, split: bool = True
    ) -> TableReading:
        """What a reader sees; of the trains in `hidden` the last tiles are covered by a hand."""
        chains = []
        for train in table.trains:
            tiles = list(train.tiles)
            if train.owner in hidden and tiles:
                tiles = tiles[: self.random.randrange(len(tiles))]
            if tiles:
                chains.append(self._chain(train.owner, tiles))
        chains.sort(key=lambda chain: chain.heading)
        face_down = []
        if self.faults.boneyard:
            face_down += self._pile(self.sides[None], 1900.0, table.boneyard)
        if self.faults.hands:
            for seat in table.participants:
                face_down += self._pile(self.sides[seat], 1300.0, table.hands[seat].count)
        markers = []
        if self.faults.markers:
            for seat in table.participants:
                if table.trains[seat].marker:
                    markers.append(self._box(self.sides[seat] + 0.1, 80.0, 20.0, 20.0))
        central = None
        if engine and table.engine is not None:
            central = self._read(table.engine, table.engine.low, box(*self._at(0, 0), self.turn), exact=True)[0]
        return TableReading(central, tuple(chains), (), tuple(face_down), tuple(markers))

    def _at(self, angle: float, radius: float) -> tuple[float, float]:
        return (
            1000 + self.shift[0] + radius * cos(angle + self.turn),
            800 + self.shift[1] + radius * sin(angle + self.turn),
        )

    def _box(self, angle: float, radius: float, length: float = LENGTH, width: float = WIDTH) -> TileBox:
        return box(*self._at(angle, radius), angle + self.turn, length, width)

    def _pile(self, angle: float, radius: float, tiles: int) -> list[TileBox]:
        """Backs side by side, a row of eight at a time."""
        found = []
        for k in range(tiles):
            row, column = divmod(k, 8)
            x, y = self._at(angle, radius + 110 * row)
            off = (column - 3.5) * 60
            found.append(box(x - off * sin(angle + self.turn), y + off * cos(angle + self.turn), angle + self.turn))
        return found

    def _chain(self, key: TrainKey, tiles: Sequence[PlacedTile]) -> Chain:
        angle = self.sides[key]
        radius = 80.0
        laid = []
        for placed in tiles:
            long = WIDTH if placed.tile.is_double else LENGTH
            x, y = self._at(angle, radius + long / 2)
            across = pi / 2 if placed.tile.is_double else 0.0
            where = box(x, y, angle + self.turn + across)
            radius += long + 3
            reading, inner, outer = self._read(placed.tile, placed.inner, where)
            laid.append(LaidTile(reading, inner, outer))
        start = self._at(angle, 80.0)
        middle = self._at(0, 0)
        heading = atan2(start[1] - middle[1], start[0] - middle[0])
        return Chain(tuple(laid), start, heading, True)

    def _read(self, tile: Tile, inner: int, where: TileBox, exact: bool = False) -> tuple[TileReading, int, int]:
        first, second = (self._half(pips, exact) for pips in (inner, tile.other(inner)))
        confidence = first.confidence * second.confidence
        halves = (first, second) if self.random.random() < 0.5 else (second, first)
        return TileReading(Tile(first.pips, second.pips), confidence, where, halves), first.pips, second.pips

    def _half(self, pips: int, exact: bool) -> HalfReading:
        others = [n for n in range(self.faults.max_pip + 1) if n != pips]
        if exact or self.random.random() >= self.faults.misread:
            return HalfReading(pips, self.random.uniform(0.95, 1.0), self.random.choice(others))
        wrong = self.random.choice(others)
        sure = self.random.uniform(0.9, 0.99) if self.random.random() < 0.2 else self.random.uniform(0.35, 0.9)
        second = pips if self.random.random() < 0.8 else self.random.choice([n for n in others if n != wrong])
        return HalfReading(wrong, sure, second)
