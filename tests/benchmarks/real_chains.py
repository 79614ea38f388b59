"""Which touching tiles are found as such in real photos: python -m tests.benchmarks.real_chains FOLDER [--unnamed].

FOLDER holds the photos that `tests/vision/data/chains.json` names, which tells what was seen in them by eye; the photos
themselves are not part of the project. A row for each photo, then the sums.
"""

import argparse
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from pathlib import Path

from companion.rules.tiles import Tile, TileSet
from companion.vision.photo import Photo
from companion.vision.reader import Reader
from companion.vision.readings import TableReading

TRUTH = Path(__file__).parents[1] / "vision" / "data" / "chains.json"

Pair = frozenset[Tile]
"""Two tiles that touch."""


@dataclass(frozen=True, slots=True)
class Scene:
    """What one photo shows."""

    file: str
    sha256: str
    """The first 16 digits of that of the file."""
    tile_set: TileSet
    pairs: tuple[frozenset[Pair], ...]
    """Pairs that touch with equal numbers. Of several one must be found: a tile may lie across a joint."""
    unlike: frozenset[Pair]
    """Pairs that touch as if laid, with numbers that differ."""
    engine: Tile | None
    """The double from which everything starts, where that is plain."""
    laid: bool
    """False: hands, in which nothing is laid on anything."""


@dataclass(frozen=True, slots=True)
class Count:
    """Pairs of one photo, or of many."""

    true: int = 0
    possible: int = 0
    """Of the true ones, so many can be found: all these are games in which tiles branch, but trains do not."""
    right: int = 0
    wrong: int = 0
    """Said to touch with equal numbers, and do not."""
    unlike: int = 0
    """Said to touch with numbers that differ, which is a doubt, and do not touch."""

    def __add__(self, other: "Count") -> "Count":
        return Count(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))

    @property
    def recall(self) -> float:
        """Share of the true pairs that were found."""
        return self.right / self.true if self.true else 1.0

    @property
    def precision(self) -> float:
        """Share of the pairs found that are true."""
        return self.right / (self.right + self.wrong) if self.right + self.wrong else 1.0


def load_scenes() -> list[Scene]:
    """All photos of which the truth is known."""
    return [
        Scene(
            row["file"],
            row["sha256"],
            TileSet(row["set"]),
            (*(frozenset({_pair(pair)}) for pair in row["pairs"]), *(_pairs(each) for each in row.get("either", ()))),
            _pairs(row.get("unlike", ())),
            _tile(row["engine"]) if "engine" in row else None,
            row.get("laid", True),
        )
        for row in json.loads(TRUTH.read_text())
    ]


def _tile(text: str) -> Tile:
    low, high = map(int, text.split("-"))
    return Tile(low, high)


def _pair(text: str) -> Pair:
    return frozenset(map(_tile, text.split("|")))


def _pairs(texts: Sequence[str]) -> frozenset[Pair]:
    return frozenset(map(_pair, texts))


def touching(table: TableReading) -> tuple[set[Pair], set[Pair]]:
    """The pairs of tiles that a reading says touch: with equal numbers, and with others."""
    equal: set[Pair] = set()
    unlike: set[Pair] = set()
    for chain in table.chains:
        ends = [(laid.reading.tile, laid.inner, laid.outer) for laid in chain.tiles]
        if chain.attached and table.engine is not None:
            engine = table.engine.tile
            ends.insert(0, (engine, engine.high, engine.high))
        for (tile, _, outer), (following, inner, _) in pairwise(ends):
            (equal if outer == inner else unlike).add(frozenset({tile, following}))
    return equal, unlike


def count(scene: Scene, table: TableReading) -> Count:
    """How well a photo was read."""
    equal, unlike = touching(table)
    right = sum(bool(ways & equal) for ways in scene.pairs)
    wrong = len(equal - frozenset[Pair]().union(*scene.pairs))
    touch = scene.unlike.union(*scene.pairs)
    return Count(len(scene.pairs), possible(scene), right, wrong, len(unlike - touch))


def possible(scene: Scene) -> int:
    """How many of the true pairs a table of trains can have: a half touches one other, the engine any number."""
    pairs = [next(iter(ways)) for ways in scene.pairs]
    doubles = {tile for pair in pairs for tile in pair if tile.is_double}
    return max(_most(pairs, engine) for engine in (doubles if scene.engine is None else {scene.engine}) | {None})


def _most(pairs: Sequence[Pair], engine: Tile | None) -> int:
    """The most pairs of which no half touches two; leaves out one after the other where too many meet."""
    for tile in frozenset[Tile]().union(*pairs) - {engine}:
        for number in {tile.low, tile.high}:
            here = [pair for pair in pairs if tile in pair and number in _shared(pair)]
            if len(here) > 1 + tile.is_double:
                return max(_most([pair for pair in pairs if pair != left], engine) for left in here)
    return len(pairs)


def _shared(pair: Pair) -> set[int]:
    a, b = pair
    return {a.low, a.high} & {b.low, b.high}


def find(scene: Scene, folder: Path) -> Path | None:
    """The photo, in `folder` or in its `images`; None where it is not there, or another one is."""
    for path in (folder / scene.file, folder / "images" / scene.file):
        if path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest().startswith(scene.sha256):
            return path
    return None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--unnamed", action="store_true", help="do not tell which double is the engine")
    args = parser.parse_args()
    reader = Reader.load()
    sums = {True: Count(), False: Count()}
    photos = dict.fromkeys(sums, 0)
    for scene in load_scenes():
        path = find(scene, args.folder)
        if path is None:
            print(f"{scene.file}: not there")
            continue
        table = reader.read_table(Photo.from_path(path), scene.tile_set, None if args.unnamed else scene.engine)
        each = count(scene, table)
        sums[scene.laid] += each
        photos[scene.laid] += 1
        print(f"{path.stem}: {_words(each)}{'' if scene.laid else ', a hand'}", flush=True)
        for pair in sorted(touching(table)[0] - frozenset[Pair]().union(*scene.pairs), key=sorted):
            print("    wrong:", *sorted(pair))
        for ways in scene.pairs:
            if not ways & touching(table)[0]:
                print("    not found:", " or ".join(" ".join(map(str, sorted(pair))) for pair in ways))
    for laid, name in ((True, "photos of chains"), (False, "photos of hands")):
        total = sums[laid]
        print(f"{photos[laid]} {name}: {_words(total)}; recall {total.recall:.3f}, precision {total.precision:.3f}")


def _words(each: Count) -> str:
    return (
        f"right {each.right} of {each.true} ({each.possible} possible), wrong {each.wrong}, "
        f"differing where nothing touches {each.unlike}"
    )


if __name__ == "__main__":
    main()
