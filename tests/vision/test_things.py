"""Markers are told from tiles, from parts of them, and from the slots of a station, by their size and place."""

import numpy as np
import pytest

from companion.vision.detector import Found
from companion.vision.things import find_things, worth_keeping

CLASSES = ("tile", "back", "marker", "station")
WIDTH = 40.0


def box(x: float, y: float, w: float, h: float, turn: float = 0.4) -> np.ndarray:
    c, s = np.cos(turn), np.sin(turn)
    corners = np.array([[-w, -h], [w, -h], [w, h], [-w, h]]) / 2
    return np.asarray(corners @ np.array([[c, s], [-s, c]]) + [x, y], np.float32)


FACES = np.array([box(500, 500, WIDTH, 80), box(500, 600, WIDTH, 80), box(500, 700, WIDTH, 80)], np.float32)
BACKS = np.array([box(1500, 500, WIDTH, 80)], np.float32)


NONE = FACES[:0]


def found(*things: tuple[np.ndarray, tuple[float, float, float, float]]) -> Found:
    return Found(np.array([corners for corners, _ in things], np.float32).reshape(-1, 4, 2),
                 np.array([scores for _, scores in things], np.float32).reshape(-1, 4))  # fmt: skip


def markers(*things: tuple[np.ndarray, tuple[float, float, float, float]]) -> tuple[int, int]:
    seen = find_things(found(*things), CLASSES, FACES, BACKS, NONE)
    return len(seen.markers), len(seen.faint)


TRAIN = box(600, 550, 0.7 * WIDTH, 1.15 * WIDTH)


@pytest.mark.parametrize(
    "scores", [(0.0, 0.0, 0.8, 0.0), (0.65, 0.01, 0.03, 0.0), (0.2, 0.0, 0.15, 0.0), (0.0, 0.0, 0.27, 0.0)]
)
def test_a_toy_train_is_a_marker_whatever_it_was_taken_for(scores: tuple[float, float, float, float]) -> None:
    assert markers((TRAIN, scores)) == (1, 0)


def test_what_was_hardly_seen_may_be_a_marker() -> None:
    assert markers((TRAIN, (0.05, 0.0, 0.2, 0.0))) == (0, 1)
    assert markers((TRAIN, (0.05, 0.0, 0.1, 0.0))) == (0, 0)


@pytest.mark.parametrize(
    "corners",
    [
        box(600, 550, WIDTH, 2 * WIDTH),
        box(600, 550, 0.4 * WIDTH, 2 * WIDTH),
        box(600, 550, 0.3 * WIDTH, 1.2 * WIDTH),
        box(1200, 550, 0.7 * WIDTH, 1.15 * WIDTH),
        box(507, 485, 0.9 * WIDTH, 1.0 * WIDTH),
    ],
    ids=["a tile", "a tile that stands", "its edge", "far from the trains", "a half"],
)
def test_other_boxes_of_tiles_are_none(corners: np.ndarray) -> None:
    assert markers((corners, (0.6, 0.05, 0.05, 0.0))) == (0, 0)


def test_a_slot_of_the_station_is_no_marker_unless_it_is_a_sure_one() -> None:
    station = (box(620, 560, 160, 160), (0.0, 0.0, 0.0, 0.9))
    assert markers(station, (TRAIN, (0.0, 0.0, 0.45, 0.0))) == (0, 0)
    assert markers(station, (TRAIN, (0.0, 0.0, 0.7, 0.0))) == (1, 0)
    seen = find_things(found(station), CLASSES, FACES, BACKS, NONE)
    assert seen.station is not None
    assert seen.station.score == pytest.approx(0.9)


def test_two_boxes_of_one_marker_count_once() -> None:
    again = (box(606, 556, 0.9 * WIDTH, 1.3 * WIDTH), (0.4, 0.0, 0.1, 0.0))
    assert markers((TRAIN, (0.0, 0.0, 0.8, 0.0)), again) == (1, 0)


def test_boxes_too_small_for_a_tile_are_kept_for_it() -> None:
    tile = (FACES[0], (0.9, 0.0, 0.0, 0.0))
    seen = found(tile, (TRAIN, (0.65, 0.01, 0.03, 0.0)), (box(9, 9, 20, 20), (0.0, 0.0, 0.3, 0.0)))
    assert worth_keeping(seen, CLASSES).tolist() == [False, True, True]
    assert worth_keeping(found(), CLASSES).tolist() == []
    assert find_things(found(), CLASSES, NONE, NONE, NONE).markers == ()


def test_a_tile_that_stands_is_none() -> None:
    up = box(600, 560, WIDTH, 1.25 * WIDTH, 0.0)
    seen = find_things(found((up, (0.02, 0.9, 0.0, 0.0))), CLASSES, FACES, BACKS, np.array([up]))
    assert not seen.markers + seen.faint


def test_a_half_of_a_tile_at_the_end_of_a_train_may_be_one_at_most() -> None:
    corners = FACES[0].mean(0) + (FACES[0, 0] - FACES[0, 3]) * 0.77
    half = box(float(corners[0]), float(corners[1]), WIDTH, WIDTH)
    assert markers((half, (0.5, 0.02, 0.01, 0.0)))[0] == 0


def test_tiles_far_off_are_small_and_no_markers() -> None:
    far = [box(500, 40 + 70 * k, 0.6 * WIDTH, 1.2 * WIDTH) for k in range(5)]
    seen = find_things(found((box(560, 80, 0.6 * WIDTH, 1.2 * WIDTH), (0.6, 0.0, 0.0, 0.0))), CLASSES,
                       np.array([*FACES, *FACES + 300, *far], np.float32), BACKS, NONE)  # fmt: skip
    assert not seen.markers


@pytest.mark.parametrize("corners", [np.zeros((4, 2)), np.full((4, 2), np.nan), np.full((4, 2), np.inf)])
def test_what_is_no_box_is_none(corners: np.ndarray) -> None:
    assert markers((corners, (0.3, 0.0, 0.5, 0.0))) == (0, 0)


def test_a_detector_that_knows_tiles_alone_finds_no_things() -> None:
    only = Found(np.array([TRAIN]), np.array([[0.6, 0.1]], np.float32))
    assert find_things(only, ("tile", "back"), FACES, BACKS, NONE).markers == ()
