"""One game that several people look at and write to at the same time."""

import logging
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import count
from typing import TypeVar

from companion.app.scan_queue import Scan
from companion.app.session import Draft, GameSession
from companion.app.table_memory import TableMemory
from companion.errors import IllegalMoveError, LogConflictError, UsageError
from companion.rules.events import HandCounted, ScoreCorrected
from companion.storage.records import Source

T = TypeVar("T")
Listener = Callable[[], None]
Slot = tuple[int, int | None]
"""Whose hand of which round a photo shows: (seat, number of the round; None: the current one)."""

TABLE: Slot = (-1, None)
"""Instead of a hand: the photo shows the table."""

TWO_ENTRIES = "two-entries"
"""The reason stored with a score that was entered while somebody else entered another one."""

SCAN_KEPT_S = 1800.0
"""How long a photo waits for somebody to accept it."""
MOST_SCANS = 16
"""Photos that wait in one game; the oldest of whoever has sent most make room, nobody else's."""

_ids = count(1)

log = logging.getLogger(__name__)


class Outcome(StrEnum):
    """What became of something that was committed."""

    RECORDED = "recorded"
    """It is in the log."""
    SAME = "same"
    """Somebody was faster and entered the very same: nothing was added."""
    BOTH = "both"
    """Somebody was faster and entered another score: both are in the log, this one is shown, both are told."""


@dataclass(frozen=True, slots=True)
class Notice:
    """Two people wrote the same score; whoever may score that seat is told until it is dismissed."""

    id: int
    number: int
    """Of the round."""
    seat: int
    """Whose score."""
    first: int
    """Points that were entered first."""
    first_by: Source
    second: int
    """Points that were entered second, and are shown."""
    second_by: Source


@dataclass(frozen=True, slots=True)
class Proposal:
    """A draft, and how to make it again when somebody else has written meanwhile."""

    draft: Draft
    remake: Callable[[GameSession], Draft]
    is_confirmed: bool = False

    def confirmed(self) -> "Proposal":
        """The same, after a person has looked at every doubt."""
        return replace(self, draft=self.draft.confirmed(), is_confirmed=True)

    def again(self, session: GameSession) -> Draft:
        """The draft on the state as it is now. Raises IllegalMoveError."""
        if self.draft.base == session.seq:
            return self.draft
        draft = self.remake(session)
        return draft.confirmed() if self.is_confirmed else draft


class LiveGame:
    """The session, who listens, and the photos that wait. Thread-safe."""

    def __init__(self, session: GameSession, changed: Callable[["LiveGame"], None]) -> None:
        self.session = session
        self.lock = threading.RLock()
        self.gone = False
        """Was the game deleted?"""
        self.table = TableMemory()
        self._changed = changed
        self._listeners: list[Listener] = []
        self._fresh: list[Listener] = []
        self._news = False
        self._notices: list[Notice] = []
        self._dismissed: set[tuple[str, int]] = set()
        self._scans: list[tuple[Slot, float, Scan]] = []

    @property
    def code(self) -> str:
        """The code of the game."""
        return self.session.game_id

    def look(self, function: Callable[[GameSession], T]) -> T:
        """Ask the session something while nobody writes."""
        with self.lock:
            return function(self.session)

    # who listens

    @property
    def watched(self) -> bool:
        """Does anybody listen?"""
        return bool(self._listeners)

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` after every change, from another thread; returns what ends it.

        It is called once at the beginning, too: what changed between looking and listening would be missed otherwise.
        """
        with self.lock:
            self._listeners.append(listener)
            self._fresh.append(listener)

        def stop() -> None:
            with self.lock:
                self._drop(listener)

        self._changed(self)
        return stop

    def touch(self) -> None:
        """Something changed that screens show."""
        with self.lock:
            self._news = True
        self._changed(self)

    def tell(self) -> None:
        """Call the listeners that have something to hear; one that fails belongs to a gone screen and is dropped."""
        with self.lock:
            listeners = tuple(self._listeners if self._news else self._fresh)
            self._news = False
            self._fresh.clear()
        for listener in listeners:
            try:
                listener()
            except Exception:
                log.debug("a screen is gone", exc_info=True)
                with self.lock:
                    self._drop(listener)

    def _drop(self, listener: Listener) -> None:
        for listeners in (self._listeners, self._fresh):
            if listener in listeners:
                listeners.remove(listener)

    # writing

    def write(self, function: Callable[[GameSession], T]) -> T:
        """Let a function record something on the newest state."""
        with self.lock:
            self.session.refresh()
            try:
                return function(self.session)
            finally:
                self.touch()

    def commit(self, proposal: Proposal, source: Source) -> Outcome:
        """Record a proposal, whatever others have written since it was made. Raises as GameSession.commit does."""
        draft = proposal.draft
        if draft.violations:
            raise IllegalMoveError("illegal_move", draft.violations)
        if draft.doubts:
            raise UsageError("draft_doubtful", n=len(draft.doubts))
        with self.lock:
            self.session.refresh()
            for _ in range(8):  # another process may be writing, too
                try:
                    return self._commit(proposal, source)
                except LogConflictError as error:
                    if error.key == "game_deleted_meanwhile":
                        raise
            raise LogConflictError("log_conflict", game=self.code, expected=draft.base, actual=self.session.seq)

    def _commit(self, proposal: Proposal, source: Source) -> Outcome:
        mine = next((event for event in proposal.draft.events if isinstance(event, HandCounted | ScoreCorrected)), None)
        notice = None
        if mine is not None and (theirs := self._newer(mine, proposal.draft.base)) is not None:
            first, first_by = theirs
            if first.points == mine.points:
                return Outcome.SAME
            notice = Notice(next(_ids), mine.number, mine.seat, first.points, first_by, mine.points, source)
            if isinstance(mine, HandCounted):
                mine = replace(mine, why=TWO_ENTRIES)
            draft = self.session.draft(mine, photo=proposal.draft.photo)
        else:
            draft = proposal.again(self.session)
        self.session.commit(draft, source)
        if notice is not None:
            self._notices.append(notice)
        self.touch()
        return Outcome.RECORDED if notice is None else Outcome.BOTH

    def _newer(
        self, mine: HandCounted | ScoreCorrected, base: int
    ) -> tuple[HandCounted | ScoreCorrected, Source] | None:
        """What was entered for the same score after line `base` and still counts, and by whom."""
        if base == self.session.seq:
            return None
        for entry in reversed(self.session.entries()):
            if entry.effective:
                for record in reversed(entry.records):
                    event = record.event
                    if (
                        record.seq > base
                        and isinstance(event, HandCounted | ScoreCorrected)
                        and (event.number, event.seat) == (mine.number, mine.seat)
                    ):
                        return event, record.source
        return None

    # notices

    def notices(self, key: str) -> tuple[Notice, ...]:
        """What a visitor has not dismissed yet."""
        with self.lock:
            return tuple(notice for notice in self._notices if (key, notice.id) not in self._dismissed)

    def dismiss(self, key: str, notice: Notice) -> None:
        """A visitor has read a notice."""
        with self.lock:
            self._dismissed.add((key, notice.id))
        self.touch()

    # photos

    def add_scan(self, slot: Slot, scan: Scan) -> None:
        """A photo that waits for somebody to accept it."""
        now = time.monotonic()
        with self.lock:
            old = [one for one in self._scans if now - one[1] > SCAN_KEPT_S]
            kept = [one for one in self._scans if one not in old]
            while len(kept) >= MOST_SCANS:
                sent = Counter([slot, *(its for its, _, _ in kept)])
                most = max(sent[its] for its, _, _ in kept)
                old.append(next(one for one in kept if sent[one[0]] == most))
                kept.remove(old[-1])
            self._scans = [*kept, (slot, now, scan)]
        for one in old:
            one[2].cancel()
        self.touch()

    def scans(self, slot: Slot | None = None) -> tuple[Scan, ...]:
        """The photos that wait, oldest first; of one hand, or all."""
        with self.lock:
            return tuple(scan for its, _, scan in self._scans if slot is None or its == slot)

    def drop_scan(self, scan: Scan) -> None:
        """A photo that nobody waits for any more."""
        with self.lock:
            self._scans = [one for one in self._scans if one[2] is not scan]
        scan.cancel()
        self.touch()
