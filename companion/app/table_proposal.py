"""What a look at the table can mean: a proposal, with one question where it stays open."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from companion.app.following import Following
from companion.app.session import Draft
from companion.rules.events import EngineLaid, TilePlayed, TurnPassed
from companion.rules.moves import Violation
from companion.rules.tiles import Tile


@dataclass(frozen=True, slots=True)
class Caution:
    """How much is needed before something counts as sure."""

    looks: int = 2
    """Looks that must claim the same. One is right for single photos that a person takes and confirms."""


class Standing(StrEnum):
    """What is to be done with a proposal."""

    SAME = "same"
    """Nothing: the table is as the log says, or nothing can be said."""
    LOOK_AGAIN = "look_again"
    """Something may have happened: read the table once more."""
    SURE = "sure"
    """It may be recorded without asking."""
    WAIT = "wait"
    """Two things may have happened; what is laid next may tell. The question may be answered, too."""
    ASK = "ask"
    """Ask the table."""


class Ask(StrEnum):
    """What the table is asked."""

    WHICH = "which"
    """Which of these happened?"""
    ILLEGAL = "illegal"
    """Was this really laid, against the rules?"""
    TILE = "tile"
    """Which tile is it?"""
    OUT = "out"
    """Was it the last tile of the hand?"""
    OBSERVE = "observe"
    """The order cannot be known: take the table as it lies, and whose turn is it?"""
    TAKEN_BACK = "taken_back"
    """Was this tile taken back?"""


class Answer(StrEnum):
    """What can be answered."""

    PLAYED = "played"
    """These tiles were laid."""
    INSTEAD = "instead"
    """Not what was recorded last, but these."""
    INSIST = "insist"
    """They were, and the table insists (R-RULING-1)."""
    NO = "no"
    """Nothing of it: the log stays as it is."""
    LEFT = "left"
    """The player has so many tiles left."""
    OBSERVED = "observed"
    """The table is as it is seen, and this seat is to act."""
    TAKEN_BACK = "taken_back"
    """It was."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """One answer to a question: commit `draft`, go on with `following`."""

    answer: Answer
    draft: Draft
    """Without events where nothing is recorded."""
    following: Following
    plays: tuple[TilePlayed | EngineLaid, ...] = ()
    """What it says was laid, where answers differ."""
    count: int | None = None
    """Tiles left in the hand."""
    seat: int | None = None
    """Who is to act."""
    tile: Tile | None = None
    """What a tile that was recorded earlier really is."""

    @property
    def passed(self) -> tuple[int, ...]:
        """The seats that must have passed if this is so."""
        return tuple(event.seat for event in self.draft.events if isinstance(event, TurnPassed))


@dataclass(frozen=True, slots=True)
class Question:
    """One question to the table."""

    ask: Ask
    alternatives: tuple[Alternative, ...]
    tile: Tile | None = None
    """What it is about."""
    seat: int | None = None
    violations: tuple[Violation, ...] = ()
    """The clauses that were broken."""


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to show; nothing is to be decided. `table_talk` says it."""

    key: str
    params: dict[str, Any] = field(default_factory=dict)
    """Seats, trains and tiles, to be put into words."""


@dataclass(frozen=True, slots=True)
class TableProposal:
    """What a look at the table means."""

    standing: Standing
    draft: Draft
    """What happened for sure, or most likely; commit it when `standing` is SURE or a person says so."""
    following: Following
    """The memory to go on with, whether or not the draft is recorded."""
    question: Question | None = None
    notices: tuple[Notice, ...] = ()
    suggestion: Draft | None = None
    """A draw or a pass that markers and counts speak for; for a person to accept."""
