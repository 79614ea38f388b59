"""Signs of moves that nobody sees: what markers and tiles that lie face down told in one look at the table."""

from collections.abc import Collection
from dataclasses import dataclass, replace

from companion.rules.state import Game, TableState
from companion.rules.tiles import Tile

_MARKER_COST = 5.0
"""What it costs an explanation that a marker was seen which would not be on,"""
_COUNT_COST = 3.0
"""The same for a count of tiles that lie face down."""
_COUNT_MORE = 1.0
"""For every further tile."""

Sign = tuple[str, int, int]
"""What was seen: of what kind, of which seat (-1: of none), and how many."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What an explanation must agree with: counts that can be trusted, in the log's terms."""

    markers: tuple[tuple[int, bool], ...] = ()
    marker_total: int | None = None
    """How many markers are on, where it cannot be said of each whose it is."""
    marker_missed: float = 2.5
    """What it costs that one would be on which was not seen: small, in the tone of the table, or under a hand."""
    boneyard: int | None = None
    hands: tuple[tuple[int, int], ...] = ()
    proven: bool = False
    """Has the boneyard been counted without a miss for long?"""
    exact: bool = False
    """And was it what the log says, so that no draw was missed before?"""

    def against(self, table: TableState, told: Collection[Sign] = ()) -> float:
        """How much of what was seen contradicts this table, besides the signs that were `told` before."""
        return sum(cost for sign, cost in self.contradictions(table) if sign not in told)

    def contradictions(self, table: TableState) -> list[tuple[Sign, float]]:
        """What contradicts this table, each with its cost. What is seen alike again and again is one sign."""
        found: list[tuple[Sign, float]] = [
            (("marker", seat, on), _MARKER_COST if on else self.marker_missed)
            for seat, on in self.markers
            if table.trains[seat].marker != on
        ]
        if self.marker_total is not None and not found:
            more = self.marker_total - sum(train.marker for train in table.trains)
            cost = _MARKER_COST * (more > 0) + self.marker_missed * (more < 0)
            found += [(("markers", -1, self.marker_total), cost)] if more else []
        if self.boneyard is not None and table.boneyard != self.boneyard:
            found.append((self._boneyard, _off(table.boneyard - self.boneyard)))
        found += [
            (("hand", seat, count), _off(table.hands[seat].count - count))
            for seat, count in self.hands
            if table.hands[seat].count != count
        ]
        return found

    @property
    def _boneyard(self) -> Sign:
        return "boneyard", -1, self.boneyard or 0

    def overdrawn(self, table: TableState, told: Collection[Sign] = ()) -> float:
        """What contradicts this table whatever comes: fewer tiles lie in the boneyard than were seen there."""
        more = self.boneyard is not None and table.boneyard < self.boneyard and self._boneyard not in told
        return _off(table.boneyard - (self.boneyard or 0)) if more else 0.0

    def missing(self, now: "Evidence | None" = None) -> "Evidence":
        """The same without the markers that were not seen and are not seen `now` either: missed once, missed again."""
        found = frozenset(seat for seat, on in now.markers if on) if now is not None else frozenset()
        markers = tuple((seat, on) for seat, on in self.markers if on or seat in found)
        return replace(self, markers=markers, marker_total=None)

    def without_markers(self, seats: Collection[int]) -> "Evidence":
        """The same without what it says of the markers of some seats."""
        return replace(self, markers=tuple((seat, on) for seat, on in self.markers if seat not in seats))

    def counts(self, seats: Collection[int]) -> bool:
        """Are the boneyard and these hands counted, or some hand at least, so that a draw is seen in two places?"""
        held = dict(self.hands)
        return self.boneyard is not None and bool(held) and all(seat in held for seat in seats)

    def proves(self, game: Game, drew: Collection[int]) -> bool:
        """Are draws of these seats seen in two places, or in a boneyard that can be relied on, with all else as in this
        game?

        Hands that stand cannot be counted; whose turn it is to draw is known without them (R-TURN-1, R-DRAW-1).
        """
        return self.counts(drew) or (self.proven and game.table is not None and not self.against(game.table))

    def hand(self, seat: int) -> int | None:
        """The tiles that a hand was seen to hold."""
        return dict(self.hands).get(seat)


def _off(difference: int) -> float:
    return _COUNT_COST + _COUNT_MORE * (abs(difference) - 1) if difference else 0.0


NewPlace = tuple[Tile, int]
"""A place that the log has no tile at: the first tile of its train, which may be one that nobody knows yet, and the
index."""


def is_logged(place: NewPlace, table: TableState) -> bool:
    """Does the log have a tile there by now?"""
    first, index = place
    return any(index < len(train.tiles) and train.tiles[0].tile == first for train in table.trains)


@dataclass(frozen=True, slots=True)
class Glimpse:
    """One look while something was new: which tiles, and what else was seen then."""

    places: frozenset[NewPlace]
    """Where they lie."""
    seen: Evidence
