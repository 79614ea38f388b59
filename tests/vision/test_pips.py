import cv2
import numpy as np
import pytest

from companion.vision.pips import CROP_PX, half_crops, half_quads, half_sizes_px


def _tile(width: int = 100, gain: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """A photo of one upright tile: half a red above, half b blue below, a green spot at the outer left of each."""
    photo = np.full((4 * width, 3 * width, 3), 40, np.float32)
    photo[width : 2 * width, width : 2 * width] = (220, 30, 30)
    photo[2 * width : 3 * width, width : 2 * width] = (30, 30, 220)
    k = width // 5
    photo[width : width + k, width : width + k] = (30, 220, 30)
    photo[3 * width - k : 3 * width, 2 * width - k : 2 * width] = (30, 220, 30)
    corners = np.array([[1, 1], [2, 1], [2, 3], [1, 3]], np.float32) * width
    return np.clip(photo * gain, 0, 255).astype(np.uint8), corners


def _is(crop: np.ndarray, x: float, y: float, channel: int) -> bool:
    return int(crop[int(y * CROP_PX), int(x * CROP_PX)].argmax()) == channel


@pytest.mark.parametrize("width", [20, 100, 700])
def test_both_halves_stand_with_their_outer_side_up(width: int) -> None:
    a, b = half_crops(*_tile(width))
    assert a.shape == (CROP_PX, CROP_PX, 3)
    assert _is(a, 0.6, 0.6, 0)
    assert _is(b, 0.6, 0.6, 2)
    for crop in (a, b):  # clockwise corners: what is on the outer left of the tile's end is on the upper left
        assert _is(crop, 0.15, 0.15, 1)


def test_a_turned_tile_gives_the_same_halves() -> None:
    photo, corners = _tile()
    quarter = cv2.rotate(photo, cv2.ROTATE_90_CLOCKWISE)
    turned = np.stack([photo.shape[0] - corners[:, 1], corners[:, 0]], 1)
    straight = half_crops(photo, corners).astype(int)
    assert np.abs(half_crops(quarter, turned).astype(int) - straight).mean() < 4


def test_a_dim_photo_is_brought_to_the_same_brightness() -> None:
    bright = half_crops(*_tile()).astype(int)
    dim = half_crops(*_tile(gain=0.5)).astype(int)
    assert np.abs(bright - dim).mean() < 6


def test_halves_share_the_divider_and_sizes_are_in_photo_pixels() -> None:
    _, corners = _tile(60)
    a, b = half_quads(corners)
    assert set(map(tuple, a[2:])) == set(map(tuple, b[2:]))
    assert half_sizes_px(corners) == pytest.approx((60, 60))
