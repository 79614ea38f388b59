"""The tracker on drawn tables: what moves, what has changed, what was only the light or the camera."""

from collections.abc import Iterable

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.vision.boxes import Region
from companion.vision.tracker import SETTLE_S, Look, Tracker, View
from tests.vision.drawn import HEIGHT, WIDTH, Image, lay, noisy, table

STEP_S = 0.1


def watch(tracker: Tracker, pictures: Iterable[Image], start_s: float = 0.0) -> list[Look]:
    return [tracker.look(start_s + n * STEP_S, picture) for n, picture in enumerate(pictures)]


def settled(picture: Image) -> Tracker:
    """A tracker for which this table was read."""
    tracker = Tracker()
    assert watch(tracker, [picture] * 6, -2.0)[-1].view is View.STILL
    tracker.accept()
    return tracker


def inside(region: Region, x: float, y: float) -> bool:
    return region[0] <= x <= region[2] and region[1] <= y <= region[3]


def area(regions: Iterable[Region]) -> int:
    return sum((right - left) * (bottom - top) for left, top, right, bottom in regions)


TABLE = table()


def test_a_table_is_read_as_a_whole_once_it_is_still() -> None:
    rng = np.random.default_rng(3)
    looks = watch(Tracker(), [noisy(TABLE, rng) for _ in range(9)])
    views = [look.view for look in looks]
    assert views[0] is View.SETTLING
    first = views.index(View.STILL)
    assert SETTLE_S <= first * STEP_S < SETTLE_S + 2 * STEP_S
    assert looks[first].whole
    assert looks[first].regions == ((0, 0, WIDTH, HEIGHT),)


@settings(max_examples=12, deadline=None)
@given(
    gain=st.floats(0.6, 1.2),  # where half of the tiles are burnt out, the table is read again, which does no harm
    slope=st.floats(-0.12, 0.12),
    seed=st.integers(0, 1000),
)
def test_a_change_of_light_and_noise_is_no_change(gain: float, slope: float, seed: int) -> None:
    tracker = settled(TABLE)
    light = gain * (1 + slope * np.linspace(-1, 1, WIDTH, dtype=np.float32))[None, :, None]
    lit = np.clip(TABLE * light, 0, 255).astype(np.uint8)
    rng = np.random.default_rng(seed)
    looks = watch(tracker, [noisy(lit, rng) for _ in range(7)])
    assert looks[-1].view is View.STILL
    assert looks[-1].regions == ()


def test_a_soft_shadow_passes() -> None:
    tracker = settled(TABLE)
    shadows = []
    for n in range(20):
        y, x = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float32)
        dark = np.exp(-(((x - n * 60) / 320) ** 2) - ((y - 300) / 260) ** 2)
        shadows.append(np.asarray(TABLE * (1 - 0.35 * dark[..., None]), np.uint8))
    assert [look.regions for look in watch(tracker, shadows)] == [()] * 20


@settings(max_examples=20, deadline=None)
@given(
    x=st.floats(60, WIDTH - 60),
    y=st.floats(60, HEIGHT - 60),
    turn=st.floats(0, 180),
    seed=st.integers(0, 1000),
    gain=st.floats(0.85, 1.15),
)
def test_a_new_tile_is_found_wherever_it_lies(x: float, y: float, turn: float, seed: int, gain: float) -> None:
    tracker = settled(TABLE)
    laid = TABLE.copy()
    lay(laid, x, y, turn, seed)
    if np.abs(laid.astype(int) - TABLE).mean() < 0.2:  # it lies just on another one
        return
    rng = np.random.default_rng(seed)
    looks = watch(tracker, [noisy(np.clip(laid * gain, 0, 255).astype(np.uint8), rng) for _ in range(7)])
    assert looks[0].view is View.MOVING
    assert looks[-1].view is View.STILL
    assert looks[-1].push is None
    assert any(inside(region, x, y) for region in looks[-1].regions)
    assert area(looks[-1].regions) < 0.05 * WIDTH * HEIGHT


def test_it_is_told_until_it_is_read_and_then_no_more() -> None:
    tracker = settled(TABLE)
    laid = TABLE.copy()
    lay(laid, 100, 80, 20)
    assert watch(tracker, [laid] * 8)[-1].regions
    assert watch(tracker, [laid] * 2, 0.8)[-1].regions
    tracker.accept()
    assert watch(tracker, [laid] * 3, 1.0)[-1].regions == ()
    lifted = watch(tracker, [TABLE] * 8, 1.3)
    assert any(inside(region, 100, 80) for region in lifted[-1].regions)


def test_nothing_is_still_while_a_hand_is_moving_however_slowly() -> None:
    tracker = settled(TABLE)
    for n in range(40):
        hand = TABLE.copy()
        cv2.ellipse(hand, (200 + 9 * n, 300), (150, 70), 20, 0, 360, (190, 140, 110), -1)
        assert tracker.look(n * STEP_S, hand).view is View.MOVING
    after = watch(tracker, [TABLE] * 8, 4.0)
    assert after[0].view is View.MOVING
    assert after[-1].view is View.STILL
    assert after[-1].regions == ()


@settings(max_examples=12, deadline=None)
@given(
    x=st.floats(-90, 90),
    y=st.floats(-60, 60),
    turn=st.floats(-6, 6),
    zoom=st.floats(0.94, 1.06),
)
def test_a_pushed_camera_is_told_with_its_push(x: float, y: float, turn: float, zoom: float) -> None:
    if abs(x) + abs(y) + 6 * abs(turn) < 12:
        return
    tracker = settled(TABLE)
    matrix = cv2.getRotationMatrix2D((WIDTH / 2, HEIGHT / 2), turn, zoom)
    matrix[:, 2] += x, y
    moved = np.asarray(cv2.warpAffine(TABLE, matrix, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REPLICATE), np.uint8)
    look = watch(tracker, [moved] * 7)[-1]
    assert look.view is View.STILL
    assert look.whole
    assert look.push is not None
    corners = np.array([[0, 0, 1], [WIDTH, 0, 1], [WIDTH, HEIGHT, 1], [0, HEIGHT, 1]], np.float64)
    assert np.abs(corners @ look.push.matrix().T - corners @ matrix.T).max() < 12


def test_a_tremble_of_the_stand_is_no_push() -> None:
    tracker = settled(TABLE)
    matrix = np.array([[1, 0, 1.2], [0, 1, -0.8]])
    moved = np.asarray(cv2.warpAffine(TABLE, matrix, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REPLICATE), np.uint8)
    assert watch(tracker, [moved] * 7)[-1].regions == ()


@pytest.mark.parametrize(
    ("picture", "view"),
    [
        (np.zeros_like(TABLE), View.DARK),
        (np.full_like(TABLE, 9), View.DARK),
        (np.full_like(TABLE, (150, 90, 80)), View.COVERED),
    ],
)
def test_black_and_covered_pictures_are_never_still_and_what_was_read_is_kept(picture: Image, view: View) -> None:
    tracker = settled(TABLE)
    rng = np.random.default_rng(5)
    assert {look.view for look in watch(tracker, [noisy(picture, rng) for _ in range(12)])} == {view}
    back = watch(tracker, [TABLE] * 8, 1.5)
    assert back[0].view is View.SETTLING
    assert back[-1].view is View.STILL
    assert back[-1].regions == ()


def test_another_view_is_read_as_a_whole() -> None:
    tracker = settled(TABLE)
    other = watch(tracker, [table(9)[:, ::-1].copy()] * 8)[-1]
    assert other.whole
    smaller = watch(tracker, [cv2.resize(TABLE, (640, 480))] * 8, 2.0)[-1]
    assert smaller.whole
    assert smaller.regions == ((0, 0, 640, 480),)


def test_a_tracker_that_has_to_forget_reads_all_again() -> None:
    tracker = settled(TABLE)
    tracker.forget()
    assert watch(tracker, [TABLE] * 2)[-1].whole
