"""The annotated copy can be read, covers as little as can be, and never touches the photo itself."""

import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image

from companion.text import Language, sentences
from companion.vision import annotate as module
from companion.vision.annotate import BLACK, DOUBTFUL, FACE_DOWN, SURE, UNREADABLE, WHITE, YELLOW, annotate
from companion.vision.labels import place_labels
from companion.vision.photo import Photo
from companion.vision.readings import Doubt, HandReading, TileBox
from tests.hands import box, tile

GROUND = 90


def photo(width: int, height: int) -> Photo:
    return Photo(np.full((height, width, 3), GROUND, dtype=np.uint8), f"{width}x{height}")


def count(picture: NDArray[np.uint8], colour: tuple[int, int, int]) -> int:
    return int((np.abs(picture.astype(int) - colour).max(axis=2) < 6).sum())


def changed(picture: NDArray[np.uint8], where: TileBox, margin: int) -> int:
    """Pixels inside a box that the drawing has touched."""
    (x0, y0), (x1, y1) = where.corners.min(axis=0).astype(int), where.corners.max(axis=0).astype(int)
    return int((picture[y0 + margin : y1 - margin, x0 + margin : x1 - margin] != GROUND).any(axis=2).sum())


def test_pips_stay_visible_and_the_photo_untouched() -> None:
    places = [box(200 + 100 * n, 300) for n in range(6)]
    shown = photo(1000, 800)
    picture = annotate(shown, HandReading(tuple(tile("3-12", place) for place in places)), [])
    assert picture.shape == (800, 1000, 3)
    assert [changed(picture, place, 5) for place in places] == [0] * 6
    assert count(picture, WHITE) > 2000
    assert (shown.pixels == GROUND).all()


def test_a_doubt_shows_by_shape_and_not_by_colour_alone() -> None:
    sure = annotate(photo(1000, 800), HandReading((tile("3-12", box(400, 300)),)), [])
    doubtful = annotate(photo(1000, 800), HandReading((tile("3-12", box(400, 300), Doubt.GLARE),)), [])
    assert count(sure, SURE) > 500
    assert count(sure, DOUBTFUL) == count(sure, YELLOW) == 0
    assert count(doubtful, DOUBTFUL) > 1.5 * count(sure, SURE)
    assert count(doubtful, SURE) == 0
    assert count(doubtful, YELLOW) > count(sure, WHITE)  # wider by the question mark


def test_what_is_not_counted_is_marked() -> None:
    back, place = box(200, 300), box(600, 300)
    picture = annotate(photo(1000, 800), HandReading((), (back,), (place,)), [])
    assert count(picture, FACE_DOWN) > 500
    assert count(picture, UNREADABLE) > 500
    assert changed(picture, back, 6) > 500, "a tile that lies face down is crossed out"
    assert changed(picture, place, 6) == 0, "a place to look at is left clear"


def test_lines_stand_below_the_photo_and_wrap() -> None:
    reading = HandReading((tile("3-12", box(400, 300)),))
    bare = annotate(photo(1000, 800), reading, [])
    one = annotate(photo(1000, 800), reading, ["1 tile, 15 points"])
    many = annotate(photo(1000, 800), reading, ["1 tile, 15 points", "Проверьте, пожалуйста: " + "дубль " * 60])
    assert (one[:800] == bare).all()
    assert 800 < one.shape[0] < many.shape[0] - 100
    assert count(many[800:], YELLOW) == 0
    doubtful = annotate(photo(1000, 800), reading, ["1 tile, 15 points", "? 3-12: " + "дубль " * 60])
    assert count(doubtful[800:], YELLOW) > 1000, "only what is to be checked is yellow"


def test_small_photos_are_enlarged_and_large_ones_get_thicker_lines() -> None:
    small = annotate(photo(100, 80), HandReading((tile("3-12", box(40, 30, 6, 12)),)), [])
    assert small.shape == (800, 1000, 3)
    large = annotate(photo(4000, 3200), HandReading((tile("3-12", box(1600, 1200, 240, 480)),)), [])
    middle = annotate(photo(1000, 800), HandReading((tile("3-12", box(400, 300)),)), [])
    assert count(large, SURE) > 10 * count(middle, SURE)


def test_a_tile_that_runs_out_of_the_photo() -> None:
    picture = annotate(photo(1000, 800), HandReading((tile("0-0", box(960, 760), Doubt.CUT_OFF),)), ["?"])
    assert count(picture, YELLOW) > 300


@pytest.mark.parametrize("lang", Language)
def test_the_font_has_every_letter(lang: Language) -> None:
    font = module._font(20)
    missing = bytes(font.getmask("\uffff"))
    letters = {letter for sentence in sentences(lang).values() for letter in sentence if not letter.isspace()}
    assert [letter for letter in sorted(letters) if bytes(font.getmask(letter)) == missing] == []


def test_the_same_reading_gives_the_same_picture() -> None:
    reading = HandReading(tuple(tile("1-2", box(200 + 70 * n, 300)) for n in range(8)))
    buffers = [io.BytesIO(), io.BytesIO()]
    for buffer in buffers:
        Image.fromarray(annotate(photo(1000, 800), reading, ["x"])).save(buffer, "PNG")
    assert buffers[0].getvalue() == buffers[1].getvalue()


def overlaps(places: list[tuple[int, int]], size: tuple[int, int]) -> int:
    return sum(
        abs(a[0] - b[0]) < size[0] and abs(a[1] - b[1]) < size[1] for n, a in enumerate(places) for b in places[:n]
    )


def test_labels_of_a_grid_of_touching_tiles_do_not_cover_each_other() -> None:
    quads = [box(300 + 62 * x, 200 + 122 * y).corners for y in range(2) for x in range(7)]
    places = place_labels(quads, [(70, 34)] * len(quads), (1000, 800))
    assert overlaps(places, (70, 34)) == 0
    for x, y in places:
        inside = 300 < x + 35 < 734 and 200 < y + 17 < 444
        assert not inside, "there is room above and below"


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.tuples(st.floats(-50, 450), st.floats(-50, 350), st.floats(2, 200), st.floats(4, 300)), max_size=12),
    st.integers(1, 400),
    st.integers(1, 300),
)
def test_labels_stay_inside_the_frame(boxes: list[tuple[float, float, float, float]], width: int, height: int) -> None:
    quads = [box(*values).corners for values in boxes]
    places = place_labels(quads, [(width, height)] * len(quads), (400, 300))
    assert len(places) == len(quads)
    for x, y in places:
        assert -1 <= x <= 401 - width
        assert -1 <= y <= 301 - height


def test_black_letters_stand_on_every_label() -> None:
    picture = annotate(photo(1000, 800), HandReading((tile("3-12", box(400, 300), Doubt.BLURRED),)), [])
    assert count(picture, BLACK) > 200
