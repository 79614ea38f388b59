"""Who may do what, on disk."""

import errno
from pathlib import Path

import pytest

from companion.errors import StorageError
from companion.storage.access_store import AccessStore


def test_roles_and_settings_are_there_again_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "access.sqlite3"
    store = AccessStore(path)
    store.grant("G", "host", "a")
    store.grant("G", "host", "a")
    assert store.grant_alone("G", "seat-0", "a")
    assert store.grant_alone("G", "seat-0", "a")
    assert not store.grant_alone("G", "seat-0", "b")
    store.set("G", "keep_photos", "yes")
    store.set("G", "keep_photos", "no")
    store.close()
    again = AccessStore(path)
    assert again.roles("G") == {("host", "a"), ("seat-0", "a")}
    assert again.games("a") == {"G"}
    assert again.setting("G", "keep_photos") == "no"
    assert again.setting("H", "keep_photos") is None
    again.revoke("G", "seat-0")
    assert again.grant_alone("G", "seat-0", "b")
    again.forget("G")
    assert again.roles("G") == again.games("a") == frozenset()
    assert again.setting("G", "keep_photos") is None
    again.close()
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_damaged_file_is_put_aside_because_no_score_lies_in_it(tmp_path: Path) -> None:
    path = tmp_path / "access.sqlite3"
    path.write_bytes(b"something else entirely" * 100)
    store = AccessStore(path)
    assert store.grant_alone("G", "seat-0", "a")
    store.close()
    assert path.with_name("access.sqlite3.damaged").read_bytes().startswith(b"something else")
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("code", "key"),
    [(errno.EROFS, "log_read_only"), (errno.EACCES, "log_read_only"), (errno.ENOSPC, "disk_full"), (5, "log_failed")],
)
def test_a_disk_that_refuses_is_told_as_for_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, key: str
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(code, "words of the system")

    monkeypatch.setattr(Path, "touch", refuse)
    with pytest.raises(StorageError) as caught:
        AccessStore(tmp_path / "access.sqlite3")
    assert caught.value.key == key


def test_a_full_disk_is_told_as_for_the_log(tmp_path: Path) -> None:
    store = AccessStore(tmp_path / "access.sqlite3")
    store._db.execute("PRAGMA max_page_count = 1")  # SQLite's own way to a disk that is full
    with pytest.raises(StorageError) as caught:
        store.grant("G", "looks", "k" * 100_000)
    assert caught.value.key == "disk_full"
    store.close()
