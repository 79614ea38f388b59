"""What a reading shows, train by train, against what the log says: which tiles are new, not seen, or read otherwise.

Chains are recognised by the values of their tiles first, so a camera that was pushed, turned or stands on its head
changes nothing; by the direction they start in where that fails; by nearness where they lie loose.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import atan2, hypot, pi, sin

from companion.app.table_sides import Sides, mean_turn, rotated, start_cost, turned
from companion.app.table_sighting import NewRow, OddTile, Sighting, View
from companion.app.table_touch import centres, gap_between, tile_length, turned_round
from companion.rules.state import TableState
from companion.rules.tiles import Tile
from companion.rules.turn import TrainKey
from companion.vision.readings import Chain, Doubt, LaidTile, TableReading, TileReading

_TOUCHES = 0.2
"""A tile whose end is nearer to the last of a train, in tile lengths, lies as if it was laid there."""
_STRAYS = 0.35
"""So far from where it was, in parts of the room that each player has, a chain is not where its train started."""
_APART = 0.35
"""Trains begin so many radians from each other at least, as seen from the engine,"""
_ASLANT = 0.5
"""and the sine of the angle at which their first tiles lie is at most this."""
_BEGINNING = 4
"""So many tiles are the beginning of a train."""


def sight(table: TableState, sides: Sides, reading: TableReading) -> Sighting:
    """Lay a reading over the table of the log; `sides`: where trains started in the photo before."""
    return _Matcher(table, reading).sighting(sides)


@dataclass(frozen=True, slots=True, eq=False)
class _Fit:
    """A chain that belongs to a train: its first tile is the train's tile number `offset`."""

    chain: Chain
    key: TrainKey
    offset: int
    tiles: tuple[LaidTile, ...]
    votes: int = 0
    agree: int = 0
    """So many tiles are numbered as the log has them, in their places."""

    @property
    def span(self) -> range:
        return range(self.offset, self.offset + len(self.tiles))


class _Matcher:
    def __init__(self, table: TableState, reading: TableReading) -> None:
        self.table = table
        self.reading = reading
        self.logged = {
            placed.tile: (train.owner, index) for train in table.trains for index, placed in enumerate(train.tiles)
        }
        self.lengths = {train.owner: len(train.tiles) for train in table.trains}
        self.fits: list[_Fit] = []

    def sighting(self, before: Sides) -> Sighting:
        view = self._view()
        if view not in (View.TABLE, View.NO_ENGINE):
            return Sighting(view, before)
        rest = self._by_values(before)
        turns = {fit.key: turned(before[fit.key], fit.chain.heading) for fit in self._begun() if fit.key in before}
        turn = mean_turn(turns.values())
        if len(turns) > 2:
            # A lone tile that has gone round the table while the other trains have not was taken up and laid elsewhere.
            astray = [fit for fit in self._begun() if len(fit.tiles) == 1 and self._strays(fit, turns)]
            self.fits = [fit for fit in self.fits if fit not in astray]
            rest += [fit.chain for fit in astray]
            turn = mean_turn(angle for key, angle in turns.items() if all(fit.key != key for fit in astray))
        starts = {fit.key: fit.chain.heading for fit in self._begun()}
        sides = {**rotated(before, turn or 0.0), **starts}
        rest = self._by_heading(rest, sides)
        rows = list(self._new_tiles())
        unplaced = []
        for chain in rest:
            row = self._new_train(chain, sides) if chain.attached else self._nearby(chain)
            if row is None:
                unplaced.append(chain)
            else:
                rows.append(row)
        for tile in self.reading.loose:
            if tile.tile not in self.logged:
                row = self._touching((LaidTile(tile, tile.halves[0].pips, tile.halves[1].pips),), 0.0)
                row = self._beginning(tile, sides) if row is None else row
                rows += [row] if row is not None and all(row.keys != other.keys for other in rows) else []
        covered = {(fit.key, index): laid for fit in self.fits for index, laid in zip(fit.span, fit.tiles, strict=True)}
        seen = self._values()
        away = {place: tile for tile, place in self.logged.items() if place not in covered}
        unseen = tuple(place for place, tile in away.items() if tile not in seen)
        moved = tuple(place for place, tile in away.items() if tile in seen)
        places = tuple(
            (fit.key, (fit.chain.start, *centres([laid.reading.box for laid in fit.tiles[:_BEGINNING]])))
            for fit in self.fits
            if fit.offset == 0
        )
        return Sighting(view, sides, places, tuple(rows), tuple(unplaced), unseen, tuple(self._odd()), moved)

    def _begun(self) -> list[_Fit]:
        """The trains whose first tile is in view."""
        return [fit for fit in self.fits if fit.offset == 0 and fit.chain.attached]

    def _strays(self, fit: _Fit, turns: Mapping[TrainKey, float]) -> bool:
        """Did this train turn otherwise than every other one?"""
        room = 2 * pi / max(len(self.table.participants), 1)
        others = [angle for key, angle in turns.items() if key != fit.key]
        return fit.key in turns and all(abs(turned(angle, turns[fit.key])) > _STRAYS * room for angle in others)

    def _values(self) -> set[Tile]:
        return {tile.tile for tile in (*self.reading.laid, *self.reading.loose)}

    def _view(self) -> View:
        reading, engine = self.reading, self.table.engine
        seen = self._values()
        known = len(seen & self.logged.keys())
        central = reading.engine.tile if reading.engine is not None else None
        if central is None and not seen:
            return View.EMPTY
        if known or (central is not None and central == engine):
            return View.TABLE if central is not None else View.NO_ENGINE
        if self.logged:
            return View.OTHER_TABLE
        if engine is None:
            return View.TABLE if central is not None else View.OTHER_TABLE
        return View.OTHER_TABLE if central is None else View.OTHER_ENGINE

    def _by_values(self, before: Sides) -> list[Chain]:
        """Tell chains to trains by the values of their tiles; returns the chains that this leaves.

        A tile that is misread as one of another train makes two of them alike: then the direction decides.
        """
        options = [self._best_fits(chain) for chain in self.reading.chains]
        claims = Counter(key for fits in options for key in {fit.key for fit in fits})
        sure = [fits[0] for fits in options if len(fits) == 1 and claims[fits[0].key] == 1]
        turn = mean_turn(turned(before[fit.key], fit.chain.heading) for fit in sure if _starts(fit, before)) or 0.0

        def rank(fit: _Fit) -> tuple[int, int, float]:
            off = abs(turned(before[fit.key] + turn, fit.chain.heading)) if _starts(fit, before) else 0.0
            return -fit.votes, -fit.agree, off

        taken: set[int] = set()
        for fit in sorted((fit for fits in options for fit in fits), key=rank):
            clash = any(fit.key == other.key and set(fit.span) & set(other.span) for other in self.fits)
            if id(fit.chain) not in taken and not clash:
                taken.add(id(fit.chain))
                self.fits.append(fit)
        return [chain for chain in self.reading.chains if id(chain) not in taken]

    def _best_fits(self, chain: Chain) -> list[_Fit]:
        """The trains that as many tiles of a chain speak for as for any other."""
        votes: Counter[tuple[TrainKey, int, bool]] = Counter()
        last = len(chain.tiles) - 1
        for index, laid in enumerate(chain.tiles):
            place = self.logged.get(laid.reading.tile)
            if place is not None and not (chain.attached and place[1] != index and len(chain.tiles) == 1):
                votes[(place[0], place[1] - index, False)] += 1
                if not chain.attached:
                    votes[(place[0], place[1] - (last - index), True)] += 1
        fits = []
        for (key, offset, backwards), number in votes.items():
            if offset >= 0:
                tiles = _ordered(chain, backwards)
                agree = sum(
                    self._logged_numbers(key, offset + index) == (laid.inner, laid.outer)
                    for index, laid in enumerate(tiles)
                )
                fits.append(_Fit(chain, key, offset, tiles, number, agree))
        best = max(((fit.votes, fit.agree, fit.offset == 0) for fit in fits), default=None)
        return [fit for fit in fits if (fit.votes, fit.agree, fit.offset == 0) == best]

    def _logged_numbers(self, key: TrainKey, index: int) -> tuple[int, int] | None:
        tiles = self.table.train(key).tiles
        return (tiles[index].inner, tiles[index].outer) if 0 <= index < len(tiles) else None

    def _by_heading(self, chains: Sequence[Chain], sides: Sides) -> list[Chain]:
        """Tell chains whose tiles were all misread to the train that starts where they do."""
        room = 2 * pi / max(len(self.table.participants), 4)
        left = []
        for chain in chains:
            begun = {fit.key for fit in self.fits if fit.offset == 0}
            near = [
                key
                for key, length in self.lengths.items()
                if length and key in sides and key not in begun and abs(turned(sides[key], chain.heading)) < 0.25 * room
            ]
            if chain.attached and len(near) == 1:
                self.fits.append(_Fit(chain, near[0], 0, chain.tiles))
            else:
                left.append(chain)
        return left

    def _new_tiles(self) -> Iterator[NewRow]:
        """What lies beyond the tails of trains that the log knows."""
        for fit in self.fits:
            length = self.lengths[fit.key]
            if length and length in fit.span:
                new = fit.tiles[length - fit.offset :]
                yield NewRow(((fit.key, 0.0),), new, fit.chain.heading, self._root(fit.key), length)

    def _root(self, key: TrainKey) -> Tile:
        return self.table.train(key).tiles[0].tile

    def _new_train(self, chain: Chain, sides: Sides) -> NewRow | None:
        """A chain that starts at the engine: one of the trains that are empty in the log."""
        order = self.table.participants
        empty: list[TrainKey] = [key for key in (*order, None) if not self.lengths[key]]
        if not empty:
            return None
        known = {key: angle for key, angle in sides.items() if key is not None or self.lengths[None]}
        keys = tuple((key, start_cost(key, chain.heading, known, order)) for key in empty)
        return NewRow(keys, chain.tiles, chain.heading, chain.tiles[0].reading.tile)

    def _nearby(self, chain: Chain) -> NewRow | None:
        """A chain that hangs in the air next to the tail of one train."""
        length = tile_length(self.reading)
        near = []
        for key, last in self._tails().items():
            ((x, y),) = centres([last.reading.box])
            for backwards in (False, True):
                tiles = _ordered(chain, backwards)
                if tiles[0].inner != last.outer:
                    continue
                ((a, b),) = centres([tiles[0].reading.box])
                if hypot(a - x, b - y) < 1.7 * length:
                    near.append((key, tiles))
                    break
        if not near:
            return self._touching(chain.tiles, chain.heading)
        if len(near) != 1:
            return None
        key, tiles = near[0]
        return NewRow(((key, 0.0),), tiles, chain.heading, self._root(key), self.lengths[key], loose=True)

    def _touching(self, tiles: Sequence[LaidTile], heading: float) -> NewRow | None:
        """Tiles that touch the tail of one train with another number: somebody may have laid them so."""
        reach = _TOUCHES * tile_length(self.reading)
        ways = (tuple(tiles), turned_round(tiles))
        near = [
            (gap, number, key)
            for key, last in self._tails().items()
            for number, way in enumerate(ways)
            if (gap := gap_between(last, way[0])) < reach
        ]
        if len({key for _, _, key in near}) != 1:
            return None
        _, number, key = min(near, key=lambda each: each[0])
        return NewRow(((key, 0.0),), ways[number], heading, self._root(key), self.lengths[key], loose=True)

    def _beginning(self, tile: TileReading, sides: Sides) -> NewRow | None:
        """A tile by the engine, as near as those that begin trains and aside of them, and turned as they are.

        A double may lie across. What begins a train by the rules is a chain, so this was laid against them.
        """
        engine = self.reading.engine
        first = [fit.tiles[0].reading.box for fit in self._begun()]
        if engine is None or not first or tile.doubts - {Doubt.CHAIN_UNCERTAIN}:
            return None
        (x, y), *others, (a, b) = centres([engine.box, *first, tile.box])
        heading = atan2(b - y, a - x)
        if hypot(a - x, b - y) > 1.1 * max(hypot(c - x, d - y) for c, d in others):
            return None
        if any(abs(turned(atan2(d - y, c - x), heading)) < _APART for c, d in others):
            return None
        ends = [(tile.box.corners[k] + tile.box.corners[k + 1]) / 2 for k in (0, 2)]
        along = ends[1] - ends[0]
        aslant = abs(sin(atan2(along[1], along[0]) - heading))
        if aslant > _ASLANT and not (tile.tile.is_double and aslant**2 > 1 - _ASLANT**2):
            return None
        near, far = tile.halves if hypot(*(ends[0] - (x, y))) < hypot(*(ends[1] - (x, y))) else tile.halves[::-1]
        return self._new_train(Chain((LaidTile(tile, near.pips, far.pips),), (a, b), heading, True), sides)

    def _tails(self) -> dict[TrainKey, LaidTile]:
        """The last tile of every train that is in view and has nothing new beyond it."""
        return {
            fit.key: fit.tiles[self.lengths[fit.key] - 1 - fit.offset]
            for fit in self.fits
            if self.lengths[fit.key] - 1 in fit.span and self.lengths[fit.key] not in fit.span
        }

    def _odd(self) -> Iterator[OddTile]:
        for fit in self.fits:
            for index, laid in zip(fit.span, fit.tiles, strict=True):
                numbers = self._logged_numbers(fit.key, index)
                if numbers is not None and laid.reading.tile != Tile(*numbers):
                    yield OddTile((fit.key, index), laid)


def _starts(fit: _Fit, sides: Sides) -> bool:
    """Does this chain begin at the engine, as a train whose side is known?"""
    return fit.offset == 0 and fit.chain.attached and fit.key in sides


def _ordered(chain: Chain, backwards: bool) -> tuple[LaidTile, ...]:
    """The tiles of a chain from its start, or from its end and turned round."""
    if not backwards:
        return chain.tiles
    return turned_round(chain.tiles)
