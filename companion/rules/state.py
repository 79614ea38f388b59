"""What a game is at one moment: frozen values that `fold` derives from the events."""

from dataclasses import dataclass, field
from enum import StrEnum

from companion.rules.house_rules import HouseRules, Preset
from companion.rules.tiles import Tile


class Phase(StrEnum):
    """Where a round stands."""

    DEALING = "dealing"
    """Hands are being dealt; with a score-only game it may stay so until the hands are counted."""
    ENGINE = "engine"
    """Everybody has a hand, the engine is still to be laid (R-ENG-2)."""
    PLAYING = "playing"
    """Somebody is to act."""
    ENDED = "ended"
    """The round is over, hands are counted."""


class EndReason(StrEnum):
    """Why a round ended."""

    OUT = "out"
    """Somebody laid the last tile of the hand (R-END-1)."""
    BLOCKED = "blocked"
    """The boneyard is empty and nobody can play (R-END-2)."""
    CALLED = "called"
    """The table ended it (R-END-3)."""


class LeavingHand(StrEnum):
    """What happens to the hand of a player who leaves during a round (R-PLAYER-1)."""

    TO_BONEYARD = "to_boneyard"
    COUNTED = "counted"


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody at the table. The seat number stays the player's for the whole game."""

    seat: int
    """0.. in order of joining; not a position, see `Game.order`."""
    name: str
    opening_points: int = 0
    """Points a late joiner started with (R-PLAYER-1)."""
    joined: int = 1
    """The first round this player is dealt into."""
    left: int | None = None
    """The round during or before which the player left; None: still here."""
    ranked: bool = True
    """False: left, and out of the ranking."""


@dataclass(frozen=True, slots=True)
class PlacedTile:
    """A tile on a train: `inner` touches the tile before it, `outer` is the free half."""

    tile: Tile
    inner: int
    outer: int


@dataclass(frozen=True, slots=True)
class Train:
    """A train, from the station outwards; `owner` None is the Mexican Train."""

    owner: int | None
    tiles: tuple[PlacedTile, ...] = ()
    marker: bool = False
    """On: the train is open to everybody (R-MARK-1)."""

    def tail(self, engine: Tile) -> int:
        """Pips that a tile must show to be laid here (R-PLAY-2)."""
        return self.tiles[-1].outer if self.tiles else engine.high


@dataclass(frozen=True, slots=True)
class Lack:
    """So many unknown tiles of a hand show none of these numbers: passes have proved it."""

    count: int
    numbers: frozenset[int]


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand of `count` tiles of which some are known (R-RULING-2)."""

    count: int = 0
    known: frozenset[Tile] = frozenset()
    lacks: tuple[Lack, ...] = ()
    """What is proved about the unknown tiles, in groups; empty: nothing."""

    @property
    def unknown(self) -> int:
        """How many tiles nobody has shown."""
        return self.count - len(self.known)


@dataclass(frozen=True, slots=True)
class OpenDouble:
    """A double at the tail of a train that is not covered yet (R-DBL-2)."""

    train: int | None
    """Owner of the train; None: the Mexican Train."""
    tile: Tile
    turn: int
    """The turn in which it was laid, counted from 0."""
    opening: bool = False
    """Laid at the end of a long train: binds only after everybody's first turn (R-TURN-2)."""


@dataclass(frozen=True, slots=True)
class TableState:
    """The table of one round. `hands` and `trains` are indexed by seat; the last train is the Mexican Train."""

    phase: Phase
    participants: tuple[int, ...]
    """Seats dealt into this round, clockwise."""
    seats: tuple[int, ...]
    """Those of them who are still playing, clockwise."""
    trains: tuple[Train, ...]
    hands: tuple[Hand, ...]
    boneyard: int
    """How many tiles are left to draw."""
    engine: Tile | None = None
    """The engine, once it lies in the station."""
    open_doubles: tuple[OpenDouble, ...] = ()
    """Oldest first, without those that were followed by a legal play elsewhere (`anywhere`)."""
    to_act: int | None = None
    turn: int = 0
    """How many turns are over."""
    turns: tuple[int, ...] = ()
    """How many turns each seat has had."""
    follow_up: bool = False
    """The player to act has laid a double and owes another tile (R-DBL-1)."""
    laid_this_turn: int = 0
    extending: bool = False
    """A long train is being laid: tiles lie on the own train only, and more may follow (R-TURN-2)."""
    drew_this_turn: bool = False
    """A draw has been used in this turn (R-DRAW-4)."""
    holds_drawn: bool = False
    """The tile just drawn is still in the hand (R-DRAW-1)."""
    drawn: Tile | None = None
    """That tile, where it is known."""
    engine_draws: int = 0
    """Tiles drawn to find the engine (R-ENG-2)."""
    passes_in_row: int = 0
    """Seats that passed in a row with an empty boneyard and nothing new to play on (R-END-2)."""
    on_table: frozenset[Tile] = frozenset()
    """Every tile of the station and the trains."""
    numbers_on_table: tuple[int, ...] = ()
    """How many tiles that show a number lie on the table, by number (R-DBL-5)."""

    def train(self, owner: int | None) -> Train:
        """The train of a seat, or the Mexican Train."""
        return self.trains[-1] if owner is None else self.trains[owner]


@dataclass(frozen=True, slots=True)
class Score:
    """A score agreed at the table: a stored fact (R-SCORE-6)."""

    points: int
    """What counts now."""
    tiles: tuple[Tile, ...] | None = None
    """The tiles it was counted from; None: only a total was said."""
    agreed: int = 0
    """What was first agreed."""
    why: str | None = None
    """Why it was corrected, or why an odd number was accepted."""


@dataclass(frozen=True, slots=True)
class Round:
    """One round, running or over."""

    number: int
    """1.."""
    table: TableState
    starter: int | None = None
    ended: EndReason | None = None
    went_out: int | None = None
    """Who laid the last tile."""
    scores: tuple[Score | None, ...] = ()
    """By seat; None is missing, not zero."""

    def score(self, seat: int) -> Score | None:
        """The score of a seat; None: not counted, or not in this round."""
        return self.scores[seat] if seat < len(self.scores) else None

    @property
    def missing(self) -> tuple[int, ...]:
        """Seats whose hand is still to be counted; a hand that went to the boneyard is not."""
        table = self.table
        return tuple(
            seat
            for seat in table.participants
            if self.score(seat) is None and (seat in table.seats or table.hands[seat].count)
        )

    @property
    def finished(self) -> bool:
        """Over: ended, or every hand is counted (a game of which only the score is kept)."""
        return self.ended is not None or not self.missing


@dataclass(frozen=True, slots=True)
class Game:
    """A whole game; the value before its first event has no players."""

    rules: HouseRules = field(default_factory=HouseRules)
    preset: Preset = Preset.CUSTOM
    """The preset the rules were made from."""
    players: tuple[Player, ...] = ()
    """By seat, also those who left."""
    order: tuple[int, ...] = ()
    """Seats of those at the table, clockwise."""
    missing_tiles: frozenset[Tile] = frozenset()
    """Tiles lost from the box (R-SET-4)."""
    rounds: tuple[Round, ...] = ()
    ended: bool = False

    @property
    def round(self) -> Round | None:
        """The latest round."""
        return self.rounds[-1] if self.rounds else None

    @property
    def table(self) -> TableState | None:
        """The table of the latest round."""
        return self.rounds[-1].table if self.rounds else None

    @property
    def tile_count(self) -> int:
        """Tiles that exist: the set without those that are lost."""
        return len(self.rules.tile_set) - len(self.missing_tiles)

    @property
    def engines(self) -> tuple[Tile, ...]:
        """The doubles that can start a round, highest first; a lost double starts none (R-ENG-1, R-SET-4)."""
        return tuple(tile for tile in self.rules.tile_set.engines if tile not in self.missing_tiles)

    @property
    def planned_rounds(self) -> int:
        """How many rounds this game has (R-ROUND-1)."""
        return min(self.rules.rounds or len(self.engines), len(self.engines))

    @property
    def used_engines(self) -> frozenset[Tile]:
        """Doubles that have started a round."""
        return frozenset(r.table.engine for r in self.rounds if r.table.engine is not None)

    def player(self, seat: int) -> Player:
        """The player of a seat."""
        return self.players[seat]
