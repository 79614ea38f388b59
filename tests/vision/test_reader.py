"""The pipeline's logic with networks that are played by the test; the real ones are in test_weights.py."""

from typing import Any

import numpy as np
import pytest

from companion.rules.tiles import Tile, TileSet
from companion.vision.boxes import corners_of
from companion.vision.corners import Refined
from companion.vision.detector import Found
from companion.vision.evidence import Judge
from companion.vision.photo import Photo
from companion.vision.reader import Reader, cut_off, in_reading_order, scaled
from companion.vision.readings import Doubt, Hint, TileBox

NUMBERS = (*(str(n) for n in range(13)), "unreadable")


class FakeDetector:
    classes = ("tile", "back")

    def __init__(self, boxes: list[tuple[float, float]], scores: list[tuple[float, float]], width: float = 60) -> None:
        rows = np.array([[x, y, width, 2 * width, 0.0] for x, y in boxes]).reshape(-1, 5)
        self.found = Found(corners_of(rows), np.array(scores, np.float32).reshape(-1, 2))

    def find(self, pixels: np.ndarray, threshold: float) -> Found:
        return self.found


class FakePips:
    classes = NUMBERS

    def __init__(self, halves: list[tuple[dict[int, float], dict[int, float]]]) -> None:
        self.halves = halves

    def read(self, crops: np.ndarray) -> np.ndarray:
        views = len(crops) // (2 * len(self.halves)) if self.halves else 0
        rows = []
        for pair in self.halves:
            for _ in range(views):
                for half in pair:
                    chances = np.full(14, (1 - sum(half.values()) + 1e-6) / 14)
                    for pips, chance in half.items():
                        chances[pips] += chance
                    rows.append(np.log(chances))
        return np.array(rows, np.float32).reshape(-1, 14)


class FakeRefiner:
    """Leaves corners as they are and says what the detector said, or what the test says."""

    classes = ("face", "back", "none")

    def __init__(self, detector: FakeDetector, kinds: list[tuple[float, float, float]] | None = None) -> None:
        tile, back = detector.found.scores.T if len(detector.found) else (np.zeros(0), np.zeros(0))
        told = np.stack([tile, back, np.maximum(0.01, 1 - tile - back)], 1)
        self.kinds = np.array(kinds if kinds is not None else told, np.float32).reshape(-1, 3)

    def refine(self, pixels: np.ndarray, corners: np.ndarray) -> Refined:
        return Refined(corners, self.kinds)


PLAIN_KINDS = np.zeros((10, 3))
PLAIN_KINDS[3, 0], PLAIN_KINDS[4, 1] = 1.0, 1.0
"""The refiner's own probabilities."""

PLAIN_VALUE = np.array([0.0, 1.0, 0.0, 0.0])
"""The probability of the less sure half."""


def reader(detector: Any, pips: Any, kinds: list[tuple[float, float, float]] | None = None) -> Reader:
    judge = Judge(PLAIN_KINDS, PLAIN_VALUE, accept=0.45, notice=0.2, sure=0.8, sure_back=0.9)
    return Reader(detector, FakeRefiner(detector, kinds), pips, judge, "test")  # type: ignore[arg-type]


def photo(w: int = 800, h: int = 600) -> Photo:
    return Photo(np.zeros((h, w, 3), np.uint8), "0" * 64)


def one(half_a: dict[int, float], half_b: dict[int, float], score: tuple[float, float] = (0.95, 0.01)) -> Reader:
    return reader(FakeDetector([(400, 300)], [score]), FakePips([(half_a, half_b)]))


def test_no_tile_is_an_empty_reading_without_doubts() -> None:
    hand = reader(FakeDetector([], []), FakePips([])).read_hand(photo(), TileSet(12))
    assert hand.tiles == ()
    assert not hand.is_doubtful


def test_a_clear_tile_has_no_doubt_and_its_halves_stand_in_the_order_of_the_box() -> None:
    (tile,) = one({12: 0.99}, {3: 0.99}).read_hand(photo(), TileSet(12)).tiles
    assert tile.tile == Tile(3, 12)
    assert [h.pips for h in tile.halves] == [12, 3]
    assert tile.doubts == frozenset()


def test_an_unsure_half_is_a_doubt_and_names_its_runner_up() -> None:
    (tile,) = one({10: 0.6, 11: 0.39}, {3: 0.99}).read_hand(photo(), TileSet(12)).tiles
    assert Doubt.LOW_CONFIDENCE in tile.doubts
    assert (tile.halves[0].pips, tile.halves[0].runner_up) == (10, 11)
    assert tile.confidence == pytest.approx(0.57, abs=0.05)


def test_a_weak_box_is_a_doubt_a_weaker_one_is_pointed_out_and_a_very_weak_one_is_nothing() -> None:
    (tile,) = one({1: 0.99}, {3: 0.99}, (0.6, 0)).read_hand(photo(), TileSet(12)).tiles
    assert Doubt.LOW_CONFIDENCE in tile.doubts
    weaker = one({1: 0.99}, {3: 0.99}, (0.3, 0)).read_hand(photo(), TileSet(12))
    assert (weaker.tiles, len(weaker.unreadable), weaker.doubts) == ((), 1, {Doubt.UNREADABLE})
    nothing = one({1: 0.99}, {3: 0.99}, (0.16, 0)).read_hand(photo(), TileSet(12))
    assert (nothing.tiles, nothing.unreadable, nothing.doubts) == ((), (), frozenset())


@pytest.mark.parametrize(
    ("scores", "doubts"), [((0.01, 0.95), set()), ((0.01, 0.7), set()), ((0.2, 0.7), {Doubt.FACE_DOWN_NEARBY})]
)
def test_a_face_down_tile_is_told_and_never_counted_as_blank(scores: tuple[float, float], doubts: set[Doubt]) -> None:
    """One that is surely face down makes no hand doubtful; one that may be a blank tile does."""
    hand = one({0: 0.99}, {0: 0.99}, scores).read_hand(photo(), TileSet(12))
    assert hand.tiles == ()
    assert len(hand.face_down) == 1
    assert hand.doubts == doubts


def test_what_the_refiner_takes_for_nothing_is_no_tile_though_the_detector_was_sure() -> None:
    detector = FakeDetector([(400, 300)], [(0.9, 0.0)])
    hand = reader(detector, FakePips([({1: 0.9}, {2: 0.9})]), [(0.05, 0.01, 0.94)]).read_hand(photo(), TileSet(12))
    assert hand.tiles == hand.unreadable == hand.face_down == ()


def test_two_boxes_whose_refined_corners_meet_are_one_tile() -> None:
    detector = FakeDetector([(400, 300), (404, 302)], [(0.9, 0.0), (0.8, 0.0)])
    hand = reader(detector, FakePips([({1: 0.999}, {2: 0.999})])).read_hand(photo(), TileSet(12))
    assert [t.tile for t in hand.tiles] == [Tile(1, 2)]


def test_a_tile_with_an_unreadable_half_is_not_counted_and_not_forgotten() -> None:
    hand = one({13: 0.99}, {4: 0.99}).read_hand(photo(), TileSet(12))
    assert hand.tiles == ()
    assert len(hand.unreadable) == 1
    assert Doubt.UNREADABLE in hand.doubts


def test_a_half_that_is_perhaps_unreadable_is_counted_with_a_doubt() -> None:
    (tile,) = one({13: 0.7, 0: 0.3}, {4: 0.99}).read_hand(photo(), TileSet(12)).tiles
    assert tile.tile == Tile(0, 4)
    assert tile.doubts == {Doubt.LOW_CONFIDENCE}


def test_numbers_that_the_set_does_not_have_are_not_read_and_where_they_were_likely_it_is_a_doubt() -> None:
    (tile,) = one({9: 0.7, 6: 0.28}, {2: 0.99}).read_hand(photo(), TileSet(6)).tiles
    assert tile.tile == Tile(2, 6)
    assert Doubt.NOT_IN_SET in tile.doubts


def test_a_tile_that_is_known_to_be_elsewhere_is_a_doubt() -> None:
    taken = frozenset({Tile(3, 12)})
    (tile,) = one({12: 0.999}, {3: 0.999}).read_hand(photo(), TileSet(12), taken).tiles
    assert tile.doubts == {Doubt.ALREADY_ON_TABLE}


def test_a_tile_that_runs_out_of_the_photo_is_cut_off_and_one_at_its_edge_is_not() -> None:
    box = TileBox(corners_of(np.array([[400, 300, 60, 120, 0.0]]))[0], 0.9)
    for shape in ((600, 800), (600, 431), (361, 800)):
        assert not cut_off(box, shape)
    for shape in ((600, 425), (355, 800)):
        assert cut_off(box, shape)
    at_left = TileBox(box.corners - np.array([375, 0], np.float32), 0.9)
    assert cut_off(at_left, (600, 800))


def test_halves_that_are_too_small_to_count_are_a_doubt() -> None:
    small = FakeDetector([(400, 300)], [(0.95, 0)], width=16)
    assert reader(small, FakePips([({12: 0.999}, {1: 0.999})])).read_hand(photo(), TileSet(12)).tiles[0].doubts == {
        Doubt.TOO_SMALL
    }
    assert reader(small, FakePips([({2: 0.999}, {1: 0.999})])).read_hand(photo(), TileSet(12)).tiles[0].doubts == set()


def test_tiles_are_told_row_by_row() -> None:
    places = [(300, 110), (100, 100), (200, 120), (100, 300), (220, 310)]
    boxes = [TileBox(corners_of(np.array([[x, y, 40, 80, 0.1]]))[0], 0.9) for x, y in places]
    ordered = in_reading_order(boxes[::-1], lambda b: b)
    assert [tuple(np.round(b.corners.mean(0)).astype(int)) for b in ordered] == [
        (100, 100),
        (200, 120),
        (300, 110),
        (100, 300),
        (220, 310),
    ]


def test_a_box_is_scaled_about_its_middle() -> None:
    box = corners_of(np.array([[50, 60, 20, 40, 0.4]]))[0]
    wider = scaled(box, 1.1, 0.9)
    assert wider.mean(0) == pytest.approx([50, 60], abs=1e-3)
    assert np.linalg.norm(wider[1] - wider[0]) == pytest.approx(22, rel=1e-4)
    assert np.linalg.norm(wider[3] - wider[0]) == pytest.approx(36, rel=1e-4)


def test_a_tilted_tile_keeps_its_tilt_when_it_is_scaled() -> None:
    tilted = np.array([[30, 0], [70, 4], [100, 110], [-5, 100]], np.float32)
    assert scaled(tilted, 1.0, 1.0) == pytest.approx(tilted, abs=1e-3)
    smaller = scaled(tilted, 0.9, 1.0)
    assert smaller[0] == pytest.approx(tilted[0] * 0.95 + tilted[1] * 0.05, abs=1e-3)  # along its own short side


def lit(x: int, y: int) -> Photo:
    """Grey tiles on black, and a reflection round a point."""
    pixels = photo().pixels.copy()
    pixels[200:400, 100:700] = 170
    pixels[y - 25 : y + 25, x - 25 : x + 25] = 255
    return Photo(pixels, "0" * 64)


def test_a_reflection_over_a_half_is_a_doubt_however_clear_the_half_seems() -> None:
    boxes = [(200.0, 300.0), (400.0, 300.0), (600.0, 300.0)]
    sure = [({0: 0.999}, {0: 0.999}), ({1: 0.999}, {3: 0.999}), ({2: 0.999}, {5: 0.999})]
    three = reader(FakeDetector(boxes, [(0.95, 0.01)] * 3), FakePips(sure))
    hand = three.read_hand(lit(200, 270), TileSet(12))
    assert [tile.doubts for tile in hand.tiles] == [{Doubt.GLARE}, set(), set()]
    assert hand.hints == {Hint.GLARE}
    clear = three.read_hand(lit(300, 300), TileSet(12))
    assert not clear.is_doubtful
    assert clear.hints == frozenset()


def test_hints_are_given_only_where_there_is_something_to_check() -> None:
    small = FakeDetector([(400, 300)], [(0.95, 0)], width=16)
    assert reader(small, FakePips([({2: 0.999}, {1: 0.999})])).read_hand(photo(), TileSet(12)).hints == frozenset()
    unsure = reader(small, FakePips([({2: 0.6, 3: 0.3}, {1: 0.999})])).read_hand(photo(), TileSet(12))
    assert Hint.TOO_FAR in unsure.hints


def test_what_the_colours_changed_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    factors = np.ones((1, 2, 13))
    factors[0, 0, 11] = 3.0
    monkeypatch.setattr("companion.vision.colours.weigh", lambda chances, colours: factors)
    (tile,) = one({10: 0.5, 11: 0.45}, {3: 0.99}).read_hand(photo(), TileSet(12)).tiles
    assert tile.tile == Tile(3, 11)
    assert Doubt.CORRECTED in tile.doubts
