"""Letterboxing and looking twice, with a network that is played by the test."""

from typing import Any

import numpy as np
import pytest

from companion.vision.boxes import corners_of, overlap
from companion.vision.detector import STRIDE, Detector, Found, letterbox


class FakeSession:
    """Answers every picture with the box where it is brightest; remembers the sizes it was shown."""

    def __init__(self) -> None:
        self.shapes: list[tuple[int, ...]] = []

    def run(self, _outputs: None, feed: dict[str, np.ndarray]) -> list[np.ndarray]:
        (batch,) = feed.values()
        self.shapes.append(batch.shape[2:])
        ys, xs = np.nonzero(batch[0].min(0) > 0.8)
        rows = []
        if len(xs):
            w, h = np.ptp(xs) + 1, np.ptp(ys) + 1
            middle = xs.min() + w / 2, ys.min() + h / 2
            rows = [[*middle, w, h, 0.9, 0.05, 0.0], [*middle, w * 0.97, h, 0.8, 0.05, 0.0]]
        return [np.array(rows, np.float32).reshape(-1, 7).T[None]]


def detector() -> tuple[Detector, FakeSession]:
    made = Detector.__new__(Detector)
    session: Any = FakeSession()
    made._session, made._input = session, "images"
    made.classes, made._iou, made._inside, made._station = ("tile", "back"), 0.35, 0.6, -1
    return made, session


def photo_with_tile(w: int, h: int, box: tuple[int, int, int, int]) -> np.ndarray:
    pixels = np.zeros((h, w, 3), np.uint8)
    pixels[box[1] : box[3], box[0] : box[2]] = 255
    return pixels


@pytest.mark.parametrize(("w", "h"), [(4000, 3000), (3000, 4000), (641, 479), (100, 80), (17, 16)])
def test_letterbox_keeps_the_shape_pads_to_the_stride_and_tells_its_scale(w: int, h: int) -> None:
    batch, scale = letterbox(np.full((h, w, 3), 255, np.uint8), 640)
    assert scale == pytest.approx(640 / max(w, h))
    assert batch.shape[2] % STRIDE == batch.shape[3] % STRIDE == 0
    assert max(batch.shape[2:]) == 640
    assert batch[0, 0, : round(h * scale), : round(w * scale)].min() == 1
    assert batch.dtype == np.float32


def test_letterbox_keeps_red_first() -> None:
    red = np.zeros((40, 40, 3), np.uint8)
    red[..., 0] = 255
    batch, _ = letterbox(red, 64)
    assert batch[0, :, 10, 10] == pytest.approx([1, 0, 0])


@pytest.mark.parametrize(
    ("size", "box"),
    [((4000, 3000), (1000, 1000, 1100, 1200)), ((800, 600), (300, 200, 400, 400)), ((640, 640), (200, 100, 430, 560))],
)
def test_a_tile_is_found_once_and_in_the_photos_own_pixels(
    size: tuple[int, int], box: tuple[int, int, int, int]
) -> None:
    made, _ = detector()
    found = made.find(photo_with_tile(*size, box), 0.25)
    assert len(found) == 1
    x0, y0, x1, y1 = box
    truth = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float32)
    assert overlap(found.corners[0], truth)[0] > 0.85


def test_small_tiles_are_looked_at_again_closer_and_large_ones_from_farther_off() -> None:
    made, session = detector()
    made.find(photo_with_tile(4000, 3000, (1000, 1000, 1100, 1200)), 0.25)
    made.find(photo_with_tile(640, 640, (200, 100, 430, 560)), 0.25)
    first, closer, again, farther = session.shapes
    assert max(first) == max(again) == 640
    assert max(farther) == 320
    shown_before, shown_closer = 100 * 640 / 4000, 100 * max(closer) / (200 + 2 * 2.5 * 100)
    assert shown_closer > 2 * shown_before


def test_a_table_is_looked_at_again_as_a_whole() -> None:
    made, session = detector()
    found = made.find(photo_with_tile(1920, 1080, (900, 500, 924, 548)), 0.25, table=True)
    assert [max(shape) for shape in session.shapes] == [640, 1920], (
        "hands and boneyard lie far from what is found first"
    )
    assert len(found) == 1
    made.find(photo_with_tile(4000, 3000, (1000, 1000, 1100, 1200)), 0.25, table=True)
    width = 100 * max(session.shapes[-1]) / 4000
    assert 20 < width < 28


def test_a_station_and_the_engine_that_lies_on_it_are_both_found() -> None:
    made, _ = detector()
    made.classes, made._station = ("tile", "back", "marker", "station"), 3
    rows = np.array([[300, 300, 200, 200, 0.1], [305, 300, 40, 80, 0.0], [306, 300, 41, 80, 0.0]])
    scores = np.zeros((3, 4), np.float32)
    scores[0, 3], scores[1, 0], scores[2, 0] = 0.95, 0.9, 0.8
    best = made._best(Found(corners_of(rows), scores))
    assert best.scores.argmax(1).tolist() == [3, 0]


def test_an_empty_table_is_an_empty_answer() -> None:
    made, _ = detector()
    assert len(made.find(np.zeros((480, 640, 3), np.uint8), 0.25, table=True)) == 0
    assert len(made.find(np.zeros((480, 640, 3), np.uint8), 0.25)) == 0
