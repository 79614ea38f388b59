"""Readings made by hand, and a reader that gives them: the logic around the networks is tested without them."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PIL import Image

from companion.rules.tiles import Tile, TileSet
from companion.vision.layout import read_layout
from companion.vision.photo import Photo
from companion.vision.readings import (
    Doubt,
    HalfReading,
    HandReading,
    KnownChain,
    TableReading,
    TileBox,
    TileReading,
)


def box(x: float, y: float, width: float = 60, height: float = 120) -> TileBox:
    """An upright box, its upper left corner at (x, y)."""
    corners = [[x, y], [x + width, y], [x + width, y + height], [x, y + height]]
    return TileBox(np.array(corners, dtype=np.float32), 0.9)


def tile(name: str, where: TileBox | None = None, *doubts: Doubt) -> TileReading:
    """A tile by its name."""
    value = Tile.parse(name)
    halves = (HalfReading(value.low, 0.97, 1), HalfReading(value.high, 0.98, 2))
    return TileReading(value, 0.95, where or box(10, 10), halves, frozenset(doubts))


def hand(*names: str) -> HandReading:
    """A hand in a row; `3-12?` is a tile that is hard to read."""
    return HandReading(
        tuple(
            tile(name.rstrip("?"), box(10 + 70 * n, 10), *([Doubt.LOW_CONFIDENCE] if "?" in name else []))
            for n, name in enumerate(names)
        )
    )


class FakeReader:
    """Gives the same readings in turn, or raises them."""

    version = "fake-1"

    def __init__(self, *readings: HandReading | Exception) -> None:
        self.readings = list(readings)
        self.asked: list[tuple[TileSet, frozenset[Tile]]] = []

    def read_hand(self, photo: Photo, tile_set: TileSet, taken: frozenset[Tile] = frozenset()) -> HandReading:
        self.asked.append((tile_set, taken))
        reading = self.readings.pop(0)
        if isinstance(reading, Exception):
            raise reading
        return reading

    def read_table(
        self, photo: Photo, tile_set: TileSet, engine: Tile | None = None, before: Sequence[KnownChain] = ()
    ) -> TableReading:
        """The tiles of the next hand, as they would lie on a table."""
        return read_layout(self.read_hand(photo, tile_set).tiles, tile_set, engine)


def grey_photo(path: Path, width: int = 640, height: int = 480) -> Path:
    """A photo without any tile."""
    Image.new("RGB", (width, height), (120, 120, 120)).save(path)
    return path
