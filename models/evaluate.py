"""Measure the reading, one row a photo.

python models/evaluate.py renders FOLDER [--csv OUT.csv]          pictures and sidecars of datasets/generate.py
python models/evaluate.py photos TRUTH.jsonl [--csv OUT.csv]      real photos with a truth file

--sheet OUT.png draws every wrong tile with its surroundings, by cause, see error_sheet.py.

Prints tiles right (recall), precision, hands exactly right, wrong totals without a doubt ('silent') and exact hands
that carry a doubt ('fuss'). A hand counts only where all its tiles are known.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from error_sheet import Mistake, Placed, counts, draw_sheet, mistakes_by_value, mistakes_with_places

from companion.errors import PhotoError
from companion.rules.tiles import Tile, TileSet
from companion.vision.photo import Photo
from companion.vision.reader import Reader
from companion.vision.readings import HandReading

WELL_SEEN = 0.9
"""Share of both halves that must be seen for a tile to be asked for; less is neither right nor wrong."""


@dataclass(frozen=True, slots=True)
class Row:
    """What came out of one photo."""

    photo: str
    source: str
    strict: bool
    complete: bool
    truth: str
    read: str
    tiles: int
    right: int
    extra: int
    exact: bool
    silent: bool
    fuss: bool
    seconds: float


@dataclass(frozen=True, slots=True)
class Case:
    """A photo and what is on it."""

    path: Path
    name: str
    source: str
    tiles: tuple[Tile, ...]
    optional: tuple[Tile, ...]
    """Tiles that are there but hardly seen."""
    complete: bool
    strict: bool
    max_pip: int
    placed: tuple[Placed, ...] = ()
    """All tiles and where they lie, also hidden ones and backs; only renders know."""

    def mistakes(self, photo: Photo, reading: HandReading) -> list[Mistake]:
        if self.placed:
            return mistakes_with_places(self.path, photo.pixels.shape, reading, list(self.placed), WELL_SEEN)
        return mistakes_by_value(self.path, photo.pixels.shape, reading, list(self.tiles)) if self.complete else []


def render_cases(folder: Path) -> Iterator[Case]:
    for path in sorted((folder / "truth").glob("*.json")):
        truth = json.loads(path.read_text(encoding="utf-8"))
        up = [t for t in truth["tiles"] if t["face_up"]]
        seen = tuple(Tile(t["a"], t["b"]) for t in up if min(t["visible"]) >= WELL_SEEN)
        hidden = tuple(Tile(t["a"], t["b"]) for t in up if min(t["visible"]) < WELL_SEEN)
        scene = truth["scene"]
        image = folder / "images" / f"{path.stem}.jpg"
        placed = tuple(
            Placed(Tile(t["a"], t["b"]), np.array(t["corners"]), min(t["visible"]), t["face_up"])
            for t in truth["tiles"]
        )
        yield Case(image, path.stem, scene["kind"], seen, hidden, not hidden, True, scene["style"]["max_pip"], placed)


def photo_cases(truth_file: Path) -> Iterator[Case]:
    for line in truth_file.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        tiles = tuple(Tile(*t) for t in row["tiles"])
        max_pip = int(row["set"]) if row["set"].isdigit() else 12
        source, path = row.get("origin", row.get("source", "")), truth_file.parent / row["file"]
        yield Case(path, path.name, source, tiles, (), row["complete"], row.get("strict", True), max_pip)


def measure(case: Case, reading: HandReading, seconds: float) -> Row:
    truth, read = Counter(case.tiles), Counter(reading.values)
    spare = Counter(case.optional)
    right = (truth & read).total()
    extra = (read - truth - spare).total()
    exact = case.complete and truth == read
    wrong_total = case.complete and sum(t.pips for t in read.elements()) != sum(t.pips for t in truth.elements())
    return Row(
        case.name,
        case.source,
        case.strict,
        case.complete,
        " ".join(map(str, sorted(truth.elements()))),
        " ".join(map(str, sorted(read.elements()))),
        truth.total(),
        right,
        extra,
        exact,
        wrong_total and not reading.is_doubtful,
        exact and reading.is_doubtful,
        round(seconds, 3),
    )


def evaluate(reader: Reader, cases: list[Case], mistakes: list[Mistake]) -> list[Row]:
    """A row for each photo; what is wrong is added to `mistakes`."""
    rows = []
    for number, case in enumerate(cases, 1):
        began = time.perf_counter()
        try:
            photo = Photo.from_path(case.path)
            reading = reader.read_hand(photo, TileSet(case.max_pip))
        except PhotoError as error:
            sys.exit(f"{case.name}: {error}")
        rows.append(measure(case, reading, time.perf_counter() - began))
        mistakes += case.mistakes(photo, reading)
        print(f"\r{number}/{len(cases)} photos ", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return rows


def summary(rows: list[Row]) -> dict[str, Any]:
    """The figures of some rows."""
    whole = [r for r in rows if r.complete]
    tiles, right = sum(r.tiles for r in rows), sum(r.right for r in rows)
    right_whole, extra = sum(r.right for r in whole), sum(r.extra for r in whole)
    hands = max(1, len(whole))
    return {
        "photos": len(rows),
        "tiles": tiles,
        "right": round(right / max(1, tiles), 4),
        "precision": round(right_whole / max(1, right_whole + extra), 4),
        "hands": len(whole),
        "exact": round(sum(r.exact for r in whole) / hands, 4),
        "silent": round(sum(r.silent for r in whole) / hands, 4),
        "fuss": round(sum(r.fuss for r in whole) / hands, 4),
        "seconds": round(sum(r.seconds for r in rows) / max(1, len(rows)), 3),
    }


def print_table(rows: list[Row]) -> None:
    groups = {"all": rows, "[strict]": [r for r in rows if r.strict]}
    for source in sorted({r.source for r in rows}):
        groups[source] = [r for r in rows if r.source == source]
    keys = list(summary(rows))
    print(f"{'':34}" + "".join(f"{key:>10}" for key in keys))
    for name, group in groups.items():
        print(f"{name[:33]:34}" + "".join(f"{value:>10}" for value in summary(group).values()))


def write_rows(rows: list[Row], path: Path) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        names = [f.name for f in fields(Row)]
        writer.writerow(names)
        for row in rows:
            writer.writerow([int(v) if isinstance(v := getattr(row, name), bool) else v for name in names])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=("renders", "photos"))
    parser.add_argument("source", type=Path)
    parser.add_argument("--csv", type=Path)
    parser.add_argument("--weights", type=Path)
    parser.add_argument("--wrong", action="store_true", help="a line for every hand that is not exact")
    parser.add_argument("--sheet", type=Path, help="a picture of every wrong tile")
    parser.add_argument("--every", type=int, default=1, help="only every n-th photo")
    args = parser.parse_args()
    cases = list((render_cases if args.kind == "renders" else photo_cases)(args.source))
    mistakes: list[Mistake] = []
    rows = evaluate(Reader.load(args.weights), cases[:: args.every], mistakes)
    print_table(rows)
    if args.wrong:
        for row in rows:
            if row.complete and not row.exact:
                print(f"{row.photo}: truth {row.truth} | read {row.read}{'  SILENT' if row.silent else ''}")
    print(counts(mistakes))
    if args.sheet:
        draw_sheet(mistakes, args.sheet)
    if args.csv:
        write_rows(rows, args.csv)


if __name__ == "__main__":
    main()
