"""Turn trained checkpoints into what the companion ships.

python models/export.py detector|corners|halves CHECKPOINT.pt --recipe TEXT [--version V]

Writes companion/vision/weights/NAME.onnx (float32 computation with weights stored as float16, or 8 bits throughout
with --int8), its entry in model.toml, and models/NAME.pt, stripped, from which training can go on.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import tempfile
from pathlib import Path

os.environ.setdefault("YOLO_OFFLINE", "true")

import numpy as np
import onnx
import torch
from contract import write_part
from corner_net import CLASSES, CornerNet
from onnx import TensorProto, helper, numpy_helper
from quantise import quantise

from companion.vision.corners import HEIGHT, WIDTH
from companion.vision.weights import FOLDER, PARTS, file_sha256

SIZES = {"detector": 640, "halves": 64}


def store_as_float16(model: onnx.ModelProto, at_least: int = 256) -> None:
    """Keep large weights as float16 behind a Cast; the runtime unfolds them once on loading, at no later cost."""
    casts, kept = [], []
    for tensor in model.graph.initializer:
        if tensor.data_type != TensorProto.FLOAT or np.prod(tensor.dims) < at_least:
            kept.append(tensor)
            continue
        small = numpy_helper.from_array(numpy_helper.to_array(tensor).astype(np.float16), f"{tensor.name}.f16")
        kept.append(small)
        casts.append(helper.make_node("Cast", [small.name], [tensor.name], to=TensorProto.FLOAT))
    nodes = [*casts, *model.graph.node]
    del model.graph.initializer[:], model.graph.node[:]
    model.graph.initializer.extend(kept)
    model.graph.node.extend(nodes)


def _yolo(part: str, checkpoint: Path, folder: Path) -> tuple[onnx.ModelProto, list[str]]:
    from ultralytics import YOLO

    copy = folder / f"{part}.pt"
    shutil.copy(checkpoint, copy)
    network = YOLO(str(copy))
    names = [network.names[k] for k in sorted(network.names)]
    classes = [name if not name.isdigit() else str(int(name)) for name in names]
    made = network.export(format="onnx", imgsz=SIZES[part], dynamic=True, simplify=True, opset=17)
    if part == "halves":
        classes[-1] = "unreadable"
    return onnx.load(made), classes


def _corners(checkpoint: Path, folder: Path) -> tuple[onnx.ModelProto, list[str]]:
    net = CornerNet()
    net.load_state_dict({k: v.float() for k, v in torch.load(checkpoint, map_location="cpu").items()})
    path = folder / "corners.onnx"
    torch.onnx.export(
        net.eval(),
        (torch.zeros(2, 3, HEIGHT, WIDTH),),
        str(path),
        input_names=["boxes"],
        output_names=["corners", "kinds"],
        dynamic_axes={name: {0: "n"} for name in ("boxes", "corners", "kinds")},
        opset_version=17,
        dynamo=False,
    )
    return onnx.load(path), list(CLASSES)


def export(part: str, checkpoint: Path, version: str, recipe: str, out: Path, int8: Path | None = None) -> None:
    with tempfile.TemporaryDirectory() as folder:
        made = _corners(checkpoint, Path(folder)) if part == "corners" else _yolo(part, checkpoint, Path(folder))
    model, classes = made
    if int8:
        model = quantise(model, part, int8)
    else:
        store_as_float16(model)
    del model.metadata_props[:], model.graph.value_info[:]  # shapes between the layers: a megabyte that nobody reads
    if part == "corners":
        shape = f"(n, 3, {HEIGHT}, {WIDTH}) float32 RGB 0..1"
    else:
        shape = f"(n, 3, h, w) float32 RGB 0..1, multiples of 32, trained around {SIZES[part]} px"
    facts = {"part": part, "version": version, "classes": json.dumps(classes), "recipe": recipe, "input": shape}
    for key, value in {**facts, "licence": "AGPL-3.0-or-later"}.items():
        model.metadata_props.append(onnx.StringStringEntryProto(key=key, value=value))
    onnx.checker.check_model(model)
    out.mkdir(parents=True, exist_ok=True)
    onnx.save(model, out / f"{part}.onnx")
    keep = {"file": f"{part}.onnx", "sha256": file_sha256(out / f"{part}.onnx"), "input": shape}
    write_part(out, part, version, keep | {"classes": classes, "recipe": recipe})


def strip(checkpoint: Path, target: Path) -> None:
    """Keep the weights alone, in half precision."""
    kept = torch.load(checkpoint, map_location="cpu", weights_only=False)
    if "net" not in kept and "model" not in kept:  # the corner refiner: a plain state dictionary
        torch.save({k: v.half() if v.is_floating_point() else v for k, v in kept.items()}, target)
        return
    model = (kept.get("ema") or kept["model"]).half()
    args = {k: v for k, v in (kept.get("train_args") or {}).items() if k in ("task", "imgsz", "batch")}
    model.args, model.pt_path = args, None  # the network remembers paths of the machine that trained it
    torch.save({"model": model, "ema": None, "optimizer": None, "epoch": -1, "train_args": args}, target)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=PARTS)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--version", required=True)
    parser.add_argument("--recipe", required=True, help="one sentence: pictures, minutes, start")
    parser.add_argument("--out", type=Path, default=FOLDER)
    parser.add_argument("--int8", type=Path, help="quantise on pictures of this training set")
    parser.add_argument("--no-checkpoint", action="store_true", help="do not write models/NAME.pt")
    args = parser.parse_args()
    export(args.part, args.checkpoint, args.version, args.recipe, args.out, args.int8)
    if not args.no_checkpoint:
        strip(args.checkpoint, Path(__file__).parent / f"{args.part}.pt")


if __name__ == "__main__":
    main()
