"""Another EventStore, to prove that nothing but the protocol is needed: lists in memory."""

from collections.abc import Sequence

from companion.errors import LogConflictError
from companion.storage.event_store import EventStore, LogEntry


class MemoryStore:
    """Keeps its games until the test ends."""

    def __init__(self) -> None:
        self.lines: dict[str, list[str]] = {}
        self.deleted: dict[str, str] = {}

    def append(self, game_id: str, after: int, lines: Sequence[str]) -> int:
        if game_id in self.deleted:
            raise LogConflictError("game_deleted_meanwhile", game=game_id, expected=after, actual=0)
        if self.last_seq(game_id) != after:
            raise LogConflictError("log_conflict", game=game_id, expected=after, actual=self.last_seq(game_id))
        self.lines.setdefault(game_id, []).extend(lines)
        return self.last_seq(game_id)

    def read(self, game_id: str, after: int = 0) -> list[str]:
        return self.lines.get(game_id, [])[after:]

    def last_seq(self, game_id: str) -> int:
        return len(self.lines.get(game_id, []))

    def games(self) -> list[LogEntry]:
        return [LogEntry(code, len(lines), lines[0], lines[-1]) for code, lines in sorted(self.lines.items())]

    def delete(self, game_id: str, last_seq: int, at: str) -> None:
        if self.last_seq(game_id) != last_seq:
            raise LogConflictError("log_conflict", game=game_id, expected=last_seq, actual=self.last_seq(game_id))
        del self.lines[game_id]
        self.deleted[game_id] = at

    def deleted_at(self, game_id: str) -> str | None:
        return self.deleted.get(game_id)

    def revive(self, game_id: str, lines: Sequence[str]) -> int:
        del self.deleted[game_id]
        return self.append(game_id, 0, lines)

    def close(self) -> None:
        pass


_: EventStore = MemoryStore()
