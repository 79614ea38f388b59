"""Follows a round through a camera or a video: frames in, what happens out; no threads, no clock of its own.

    watcher = Watcher(session, reader)
    for frame in frames:
        for happening in watcher.see(frame):
            ...                                # Told, Asked, Withdrawn, Said, LookTaken
    watcher.answer(1)                          # the first answer to the question that was asked last

Only a still table is read, and of it only what has changed. What is sure is recorded at once, after two looks that say
the same; one question where something stays open, and nothing waits for its answer.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Protocol

import numpy as np

from companion.app.following import Following, known_chains, known_engine
from companion.app.scanning import reading_errors
from companion.app.session import Draft, GameSession
from companion.app.table_intake import Ask, Caution, Notice, Question, Standing, TableProposal, propose_table
from companion.app.table_play import is_followed, with_score
from companion.app.table_sides import rotated
from companion.errors import CompanionError, LogConflictError, UsageError
from companion.rules.events import Event, Retracted
from companion.rules.tiles import Tile, TileSet
from companion.vision.boxes import Region
from companion.vision.frames import Frame
from companion.vision.photo import Photo
from companion.vision.pips import half_sizes_px
from companion.vision.readings import KnownChain, TableReading
from companion.vision.seen import Seen
from companion.vision.tracker import Look, Tracker, View

LEAST_HALF_PX = 20.0
"""Where half of all halves are smaller, nothing is recorded."""
_AGAIN_S, _LATER_S = 0.1, 0.5
"""When a table is read again that may have a new tile, and one of which something is not seen."""
_EXTRA_LOOKS = 6
"""So often it is read again while nothing changes."""
_MOST_DOUBTFUL = 6
"""So many tiles in doubt are read again with what has changed."""
_STEPS = 20
"""Most proposals from one reading."""
_HAND_S = 8.0
"""When it is said that something moves all the time."""
_BAD_S = 1.0
"""When it is said that nothing can be seen."""

_BAD_VIEWS = {View.DARK: "watch_dark", View.COVERED: "watch_covered"}


class TableWatcher(Protocol):
    """What reads the pictures: `companion.vision.reader.Reader`, or a stand-in."""

    def look_table(
        self,
        photo: Photo,
        tile_set: TileSet,
        engine: Tile | None = None,
        before: Sequence[KnownChain] = (),
        seen: Seen | None = None,
        changed: Sequence[Region] | None = None,
    ) -> tuple[TableReading, Seen]:
        """Read the table of a round, and only the parts `changed` of what was `seen`."""


@dataclass(frozen=True, slots=True)
class LookTaken:
    """The table was read."""

    time_s: float
    """Of the frame."""
    seconds: float
    """What the reading took."""
    boxes: int
    """How many places the networks have looked at."""
    whole: bool
    """Was all of the picture read?"""


@dataclass(frozen=True, slots=True)
class Told:
    """Something was recorded."""

    time_s: float
    events: tuple[Event, ...]
    base: int
    """The last line before them."""


@dataclass(frozen=True, slots=True)
class Asked:
    """There is a question; it replaces the one before."""

    time_s: float
    question: Question


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """The question has settled itself."""

    time_s: float


@dataclass(frozen=True, slots=True)
class Said:
    """Something to show; `table_talk` says it."""

    time_s: float
    notice: Notice


Happening = LookTaken | Told | Asked | Withdrawn | Said


class Watcher:
    """Follows the running round of one game. Not for several threads at once."""

    def __init__(
        self,
        session: GameSession,
        reader: TableWatcher,
        following: Following | None = None,
        caution: Caution | None = None,
    ) -> None:
        """`following`: what is known before the first look, such as the players' sides."""
        self._session, self._reader = session, reader
        self._following = following or Following().for_game(session.game, session.seq)
        self._caution = caution or Caution()
        self._tracker = Tracker()
        self._seen: Seen | None = None
        self._reading: TableReading | None = None
        """The last reading, for as long as it may mean something."""
        self._regions: tuple[Region, ...] | None = None
        """What changed last; None: everything."""
        self._again_s: float | None = None
        """When the table is to be read again though nothing changes."""
        self._extra = 0
        self._question: Question | None = None
        self._lasting: set[tuple[object, ...]] = set()
        """Notices of the last proposal,"""
        self._said: set[tuple[object, ...]] = set()
        """and those of them that were said."""
        self._trouble: str | None = None
        """What is in the way,"""
        self._blind: str | None = None
        """and what was said to be."""
        self._trouble_s = self._quiet_s = self._time_s = 0.0
        self._hand_said = False
        self._out: list[Happening] = []

    @property
    def question(self) -> Question | None:
        """What is open."""
        return self._question

    @property
    def waits_for_sides(self) -> bool:
        """Is a question open that tells whose train is whose?

        Until then the moves that follow can be understood in more than one way: nothing is recorded, and nothing else
        is asked.
        """
        known = any(key is not None for key, _ in self._following.starts)
        return not known and self._question is not None and self._question.ask is Ask.WHICH

    def see(self, frame: Frame) -> tuple[Happening, ...]:
        """One more frame. Raises what a damaged log raises."""
        self._time_s = frame.time_s
        base = self._session.seq
        if self._session.refresh():
            self._others_wrote(base)
        look = None if frame.pixels is None else self._tracker.look(frame.time_s, frame.pixels)
        if self._is_seen(look) and look is not None and frame.pixels is not None:
            self._mention_hand(look)
            if look.view is View.STILL and self._wanted(look):
                self._read(Photo(frame.pixels, sha256(np.ascontiguousarray(frame.pixels).data).hexdigest()), look)
        return self._happened()

    def answer(self, number: int) -> tuple[Happening, ...]:
        """The table gives an answer to the question, from 1. Raises UsageError `watch_no_answer`."""
        question = self._question
        if question is None or not 1 <= number <= len(question.alternatives):
            raise UsageError("watch_no_answer", number=number)
        chosen = question.alternatives[number - 1]
        if self._session.refresh() or chosen.draft.base != self._session.seq:
            self._withdraw()
            self._propose()
            return self._happened()
        self._question = None
        self._following = chosen.following
        if not chosen.draft.events:
            self._look_again(_AGAIN_S)
        elif self._record(chosen.draft.confirmed()):
            self._propose()
        return self._happened()

    def _others_wrote(self, base: int) -> None:
        """Somebody has entered or taken back something: what the table shows may mean something else now."""
        if any(isinstance(event, Retracted) for event in self._session.events[base:]):
            # Whoever takes back what the camera has read is right: it is not recorded again before something changes.
            self._reading = self._again_s = None
            self._withdraw()
            return
        self._propose()

    def _happened(self) -> tuple[Happening, ...]:
        out, self._out = tuple(self._out), []
        return out

    # can the table be seen?

    def _is_seen(self, look: Look | None) -> bool:
        """Say once what is in the way, and that the view is back."""
        bad = "watch_no_picture" if look is None else _BAD_VIEWS.get(look.view)
        if bad != self._trouble:
            self._trouble, self._trouble_s = bad, self._time_s
        if bad is None:
            if self._blind is not None:
                self._blind = None
                self._say(Notice("watch_back"))
            return True
        if self._blind != bad and (look is None or self._time_s - self._trouble_s >= _BAD_S):
            self._blind = bad
            self._say(Notice(bad))
        return False

    def _mention_hand(self, look: Look) -> None:
        if look.view is View.STILL:
            self._quiet_s, self._hand_said = self._time_s, False
        elif self._time_s - self._quiet_s >= _HAND_S and not self._hand_said:
            self._hand_said = True
            self._say(Notice("watch_hand"))

    def _say(self, notice: Notice) -> None:
        self._out.append(Said(self._time_s, notice))

    # reading

    def _wanted(self, look: Look) -> bool:
        """Is this still table to be read?"""
        if not is_followed(self._session.game):
            self._say_all((Notice("watch_not_followed", {"game": self._session.game_id}),), at_once=True)
            return False
        return bool(look.regions) or (self._again_s is not None and self._time_s >= self._again_s)

    def _look_again(self, after_s: float) -> None:
        self._again_s = self._time_s + after_s

    def _read(self, photo: Photo, look: Look) -> None:
        began = time.perf_counter()
        again = self._again_s is not None
        if look.regions:
            self._extra = 0
        if look.whole:
            self._regions = None
        elif self._regions is not None or not again:
            self._regions = look.regions + (self._regions or () if again else ())
        if look.push is not None:
            self._say(Notice("watch_pushed"))
            sides = rotated(self._following.sides, look.push.turn)  # nothing else tells it of an empty table
            self._following = self._following.with_sides(sides)
        self._again_s = None
        game = self._session.game
        engine = known_engine(game)
        chains = known_chains(game, self._following)
        parts = None if self._regions is None else self._regions + _doubtful(self._reading)
        tiles, seen = game.rules.tile_set, self._seen
        try:
            with reading_errors():
                reading, self._seen = self._reader.look_table(photo, tiles, engine, chains, seen, parts)
        except CompanionError as error:  # the next picture may be better
            self._failed(error)
            return
        self._tracker.accept()
        whole = self._regions is None or self._seen.whole
        self._out.append(LookTaken(self._time_s, time.perf_counter() - began, self._seen.looked, whole))
        if _too_small(reading):
            self._reading = None
            self._say_all((Notice("watch_closer"),), at_once=True)
            return
        self._reading = reading
        self._propose()

    def _failed(self, error: CompanionError) -> None:
        self._seen = self._reading = None
        self._tracker.forget()
        self._look_again(_LATER_S)
        self._say_all((Notice(error.key, error.params),), at_once=True)

    # what it means

    def _propose(self) -> None:
        """Record what is sure in the last reading, and ask what is open."""
        for _ in range(_STEPS):
            if self._reading is None:
                return
            first = self.waits_for_sides
            proposal = propose_table(self._session, self._following, self._reading, None, self._caution)
            self._following = proposal.following
            if proposal.standing is not Standing.SURE or not proposal.draft.events:
                break
            if first:
                return
            self._record(proposal.draft)
        if not (first and proposal.standing in (Standing.ASK, Standing.WAIT)):
            self._settle(proposal)

    def _settle(self, proposal: TableProposal) -> None:
        unsaid = self._say_all(proposal.notices)
        match proposal.standing:
            case Standing.LOOK_AGAIN:
                self._look_again(_AGAIN_S)
                return
            case Standing.ASK if proposal.question is not None:
                if not self._is_asked(proposal.question):
                    self._question = proposal.question
                    self._out.append(Asked(self._time_s, proposal.question))
                return
            case _:
                self._withdraw()
        if (self._following.gone or unsaid) and self._extra < _EXTRA_LOOKS:
            self._extra += 1
            self._look_again(_LATER_S)

    def _withdraw(self) -> None:
        """What was asked, if anything, has settled itself."""
        if self._question is not None:
            self._question = None
            self._out.append(Withdrawn(self._time_s))

    def _is_asked(self, question: Question) -> bool:
        """Is the open question this one, perhaps with answers besides that have become unlikely since?"""
        old = self._question
        if old is None or any(answer.draft.base != self._session.seq for answer in old.alternatives):
            return False
        return _subject(old) == _subject(question) and _answers(old) >= _answers(question)

    def _record(self, draft: Draft) -> bool:
        """Record it; False where somebody else has written meanwhile. Raises LogConflictError for a deleted game."""
        session, base = self._session, self._session.seq
        try:
            session.commit(replace(draft, events=with_score(session.game, draft.events)))
        except LogConflictError as error:
            if error.key == "game_deleted_meanwhile":
                raise
            return False
        self._out.append(Told(self._time_s, session.events[base:], base))
        return True

    def _say_all(self, notices: Sequence[Notice], at_once: bool = False) -> bool:
        """Say what two looks in a row have noticed and was not said yet; is there anything that was seen only once?"""
        marks = {(each.key, each.params.get("seat")): each for each in notices}
        old = self._lasting if not at_once else set(marks)
        for mark, notice in marks.items():
            if mark in old and mark not in self._said:
                self._say(notice)
        unsaid = any(mark not in old for mark in marks)
        self._said = {mark for mark in marks if mark in old}
        self._lasting = set(marks)
        return unsaid


def _subject(question: Question) -> tuple[object, ...]:
    return question.ask, question.tile, question.seat


def _answers(question: Question) -> set[tuple[object, ...]]:
    """What can be answered, whatever would be recorded for it."""
    return {(each.answer, each.plays, each.count, each.seat, each.tile) for each in question.alternatives}


def _doubtful(reading: TableReading | None) -> tuple[Region, ...]:
    """Where tiles lie that were not read for sure: they are read again with whatever has changed."""
    corners = [tile.box.corners for tile in reading.face_up if tile.doubts] if reading is not None else []
    boxes = [(*quad.min(0).astype(int).tolist(), *np.ceil(quad.max(0)).astype(int).tolist()) for quad in corners]
    return tuple((left, top, right, bottom) for left, top, right, bottom in boxes[:_MOST_DOUBTFUL])


def _too_small(reading: TableReading) -> bool:
    """Are the halves too small to be read?"""
    sizes = [min(half_sizes_px(tile.box.corners)) for tile in reading.face_up]
    return bool(sizes) and float(np.median(sizes)) < LEAST_HALF_PX
