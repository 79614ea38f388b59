"""Who may do what in which game, in a small file of its own beside the log.

The log tells what happened at the table and is copied, exported and shared; this file tells which browser is which
player, belongs to this machine alone, and can be deleted at any time: then everybody takes a seat again.
"""

import contextlib
import errno
import os
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

from companion.errors import LogCorruptError, StorageError
from companion.storage.sqlite_store import explain

_SCHEMA = """
    CREATE TABLE IF NOT EXISTS grants (
        game_id TEXT NOT NULL, role TEXT NOT NULL, key TEXT NOT NULL, PRIMARY KEY (game_id, role, key)
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS settings (
        game_id TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (game_id, name)
    ) WITHOUT ROWID;
"""

_READ_ONLY = (errno.EROFS, errno.EACCES, errno.EPERM)
"""Errors of the operating system that say: nothing can be written here."""


class AccessStore:
    """Grants `(game, role, key)` and settings `(game, name, value)`; safe for several threads and processes.

    `key` stands for a browser: the hash of a secret that only the browser has. Raises StorageError.
    """

    def __init__(self, path: Path) -> None:
        self._lock = threading.Lock()
        self.path = path
        with self._telling():
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                self._db = self._open()
            except sqlite3.Error as error:
                if not isinstance(explain(error, path), LogCorruptError):
                    raise
                # No score lies here: a damaged file is put aside, and everybody takes a seat again.
                path.replace(path.with_name(f"{path.name}.damaged"))
                self._db = self._open()

    def _open(self) -> sqlite3.Connection:
        self.path.touch(mode=0o600)
        with contextlib.suppress(OSError):  # a disk that knows no owners
            os.chmod(self.path, 0o600)  # noqa: PTH101  (also where the file was there already)
        db = sqlite3.connect(self.path, timeout=10, isolation_level=None, check_same_thread=False)
        try:
            db.executescript(_SCHEMA)
        except sqlite3.Error:
            db.close()
            raise
        return db

    def grant(self, game_id: str, role: str, key: str) -> None:
        """Give a role; giving it twice changes nothing."""
        self._do("INSERT OR IGNORE INTO grants VALUES (?, ?, ?)", game_id, role, key)

    def grant_alone(self, game_id: str, role: str, key: str) -> bool:
        """Give a role that only one key can have; False when another one has it."""
        with self._lock, self._telling():
            self._db.execute(
                "INSERT INTO grants SELECT ?, ?, ?"
                " WHERE NOT EXISTS (SELECT 1 FROM grants WHERE game_id = ? AND role = ?)",
                (game_id, role, key, game_id, role),
            )
            row = self._db.execute("SELECT key FROM grants WHERE game_id = ? AND role = ?", (game_id, role)).fetchone()
            return bool(row[0] == key)

    def revoke(self, game_id: str, role: str) -> None:
        """Take a role away from whoever has it."""
        self._do("DELETE FROM grants WHERE game_id = ? AND role = ?", game_id, role)

    def roles(self, game_id: str) -> frozenset[tuple[str, str]]:
        """Every (role, key) of a game."""
        return frozenset(
            (row[0], row[1]) for row in self._rows("SELECT role, key FROM grants WHERE game_id = ?", game_id)
        )

    def games(self, key: str) -> frozenset[str]:
        """The games in which a key has any role."""
        return frozenset(row[0] for row in self._rows("SELECT DISTINCT game_id FROM grants WHERE key = ?", key))

    def setting(self, game_id: str, name: str) -> str | None:
        """A setting of a game."""
        rows = self._rows("SELECT value FROM settings WHERE game_id = ? AND name = ?", game_id, name)
        return rows[0][0] if rows else None

    def set(self, game_id: str, name: str, value: str) -> None:
        """Change a setting of a game."""
        self._do("INSERT OR REPLACE INTO settings VALUES (?, ?, ?)", game_id, name, value)

    def forget(self, game_id: str) -> None:
        """Everything about a game that was deleted."""
        self._do("DELETE FROM grants WHERE game_id = ?", game_id)
        self._do("DELETE FROM settings WHERE game_id = ?", game_id)

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._db.close()

    def _do(self, statement: str, *values: str) -> None:
        with self._lock, self._telling():
            self._db.execute(statement, values)

    def _rows(self, query: str, *values: str) -> list[tuple[str, ...]]:
        with self._lock, self._telling():
            return self._db.execute(query, values).fetchall()

    @contextlib.contextmanager
    def _telling(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise explain(error, self.path) from error
        except OSError as error:
            full = error.errno == errno.ENOSPC
            raise StorageError(
                "log_read_only" if error.errno in _READ_ONLY else "disk_full" if full else "log_failed",
                path=str(self.path),
                reason=error.strerror or str(error),
            ) from error
