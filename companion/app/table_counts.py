"""What one look shows besides the trains: whose markers, and how many tiles that lie face down are whose."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from math import atan2, cos, hypot, inf, pi, sin

from companion.app.following import Following, HandPlace
from companion.app.table_sides import all_sides, seat_at, turned
from companion.app.table_sighting import Sighting
from companion.app.table_touch import Point, centres, tile_length, way_off
from companion.rules.fold import advance
from companion.rules.legality import check
from companion.rules.moves import Draw, LayEngine
from companion.rules.state import Game, Phase, TableState
from companion.vision.readings import TableReading, TileBox

LAST_TILES = 2
"""A hand of so few may be gone at the next look."""
ODD_TILES = 4
"""A group that has more tiles more or less than a hand is none."""
_BEGINNING = 3
"""A train that has no tile yet would begin on so many tile lengths."""
_AT_SEAT = 0.42
"""So far from a player's side, in parts of the room that each player has, a hand may lie."""
_GONE, _LAST_GONE, _NEW_HAND = 6.0, 1.0, 1.0
"""A hand that lay before and does not now, one of one or two tiles, and one that lies for the first time: each counts
as so many tiles too many."""
_ASIDE = 0.1
"""So do, for every player's room, backs that lie aside of their player."""
_AT_PLACE = 2.0
"""What lies so near to where a hand lay, in tile lengths, is that hand."""
_AT_TRAIN = 1.5
"""So near, in tile lengths, a marker lies at the beginning of a train,"""
_CLEARLY_NEARER = 0.8
"""and if this share of the distance to any other one is more than that, it is its marker."""


@dataclass(frozen=True, slots=True)
class Counts:
    """What was seen besides the trains."""

    markers: frozenset[int] | None = None
    """Seats whose marker was seen; None: the camera does not know markers."""
    markers_blind: frozenset[int] = frozenset()
    """Seats of which it cannot be said where their marker would lie, or whose it may be that was seen."""
    marker_total: int | None = 0
    """All markers that were seen, also those at no train; None: there may be more."""
    boneyard: int | None = None
    """Backs that lie in no hand; None: none were seen."""
    hands: tuple[tuple[int, int], ...] = ()
    """Backs at the sides of players, by seat."""
    places: tuple[tuple[int, HandPlace], ...] = field(default=(), compare=False)
    """Where those hands lie."""
    balanced: bool = False
    """Boneyard and hands in view have as many tiles together as the log says, so that what one lacks another has."""
    complete: bool = False
    """Every tile of the set is in view, so that the counts are right whatever the log says (R-SET-2)."""


def count(game: Game, sighting: Sighting, reading: TableReading, following: Following) -> Counts:
    """Count markers by seat, and backs by hand and boneyard. There must be a round."""
    table = game.table
    assert table is not None
    length = tile_length(reading)
    sides, order = sighting.sides, table.participants
    middle = _middle(reading, sighting)
    counts = Counts()
    if middle is None or not length:
        return counts
    if following.sees_markers or reading.markers:
        at = [_marker_seats(box, sighting, middle, length, order) for box in reading.markers]
        faint = [_marker_seats(box, sighting, middle, length, order) for box in reading.faint]
        maybe = frozenset(seat for seats in faint if len(seats) == 1 for seat in seats)
        known = all_sides(sides, order)
        sure = frozenset(seat for seats in at if len(seats) == 1 for seat in seats)
        counts = replace(
            counts,
            markers=sure,
            markers_blind=frozenset(order).difference(known).union(maybe, *at) - sure,
            marker_total=None if maybe - sure else len(at),
        )
    groups = list(_groups(reading.face_down, 1.5 * length))
    if groups:
        backs = len(reading.face_down)
        up = len(table.on_table) + sighting.news + (table.engine is None and reading.engine is not None)
        complete = not sighting.unseen and up + backs == game.tile_count
        lying = order if complete else [seat for seat, _ in following.hands]
        watched = following.boneyard is not None and following.boneyard.proven
        angles = all_sides(sides, order)
        rest, at_places = _at_their_places(groups, following, angles, middle, length)
        unseen = max(0, game.tile_count - up - backs)
        ways = []
        for may_be in _openings(game, sighting, reading):
            known_backs = _Backs(may_be, lying, watched, inf if complete else ODD_TILES, backs, unseen)
            ways.append((*_hands(rest, at_places, known_backs, angles, middle), may_be))
        _, found, likeliest = min(ways, key=lambda way: way[0])
        hands = {seat: len(group) for seat, group in found.items()}
        if complete:
            hands = {seat: 0 for seat in table.participants if table.hands[seat].count <= LAST_TILES} | hands
            complete = len(hands) == len(table.participants)
        moved = sum(abs(held - likeliest.hands[seat].count) for seat, held in hands.items())
        logged = likeliest.boneyard + sum(likeliest.hands[seat].count for seat in hands)
        counts = replace(
            counts,
            boneyard=backs - sum(hands.values()),
            hands=tuple(sorted(hands.items())),
            places=tuple((seat, _place(group, angles[seat], middle, length)) for seat, group in found.items()),
            balanced=bool(hands) and not sighting.news and not sighting.unseen and backs == logged and moved < 2,
            complete=complete,
        )
    elif following.boneyard is not None and table.boneyard + following.boneyard.offset <= LAST_TILES:
        counts = replace(counts, boneyard=0)
    return counts


def _openings(game: Game, sighting: Sighting, reading: TableReading) -> Iterator[TableState]:
    """The table as the log has it; before the engine lies, also as it may be by now (R-ENG-2)."""
    table = game.table
    assert table is not None
    yield table
    if table.phase is not Phase.ENGINE or sighting.news:
        return
    seats: Sequence[int] = table.seats
    while True:
        laid = [] if reading.engine is None else [LayEngine(seat, reading.engine.tile) for seat in seats]
        for after in (advance(game, move)[1].table for move in laid if not check(game, move)):
            assert after is not None
            yield after
        if table.to_act is None or not table.boneyard:
            return
        seats = (table.to_act,)  # who still draws has no engine
        game = advance(game, Draw(table.to_act))[1]
        table = game.table
        assert table is not None
        if not laid:
            yield table


def _middle(reading: TableReading, sighting: Sighting) -> Point | None:
    if reading.engine is not None:
        return centres([reading.engine.box])[0]
    if reading.station is not None:
        return centres([reading.station])[0]
    starts = [points[0] for _, points in sighting.beginnings]
    if len(starts) < 3:
        return None
    return sum(x for x, _ in starts) / len(starts), sum(y for _, y in starts) / len(starts)


def _marker_seats(
    box: TileBox, sighting: Sighting, middle: Point, length: float, order: Sequence[int]
) -> frozenset[int]:
    """Whose marker this may be: that of the train which starts next to it, or would start there."""
    x, y = at = centres([box])[0]
    ways = dict(sighting.beginnings)
    radii = sorted(hypot(points[0][0] - middle[0], points[0][1] - middle[1]) for points in ways.values())
    near_px = radii[len(radii) // 2] if radii else length
    far_px = near_px + _BEGINNING * length
    for seat, angle in all_sides(sighting.sides, order).items():
        dx, dy = cos(angle), sin(angle)
        first = (middle[0] + near_px * dx, middle[1] + near_px * dy)
        ways.setdefault(seat, (first, (middle[0] + far_px * dx, middle[1] + far_px * dy)))
    far = {key: way_off(at, points) for key, points in ways.items()}
    least = min(far.values(), default=inf)
    if least < _AT_TRAIN * length:
        near = [key for key, distance in far.items() if distance * _CLEARLY_NEARER <= least]
        if None not in near or len(near) > 1:
            return frozenset(seat for seat in near if seat is not None)
    there = seat_at(atan2(y - middle[1], x - middle[0]), sighting.sides, order)
    return frozenset(order) if there is None else frozenset({there})


def _groups(boxes: Sequence[TileBox], reach: float) -> Iterable[list[tuple[float, float]]]:
    """Backs that lie together: each is within `reach` of another one of its group."""
    points = centres(boxes)
    left = set(range(len(points)))
    while left:
        queue = [left.pop()]
        group = []
        while queue:
            x, y = points[queue.pop()]
            group.append((x, y))
            near = [
                k for k in left if abs(points[k][0] - x) < reach and hypot(points[k][0] - x, points[k][1] - y) < reach
            ]
            left.difference_update(near)
            queue += near
        yield group


@dataclass(frozen=True, slots=True)
class _Backs:
    """What is known of the hands before backs are taken for them."""

    table: TableState
    lying: Collection[int]
    """Whose hand was seen to lie before."""
    watched: bool
    """Has the table been watched for so long that no other hand can lie?"""
    most: float
    """A group with so many tiles more or less than a hand is none."""
    seen: int
    """All backs."""
    unseen: int
    """Tiles of the set that are not in view: those of the hands that stand."""

    def off(self, seat: int, held: int | None) -> float:
        """What speaks against a hand of so many backs, in tiles; None: it stands."""
        logged = self.table.hands[seat].count
        if held is None:
            return (_GONE if logged > LAST_TILES else _LAST_GONE) if seat in self.lying else 0.0
        return abs(held - logged) + (0.0 if seat in self.lying else _NEW_HAND)


def _place(group: Sequence[Point], side: float, middle: Point, length: float) -> HandPlace:
    """The middle of these backs, as seen from the engine: how far aside of the player's side, and how far away."""
    x, y = _mean(group)
    x, y = x - middle[0], y - middle[1]
    return turned(side, atan2(y, x)), hypot(x, y) / length


def _mean(group: Sequence[Point]) -> Point:
    return sum(x for x, _ in group) / len(group), sum(y for _, y in group) / len(group)


def _at_their_places(
    groups: Sequence[list[Point]], following: Following, angles: dict[int, float], middle: Point, length: float
) -> tuple[list[list[Point]], dict[int, list[Point]]]:
    """The other groups, and what lies where a hand lay before; nothing of that if the camera was moved.

    Of a hand that has been parted the nearest part is known: a tile beside it may be the boneyard's last.
    """
    pairs = []
    for seat, (aside, away) in following.hand_places:
        if seat in angles:
            way = angles[seat] + aside
            x, y = middle[0] + away * length * cos(way), middle[1] + away * length * sin(way)
            for k, group in enumerate(groups):
                gx, gy = _mean(group)
                pairs.append((hypot(gx - x, gy - y), seat, k))
    found: dict[int, int] = {}
    for distance, seat, k in sorted(pairs):
        if distance <= _AT_PLACE * length and seat not in found and k not in found.values():
            found[seat] = k
    rest = [group for k, group in enumerate(groups) if k not in found.values()]
    return rest, {seat: groups[k] for seat, k in found.items()}


def _hands(
    groups: Iterable[list[Point]],
    known: dict[int, list[Point]],
    backs: _Backs,
    angles: dict[int, float],
    middle: Point,
) -> tuple[float, dict[int, list[Point]]]:
    """The groups of backs that are hands: those that are `known`, and others at the players' sides, so that hands,
    boneyard and what is not in view differ least from the log; and by how much they do.

    Hands may stand, and a part of the boneyard may lie where a hand could be: what the others hold tells them apart.
    """
    table = backs.table
    room = 2 * pi / max(len(table.participants), 1)
    found: dict[int, list[tuple[list[Point] | None, float]]] = {
        seat: [(known[seat], 0.0)] if seat in known else [(None, 0.0)] for seat in table.participants
    }
    for group in groups:
        x, y = _mean(group)
        way = atan2(y - middle[1], x - middle[0])
        seat = min(angles, key=lambda s: abs(turned(angles[s], way)), default=None)
        if seat is None or (aside := abs(turned(angles[seat], way)) / room) > _AT_SEAT or seat in known:
            continue
        if abs(len(group) - table.hands[seat].count) <= backs.most and (seat in backs.lying or not backs.watched):
            found[seat].append((group, aside))
    if not backs.unseen:  # nobody's tiles stand
        found = {seat: options[1:] or options for seat, options in found.items()}
    # backs in hands, tiles that stand by the log: the cheapest way to each
    ways: dict[tuple[int, int], tuple[float, dict[int, list[Point]]]] = {(0, 0): (0.0, {})}
    for seat, options in found.items():
        further: dict[tuple[int, int], tuple[float, dict[int, list[Point]]]] = {}
        for ((lie, stand), (cost, hands)), (held, aside) in product(ways.items(), options):
            dearer = cost + _ASIDE * aside + backs.off(seat, None if held is None else len(held))
            key = (lie, stand + table.hands[seat].count) if held is None else (lie + len(held), stand)
            if key not in further or dearer < further[key][0]:
                further[key] = dearer, hands if held is None else {**hands, seat: held}
        ways = further

    def total(way: tuple[int, int]) -> float:
        return ways[way][0] + abs(backs.seen - way[0] - table.boneyard) + abs(backs.unseen - way[1])

    best = min(ways, key=total)
    return total(best), ways[best][1]
