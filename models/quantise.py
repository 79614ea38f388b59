"""Weights and activations in 8 bits: static quantisation (QDQ) of an exported network on pictures of its own kind."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import onnx
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

from companion.vision.corners import PAD, as_input
from companion.vision.detector import letterbox

COUNTS = {"detector": 64, "corners": 512, "halves": 1024}


def calibration_inputs(part: str, source: Path) -> Iterator[np.ndarray]:
    """Inputs of the network from what it is trained on: pictures, boxes or halves."""
    if part == "corners":
        crops = np.load(source / "crops.npy", mmap_mode="r")
        cut = (crops.shape[2] - 48) // 2 - PAD
        for k in np.linspace(0, len(crops) - 1, COUNTS[part]).astype(int):
            yield as_input(np.ascontiguousarray(crops[k][cut:-cut, cut:-cut])[None])
        return
    pattern = "images/train/*.jpg" if part == "detector" else "train/*/*.png"
    paths = sorted(source.glob(pattern))
    for k in np.linspace(0, len(paths) - 1, COUNTS[part]).astype(int):
        pixels = cv2.imread(str(paths[k]))
        assert pixels is not None
        pixels = np.ascontiguousarray(pixels[..., ::-1])
        if part == "detector":
            batch = letterbox(pixels, 640)[0]
            yield batch
        else:
            yield np.ascontiguousarray(pixels.transpose(2, 0, 1)[None], np.float32) / np.float32(255)


class _Inputs(CalibrationDataReader):
    def __init__(self, name: str, inputs: Iterator[np.ndarray]) -> None:
        self._name, self._inputs = name, inputs

    def get_next(self) -> dict[str, np.ndarray] | None:
        batch = next(self._inputs, None)
        return None if batch is None else {self._name: batch}


def quantise(model: onnx.ModelProto, part: str, source: Path) -> onnx.ModelProto:
    """The network in 8 bits; what follows the last convolutions (boxes, angles, probabilities) stays in floats."""
    with tempfile.TemporaryDirectory() as folder:
        plain, ready, done = (Path(folder) / f"{name}.onnx" for name in ("plain", "ready", "done"))
        onnx.save(model, plain)
        quant_pre_process(str(plain), str(ready), skip_symbolic_shape=True)
        prepared = onnx.load(ready)
        head = [
            node.name
            for node in prepared.graph.node
            if (part == "detector" and node.name.startswith("/model.23/") and node.op_type != "Conv")
            or node.op_type in ("Softmax", "Gemm")
        ]
        quantize_static(
            str(ready),
            str(done),
            _Inputs(prepared.graph.input[0].name, calibration_inputs(part, source)),
            quant_format=QuantFormat.QDQ,
            per_channel=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            nodes_to_exclude=head,
        )
        return onnx.load(done)
