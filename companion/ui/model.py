"""What the screens show of a game: plain values, no controls, no sentences."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

import numpy as np

from companion.app.session import Entry
from companion.rules.events import HandCounted, ScoreCorrected
from companion.rules.scoring import hand_points, round_winners, standings
from companion.rules.state import Game, Round
from companion.rules.tiles import Tile
from companion.vision.merge import Sight, low_first, merge
from companion.vision.readings import Doubt, HandReading, TileReading

# The sheet


@dataclass(frozen=True, slots=True)
class Cell:
    """What stands in one place of the sheet."""

    number: int
    """The round."""
    seat: int
    """The player."""
    points: int | None
    """None: there is no score."""
    missing: bool
    """The score is still to be entered: it is shown as missing, never as 0."""
    won: bool
    """The player won this round."""
    corrected: bool
    """The score was changed after it was agreed."""

    @property
    def absent(self) -> bool:
        """The player was not in this round."""
        return self.points is None and not self.missing


@dataclass(frozen=True, slots=True)
class Line:
    """A round on the sheet."""

    number: int
    """From 1."""
    engine: Tile | None
    """What lies, or will lie, in the station; None: not known yet."""
    cells: tuple[Cell, ...]
    """By seat; empty for a round that is still to come."""
    current: bool
    """This is the round that is being played or counted."""


def sheet_lines(game: Game) -> tuple[Line, ...]:
    """Every round of the game, also those to come."""
    lines = [_line(game, played) for played in game.rounds]
    descending = game.rules.engine == "descending"
    left = [engine for engine in game.engines if engine not in game.used_engines]
    for number in range(len(game.rounds) + 1, game.planned_rounds + 1):
        place = number - len(game.rounds) - 1
        lines.append(Line(number, left[place] if descending and place < len(left) else None, (), False))
    return tuple(lines)


def _line(game: Game, played: Round) -> Line:
    best = round_winners(game, played)
    cells = []
    for player in game.players:
        score = played.score(player.seat)
        cells.append(
            Cell(
                played.number,
                player.seat,
                score.points if score else None,
                player.seat in played.missing,
                player.seat in best and not played.missing,
                score is not None and score.points != score.agreed,
            )
        )
    return Line(played.number, played.table.engine, tuple(cells), played is game.round and not game.ended)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a player stands."""

    seat: int
    rank: int | None
    """None: out of the ranking, or nothing is counted yet."""
    total: int
    missing: int
    """Scores still to be entered: the total is not final."""
    leads: bool


def places(game: Game) -> tuple[Place, ...]:
    """Everybody's place, the best first."""
    begun = any(score for played in game.rounds for score in played.scores)
    return tuple(
        Place(row.seat, row.rank if begun else None, row.total, row.missing, begun and row.rank == 1)
        for row in standings(game)
    )


def running_totals(game: Game) -> tuple[tuple[int, ...], ...]:
    """Every seat's totals: what it started with, then after each finished round."""
    totals = [[player.opening_points] for player in game.players]
    for played in game.rounds:
        if not played.finished:
            break
        for seat, row in enumerate(totals):
            score = played.score(seat)
            row.append(row[-1] + (score.points if score else 0))
    return tuple(map(tuple, totals))


def still_missing(game: Game) -> tuple[int, ...]:
    """Seats whose score of the current round is to be entered, in the order of the table."""
    current = game.round
    if current is None:
        return ()
    return tuple(seat for seat in current.table.participants if seat in current.missing)


def next_missing(game: Game, after: int) -> int | None:
    """Who is entered next after a seat, round the table; None: nobody is missing."""
    missing = still_missing(game)
    if not missing:
        return None
    order = game.rounds[-1].table.participants
    place = order.index(after) if after in order else -1
    return next(seat for seat in (*order[place + 1 :], *order[: place + 1]) if seat in missing)


def round_to_start(game: Game) -> int | None:
    """The number of the round that the table can begin now; None: one is running, or the game is over."""
    current = game.round
    if game.ended or (current is not None and (not current.finished or current.missing)):
        return None
    number = len(game.rounds) + 1
    return number if number <= game.planned_rounds else None


def score_history(
    entries: Iterable[Entry], number: int, seat: int
) -> tuple[tuple[Entry, HandCounted | ScoreCorrected], ...]:
    """Who entered and who changed a score, oldest first, without what was taken back."""
    found = []
    for entry in entries:
        if entry.effective:
            for record in entry.records:
                event = record.event
                if isinstance(event, HandCounted | ScoreCorrected) and (event.number, event.seat) == (number, seat):
                    found.append((entry, event))
    return tuple(found)


def house_time(at: str, now: datetime) -> str:
    """A time of the log (UTC) as the clock in this house told it, with the day unless it is today's."""
    local = datetime.fromisoformat(at).astimezone()
    return f"{local:%H:%M}" if local.date() == now.astimezone().date() else f"{local:%Y-%m-%d %H:%M}"


def badge_letters(names: Sequence[str]) -> tuple[str, ...]:
    """A letter or two for each name, all different: a train's second sign beside its colour."""
    shortest = [_letters(name, 1) for name in names]
    counts = Counter(shortest)
    longer = [_letters(name, 2) if counts[short] > 1 else short for name, short in zip(names, shortest, strict=True)]
    doubled = Counter(longer)
    seen: Counter[str] = Counter()
    letters = []
    for text in longer:
        seen[text] += 1
        letters.append(f"{text[:1]}{seen[text]}" if doubled[text] > 1 else text)
    return tuple(letters)


def _letters(name: str, count: int) -> str:
    letters = [letter for letter in name if letter.isalnum()] or list(name.strip()) or ["?"]
    return letters[0].upper() + "".join(letters[1:count]).lower()


# A hand that is being counted


@dataclass(frozen=True, slots=True)
class Found:
    """A tile of a hand that is being counted."""

    first: int
    """Pips of the half that is shown first: in a photo half A of its box."""
    second: int
    corners: tuple[tuple[float, float], ...] | None = None
    """Where it lies in its photo, in pixels; None: added by hand."""
    photo: str = ""
    """Which photo: the id of its scan."""
    doubts: frozenset[Doubt] = frozenset()
    """Why somebody should look at it; a tile that a person has changed or confirmed has none."""
    views: tuple["Found", ...] = ()
    """The same tile as other photos show it."""

    @property
    def tile(self) -> Tile:
        """Its value."""
        return Tile(self.first, self.second)


@dataclass(frozen=True, slots=True)
class Counting:
    """A hand as it is being put together: every change makes a new one."""

    found: tuple[Found, ...] = ()
    taken: frozenset[Tile] = frozenset()
    """Tiles that somebody else holds, or that lie on the table."""
    photos: tuple[str, ...] = ()
    """The ids of the scans whose tiles are here, or were taken out by hand."""

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """The tiles, in their order."""
        return tuple(found.tile for found in self.found)

    @property
    def repeated(self) -> frozenset[Tile]:
        """Tiles that are here more than once."""
        return frozenset(tile for tile, count in Counter(self.tiles).items() if count > 1)

    @property
    def impossible(self) -> tuple[int, ...]:
        """Places of tiles that cannot be in this hand: held elsewhere, or here twice."""
        bad, repeated = [], self.repeated
        for place, found in enumerate(self.found):
            if found.tile in self.taken or found.tile in repeated:
                bad.append(place)
        return tuple(bad)

    @property
    def doubtful(self) -> tuple[int, ...]:
        """Places to look at, what cannot be first."""
        bad = self.impossible
        return (*bad, *(n for n, found in enumerate(self.found) if found.doubts and n not in bad))

    def points(self, game: Game) -> int:
        """What the hand costs, each tile once."""
        return hand_points(game.rules, set(self.tiles))

    def add(self, tile: Tile) -> "Counting":
        """With one more tile, added by hand."""
        return replace(self, found=(*self.found, Found(tile.low, tile.high)))

    def toggle(self, tile: Tile) -> "Counting":
        """With the tile if it was not there, without it if it was."""
        if tile not in self.tiles:
            return self.add(tile)
        return self.remove(self.tiles.index(tile))

    def remove(self, place: int) -> "Counting":
        """Without the tile at a place."""
        return replace(self, found=(*self.found[:place], *self.found[place + 1 :]))

    def change(self, place: int, first: int, second: int) -> "Counting":
        """With other halves at a place; a person has looked at it."""
        changed = replace(self.found[place], first=first, second=second, doubts=frozenset())
        return replace(self, found=(*self.found[:place], changed, *self.found[place + 1 :]))

    def confirm(self, place: int) -> "Counting":
        """The tile at a place is right as it was read."""
        found = self.found[place]
        return self.change(place, found.first, found.second)

    def read(self, reading: HandReading, photo: str) -> "Counting":
        """With the tiles of a photo, each once; nothing changes when they are here already."""
        if photo in self.photos:
            return self
        more = tuple(_found(tile, photo) for tile in reading.tiles)
        return replace(self, found=_merged((*self.found, *more)), photos=(*self.photos, photo))

    def without_photo(self, photo: str) -> "Counting":
        """Without the tiles of a photo that was thrown away."""
        kept = tuple(left for found in self.found if (left := _without(found, photo)) is not None)
        return replace(self, found=kept, photos=tuple(one for one in self.photos if one != photo))


def corrected(reading: HandReading, counting: Counting, photo: str) -> HandReading:
    """A reading as a person has corrected it, for the copy of the photo that is kept."""
    right = {view.corners: found for found in counting.found for view in (found, *found.views) if view.photo == photo}
    tiles = []
    for tile in reading.tiles:
        found = right.get(_corners(tile))
        if found is not None:
            tiles.append(replace(tile, tile=found.tile, doubts=found.doubts))
    return replace(reading, tiles=tuple(tiles))


def _merged(found: tuple[Found, ...]) -> tuple[Found, ...]:
    """The same tiles; one that several photos show is there once, as the best of them shows it."""
    photos: dict[str, list[Found]] = {}
    for each in found:
        photos.setdefault(each.photo, []).append(each)
    if len(photos) < 2:
        return found
    shown = list(photos.values())
    places = {id(each): place for place, each in enumerate(found)}
    result = []
    for tile in merge([[_sight(each) for each in photo] for photo in shown]):
        best, *others = (shown[i][k] for i, k in tile.sights)
        views = tuple(view for other in others for view in (replace(other, views=()), *other.views))
        place = min(places[id(each)] for each in (best, *others))  # a tile stays where it stood
        result.append((place, replace(best, doubts=tile.doubts, views=best.views + views)))
    return tuple(each for _, each in sorted(result, key=lambda pair: pair[0]))


def _without(found: Found, photo: str) -> Found | None:
    """A tile as the other photos show it; None where none does."""
    left = [view for view in (replace(found, views=()), *found.views) if view.photo != photo]
    return replace(left[0], views=tuple(left[1:])) if left else None


def _sight(found: Found) -> Sight:
    corners = None if found.corners is None else low_first(np.array(found.corners), found.first, found.second)
    return Sight(found.tile, 0.5 if found.doubts else 1.0, found.doubts, corners)


def _corners(tile: TileReading) -> tuple[tuple[float, float], ...]:
    return tuple((float(x), float(y)) for x, y in tile.box.corners)


def _found(tile: TileReading, photo: str) -> Found:
    first, second = (half.pips for half in tile.halves)
    if Tile(first, second) != tile.tile:  # the tile was changed to fit the set: its halves stand as they are sorted
        first, second = tile.tile.low, tile.tile.high
    return Found(first, second, _corners(tile), photo, tile.doubts)


class Elsewhere(StrEnum):
    """Where a tile is that nobody can hold."""

    TABLE = "table"
    LOST = "lost"


def tiles_elsewhere(game: Game, number: int, seat: int) -> dict[Tile, int | Elsewhere]:
    """Tiles that cannot be in a hand of a round, with the seat that holds them, or where they are instead."""
    found: dict[Tile, int | Elsewhere] = dict.fromkeys(game.missing_tiles, Elsewhere.LOST)
    played = next((one for one in game.rounds if one.number == number), None)
    if played is not None:
        found |= dict.fromkeys(played.table.on_table, Elsewhere.TABLE)
        for other, score in enumerate(played.scores):
            if score is not None and score.tiles and other != seat:
                found |= dict.fromkeys(score.tiles, other)
    return found
