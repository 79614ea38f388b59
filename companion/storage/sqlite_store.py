"""The game log in one SQLite file, guarded by the database itself.

The guards are triggers, so that they hold for every program that opens the file, not only for this one (ADR 0005):

- a line can be added only with the number that follows the last one (also by INSERT OR REPLACE);
- a line can neither be changed nor be removed;
- a whole game can be removed, by one statement only: by inserting a tombstone that names its last number.
"""

import contextlib
import shutil
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

from companion.errors import EventVersionError, LogConflictError, LogCorruptError, StorageError
from companion.storage.event_store import LogEntry

APPLICATION_ID = 0x4D545243
"""Marks the file as a game log ("MTRC" in ASCII)."""

SCHEMA_VERSION = 1
"""Version of the tables; the events inside have versions of their own (`codec`)."""

BUSY_TIMEOUT_S = 10.0
"""How long a command waits for another one that is writing."""

_SCHEMA = {
    "record": """
        CREATE TABLE record (
            game_id TEXT NOT NULL CHECK (typeof(game_id) = 'text' AND game_id <> ''),
            seq INTEGER NOT NULL CHECK (typeof(seq) = 'integer'),
            line TEXT NOT NULL CHECK (typeof(line) = 'text'),
            PRIMARY KEY (game_id, seq)
        ) WITHOUT ROWID""",
    "deleted_game": """
        CREATE TABLE deleted_game (
            game_id TEXT NOT NULL PRIMARY KEY,
            last_seq INTEGER NOT NULL,
            at TEXT NOT NULL
        ) WITHOUT ROWID""",
    "record_only_next": """
        CREATE TRIGGER record_only_next BEFORE INSERT ON record
        WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM record WHERE game_id = NEW.game_id)
        BEGIN SELECT RAISE(ABORT, 'this is not the next number'); END""",
    "record_not_deleted": """
        CREATE TRIGGER record_not_deleted BEFORE INSERT ON record
        WHEN EXISTS (SELECT 1 FROM deleted_game WHERE game_id = NEW.game_id)
        BEGIN SELECT RAISE(ABORT, 'this game was deleted'); END""",
    "record_no_update": """
        CREATE TRIGGER record_no_update BEFORE UPDATE ON record
        BEGIN SELECT RAISE(ABORT, 'a line of the log never changes'); END""",
    "record_no_delete": """
        CREATE TRIGGER record_no_delete BEFORE DELETE ON record
        WHEN NOT EXISTS (SELECT 1 FROM deleted_game WHERE game_id = OLD.game_id)
        BEGIN SELECT RAISE(ABORT, 'a line of the log is never removed'); END""",
    "deleted_game_seen": """
        CREATE TRIGGER deleted_game_seen BEFORE INSERT ON deleted_game
        WHEN NEW.last_seq IS NOT (SELECT max(seq) FROM record WHERE game_id = NEW.game_id)
        BEGIN SELECT RAISE(ABORT, 'the game has other lines than these'); END""",
    "deleted_game_purge": """
        CREATE TRIGGER deleted_game_purge AFTER INSERT ON deleted_game
        BEGIN DELETE FROM record WHERE game_id = NEW.game_id; END""",
    "deleted_game_no_update": """
        CREATE TRIGGER deleted_game_no_update BEFORE UPDATE ON deleted_game
        BEGIN SELECT RAISE(ABORT, 'a tombstone never changes'); END""",
}
"""Name of each table and trigger -> the statement that makes it."""

_LEAST_ROOM = 64 * 1024
"""Bytes without which SQLite cannot even open a log."""

_LAST_SEQ = "SELECT coalesce(max(seq), 0) FROM record WHERE game_id = ?"


def explain(error: sqlite3.Error, file: Path) -> StorageError:
    """What an error of SQLite about a file means to somebody who keeps score."""
    code = getattr(error, "sqlite_errorcode", None)
    primary = None if code is None else code & 0xFF
    path = str(file)
    if primary in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return LogCorruptError("log_corrupt", path=path)
    if primary == sqlite3.SQLITE_FULL or (primary == sqlite3.SQLITE_IOERR and _no_room(file)):
        return StorageError("disk_full", path=path)
    if primary in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM):
        return StorageError("log_read_only", path=path)
    if primary in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return StorageError("log_busy", path=path)
    if primary == sqlite3.SQLITE_CANTOPEN:
        return StorageError("log_cannot_open", path=path)
    return StorageError("log_failed", path=path, reason=str(error))


def _no_room(file: Path) -> bool:
    """Is the disk full? A log in WAL mode needs a little room to be read, too."""
    try:
        return shutil.disk_usage(file.parent).free < _LEAST_ROOM
    except OSError:
        return False


class SqliteStore:
    """An EventStore in one file; safe for several threads, and for several processes at once.

    Opening creates the file (and its folder) when there is none. A file on a read-only disk can be read.
    Raises LogCorruptError for a damaged file or one that is no game log, EventVersionError for one that a newer
    version has written, StorageError when it cannot be opened; none of them touches the file.
    """

    def __init__(self, path: Path, busy_timeout_s: float = BUSY_TIMEOUT_S) -> None:
        self.path = path
        self._lock = threading.RLock()
        self._busy_timeout_s = busy_timeout_s
        self._db = self._open()

    def append(self, game_id: str, after: int, lines: Sequence[str]) -> int:
        """See EventStore."""
        with self._writing() as db:
            self._expect(db, game_id, after)
            self._insert(db, game_id, after, lines)
        return after + len(lines)

    def read(self, game_id: str, after: int = 0) -> list[str]:
        """See EventStore."""
        with self._reading() as db:
            rows = db.execute(
                "SELECT seq, line FROM record WHERE game_id = ? AND seq > ? ORDER BY seq", (game_id, after)
            )
            lines = []
            for number, (seq, line) in enumerate(rows, start=after + 1):
                if seq != number:
                    raise LogCorruptError("log_gap", path=str(self.path), game=game_id, seq=number)
                lines.append(line)
            return lines

    def last_seq(self, game_id: str) -> int:
        """See EventStore."""
        with self._reading() as db:
            return int(db.execute(_LAST_SEQ, (game_id,)).fetchone()[0])

    def games(self) -> list[LogEntry]:
        """See EventStore."""
        with self._reading() as db:
            rows = db.execute(
                "SELECT last.game_id, last.seq, first.line, final.line"
                " FROM (SELECT game_id, max(seq) AS seq FROM record GROUP BY game_id) AS last"
                " JOIN record AS first ON first.game_id = last.game_id AND first.seq = 1"
                " JOIN record AS final ON final.game_id = last.game_id AND final.seq = last.seq"
                " ORDER BY last.game_id"
            )
            return [LogEntry(*row) for row in rows]

    def delete(self, game_id: str, last_seq: int, at: str) -> None:
        """See EventStore. The lines are overwritten on the disk, not only unlinked: they hold people's names."""
        with self._writing() as db:
            self._expect(db, game_id, last_seq)
            db.execute("INSERT INTO deleted_game (game_id, last_seq, at) VALUES (?, ?, ?)", (game_id, last_seq, at))
        with self._reading() as db:  # or the old lines would stay readable in the write-ahead log
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def deleted_at(self, game_id: str) -> str | None:
        """See EventStore."""
        with self._reading() as db:
            row = db.execute("SELECT at FROM deleted_game WHERE game_id = ?", (game_id,)).fetchone()
            return None if row is None else str(row[0])

    def revive(self, game_id: str, lines: Sequence[str]) -> int:
        """See EventStore. Raises LogConflictError when the game is not a deleted one."""
        with self._writing() as db:
            if db.execute("DELETE FROM deleted_game WHERE game_id = ?", (game_id,)).rowcount != 1:
                raise LogConflictError("log_conflict", game=game_id, expected=0, actual=self.last_seq(game_id))
            self._insert(db, game_id, 0, lines)
        return len(lines)

    def close(self) -> None:
        """See EventStore."""
        with self._lock:
            self._db.close()

    def _expect(self, db: sqlite3.Connection, game_id: str, seq: int) -> None:
        """The optimistic lock: is `seq` still the game's last number?"""
        actual = int(db.execute(_LAST_SEQ, (game_id,)).fetchone()[0])
        if actual == 0 and self.deleted_at(game_id) is not None:
            raise LogConflictError("game_deleted_meanwhile", game=game_id, expected=seq, actual=actual)
        if actual != seq:
            raise LogConflictError("log_conflict", game=game_id, expected=seq, actual=actual)

    @staticmethod
    def _insert(db: sqlite3.Connection, game_id: str, after: int, lines: Sequence[str]) -> None:
        numbered = enumerate(lines, start=after + 1)
        db.executemany(
            "INSERT INTO record (game_id, seq, line) VALUES (?, ?, ?)", ((game_id, *one) for one in numbered)
        )

    @contextlib.contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with self._lock, self._telling():
            yield self._db

    @contextlib.contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """A write transaction: all of the block or nothing of it."""
        with self._lock, self._telling():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:  # a full disk may already have rolled back
                    self._db.execute("ROLLBACK")
                raise

    @contextlib.contextmanager
    def _telling(self) -> Iterator[None]:
        """Turn SQLite's errors into the companion's."""
        try:
            yield
        except sqlite3.Error as error:
            raise explain(error, self.path) from error

    def _open(self) -> sqlite3.Connection:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StorageError("folder_cannot_make", path=str(self.path.parent), reason=error.strerror) from error
        db: sqlite3.Connection | None = None
        try:
            with self._telling():
                db = self._connect(self.path.absolute().as_uri())
                try:
                    self._prepare(db)
                except sqlite3.OperationalError as error:
                    db.close()
                    # A read-only disk has no room for WAL's helper files. Without a pending WAL the file can be
                    # read as it is; every attempt to write says that it cannot.
                    pending = self.path.with_name(self.path.name + "-wal")
                    read_only = explain(error, self.path).key in ("log_read_only", "log_cannot_open")
                    if not read_only or not self.path.is_file() or (pending.exists() and pending.stat().st_size):
                        raise
                    db = self._connect(self.path.absolute().as_uri() + "?mode=ro&immutable=1")
                    self._check(db)
        except BaseException:
            if db is not None:
                db.close()
            raise
        return db

    def _connect(self, uri: str) -> sqlite3.Connection:
        return sqlite3.connect(
            uri, uri=True, timeout=self._busy_timeout_s, isolation_level=None, check_same_thread=False
        )

    def _prepare(self, db: sqlite3.Connection) -> None:
        """Check the file, or fill an empty one with the tables."""
        if self._is_empty(db):
            db.execute("BEGIN IMMEDIATE")
            try:
                if self._is_empty(db):  # nobody else was faster
                    for statement in _SCHEMA.values():
                        db.execute(statement)
                    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                    db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
                db.execute("COMMIT")
            except BaseException:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise
        self._check(db)
        if db.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
            db.execute("PRAGMA journal_mode = WAL").fetchone()
        db.execute("PRAGMA synchronous = FULL")  # WAL's default may lose the last commits when the power fails
        db.execute("PRAGMA secure_delete = ON").fetchone()

    @staticmethod
    def _is_empty(db: sqlite3.Connection) -> bool:
        unmarked: bool = db.execute("PRAGMA application_id").fetchone()[0] == 0
        return unmarked and db.execute("SELECT 1 FROM sqlite_master").fetchone() is None

    def _check(self, db: sqlite3.Connection) -> None:
        if db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
            raise LogCorruptError("log_foreign", path=str(self.path))
        version = db.execute("PRAGMA user_version").fetchone()[0]
        if version > SCHEMA_VERSION:
            raise EventVersionError("log_newer", path=str(self.path), found=version, known=SCHEMA_VERSION)
        there = {row[0] for row in db.execute("SELECT name FROM sqlite_master")}
        if not there.issuperset(_SCHEMA):
            raise LogCorruptError("log_corrupt", path=str(self.path))
