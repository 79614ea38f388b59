from collections import Counter
from pathlib import Path

import numpy as np
from error_sheet import CAUSES, Placed, counts, draw_sheet, mistakes_by_value, mistakes_with_places
from PIL import Image

from companion.rules.tiles import Tile
from companion.vision.readings import Doubt, HandReading
from tests.hands import box, grey_photo, tile

SHAPE = (480, 640, 3)


def placed(name: str, x: float, y: float, seen: float = 1.0, face_up: bool = True, width: float = 60) -> Placed:
    return Placed(Tile.parse(name), box(x, y, width, 2 * width).corners, seen, face_up)


def test_each_wrong_tile_has_its_cause() -> None:
    truth = [
        placed("1-2", 50, 50), placed("3-4", 150, 50), placed("5-6", 250, 50), placed("0-0", 350, 50, face_up=False),
        placed("2-2", 450, 50), placed("7-8", 550, 50, seen=0.4), placed("9-9", 50, 250),
    ]  # fmt: skip
    reading = HandReading(
        (
            tile("1-2", box(52, 48)),
            tile("3-5", box(150, 50), Doubt.LOW_CONFIDENCE),
            tile("2-2", box(450, 50)),
            tile("2-3", box(455, 60)),
            tile("0-0", box(350, 50)),
            tile("6-6", box(300, 300)),
            tile("1-1", box(550, 50)),
        ),
        unreadable=(box(50, 250),),
    )
    found = mistakes_with_places(Path("x.jpg"), SHAPE, reading, truth, 0.9)
    told = Counter((m.cause, m.truth, m.read, m.silent) for m in found)
    assert told == Counter(
        [
            ("misread", "3-4", "3-5", False),
            ("missed", "5-6", "-", True),
            ("split", "2-2", "2-3", True),
            ("phantom", "back", "0-0", True),
            ("phantom", "-", "6-6", True),
            ("unreadable", "9-9", "-", False),
        ]
    )
    assert mistakes_with_places(Path("x"), SHAPE, HandReading((tile("1-2", box(50, 50)),)), truth[:1], 0.9) == []


def test_what_may_have_made_it_hard_is_told() -> None:
    truth = [placed("1-2", 600, 50), placed("3-4", 100, 50), placed("5-6", 161, 50), placed("0-1", 300, 300, width=16)]
    found = mistakes_with_places(Path("x.jpg"), SHAPE, HandReading(()), truth, 0.9)
    assert {m.truth: m.tags for m in found} == {
        "1-2": ("cut",), "3-4": ("neighbour",), "5-6": ("neighbour",), "0-1": ("small",),
    }  # fmt: skip


def test_without_places_what_is_too_much_is_paired_with_what_is_missing() -> None:
    reading = HandReading((tile("3-11"), tile("1-1"), tile("1-1"), tile("8-8")))
    truth = [Tile(3, 12), Tile(1, 1), Tile(0, 6)]
    found = mistakes_by_value(Path("x"), SHAPE, reading, truth)
    assert Counter((m.cause, m.truth, m.read) for m in found) == Counter(
        [("misread", "3-12", "3-11"), ("split", "-", "1-1"), ("phantom", "-", "8-8"), ("missed", "0-6", "-")]
    )


def test_the_sheet_shows_every_one(tmp_path: Path) -> None:
    path = grey_photo(tmp_path / "a.png")
    truth = [placed("1-2", 50, 50), placed("3-4", 150, 50)]
    found = mistakes_with_places(path, SHAPE, HandReading(()), truth, 0.9)
    found += mistakes_by_value(path, SHAPE, HandReading(()), [Tile(0, 6)])
    draw_sheet(found, tmp_path / "sheet.png")
    with Image.open(tmp_path / "sheet.png") as sheet:
        pixels = np.asarray(sheet)
    assert ((pixels == (255, 60, 60)).all(2)).any(), "the places are outlined"
    assert counts(found).startswith("3 wrong: missed 3")
    assert {m.cause for m in found} <= set(CAUSES)
    draw_sheet([], tmp_path / "none.png")
