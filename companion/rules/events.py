"""What happened, in the past tense: facts only. `fold.apply` turns them into a `Game`.

Fields hold only str, int, bool, None, Tile, StrEnum, tuples, and frozen dataclasses of the same.
Seats are numbers 0..; a train is named by its owner's seat, None is the Mexican Train.
"""

from dataclasses import dataclass

from companion.rules.house_rules import HouseRules, Preset
from companion.rules.moves import ViolationCode
from companion.rules.state import EndReason, LeavingHand, Train
from companion.rules.tiles import Tile


@dataclass(frozen=True, slots=True)
class Ruling:
    """The table insisted (R-RULING-1)."""

    overruled: tuple[ViolationCode, ...]
    """What it was told."""
    why: str = ""
    """What the table said."""


@dataclass(frozen=True, slots=True)
class GameStarted:
    """Players sat down; seats are 0.. in this order, clockwise."""

    rules: HouseRules
    players: tuple[str, ...]
    preset: Preset = Preset.CUSTOM
    missing_tiles: tuple[Tile, ...] = ()


@dataclass(frozen=True, slots=True)
class HouseRulesAgreed:
    """The table answered what was open, or changed its rules, before round one."""

    rules: HouseRules


@dataclass(frozen=True, slots=True)
class PlayerJoined:
    """A late joiner sat down to the left of `after` and is dealt into the next round (R-PLAYER-1)."""

    seat: int
    name: str
    after: int
    opening_points: int = 0


@dataclass(frozen=True, slots=True)
class PlayerLeft:
    """A player left, between rounds (`hand` None) or during one (R-PLAYER-1)."""

    seat: int
    ranked: bool = True
    hand: LeavingHand | None = None


@dataclass(frozen=True, slots=True)
class RoundStarted:
    """A round began; with the engine set aside it lies in the station now."""

    number: int
    engine: Tile | None = None
    """The engine in the station; None: its holder will lay it (R-ENG-2)."""
    starter: int | None = None
    """Who has the first turn; None: whoever lays the engine (R-START-1)."""
    ruling: Ruling | None = None


@dataclass(frozen=True, slots=True)
class HandDealt:
    """A player took a hand; `tiles` are those that the companion was shown."""

    seat: int
    count: int
    tiles: tuple[Tile, ...] = ()
    ruling: Ruling | None = None


@dataclass(frozen=True, slots=True)
class HandSeen:
    """A hand, or a part of it, was shown; it may also have been counted anew."""

    seat: int
    tiles: tuple[Tile, ...]
    count: int | None = None
    """How many tiles the hand holds; None: as many as the log says."""
    ruling: Ruling | None = None


@dataclass(frozen=True, slots=True)
class EngineLaid:
    """The holder of the engine laid it in the station (R-ENG-2)."""

    seat: int
    tile: Tile
    ruling: Ruling | None = None


@dataclass(frozen=True, slots=True)
class TilePlayed:
    """A tile was laid at the tail of a train."""

    seat: int
    tile: Tile
    train: int | None
    outer: int
    """Pips of the half that is the new tail."""
    keep_marker: bool = False
    """The owner left the marker on (`marker_off=owner_choice`)."""
    ruling: Ruling | None = None


@dataclass(frozen=True, slots=True)
class TileDrawn:
    """A tile was drawn from the boneyard, in a turn or to find the engine."""

    seat: int
    tile: Tile | None = None
    ruling: Ruling | None = None


@dataclass(frozen=True, slots=True)
class TurnPassed:
    """A player could not play; the marker went on (R-DRAW-2, R-DRAW-3)."""

    seat: int
    ruling: Ruling | None = None


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """A player stopped laying a long train (R-TURN-2)."""

    seat: int
    ruling: Ruling | None = None


@dataclass(frozen=True, slots=True)
class MarkerSet:
    """A marker was put on or taken off by hand."""

    seat: int
    on: bool
    ruling: Ruling | None = None


@dataclass(frozen=True, slots=True)
class CallMissed:
    """A player did not announce the last tile and drew for it (`last_tile_call`)."""

    seat: int
    count: int
    tiles: tuple[Tile, ...] = ()


@dataclass(frozen=True, slots=True)
class TableObserved:
    """The table was looked at (a photo, or by eye): from now on it is as described."""

    engine: Tile | None
    trains: tuple[Train, ...]
    """Trains not named are empty and without a marker."""
    hands: tuple[int, ...] = ()
    """Tiles in each hand, by seat; empty: hands keep their counts, the boneyard is what is left."""
    open_doubles: tuple[int | None, ...] = ()
    """Trains whose last tile is a double that must be covered, oldest first."""
    to_act: int | None = None
    """Whose turn it is; None: as before."""
    ruling: Ruling | None = None


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """A round is over; `went_out` laid the last tile."""

    number: int
    reason: EndReason
    went_out: int | None = None
    ruling: Ruling | None = None


@dataclass(frozen=True, slots=True)
class HandCounted:
    """The table agreed on a player's score of a round (R-SCORE-6)."""

    number: int
    """Of the round."""
    seat: int
    points: int
    tiles: tuple[Tile, ...] | None = None
    """The tiles it was counted from; None: only a total was said."""
    why: str | None = None
    """Why an odd number is right."""


ZERO_FOR_LOWEST = "R-SCORE-3"
"""The `why` of the correction that gives the lowest hand of a blocked round its zero."""


@dataclass(frozen=True, slots=True)
class ScoreCorrected:
    """A score agreed earlier was wrong."""

    number: int
    """Of the round."""
    seat: int
    points: int
    why: str


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The game is over, after its last round or because the table said so."""


@dataclass(frozen=True, slots=True)
class Retracted:
    """Earlier events were taken back. They stay in the log and no longer count (R-RULING-3)."""

    seqs: tuple[int, ...]
    """Their places in the log, counted from 1."""
    why: str = ""


Event = (
    GameStarted
    | HouseRulesAgreed
    | PlayerJoined
    | PlayerLeft
    | RoundStarted
    | HandDealt
    | HandSeen
    | EngineLaid
    | TilePlayed
    | TileDrawn
    | TurnPassed
    | TurnEnded
    | MarkerSet
    | CallMissed
    | TableObserved
    | RoundEnded
    | HandCounted
    | ScoreCorrected
    | GameEnded
    | Retracted
)

EVENTS: tuple[type[Event], ...] = Event.__args__
"""Every kind of event, for a codec."""
