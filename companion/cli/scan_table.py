"""`companion scan --table`: photos of a round's table in, its trains out."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import cast

import click

from companion.app.scanning import AnnotatedFolder, HandReader
from companion.app.table_scanning import (
    TableReader,
    TableScan,
    scan_tables,
    table_doubts,
    table_json,
    table_reading_lines,
    table_summary,
)
from companion.cli.codes import FAILED
from companion.cli.terminal import clear_progress, on_one_line, print_error, show_progress
from companion.errors import CompanionError, UsageError
from companion.rules.tiles import Tile, TileSet
from companion.text import Language, error_sentence, say


def run(
    photos: tuple[Path, ...],
    load_reader: Callable[[], HandReader],
    tile_set: TileSet,
    engines: Iterable[Tile],
    annotate: Path | None,
    as_json: bool,
    lang: Language,
) -> int:
    """Read the tables; returns the exit code. Raises UsageError."""
    engine = _the_engine(engines, tile_set)
    folder = AnnotatedFolder(annotate, photos) if annotate else None
    try:
        reader = cast(TableReader, load_reader())
    except CompanionError as error:
        if as_json:
            for path in photos:
                _print_json(TableScan(path, error=error), lang)
        raise
    went_wrong = False
    work = scan_tables(photos, reader, tile_set, engine)
    for n, path in enumerate(photos, start=1):
        if len(photos) > 1:
            show_progress(say("scan_progress", lang, n=n, total=len(photos), name=on_one_line(path.name)))
        result = next(work)
        clear_progress()
        copy, problem = None, result.error
        if folder:
            try:
                copy = _save(folder, result, lang)
            except CompanionError as error:  # what was read is still told, and the others are still read
                problem = error
        _print_json(result, lang) if as_json else _print_for_people(result, lang, copy)
        if problem:
            print_error(f"{on_one_line(str(path))}: {error_sentence(problem, lang)}")
            went_wrong = True
    return FAILED if went_wrong else 0


def _the_engine(engines: Iterable[Tile], tile_set: TileSet) -> Tile | None:
    given = sorted(engines)
    if not given:
        return None
    if len(given) > 1 or not given[0].is_double or given[0] not in tile_set:
        raise UsageError("scan_engine", max_pip=tile_set.max_pip)
    return given[0]


def _save(folder: AnnotatedFolder, result: TableScan, lang: Language) -> Path | None:
    from companion.vision.annotate import annotate_table  # here, because drawing is not always asked for

    if result.photo is None or result.reading is None:
        return None
    lines = [table_summary(result.reading, lang), *table_reading_lines(result.reading, lang)]
    lines += [f"? {line}" for line in table_doubts(result.reading, lang)]
    return folder.save_picture(result.path, annotate_table(result.photo, result.reading, lines))


def _print_json(result: TableScan, lang: Language) -> None:
    sentence = error_sentence(result.error, lang) if result.error else None
    click.echo(json.dumps(table_json(result, sentence), allow_nan=False))


def _print_for_people(result: TableScan, lang: Language, copy: Path | None) -> None:
    reading = result.reading
    if reading is None:
        return
    click.echo(f"{on_one_line(str(result.path))}: {table_summary(reading, lang)}")
    for line in table_reading_lines(reading, lang):
        click.echo(f"  {line}")
    doubts = table_doubts(reading, lang)
    if doubts:
        click.echo("  " + say("scan_please_check", lang))
    for line in doubts:
        click.echo(f"    ? {line}")
    if copy:
        click.echo("  " + say("scan_annotated", lang, path=on_one_line(str(copy))))
