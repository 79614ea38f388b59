"""One game as everybody at the table writes it: propose, commit, undo, redo.

Whatever is entered becomes a `Draft` first, which somebody can look at; `commit` appends it to the log and only then
changes the game. A session remembers up to which line it has read; when somebody else has written since, `commit`
says so, and `game` is the newer state already.
"""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from companion.errors import IllegalMoveError, LogConflictError, LogCorruptError, UsageError
from companion.rules.events import Event, GameStarted, HandCounted, Retracted, ScoreCorrected
from companion.rules.fold import apply_all, replay
from companion.rules.history import effective_seqs, redoable
from companion.rules.moves import Violation
from companion.rules.state import Game
from companion.rules.tiles import Tile
from companion.rules.words import one_line
from companion.storage.event_store import EventStore
from companion.storage.records import CODEC, HOST, Recorded, Source

if TYPE_CHECKING:  # vision brings numpy along, which a score sheet can do without
    from companion.vision.readings import Doubt

Clock = Callable[[], datetime]

CODE_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""What the code of a game is made of: nothing that looks or sounds alike (no I, L, O, 0, 1)."""
CODE_LENGTH = 6

_TICK = timedelta(milliseconds=1)


@dataclass(frozen=True, slots=True)
class DraftDoubt:
    """Something a person should look at before a draft is believed."""

    doubt: "Doubt"
    """What is doubtful."""
    tile: Tile | None = None
    """Which tile; None: the photo as a whole."""


@dataclass(frozen=True, slots=True)
class Draft:
    """Events that are about to be recorded together."""

    game_id: str
    """The game they belong to."""
    base: int
    """The last line that whoever made the draft has seen."""
    events: tuple[Event, ...]
    """What will be recorded."""
    doubts: tuple[DraftDoubt, ...] = ()
    """What must be confirmed or corrected first."""
    photo: str | None = None
    """sha256 of the photo it was read from."""
    violations: tuple[Violation, ...] = ()
    """Why it cannot be recorded as it is: something must be corrected."""

    def confirmed(self) -> "Draft":
        """The same draft, after a person has looked at every doubt."""
        return replace(self, doubts=())


@dataclass(frozen=True, slots=True)
class Entry:
    """What one person recorded at once."""

    records: tuple[Recorded, ...]
    """The lines, at least one; they share time, source and photo."""
    effective: bool
    """False: all of it has been taken back."""

    @property
    def source(self) -> Source:
        """Who entered it."""
        return self.records[0].source

    @property
    def at(self) -> str:
        """When it was recorded."""
        return self.records[0].at

    @property
    def photo(self) -> str | None:
        """sha256 of the photo it was read from."""
        return self.records[0].photo


def now() -> datetime:
    """The time of day, in UTC."""
    return datetime.now(UTC)


def new_code() -> str:
    """A code for a new game, short enough to be said aloud."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


class GameSession:
    """One game of a store. Not for several threads at once: give each its own session."""

    _lines: list[str]
    _last: Recorded
    _events: list[Event]
    _game: Game

    def __init__(self, store: EventStore, game_id: str, clock: Clock = now) -> None:
        """Open a game. Raises UsageError `game_unknown`, and the errors of a damaged or newer log."""
        lines = store.read(game_id)
        if not lines:
            raise UsageError("game_unknown", game=game_id)
        self._store = store
        self._clock = clock
        self.game_id = game_id
        self._take(lines)

    @classmethod
    def create(
        cls, store: EventStore, events: Sequence[Event], source: Source = HOST, clock: Clock = now
    ) -> "GameSession":
        """Start a game with its first events, the first of which is GameStarted."""
        if not events or not isinstance(events[0], GameStarted):
            raise ValueError("a game begins with GameStarted")
        for _ in range(20):  # two games with one code: one chance in hundreds of millions, yet nothing may be lost
            code = new_code()
            try:
                store.append(code, 0, [CODEC.line(r) for r in _stamped(events, 0, _stamp(clock()), source, None)])
            except LogConflictError:
                continue
            return cls(store, code, clock)
        raise RuntimeError("no free code for a game")

    @property
    def game(self) -> Game:
        """The state of the game."""
        return self._game

    @property
    def seq(self) -> int:
        """The last line that this session has read."""
        return len(self._lines)

    @property
    def events(self) -> tuple[Event, ...]:
        """All events, also those taken back."""
        return tuple(self._events)

    def draft(self, *events: Event, doubts: Sequence[DraftDoubt] = (), photo: str | None = None) -> Draft:
        """A draft on the state as this session knows it."""
        return Draft(self.game_id, self.seq, events, tuple(doubts), photo)

    def commit(self, draft: Draft, source: Source = HOST) -> Game:
        """Record a draft; the new state once it is on disk.

        Raises IllegalMoveError while it has violations, UsageError `draft_doubtful` while it has doubts, and
        LogConflictError when somebody else has written since it was made: then nothing is recorded, the draft is
        still there, and `game` is the newer state.
        """
        if draft.game_id != self.game_id:
            raise ValueError(f"a draft for {draft.game_id} in {self.game_id}")
        if draft.violations:
            raise IllegalMoveError("illegal_move", draft.violations)
        if draft.doubts:
            raise UsageError("draft_doubtful", n=len(draft.doubts))
        if draft.base != self.seq:
            raise LogConflictError("log_conflict", game=self.game_id, expected=draft.base, actual=self.seq)
        self._append(draft.events, source, draft.photo)
        return self._game

    def refresh(self) -> bool:
        """Read what others have written since; was there anything?"""
        newer = self._store.read(self.game_id, after=self.seq)
        if not newer:
            return False
        self._take([*self._lines, *newer])
        return True

    def entries(self) -> tuple[Entry, ...]:
        """Everything that was recorded, oldest first: who entered it, when, and from which photo."""
        alive = set(effective_seqs(self._events))
        groups: list[list[Recorded]] = []
        for record in CODEC.records(self._lines):
            if groups and groups[-1][0].at == record.at:  # times of different entries differ, see `_append`
                groups[-1].append(record)
            else:
                groups.append([record])
        return tuple(Entry(tuple(group), any(record.seq in alive for record in group)) for group in groups)

    def undo(self, source: Source = HOST, why: str = "", *shared: Source) -> Game:
        """Take back the last entry: one's own, or for the host anybody's.

        `shared`: who else enters at the same phone; the last entry of them all is taken back, in the name of its own.

        What an entry had taken back to put something else in its place comes back, recorded again.

        Raises UsageError `undo_nothing`, `undo_start` for the beginning of the game, and `undo_buried` where what
        others have entered since rests on it.
        """
        entries = self.entries()
        owners, replaced = _owned(entries, self._events)
        mine = [n for n in owners.values() if source.is_host or entries[n].source in (source, *shared)]
        if not mine:
            raise UsageError("undo_nothing")
        last = mine[-1]
        if last == 0:
            raise UsageError("undo_start" if source.is_host else "undo_nothing")
        seqs = tuple(seq for seq, owner in owners.items() if owner == last)
        later = [seq for seq, owner in owners.items() if owner != last and seq > seqs[0]]
        before = replaced.get(last, ())
        if before is None or (later and (before or not self._rest_alone(seqs, later))):
            raise UsageError("undo_buried")
        by = source if source.is_host else entries[last].source
        self._append((Retracted(seqs, one_line(why)), *(self._events[seq - 1] for seq, _ in before)), by, None)
        return self._game

    def redo(self, source: Source = HOST, *shared: Source) -> Game:
        """Record again what was taken back last; what was taken back by others only the host can.

        `shared`: who else enters at the same phone.

        Raises UsageError `redo_nothing` when nothing was, or when something new was entered since.
        """
        events = redoable(self._events)
        taken = self._retraction_of(events)
        if taken is None or not (source.is_host or taken.source in (source, *shared)):
            raise UsageError("redo_nothing")
        assert isinstance(taken.event, Retracted)
        first = taken.event.seqs[0]
        by = source if source.is_host else taken.source
        self._append(events, by, CODEC.record(self._lines[first - 1], first).photo)
        return self._game

    def delete(self) -> None:
        """Remove the whole game for good. Raises LogConflictError when somebody has written since."""
        self._store.delete(self.game_id, self.seq, _stamp(self._clock()))

    def photos(self) -> frozenset[str]:
        """sha256 of every photo that the game mentions, also in what was taken back."""
        return frozenset(record.photo for record in CODEC.records(self._lines) if record.photo is not None)

    def _rest_alone(self, seqs: Sequence[int], later: Sequence[int]) -> bool:
        """Can lines be taken back although others came later? Scores can, as long as nobody has corrected them."""
        scores = [_scored(self._events[seq - 1]) for seq in seqs]
        others = {_scored(self._events[seq - 1]) for seq in later}
        return None not in scores and len(set(scores)) == len(scores) and others.isdisjoint(scores)

    def _retraction_of(self, events: Sequence[Event]) -> Recorded | None:
        """The last retraction of just these events."""
        for seq in range(self.seq if events else 0, 0, -1):
            event = self._events[seq - 1]
            if isinstance(event, Retracted) and [self._events[taken - 1] for taken in event.seqs] == list(events):
                return CODEC.record(self._lines[seq - 1], seq)
        return None

    def _append(self, events: Sequence[Event], source: Source, photo: str | None) -> None:
        # Strictly later than the line before, also when the clock was set back: a time names one entry.
        at = max(_stamp(self._clock()), _stamp(datetime.fromisoformat(self._last.at) + _TICK))
        records = _stamped(events, self.seq, at, source, photo)
        lines = [CODEC.line(record) for record in records]
        try:
            self._store.append(self.game_id, self.seq, lines)
        except LogConflictError:
            self.refresh()
            raise
        self._lines += lines
        self._last = records[-1]
        self._events += events
        undone = any(isinstance(event, Retracted) for event in events)
        self._game = replay(self._events) if undone else apply_all(self._game, events)

    def _take(self, lines: list[str]) -> None:
        events = CODEC.events(lines)
        self._game = tell(events, self.game_id)
        self._last = CODEC.record(lines[-1], len(lines))
        self._lines = lines
        self._events = events


def tell(events: Sequence[Event], game_id: str) -> Game:
    """The game that a log tells. Raises LogCorruptError where the lines are good and make no game."""
    if not events or not isinstance(events[0], GameStarted):
        raise LogCorruptError("log_no_game", game=game_id)
    try:
        return replay(events)
    except Exception as error:  # whatever a log that nobody could have written makes of the fold
        raise LogCorruptError("log_no_game", game=game_id) from error


def _stamp(time: datetime) -> str:
    return time.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _stamped(events: Sequence[Event], after: int, at: str, source: Source, photo: str | None) -> list[Recorded]:
    return [Recorded(seq, at, source, photo, event) for seq, event in enumerate(events, start=after + 1)]


def _scored(event: Event) -> tuple[int, int] | None:
    """Whose score of which round an event is about."""
    return (event.number, event.seat) if isinstance(event, HandCounted | ScoreCorrected) else None


_Owned = tuple[tuple[int, int], ...]
"""Lines, each with the entry that it belongs to."""


def _owned(entries: Sequence[Entry], events: Sequence[Event]) -> tuple[dict[int, int], dict[int, _Owned | None]]:
    """The lines that count -> the entry that they belong to; an entry -> what it has replaced.

    What undo has recorded again belongs to the entry that recorded it first, so that undo walks on from there. None:
    what an entry has replaced was not the end of the log then, and would come back in another place.
    """
    owners: dict[int, int] = {}
    replaced: dict[int, _Owned | None] = {}
    for n, entry in enumerate(entries):
        taken = {seq for record in entry.records if isinstance(record.event, Retracted) for seq in record.event.seqs}
        kept = [record for record in entry.records if not isinstance(record.event, Retracted)]
        gone = tuple((seq, owner) for seq, owner in owners.items() if seq in taken)
        at_end = tuple(owners.items())[len(owners) - len(gone) :] == gone
        undone = {owner for _, owner in gone}
        owners = {seq: owner for seq, owner in owners.items() if seq not in taken}
        before = replaced.get(undone.pop()) if len(undone) == 1 and undone.isdisjoint(owners.values()) else None
        if before and [events[seq - 1] for seq, _ in before] == [record.event for record in kept]:  # this was undo
            owners |= {record.seq: owner for record, (_, owner) in zip(kept, before, strict=True)}
            continue
        owners |= {record.seq: n for record in kept}
        if gone and kept:
            replaced[n] = gone if at_end else None
    return owners, replaced
