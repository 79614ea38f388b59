import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.vision.boxes import corners_of, oriented_box, overlap, suppress


def _turned(angle: float, w: float = 20, h: float = 40, at: tuple[float, float] = (100, 100)) -> np.ndarray:
    return corners_of(np.array([[*at, w, h, angle]]))[0]


def _is_clockwise(corners: np.ndarray) -> bool:
    x, y = corners.T
    return float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)) > 0  # y points down


@given(st.floats(-7, 7), st.floats(5, 90), st.floats(5, 90))
def test_corners_start_with_a_short_side_and_go_clockwise(angle: float, w: float, h: float) -> None:
    corners = _turned(angle, w, h)
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    assert sides[0] == pytest.approx(min(w, h), rel=1e-3)
    assert sides[1] == pytest.approx(max(w, h), rel=1e-3)
    assert _is_clockwise(corners)
    assert corners.mean(0) == pytest.approx([100, 100], abs=1e-2)


@given(st.floats(0, 6.28), st.integers(0, 3))
def test_the_smallest_rectangle_keeps_the_order_of_corners(angle: float, shift: int) -> None:
    corners = np.roll(_turned(angle), shift, axis=0)
    assert oriented_box(corners, corners) == pytest.approx(corners, abs=0.05)


def test_overlap_of_boxes_side_by_side_is_nothing_and_of_the_same_is_all() -> None:
    a, b = _turned(0), _turned(0, at=(120.5, 100))
    assert overlap(a, b) == (0, 0)
    assert overlap(a, a) == pytest.approx((1, 1))


def test_a_small_box_inside_a_tile_is_dropped_though_its_iou_is_low() -> None:
    tile, half = _turned(0, 20, 40), _turned(0, 18, 18, at=(100, 90))
    assert overlap(tile, half).union < 0.45
    assert suppress(np.stack([tile, half]), np.array([0.9, 0.8]), iou=0.45, inside=0.6) == [0]


def test_a_box_across_two_tiles_side_by_side_is_dropped() -> None:
    tiles = [_turned(0, at=(100, 100)), _turned(0, at=(120, 100))]
    across = _turned(np.pi / 2, at=(110, 92))
    assert all(overlap(tile, across).union < 0.35 for tile in tiles)
    assert suppress(np.stack([*tiles, across]), np.array([0.9, 0.8, 0.7]), iou=0.35, inside=0.6) == [0, 1]


def test_touching_tiles_all_stay() -> None:
    row = np.stack([_turned(0, at=(100 + 20 * k, 100)) for k in range(5)])
    assert sorted(suppress(row, np.linspace(0.5, 0.9, 5), iou=0.35, inside=0.6)) == [0, 1, 2, 3, 4]
