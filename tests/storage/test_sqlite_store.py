"""The guards of the log: each is tried by going around the store, straight at the file."""

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.errors import EventVersionError, LogConflictError, LogCorruptError, StorageError
from companion.storage.sqlite_store import _SCHEMA, SCHEMA_VERSION, SqliteStore, explain


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    store = SqliteStore(tmp_path / "data" / "log.sqlite3")
    yield store
    store.close()


def raw(store: SqliteStore, statement: str, *values: object) -> list[tuple[object, ...]]:
    """Run a statement as another program would."""
    db = sqlite3.connect(store.path, isolation_level=None)
    try:
        return db.execute(statement, values).fetchall()
    finally:
        db.close()


def test_lines_come_back_in_order(store: SqliteStore) -> None:
    assert store.append("ABCDEF", 0, ["one", "two"]) == 2
    assert store.append("ABCDEF", 2, ["trois — №3"]) == 3
    assert store.read("ABCDEF") == ["one", "two", "trois — №3"]
    assert store.read("ABCDEF", after=2) == ["trois — №3"]
    assert store.last_seq("ABCDEF") == 3
    assert store.read("OTHER1") == []
    assert store.last_seq("OTHER1") == 0


def test_games_are_listed_with_their_first_and_last_line(store: SqliteStore) -> None:
    store.append("B", 0, ["b1"])
    store.append("A", 0, ["a1", "a2", "a3"])
    assert [(g.game_id, g.last_seq, g.first, g.last) for g in store.games()] == [
        ("A", 3, "a1", "a3"),
        ("B", 1, "b1", "b1"),
    ]


def test_the_file_is_in_wal_mode_and_every_commit_reaches_the_disk(store: SqliteStore) -> None:
    assert store._db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert store._db.execute("PRAGMA synchronous").fetchone() == (2,)
    assert store._db.execute("PRAGMA secure_delete").fetchone() == (1,)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE record SET line = 'other'",
        "UPDATE OR REPLACE record SET seq = 2 WHERE seq = 1",
        "DELETE FROM record",
        "DELETE FROM record WHERE seq = 2",
        "INSERT INTO record VALUES ('A', 2, 'again')",
        "INSERT OR REPLACE INTO record VALUES ('A', 2, 'other')",
        "INSERT OR IGNORE INTO record VALUES ('A', 2, 'other')",
        "REPLACE INTO record VALUES ('A', 1, 'other')",
        "INSERT INTO record VALUES ('A', 1, 'x') ON CONFLICT DO UPDATE SET line = 'other'",
        "INSERT INTO record VALUES ('A', 4, 'a gap')",
        "INSERT INTO record VALUES ('A', 0, 'before the first')",
        "INSERT INTO record VALUES ('A', -1, 'below')",
        "INSERT INTO record VALUES ('A', NULL, 'no number')",
        "INSERT INTO record VALUES ('B', 2, 'not the first')",
        "INSERT INTO record VALUES ('B', 1, NULL)",
        "INSERT INTO record VALUES ('B', 1, x'00ff')",
        "INSERT INTO record VALUES ('', 1, 'no game')",
        "INSERT INTO deleted_game VALUES ('A', 1, 'an older state was seen')",
        "INSERT INTO deleted_game VALUES ('C', 0, 'there is no such game')",
        "INSERT OR REPLACE INTO deleted_game VALUES ('A', 3, 'a state that never was')",
    ],
)
def test_the_file_itself_refuses(store: SqliteStore, statement: str) -> None:
    store.append("A", 0, ["one", "two"])
    with pytest.raises(sqlite3.IntegrityError):
        raw(store, statement)
    assert store.read("A") == ["one", "two"]
    assert store.games()[0].last_seq == 2


def test_a_tombstone_never_changes(store: SqliteStore) -> None:
    store.append("A", 0, ["one"])
    store.delete("A", 1, "2026-01-01T00:00:00Z")
    with pytest.raises(sqlite3.IntegrityError):
        raw(store, "UPDATE deleted_game SET at = 'never'")


def test_the_second_writer_learns_the_newer_state(store: SqliteStore) -> None:
    other = SqliteStore(store.path)
    store.append("A", 0, ["one"])
    assert other.last_seq("A") == 1
    store.append("A", 1, ["two by the first", "three by the first"])
    with pytest.raises(LogConflictError) as caught:
        other.append("A", 1, ["two by the second"])
    assert caught.value.params == {"game": "A", "expected": 1, "actual": 3}
    assert other.read("A", after=1) == ["two by the first", "three by the first"]
    assert other.append("A", 3, ["four by the second"]) == 4
    other.close()


def test_a_batch_is_written_whole_or_not_at_all(store: SqliteStore) -> None:
    store.append("A", 0, ["one"])
    with pytest.raises(StorageError):
        store.append("A", 1, ["two", None])  # type: ignore[list-item]
    assert store.read("A") == ["one"]
    assert store.append("A", 1, ["two"]) == 2


def test_a_deleted_game_is_gone_from_the_disk(store: SqliteStore) -> None:
    store.append("A", 0, ["Zénaïde-Aristide plays"] * 200)
    store.append("B", 0, ["stays"])
    store.delete("A", 200, "2026-07-30T20:00:00Z")
    assert store.read("A") == []
    assert store.deleted_at("A") == "2026-07-30T20:00:00Z"
    assert store.deleted_at("B") is None
    assert [g.game_id for g in store.games()] == ["B"]
    assert store.read("B") == ["stays"]
    for file in store.path.parent.iterdir():
        assert "Zénaïde".encode() not in file.read_bytes()


def test_a_game_that_grew_is_not_deleted(store: SqliteStore) -> None:
    store.append("A", 0, ["one", "two"])
    with pytest.raises(LogConflictError):
        store.delete("A", 1, "2026-07-30T20:00:00Z")
    assert store.read("A") == ["one", "two"]
    assert store.deleted_at("A") is None


def test_nobody_writes_to_a_deleted_game(store: SqliteStore) -> None:
    store.append("A", 0, ["one"])
    store.delete("A", 1, "2026-07-30T20:00:00Z")
    for after in (0, 1):
        with pytest.raises(LogConflictError) as caught:
            store.append("A", after, ["again"])
        assert caught.value.key == "game_deleted_meanwhile"
    with pytest.raises(sqlite3.IntegrityError):
        raw(store, "INSERT INTO record VALUES ('A', 1, 'again')")
    with pytest.raises(LogConflictError) as caught:
        store.delete("A", 1, "2026-07-30T21:00:00Z")
    assert caught.value.key == "game_deleted_meanwhile"


def test_a_deleted_game_comes_back_only_on_purpose(store: SqliteStore) -> None:
    store.append("A", 0, ["one", "two"])
    with pytest.raises(LogConflictError):
        store.revive("A", ["one", "two"])
    store.delete("A", 2, "2026-07-30T20:00:00Z")
    assert store.revive("A", ["one", "two"]) == 2
    assert store.deleted_at("A") is None
    assert store.append("A", 2, ["three"]) == 3


def test_a_damaged_file_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite3"
    path.write_bytes(b"this was never a database, but it is long enough to be one" * 40)
    before = path.read_bytes()
    with pytest.raises(LogCorruptError) as caught:
        SqliteStore(path)
    assert caught.value.key == "log_corrupt"
    assert path.read_bytes() == before


def test_damage_in_the_middle_is_found_when_it_is_read(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "log.sqlite3")
    store.append("A", 0, [f"line {n} {'x' * 200}" for n in range(400)])
    store.close()
    data = bytearray(store.path.read_bytes())
    page = 4096
    for start in range(12 * page, len(data) - page, page):
        data[start : start + 64] = b"\xff" * 64
    store.path.write_bytes(data)
    damaged = SqliteStore(store.path)
    with pytest.raises(LogCorruptError):
        damaged.read("A")
    damaged.close()


def test_a_missing_line_is_noticed(store: SqliteStore) -> None:
    store.append("A", 0, ["one", "two", "three"])
    raw(store, "DROP TRIGGER record_no_delete")
    raw(store, "DELETE FROM record WHERE seq = 2")
    with pytest.raises(LogCorruptError) as caught:
        store.read("A")
    assert caught.value.params["seq"] == 2


@pytest.mark.parametrize("guard", [name for name in _SCHEMA if name.startswith(("record_", "deleted_game_"))])
def test_a_file_without_one_of_its_guards_is_refused(store: SqliteStore, guard: str) -> None:
    raw(store, f"DROP TRIGGER {guard}")
    with pytest.raises(LogCorruptError):
        SqliteStore(store.path)


def test_another_programs_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "recipes.sqlite3"
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE recipe (name TEXT)")
    db.commit()
    db.close()
    before = path.read_bytes()
    with pytest.raises(LogCorruptError) as caught:
        SqliteStore(path)
    assert caught.value.key == "log_foreign"
    assert path.read_bytes() == before


def test_a_file_of_a_newer_version_is_left_alone(store: SqliteStore) -> None:
    store.append("A", 0, ["one"])
    raw(store, f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    with pytest.raises(EventVersionError) as caught:
        SqliteStore(store.path)
    assert caught.value.params["found"] == SCHEMA_VERSION + 1


def test_a_full_disk_is_told_and_loses_nothing(store: SqliteStore) -> None:
    store.append("A", 0, ["one"])
    pages = store._db.execute("PRAGMA page_count").fetchone()[0]
    store._db.execute(f"PRAGMA max_page_count = {pages + 1}").fetchone()
    with pytest.raises(StorageError) as caught:
        store.append("A", 1, ["x" * 100_000])
    assert caught.value.key == "disk_full"
    assert store.read("A") == ["one"]
    store._db.execute("PRAGMA max_page_count = 1073741823").fetchone()
    assert store.append("A", 1, ["two"]) == 2


def test_a_writer_waits_and_then_says_that_the_log_is_busy(store: SqliteStore) -> None:
    store.append("A", 0, ["one"])
    impatient = SqliteStore(store.path, busy_timeout_s=0.05)
    blocker = sqlite3.connect(store.path, isolation_level=None)
    blocker.execute("BEGIN IMMEDIATE")
    with pytest.raises(StorageError) as caught:
        impatient.append("A", 1, ["two"])
    assert caught.value.key == "log_busy"
    assert impatient.read("A") == ["one"]  # reading never waits
    blocker.execute("ROLLBACK")
    blocker.close()
    assert impatient.append("A", 1, ["two"]) == 2
    impatient.close()


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StorageError) as caught:
        SqliteStore(tmp_path / "file" / "log.sqlite3")
    assert caught.value.key == "folder_cannot_make"


READ_ONLY = """
import os
import sys
from pathlib import Path
from companion.errors import StorageError
from companion.storage.sqlite_store import SqliteStore
if os.getuid() == 0:  # root may write anywhere: give that up
    os.setgid(65534)
    os.setuid(65534)
store = SqliteStore(Path(sys.argv[1]))
print(store.read("A"))
try:
    store.append("A", 1, ["two"])
except StorageError as error:
    print(error.key)
"""


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX permissions")
def test_a_read_only_disk_can_be_read(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "log.sqlite3")
    store.append("A", 0, ["one"])
    store.close()
    for parent in tmp_path.parents[:2]:
        parent.chmod(0o755)
    store.path.chmod(0o444)
    tmp_path.chmod(0o555)
    try:
        done = subprocess.run([sys.executable, "-c", READ_ONLY, str(store.path)], capture_output=True, text=True)
    finally:
        tmp_path.chmod(0o755)
    assert done.stdout.splitlines() == ["['one']", "log_read_only"], done.stderr


OPEN_AND_APPEND = """
import sys
from pathlib import Path
from companion.storage.sqlite_store import SqliteStore
store = SqliteStore(Path(sys.argv[1]))
assert store.append(sys.argv[2], 0, ["one"]) == 1
"""


def test_several_processes_may_make_the_file_at_once(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite3"
    running = [subprocess.Popen([sys.executable, "-c", OPEN_AND_APPEND, str(path), f"G{n}"]) for n in range(6)]
    assert [one.wait(30) for one in running] == [0] * 6
    store = SqliteStore(path)
    assert [game.game_id for game in store.games()] == [f"G{n}" for n in range(6)]
    store.close()


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    steps=st.lists(
        st.tuples(st.sampled_from("AB"), st.integers(0, 6), st.lists(st.text(max_size=8), max_size=3)), max_size=12
    )
)
def test_the_store_behaves_like_lists(tmp_path: Path, steps: list[tuple[str, int, list[str]]]) -> None:
    """Whatever is appended at whatever number, the store holds exactly what an honest list would."""
    path = tmp_path / "model"
    shutil.rmtree(path, ignore_errors=True)
    store = SqliteStore(path / "log.sqlite3")
    model: dict[str, list[str]] = {"A": [], "B": []}
    for game, after, lines in steps:
        if after == len(model[game]):
            assert store.append(game, after, lines) == after + len(lines)
            model[game] += lines
        else:
            with pytest.raises(LogConflictError) as caught:
                store.append(game, after, lines)
            assert caught.value.params["actual"] == len(model[game])
    assert {game: store.read(game) for game in model} == model
    store.close()


def test_a_log_that_cannot_even_be_opened_for_want_of_room_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR_WRITE
    assert explain(error, tmp_path / "games.sqlite3").key == "log_failed"
    monkeypatch.setattr("shutil.disk_usage", lambda _: shutil._ntuple_diskusage(100, 100, 0))
    assert explain(error, tmp_path / "games.sqlite3").key == "disk_full"
