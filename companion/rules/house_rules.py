"""House rules: one validated value that holds every option of a game, and the presets.

`OPTIONS` lists every option with its values and default, so that the command line, the sentences and
the documents can enumerate them. Clause ids (R-...) are explained in docs/rules.md.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from companion.errors import HouseRulesError
from companion.rules.choices import (
    DeadDouble,
    DoubleFollowup,
    DoubleOrder,
    DoublesPerTurn,
    DrawsPerTurn,
    EngineDraw,
    EngineOrder,
    EngineSource,
    FinishOnDouble,
    HandTable,
    LateJoiner,
    MarkerOff,
    MexicanTrainFrom,
    Opening,
    Preset,
    Starter,
    TieBreak,
)
from companion.rules.tiles import MAX_PIPS, TileSet

__all__ = [
    "MAX_PLAYERS",
    "MIN_PLAYERS",
    "OPTIONS",
    "DeadDouble",
    "DoubleFollowup",
    "DoubleOrder",
    "DoublesPerTurn",
    "DrawsPerTurn",
    "EngineDraw",
    "EngineOrder",
    "EngineSource",
    "FinishOnDouble",
    "HandTable",
    "HouseRules",
    "LateJoiner",
    "MarkerOff",
    "MexicanTrainFrom",
    "Opening",
    "Option",
    "Preset",
    "Starter",
    "TieBreak",
    "Value",
    "largest_hand",
]

MIN_PLAYERS = 2
MAX_PLAYERS = 14
"""The texts say 2 to 8; up to 14 are accepted where the deal fits (R-SET-3)."""


Value = int | bool | str | None
"""What an option holds: a StrEnum is a str."""


def _steps(*groups: tuple[range, int]) -> dict[int, int]:
    return {players: size for span, size in groups for players in span}


_UP_TO_4, _5_OR_6, _7_OR_8 = range(2, 5), range(5, 7), range(7, 9)

_STANDARD_BY_SET: Mapping[int, Mapping[int, int]] = {
    9: _steps(
        (range(2, 3), 12), (range(3, 4), 11), (range(4, 5), 10), (range(5, 7), 8), (range(7, 8), 7), (range(8, 9), 6)
    ),
    12: _steps((_UP_TO_4, 15), (_5_OR_6, 12), (_7_OR_8, 10)),
    15: _steps((_UP_TO_4, 15), (_5_OR_6, 12), (_7_OR_8, 11)),
    18: _steps((_UP_TO_4, 16), (_5_OR_6, 14), (_7_OR_8, 12)),
}

_TABLES: Mapping[HandTable, Mapping[int, int]] = {
    HandTable.PAGAT: _steps((_UP_TO_4, 15), (_5_OR_6, 12), (_7_OR_8, 10), (range(9, 11), 8)),
    HandTable.CARDINAL: _steps((_UP_TO_4, 15), (_5_OR_6, 12), (_7_OR_8, 11)),
    HandTable.BOX: _steps((_UP_TO_4, 15), (_5_OR_6, 11), (_7_OR_8, 8)),
    HandTable.IDAHO: {players: 18 - players for players in range(2, 9)},
}


def _choices(*values: Value) -> dict[str, tuple[Value, ...]]:
    return {"choices": values}


@dataclass(frozen=True, slots=True)
class HouseRules:
    """Every option of a game; building one validates it.

    Raises HouseRulesError `house_rule_value` for a value that an option does not have (params option,
    value, choices) and `house_rules_contradict` for two options that exclude each other (params first,
    first_value, second, second_value).
    """

    max_pip: int = 12
    """The highest pips of the set, 1..18; sets of 6, 9, 12, 15 and 18 are sold (R-SET-1)."""
    hand_table: HandTable = HandTable.STANDARD
    """Where the hand size comes from (R-DEAL-1)."""
    hand_size: int | None = None
    """Tiles dealt to everybody; None: as `hand_table` says (R-DEAL-1)."""
    rounds: int | None = None
    """Rounds of the game; None: one for every double of the set (R-ROUND-1)."""
    engine: EngineOrder = EngineOrder.DESCENDING
    """Which double is the engine of a round (R-ENG-1)."""
    engine_source: EngineSource = EngineSource.SET_ASIDE
    """Where the engine comes from (R-ENG-2)."""
    engine_draw: EngineDraw = EngineDraw.IN_TURN
    """How the table draws while nobody holds the engine (R-ENG-2)."""
    starter: Starter = Starter.ROTATE
    """Who has the first turn of a round (R-START-1)."""
    opening: Opening = Opening.ONE_TILE
    """What a player may lay in the first turn (R-TURN-2)."""
    mexican_train_from: MexicanTrainFrom = MexicanTrainFrom.ANY_TURN
    """From when a player may use the Mexican Train (R-PLAY-3)."""
    draws_per_turn: DrawsPerTurn = DrawsPerTurn.ONE
    """How often a player may draw in one turn (R-DRAW-4)."""
    voluntary_marker: bool = False
    """May a player put the own marker on without need (R-MARK-1)?"""
    marker_off: MarkerOff = MarkerOff.OWN_TRAIN
    """When a marker comes off (R-MARK-2)."""
    double_followup: DoubleFollowup = DoubleFollowup.ON_THE_DOUBLE
    """What a double asks of whom (R-DBL-1)."""
    doubles_per_turn: DoublesPerTurn = DoublesPerTurn.ONE
    """How many doubles a player may lay in one turn (R-DBL-4)."""
    double_order: DoubleOrder = DoubleOrder.OLDEST_FIRST
    """Which of several open doubles comes first (R-DBL-4)."""
    dead_double: DeadDouble = DeadDouble.RELEASED
    """Whether a double that can never be covered binds (R-DBL-5)."""
    finish_on_double: FinishOnDouble = FinishOnDouble.ALLOWED
    """Whether a player may go out on a double (R-DBL-6)."""
    double_blank_points: int | None = field(default=0, metadata=_choices(0, 25, 50, None))
    """Points for 0-0 left in a hand; None: not agreed yet (R-SCORE-2)."""
    blocked_lowest_scores_zero: bool = False
    """Does the lowest hand of a blocked round score zero (R-SCORE-3)?"""
    doubles_count_twice: bool = False
    """Do doubles left in a hand count twice (R-SCORE-4)?"""
    blank_half_points: int = field(default=0, metadata=_choices(0, 5))
    """Points for each blank half left in a hand (R-SCORE-4)."""
    going_out_bonus: int = field(default=0, metadata=_choices(0, -5, -10))
    """Points of the player who went out (R-SCORE-4)."""
    open_double_penalty: int = field(default=0, metadata=_choices(0, 5, 10))
    """Points for an open double at the end of one's own train (R-SCORE-4)."""
    marker_penalty: int = field(default=0, metadata=_choices(0, 5, 10, 25))
    """Points for one's own marker being on at the end (R-SCORE-4)."""
    last_tile_call: int = field(default=0, metadata=_choices(0, 1, 2))
    """Tiles drawn by a player who did not announce the last tile (R-SCORE-4)."""
    tie_break: TieBreak = TieBreak.SHARED
    """How equal totals are ranked (R-SCORE-5)."""
    late_joiner: LateJoiner = LateJoiner.HIGHEST
    """The total a late joiner starts with (R-PLAYER-1)."""

    def __post_init__(self) -> None:
        for option in OPTIONS.values():
            object.__setattr__(self, option.name, option.check(getattr(self, option.name)))
        for first, first_value, second, second_value in _EXCLUSIONS:
            if getattr(self, first) == first_value and getattr(self, second) == second_value:
                raise _contradiction(self, first, second)
        if self.rounds is not None and self.rounds > self.max_pip + 1:
            raise _contradiction(self, "rounds", "max_pip")
        if self.hand_size is not None and self.hand_size > largest_hand(len(self.tile_set), MIN_PLAYERS):
            raise _contradiction(self, "hand_size", "max_pip")

    @classmethod
    def preset(cls, name: str) -> "HouseRules":
        """The rules of a preset (`custom`: the defaults). Raises HouseRulesError `preset_unknown`."""
        try:
            return cls(**_PRESETS[Preset(name)])
        except ValueError:
            raise HouseRulesError("preset_unknown", preset=name, presets=tuple(Preset)) from None

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "HouseRules":
        """Build from primitives; options left out keep their default. Raises HouseRulesError."""
        for name in values:
            if name not in OPTIONS:
                raise HouseRulesError("house_rule_unknown", option=name, options=tuple(OPTIONS))
        return cls(**values)

    def to_dict(self) -> dict[str, Value]:
        """Every option as a primitive; `from_dict` reads it back."""
        values = {name: getattr(self, name) for name in OPTIONS}
        return {name: str(value) if isinstance(value, StrEnum) else value for name, value in values.items()}

    def replace(self, **changes: Value) -> "HouseRules":
        """The same rules with some options changed. Raises HouseRulesError."""
        for name in changes:
            if name not in OPTIONS:
                raise HouseRulesError("house_rule_unknown", option=name, options=tuple(OPTIONS))
        return replace(self, **changes)  # type: ignore[arg-type]  # checked in __post_init__

    def differences(self, from_preset: str = Preset.CUSTOM) -> dict[str, tuple[Value, Value]]:
        """Options that differ from a preset: name -> (value in the preset, value here)."""
        base = HouseRules.preset(from_preset)
        pairs = {name: (getattr(base, name), getattr(self, name)) for name in OPTIONS}
        return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}

    @property
    def tile_set(self) -> TileSet:
        """The set the game is played with."""
        return TileSet(self.max_pip)

    def hand_for(self, players: int) -> int | None:
        """Tiles dealt to each of so many players; None: the table must agree on it first (R-DEAL-1)."""
        if self.hand_size is not None:
            return self.hand_size
        if self.hand_table is HandTable.STANDARD:
            return _STANDARD_BY_SET.get(self.max_pip, {}).get(players)
        return _TABLES.get(self.hand_table, {}).get(players)

    def unanswered(self, players: int) -> tuple[str, ...]:
        """Options that so many players must agree on before round one (M15)."""
        open_questions = []
        if self.hand_for(players) is None:
            open_questions.append("hand_size")
        if self.double_blank_points is None:
            open_questions.append("double_blank_points")
        return tuple(open_questions)


def largest_hand(tiles: int, players: int) -> int:
    """The largest hand that fits: players x hand + 1 <= tiles (R-SET-3, R-DEAL-2)."""
    return (tiles - 1) // players


@dataclass(frozen=True, slots=True)
class Option:
    """One house rule: its name, default, and values."""

    name: str
    default: Value
    choices: tuple[Value, ...] = ()
    """Every value, or empty for a number between `least` and `most`."""
    least: int = 0
    most: int = 0
    optional: bool = False
    """May a number be None?"""
    kind: type[StrEnum] | None = None
    """The enumeration of the values, where there is one."""

    def check(self, value: Any) -> Value:
        """The value in its own type. Raises HouseRulesError `house_rule_value`."""
        if self.kind is not None and isinstance(value, str):
            try:
                return self.kind(value)
            except ValueError:
                raise self._error(value) from None
        if self.choices:
            # True == 1 in Python: a switch is no number.
            if any(value == choice and type(value) is type(choice) for choice in self.choices):
                return value  # type: ignore[no-any-return]
            raise self._error(value)
        if value is None and self.optional:
            return None
        if isinstance(value, int) and not isinstance(value, bool) and self.least <= value <= self.most:
            return value
        raise self._error(value)

    def parse(self, text: str) -> Value:
        """Read what a person types: a name, a number, `on` or `off`, `none`. Raises HouseRulesError."""
        word = text.strip().lower()
        if word == "none" and (self.optional or None in self.choices):
            return None
        if self.choices == (False, True):
            if word not in ("on", "off"):
                raise self._error(text)
            return word == "on"
        if self.kind is not None:
            return self.check(word)
        try:
            number = int(word)
        except ValueError:
            raise self._error(text) from None
        return self.check(number)

    def _error(self, value: Any) -> HouseRulesError:
        bounds = {} if self.choices else {"least": self.least, "most": self.most}
        return HouseRulesError("house_rule_value", option=self.name, value=value, choices=self.choices, **bounds)


_NUMBERS: Mapping[str, tuple[int, int, bool]] = {
    "max_pip": (1, MAX_PIPS, False),
    "hand_size": (1, (len(TileSet(MAX_PIPS)) - 1) // MIN_PLAYERS, True),
    "rounds": (1, MAX_PIPS + 1, True),
}


def _option(name: str, default: Any, choices: tuple[Value, ...]) -> Option:
    if isinstance(default, StrEnum):
        return Option(name, default, tuple(type(default)), kind=type(default))
    if isinstance(default, bool):
        return Option(name, default, (False, True))
    if choices:
        return Option(name, default, choices)
    least, most, optional = _NUMBERS[name]
    return Option(name, default, least=least, most=most, optional=optional)


OPTIONS: Mapping[str, Option] = MappingProxyType(
    {f.name: _option(f.name, f.default, f.metadata.get("choices", ())) for f in fields(HouseRules)}
)
"""Every option by name, in the order in which a table would be asked."""

_EXCLUSIONS: tuple[tuple[str, str, str, str], ...] = (
    # A double that is only known once it is laid cannot be set aside before the deal.
    ("engine", EngineOrder.HIGHEST_DOUBLE, "engine_source", EngineSource.SET_ASIDE),
    # Nobody holds an engine that was set aside.
    ("starter", Starter.ENGINE_HOLDER, "engine_source", EngineSource.SET_ASIDE),
    # One tile a turn leaves no room for several doubles in a row.
    ("doubles_per_turn", DoublesPerTurn.ANY, "double_followup", DoubleFollowup.NEXT_PLAYER),
)


def _contradiction(rules: HouseRules, first: str, second: str) -> HouseRulesError:
    return HouseRulesError(
        "house_rules_contradict",
        first=first,
        first_value=getattr(rules, first),
        second=second,
        second_value=getattr(rules, second),
    )


_PRESETS: Mapping[Preset, Mapping[str, Any]] = {
    Preset.TRAIN_MEXICAIN: {
        "double_followup": DoubleFollowup.ANYWHERE,
        "doubles_per_turn": DoublesPerTurn.ANY,
    },
    Preset.MEKSIKANSKIJ_POEZD: {
        "hand_table": HandTable.ASK,
        "double_blank_points": None,
        "double_followup": DoubleFollowup.NEXT_PLAYER,
    },
    Preset.PAGAT: {
        "hand_table": HandTable.PAGAT,
        "engine_source": EngineSource.HOLDER_LAYS,
        "engine_draw": EngineDraw.IN_TURN,
        "starter": Starter.ENGINE_HOLDER,
        "opening": Opening.LONG_TRAIN,
        "doubles_per_turn": DoublesPerTurn.ANY,
        "double_order": DoubleOrder.NEWEST_FIRST,
    },
    Preset.CARDINAL: {
        "hand_table": HandTable.CARDINAL,
        "opening": Opening.LONG_TRAIN,
        "double_followup": DoubleFollowup.ANYWHERE,
        "mexican_train_from": MexicanTrainFrom.AFTER_FIRST_TURN,
    },
    Preset.TOURNAMENT: {
        "finish_on_double": FinishOnDouble.MUST_COVER,
        "tie_break": TieBreak.MOST_ZERO_ROUNDS,
    },
    Preset.BOX_15_11_8: {
        "hand_table": HandTable.BOX,
        "engine": EngineOrder.HIGHEST_DOUBLE,
        "engine_source": EngineSource.HOLDER_LAYS,
        "starter": Starter.ENGINE_HOLDER,
    },
    Preset.CUSTOM: {},
}
