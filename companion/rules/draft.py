"""The fold of a game: a mutable draft that takes one event after the other and never judges.

`fold.apply` and `fold.replay` wrap it, so that one play and three thousand go through the same code
and nobody outside ever sees a half-changed value.
"""

from collections.abc import Callable
from typing import Any

from companion.rules import events as ev
from companion.rules.house_rules import HouseRules, Preset
from companion.rules.state import Game, Hand, Phase, Player, Round, Score, TableState, Train
from companion.rules.table_draft import TableDraft


class GameDraft:
    """A `Game` under construction."""

    def __init__(self, game: Game) -> None:
        self.rules: HouseRules = game.rules
        self.preset: Preset = game.preset
        self.players = list(game.players)
        self.order = game.order
        self.missing = game.missing_tiles
        self.past = list(game.rounds[:-1])
        self.ended = game.ended
        self.round: Round | None = game.round
        self.table: TableDraft | None = None
        if self.round is not None:
            self.table = TableDraft(self.round.table, self.rules, self.missing, self.round.starter)

    def freeze(self) -> Game:
        """The finished value."""
        rounds = tuple(self.past)
        if self.round is not None:
            rounds += (self._frozen_round(),)
        return Game(self.rules, self.preset, tuple(self.players), self.order, self.missing, rounds, self.ended)

    def _frozen_round(self) -> Round:
        current, table = self._running()
        return Round(current.number, table.freeze(), table.starter, current.ended, current.went_out, current.scores)

    def _running(self) -> tuple[Round, TableDraft]:
        assert self.round is not None, "no round has started"
        assert self.table is not None
        return self.round, self.table

    def take(self, event: ev.Event) -> None:
        """Add one event."""
        handler = _HANDLERS.get(type(event))
        if handler is not None:
            handler(self, event)
        else:
            self._running()[1].take(event)

    # The game

    def _game_started(self, event: ev.GameStarted) -> None:
        self.rules, self.preset = event.rules, event.preset
        self.players = [Player(seat, name) for seat, name in enumerate(event.players)]
        self.order = tuple(range(len(event.players)))
        self.missing = frozenset(event.missing_tiles)

    def _house_rules_agreed(self, event: ev.HouseRulesAgreed) -> None:
        self.rules = event.rules

    def _player_joined(self, event: ev.PlayerJoined) -> None:
        number = self.round.number + 1 if self.round else 1
        self.players.append(Player(event.seat, event.name, event.opening_points, number))
        place = self.order.index(event.after) + 1 if event.after in self.order else len(self.order)
        self.order = (*self.order[:place], event.seat, *self.order[place:])

    def _player_left(self, event: ev.PlayerLeft) -> None:
        seat, was = event.seat, self.players[event.seat]
        number = self.round.number if self.round else 1
        if event.hand is None and self.round is not None:
            number += 1
        self.players[seat] = Player(seat, was.name, was.opening_points, was.joined, number, event.ranked)
        self.order = tuple(other for other in self.order if other != seat)
        if event.hand is not None and self.table is not None and seat in self.table.seats:
            self.table.player_left(seat, event.hand)

    def _game_ended(self, _: ev.GameEnded) -> None:
        self.ended = True

    # A round

    def _round_started(self, event: ev.RoundStarted) -> None:
        if self.round is not None:
            self.past.append(self._frozen_round())
        seats = tuple(seat for seat in self.order if self.players[seat].joined <= event.number)
        trains = (*(Train(seat) for seat in range(len(self.players))), Train(None))
        tiles = len(self.rules.tile_set) - len(self.missing)
        state = TableState(
            phase=Phase.DEALING,
            participants=seats,
            seats=seats,
            trains=trains,
            hands=(Hand(),) * len(self.players),
            boneyard=tiles,
            engine=event.engine,
            turns=(0,) * len(self.players),
            numbers_on_table=(0,) * (self.rules.max_pip + 1),
        )
        self.table = TableDraft(state, self.rules, self.missing, event.starter)
        if event.engine is not None:
            self.table.put_on_table(event.engine)
            self.table.boneyard -= 1
        self.round = Round(event.number, state, event.starter, scores=(None,) * len(self.players))

    def _round_ended(self, event: ev.RoundEnded) -> None:
        current, table = self._running()
        table.end()
        self.round = Round(current.number, current.table, current.starter, event.reason, event.went_out, current.scores)

    # The score

    def _score(self, number: int, seat: int, score: Score) -> None:
        def scored(was: Round) -> Round:
            scores = list(was.scores) + [None] * (seat + 1 - len(was.scores))
            scores[seat] = score
            return Round(was.number, was.table, was.starter, was.ended, was.went_out, tuple(scores))

        if self.round is not None and self.round.number == number:
            self.round = scored(self.round)
            return
        for index, was in enumerate(self.past):
            if was.number == number:
                self.past[index] = scored(was)

    def _hand_counted(self, event: ev.HandCounted) -> None:
        self._score(event.number, event.seat, Score(event.points, event.tiles, event.points, event.why))

    def _score_corrected(self, event: ev.ScoreCorrected) -> None:
        rounds = [*self.past, self._running()[0]]
        was = next((r.score(event.seat) for r in rounds if r.number == event.number), None)
        agreed = was.agreed if was else event.points
        self._score(event.number, event.seat, Score(event.points, was.tiles if was else None, agreed, event.why))

    def _retracted(self, _: ev.Retracted) -> None:
        raise TypeError("a retraction acts on the log: fold `history.effective(events)` instead")


_HANDLERS: dict[type[Any], Callable[[GameDraft, Any], None]] = {
    ev.GameStarted: GameDraft._game_started,
    ev.HouseRulesAgreed: GameDraft._house_rules_agreed,
    ev.PlayerJoined: GameDraft._player_joined,
    ev.PlayerLeft: GameDraft._player_left,
    ev.RoundStarted: GameDraft._round_started,
    ev.RoundEnded: GameDraft._round_ended,
    ev.HandCounted: GameDraft._hand_counted,
    ev.ScoreCorrected: GameDraft._score_corrected,
    ev.GameEnded: GameDraft._game_ended,
    ev.Retracted: GameDraft._retracted,
}
