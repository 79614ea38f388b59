"""Boxes cut out upright, corners back to the photo; the network itself on pictures it was never trained on."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.vision import weights
from companion.vision.boxes import corners_of, oriented_box
from companion.vision.corners import (
    HEIGHT,
    PAD,
    TILE_H,
    TILE_W,
    WIDTH,
    CornerRefiner,
    as_input,
    canonical,
    to_photo,
    upright,
)

RECIPE = Path(__file__).parents[2] / "datasets" / "recipes" / "held-out.toml"


def test_the_box_fills_the_middle_of_its_picture_whatever_its_angle_and_size() -> None:
    for width, angle in ((30, 0.0), (48, 0.7), (200, 2.5)):
        box = corners_of(np.array([[400, 300, width, 2 * width, angle]]))[0]
        photo = np.zeros((600, 800, 3), np.uint8)
        cv2.fillConvexPoly(photo, np.round(box).astype(np.int32), (250, 250, 250), cv2.LINE_AA)
        crop = upright(photo, box)
        assert crop.shape == (HEIGHT, WIDTH, 3)
        assert crop[PAD + 4 : -PAD - 4, PAD + 4 : -PAD - 4].mean() > 245
        assert crop[: PAD - 4].mean() < 5
        assert crop[:, : PAD - 4].mean() < 5


def test_the_first_corner_comes_to_the_upper_left() -> None:
    photo = np.zeros((600, 800, 3), np.uint8)
    box = corners_of(np.array([[400, 300, 60, 120, 1.1]]))[0]
    cv2.circle(photo, tuple(int(v) for v in (box[0] * 0.8 + box[2] * 0.2)), 9, (255, 0, 0), -1)
    crop = upright(photo, box)
    ys, xs = np.nonzero(crop[..., 0] > 128)
    assert (xs.mean() < WIDTH / 2) & (ys.mean() < HEIGHT / 2)
    assert not crop[..., 2].any(), "RGB stays RGB"


def test_what_lies_beyond_the_photo_is_grey() -> None:
    box = corners_of(np.array([[0, 300, 60, 120, 0.0]]))[0]
    crop = upright(np.full((600, 800, 3), 255, np.uint8), box)
    assert (crop[:, : WIDTH // 2 - 2] == 114).all()
    assert (crop[:, WIDTH // 2 + 2 :] == 255).all()


def test_corners_return_to_the_photo_they_came_from() -> None:
    boxes = corners_of(np.array([[400, 300, 60, 120, 0.4], [100, 90, 33, 70, 2.0]]))
    quads = boxes + np.random.default_rng(1).normal(0, 3, boxes.shape).astype(np.float32)
    for box, quad in zip(boxes, quads, strict=True):
        matrix = cv2.getAffineTransform(box[:3], canonical()[:3])
        inside = quad @ matrix[:, :2].T + matrix[:, 2]
        moved = (inside - canonical()[0]) / [TILE_W, TILE_H]
        assert to_photo(moved[None].astype(np.float32), box[None])[0] == pytest.approx(quad, abs=1e-2)


def test_a_dim_photo_is_brought_to_the_same_brightness() -> None:
    crop = np.random.default_rng(2).integers(0, 200, (1, HEIGHT, WIDTH, 3)).astype(np.uint8)
    bright, dim = as_input(crop), as_input((crop // 3).astype(np.uint8))
    assert bright.shape == (1, 3, HEIGHT, WIDTH)
    assert np.abs(bright - dim).mean() < 0.02
    assert bright.max() <= 1


def test_the_network_brings_tilted_tiles_nearer_to_their_corners() -> None:
    """On our own renders: oriented boxes shaken as the detector's are, tiles tilted and not."""
    from synth.compositor import render
    from synth.sampling import Recipe, sample_scene

    part = weights.load_contract().parts["corners"]
    refiner = CornerRefiner.load(part.path, part.classes)
    rng = np.random.default_rng(3)
    before, after, faces = [], [], []
    for index in range(12):
        image, truth = render(sample_scene(Recipe.load(RECIPE), 9_000 + index))[:2]
        quads = [np.array(t.corners, np.float32) for t in truth if t.face_up and min(t.visible) > 0.99]
        if not quads:
            continue
        widths = np.array([np.linalg.norm(q[1] - q[0]) for q in quads])[:, None, None]
        boxes = np.stack([oriented_box(q, q) for q in quads])
        boxes = (boxes + rng.normal(0, 0.03, (len(boxes), 1, 2)) * widths).astype(np.float32)
        refined = refiner.refine(image, boxes)
        before += list(np.linalg.norm(boxes - quads, axis=2).max(1) / widths[:, 0, 0])
        after += list(np.linalg.norm(refined.corners - quads, axis=2).max(1) / widths[:, 0, 0])
        faces += list(refined.kinds[:, part.classes.index("face")])
    assert len(before) > 40
    assert np.mean(after) < 0.85 * np.mean(before)
    assert np.mean(faces) > 0.9


def test_no_boxes_need_no_network() -> None:
    part = weights.load_contract().parts["corners"]
    refined = CornerRefiner.load(part.path, part.classes).refine(
        np.zeros((100, 100, 3), np.uint8), np.zeros((0, 4, 2), np.float32)
    )
    assert refined.corners.shape == (0, 4, 2)
    assert refined.kinds.shape == (0, 3)
