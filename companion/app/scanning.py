"""From photos to counted hands."""

import math
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from companion.errors import CompanionError, UsageError, VisionError
from companion.rules.tiles import Tile, TileSet
from companion.vision.annotate import annotate
from companion.vision.merge import merge_hands, together
from companion.vision.photo import Photo
from companion.vision.readings import HandReading, TileReading


class HandReader(Protocol):
    """What reads a photo: `companion.vision.reader.Reader`, or a stand-in."""

    @property
    def version(self) -> str:
        """Of the model."""

    def read_hand(self, photo: Photo, tile_set: TileSet, taken: frozenset[Tile]) -> HandReading:
        """Read all tiles of a photo."""


@dataclass(frozen=True, slots=True, eq=False)
class ScanResult:
    """One photo, read or not."""

    path: Path
    """As it was given."""
    photo: Photo | None = None
    """None where it could not be decoded."""
    reading: HandReading | None = None
    """None where there is an error; no tile found is an empty reading."""
    points: int | None = None
    """What the hand counts; None where there is an error."""
    seconds: float = 0.0
    """For decoding and reading."""
    model: str | None = None
    """Version of the model; None where none could be loaded."""
    error: CompanionError | None = None
    """Why there is no reading."""


def scan(
    paths: Iterable[Path],
    reader: HandReader,
    tile_set: TileSet,
    taken: frozenset[Tile] = frozenset(),
    blank_points: int = 0,
) -> Iterator[ScanResult]:
    """Read photos, one result for each in the order given; an error is a part of its result.

    `taken` are tiles known to be elsewhere, `blank_points` is what 0-0 counts (R-SCORE-2).
    """
    for path in paths:
        began = time.perf_counter()
        photo = reading = points = error = None
        try:
            photo = Photo.from_path(path)
            reading = read_photo(reader, photo, tile_set, taken)
            points = hand_points(reading.values, blank_points)
        except CompanionError as caught:
            error = caught
        yield ScanResult(path, photo, reading, points, time.perf_counter() - began, reader.version, error)


@dataclass(frozen=True, slots=True, eq=False)
class MergedScan:
    """Several photos of one hand."""

    photos: tuple[ScanResult, ...]
    """Each as it was read by itself."""
    parts: tuple[HandReading, ...] = ()
    """What each photo adds: a tile that several show is in the part of the one that shows it best."""
    reading: HandReading | None = None
    """All parts as one hand; None where a photo could not be read."""
    points: int | None = None
    """What the hand counts."""

    @property
    def error(self) -> CompanionError | None:
        """Why there is no reading: what went wrong with the first photo that failed."""
        return next((photo.error for photo in self.photos if photo.error), None)


def merge_scans(photos: Sequence[ScanResult], blank_points: int = 0) -> MergedScan:
    """One hand from the photos of it; a hand of which a photo could not be read is not put together."""
    readings = [photo.reading for photo in photos if photo.reading is not None]
    if len(readings) < len(photos):
        return MergedScan(tuple(photos))
    parts = merge_hands(readings)
    hand = together(parts)
    return MergedScan(tuple(photos), parts, hand, hand_points(hand.values, blank_points))


def failed(path: Path, error: CompanionError) -> ScanResult:
    """The result for a photo that was not even tried, because the model cannot be loaded."""
    return ScanResult(path, error=error)


@contextmanager
def reading_errors() -> Iterator[None]:
    """Whatever goes wrong inside a model is a VisionError `reading_failed`."""
    try:
        yield
    except CompanionError:
        raise
    except Exception as error:
        raise VisionError("reading_failed", reason=type(error).__name__) from error


def read_photo(reader: HandReader, photo: Photo, tile_set: TileSet, taken: frozenset[Tile]) -> HandReading:
    """Read one photo; whatever goes wrong inside a model is a VisionError, never 'no tile found'."""
    with reading_errors():
        reading = reader.read_hand(photo, tile_set, taken)
    if not all(map(_is_finite, reading.tiles)):
        raise VisionError("reading_failed", reason="NaN")
    return reading


def _is_finite(tile: TileReading) -> bool:
    numbers = [tile.confidence, *(half.confidence for half in tile.halves), *tile.box.corners.ravel()]
    return all(map(math.isfinite, numbers))


def hand_points(tiles: Iterable[Tile], blank_points: int = 0) -> int:
    """What a hand counts: all its pips, and `blank_points` for 0-0 (R-SCORE-1, R-SCORE-2)."""
    return int(sum(tile.pips if tile.pips else blank_points for tile in tiles))


def scan_json(result: ScanResult, error_sentence: str | None) -> dict[str, Any]:
    """A result as plain data, ready for JSON: no NaN, whole numbers as int, keys always the same."""
    photo, reading = result.photo, result.reading
    return {
        "photo": str(result.path),
        "width": photo.width if photo else None,
        "height": photo.height if photo else None,
        "tiles": [tile_json(tile) for tile in reading.tiles] if reading else [],
        "face_down": len(reading.face_down) if reading else 0,
        "points": result.points,
        "doubts": sorted(reading.doubts) if reading else [],
        "hints": sorted(reading.hints) if reading else [],
        "seconds": round(result.seconds, 3),
        "model": result.model,
        "error": error_sentence,
    }


def merged_json(scan: MergedScan, error_sentence: str | None) -> dict[str, Any]:
    """Several photos of one hand as plain data: as for one photo, with `photos` and which of them shows each tile."""
    reading = scan.reading
    return {
        "photos": [
            {
                "photo": str(one.path),
                "width": one.photo.width if one.photo else None,
                "height": one.photo.height if one.photo else None,
                "seconds": round(one.seconds, 3),
            }
            for one in scan.photos
        ],
        "tiles": [tile_json(tile) | {"photo": n} for n, part in enumerate(scan.parts) for tile in part.tiles],
        "face_down": len(reading.face_down) if reading else 0,
        "points": scan.points,
        "doubts": sorted(reading.doubts) if reading else [],
        "hints": sorted(reading.hints) if reading else [],
        "seconds": round(sum(one.seconds for one in scan.photos), 3),
        "model": scan.photos[0].model if scan.photos else None,
        "error": error_sentence,
    }


def tile_json(tile: TileReading) -> dict[str, Any]:
    """A tile as plain data."""
    return {
        "low": int(tile.tile.low),
        "high": int(tile.tile.high),
        "confidence": round(float(tile.confidence), 4),
        "corners": [[round(float(x), 1), round(float(y), 1)] for x, y in tile.box.corners],
        "halves": [
            {"pips": int(half.pips), "confidence": round(float(half.confidence), 4), "runner_up": int(half.runner_up)}
            for half in tile.halves
        ],
        "doubts": sorted(tile.doubts),
    }


_COPY_MARK = b"Annotated copy, made by the Mexican Train companion"


class AnnotatedFolder:
    """Where annotated copies go; nothing is ever overwritten but copies of an earlier run."""

    def __init__(self, path: Path, photos: Iterable[Path]) -> None:
        """Make the folder. Raises UsageError if that cannot be done."""
        self._path = path
        self._used = {os.path.realpath(photo) for photo in photos}  # pathlib refuses links that go in a circle
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise _not_writable(path, error) from error

    def save(self, result: ScanResult, lines: Iterable[str]) -> Path | None:
        """Save the annotated copy of a photo as JPEG; None if there is no reading. Raises UsageError."""
        if result.photo is None or result.reading is None:
            return None
        return self.save_picture(result.path, annotate(result.photo, result.reading, tuple(lines)))

    def save_picture(self, photo: Path, pixels: NDArray[np.uint8]) -> Path:
        """Save an annotated copy (H, W, 3) RGB of the photo at this path as JPEG. Raises UsageError."""
        path, n = self._path / f"{photo.stem}-read.jpg", 2
        while os.path.realpath(path) in self._used or not _is_free(path):
            path, n = self._path / f"{photo.stem}-read-{n}.jpg", n + 1
        self._used.add(os.path.realpath(path))
        picture = Image.fromarray(pixels)
        try:
            picture.save(path, quality=90, comment=_COPY_MARK)
        except OSError as error:
            raise _not_writable(path, error) from error
        return path


def _is_free(path: Path) -> bool:
    """May a copy be written here? Yes if nothing is there, or a copy of an earlier run, by the mark in it."""
    try:
        if not os.path.lexists(path):
            return True
        if path.is_symlink() or not path.is_file():
            return False
        with Image.open(path, formats=["JPEG"]) as picture:
            return picture.info.get("comment") == _COPY_MARK
    except Exception:  # whatever it is, it is not ours
        return False


def _not_writable(path: Path, error: OSError) -> UsageError:
    return UsageError("folder_not_writable", path=str(path), reason=error.strerror or type(error).__name__)
