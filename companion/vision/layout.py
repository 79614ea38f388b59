"""From tiles in a photo to chains on the table. Pure geometry and numbers: nothing here looks at the photo.

The plane of the table is found from the tiles; on it, all edges that lie together are possible links; distance, shift,
angle and the numbers say how likely each is; and the most likely forest of chains that begin at the engine is taken.
What was nearly decided otherwise, or does not match, carries a doubt.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from companion.rules.tiles import Tile, TileSet
from companion.vision.layout_choice import Choice, choose
from companion.vision.layout_links import LEFT, Pieces, Root, links, roots
from companion.vision.layout_numbers import Memory, tile_chances
from companion.vision.layout_plane import find_plane
from companion.vision.layout_values import Place, Settled, best_known, settle
from companion.vision.layout_walk import Path, Step, turned, walk
from companion.vision.readings import (
    Chain,
    Doubt,
    HalfReading,
    KnownChain,
    LaidTile,
    TableReading,
    TileBox,
    TileReading,
)

Floats = NDArray[np.float64]

_SURE_MARGIN = 2.0
"""A link is a doubt where something else is hardly less likely (nats)."""

_NEAR = 1.0
"""A tile in no chain that is not farther from one than this, in tile widths, is a doubt."""

_CANDIDATES = 3
"""So many tiles are tried as the engine where it is not clear which it is."""

_LEAST_ENGINE = 1e-4
"""A tile that was read otherwise is the engine only if it was at least so likely to be."""

_SURE = 0.9
"""Halves with this confidence are where they are: no other tile is changed to theirs."""


def read_layout(
    tiles: Sequence[TileReading],
    tile_set: TileSet,
    engine: Tile | None = None,
    before: Sequence[KnownChain] = (),
    *,
    face_down: Sequence[TileBox] = (),
    unreadable: Sequence[TileBox] = (),
    markers: Sequence[TileBox] = (),
    station: TileBox | None = None,
) -> TableReading:
    """Read the chains that `tiles` form.

    `engine` is the engine of the round, laid or due, where the game knows it; otherwise the double is taken around
    which the tiles lie. `before` are the chains as last accepted: they help where numbers are doubtful or chains nearly
    touch.
    An `unreadable` place inside a chain is taken for the tile that fits there, with a doubt.
    """
    scene = _Scene(tiles, unreadable, tile_set, engine, before, station)
    chains, loose, unread, doubts, engine_reading = scene.read()
    return TableReading(
        engine_reading, chains, loose, tuple(face_down), tuple(markers), station, unread, frozenset(doubts)
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Hub:
    """Where the chains begin."""

    tile: int | None
    """Number of the engine among the tiles; None: not seen."""
    number: int | None
    """What the engine shows."""
    roots: list[Root]


class _Scene:
    """One photo while it is read."""

    def __init__(
        self,
        tiles: Sequence[TileReading],
        unreadable: Sequence[TileBox],
        tile_set: TileSet,
        engine: Tile | None,
        before: Sequence[KnownChain],
        station: TileBox | None,
    ) -> None:
        numbers = [n for t in tiles for half in t.halves for n in (half.pips, half.runner_up)]
        count = max([tile_set.max_pip, *numbers, 1]) + 1
        self._engine, self._before, self._station = engine, before, station
        self._read = len(tiles)
        """Tiles from this number on are places that could not be read."""
        self._readings = [*tiles, *(_unknown(box, count) for box in unreadable)]
        if not self._readings:
            return
        quads = np.array([reading.box.corners for reading in self._readings], np.float64)
        self._plane = find_plane(quads[: self._read] if self._read else quads)
        chances = np.array([tile_chances(reading, count) for reading in self._readings])
        self._pieces = Pieces(self._readings, self._plane.at(quads), self._plane.misfits(quads), chances)
        memory = Memory(before, tiles) if before else None
        self._links = links(self._pieces, memory)

    def read(
        self,
    ) -> tuple[tuple[Chain, ...], tuple[TileReading, ...], tuple[TileBox, ...], set[Doubt], TileReading | None]:
        """Chains, loose tiles, places that could not be read, doubts, and the engine."""
        if not self._readings:
            return (), (), (), {Doubt.NO_ENGINE}, None
        hub, choice = self._choose()
        paths = self._paths(hub, choice)
        centre = self._centre_px(hub)
        chains = [self._chain(path, hub, choice, centre) for path in paths]
        laid = {step.tile for path in paths for step in path} | {hub.tile}
        on_table = sorted(k for k in laid if k is not None)
        loose = [self._loose(k, on_table) for k in range(self._read) if k not in laid]
        unread = [self._readings[k].box for k in range(self._read, len(self._readings)) if k not in laid]
        doubts = set() if choice.exact else {Doubt.CHAIN_UNCERTAIN}
        if any(self._is_near(k, on_table) for k in range(self._read, len(self._readings)) if k not in laid):
            doubts.add(Doubt.UNREADABLE)  # at the rim it would be a hand that stands
        reading = None
        if hub.tile is None:
            doubts.add(Doubt.NO_ENGINE)
        else:
            reading = self._readings[hub.tile]
            if hub.number is not None and reading.tile != Tile(hub.number, hub.number):
                reading = _changed(reading, (hub.number, hub.number), self._pieces.chances[hub.tile], {Doubt.CORRECTED})
        return tuple(sorted(chains, key=lambda chain: chain.heading)), tuple(loose), tuple(unread), doubts, reading

    def _choose(self) -> tuple[_Hub, Choice]:
        """The engine and the links, chosen together: that engine is right which gives the best chains."""
        best: tuple[_Hub, Choice] | None = None
        for hub in self._hubs():
            usable = [link for link in self._links if hub.tile not in (link.a, link.b)]
            choice = choose([*usable, *hub.roots])
            if best is None or choice.gain > best[1].gain + 1e-9:
                best = hub, choice
        assert best is not None
        return best

    def _hubs(self) -> list[_Hub]:
        """What may be the engine, the likeliest first; the station or nothing where no tile can be."""
        number = self._engine.high if self._engine else None
        if self._engine is not None:
            seen = [k for k in range(self._read) if self._readings[k].tile == self._engine]
            if not seen:
                chances = self._pieces.chances[: self._read, :, self._engine.high].prod(1)
                seen = [int(k) for k in np.argsort(-chances, kind="stable")[:_CANDIDATES] if chances[k] > _LEAST_ENGINE]
        else:
            seen = [k for k in range(self._read) if self._readings[k].tile.is_double]
        known = bool(seen) and self._readings[seen[0]].tile == self._engine  # then all of them show it
        hubs = []
        for k in seen:
            shown = self._readings[k].tile.high if number is None else number
            hub = _Hub(k, shown, roots(self._pieces, self._pieces.middles[k], shown, k, known))
            hubs.append((sum(root.gain for root in hub.roots if root.gain > 0), shown, hub))
        hubs.sort(key=lambda each: (-each[0], -each[1]))
        found = [hub for support, _, hub in hubs[:_CANDIDATES] if support > 0 or known or self._read == 1]
        if found:
            return found
        if self._station is not None:
            middle = self._plane.at(self._station.corners.astype(np.float64)).mean(0)
            return [_Hub(None, number, roots(self._pieces, middle, number, None))]
        return [_Hub(None, number, [])]

    def _paths(self, hub: _Hub, choice: Choice) -> list[Path]:
        """The chains from their inner ends; what lies last and cannot be read is not part of a chain."""
        rooted, free = walk(choice.items)
        paths = [self._cut(path) for path in rooted]
        paths += [cut for path in free if len(cut := self._cut(self._outwards(path, hub))) > 1]
        return [path for path in paths if path]

    def _cut(self, path: Path) -> Path:
        while path and path[-1].tile >= self._read:
            path = path[:-1]
        while path and path[0].tile >= self._read and path[0].item is None:
            path = (replace(path[1], item=None), *path[2:]) if len(path) > 1 else ()
        return path

    def _outwards(self, path: Path, hub: _Hub) -> Path:
        """A chain that begins elsewhere: it begins with the engine's number, or else at the end near the middle."""
        back = turned(path)
        shows = [self._number(way[0]) == hub.number for way in (path, back)]
        if hub.number is not None and shows[0] != shows[1]:
            return path if shows[0] else back
        middle = self._pieces.middles
        centre = middle.mean(0) if hub.tile is None else middle[hub.tile]
        near = [float(np.linalg.norm(middle[way[0].tile] - centre)) for way in (path, back)]
        return path if near[0] <= near[1] else back

    def _number(self, step: Step) -> int:
        return self._readings[step.tile].halves[step.inner % 2].pips

    def _centre_px(self, hub: _Hub) -> Floats:
        if hub.tile is not None:
            corners = self._readings[hub.tile].box.corners
        elif self._station is not None:
            corners = self._station.corners
        else:
            quads = np.array([reading.box.corners for reading in self._readings], np.float64)
            return np.asarray(quads.mean((0, 1)))
        return np.asarray(np.asarray(corners, np.float64).mean(0))

    def _chain(self, path: Path, hub: _Hub, choice: Choice, centre: Floats) -> Chain:
        attached = isinstance(path[0].item, Root)
        places = self._places(path, attached)
        settled = settle(places, hub.number if attached else None, self._held())
        tiles = [self._laid(step, numbers, choice) for step, numbers in zip(path, settled, strict=True)]
        doubts = set()
        if not attached and not any(place.known for place in places):
            doubts.add(Doubt.CHAIN_UNCERTAIN)  # a train that begins elsewhere, or one of which a part was not seen
        if any(Doubt.CHAIN_UNCERTAIN in laid.reading.doubts for laid in tiles):
            doubts.add(Doubt.CHAIN_UNCERTAIN)
        if any(Doubt.NUMBERS_DIFFER in numbers.doubts for numbers in settled):
            doubts.add(Doubt.NUMBERS_DIFFER)
        start = _edge_middle(self._readings[path[0].tile].box, path[0].inner)
        away = start - centre
        heading = float(np.arctan2(away[1], away[0]))
        return Chain(tuple(tiles), (float(start[0]), float(start[1])), heading, attached, frozenset(doubts))

    def _places(self, path: Path, attached: bool) -> list[Place]:
        places = []
        for step in path:
            inner, outer = self._pieces.chances[step.tile, [step.inner % 2, step.outer % 2]]
            halves = self._readings[step.tile].halves
            read = None if step.tile >= self._read else (halves[step.inner % 2].pips, halves[step.outer % 2].pips)
            if step.inner % 2 == step.outer % 2:  # in at a long edge and out at a short one, or the other way round
                other = 1 - step.outer % 2
                outer = self._pieces.chances[step.tile, other]
                read = read and (read[0], halves[other].pips)
            places.append(Place(inner, outer, max(step.inner, step.outer) >= LEFT, read))
        known = best_known([place.read for place in places], self._before, attached)
        if known is None:
            return places
        chain, offset = known
        return [
            replace(place, known=chain.values[n], known_last=n == len(chain.values) - 1)
            if n < len(chain.values)
            else place
            for n, place in enumerate(places, offset)
        ]

    def _held(self) -> set[Tile]:
        """Tiles that surely are what they were read as: no other is changed to one of them."""
        held = set()
        for reading in self._readings[: self._read]:
            if min(half.confidence for half in reading.halves) >= _SURE:
                held.add(reading.tile)
        return held

    def _laid(self, step: Step, numbers: Settled, choice: Choice) -> LaidTile:
        doubts = set(numbers.doubts)
        if step.item is not None and choice.margins.get(step.item, 0.0) < _SURE_MARGIN:
            doubts.add(Doubt.CHAIN_UNCERTAIN)
        reading = self._readings[step.tile]
        value = (numbers.inner, numbers.outer) if step.inner % 2 == 0 else (numbers.outer, numbers.inner)
        return LaidTile(_changed(reading, value, self._pieces.chances[step.tile], doubts), numbers.inner, numbers.outer)

    def _loose(self, k: int, laid: Sequence[int]) -> TileReading:
        """A loose tile; a doubt where it may belong to a chain."""
        reading = self._readings[k]
        if self._is_near(k, laid):
            return replace(reading, doubts=reading.doubts | {Doubt.CHAIN_UNCERTAIN})
        return reading

    def _is_near(self, k: int, laid: Sequence[int]) -> bool:
        """Does a tile lie near one of those that are laid?"""
        if not laid:
            return False
        gaps = np.linalg.norm(_rim(self._pieces.quads[k])[:, None, None] - _rim(self._pieces.quads[list(laid)]), axis=3)
        return bool(gaps.min() < _NEAR)


def _rim(quads: Floats) -> Floats:
    """Corners, middles of sides and quarters (..., 16, 2) of tiles (..., 4, 2)."""
    following = np.roll(quads, -1, -2)
    return np.concatenate([quads + (following - quads) * share for share in (0.0, 0.25, 0.5, 0.75)], -2)


def _unknown(box: TileBox, count: int) -> TileReading:
    """A place that could not be read: any number is as likely as any other."""
    half = HalfReading(0, 1 / count, 1)
    return TileReading(Tile(0, 0), 0.0, box, (half, half), frozenset({Doubt.UNREADABLE}))


def _edge_middle(box: TileBox, port: int) -> Floats:
    """Middle (2,) px of the edge that belongs to a port."""
    first = (0, 2, 3, 1)[port]
    corners = np.asarray(box.corners, np.float64)
    return np.asarray((corners[first] + corners[(first + 1) % 4]) / 2)


def _changed(reading: TileReading, value: tuple[int, int], chances: Floats, doubts: set[Doubt]) -> TileReading:
    """The same tile with other numbers, in the order of the box, and more doubts."""
    halves = tuple(
        half if half.pips == pips else HalfReading(pips, float(odds[pips]), half.pips)
        for half, pips, odds in zip(reading.halves, value, chances, strict=True)
    )
    a, b = halves
    confidence = reading.confidence if (a, b) == reading.halves else a.confidence * b.confidence
    return replace(
        reading, tile=Tile(*value), halves=(a, b), confidence=confidence, doubts=reading.doubts | frozenset(doubts)
    )
