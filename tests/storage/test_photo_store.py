"""Photos by their hash."""

import hashlib
from pathlib import Path

import pytest

from companion.errors import LogCorruptError, StorageError
from companion.storage.photo_store import PhotoStore
from companion.storage.places import Places, default_folder


def test_a_photo_is_kept_under_its_hash(tmp_path: Path) -> None:
    photos = PhotoStore(tmp_path / "photos")
    assert photos.hashes() == frozenset()
    name = photos.put(b"a picture")
    assert name == hashlib.sha256(b"a picture").hexdigest()
    assert photos.put(b"a picture") == name
    assert photos.get(name) == b"a picture"
    assert photos.hashes() == {name}
    assert [file.name for file in photos.folder.iterdir()] == [name]


def test_nothing_is_made_before_the_first_photo(tmp_path: Path) -> None:
    photos = PhotoStore(tmp_path / "photos")
    assert photos.get("0" * 64) is None
    assert not photos.delete("0" * 64)
    assert not photos.folder.exists()


def test_a_photo_can_be_deleted(tmp_path: Path) -> None:
    photos = PhotoStore(tmp_path)
    name = photos.put(b"a picture")
    assert photos.delete(name)
    assert photos.get(name) is None
    assert not photos.delete(name)


def test_a_photo_that_changed_is_not_shown(tmp_path: Path) -> None:
    photos = PhotoStore(tmp_path)
    name = photos.put(b"a picture")
    (tmp_path / name).write_bytes(b"another picture")
    with pytest.raises(LogCorruptError):
        photos.get(name)
    assert photos.put(b"a picture") == name
    assert photos.get(name) == b"a picture"


def test_a_folder_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "photos").write_text("a file")
    with pytest.raises(StorageError) as caught:
        PhotoStore(tmp_path / "photos").put(b"a picture")
    assert caught.value.key == "photo_not_kept"


@pytest.mark.parametrize("name", ["", "../games.sqlite3", "A" * 64, "0" * 63, "0" * 64 + "\n"])
def test_a_name_that_is_no_hash_leads_nowhere(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="no sha256"):
        PhotoStore(tmp_path).get(name)


@pytest.mark.parametrize(
    ("platform", "environ", "folder"),
    [
        ("linux", {}, "{home}/.local/share/mexican-train-companion"),
        ("linux", {"XDG_DATA_HOME": "/data"}, "/data/mexican-train-companion"),
        ("darwin", {}, "{home}/Library/Application Support/mexican-train-companion"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/mexican-train-companion"),
        ("win32", {}, "{home}/AppData/Local/mexican-train-companion"),
        ("linux", {"COMPANION_DATA": "/games", "XDG_DATA_HOME": "/data"}, "/games"),
    ],
)
def test_the_data_folder_follows_the_platform(platform: str, environ: dict[str, str], folder: str) -> None:
    assert default_folder(environ, platform) == Path(folder.format(home=Path.home()))


def test_the_files_in_the_data_folder(tmp_path: Path) -> None:
    assert Places(tmp_path).log == tmp_path / "games.sqlite3"
    assert Places(tmp_path).photos == tmp_path / "photos"
