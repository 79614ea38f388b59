"""From photos of the table to its trains, in data and in words; nothing here knows a game."""

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from companion.app.scan_words import doubt_words
from companion.app.scanning import reading_errors, tile_json
from companion.errors import CompanionError
from companion.rules.tiles import Tile, TileSet
from companion.text import Language, say
from companion.vision.photo import Photo
from companion.vision.readings import Chain, Doubt, KnownChain, TableReading, TileReading


class TableReader(Protocol):
    """What reads a photo of a table: `companion.vision.reader.Reader`, or a stand-in."""

    @property
    def version(self) -> str:
        """Of the model."""

    def read_table(
        self, photo: Photo, tile_set: TileSet, engine: Tile | None = None, before: Sequence[KnownChain] = ()
    ) -> TableReading:
        """Read the table of a round."""


@dataclass(frozen=True, slots=True, eq=False)
class TableScan:
    """One photo of a table, read or not."""

    path: Path
    """As it was given."""
    photo: Photo | None = None
    """None where it could not be decoded."""
    reading: TableReading | None = None
    """None where there is an error."""
    seconds: float = 0.0
    """For decoding and reading."""
    model: str | None = None
    """Version of the model; None where none could be loaded."""
    error: CompanionError | None = None
    """Why there is no reading."""


def scan_tables(
    paths: Iterable[Path], reader: TableReader, tile_set: TileSet, engine: Tile | None = None
) -> Iterator[TableScan]:
    """Read photos of tables, one result for each in the order given; an error is a part of its result."""
    for path in paths:
        began = time.perf_counter()
        photo = reading = error = None
        try:
            photo = Photo.from_path(path)
            reading = read_table_photo(reader, photo, tile_set, engine)
        except CompanionError as caught:
            error = caught
        yield TableScan(path, photo, reading, time.perf_counter() - began, reader.version, error)


def read_table_photo(
    reader: TableReader,
    photo: Photo,
    tile_set: TileSet,
    engine: Tile | None = None,
    before: Sequence[KnownChain] = (),
) -> TableReading:
    """Read one photo; whatever goes wrong inside a model is a VisionError, never an empty table."""
    with reading_errors():
        return reader.read_table(photo, tile_set, engine, before)


def table_json(scan: TableScan, error_sentence: str | None) -> dict[str, Any]:
    """A result as plain data, ready for JSON; keys are always the same."""
    photo, reading = scan.photo, scan.reading
    return {
        "photo": str(scan.path),
        "width": photo.width if photo else None,
        "height": photo.height if photo else None,
        "engine": tile_json(reading.engine) if reading and reading.engine else None,
        "chains": [_chain_json(chain) for chain in reading.chains] if reading else [],
        "loose": [tile_json(tile) for tile in reading.loose] if reading else [],
        "face_down": len(reading.face_down) if reading else 0,
        "unreadable": len(reading.unreadable) if reading else 0,
        "markers": [_corners_json(box.corners) for box in reading.markers] if reading else [],
        "station": _corners_json(reading.station.corners) if reading and reading.station else None,
        "doubts": sorted(reading.doubts) if reading else [],
        "seconds": round(scan.seconds, 3),
        "model": scan.model,
        "error": error_sentence,
    }


def _chain_json(chain: Chain) -> dict[str, Any]:
    return {
        "attached": chain.attached,
        "heading": round(chain.heading, 4),
        "start": [round(value, 1) for value in chain.start],
        "doubts": sorted(chain.doubts),
        "tiles": [{"inner": t.inner, "outer": t.outer} | tile_json(t.reading) for t in chain.tiles],
    }


def _corners_json(corners: Iterable[Iterable[float]]) -> list[list[float]]:
    return [[round(float(value), 1) for value in corner] for corner in corners]


def table_summary(reading: TableReading, lang: Language) -> str:
    """The engine, and how many trains and tiles there are; or that there is no tile."""
    tiles = sum(len(chain.tiles) for chain in reading.chains)
    if reading.engine is None and not tiles and not reading.loose:
        return say("scan_no_tile", lang)
    if reading.engine is None:
        return say("scan_table_summary", lang, trains=len(reading.chains), tiles=tiles)
    return say("scan_table_summary_engine", lang, engine=reading.engine.tile, trains=len(reading.chains), tiles=tiles)


def table_reading_lines(reading: TableReading, lang: Language) -> list[str]:
    """A numbered line for each train, from the engine outwards, then what lies in none."""
    lines = [_chain_line(number, chain, lang) for number, chain in enumerate(reading.chains, start=1)]
    if reading.loose:
        lines.append(say("scan_table_loose", lang, tiles=tuple(tile.tile for tile in reading.loose)))
    if reading.face_down:
        lines.append(say("scan_table_face_down", lang, n=len(reading.face_down)))
    if reading.markers:
        lines.append(say("scan_table_markers", lang, n=len(reading.markers)))
    return lines


def _chain_line(number: int, chain: Chain, lang: Language) -> str:
    tiles = " ".join(f"{t.inner}-{t.outer}{'?' if t.reading.doubts else ''}" for t in chain.tiles)
    return say("scan_table_train" if chain.attached else "scan_table_train_apart", lang, n=number, tiles=tiles)


def table_doubts(reading: TableReading, lang: Language) -> list[str]:
    """A line for each tile, train and kind of place that a person should look at."""
    lines = []
    engine = [reading.engine] if reading.engine else []
    for number, chain in enumerate(reading.chains, start=1):
        lines += [_tile_doubt(laid.reading, lang) for laid in chain.tiles if laid.reading.doubts]
        of_tiles = {doubt for laid in chain.tiles for doubt in laid.reading.doubts}
        if rest := chain.doubts - of_tiles:
            lines.append(say("scan_table_train_doubt", lang, n=number, doubts=doubt_words(rest, lang)))
    lines += [_tile_doubt(tile, lang) for tile in (*engine, *reading.loose) if tile.doubts]
    if Doubt.UNREADABLE in reading.doubts:
        lines.append(say("scan_unreadable", lang, n=len(reading.unreadable)))
    if others := reading.doubts - {Doubt.UNREADABLE}:
        lines.append(say("scan_photo_doubt", lang, doubts=doubt_words(others, lang)))
    return lines


def _tile_doubt(tile: TileReading, lang: Language) -> str:
    return say("scan_tile_doubt", lang, tile=tile.tile, doubts=doubt_words(tile.doubts, lang))
