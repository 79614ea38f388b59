"""The named values of the house rules, and the names of the presets."""

from enum import StrEnum


class HandTable(StrEnum):
    """Where the hand size comes from (R-DEAL-1)."""

    STANDARD = "standard"
    PAGAT = "pagat"
    CARDINAL = "cardinal"
    BOX = "box"
    IDAHO = "idaho"
    ASK = "ask"


class EngineOrder(StrEnum):
    """Which double is the engine of a round (R-ENG-1)."""

    DESCENDING = "descending"
    HIGHEST_DOUBLE = "highest_double"


class EngineSource(StrEnum):
    """Where the engine comes from (R-ENG-2)."""

    SET_ASIDE = "set_aside"
    HOLDER_LAYS = "holder_lays"


class EngineDraw(StrEnum):
    """How the table draws while nobody holds the engine (R-ENG-2)."""

    IN_TURN = "in_turn"
    ALL_AT_ONCE = "all_at_once"


class Starter(StrEnum):
    """Who has the first turn of a round (R-START-1)."""

    CHOSEN = "chosen"
    ROTATE = "rotate"
    ENGINE_HOLDER = "engine_holder"
    ROUND_WINNER = "round_winner"


class Opening(StrEnum):
    """What a player may lay in the first turn (R-TURN-2)."""

    ONE_TILE = "one_tile"
    LONG_TRAIN = "long_train"


class MexicanTrainFrom(StrEnum):
    """From when a player may use the Mexican Train (R-PLAY-3)."""

    ANY_TURN = "any_turn"
    AFTER_FIRST_TURN = "after_first_turn"
    AFTER_OWN_TRAIN = "after_own_train"


class DrawsPerTurn(StrEnum):
    """How often a player may draw in one turn (R-DRAW-4)."""

    ONE = "one"
    AFTER_EACH_DOUBLE = "after_each_double"


class MarkerOff(StrEnum):
    """When a marker comes off (R-MARK-2)."""

    OWN_TRAIN = "own_train"
    OWNER_CHOICE = "owner_choice"
    ANY_OWN_PLAY = "any_own_play"


class DoubleFollowup(StrEnum):
    """What a double asks of whom (R-DBL-1)."""

    ON_THE_DOUBLE = "on_the_double"
    ANYWHERE = "anywhere"
    NEXT_PLAYER = "next_player"


class DoublesPerTurn(StrEnum):
    """How many doubles a player may lay in one turn (R-DBL-4)."""

    ONE = "one"
    ANY = "any"


class DoubleOrder(StrEnum):
    """Which of several open doubles comes first (R-DBL-4)."""

    OLDEST_FIRST = "oldest_first"
    NEWEST_FIRST = "newest_first"
    ANY = "any"


class DeadDouble(StrEnum):
    """Whether a double that can never be covered binds (R-DBL-5)."""

    RELEASED = "released"
    BINDS = "binds"


class FinishOnDouble(StrEnum):
    """Whether a player may go out on a double (R-DBL-6)."""

    ALLOWED = "allowed"
    MUST_COVER = "must_cover"


class TieBreak(StrEnum):
    """How equal totals are ranked (R-SCORE-5)."""

    SHARED = "shared"
    MOST_ZERO_ROUNDS = "most_zero_rounds"


class LateJoiner(StrEnum):
    """The total a late joiner starts with (R-PLAYER-1)."""

    HIGHEST = "highest"
    ZERO = "zero"


class Preset(StrEnum):
    """The rule sets that can be chosen by name."""

    TRAIN_MEXICAIN = "train-mexicain"
    MEKSIKANSKIJ_POEZD = "meksikanskij-poezd"
    PAGAT = "pagat"
    CARDINAL = "cardinal"
    TOURNAMENT = "tournament"
    BOX_15_11_8 = "box-15-11-8"
    CUSTOM = "custom"
