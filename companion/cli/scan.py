"""`companion scan`: photos in, tiles and points out."""

import json
from pathlib import Path
from typing import Any

import click

from companion.app.scan_words import annotation_lines, hint_lines, summary, things_to_check
from companion.app.scanning import (
    AnnotatedFolder,
    HandReader,
    MergedScan,
    ScanResult,
    failed,
    merge_scans,
    merged_json,
    scan,
    scan_json,
)
from companion.cli import scan_table
from companion.cli.codes import FAILED
from companion.cli.localized import Command, Option, current_language
from companion.cli.parameters import Integer, SetSize, Tiles
from companion.cli.saving import save_options, save_scan
from companion.cli.terminal import clear_progress, on_one_line, print_error, show_progress, table
from companion.errors import CompanionError, UsageError
from companion.rules.tiles import Tile, TileSet
from companion.text import Language, error_sentence, say


def load_reader() -> HandReader:
    """The reader with the weights of this installation. Raises ModelMissingError, ModelMismatchError."""
    from companion.vision.reader import Reader  # here, because the networks take a while to import

    return Reader.load()


def run(
    photos: tuple[Path, ...],
    tile_set: TileSet,
    taken: frozenset[Tile],
    blank_points: int,
    as_json: bool,
    annotate: Path | None,
    merge: bool,
    as_table: bool,
    engine: frozenset[Tile],
    save: tuple[str, str] | None,
    **saving: Any,
) -> int:
    """Read the photos; returns the exit code. Raises UsageError."""
    lang = current_language()
    if as_table:
        others = (
            *_for_saving(saving),
            ("--taken", taken),
            ("--blank-points", blank_points),
            ("--merge", merge),
            ("--save", save),
        )
        if without := [name for name, value in others if value]:
            raise UsageError("scan_table_without", option=without[0])
        return scan_table.run(photos, load_reader, tile_set, engine, annotate, as_json, lang)
    if engine:
        raise UsageError("scan_engine_with_table")
    if save is None and (alone := [name for name, value in _for_saving(saving) if value]):
        raise UsageError("scan_needs_save", option=alone[0])
    if save is not None:
        shown = print_json if as_json else print_for_people
        return save_scan(
            photos, load_reader, lambda result: shown(result, lang), save, merge=merge, as_json=as_json, **saving
        )
    for tile in sorted(taken):
        if tile not in tile_set:
            raise UsageError("taken_not_in_set", tile=tile, max_pip=tile_set.max_pip)
    folder = AnnotatedFolder(annotate, photos) if annotate else None
    try:
        reader = load_reader()
    except CompanionError as error:
        if as_json and merge:
            print_json(merge_scans([failed(path, error) for path in photos]), lang)
        elif as_json:
            for path in photos:
                print_json(failed(path, error), lang)
        raise
    results: list[ScanResult] = []
    went_wrong = False
    work = scan(photos, reader, tile_set, taken, blank_points)
    for n, path in enumerate(photos, start=1):
        if len(photos) > 1:
            show_progress(say("scan_progress", lang, n=n, total=len(photos), name=on_one_line(path.name)))
        result = next(work)
        clear_progress()
        copy, problem = None, result.error
        if folder and result.reading:
            try:
                copy = folder.save(result, annotation_lines(result, lang))
            except CompanionError as error:  # what was read is still told, and the others are still read
                problem = error
        if not merge:
            print_json(result, lang) if as_json else print_for_people(result, lang, copy)
        elif copy and not as_json:
            click.echo(say("scan_annotated", lang, path=on_one_line(str(copy))))
        if problem:
            print_error(f"{on_one_line(str(path))}: {error_sentence(problem, lang)}")
            went_wrong = True
        results.append(result)
    if merge:
        hand = merge_scans(results, blank_points)
        print_json(hand, lang) if as_json else print_for_people(hand, lang)
    elif len(results) > 1 and not as_json:
        click.echo("\n" + results_table(results, lang))
    return FAILED if went_wrong else 0


def _for_saving(saving: dict[str, Any]) -> tuple[tuple[str, Any], ...]:
    """The options that mean something only for a hand that is written down."""
    names = {"fixes": "--fix", "accept": "--accept", "keep_photo": "--keep-photo", "number": "--round", "why": "--why"}
    return tuple((name, saving[key]) for key, name in (*names.items(), ("who", "--as")))


def print_json(result: ScanResult | MergedScan, lang: Language) -> None:
    """One line of JSON, in ASCII, so that it survives every encoding."""
    sentence = error_sentence(result.error, lang) if result.error else None
    data = merged_json(result, sentence) if isinstance(result, MergedScan) else scan_json(result, sentence)
    click.echo(json.dumps(data, allow_nan=False))


def print_for_people(result: ScanResult | MergedScan, lang: Language, copy: Path | None = None) -> None:
    """A hand's points, its tiles, what to check, and what would make a better photo."""
    if result.reading is None:
        return
    photos = result.photos if isinstance(result, MergedScan) else (result,)
    click.echo(f"{' + '.join(on_one_line(str(photo.path)) for photo in photos)}: {summary(result, lang)}")
    if result.reading.tiles:
        click.echo("  " + "  ".join(f"{tile.tile}{'?' if tile.doubts else ''}" for tile in result.reading.tiles))
    lines = things_to_check(result.reading, lang)
    if lines:
        click.echo("  " + say("scan_please_check", lang))
    for line in lines:
        click.echo(f"    ? {line}")
    hints = hint_lines(result.reading, lang)
    if hints:
        click.echo("  " + say("scan_better_photo", lang))
    for line in hints:
        click.echo(f"    {line}")
    if copy:
        click.echo("  " + say("scan_annotated", lang, path=on_one_line(str(copy))))


def results_table(results: list[ScanResult], lang: Language) -> str:
    """All photos at a glance, with the points of all together."""
    rows = [[say(f"scan_column_{name}", lang) for name in ("photo", "tiles", "points", "check")]]
    for result in results:
        if result.reading is None:
            rows.append([on_one_line(result.path.name), "", "", say("scan_cell_failed", lang)])
            continue
        doubts = len(things_to_check(result.reading, lang))
        check = say("scan_cell_doubts", lang, n=doubts) if doubts else ""
        rows.append([on_one_line(result.path.name), str(len(result.reading.tiles)), str(result.points), check])
    tiles = sum(len(result.reading.tiles) for result in results if result.reading)
    rows.append([say("scan_total", lang), str(tiles), str(sum(result.points or 0 for result in results)), ""])
    return table(rows, numbers=(1, 2))


command = Command(
    "scan",
    callback=run,
    params=[
        click.Argument(["photos"], nargs=-1, required=True, type=click.Path(path_type=Path), metavar="PHOTO..."),
        Option(
            ["tile_set", "--set"], type=SetSize(), default=TileSet(12), metavar="6|9|12|15|18", help="help_scan_set"
        ),
        Option(["--taken"], type=Tiles(), default=frozenset(), metavar="3-12,0-0", help="help_scan_taken"),
        Option(["--blank-points"], type=Integer(0, 1000), default=0, metavar="N", help="help_scan_blank_points"),
        Option(["as_json", "--json"], is_flag=True, help="help_json"),
        Option(["--annotate"], type=click.Path(path_type=Path), metavar="FOLDER", help="help_scan_annotate"),
        Option(["--merge"], is_flag=True, help="help_scan_merge"),
        Option(["as_table", "--table"], is_flag=True, help="help_scan_table"),
        Option(["--engine"], type=Tiles(), default=frozenset(), metavar="12-12", help="help_scan_engine"),
        *save_options(),
    ],
)
