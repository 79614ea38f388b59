"""A table with a game on it, for tests of single situations: moves go to the table first, then it is looked at."""

from dataclasses import replace
from math import pi
from random import Random

from companion.app.following import Following
from companion.app.session import GameSession
from companion.app.table_intake import Caution, Standing, TableProposal, propose_table
from companion.rules.events import Event, GameStarted, HandDealt, RoundStarted, TilePlayed
from companion.rules.fold import advance, apply_all
from companion.rules.history import effective
from companion.rules.house_rules import HouseRules
from companion.rules.moves import Draw, Pass, Play
from companion.rules.state import Game, PlacedTile
from companion.rules.tiles import Tile
from companion.vision.readings import TableReading
from tests.app.memory_store import MemoryStore
from tests.app.table_readings import Faults, Painter

LEFT, TOP, RIGHT, BOTTOM = pi, -pi / 2, 0.0, pi / 2


def t(text: str) -> Tile:
    return Tile.parse(text)


class Scene:
    """Three players, engine 12-12, seat 0 begins; the log and the table start alike."""

    def __init__(
        self, players: int = 3, looks: int = 1, hands: int = 12, backs: bool = True, sides: bool = True
    ) -> None:
        names = ("Anna", "Boris", "Clara", "Dan", "Eve")[:players]
        opening: list[Event] = [GameStarted(HouseRules(), names), RoundStarted(1, t("12-12"), 0)]
        opening += [HandDealt(seat, hands) for seat in range(players)]
        self.truth: Game = apply_all(Game(), opening)
        self.session = GameSession.create(MemoryStore(), opening)
        places = {seat: LEFT + 2 * pi * seat / players for seat in range(players)}
        self.painter = Painter(
            Random(7),
            range(players),
            Faults(boneyard=backs, hands=backs, markers=backs),
            {**places, None: LEFT + pi / players},
        )
        self.following = Following().with_sides(places if sides else {})
        self.caution = Caution(looks)

    def play(self, seat: int, tile: str, train: int | None, ruling: str | None = None) -> None:
        _, self.truth = advance(self.truth, Play(seat, t(tile), train), ruling)

    def draw(self, seat: int, tile: str) -> None:
        _, self.truth = advance(self.truth, Draw(seat, t(tile)))

    def out_of_hand(self, seat: int) -> None:
        """Cannot play: draws, passes."""
        for move in (Draw(seat), Pass(seat)):
            _, self.truth = advance(self.truth, move)

    def reading(self, **how: object) -> TableReading:
        assert self.truth.table is not None
        return self.painter.reading(self.truth.table, **how)

    def look(self, reading: TableReading | None = None) -> TableProposal:
        """One look, which records nothing."""
        found = propose_table(
            self.session, self.following, self.reading() if reading is None else reading, caution=self.caution
        )
        self.following = found.following
        return found

    def settle(self, reading: TableReading | None = None, most: int = 8) -> TableProposal:
        """Look until there is nothing to do but ask; record what is sure."""
        for _ in range(most):
            found = self.look(reading)
            if found.standing is Standing.SURE:
                self.session.commit(found.draft)
            elif found.standing is not Standing.LOOK_AGAIN:
                break
        return found

    def plays(self) -> list[tuple[int, str, int | None]]:
        return [
            (event.seat, str(event.tile), event.train)
            for event in effective(self.session.events)
            if isinstance(event, TilePlayed)
        ]

    def lift(self, train: int | None) -> None:
        """The last tile of a train is taken off the table."""
        table = self.truth.table
        assert table is not None
        trains = tuple(replace(each, tiles=each.tiles[:-1]) if each.owner == train else each for each in table.trains)
        self._now(replace(table, trains=trains))

    def put(self, train: int | None, inner: int, outer: int) -> None:
        """A tile is laid, whatever the rules say, and nobody's hand is counted."""
        table = self.truth.table
        assert table is not None
        placed = PlacedTile(Tile(inner, outer), inner, outer)
        trains = tuple(
            replace(each, tiles=(*each.tiles, placed)) if each.owner == train else each for each in table.trains
        )
        self._now(replace(table, trains=trains))

    def _now(self, table: object) -> None:
        current = self.truth.rounds[-1]
        self.truth = replace(self.truth, rounds=(*self.truth.rounds[:-1], replace(current, table=table)))
