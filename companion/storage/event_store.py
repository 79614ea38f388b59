"""What a game log must be able to do, whatever it is kept in.

A log is, for each game, lines numbered 1, 2, 3 and so on. The store never looks into a line. `sqlite_store` is the
embedded implementation; another (a server with many tables) needs these eight methods and no other change.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One game of a store, as `games()` lists it."""

    game_id: str
    """The game's code."""
    last_seq: int
    """How many lines it has: the seq of the last one."""
    first: str
    """Line 1."""
    last: str
    """Line `last_seq`."""


class EventStore(Protocol):
    """Append-only lines per game; the number of the next line is the optimistic lock between several writers."""

    def append(self, game_id: str, after: int, lines: Sequence[str]) -> int:
        """Add `lines` as numbers `after + 1` and on, all or none; returns the new last seq once they are on disk.

        Raises LogConflictError (`expected`, `actual`) when the game does not end at `after`: somebody else wrote
        first, or the game was deleted. Raises StorageError when they cannot be written; then nothing has changed.
        """
        ...

    def read(self, game_id: str, after: int = 0) -> list[str]:
        """The lines after number `after`, in order; empty for an unknown game."""
        ...

    def last_seq(self, game_id: str) -> int:
        """The number of the game's last line, 0 for an unknown game."""
        ...

    def games(self) -> list[LogEntry]:
        """All games, ordered by code."""
        ...

    def delete(self, game_id: str, last_seq: int, at: str) -> None:
        """Remove the whole game for good. `last_seq` is the last line that the one who deletes has seen.

        Raises LogConflictError when the game has grown since; then nothing has changed.
        """
        ...

    def deleted_at(self, game_id: str) -> str | None:
        """When the game was deleted, or None."""
        ...

    def revive(self, game_id: str, lines: Sequence[str]) -> int:
        """Bring a deleted game back with these lines (from its export or a backup); returns its last seq."""
        ...

    def close(self) -> None:
        """Let go of the files."""
        ...
