"""What is asked before a game: players, set, house rules, who starts; every change makes a new form."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from companion.errors import HouseRulesError
from companion.rules.events import Event
from companion.rules.fold import apply_all
from companion.rules.house_rules import MAX_PLAYERS, MIN_PLAYERS, HouseRules, Preset, Starter, Value, largest_hand
from companion.rules.seating import start_game, start_round
from companion.rules.state import Game
from companion.rules.words import one_line
from companion.ui.theme import TRAIN_COLOURS

ASKED_FIRST = ("max_pip", "hand_size", "double_blank_points", "rounds")
"""House rules that every table is asked; the others wait under "every house rule"."""


@dataclass(frozen=True, slots=True)
class Form:
    """A game that is being set up."""

    names: tuple[str, ...] = ()
    """By seat, clockwise."""
    colours: tuple[str, ...] = ()
    """The keys of their trains' colours."""
    preset: Preset = Preset.TRAIN_MEXICAIN
    rules: HouseRules = field(default_factory=lambda: HouseRules.preset(Preset.TRAIN_MEXICAIN))
    starter: int | None = None
    """Who starts round one; None: the table has not said."""

    def add(self, name: str, colour: str | None = None) -> "Form":
        """With one more player; a name that is there already, or no name, changes nothing."""
        name = one_line(name)
        known = {other.casefold() for other in self.names}
        if not name or name.casefold() in known or len(self.names) >= MAX_PLAYERS:
            return self
        if colour is None or colour in self.colours:
            colour = next(one.key for one in TRAIN_COLOURS if one.key not in self.colours)
        return replace(self, names=(*self.names, name), colours=(*self.colours, colour))

    def remove(self, name: str) -> "Form":
        """Without a player; nothing changes when that one has gone already, as with a second tap."""
        if name not in self.names:
            return self
        seat, starter = self.names.index(name), self.starter
        if starter is not None:
            starter = None if starter == seat else starter - (starter > seat)
        return replace(
            self,
            names=(*self.names[:seat], *self.names[seat + 1 :]),
            colours=(*self.colours[:seat], *self.colours[seat + 1 :]),
            starter=starter,
        )

    def up(self, name: str) -> "Form":
        """With a player one seat earlier; the first one goes last."""
        if name not in self.names:
            return self
        seat, order = self.names.index(name), list(range(len(self.names)))
        order.insert(seat - 1 if seat else len(order), order.pop(seat))
        return replace(
            self,
            names=tuple(self.names[one] for one in order),
            colours=tuple(self.colours[one] for one in order),
            starter=None if self.starter is None else order.index(self.starter),
        )

    def paint(self, seat: int, colour: str) -> "Form":
        """With another train colour; who had it gets this one's."""
        colours = [self.colours[seat] if one == colour else one for one in self.colours]
        colours[seat] = colour
        return replace(self, colours=tuple(colours))

    def choose(self, preset: Preset) -> "Form":
        """With the rules of a preset; set, length of the game and answers stay."""
        base = HouseRules.preset(preset)
        kept: dict[str, Value] = {"max_pip": self.rules.max_pip, "rounds": self.rules.rounds}
        if self.rules.hand_size is not None:
            kept["hand_size"] = self.rules.hand_size
        return replace(self, preset=preset, rules=base.replace(**kept))

    def set(self, name: str, value: Value) -> "Form":
        """With one house rule changed; rules that cannot stand beside it follow it. Raises HouseRulesError."""
        changes: dict[str, Value] = {name: value}
        if name == "max_pip":
            assert isinstance(value, int)
            if self.rules.rounds is not None and self.rules.rounds > value + 1:
                changes["rounds"] = None
            changes["hand_size"] = None
        for _ in range(4):
            try:
                return replace(self, rules=self.rules.replace(**changes))
            except HouseRulesError as error:
                other = error.params.get("first") if error.params.get("second") == name else error.params.get("second")
                if error.key != "house_rules_contradict" or not isinstance(other, str) or other in changes:
                    raise
                changes[other] = getattr(_FOLLOWING.get((name, str(value)), HouseRules()), other)
        raise AssertionError("house rules that never settle")

    @property
    def hand(self) -> int | None:
        """Tiles for each player; None: to be agreed."""
        return self.rules.hand_for(max(len(self.names), MIN_PLAYERS))

    @property
    def largest(self) -> int:
        """The largest hand that fits so many players."""
        return largest_hand(len(self.rules.tile_set), max(len(self.names), 2))

    @property
    def unanswered(self) -> tuple[str, ...]:
        """What the table must agree on before round one."""
        return self.rules.unanswered(len(self.names))

    @property
    def asks_starter(self) -> bool:
        """Does the table say who starts? Else whoever holds the engine does."""
        return self.rules.starter is not Starter.ENGINE_HOLDER

    def events(self) -> tuple[Event, ...]:
        """What is recorded: the players sat down, round one began. Raises RulesError and UsageError."""
        opening = start_game(self.rules, self.names, self.preset)
        return (*opening, *start_round(apply_all(Game(), opening), self.starter if self.asks_starter else None))


_FOLLOWING = {
    ("engine", "highest_double"): HouseRules.preset(Preset.BOX_15_11_8),
    ("starter", "engine_holder"): HouseRules.preset(Preset.BOX_15_11_8),
    ("engine_source", "set_aside"): HouseRules(),
    ("doubles_per_turn", "any"): HouseRules(),
}
"""Rules in which a value can stand: where others must change along, they are taken from here."""


def same_again(game: Game, colours: Sequence[str]) -> Form:
    """The form for another game with the same people and house rules."""
    names = tuple(game.players[seat].name for seat in game.order)
    return Form(names, tuple(colours[seat] for seat in game.order), game.preset, game.rules)
