"""What was seen in a photo: boxes, halves, tiles, hands, chains; and the doubts about them, as values."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from companion.rules.tiles import Tile


class Doubt(StrEnum):
    """Why a tile, or a whole hand, should be looked at by a person."""

    LOW_CONFIDENCE = "LOW_CONFIDENCE"
    """The networks were not sure of the pips or of the tile."""
    DUPLICATE = "DUPLICATE"
    """This tile was read twice in one photo; a set has it once."""
    NOT_IN_SET = "NOT_IN_SET"
    """A number that the chosen set does not have."""
    CUT_OFF = "CUT_OFF"
    """The tile runs out of the photo."""
    ALREADY_ON_TABLE = "ALREADY_ON_TABLE"
    """This tile is known to be elsewhere (`taken`)."""
    TOO_SMALL = "TOO_SMALL"
    """The halves are too small in the photo to count the pips safely."""
    BLURRED = "BLURRED"
    """The photo is out of focus or shaken."""
    GLARE = "GLARE"
    """Light is reflected over the tile."""
    CORRECTED = "CORRECTED"
    """The reading was changed so that it agrees with the other tiles: with the set, or with what it touches."""
    FACE_DOWN_NEARBY = "FACE_DOWN_NEARBY"
    """A tile lies face down among the others; its pips are not counted."""
    UNREADABLE = "UNREADABLE"
    """There seems to be a tile here that could not be read; it is not counted."""
    CHAIN_UNCERTAIN = "CHAIN_UNCERTAIN"
    """How this tile, or this chain, goes on from its neighbours could be read in more than one way."""
    NUMBERS_DIFFER = "NUMBERS_DIFFER"
    """The half does not show the number of the half that it touches: misread, or laid against the rules."""
    NO_ENGINE = "NO_ENGINE"
    """No engine was found in the photo, so nothing tells where the chains begin."""


class Hint(StrEnum):
    """What would make a better photo."""

    BLURRED = "BLURRED"
    """Hold still, let the camera focus."""
    CUT_OFF = "CUT_OFF"
    """Have every tile in the photo."""
    GLARE = "GLARE"
    """Move away from the light that the tiles mirror."""
    STEEP = "STEEP"
    """Look from above."""
    TOO_DARK = "TOO_DARK"
    """More light."""
    TOO_FAR = "TOO_FAR"
    """Go nearer."""


@dataclass(frozen=True, slots=True, eq=False)
class TileBox:
    """Where a tile lies in the photo."""

    corners: NDArray[np.float32]
    """(4, 2) float32, x and y in pixels of the upright photo, clockwise as seen; the first two corners are the
    short side of half A, the last two the short side of half B."""
    score: float
    """Confidence of the detector, 0..1."""


@dataclass(frozen=True, slots=True)
class HalfReading:
    """The pips of one half."""

    pips: int
    """Most likely number."""
    confidence: float
    """Calibrated probability of `pips`, 0..1."""
    runner_up: int
    """Second most likely number."""


@dataclass(frozen=True, slots=True, eq=False)
class TileReading:
    """One tile, face up."""

    tile: Tile
    """The value, low half first."""
    confidence: float
    """Probability that `tile` is right, 0..1."""
    box: TileBox
    """Where it lies; `halves[0]` is half A of the box."""
    halves: tuple[HalfReading, HalfReading]
    """The halves in the order of the box's corners."""
    doubts: frozenset[Doubt] = frozenset()
    """Why a person should look at this tile; empty when none should."""


@dataclass(frozen=True, slots=True, eq=False)
class HandReading:
    """All tiles of one photo, in reading order (rows from the top, each from the left)."""

    tiles: tuple[TileReading, ...]
    """The tiles that lie face up."""
    face_down: tuple[TileBox, ...] = ()
    """Tiles that show their back; they are not counted."""
    unreadable: tuple[TileBox, ...] = ()
    """Places that look like a tile and could not be read; they are not counted."""
    doubts: frozenset[Doubt] = frozenset()
    """Doubts about the photo as a whole."""
    hints: frozenset[Hint] = frozenset()
    """What would make a better photo; never a reason for doubt by itself."""

    @property
    def values(self) -> tuple[Tile, ...]:
        """The tiles' values in reading order."""
        return tuple(reading.tile for reading in self.tiles)

    @property
    def is_doubtful(self) -> bool:
        """Should a person look before the points are believed?"""
        return bool(self.doubts) or any(reading.doubts for reading in self.tiles)


@dataclass(frozen=True, slots=True, eq=False)
class LaidTile:
    """One tile of a chain."""

    reading: TileReading
    """The tile; its doubts include those about its place in the chain."""
    inner: int
    """Number of the half that points to the engine."""
    outer: int
    """Number of the half at the far side."""


@dataclass(frozen=True, slots=True, eq=False)
class Chain:
    """Tiles that were laid one on the other."""

    tiles: tuple[LaidTile, ...]
    """From the engine outwards, at least one."""
    start: tuple[float, float]
    """Middle of the first tile's inner edge, pixels of the upright photo."""
    heading: float
    """Direction from the engine (or else from the middle of the table) to `start`: radians in the photo's frame, x to
    the right and y down, so that clockwise as seen is growing; -pi..pi."""
    attached: bool
    """Does the first tile lie at the engine or at the station?"""
    doubts: frozenset[Doubt] = frozenset()
    """Doubts about the chain as a whole; those about single tiles are in `tiles`."""

    @property
    def values(self) -> tuple[tuple[int, int], ...]:
        """The numbers (inner, outer) of each tile, from the engine outwards."""
        return tuple((laid.inner, laid.outer) for laid in self.tiles)


@dataclass(frozen=True, slots=True)
class KnownChain:
    """A chain as it was last accepted: what a reading of the table is helped by."""

    values: tuple[tuple[int, int], ...]
    """The numbers (inner, outer) of each tile, from the engine outwards."""
    heading: float | None = None
    """Where it started in the last photo, see `Chain.heading`; None: not known."""


@dataclass(frozen=True, slots=True, eq=False)
class TableReading:
    """The table of a round as it lies in one photo."""

    engine: TileReading | None
    """The double in the middle; None: not found."""
    chains: tuple[Chain, ...]
    """Clockwise by heading."""
    loose: tuple[TileReading, ...] = ()
    """Tiles that lie face up in no chain."""
    face_down: tuple[TileBox, ...] = ()
    """Tiles that show their back: the boneyard, and hands."""
    markers: tuple[TileBox, ...] = ()
    """Markers; empty where the detector does not know them."""
    station: TileBox | None = None
    """The piece that holds the engine; None: none seen, or the detector does not know it."""
    unreadable: tuple[TileBox, ...] = ()
    """Places that look like a tile and could not be read."""
    doubts: frozenset[Doubt] = frozenset()
    """Doubts about the photo as a whole."""
    faint: tuple[TileBox, ...] = ()
    """What may be a marker, and may be none."""

    @property
    def is_doubtful(self) -> bool:
        """Should a person look before this is believed?"""
        return bool(self.doubts) or any(each.doubts for each in self.chains) or any(each.doubts for each in self.laid)

    @property
    def laid(self) -> tuple[TileReading, ...]:
        """The tiles of all chains."""
        return tuple(tile.reading for chain in self.chains for tile in chain.tiles)

    @property
    def face_up(self) -> tuple[TileReading, ...]:
        """All tiles that lie face up: those of the chains, the loose ones, the engine."""
        return (*self.laid, *self.loose, *([self.engine] if self.engine is not None else []))
