"""Touching tiles in real photos, where those are at hand: beside the project, in `shared/photos`."""

from pathlib import Path

import pytest

from companion.rules.tiles import Tile, TileSet
from companion.vision.photo import Photo
from companion.vision.reader import Reader
from companion.vision.readings import TableReading
from tests.benchmarks.real_chains import Count, Scene, count, find, load_scenes, possible

PHOTOS = Path(__file__).parents[3] / "shared" / "photos"


@pytest.mark.skipif(not PHOTOS.is_dir(), reason="the real photos are not part of the project: ../shared/photos")
def test_touching_tiles_are_found_in_real_photos() -> None:
    reader = Reader.load()
    total = Count()
    for scene in load_scenes():
        if scene.laid:
            path = find(scene, PHOTOS)
            assert path is not None, scene.file
            total += count(scene, reader.read_table(Photo.from_path(path), scene.tile_set, scene.engine))
    assert total.true == 128
    assert total.recall >= 0.86
    assert total.precision >= 0.98
    assert total.unlike <= 3


def test_the_truth_is_of_pairs_that_share_a_number() -> None:
    scenes = load_scenes()
    assert len({scene.file for scene in scenes}) == len(scenes)
    for scene in scenes:
        for pair in frozenset().union(*scene.pairs):
            a, b = pair
            assert {a.low, a.high} & {b.low, b.high}, (scene.file, a, b)
        assert not scene.unlike & frozenset().union(*scene.pairs)
        assert scene.laid or not scene.pairs


def test_a_reading_without_chains_finds_nothing_and_says_nothing_wrong() -> None:
    empty = TableReading(None, ())
    each = [count(scene, empty) for scene in load_scenes()]
    assert sum(c.right + c.wrong + c.unlike for c in each) == 0
    assert sum(c.true for c in each) == 128


def test_where_a_half_touches_two_only_one_pair_is_possible() -> None:
    def scene(*pairs: tuple[Tile, Tile], engine: Tile | None = None) -> Scene:
        ways = tuple(frozenset({frozenset(pair)}) for pair in pairs)
        return Scene("", "", TileSet(12), ways, frozenset(), engine, True)

    tee = [(Tile(1, 2), Tile(2, n)) for n in (3, 4)]
    cross = [(Tile(6, 6), Tile(n, 6)) for n in range(4)]
    assert possible(scene(*tee)) == 1
    assert possible(scene(*cross)) == 4  # the double may be the engine
    assert possible(scene(*cross, (Tile(0, 6), Tile(0, 1)), engine=Tile(0, 0))) == 3
