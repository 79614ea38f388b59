import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from synth.compositor import render, sidecar
from synth.faces import ARRANGEMENTS, draw_face, half_pips
from synth.geometry import camera_position, face_corners, project
from synth.layouts import LAYOUTS, Hand, footprint, overlaps
from synth.sampling import Recipe, sample_scene, sample_style
from synth.scene import Scene

RECIPES = Path(__file__).parents[2] / "datasets" / "recipes"
BROAD = replace(Recipe.load(RECIPES / "broad.toml"), size=256, width_px=(18.0, 90.0))


def scenes(count: int) -> list[Scene]:
    return [sample_scene(BROAD, k) for k in range(count)]


@pytest.mark.parametrize("path", sorted(RECIPES.glob("*.toml")), ids=lambda p: p.stem)
def test_every_recipe_is_read_and_no_two_share_a_seed(path: Path) -> None:
    recipe = Recipe.load(path)
    assert 0 < recipe.width_px[0] < recipe.width_px[1]
    others = [Recipe.load(p).seed for p in RECIPES.glob("*.toml") if p != path]
    assert recipe.seed not in others


def test_the_same_recipe_gives_the_same_bytes() -> None:
    for k in range(6):
        first, truth = render(sample_scene(BROAD, k))
        again, truth_again = render(sample_scene(BROAD, k))
        assert first.tobytes() == again.tobytes()
        assert truth == truth_again
    assert render(sample_scene(BROAD, 1))[0].tobytes() != render(sample_scene(BROAD, 2))[0].tobytes()


@pytest.mark.parametrize("number", sorted(ARRANGEMENTS))
def test_every_arrangement_has_as_many_pips_as_its_number_and_none_overlap(number: int) -> None:
    for pattern in range(len(ARRANGEMENTS[number])):
        points = half_pips(number, pattern, 1.0)
        assert len(points) == number
        assert ((points > 0.08) & (points < 0.92)).all()
        gaps = np.linalg.norm(points[:, None] - points[None], axis=2) + 9 * np.eye(number)
        assert number < 2 or gaps.min() > (0.2 if number <= 12 else 0.145)


def test_a_drawn_face_shows_its_pips_on_the_right_half() -> None:
    rng = np.random.default_rng(5)
    style = replace(
        sample_style(rng), body=(250.0,) * 3, pips=((10.0,) * 3,) * 13, max_pip=12, patterns=(0,) * 13, pip_kind="flat",
        divider="none", texture="plain", pip_radius=0.08, dense_radius=0.07, spread=1.0,
    )  # fmt: skip
    face = draw_face(style, 11, 4, 160, np.zeros(2), rng)
    dark = (face.max(2) < 110).astype(np.uint8)
    half = face.shape[0] // 2
    assert [cv2.connectedComponents(part)[0] - 1 for part in (dark[:half], dark[half:])] == [11, 4]


@pytest.mark.parametrize("layout", sorted(LAYOUTS))
def test_tiles_that_lie_flat_do_not_lie_in_each_other(layout: str) -> None:
    for seed in range(4):
        rng = np.random.default_rng(seed)
        style = sample_style(rng)
        poses = LAYOUTS[layout](style, Hand(style.max_pip, rng), 10, rng)
        assert len(poses) >= 2
        polys = [footprint(p.x, p.y, p.yaw, style) for p in poses]
        if layout != "fan":
            assert not any(overlaps(poly, polys[:k], allowed=0.12 * style.length) for k, poly in enumerate(polys))


def test_a_hand_gives_each_tile_once() -> None:
    hand = Hand(6, np.random.default_rng(1))
    tiles = [tuple(sorted(hand.draw())) for _ in range(28)]
    assert len(set(tiles)) == 28


def test_the_camera_stands_where_the_picture_is_seen_from() -> None:
    for scene in scenes(8):
        cam = scene.camera
        target, eye = np.array([*cam.target, 0.0]), camera_position(cam)
        line = np.stack([target + (eye - target) * t for t in (0.0, 0.3, 0.6)])
        seen = project(cam, line)
        assert seen == pytest.approx(np.tile(seen[:1], (3, 1)), abs=1e-6), "a line of sight is one point"


def test_truth_lies_where_the_tile_was_drawn() -> None:
    seen = 0
    for scene in scenes(40):
        _, truth = render(scene)
        for tile in truth:
            corners = np.array(tile.corners)
            if tile.face_up:
                seen += 1
                same = [p for p in scene.tiles if (p.a, p.b) == (tile.a, tile.b)]
                options = [project(scene.camera, face_corners(p, scene.style)) for p in same]
                assert min(np.abs(o - corners).max() for o in options) < 0.01
            x, y = corners.T
            assert float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)) > 0, "clockwise as seen"
            assert all(0 <= share <= 1 for share in tile.visible)
    assert seen > 60


def test_a_tile_outside_the_frame_is_not_claimed_to_be_seen() -> None:
    for scene in scenes(40):
        _, truth = render(scene)
        h, w = scene.camera.height, scene.camera.width
        for tile in truth:
            middle = np.array(tile.corners).mean(0)
            if not ((middle > 0) & (middle < [w, h])).all():
                assert sum(tile.visible) / 2 < 0.75


def test_a_sidecar_is_plain_json_with_the_whole_scene() -> None:
    scene = scenes(3)[2]
    image, truth = render(scene)
    written = json.loads(json.dumps(sidecar(scene, truth), allow_nan=False))
    assert (written["height"], written["width"]) == image.shape[:2]
    assert len(written["scene"]["tiles"]) == len(scene.tiles)
    assert written["scene"]["seed"] == list(scene.seed)
