"""A blank face and a back differ in the colour of the plastic, where the set has two."""

import cv2
import numpy as np
import pytest

from companion.vision.bodies import body_colours, by_body
from companion.vision.evidence import BACK, FACE, Evidence
from companion.vision.pips import CROP_PX

WHITE, PURPLE, IVORY = (235.0, 232.0, 224.0), (90.0, 20.0, 140.0), (228.0, 222.0, 200.0)
BLANK, THREE, JUNK = 0, 3, 13


def halves(rgb: tuple[float, float, float], light: float, pips: int, rng: np.random.Generator) -> np.ndarray:
    crop = np.full((CROP_PX, CROP_PX, 3), np.array(rgb) * light, np.float32)
    for k in range(pips):
        cv2.circle(crop, (16 + 16 * (k % 3), 16 + 14 * (k // 3)), 5, (10, 10, 10), -1)
    return np.stack([np.clip(crop + rng.normal(0, 4, crop.shape), 0, 255)] * 2).astype(np.float32)


def table(
    tiles: list[tuple[tuple[float, float, float], int, float]], seed: int = 1
) -> tuple[np.ndarray, Evidence, np.ndarray]:
    """Kinds, evidence and halves of tiles given by the colour of the plastic, pips, and how probably it is a face."""
    rng = np.random.default_rng(seed)
    kinds = np.array([[face, 1 - face, 0.0] for _, _, face in tiles])
    chances = np.full((len(tiles), 2, 14), 0.001, np.float32)
    for k, (_, pips, _) in enumerate(tiles):
        chances[k, :, pips] = 0.98
    cut = np.stack([halves(rgb, rng.uniform(0.8, 1.0), pips, rng) for rgb, pips, _ in tiles])
    corners = np.tile(np.array([[0, 0], [20, 0], [20, 40], [0, 40]], np.float32), (len(tiles), 1, 1))
    empty = np.zeros((len(tiles), 2), np.float32)
    return kinds, Evidence(corners, empty, np.zeros((len(tiles), 3), np.float32), chances), cut


def test_a_blank_tile_in_the_colour_of_the_faces_is_no_back_and_the_other_way_round() -> None:
    known = [(WHITE, THREE, 0.99)] * 5 + [(PURPLE, BLANK, 0.02)] * 6
    kinds, evidence, cut = table([*known, (WHITE, BLANK, 0.25), (PURPLE, BLANK, 0.75)])
    told = by_body(kinds, evidence, cut)
    assert told[-2, FACE] > 0.7
    assert told[-1, BACK] > 0.7
    assert told.sum(1) == pytest.approx(1)
    assert np.array_equal(told[:5], kinds[:5])


@pytest.mark.parametrize("back", [WHITE, IVORY])
def test_where_faces_and_backs_have_one_colour_nothing_is_said(back: tuple[float, float, float]) -> None:
    kinds, evidence, cut = table([*[(WHITE, THREE, 0.99)] * 5, *[(back, BLANK, 0.02)] * 6, (WHITE, BLANK, 0.3)])
    assert np.array_equal(by_body(kinds, evidence, cut), kinds)


@pytest.mark.parametrize(("faces", "backs"), [(0, 6), (2, 6), (5, 0), (5, 2), (0, 0)])
def test_two_tiles_of_a_kind_vouch_for_nothing(faces: int, backs: int) -> None:
    kinds, evidence, cut = table(
        [*[(WHITE, THREE, 0.99)] * faces, *[(PURPLE, BLANK, 0.02)] * backs, (WHITE, BLANK, 0.3)]
    )
    assert np.array_equal(by_body(kinds, evidence, cut), kinds)


def test_a_sure_tile_is_not_overruled() -> None:
    known = [(WHITE, THREE, 0.99)] * 5 + [(PURPLE, BLANK, 0.02)] * 6
    kinds, evidence, cut = table([*known, (PURPLE, BLANK, 0.995)])
    assert by_body(kinds, evidence, cut)[-1, FACE] > 0.9


@pytest.mark.parametrize("light", [0.6, 0.5, 0.4])
def test_a_blank_face_in_the_shade_is_no_brown_back(light: float) -> None:
    known = [(WHITE, THREE, 0.99)] * 5 + [((120.0, 85.0, 60.0), BLANK, 0.02)] * 6
    kinds, evidence, cut = table([*known, (WHITE, BLANK, 0.9)])
    cut[-1] *= light
    assert by_body(kinds, evidence, cut)[-1, FACE] > 0.7


def test_pips_do_not_hide_the_colour_of_the_plastic() -> None:
    _, _, cut = table([(WHITE, 9, 0.99), (WHITE, BLANK, 0.99)])
    nine, blank = body_colours(cut)
    assert np.linalg.norm((nine - blank)[1:]) < 3


def test_no_box_at_all() -> None:
    kinds, evidence, cut = table([(WHITE, BLANK, 0.5)])
    assert by_body(kinds[:0], evidence.take([]), cut[:0]).shape == (0, 3)
