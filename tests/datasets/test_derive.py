import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from derive_corners import BACK, FACE, NONE, PAD, collect_boxes
from derive_detector import detector_lines, make_detector
from derive_halves import UNREADABLE, make_halves
from generate import make
from synth.sampling import Recipe

from companion.vision import weights
from companion.vision.corners import TILE_H, TILE_W, canonical

RECIPES = Path(__file__).parents[2] / "datasets" / "recipes"


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pictures")
    for part in ("images", "truth"):
        (folder / part).mkdir()
    recipe = replace(Recipe.load(RECIPES / "broad.toml"), size=320, width_px=(24.0, 60.0))
    for k in range(12):
        make(recipe, k, folder)
    return folder


def test_a_picture_that_is_there_is_not_made_again(pictures: Path) -> None:
    recipe = replace(Recipe.load(RECIPES / "broad.toml"), size=320)
    path = pictures / "images" / "broad-0000003.jpg"
    before = path.stat().st_mtime_ns
    make(recipe, 3, pictures)
    assert path.stat().st_mtime_ns == before


def test_labels_are_fractions_of_the_picture_and_name_both_classes(pictures: Path, tmp_path: Path) -> None:
    make_detector([pictures], tmp_path, held_out=4)
    labels = [line.split() for f in tmp_path.glob("labels/*/*.txt") for line in f.read_text().splitlines()]
    assert labels
    assert {line[0] for line in labels} <= {"0", "1", "2"}
    assert all(len(line) == 9 and all(0 <= float(v) <= 1 for v in line[1:]) for line in labels)
    assert len(list(tmp_path.glob("images/val/*.jpg"))) == 3
    assert len(list(tmp_path.glob("images/train/*.jpg"))) == 9


def test_a_hidden_tile_gets_no_label_and_a_back_is_a_back() -> None:
    corners = [[10, 10], [30, 10], [30, 50], [10, 50]]
    tile = {"a": 1, "b": 2, "face_up": True, "standing": False, "corners": corners, "visible": [1, 1]}
    truth = {"width": 100, "height": 100, "tiles": [tile, tile | {"visible": [0.2, 0.3]}, tile | {"face_up": False}]}
    lines = detector_lines(truth)
    assert [line[0] for line in lines] == ["0", "1"]
    assert np.array(lines[0].split()[1:], float) == pytest.approx([0.1, 0.1, 0.3, 0.1, 0.3, 0.5, 0.1, 0.5], abs=1e-4)


def test_parts_of_a_large_picture_keep_their_size_and_their_labels(tmp_path: Path) -> None:
    folder = tmp_path / "table"
    for name in ("images", "truth"):
        (folder / name).mkdir(parents=True)
    picture = np.full((900, 1200, 3), 20, np.uint8)
    cv2.rectangle(picture, (600, 400), (640, 480), (250, 250, 250), -1)
    cv2.imwrite(str(folder / "images" / "table-0000001.jpg"), picture)
    corners = [[600, 400], [640, 400], [640, 480], [600, 480]]
    tile = {"a": 1, "b": 2, "face_up": True, "standing": False, "corners": corners, "visible": [1, 1]}
    (folder / "truth" / "table-0000001.json").write_text(json.dumps({"width": 1200, "height": 900, "tiles": [tile]}))
    make_detector([folder], tmp_path / "out", held_out=1, parts=5)
    images = sorted(tmp_path.glob("out/images/val/*.jpg"))
    assert len(images) == 5
    for image in images:
        part = cv2.imread(str(image), cv2.IMREAD_GRAYSCALE)
        assert part is not None
        (line,) = (tmp_path / "out" / "labels" / "val" / f"{image.stem}.txt").read_text().splitlines()
        box = np.array(line.split()[1:], float).reshape(4, 2) * part.shape[0]
        ys, xs = np.nonzero(part > 128)
        assert box.min(0) == pytest.approx([xs.min(), ys.min()], abs=2)
        assert np.ptp(box, axis=0) == pytest.approx([40, 80], abs=2)  # not scaled


def test_pictures_may_count_several_times_in_training_only(pictures: Path, tmp_path: Path) -> None:
    make_detector([pictures], tmp_path, held_out=4, times=3)
    assert len(list(tmp_path.glob("images/train/*.jpg"))) == 27
    assert len(list(tmp_path.glob("labels/train/*.txt"))) == 27
    assert len(list(tmp_path.glob("images/val/*.jpg"))) == 3


def test_crops_are_sorted_by_what_the_sidecar_says(pictures: Path, tmp_path: Path) -> None:
    make_halves([pictures], tmp_path, held_out=4, per_class=50, seed=1, workers=1)
    crops = sorted(tmp_path.glob("*/*/*.png"))
    assert {p.parent.name for p in crops} <= {f"{n:02d}" for n in range(UNREADABLE + 1)}
    assert cv2.imread(str(crops[0])).shape == (64, 64, 3)
    values = [
        v for f in pictures.glob("truth/*.json") for t in json.loads(f.read_text())["tiles"] for v in (t["a"], t["b"])
    ]
    for label in range(UNREADABLE):
        assert len(list(tmp_path.glob(f"*/{label:02d}/*.png"))) <= values.count(label)


def test_boxes_of_the_detector_come_with_their_true_corners(pictures: Path, tmp_path: Path) -> None:
    collect_boxes([pictures], tmp_path, weights.FOLDER, most=5, step=1, workers=1)
    crops, corners, kinds = (np.load(tmp_path / f"{name}.npy") for name in ("crops", "corners", "kinds"))
    assert len(crops) == len(corners) == len(kinds) > 12
    assert crops.shape[1:] == (TILE_H + 2 * PAD, TILE_W + 2 * PAD, 3)
    assert set(kinds) <= {FACE, BACK, NONE}
    faces = corners[kinds == FACE]
    off = np.linalg.norm(faces - canonical(PAD), axis=2).max(1) / TILE_W
    assert len(faces) > 8
    assert np.median(off) < 0.35, "the true corners lie near the box"
