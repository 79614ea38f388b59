"""Backup and restore: byte for byte, nothing overwritten, nothing believed that is damaged."""

import contextlib
import os
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.app.backup import Backup, Outcome, backup, game_jsonl, restore, restore_jsonl, writing
from companion.app.session import GameSession
from companion.errors import CompanionError, EventVersionError, LogCorruptError, StorageError, UsageError
from companion.rules.events import GameStarted
from companion.rules.house_rules import HouseRules
from companion.storage.photo_store import PhotoStore
from companion.storage.sqlite_store import SqliteStore
from tests.app.helpers import counted, open_store, started
from tests.app.memory_store import MemoryStore


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    store = open_store(tmp_path / "here")
    yield store
    store.close()


@pytest.fixture
def there(tmp_path: Path) -> Iterator[SqliteStore]:
    store = open_store(tmp_path / "there")
    yield store
    store.close()


@pytest.fixture
def photos(tmp_path: Path) -> PhotoStore:
    return PhotoStore(tmp_path / "here" / "photos")


def played(store: SqliteStore, scores: int = 2) -> GameSession:
    session = started(store)
    for seat in range(scores):
        session.commit(session.draft(counted(session, seat, 10 + seat)))
    return session


def test_json_lines_round_trip_byte_for_byte(store: SqliteStore, there: SqliteStore) -> None:
    session = played(store)
    session.undo(why="“wrong” — №1")
    text = game_jsonl(store, session.game_id)
    assert text.count("\n") == session.seq
    restored = restore_jsonl(there, text)
    assert (restored.outcome, restored.lines) == (Outcome.NEW, session.seq)
    assert game_jsonl(there, restored.game_id) == text
    assert GameSession(there, restored.game_id).game == session.game


def test_an_unknown_game_is_not_exported(store: SqliteStore) -> None:
    with pytest.raises(UsageError):
        game_jsonl(store, "NOGAME")


def test_a_game_that_is_here_is_left_alone(store: SqliteStore) -> None:
    session = played(store)
    text = game_jsonl(store, session.game_id)
    restored = restore_jsonl(store, text)
    assert (restored.game_id, restored.outcome) == (session.game_id, Outcome.SAME)
    assert len(store.games()) == 1


def test_a_shorter_file_takes_nothing_away_and_a_longer_one_adds(store: SqliteStore, there: SqliteStore) -> None:
    session = played(store)
    early = game_jsonl(store, session.game_id)
    session.commit(session.draft(counted(session, 2, 33)))
    late = game_jsonl(store, session.game_id)
    assert restore_jsonl(store, early, session.game_id).outcome is Outcome.BEHIND
    assert game_jsonl(store, session.game_id) == late
    restore_jsonl(there, early, session.game_id)
    assert restore_jsonl(there, late, session.game_id).outcome is Outcome.CONTINUED
    assert game_jsonl(there, session.game_id) == late


def test_a_game_that_went_on_differently_comes_back_beside_the_other(store: SqliteStore, there: SqliteStore) -> None:
    session = played(store)
    restore_jsonl(there, game_jsonl(store, session.game_id), session.game_id)
    session.commit(session.draft(counted(session, 2, 33)))
    other = GameSession(there, session.game_id)
    other.commit(other.draft(counted(other, 2, 44)))
    mine, theirs = game_jsonl(store, session.game_id), game_jsonl(there, session.game_id)
    restored = restore_jsonl(store, theirs, session.game_id)
    assert restored.outcome is Outcome.COPY
    assert restored.game_id != session.game_id
    assert game_jsonl(store, session.game_id) == mine
    assert game_jsonl(store, restored.game_id) == theirs
    again = restore_jsonl(store, theirs, session.game_id)
    assert (again.game_id, again.outcome) == (restored.game_id, Outcome.SAME)


def test_a_deleted_game_comes_back_from_a_backup(store: SqliteStore, photos: PhotoStore, tmp_path: Path) -> None:
    session = played(store)
    text = game_jsonl(store, session.game_id)
    backup(store, photos, tmp_path / "all.zip")
    session.delete()
    assert [one.outcome for one in restore(store, photos, tmp_path / "all.zip")] == [Outcome.REVIVED]
    assert game_jsonl(store, session.game_id) == text


def test_a_backup_holds_every_game_and_photo(
    store: SqliteStore, there: SqliteStore, photos: PhotoStore, tmp_path: Path
) -> None:
    games = [played(store, scores) for scores in (0, 1, 3)]
    name = photos.put(b"a picture")
    path = tmp_path / "all.zip"
    assert backup(store, photos, path) == Backup(games=3, photos=1)
    assert {one.outcome for one in restore(there, PhotoStore(tmp_path / "there" / "photos"), path)} == {Outcome.NEW}
    for game in games:
        assert there.read(game.game_id) == store.read(game.game_id)
    assert PhotoStore(tmp_path / "there" / "photos").get(name) == b"a picture"
    second = tmp_path / "again.zip"
    backup(there, PhotoStore(tmp_path / "there" / "photos"), second)
    assert second.read_bytes() == path.read_bytes()


def test_a_backup_replaces_no_file_unless_asked(store: SqliteStore, photos: PhotoStore, tmp_path: Path) -> None:
    path = tmp_path / "all.zip"
    path.write_text("last year's")
    with pytest.raises(UsageError) as caught:
        backup(store, photos, path)
    assert caught.value.key == "file_exists"
    assert path.read_text() == "last year's"
    backup(store, photos, path, overwrite=True)
    assert zipfile.is_zipfile(path)


def test_an_empty_store_makes_a_backup_too(store: SqliteStore, photos: PhotoStore, tmp_path: Path) -> None:
    assert backup(store, photos, tmp_path / "all.zip") == Backup(0, 0)
    assert restore(store, photos, tmp_path / "all.zip") == []


def test_a_file_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(StorageError) as caught, writing(tmp_path / "folder" / "no" / "file") as file:
        file.write(b"x")
    assert caught.value.key == "file_not_written"
    with pytest.raises(RuntimeError), writing(tmp_path / "folder" / "file"):
        raise RuntimeError
    assert list((tmp_path / "folder").iterdir()) == []


def test_the_old_backup_stays_until_the_new_one_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "all.zip"
    path.write_text("last year's")
    with pytest.raises(StorageError), writing(path):
        raise OSError(28, os.strerror(28))
    assert path.read_text() == "last year's"
    assert [file.name for file in tmp_path.iterdir()] == ["all.zip"]


BAD_FILES: list[tuple[bytes, type[CompanionError]]] = [
    (b"", LogCorruptError),
    (b"\n", LogCorruptError),
    (b"no game at all", LogCorruptError),
    (b"\xff\xfe\x00", LogCorruptError),
    (b"{}\n", LogCorruptError),
    (b"PK\x03\x04 cut short", LogCorruptError),
]


@pytest.mark.parametrize(("data", "error"), BAD_FILES)
def test_what_is_no_backup_changes_nothing(
    store: SqliteStore, photos: PhotoStore, tmp_path: Path, data: bytes, error: type[CompanionError]
) -> None:
    (tmp_path / "file").write_bytes(data)
    with pytest.raises(error):
        restore(store, photos, tmp_path / "file")
    assert store.games() == []


def test_a_file_that_is_not_there(store: SqliteStore, photos: PhotoStore, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        restore(store, photos, tmp_path / "nowhere.zip")
    assert caught.value.key == "file_missing"
    with pytest.raises(StorageError):
        restore(store, photos, tmp_path)


def test_one_bad_game_keeps_the_whole_backup_out(
    store: SqliteStore, there: SqliteStore, photos: PhotoStore, tmp_path: Path
) -> None:
    session = played(store)
    path = tmp_path / "all.zip"
    backup(store, photos, path)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("games/ZZZZZZ.jsonl", game_jsonl(store, session.game_id).replace('"v":1', '"v":9', 1))
    with pytest.raises(EventVersionError):
        restore(there, photos, path)
    assert there.games() == []


@pytest.mark.parametrize("cut", [0.3, 0.6, 0.95])
def test_a_damaged_backup_is_refused(store: SqliteStore, photos: PhotoStore, tmp_path: Path, cut: float) -> None:
    played(store)
    path = tmp_path / "all.zip"
    backup(store, photos, path)
    data = bytearray(path.read_bytes())
    data[int(len(data) * cut)] ^= 0xFF
    path.write_bytes(data)
    other = open_store(tmp_path / "other")
    try:
        restored = restore(other, photos, path)
    except (LogCorruptError, UsageError):
        assert other.games() == []
    else:  # the byte was none that matters
        assert [other.read(one.game_id) for one in restored] == [store.read(e.game_id) for e in store.games()]
    other.close()


def test_other_files_in_the_zip_lead_nowhere(store: SqliteStore, photos: PhotoStore, tmp_path: Path) -> None:
    path = tmp_path / "all.zip"
    backup(store, photos, path)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("games/../../evil.jsonl", "x")
        archive.writestr("photos/readme.txt", "x")
    assert restore(store, photos, path) == []
    assert not (tmp_path / "evil.jsonl").exists()


def _zip(
    path: Path, files: dict[str, bytes], about: str = '{"format": "mexican-train-companion backup", "version": 1}'
):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("about.json", about)
        for name, data in files.items():
            archive.writestr(name, data)


@pytest.mark.parametrize("name", ["games/AAAAAA.jsonl", f"photos/{'0' * 64}"])
def test_what_unpacks_to_more_than_a_backup_holds_is_refused_unread(
    store: SqliteStore, photos: PhotoStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(f"{backup.__module__}.MOST_GAME_BYTES", 10_000)
    monkeypatch.setattr(f"{backup.__module__}.MOST_PHOTO_BYTES", 10_000)
    path = tmp_path / "bomb.zip"
    _zip(path, {name: b"0" * 1_000_000})
    with pytest.raises(LogCorruptError) as error:
        restore(store, photos, path)
    assert error.value.key == "backup_bad"
    assert (store.games(), photos.hashes()) == ([], frozenset())


def test_a_photo_that_is_not_what_its_name_says_keeps_the_backup_out(
    store: SqliteStore, there: SqliteStore, photos: PhotoStore, tmp_path: Path
) -> None:
    text = game_jsonl(there, played(there).game_id)
    path = tmp_path / "changed.zip"
    _zip(path, {"games/AAAAAA.jsonl": text.encode(), f"photos/{'0' * 64}": b"another photo"})
    with pytest.raises(LogCorruptError):
        restore(store, photos, path)
    assert (store.games(), photos.hashes()) == ([], frozenset())


def test_a_backup_of_a_newer_version_says_so(store: SqliteStore, photos: PhotoStore, tmp_path: Path) -> None:
    path = tmp_path / "newer.zip"
    _zip(path, {}, '{"format": "mexican-train-companion backup", "version": 2}')
    with pytest.raises(EventVersionError) as error:
        restore(store, photos, path)
    assert error.value.key == "log_newer"


def test_bytes_damaged_inside_the_zip(store: SqliteStore, photos: PhotoStore, tmp_path: Path) -> None:
    path = tmp_path / "backup.zip"
    played(store)
    backup(store, photos, path)
    data = bytearray(path.read_bytes())
    start = data.index(b"games/") + 24
    data[start : start + 40] = bytes(40)
    path.write_bytes(data)
    with pytest.raises(LogCorruptError):
        restore(store, photos, path)


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_any_byte_may_be_damaged_however_the_zip_was_packed(
    store: SqliteStore, there: SqliteStore, photos: PhotoStore, tmp_path: Path, method: int
) -> None:
    text = game_jsonl(there, played(there).game_id)
    path = tmp_path / "packed.zip"
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr("about.json", '{"format": "mexican-train-companion backup", "version": 1}')
        archive.writestr("games/AAAAAA.jsonl", text)
    good = path.read_bytes()
    for place in range(0, len(good), max(1, len(good) // 150)):
        path.write_bytes(good[:place] + bytes([good[place] ^ 0x55]) + good[place + 1 :])
        with contextlib.suppress(LogCorruptError):  # some bytes do not matter; every other error is one of ours
            restore(store, photos, path)
    assert all(game_jsonl(store, entry.game_id) == text for entry in store.games())


def test_an_editors_mark_at_the_beginning_is_no_damage(
    store: SqliteStore, there: SqliteStore, photos: PhotoStore, tmp_path: Path
) -> None:
    text = game_jsonl(there, played(there).game_id)
    path = tmp_path / "game.jsonl"
    path.write_text(text, "utf-8-sig")
    (game,) = restore(store, photos, path)
    assert game_jsonl(store, game.game_id) == text


@pytest.mark.parametrize("line", ['{"seq":1,"at":' + "[" * 100_000, '{"seq":1,"at":' + "9" * 5_000 + "}"])
def test_lines_that_break_a_reader_of_json(store: SqliteStore, line: str) -> None:
    with pytest.raises(LogCorruptError) as error:
        restore_jsonl(store, line)
    assert error.value.key == "log_line_bad"


def test_half_a_letter_is_no_text(store: SqliteStore, there: SqliteStore) -> None:
    session = played(there)
    text = game_jsonl(there, session.game_id).replace(session.game.players[0].name, "A\\ud800", 1)
    with pytest.raises(LogCorruptError):
        restore_jsonl(store, text)


def test_a_game_whose_line_ends_an_editor_has_changed_is_the_same_game() -> None:
    store = MemoryStore()
    session = GameSession.create(store, [GameStarted(HouseRules(), ("Anna", "Boris"))])
    text = game_jsonl(store, session.game_id)
    again = restore_jsonl(store, text.replace("\n", "\r\n") + "\r\n\r\n")
    assert again.game_id == session.game_id
    assert game_jsonl(store, session.game_id) == text
    assert len(store.games()) == 1


@pytest.mark.parametrize(
    ("text", "key"), [("", "log_line_no_json"), ('{"seq": 1, "at', "log_line_no_json"), ("[]", "log_line_bad")]
)
def test_lines_that_are_no_log(text: str, key: str) -> None:
    with pytest.raises(LogCorruptError) as told:
        restore_jsonl(MemoryStore(), text)
    assert told.value.key == key
