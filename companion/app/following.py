"""What is remembered of a table between looks, besides the log: a value, of which every look makes a new one."""

from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass, replace

from companion.app.table_sides import Sides, turned
from companion.app.table_signs import Evidence, Glimpse, NewPlace, is_logged
from companion.rules.events import TilePlayed
from companion.rules.house_rules import EngineOrder
from companion.rules.legality import due_engine
from companion.rules.state import Game, TableState
from companion.rules.tiles import Tile
from companion.rules.turn import TrainKey
from companion.vision.readings import KnownChain

Signature = tuple[Hashable, ...]
"""What a look claims to have happened, to be compared with what the next look claims."""


def denial(play: TilePlayed) -> Signature:
    """The claim that the table denies when it says no to this play."""
    return ("play", play.seat, play.tile, play.train)


HandPlace = tuple[float, float]
"""Where a hand lies, as seen from the engine: radians aside of the player's side, and tile lengths away."""

Place = tuple[TrainKey, int]
"""A tile's place: the train, and its index from the engine on."""

_KEPT = 5
"""So many looks count when several must agree."""
_STEADY, _STEADY_FAR = 3, 6
"""A count that is off by the same number in so many states of the log can be trusted to change with the truth."""

_HIDDEN_TILES = 2
"""More tiles than this that are always missed may mean that something else is counted: that takes longer."""

_MOST_GLIMPSES = 16
"""So many looks are remembered since the log last agreed."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Tiles that lie face down somewhere, counted by the camera, against what the log says."""

    offset: int
    """Counted less what the log says, when a look last agreed with the log."""
    steady: int = 1
    """In how many such states of the log in a row it was this number."""
    seq: int = 0
    """The last line of the log at the last of them."""
    shaken: bool = False
    """The number changed a short while ago, without a reason: tiles are missed now and then."""

    @property
    def trusted(self) -> bool:
        """Does a change of the count tell something?"""
        if not self.offset and not self.shaken:
            return True
        return self.steady >= (_STEADY if abs(self.offset) <= _HIDDEN_TILES else _STEADY_FAR)

    @property
    def proven(self) -> bool:
        """Did it tell the same for long, so that a change of the count alone is believed?"""
        return self.steady >= (_STEADY_FAR if self.shaken else _STEADY)

    def again(self, offset: int, seq: int) -> "Tally":
        """After one more look that agreed with the log up to this line."""
        if offset != self.offset:
            return Tally(offset, 1, seq, shaken=True)
        return replace(self, steady=self.steady + (seq != self.seq), seq=seq)


@dataclass(frozen=True, slots=True)
class Following:
    """The memory of somebody who follows a game by photos. Give the same value with the next reading."""

    number: int = 0
    """The round it is about."""
    seq: int = 0
    """The last line of the log when the table was looked at last."""
    starts: tuple[tuple[TrainKey, float], ...] = ()
    """Where trains start, in the frame of the last photo; players keep their sides from round to round."""
    sees_markers: bool = False
    """Does the camera know markers? Known once one was seen, or from the detector."""
    markers_met: tuple[int, int] = (0, 0)
    """How often a marker that was on by the log was seen, and was not, though nothing else was new."""
    marker_last: frozenset[int] = frozenset()
    """Seats whose marker was not as the log says, though nothing else was new."""
    marker_odd: frozenset[int] = frozenset()
    """Those of them for which it was so twice in a row: no evidence until it is settled."""
    counts_last: Hashable = None
    """What was counted otherwise than the log says, though nothing else was new."""
    boneyard: Tally | None = None
    hands: tuple[tuple[int, Tally], ...] = ()
    """By seat, hands that lie face down in view."""
    hands_last: tuple[tuple[int, int], ...] = ()
    """By seat, the tiles such hands had when nothing was new last."""
    hand_places: tuple[tuple[int, HandPlace], ...] = ()
    """By seat, where such a hand lay when it had as many tiles as the log says."""
    claims: tuple[Signature, ...] = ()
    """What the last looks claimed since the log changed, the newest last."""
    clear: Signature = ()
    """What the last look would have been sure of, had it not been the first to claim it."""
    gone: tuple[tuple[Tile, int], ...] = ()
    """Tiles of the log that were not seen though everything else was, and in how many looks in a row."""
    glimpses: tuple[Glimpse, ...] = ()
    """What was seen, look after look, since the table was last as the log says: what came later was done later."""
    odd: tuple[tuple[Place, tuple[int, int]], ...] = ()
    """Tiles that were read otherwise than the log says: place and numbers, the newest last."""
    dismissed: frozenset[Signature] = frozenset()
    """Claims that the table said no to."""
    waits: int = 0
    """Looks since the log was last what lies there that left a question to what is laid next."""

    @property
    def sides(self) -> Sides:
        """Where trains start, by train."""
        return dict(self.starts)

    def with_sides(self, sides: Sides) -> "Following":
        """The same with other starts of trains."""
        return replace(self, starts=tuple(sides.items()))

    def placed(self, key: TrainKey, heading: float) -> "Following":
        """The table says that the train which starts in this direction of the last photo is that of `key`."""
        near = {other: angle for other, angle in self.starts if other != key and abs(turned(angle, heading)) > 1e-6}
        return replace(self.with_sides({**near, key: heading}), claims=())

    def without(self, *claims: Signature) -> "Following":
        """The table says that none of this happened: it is not asked again while the log stays so."""
        return replace(self, dismissed=self.dismissed.union(claims), claims=())

    def for_game(self, game: Game, seq: int) -> "Following":
        """The memory at the beginning of a look: what belonged to an older state of the log is forgotten."""
        number = len(game.rounds)
        if number != self.number:
            # The seats stay; who starts the Mexican Train where is new, and so is everything that lies on the table.
            starts = tuple((key, angle) for key, angle in self.starts if key is not None)
            return Following(number, seq, starts, self.sees_markers, self.markers_met)
        if seq != self.seq:
            return replace(self, seq=seq, claims=(), clear=(), dismissed=frozenset(), gone=())
        return self

    def noting(self, places: Collection[NewPlace], seen: Evidence, table: TableState) -> "Following":
        """After a look in which tiles at these places are new and not recorded, and this was seen besides.

        What was seen before and is not seen now is covered; or it was taken back, and then no move has to explain it.
        """
        before = self._since(table, seen)
        now = Glimpse(frozenset(places).union(*(glimpse.places for glimpse in before[-1:])), seen)
        return replace(self, glimpses=before if before and before[-1] == now else (*before, now)[-_MOST_GLIMPSES:])

    def _since(self, table: TableState, now: Evidence) -> tuple[Glimpse, ...]:
        """The glimpses from the state of the log on, as far as they can be believed after what is seen now."""
        kept = [replace(each, places=each.places - _logged(each.places, table)) for each in self.glimpses]
        kept = kept[_last_before(kept, table) :]
        as_logged = [k for k, each in enumerate(kept) if not each.places and not each.seen.missing().against(table)]
        first = as_logged[:1] or [k for k, each in enumerate(kept) if each.places]
        found: list[Glimpse] = []
        for each in kept[first[0] :] if first else ():
            seen = each.seen.without_markers(self.marker_odd).missing(now)
            if now.boneyard is not None and seen.boneyard is not None and seen.boneyard < now.boneyard:
                seen = replace(seen, boneyard=None)  # a back was missed: a boneyard does not grow
            if not found or Glimpse(each.places, seen) != found[-1]:
                found.append(Glimpse(each.places, seen))
        return tuple(found)

    def shrunk(self, seat: int) -> bool:
        """Does a hand hold fewer tiles in this look than when nothing was new last?"""
        now = dict(self.glimpses[-1].seen.hands) if self.glimpses else {}
        return seat in now and now[seat] < dict(self.hands_last).get(seat, 0)

    def claiming(self, claim: Signature) -> "Following":
        """After one more look."""
        return replace(self, claims=(*self.claims, claim)[-_KEPT:])

    def agreeing(self, claim: Signature) -> int:
        """How many of the last looks claimed this."""
        return self.claims.count(claim)

    def in_a_row(self, claim: Signature) -> int:
        """How many looks up to the last one claimed this."""
        return next((n for n, other in enumerate(reversed(self.claims)) if other != claim), len(self.claims))


def _last_before(glimpses: Sequence[Glimpse], table: TableState) -> int:
    """How many of the glimpses up to the last that shows more tiles to draw than the log has left: it is older."""
    older = [k for k, each in enumerate(glimpses, 1) if (each.seen.boneyard or 0) > table.boneyard]
    return older[-1] if older else 0


def _logged(places: Collection[NewPlace], table: TableState) -> frozenset[NewPlace]:
    return frozenset(place for place in places if is_logged(place, table))


def known_engine(game: Game) -> Tile | None:
    """The engine of this round that a photo may show: the one that lies there, or else the one that is due."""
    current = game.round
    if current is None:
        return None
    if current.table.engine is None and game.rules.engine is EngineOrder.DESCENDING:
        return due_engine(game, current.number)
    return current.table.engine


def known_chains(game: Game, following: Following) -> tuple[KnownChain, ...]:
    """The trains of the log as the reading of the next photo is helped by them."""
    table = game.table
    if table is None:
        return ()
    sides = following.sides
    return tuple(
        KnownChain(tuple((placed.inner, placed.outer) for placed in train.tiles), sides.get(train.owner))
        for train in table.trains
        if train.tiles
    )
