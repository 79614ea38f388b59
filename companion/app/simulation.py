"""Whole games played by simple strategies: for tests, for benchmarks, and to follow real tables with later.

Everything random comes from the `random.Random` that is handed in, so a seed gives the same game again.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from random import Random

from companion.rules import counting, seating, table
from companion.rules.events import CallMissed, Event, HandDealt, TileDrawn
from companion.rules.fold import advance, apply_all
from companion.rules.house_rules import HouseRules, Preset, Starter
from companion.rules.legality import legal_moves
from companion.rules.moves import Draw, LayEngine, Mark, Move, Play
from companion.rules.planner import plan
from companion.rules.state import Game, Phase
from companion.rules.tiles import Tile


class Strategy(StrEnum):
    """How a simulated player chooses among the legal moves."""

    RANDOM = "random"
    """Anything that is legal."""
    HEAVIEST = "heaviest"
    """The tile with the most pips, on the own train where it fits there."""
    PLANNER = "planner"
    """Keeps the best train of the own hand together and spends the other tiles elsewhere."""
    CLOSER = "closer"
    """Keeps the own train closed: on the own train first, the marker off as soon as possible."""


@dataclass
class Simulator:
    """Plays games move by move; the referee knows every tile, the strategies see their own hand."""

    rules: HouseRules
    names: Sequence[str]
    strategies: Sequence[Strategy]
    """One a seat."""
    random: Random
    missing_tiles: tuple[Tile, ...] = ()
    forgetful: float = 0.1
    """How likely a player forgets to announce the last tile (`last_tile_call`)."""
    events: list[Event] = field(default_factory=list)
    """Everything that has happened."""
    game: Game = field(default_factory=Game)
    boneyard: list[Tile] = field(default_factory=list)
    """The tiles to draw, in the order in which they will be drawn (last first)."""

    def record(self, events: Sequence[Event]) -> None:
        """Take events that were decided here into the log and the state."""
        self.events += events
        self.game = apply_all(self.game, events)

    def play_game(self) -> Game:
        """A whole game, from sitting down to the last score."""
        for _ in self.moves():
            pass
        return self.game

    def moves(self) -> Iterator[Move]:
        """Play a whole game; yields every move just after it was made."""
        self.record(seating.start_game(self.rules, self.names, Preset.CUSTOM, self.missing_tiles))
        while not self.game.ended:
            self.start_round()
            yield from self.round_moves()
            self.record(counting.count_known_hands(self.game))

    def start_round(self) -> None:
        """Lay the engine or not, shuffle, deal; the table picks a starter where the rules do not."""
        starter = None
        if self.rules.starter is not Starter.ENGINE_HOLDER and seating.due_starter(self.game) is None:
            starter = self.random.choice(self.game.order)
        self.record(seating.start_round(self.game, starter))
        now = self.game.table
        assert now is not None
        self.boneyard = [
            tile for tile in self.rules.tile_set if tile not in self.game.missing_tiles and tile != now.engine
        ]
        self.random.shuffle(self.boneyard)
        size = self.rules.hand_for(len(now.seats)) or 1
        hands = {seat: [self.boneyard.pop() for _ in range(size)] for seat in now.seats}
        self.record(seating.deal(self.game, hands))

    def round_moves(self) -> Iterator[Move]:
        """Play the running round to its end; yields every move just after it was made."""
        while (now := self.game.table) is not None and now.phase in (Phase.ENGINE, Phase.PLAYING):
            seat = now.to_act
            assert seat is not None
            move = self.choose(seat, legal_moves(self.game))
            if isinstance(move, Draw):
                move = Draw(move.seat, self.boneyard.pop())
            events, self.game = advance(self.game, move)
            self.events += events
            yield move
            self._maybe_miss_call(move.seat)

    def _maybe_miss_call(self, seat: int) -> None:
        now = self.game.table
        if not self.rules.last_tile_call or now is None or now.phase is not Phase.PLAYING:
            return
        if now.hands[seat].count == 1 and now.to_act != seat and now.boneyard and self.random.random() < self.forgetful:
            count = min(self.rules.last_tile_call, now.boneyard)
            self.record(table.miss_call(self.game, seat, [self.boneyard.pop() for _ in range(count)]))

    def choose(self, seat: int, moves: Sequence[Move]) -> Move:
        """One of the legal moves, by the strategy of the seat."""
        assert moves, "a player to act always has a legal move"
        if self.strategies[seat] is Strategy.RANDOM:
            return self.random.choice(moves)
        engines = [move for move in moves if isinstance(move, LayEngine)]
        if engines:
            return engines[-1]
        plays = [move for move in moves if isinstance(move, Play)]
        if not plays:
            # A marker is put on by choice only at random: for these strategies it is never good.
            return next(move for move in moves if not isinstance(move, Mark))
        return max(plays, key=_TASTES[self.strategies[seat]](self.game, seat))


def as_onlooker(events: Iterable[Event], knows: Container[int] = ()) -> tuple[Event, ...]:
    """The same log as somebody at the table would have kept it: hands and draws hidden, but for some seats."""
    seen: list[Event] = []
    for event in events:
        if isinstance(event, HandDealt) and event.seat not in knows:
            event = replace(event, tiles=())
        elif isinstance(event, TileDrawn) and event.seat not in knows:
            event = replace(event, tile=None)
        elif isinstance(event, CallMissed) and event.seat not in knows:
            event = replace(event, tiles=())
        seen.append(event)
    return tuple(seen)


Taste = Callable[[Play], tuple[int, ...]]


def _heaviest(_game: Game, seat: int) -> Taste:
    return lambda play: (play.tile.pips, play.train == seat, not play.keep_marker)


def _closer(_game: Game, seat: int) -> Taste:
    return lambda play: (play.train == seat, not play.keep_marker, play.tile.pips)


def _planner(game: Game, seat: int) -> Taste:
    now = game.table
    assert now is not None
    assert now.engine is not None
    best = plan(now.hands[seat].known, {seat: now.trains[seat].tail(now.engine)}, positions=2_000)
    wanted = [placed.tile for placed in best.tiles] if best else []

    def taste(play: Play) -> tuple[int, ...]:
        if play.tile not in wanted:
            return 2, play.tile.pips, not play.keep_marker
        on_plan = play.train == seat and play.tile == wanted[0]
        return int(on_plan), play.tile.pips, not play.keep_marker

    return taste


_TASTES: dict[Strategy, Callable[[Game, int], Taste]] = {
    Strategy.HEAVIEST: _heaviest,
    Strategy.CLOSER: _closer,
    Strategy.PLANNER: _planner,
}
