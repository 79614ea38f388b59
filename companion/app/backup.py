"""All games in one file, and back.

A backup is a zip file with one JSON Lines file for each game, `games/CODE.jsonl`, and the photos that were kept,
`photos/SHA256`: it can be read without this program, and restored into any store. A game in JSON Lines is what
`companion export` writes: one line of the log after the other, as they were recorded.
"""

import contextlib
import hashlib
import io
import json
import lzma
import os
import re
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from companion.app.session import new_code, tell
from companion.errors import EventVersionError, LogCorruptError, StorageError, UsageError
from companion.storage.event_store import EventStore
from companion.storage.photo_store import PhotoStore
from companion.storage.records import CODEC

FORMAT = {"format": "mexican-train-companion backup", "version": 1}
_ABOUT = "about.json"
_GAME = re.compile(r"games/([A-Z0-9]{1,16})\.jsonl", re.ASCII)
_PHOTO = re.compile(r"photos/([0-9a-f]{64})", re.ASCII)
MOST_GAME_BYTES = 32 * 1024**2
"""No game comes near: a whole evening, move by move, has half a megabyte."""
MOST_PHOTO_BYTES = 256 * 1024**2
"""As much as the companion reads of a photo."""
_BAD_ZIP = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError),
    *(KeyError, ValueError, EOFError, NotImplementedError, RuntimeError),
)
_SAME_TIME = (1980, 1, 1, 0, 0, 0)  # so that the same games make the same file


class Outcome(StrEnum):
    """What became of a game that was brought back."""

    NEW = "new"
    """It was not here."""
    SAME = "same"
    """It is here already, line by line."""
    CONTINUED = "continued"
    """It was here; the file knew more of it, which was added."""
    BEHIND = "behind"
    """It is here; the file knows less of it, so that nothing was changed."""
    COPY = "copy"
    """A game with its code is here and went on differently: it came back beside it, with a new code."""
    REVIVED = "revived"
    """It had been deleted."""


@dataclass(frozen=True, slots=True)
class Restored:
    """A game that was brought back."""

    game_id: str
    """The code it has now."""
    outcome: Outcome
    """What became of it."""
    lines: int
    """How many lines it has now."""


@dataclass(frozen=True, slots=True)
class Backup:
    """What a backup file holds."""

    games: int
    """How many games."""
    photos: int
    """How many photos."""


def game_jsonl(store: EventStore, game_id: str) -> str:
    """A game as JSON Lines. Raises UsageError `game_unknown`."""
    lines = store.read(game_id)
    if not lines:
        raise UsageError("game_unknown", game=game_id)
    return "".join(f"{line}\n" for line in lines)


def restore_jsonl(store: EventStore, text: str, game_id: str | None = None) -> Restored:
    """Bring back a game from JSON Lines.

    `game_id` is the code it had; None: that of the game here that begins with the same line, else a new one.
    Raises LogCorruptError or EventVersionError for a file that is no game; then nothing has changed.
    """
    lines = _checked(text, game_id)
    if game_id is None:
        known = (entry.game_id for entry in store.games() if entry.first == lines[0])
        game_id = next(known, None) or new_code()
    here = store.read(game_id)
    if not here and store.deleted_at(game_id) is not None:
        return Restored(game_id, Outcome.REVIVED, store.revive(game_id, lines))
    if lines[: len(here)] == here:
        outcome = Outcome.NEW if not here else Outcome.SAME if len(here) == len(lines) else Outcome.CONTINUED
        return Restored(game_id, outcome, store.append(game_id, len(here), lines[len(here) :]))
    if here[: len(lines)] == lines:
        return Restored(game_id, Outcome.BEHIND, len(here))
    for entry in store.games():  # restored as a copy before?
        if entry.first == lines[0] and store.read(entry.game_id) == lines:
            return Restored(entry.game_id, Outcome.SAME, len(lines))
    code = new_code()
    return Restored(code, Outcome.COPY, store.append(code, 0, lines))


def backup(store: EventStore, photos: PhotoStore, path: Path, overwrite: bool = False) -> Backup:
    """Write all games and photos into one file, which appears whole or not at all.

    Raises UsageError `file_exists` unless `overwrite`, StorageError when it cannot be written.
    """
    if path.exists() and not overwrite:
        raise UsageError("file_exists", path=str(path))
    games = [entry.game_id for entry in store.games()]
    hashes = sorted(photos.hashes())
    kept = 0
    with writing(path) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        _put(archive, _ABOUT, json.dumps(FORMAT).encode())
        for game_id in games:
            _put(archive, f"games/{game_id}.jsonl", game_jsonl(store, game_id).encode())
        for name in hashes:
            with contextlib.suppress(LogCorruptError):  # a photo that is damaged already is not worth keeping
                data = photos.get(name)
                if data is not None:
                    _put(archive, f"photos/{name}", data)
                    kept += 1
    return Backup(len(games), kept)


def restore(store: EventStore, photos: PhotoStore, path: Path) -> list[Restored]:
    """Bring back every game and photo of a backup, or the one game of a JSON Lines file.

    Everything in the file is checked before anything is written. Raises UsageError for a file that is not there,
    LogCorruptError or EventVersionError for one that is no backup.
    """
    try:
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                return _restore_all(store, photos, archive, path)
        with path.open("rb") as file:
            data = file.read(MOST_GAME_BYTES + 1)
    except FileNotFoundError as error:
        raise UsageError("file_missing", path=str(path)) from error
    except OSError as error:
        raise StorageError("file_unreadable", path=str(path), reason=error.strerror or str(error)) from error
    except _BAD_ZIP as error:
        raise LogCorruptError("backup_bad", path=str(path)) from error
    return [restore_jsonl(store, _text(data, path))]


def _restore_all(store: EventStore, photos: PhotoStore, archive: zipfile.ZipFile, path: Path) -> list[Restored]:
    _check_format(_read(archive, _ABOUT, MOST_GAME_BYTES), path)
    names = sorted(set(archive.namelist()))
    games = {
        match[1]: _text(_read(archive, name, MOST_GAME_BYTES), path)
        for name in names
        if (match := _GAME.fullmatch(name))
    }
    pictures = {name: match[1] for name in names if (match := _PHOTO.fullmatch(name))}
    for game_id, text in games.items():
        _checked(text, game_id)
    for name, sha256 in pictures.items():
        if hashlib.sha256(_read(archive, name, MOST_PHOTO_BYTES)).hexdigest() != sha256:
            raise LogCorruptError("backup_bad", path=str(path))
    for name in pictures:
        photos.put(_read(archive, name, MOST_PHOTO_BYTES))
    return [restore_jsonl(store, text, game_id) for game_id, text in games.items()]


def _check_format(about: bytes, path: Path) -> None:
    found = json.loads(about)
    if found == FORMAT:
        return
    if isinstance(found, dict) and found.get("format") == FORMAT["format"] and isinstance(found.get("version"), int):
        raise EventVersionError("log_newer", path=str(path), found=found["version"], known=FORMAT["version"])
    raise LogCorruptError("backup_bad", path=str(path))


def _read(archive: zipfile.ZipFile, name: str, most: int) -> bytes:
    """A file of a backup. Raises ValueError for one that unpacks to more than any backup holds, or not at all."""
    try:
        with archive.open(name) as file:
            data = file.read(most + 1)
    except OSError as error:  # so damaged bzip2 calls itself, and a place that lies outside the file
        raise ValueError(f"{name} is damaged") from error
    if len(data) > most:
        raise ValueError(f"{name} is too large")
    return data


def _checked(text: str, game_id: str | None) -> list[str]:
    """The lines of a game, every one of them good."""
    lines = text.rstrip("\r\n").replace("\r\n", "\n").split("\n")  # an editor may have changed how lines end
    try:
        tell([record.event for record in CODEC.records(lines)], game_id or "")
    except LogCorruptError as error:
        if error.key == "log_no_game" and game_id is None:
            raise LogCorruptError("lines_no_game") from error
        raise
    return lines


def _text(data: bytes, path: Path) -> str:
    try:
        if len(data) > MOST_GAME_BYTES:
            raise LogCorruptError("backup_bad", path=str(path))
        return data.decode("utf-8-sig")  # some editors put a mark at the beginning
    except UnicodeDecodeError as error:
        raise LogCorruptError("backup_bad", path=str(path)) from error


def _put(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    info = zipfile.ZipInfo(name, _SAME_TIME)
    info.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(info, data)


@contextlib.contextmanager
def writing(path: Path) -> Iterator[io.BufferedWriter]:
    """A file to write, which takes its place at the end. Raises StorageError `file_not_written`."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        try:
            with part.open("wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            part.replace(path)
        except BaseException:
            with contextlib.suppress(OSError):
                part.unlink()
            raise
    except OSError as error:
        raise StorageError("file_not_written", path=str(path), reason=error.strerror or str(error)) from error
