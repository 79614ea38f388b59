"""What a player may want to do, and what can be wrong with it."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from companion.rules.tiles import Tile


@dataclass(frozen=True, slots=True)
class Play:
    """Lay a tile at the tail of a train."""

    seat: int
    tile: Tile
    train: int | None
    """Owner of the train; None: the Mexican Train."""
    outer: int | None = None
    """The half that becomes the tail; None: the one that does not touch. Said only where a ruling turns a tile."""
    keep_marker: bool = False
    """Leave the own marker on (`marker_off=owner_choice`)."""


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw a tile from the boneyard; `tile` where it was shown."""

    seat: int
    tile: Tile | None = None


@dataclass(frozen=True, slots=True)
class Pass:
    """Give the turn up: the marker goes on."""

    seat: int


@dataclass(frozen=True, slots=True)
class EndTurn:
    """Stop laying a long train (`opening=long_train`)."""

    seat: int


@dataclass(frozen=True, slots=True)
class LayEngine:
    """Lay the engine from the hand into the station (`engine_source=holder_lays`)."""

    seat: int
    tile: Tile


@dataclass(frozen=True, slots=True)
class Mark:
    """Put the own marker on, or take it off, without ending the turn (`voluntary_marker`)."""

    seat: int
    on: bool = True


Move = Play | Draw | Pass | EndTurn | LayEngine | Mark


class ViolationCode(StrEnum):
    """Everything that `check` and the decisions of the table can object to."""

    # What cannot be, or cannot be recorded: no ruling overrules it.
    NOT_IN_SET = "not_in_set"
    TILE_LOST = "tile_lost"
    TILE_ON_TABLE = "tile_on_table"
    TILE_TWICE = "tile_twice"
    NO_SUCH_HALF = "no_such_half"
    NO_SUCH_TRAIN = "no_such_train"
    HAND_EMPTY = "hand_empty"
    BONEYARD_EMPTY = "boneyard_empty"
    TOO_MANY_TILES = "too_many_tiles"
    NOT_NOW = "not_now"
    NOT_AT_TABLE = "not_at_table"
    NO_OPEN_DOUBLE = "no_open_double"
    PLAYER_COUNT = "player_count"
    DEAL_TOO_LARGE = "deal_too_large"
    UNANSWERED = "unanswered"
    RULES_FIXED = "rules_fixed"
    STARTER_NEEDED = "starter_needed"
    NO_SUCH_ROUND = "no_such_round"
    ALREADY_COUNTED = "already_counted"
    NOT_COUNTED = "not_counted"
    REASON_NEEDED = "reason_needed"
    # The rest the table may overrule.
    NOT_IN_HAND = "not_in_hand"
    HAND_SIZE = "hand_size"
    IN_OTHER_HAND = "in_other_hand"
    OUT_OF_TURN = "out_of_turn"
    TRAIN_CLOSED = "train_closed"
    DOES_NOT_MATCH = "does_not_match"
    MEXICAN_TRAIN_TOO_EARLY = "mexican_train_too_early"
    MUST_PLAY = "must_play"
    MUST_DRAW = "must_draw"
    MUST_DRAW_TO_FOLLOW = "must_draw_to_follow"
    MUST_DRAW_TO_COVER_LAST = "must_draw_to_cover_last"
    MUST_PLAY_DRAWN = "must_play_drawn"
    ALREADY_DREW = "already_drew"
    NO_SECOND_DRAW = "no_second_draw"
    LONG_TRAIN_OWN_ONLY = "long_train_own_only"
    LONG_TRAIN_JUST_STOP = "long_train_just_stop"
    NOTHING_TO_STOP = "nothing_to_stop"
    MUST_FOLLOW_DOUBLE = "must_follow_double"
    SECOND_DOUBLE = "second_double"
    MUST_COVER_OPEN_DOUBLE = "must_cover_open_double"
    WRONG_DOUBLE_FIRST = "wrong_double_first"
    MARKER_NOT_VOLUNTARY = "marker_not_voluntary"
    MARKER_ALREADY_SO = "marker_already_so"
    MARKER_STAYS_ON = "marker_stays_on"
    MARKER_COMES_OFF = "marker_comes_off"
    WRONG_ENGINE = "wrong_engine"
    ENGINE_USED = "engine_used"
    ENGINE_HELD = "engine_held"
    ENGINE_WAVE = "engine_wave"
    WRONG_STARTER = "wrong_starter"
    NOT_BLOCKED = "not_blocked"
    NOT_OUT = "not_out"
    NO_CALL_DUE = "no_call_due"
    SCORE_ODD = "score_odd"
    SCORE_DIFFERS = "score_differs"
    ROUND_UNFINISHED = "round_unfinished"
    NO_ROUND_LEFT = "no_round_left"


CLAUSE_OF: Mapping[ViolationCode, str] = MappingProxyType(
    {
        ViolationCode.NOT_IN_SET: "R-SET-1",
        ViolationCode.TILE_LOST: "R-SET-4",
        ViolationCode.TILE_ON_TABLE: "R-SET-2",
        ViolationCode.TILE_TWICE: "R-SET-2",
        ViolationCode.NO_SUCH_HALF: "R-PLAY-2",
        ViolationCode.NO_SUCH_TRAIN: "R-PLAY-1",
        ViolationCode.HAND_EMPTY: "R-SET-2",
        ViolationCode.BONEYARD_EMPTY: "R-DRAW-3",
        ViolationCode.TOO_MANY_TILES: "R-SET-2",
        ViolationCode.NOT_NOW: "R-TURN-1",
        ViolationCode.NOT_AT_TABLE: "R-PLAYER-1",
        ViolationCode.NO_OPEN_DOUBLE: "R-DBL-1",
        ViolationCode.PLAYER_COUNT: "R-SET-3",
        ViolationCode.DEAL_TOO_LARGE: "R-DEAL-2",
        ViolationCode.UNANSWERED: "R-DEAL-1",
        ViolationCode.RULES_FIXED: "R-DEAL-1",
        ViolationCode.STARTER_NEEDED: "R-START-1",
        ViolationCode.NO_SUCH_ROUND: "R-ROUND-1",
        ViolationCode.ALREADY_COUNTED: "R-SCORE-6",
        ViolationCode.NOT_COUNTED: "R-SCORE-6",
        ViolationCode.REASON_NEEDED: "R-SCORE-6",
        ViolationCode.NOT_IN_HAND: "R-SET-2",
        ViolationCode.HAND_SIZE: "R-DEAL-1",
        ViolationCode.IN_OTHER_HAND: "R-SET-2",
        ViolationCode.OUT_OF_TURN: "R-TURN-1",
        ViolationCode.TRAIN_CLOSED: "R-MARK-3",
        ViolationCode.DOES_NOT_MATCH: "R-PLAY-2",
        ViolationCode.MEXICAN_TRAIN_TOO_EARLY: "R-PLAY-3",
        ViolationCode.MUST_PLAY: "R-PLAY-4",
        ViolationCode.MUST_DRAW: "R-DRAW-1",
        ViolationCode.MUST_DRAW_TO_FOLLOW: "R-DBL-2",
        ViolationCode.MUST_DRAW_TO_COVER_LAST: "R-DBL-6",
        ViolationCode.MUST_PLAY_DRAWN: "R-DRAW-1",
        ViolationCode.ALREADY_DREW: "R-DRAW-2",
        ViolationCode.NO_SECOND_DRAW: "R-DRAW-4",
        ViolationCode.LONG_TRAIN_OWN_ONLY: "R-TURN-2",
        ViolationCode.LONG_TRAIN_JUST_STOP: "R-TURN-2",
        ViolationCode.NOTHING_TO_STOP: "R-TURN-2",
        ViolationCode.MUST_FOLLOW_DOUBLE: "R-DBL-1",
        ViolationCode.SECOND_DOUBLE: "R-DBL-4",
        ViolationCode.MUST_COVER_OPEN_DOUBLE: "R-DBL-3",
        ViolationCode.WRONG_DOUBLE_FIRST: "R-DBL-4",
        ViolationCode.MARKER_NOT_VOLUNTARY: "R-MARK-1",
        ViolationCode.MARKER_ALREADY_SO: "R-MARK-1",
        ViolationCode.MARKER_STAYS_ON: "R-MARK-2",
        ViolationCode.MARKER_COMES_OFF: "R-MARK-2",
        ViolationCode.WRONG_ENGINE: "R-ENG-1",
        ViolationCode.ENGINE_USED: "R-ENG-1",
        ViolationCode.ENGINE_HELD: "R-ENG-2",
        ViolationCode.ENGINE_WAVE: "R-ENG-2",
        ViolationCode.WRONG_STARTER: "R-START-1",
        ViolationCode.NOT_BLOCKED: "R-END-2",
        ViolationCode.NOT_OUT: "R-END-1",
        ViolationCode.NO_CALL_DUE: "R-SCORE-4",
        ViolationCode.SCORE_ODD: "R-SCORE-1",
        ViolationCode.SCORE_DIFFERS: "R-SCORE-1",
        ViolationCode.ROUND_UNFINISHED: "R-ROUND-1",
        ViolationCode.NO_ROUND_LEFT: "R-ROUND-1",
    }
)
"""The clause that each objection rests on."""

_FIRST_OVERRULABLE = ViolationCode.NOT_IN_HAND

IMPOSSIBLE = frozenset(list(ViolationCode)[: list(ViolationCode).index(_FIRST_OVERRULABLE)])
"""What cannot be: the table cannot overrule it (R-RULING-1)."""

Detail = Tile | int | str | None | tuple[Tile, ...] | tuple[int | None, ...] | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Violation:
    """One objection: a code for the sentence, the clause behind it, and what the sentence needs."""

    code: ViolationCode
    clause: str
    detail: tuple[tuple[str, Detail], ...] = ()

    @classmethod
    def of(cls, code: ViolationCode, **detail: Detail) -> "Violation":
        """A violation of the clause that `code` rests on."""
        return cls(code, CLAUSE_OF[code], tuple(detail.items()))

    @property
    def params(self) -> dict[str, Detail]:
        """The detail by name."""
        return dict(self.detail)

    @property
    def impossible(self) -> bool:
        """No ruling can overrule it (R-RULING-1)."""
        return self.code in IMPOSSIBLE
