"""What was recognised on a table, before it is known how it belongs together."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.rules.tiles import Tile, TileSet
from companion.vision.layout import read_layout
from companion.vision.readings import Doubt, HandReading, KnownChain, TableReading
from companion.vision.things import Things

_USUAL = {Doubt.FACE_DOWN_NEARBY, Doubt.UNREADABLE}
"""The boneyard lies face down, and hands stand at the rim: a doubt of a hand, not of a table."""


@dataclass(frozen=True, slots=True, eq=False)
class TableParts:
    """Tiles, markers and the station of one photo. The same whatever the game is believed to be: it can be kept."""

    hand: HandReading
    """All tiles that lie, as if they were a hand."""
    things: Things

    def laid_out(
        self, tile_set: TileSet, engine: Tile | None = None, before: Sequence[KnownChain] = ()
    ) -> TableReading:
        """The chains they form, see `layout.read_layout`."""
        hand, things = self.hand, self.things
        reading = read_layout(
            hand.tiles,
            tile_set,
            engine,
            before,
            face_down=hand.face_down,
            unreadable=hand.unreadable,
            markers=things.markers,
            station=things.station,
        )
        return replace(reading, faint=things.faint, doubts=reading.doubts | (hand.doubts - _USUAL))
