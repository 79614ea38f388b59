"""Photos in, results out: order, points, errors as values, JSON."""

import json
from pathlib import Path

import numpy as np
import pytest

from companion.app.scan_words import annotation_lines, summary, things_to_check
from companion.app.scanning import AnnotatedFolder, ScanResult, failed, hand_points, scan, scan_json
from companion.errors import ModelMissingError, PhotoError, UsageError, VisionError
from companion.rules.tiles import Tile, TileSet
from companion.text import Language, choose_language
from companion.vision.readings import Doubt, HandReading, TileReading
from tests.hands import FakeReader, box, grey_photo, hand, tile

SET = TileSet(12)


def only(reader: FakeReader, path: Path, blank_points: int = 0) -> ScanResult:
    (result,) = scan([path], reader, SET, blank_points=blank_points)
    return result


@pytest.mark.parametrize(
    ("tiles", "blank", "points"),
    [([], 50, 0), (["0-0"], 0, 0), (["0-0"], 50, 50), (["0-1", "0-0", "12-12"], 25, 50), (["0-3", "0-3"], 50, 6)],
)
def test_points(tiles: list[str], blank: int, points: int) -> None:
    assert hand_points(map(Tile.parse, tiles), blank) == points


def test_one_result_for_each_photo_in_order(tmp_path: Path) -> None:
    paths = [grey_photo(tmp_path / "b.png"), tmp_path / "none.png", grey_photo(tmp_path / "a.png")]
    reader = FakeReader(hand("3-12"), hand("0-0", "1-2"))
    taken = frozenset({Tile(5, 5)})
    results = list(scan(paths, reader, TileSet(15), taken, blank_points=25))
    assert [result.path for result in results] == paths
    assert [result.points for result in results] == [15, None, 28]
    assert isinstance(results[1].error, PhotoError)
    assert results[1].photo is None
    assert {result.model for result in results} == {"fake-1"}
    assert reader.asked == [(TileSet(15), taken)] * 2


def test_results_come_one_by_one(tmp_path: Path) -> None:
    reader = FakeReader(hand("3-12"), hand("0-0"))
    work = scan([grey_photo(tmp_path / "a.png"), tmp_path / "b.png"], reader, SET)
    assert next(work).points == 15
    assert len(reader.asked) == 1


def test_a_model_that_fails_is_no_empty_hand(tmp_path: Path) -> None:
    path = grey_photo(tmp_path / "a.png")
    empty, broken = only(FakeReader(HandReading(())), path), only(FakeReader(RuntimeError("bad node")), path)
    assert (empty.error, empty.points) == (None, 0)
    assert isinstance(broken.error, VisionError)
    assert broken.error.key == "reading_failed"
    assert isinstance(broken.error.__cause__, RuntimeError)
    assert broken.points is None


@pytest.mark.parametrize("part", ["confidence", "corner"])
def test_numbers_that_are_none_are_a_failure_of_the_model(part: str, tmp_path: Path) -> None:
    good = tile("3-12")
    nan = float("nan")
    where = box(nan, 10) if part == "corner" else good.box
    bad = TileReading(good.tile, nan if part == "confidence" else 0.9, where, good.halves)
    result = only(FakeReader(HandReading((bad,))), grey_photo(tmp_path / "a.png"))
    assert result.error is not None
    assert result.error.key == "reading_failed"


def test_json_has_the_keys_that_are_promised(tmp_path: Path) -> None:
    reading = HandReading(
        (tile("12-3", box(10.26, 20), Doubt.GLARE, Doubt.BLURRED),),
        (box(5, 5),),
        (),
        frozenset({Doubt.FACE_DOWN_NEARBY}),
    )
    result = only(FakeReader(reading), grey_photo(tmp_path / "a.png"))
    data = json.loads(json.dumps(scan_json(result, None), allow_nan=False))
    assert data.pop("seconds") >= 0
    assert data == {
        "photo": str(tmp_path / "a.png"),
        "width": 640,
        "height": 480,
        "tiles": [
            {
                "low": 3,
                "high": 12,
                "confidence": 0.95,
                "corners": [[10.3, 20.0], [70.3, 20.0], [70.3, 140.0], [10.3, 140.0]],
                "halves": [
                    {"pips": 3, "confidence": 0.97, "runner_up": 1},
                    {"pips": 12, "confidence": 0.98, "runner_up": 2},
                ],
                "doubts": ["BLURRED", "GLARE"],
            }
        ],
        "face_down": 1,
        "points": 15,
        "doubts": ["FACE_DOWN_NEARBY"],
        "hints": [],
        "model": "fake-1",
        "error": None,
    }


def test_json_has_the_same_keys_for_an_error(tmp_path: Path) -> None:
    good = scan_json(only(FakeReader(hand()), grey_photo(tmp_path / "a.png")), None)
    bad = scan_json(failed(tmp_path / "b.png", ModelMissingError("weights_missing", file="x")), "gone")
    assert list(good) == list(bad)
    assert (bad["tiles"], bad["points"], bad["width"], bad["error"]) == ([], None, None, "gone")


def test_numpy_numbers_become_plain_ones(tmp_path: Path) -> None:
    good = tile("3-12")
    odd = TileReading(Tile(np.int64(3), np.int64(12)), np.float32(0.5), good.box, good.halves)  # type: ignore[arg-type]
    data = scan_json(only(FakeReader(HandReading((odd,))), grey_photo(tmp_path / "a.png")), None)
    assert json.loads(json.dumps(data))["tiles"][0]["low"] == 3


def test_words(tmp_path: Path) -> None:
    path = grey_photo(tmp_path / "a.png")
    en = choose_language([])
    doubtful = HandReading(
        (tile("3-12", None, Doubt.GLARE, Doubt.CUT_OFF), tile("0-0")),
        (box(1, 1),),
        (box(2, 2), box(3, 3)),
        frozenset({Doubt.FACE_DOWN_NEARBY, Doubt.UNREADABLE, Doubt.BLURRED}),
    )
    result = only(FakeReader(doubtful), path)
    assert summary(result, en) == "2 tiles, 15 points"
    assert things_to_check(doubtful, en) == [
        "3-12: cut off by the edge of the photo, light reflects on it",
        "1 tile lies face down and is not counted",
        "2 places look like a tile and could not be read; not counted",
        "the whole photo: blurred",
    ]
    assert annotation_lines(result, en)[:2] == ["2 tiles, 15 points", "? " + things_to_check(doubtful, en)[0]]
    assert summary(only(FakeReader(HandReading(())), path), en) == "No tile found."
    assert "closer" in summary(only(FakeReader(HandReading((), (), (box(1, 1),))), path), en)
    assert summary(only(FakeReader(hand("0-0")), path), Language.RU) == "1 костяшка, 0 очков"


def test_annotated_copies_overwrite_nothing(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    photos = [
        grey_photo(tmp_path / "a.png"),
        grey_photo(tmp_path / "other" / "a.png"),
        grey_photo(tmp_path / "a-read.jpg"),
    ]
    before = photos[2].read_bytes()
    folder = AnnotatedFolder(tmp_path, photos)
    copies = [folder.save(result, ["x"]) for result in scan(photos, FakeReader(hand(), hand(), hand()), SET)]
    assert [copy.name for copy in copies if copy] == ["a-read-2.jpg", "a-read-3.jpg", "a-read-read.jpg"]
    assert photos[2].read_bytes() == before
    again = AnnotatedFolder(tmp_path, photos[:1])
    copy = again.save(only(FakeReader(hand()), photos[0]), ["x"])
    assert copy == tmp_path / "a-read-2.jpg", "a copy of an earlier run gives way, a photo does not, named or not"
    assert photos[2].read_bytes() == before


def test_nothing_is_drawn_without_a_reading(tmp_path: Path) -> None:
    folder = AnnotatedFolder(tmp_path / "new" / "folder", [])
    assert folder.save(failed(tmp_path / "a.png", PhotoError("photo_empty")), []) is None
    assert list((tmp_path / "new" / "folder").iterdir()) == []


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for path in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(UsageError) as caught:
            AnnotatedFolder(path, [])
        assert caught.value.key == "folder_not_writable"


def test_a_copy_that_cannot_be_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = AnnotatedFolder(tmp_path, [])
    result = only(FakeReader(hand()), grey_photo(tmp_path / "a.png"))

    def full(*args: object, **options: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("PIL.Image.Image.save", full)
    with pytest.raises(UsageError) as caught:
        folder.save(result, ["x"])
    assert caught.value.params["reason"] == "No space left on device"
