"""Who may do what, on disk."""

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


def test_a_file_that_is_no_database_is_told(tmp_path: Path) -> None:
    path = tmp_path / "access.sqlite3"
    path.write_bytes(b"something else entirely" * 100)
    with pytest.raises(StorageError):
        AccessStore(path)
