"""Training code from pictures to shipped weights, a minute of it; runs only where ultralytics is installed."""

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import onnxruntime as ort
import pytest

pytest.importorskip("ultralytics", reason="training needs the extra 'train'")
pytestmark = pytest.mark.filterwarnings("ignore")  # other people's warnings

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def sets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from derive_detector import make_detector
    from derive_halves import UNREADABLE, make_halves
    from generate import make
    from synth.sampling import Recipe

    folder = tmp_path_factory.mktemp("sets")
    for part in ("images", "truth"):
        (folder / "pictures" / part).mkdir(parents=True)
    recipe = replace(Recipe.load(ROOT / "datasets/recipes/broad.toml"), size=160, width_px=(14.0, 50.0))
    for k in range(36):
        make(recipe, k, folder / "pictures")
    make_detector([folder / "pictures"], folder / "detector", held_out=6)
    make_halves([folder / "pictures"], folder / "halves", held_out=3, per_class=40, seed=1, workers=1)
    for label in range(UNREADABLE + 1):  # so small a set may lack a class, which the trainer does not accept
        for part in ("train", "val"):
            target = folder / "halves" / part / f"{label:02d}"
            if not any(target.iterdir()):
                cv2.imwrite(str(target / "blank.png"), np.zeros((64, 64, 3), np.uint8))
    return folder


@pytest.mark.parametrize(
    ("part", "small"),
    [("detector", {"imgsz": 160, "batch": 4, "per_epoch": 12}), ("halves", {"batch": 16, "per_epoch": 48})],
)
def test_a_network_is_trained_taken_up_again_and_exported(part: str, small: dict[str, int], sets: Path) -> None:
    import export
    from derive_detector import CLASSES
    from derive_halves import UNREADABLE
    from train import train

    run = sets / "runs" / part
    train(part, sets / part, run, minutes=0.05, start=None, changes=small)
    last = run / "weights" / "last.pt"
    assert last.exists()
    weights = sets / "weights"
    export.export(part, last, "0.0.1", "a test", weights)
    session = ort.InferenceSession(str(weights / f"{part}.onnx"))
    metadata = session.get_modelmeta().custom_metadata_map
    assert metadata["part"] == part
    classes = json.loads(metadata["classes"])
    assert classes == (list(CLASSES) if part == "detector" else [*map(str, range(UNREADABLE)), "unreadable"])
    size = 96 if part == "detector" else 64
    (output,) = session.run(None, {session.get_inputs()[0].name: np.zeros((2, 3, size, size), np.float32)})
    assert output.shape[:2] == ((2, 5 + len(classes)) if part == "detector" else (2, len(classes)))
    assert np.isfinite(output).all()
    stripped = sets / f"{part}.pt"
    export.strip(last, stripped)
    assert stripped.stat().st_size < 6_000_000
    train(part, sets / part, sets / "runs" / f"{part}-again", minutes=0.05, start=stripped, changes=small)
    assert (sets / "runs" / f"{part}-again" / "weights" / "last.pt").exists()


def test_large_weights_are_stored_as_half_and_compute_the_same(sets: Path) -> None:
    import export
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    rng = np.random.default_rng(1)
    weight = rng.normal(size=(32, 16)).astype(np.float32)
    model = helper.make_model(
        helper.make_graph(
            [helper.make_node("MatMul", ["x", "w"], ["y"])],
            "g",
            [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 32])],
            [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["n", 16])],
            [numpy_helper.from_array(weight, "w")],
        ),
        opset_imports=[helper.make_opsetid("", 17)],
        ir_version=8,
    )
    x = rng.normal(size=(4, 32)).astype(np.float32)
    export.store_as_float16(model)
    onnx.checker.check_model(model)
    (y,) = ort.InferenceSession(model.SerializeToString()).run(None, {"x": x})
    assert [t.data_type for t in model.graph.initializer] == [TensorProto.FLOAT16]
    assert y == pytest.approx(x @ weight, abs=0.02)


def test_the_corner_refiner_is_trained_taken_up_again_and_exported(sets: Path) -> None:
    import export
    import torch
    from derive_corners import collect_boxes
    from train_corners import train

    from companion.vision import weights
    from companion.vision.corners import HEIGHT, WIDTH

    collect_boxes([sets / "pictures"], sets / "corners", weights.FOLDER, most=9, step=1, workers=1)
    run = sets / "runs" / "corners"
    train([sets / "corners"], run, minutes=0.02, start=None)
    spent = torch.load(run / "last.pt")["spent"]
    train([sets / "corners"], run, minutes=0.04, start=None)
    assert torch.load(run / "last.pt")["spent"] > spent
    export.export("corners", run / "final.pt", "0.0.1", "a test", sets / "weights")
    session = ort.InferenceSession(str(sets / "weights" / "corners.onnx"))
    corners, kinds = session.run(None, {"boxes": np.zeros((3, 3, HEIGHT, WIDTH), np.float32)})
    assert corners.shape == (3, 8)
    assert kinds.shape == (3, 3)
    export.strip(run / "final.pt", sets / "corners.pt")
    assert (sets / "corners.pt").stat().st_size < 1_000_000
