"""Tiles that stand at the rim of a table are told from those that lie, however the camera is held."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from synth.geometry import face_corners, frame, project
from synth.scene import Camera, SetStyle, TilePose
from synth.styles import sample_style

from companion.vision.lying import lying
from companion.vision.readings import TileBox


def camera(tilt: float, azimuth: float) -> Camera:
    return Camera(1920, 1080, 1900.0, 45.0, tilt, azimuth, (0.0, 0.0), (0.0, 0.0))


def seen(pose: TilePose, style: SetStyle, view: Camera, rng: np.random.Generator) -> TileBox:
    """The corners of a tile as they are refined, not quite exact; of one that stands, a box around its upper edge."""
    corners = face_corners(pose, style)
    box = project(view, corners)
    if pose.standing:
        corners = np.concatenate([corners, corners - frame(pose, style)[3] * style.thickness])
        box = cv2.boxPoints(cv2.minAreaRect(project(view, corners[corners[:, 2] > 0.5]).astype(np.float32)))
        if np.linalg.norm(box[1] - box[0]) > np.linalg.norm(box[2] - box[1]):
            box = np.roll(box, 1, axis=0)
    width = np.linalg.norm(box[1] - box[0])
    return TileBox((box + rng.normal(0, 0.02, (4, 2)) * width).astype(np.float32), 0.9)


def quads(boxes: list[TileBox]) -> np.ndarray:
    return np.array([box.corners for box in boxes], np.float32).reshape(-1, 4, 2)


@pytest.mark.parametrize(("tilt", "faces"), [(0.0, 0), (0.3, 0), (0.0, 1), (0.3, 1), (0.55, 1), (0.55, 6)])
@pytest.mark.parametrize("azimuth", [0.0, 0.7])
@pytest.mark.parametrize("thickness", [0.2, 0.42])
def test_hands_that_stand_are_no_backs_that_lie(tilt: float, azimuth: float, thickness: float, faces: int) -> None:
    rng = np.random.default_rng([int(100 * tilt), int(10 * azimuth), faces])
    style = replace(sample_style(np.random.default_rng(1), ordinary=True), thickness=thickness, length=2.0)
    view = camera(tilt, azimuth)
    up = [TilePose(0, 1, 2.2 * k, 0, 1.57) for k in range(faces)]
    boneyard = [TilePose(0, 1, -15 + 2.2 * (k % 4), 5 + 1.2 * (k // 4), 1.57, False) for k in range(7)]
    hand = [TilePose(0, 1, 12 + 1.1 * k, -8, 0.0, False) for k in range(5)]
    standing = [TilePose(0, 1, -6 + 2.15 * k, -10.5, -1.57, True, True) for k in range(6)]
    standing += [TilePose(0, 1, 19, -2 + 2.15 * k, 0.0, True, True) for k in range(6)]
    boxes = {id(pose): seen(pose, style, view, rng) for pose in (*up, *boneyard, *hand, *standing)}
    backs = [boxes[id(pose)] for pose in (*standing[:6], *boneyard, *hand, *standing[6:])]
    flat = lying(quads([boxes[id(pose)] for pose in up]), quads(backs))
    assert flat[0].all()
    assert {id(box) for box, lies in zip(backs, flat[1], strict=True) if lies} == {
        id(boxes[id(pose)]) for pose in (*boneyard, *hand)
    }


@pytest.mark.parametrize("tilt", [0.0, 0.3, 0.55])
@pytest.mark.parametrize("fewest", [1, 3])
def test_faces_of_a_hand_that_stands_are_no_tiles_on_the_table(tilt: float, fewest: int) -> None:
    rng = np.random.default_rng([int(100 * tilt), fewest])
    style = replace(sample_style(np.random.default_rng(1), ordinary=True), length=2.0)
    view = camera(tilt, 0.0)
    up = [TilePose(0, k, 2.2 * k, 0, 1.57) for k in range(fewest)]
    alone = TilePose(5, 5, -3.0, 4.0, 0.3)
    boneyard = [TilePose(0, 1, -15 + 2.2 * (k % 4), 5 + 1.2 * (k // 4), 1.57, False) for k in range(9)]
    standing = [TilePose(1, k, -6 + 2.15 * k, -10.5, -1.57, True, True) for k in range(8)]
    faces = [seen(pose, style, view, rng) for pose in (*standing, *up, alone)]
    lie, down = lying(quads(faces), quads([seen(pose, style, view, rng) for pose in boneyard]))
    assert lie.tolist() == [False] * 8 + [True] * (fewest + 1)
    assert down.all()


def test_without_backs_none_lies() -> None:
    lie, down = lying(quads([]), quads([]))
    assert len(lie) == len(down) == 0
