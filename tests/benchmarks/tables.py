"""Tables read as wholes from pictures that were made somewhere: `python -m tests.benchmarks.tables FOLDER FILE.csv`.

FOLDER is what `datasets/generate.py` made of a recipe with the layout 'round' (`cycles-tables.toml` with `--renderer
cycles`). Each picture is read once, with nothing known but the engine of the round, as the log knows it. One line of
figures a picture. A table is exact when engine and all trains are, tile for tile from the engine outwards.
"""

import argparse
import csv
import json
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2

from companion.rules.tiles import Tile, TileSet
from companion.vision.photo import Photo
from companion.vision.reader import Reader
from companion.vision.readings import TableReading
from tests.app.table_pictures import hits
from tests.vision.tables import Values, read_chains

FIGURES = (
    "exact", "doubted", "chains", "chains right", "tiles", "tiles right", "no tiles", "backs", "backs right",
    "backs seen", "markers", "markers right", "markers seen",
)  # fmt: skip


def true_chains(truth: dict[str, Any]) -> Values:
    """The numbers of every train, each tile's inner half first."""
    tiles = truth["scene"]["tiles"]
    found = []
    for chain in truth["round"]["chains"]:
        pips, numbers = tiles[truth["round"]["engine"]]["a"], []
        for tile in (tiles[k] for k in chain["tiles"]):
            outer = tile["b"] if tile["a"] == pips else tile["a"]
            numbers.append((pips, outer))
            pips = outer
        if numbers:
            found.append(tuple(numbers))
    assert all(a[1] == b[0] for chain in found for a, b in pairwise(chain))
    return frozenset(found)


def figures(truth: dict[str, Any], engine: Tile, reading: TableReading) -> Counter[str]:
    """What was seen of one table."""
    true, seen = true_chains(truth), read_chains(reading)
    laid = [each.reading.tile for chain in reading.chains for each in chain.tiles]
    read = Counter([*laid, *(tile.tile for tile in reading.loose)])
    up = Counter(Tile(*pair) for chain in true for pair in chain)
    backs = [tile["corners"] for tile in truth["tiles"] if not tile["face_up"] and not tile["standing"]]
    markers = [thing["corners"] for thing in truth["things"] if thing["kind"] == "marker" and thing["visible"] > 0.5]
    found = Counter(dict.fromkeys(FIGURES, 0))
    found["exact"] = true == seen and reading.engine is not None and reading.engine.tile == engine
    found["doubted"] = bool(reading.doubts)
    found["chains"], found["chains right"] = len(true), len(true & seen)
    found["tiles"], found["tiles right"] = up.total(), (up & read).total()
    found["no tiles"] = (read - up).total()
    found["backs"], found["backs seen"] = len(backs), len(reading.face_down)
    found["backs right"] = hits(backs, [box.corners for box in reading.face_down])
    found["markers"], found["markers seen"] = len(markers), len(reading.markers)
    found["markers right"] = hits(markers, [box.corners for box in reading.markers])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("file", type=Path)
    parser.add_argument("--weights", type=Path)
    given = parser.parse_args()
    cv2.setNumThreads(1)
    reader = Reader.load(given.weights)
    total: Counter[str] = Counter()
    paths = sorted((given.folder / "truth").glob("*.json"))
    with given.file.open("w", newline="") as file:
        writer = csv.DictWriter(file, ("picture", "players", *FIGURES), lineterminator="\n")
        writer.writeheader()
        for path in paths:
            truth = json.loads(path.read_text(encoding="utf-8"))
            scene = truth["scene"]
            centre = scene["tiles"][truth["round"]["engine"]]
            engine = Tile(centre["a"], centre["b"])
            photo = Photo.from_path(given.folder / "images" / f"{path.stem}.jpg")
            reading = reader.read_table(photo, TileSet(scene["style"]["max_pip"]), engine)
            row = figures(truth, engine, reading)
            total += row
            players = sum(chain["owner"] is not None for chain in truth["round"]["chains"])
            writer.writerow({"picture": path.stem, "players": players, **{name: int(row[name]) for name in FIGURES}})
            print(f"\r{path.stem}: {'exact' if row['exact'] else 'wrong'} ", end="", flush=True)
    share = {name: f"{total[f'{name} right']} of {total[name]}" for name in ("chains", "tiles", "backs", "markers")}
    print(
        f"\n{total['exact']} of {len(paths)} tables exact; chains {share['chains']}, tiles {share['tiles']} "
        f"(+{total['no tiles']}), backs {share['backs']} ({total['backs seen']} seen), markers {share['markers']} "
        f"({total['markers seen']} seen); {total['doubted']} with a doubt"
    )


if __name__ == "__main__":
    main()
