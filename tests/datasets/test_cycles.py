"""The ray tracer draws what the sidecar says. Without bpy only the scenes themselves are tested."""

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import cv2
import numpy as np
import pytest
from synth.cycles_hands import SMALLEST_HALF, ground, scene_for
from synth.faces import draw_face
from synth.geometry import face_corners, project
from synth.sampling import Recipe
from synth.scene import Lens, Scene, Thing, TilePose

RECIPES = Path(__file__).parents[2] / "datasets" / "recipes"
HANDS = Recipe.load(RECIPES / "cycles-held-out.toml")
TRAINING = Recipe.load(RECIPES / "cycles.toml")
SHARP = Lens(0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 95, 0.0)


def test_hands_lie_face_up_and_whole_in_the_picture_and_are_large_enough() -> None:
    for k in range(12):
        scene = scene_for(HANDS, k)
        assert HANDS.hands is not None
        assert HANDS.hands[0] <= len(scene.tiles) <= HANDS.hands[1]
        assert len({tuple(sorted((t.a, t.b))) for t in scene.tiles}) == len(scene.tiles)
        for pose in scene.tiles:
            assert (pose.face_up, pose.standing) == (True, False)
            seen = project(scene.camera, face_corners(pose, scene.style))
            assert (seen > 0).all()
            assert (seen < [scene.camera.width, scene.camera.height]).all()
            sides = np.linalg.norm(np.roll(seen, -1, 0) - seen, axis=1) / [1, 2, 1, 2]
            assert sides.min() >= SMALLEST_HALF
        assert scene == scene_for(HANDS, k)


def test_no_body_stands_in_another() -> None:
    for k in range(16):
        scene = scene_for(TRAINING, k)
        covered = [ground(p, scene.style) for p in scene.tiles]
        shared = [cv2.intersectConvexConvex(a, b)[0] for a, b in combinations(covered, 2)]
        assert max(shared, default=0.0) < 0.02


def _plain_scene() -> Scene:
    """Two large tiles in even light, seen askew, one of them cut by the frame."""
    scene = replace(scene_for(HANDS, 1), clutter=(), lens=SHARP)
    style = replace(
        scene.style, body=(235.0,) * 3, pips=((15.0,) * 3,) * 13, pip_kind="flat", max_pip=12, patterns=(0,) * 13,
        divider="line", divider_rgb=(15.0,) * 3, texture="plain", gloss=0.0, length=2.0, numerals=False,
    )  # fmt: skip
    camera = replace(
        scene.camera, width=240, height=200, focal_px=260.0, distance=5.2, tilt=0.5, azimuth=0.7, target=(0.0, 0.0),
        offset_px=(14.0, -9.0),
    )  # fmt: skip
    ahead = np.array([np.cos(0.7), -np.sin(0.7)]) * 2.6  # to the right in the picture
    tiles = (TilePose(6, 11, 0.0, 0.0, 0.4), TilePose(2, 5, float(ahead[0]), float(ahead[1]), -0.7 + np.pi / 2))
    light = replace(scene.light, exposure=1.0, gamma=1.0, tint=(1.0, 1.0, 1.0), glare=())
    return replace(scene, style=style, camera=camera, tiles=tiles, light=light, things=())


@pytest.fixture(scope="module")
def cycles():
    pytest.importorskip("bpy", reason="the ray tracer needs Blender as a module: pip install .[synth], Python 3.11")
    from synth import cycles

    return cycles


def test_pips_are_seen_where_the_sidecar_has_them(cycles) -> None:
    scene = _plain_scene()
    drawn = cycles.draw(scene, 2, 4)
    assert drawn.image.shape == (200, 240, 3)
    tile = next(t for t in drawn.tiles if (t.a, t.b) == (6, 11))
    wanted = draw_face(scene.style, 6, 11, 80, np.zeros(2), np.random.default_rng(1)).mean(2)
    h, w = wanted.shape
    source = np.array(tile.corners, np.float32)
    matrix = cv2.getPerspectiveTransform(source, np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32))
    seen = cv2.warpPerspective(drawn.image, matrix, (w, h)).mean(2)
    inner = np.s_[6:-6, 6:-6]
    assert np.corrcoef(seen[inner].ravel(), wanted[inner].ravel())[0, 1] > 0.75
    upside_down = np.corrcoef(seen[inner].ravel(), wanted[::-1, ::-1][inner].ravel())[0, 1]
    assert upside_down < 0.6


def test_what_is_cut_off_or_covered_is_not_called_visible(cycles) -> None:
    scene = _plain_scene()
    cut = cycles.draw(scene, 2, 1).tiles
    whole, cropped = (next(t for t in cut if t.a == a) for a in (6, 2))
    assert whole.visible == pytest.approx((1.0, 1.0))
    inside = cv2.intersectConvexConvex(
        np.array(cropped.corners, np.float32), np.array([[0, 0], [240, 0], [240, 200], [0, 200]], np.float32)
    )[0] / cv2.contourArea(np.array(cropped.corners, np.float32))
    assert 0.05 < inside < 0.95
    assert np.mean(cropped.visible) == pytest.approx(inside, abs=0.12)
    top = scene.style.thickness
    at = TilePose(6, 11, 0.0, 0.0, 0.4)
    upper = np.array([-np.sin(at.yaw), np.cos(at.yaw)]) * 0.5  # the middle of half a
    coin = Thing("marker", "coin", float(upper[0]), float(upper[1]), 0.9, 0.0, (190.0, 150.0, 80.0),
                 (200.0, 200.0, 200.0), 5, lift=top, on=0)  # fmt: skip
    covered = cycles.draw(replace(scene, things=(coin,)), 2, 1)
    tile = next(t for t in covered.tiles if t.a == 6)
    assert tile.visible[0] < 0.55
    assert tile.visible[1] > 0.9
    assert [(t.kind, t.model) for t in covered.things] == [("marker", "coin")]
    assert covered.things[0].visible > 0.9


def test_the_same_scene_gives_the_same_picture(cycles) -> None:
    scene = _plain_scene()
    first, again = cycles.draw(scene, 2, 1), cycles.draw(scene, 2, 1)
    assert first.tiles == again.tiles
    assert first.image.tobytes() == again.image.tobytes()
