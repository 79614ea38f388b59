"""A reading of the table laid over the log: the values that `table_match.sight` returns."""

from dataclasses import dataclass
from enum import StrEnum

from companion.app.following import Place
from companion.app.table_sides import Sides
from companion.app.table_signs import NewPlace
from companion.app.table_touch import Point
from companion.rules.tiles import Tile
from companion.rules.turn import TrainKey
from companion.vision.readings import Chain, LaidTile


class View(StrEnum):
    """Is this the table of the log?"""

    TABLE = "table"
    """Yes."""
    NO_ENGINE = "no_engine"
    """Yes, by its trains; the engine is not in view."""
    EMPTY = "empty"
    """Nothing is in view."""
    OTHER_TABLE = "other_table"
    """No tile of the log is in view."""
    OTHER_ENGINE = "other_engine"
    """Another double lies in the middle, and nothing else is known."""


@dataclass(frozen=True, slots=True, eq=False)
class NewRow:
    """Tiles that the log does not know, one laid on the other."""

    keys: tuple[tuple[TrainKey, float], ...]
    """The trains they can belong to, and what speaks against each; a single one where the train is known."""
    tiles: tuple[LaidTile, ...]
    """From the tail of the log's train outwards, at least one."""
    heading: float
    """Where the chain starts."""
    root: Tile
    """The first tile of the train."""
    index: int = 0
    """Index of the first new tile in the train."""
    loose: bool = False
    """They do not touch the tail; they only lie next to it."""

    @property
    def places(self) -> tuple[NewPlace, ...]:
        """Where they lie, in words that hold for the next photo too."""
        return tuple((self.root, self.index + step) for step in range(len(self.tiles)))


@dataclass(frozen=True, slots=True, eq=False)
class OddTile:
    """A tile of the log that was read as another one."""

    place: Place
    laid: LaidTile


@dataclass(frozen=True, slots=True, eq=False)
class Sighting:
    """A reading laid over the log."""

    view: View
    sides: Sides
    """Where trains start in this photo."""
    beginnings: tuple[tuple[TrainKey, tuple[Point, ...]], ...] = ()
    """Where chains start in this photo and where the middles of their first tiles lie, px, by train."""
    rows: tuple[NewRow, ...] = ()
    unplaced: tuple[Chain, ...] = ()
    """Chains that can be told to no train; they are left alone."""
    unseen: tuple[Place, ...] = ()
    """Tiles of the log that are in no chain and not loose either: one may be taken or covered; where more are, a hand
    is over the table."""
    odd: tuple[OddTile, ...] = ()
    moved: tuple[Place, ...] = ()
    """Places of tiles of the log that lie somewhere else."""

    @property
    def news(self) -> int:
        """How many tiles are new."""
        return sum(len(row.tiles) for row in self.rows)
