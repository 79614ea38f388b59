"""Tiles drawn by the renderer, and then blurred, darkened, tilted, lit from the wrong side."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from synth.compositor import render
from synth.faces import draw_face
from synth.sampling import Recipe, sample_scene, sample_style
from synth.scene import Camera, Lens, Light, Scene, SetStyle, Surface, TilePose

from companion.rules.tiles import Tile, TileSet
from companion.vision.hints import HIDDEN, blur, glare, photo_hints
from companion.vision.photo import Photo
from companion.vision.pips import cut_halves, half_quads, half_sizes_px
from companion.vision.reader import Reader
from companion.vision.readings import Doubt, Hint

HAND = [(4, 4), (3, 12), (0, 5), (6, 1), (9, 2), (0, 0)]
IVORY, WHITE, BLACK = (225.0, 215.0, 190.0), (250.0, 250.0, 250.0), (30.0, 28.0, 30.0)


def style(body: tuple[float, float, float] = IVORY) -> SetStyle:
    pips = (235.0, 235.0, 230.0) if body is BLACK else (20.0, 20.0, 25.0)
    return replace(
        sample_style(np.random.default_rng(5)), body=body, pips=(pips,) * 13, max_pip=12, patterns=(0,) * 13,
        pip_kind="engraved", divider="bar", texture="plain", pip_radius=0.09, dense_radius=0.07, spread=1.0, length=2.0,
        numerals=False, holes=False,
    )  # fmt: skip


def crops(body: tuple[float, float, float] = IVORY, px: int = 90, sigma: float = 0.0, light: float = 1.0) -> np.ndarray:
    """(tiles, 2, 64, 64, 3) as they are in the photo; `sigma` in widths of a half."""
    rng = np.random.default_rng(8)
    cut = []
    for a, b in HAND:
        face = draw_face(style(body), a, b, px, np.array([0.3, 0.2]), rng).astype(np.float32) * light
        if sigma:
            face = cv2.GaussianBlur(face, (0, 0), sigma * px)
        h, w = face.shape[:2]
        cut.append(
            cut_halves(np.clip(face, 0, 255).astype(np.uint8), np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32))
        )
    return np.array(cut).astype(np.uint8)


def quads(width: float = 90, tilt: float = 0.0) -> list[np.ndarray]:
    """Corners of tiles turned by all angles, seen from a camera that is tilted, in radians."""
    upright = np.array([[-1, -2], [1, -2], [1, 2], [-1, 2]]) * width / 2
    turned = []
    for angle in np.linspace(0, 3, len(HAND)):
        c, s = np.cos(angle), np.sin(angle)
        turned.append(upright @ np.array([[c, s], [-s, c]]) * [1, np.cos(tilt)])
    return turned


def hints(look: np.ndarray, corners: list[np.ndarray] | None = None, doubts: tuple[Doubt, ...] = ()) -> set[Hint]:
    return set(photo_hints(look, corners or quads(), doubts))


@pytest.mark.parametrize("body", [IVORY, WHITE, BLACK], ids=["ivory", "white", "black"])
@pytest.mark.parametrize("px", [40, 90, 300])
def test_nothing_is_said_of_a_good_photo(body: tuple[float, float, float], px: int) -> None:
    assert hints(crops(body, px), quads(px)) == set()
    assert glare(crops(body, px)).max() == 0


@pytest.mark.parametrize("px", [40, 90, 300])
def test_blur_is_measured_against_the_tiles_not_against_the_pixels(px: int) -> None:
    sizes = [(px, px)] * len(HAND)
    sharp, some, much = (np.nanmedian(blur(crops(px=px, sigma=s), sizes)) for s in (0.0, 0.04, 0.1))
    assert sharp < 0.015 < some < much
    assert Hint.BLURRED in hints(crops(px=px, sigma=0.1), quads(px))
    assert Hint.BLURRED not in hints(crops(px=px, sigma=0.015), quads(px))


def test_small_tiles_are_far_but_not_blurred() -> None:
    assert hints(crops(px=20), quads(20)) == {Hint.TOO_FAR}


def test_dark_photos_are_told_whatever_the_colour_of_the_tiles() -> None:
    for body in (IVORY, BLACK):
        assert hints(crops(body, light=0.2)) >= {Hint.TOO_DARK}
        assert Hint.TOO_DARK not in hints(crops(body, light=0.5))


def test_a_steep_view_is_told_however_the_tiles_are_turned() -> None:
    assert hints(crops(), quads(90, 0.7)) == set()
    assert hints(crops(), quads(90, 1.05)) == {Hint.STEEP}


def test_doubts_of_tiles_bring_their_hint() -> None:
    assert hints(crops(), doubts=(Doubt.CUT_OFF, Doubt.GLARE, Doubt.TOO_SMALL)) == {
        Hint.CUT_OFF, Hint.GLARE, Hint.TOO_FAR,
    }  # fmt: skip
    assert photo_hints(np.zeros((0, 2, 64, 64, 3), np.uint8), [], []) == frozenset()


@pytest.mark.parametrize("body", [IVORY, BLACK], ids=["ivory", "black"])
def test_a_reflection_is_seen_on_the_half_it_covers(body: tuple[float, float, float]) -> None:
    look = crops(body).astype(np.float32)
    spot = np.zeros((64, 64), np.float32)
    cv2.circle(spot, (32, 32), 20, 300, -1)
    look[0, 1] += cv2.GaussianBlur(spot, (0, 0), 5)[..., None]
    share = glare(np.clip(look, 0, 255).astype(np.uint8))
    assert share[0, 1] > HIDDEN
    assert share[0, 0] == share[1:].max() == 0


def test_white_tiles_in_bright_light_and_white_pips_are_no_reflection() -> None:
    assert glare(crops(WHITE, light=1.3)).max() == 0
    assert glare(crops(BLACK, light=1.3)).max() == 0


@cache
def reader() -> Reader:
    return Reader.load()


def scene(spots: tuple[tuple[float, float, float, float], ...], body: tuple[float, float, float]) -> Scene:
    poses = tuple(
        TilePose(a, b, x, y, yaw)
        for (a, b), (x, y, yaw) in zip(
            HAND[:5],
            [(-2.2, 1.6, 0.2), (0.2, 1.8, 1.2), (2.4, 1.4, 2.9), (-1.2, -1.6, 0.6), (1.6, -1.7, 2.1)],
            strict=True,
        )
    )
    base = sample_scene(replace(Recipe.load(Path(__file__).parents[2] / "datasets/recipes/held-out.toml"), size=800), 3)
    return replace(
        base, style=style(body), tiles=poses, clutter=(), things=(),
        camera=Camera(800, 800, 900.0, 10.0, 0.15, 0.3, (0.0, 0.0), (0.0, 0.0)),
        surface=Surface("wood", (120.0, 80.0, 50.0), (90.0, 60.0, 35.0), 0.3, 0.4, 0.2, 5),
        light=Light((0.2, 0.1), 0.3, 0.05, ((1.0, 1.0), (1.0, 1.0)), spots, (1.0, 1.0, 1.0), 1.0, 1.0),
        lens=Lens(0.0, 0.0, 0.0, 2.0, 1.0, 0.0, 92, 0.0),
    )  # fmt: skip


@pytest.mark.parametrize("body", [IVORY, WHITE, BLACK], ids=["ivory", "white", "black"])
@pytest.mark.parametrize("strength", [120.0, 200.0, 300.0, 450.0])
def test_a_four_four_under_a_reflection_is_never_a_silent_blank(
    body: tuple[float, float, float], strength: float
) -> None:
    _, truth = render(scene((), body))
    # A tile that is wholly erased is not found at all; but one that is found is never another without a doubt.
    (four,) = (t for t in truth if (t.a, t.b) == (4, 4))
    width = half_sizes_px(np.array(four.corners))[0]
    for radius in (0.5, 0.9):
        spots = tuple(
            (float(x / 800), float(y / 800), radius * width / 800, strength)
            for x, y in half_quads(np.array(four.corners)).mean(1)
        )
        image, _ = render(scene(spots, body))
        read = reader().read_hand(Photo(image, "0" * 64), TileSet(12))
        wrong = [t for t in read.tiles if t.tile not in {Tile(a, b) for a, b in HAND[:5]}]
        assert all(t.doubts for t in wrong), [(str(t.tile), sorted(t.doubts)) for t in wrong]
