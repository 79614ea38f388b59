"""Reading only what has changed says what reading everything says, and looks at less."""

import json
from pathlib import Path

import numpy as np
import pytest

from companion.rules.tiles import Tile, TileSet
from companion.vision.detector import Found
from companion.vision.evidence import Evidence
from companion.vision.frames import Video
from companion.vision.photo import Photo
from companion.vision.reader import Reader
from companion.vision.readings import TableReading
from companion.vision.seen import Seen
from companion.vision.tracker import Tracker, View

VIDEO = Path(__file__).parents[2] / "docs" / "video" / "round.mp4"
TRUTH = json.loads(VIDEO.with_suffix(".json").read_text("utf-8"))


def seen(*middles: tuple[float, float], width: float = 20, shape: tuple[int, int] = (600, 800)) -> Seen:
    """Upright tiles; each is told by its score."""
    corners = np.array([quad(x, y, width) for x, y in middles], np.float32).reshape(-1, 4, 2)
    n = len(corners)
    scores = np.column_stack([np.linspace(0.9, 0.8, n), np.zeros(n)]).astype(np.float32)
    evidence = Evidence(corners, scores, np.ones((n, 3), np.float32), np.ones((n, 2, 14), np.float32))
    things = Found(np.zeros((0, 4, 2), np.float32), np.zeros((0, 4), np.float32))
    return Seen(shape, evidence, np.zeros((n, 2, 64, 64, 3), np.float32), things, n)


def quad(x: float, y: float, width: float) -> list[tuple[float, float]]:
    w, h = width / 2, width
    return [(x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h)]


def middles(found: Seen) -> set[tuple[int, int]]:
    return {(round(float(x)), round(float(y))) for x, y in found.evidence.corners.mean(1)}


def test_what_a_change_has_touched_is_replaced_and_the_rest_is_kept() -> None:
    old, new = seen((100, 100), (300, 100), (500, 300)), seen((310, 100), (330, 105), (700, 500))
    changed = [(295, 85, 340, 120)]
    both = old.merged(changed, new.evidence, new.cut, new.things, (), (0.35, 0.6))
    assert middles(both) == {(100, 100), (310, 100), (330, 105), (500, 300)}
    assert both.looked == 3
    assert not both.whole
    assert len(both.cut) == 4


def test_a_tile_that_was_lifted_is_gone() -> None:
    old = seen((100, 100), (300, 100))
    none = seen()
    assert middles(old.merged([(290, 80, 310, 120)], none.evidence, none.cut, none.things, (), (0.35, 0.6))) == {
        (100, 100)
    }


def test_around_a_change_there_is_room_for_a_whole_tile_and_large_changes_are_read_as_a_whole() -> None:
    table = seen((100, 100), (300, 100))
    assert table.windows([(300, 300, 320, 340)]) == ((250, 250, 371, 391),)
    assert table.windows([(300, 300, 320, 340), (330, 300, 350, 340)]) == ((250, 250, 401, 391),), "one of both"
    assert table.windows([(0, 0, 800, 400)]) is None
    assert seen().windows([(300, 300, 320, 340)]) is None, "nothing tells how large a tile is"


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader.load()


def test_reading_a_part_says_what_reading_everything_says(reader: Reader) -> None:
    """Two moves of the video in docs: what was read of the picture before, and the changes, give the same table."""
    tracker, known = Tracker(), None
    compared = 0
    for frame in Video(VIDEO):
        assert frame.pixels is not None
        look = tracker.look(frame.time_s, frame.pixels)
        if look.view is not View.STILL or not look.regions:
            continue
        photo = Photo(frame.pixels, "")
        if known is None:
            _, known = reader.look_table(photo, TileSet(12), Tile(12, 12))
            assert known.whole
        else:
            part, known = reader.look_table(photo, TileSet(12), Tile(12, 12), (), known, look.regions)
            whole, everything = reader.look_table(photo, TileSet(12), Tile(12, 12))
            assert values(part) == values(whole)
            assert part.engine is not None
            assert abs(len(part.face_down) - len(whole.face_down)) <= 6, "at the rim some are found only at a look"
            assert known.looked < everything.looked / 3
            compared += 1
        tracker.accept()
        if compared == 2:
            break
    assert compared == 2
    assert values(part) == [((12, int(TRUTH["moves"][0]["outer"])),)]


def values(reading: TableReading) -> list[tuple[tuple[int, int], ...]]:
    return sorted(chain.values for chain in reading.chains)
