"""The same pipeline on ultralytics and torch, against ours on onnxruntime.

python models/compare.py PHOTO... [--repeat 5]

Both read the same photos with the same weights in one run: `models/*.pt` through ultralytics' own predictor, and the
files of the package. Prints what each read, the median time warm, the time from cold, and their ratio.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from companion.rules.tiles import TileSet
from companion.vision import weights
from companion.vision.corners import CornerRefiner, Refined, as_input, to_photo, upright
from companion.vision.detector import Detector, Found, Region
from companion.vision.evidence import Judge
from companion.vision.photo import Photo
from companion.vision.pips import PipReader
from companion.vision.reader import Reader

HERE = Path(__file__).parent


class UltralyticsDetector(Detector):
    """Looks through ultralytics' predictor: its letterbox, its suppression."""

    def __init__(self, path: Path, classes: tuple[str, ...]) -> None:
        from ultralytics import YOLO

        self._model = YOLO(str(path))
        self.classes = classes
        self.metadata: dict[str, str] = {}
        self._iou, self._inside = 0.35, 0.6

    def look(self, pixels: Any, size: int, threshold: float, region: Region | None = None) -> Found:
        left, top, right, bottom = region or (0, 0, pixels.shape[1], pixels.shape[0])
        part = np.ascontiguousarray(pixels[top:bottom, left:right, ::-1])
        (result,) = self._model.predict(part, imgsz=-(-size // 32) * 32, conf=threshold, iou=0.35, verbose=False)
        corners = result.obb.xyxyxyxy.numpy().astype(np.float32).reshape(-1, 4, 2)
        long_first = np.linalg.norm(corners[:, 1] - corners[:, 0], axis=1) > np.linalg.norm(
            corners[:, 2] - corners[:, 1], axis=1
        )
        corners[long_first] = np.roll(corners[long_first], 1, axis=1)
        scores = np.zeros((len(corners), len(self.classes)), np.float32)
        scores[np.arange(len(corners)), result.obb.cls.numpy().astype(int)] = result.obb.conf.numpy()
        return Found(corners + np.array([left, top], np.float32), scores)


class TorchRefiner(CornerRefiner):
    """The corner refiner in torch."""

    def __init__(self, path: Path, classes: tuple[str, ...]) -> None:
        import torch
        from corner_net import CornerNet

        self._net = CornerNet().eval()
        self._net.load_state_dict({k: v.float() for k, v in torch.load(path, map_location="cpu").items()})
        self.classes = classes

    def refine(self, pixels: Any, corners: Any) -> Refined:
        import torch

        if not len(corners):
            return Refined(np.zeros((0, 4, 2), np.float32), np.zeros((0, len(self.classes)), np.float32))
        with torch.inference_mode():
            moved, logits = self._net(torch.from_numpy(as_input(np.stack([upright(pixels, c) for c in corners]))))
        return Refined(to_photo(moved.numpy().reshape(-1, 4, 2), corners), logits.softmax(1).numpy())


class UltralyticsPips(PipReader):
    """Reads halves through ultralytics' predictor."""

    def __init__(self, path: Path, classes: tuple[str, ...], temperature: float) -> None:
        from ultralytics import YOLO

        self._model = YOLO(str(path))
        self.classes = classes
        self._temperature = temperature

    def read(self, crops: Any) -> Any:
        pictures = [np.ascontiguousarray(crop[..., ::-1]) for crop in crops]
        results = self._model.predict(pictures, imgsz=64, verbose=False)
        logits = np.log(np.clip(np.stack([r.probs.data.numpy() for r in results]), 1e-9, 1)) / self._temperature
        return (logits - np.log(np.exp(logits).sum(1, keepdims=True))).astype(np.float32)


def on_ultralytics() -> Reader:
    """The pipeline of the package with every network on torch."""
    os.environ.setdefault("YOLO_OFFLINE", "true")
    contract = weights.load_contract()
    classes = {name: part.classes for name, part in contract.parts.items()}
    temperature = contract.parts["halves"].settings.get("temperature", 1.0)
    return Reader(
        UltralyticsDetector(HERE / "detector.pt", classes["detector"]),
        TorchRefiner(HERE / "corners.pt", classes["corners"]),
        UltralyticsPips(HERE / "halves.pt", classes["halves"], temperature),
        Judge.from_contract(contract.judge),
        contract.version,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photos", type=Path, nargs="+")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--set", type=int, default=12, dest="max_pip")
    parser.add_argument("--once", choices=("ours", "ultralytics"), help="read the first photo and stop")
    args = parser.parse_args()
    tile_set = TileSet(args.max_pip)
    if args.once:
        reader = Reader.load() if args.once == "ours" else on_ultralytics()
        print(*reader.read_hand(Photo.from_path(args.photos[0]), tile_set).values)
        return
    readers = {"ours": Reader.load(), "ultralytics": on_ultralytics()}
    photos = [Photo.from_path(path) for path in args.photos]
    warm: dict[str, list[float]] = {name: [] for name in readers}
    same = 0
    for path, photo in zip(args.photos, photos, strict=True):
        read = {}
        for number in range(args.repeat + 1):
            for name, reader in readers.items():
                began = time.perf_counter()
                read[name] = sorted(reader.read_hand(photo, tile_set).values)
                if number:
                    warm[name].append(time.perf_counter() - began)
        same += read["ours"] == read["ultralytics"]
        if read["ours"] != read["ultralytics"]:
            print(f"{path.name}: ours {read['ours']}, ultralytics {read['ultralytics']}")
    cold: dict[str, list[float]] = {name: [] for name in readers}
    for _ in range(3):
        for name in readers:
            command = [sys.executable, __file__, str(args.photos[0]), "--set", str(args.max_pip), "--once", name]
            began = time.perf_counter()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            cold[name].append(time.perf_counter() - began)
    print(f"{same} of {len(photos)} photos read alike")
    for label, times in (("warm", warm), ("cold", cold)):
        ours, theirs = (statistics.median(times[name]) for name in ("ours", "ultralytics"))
        print(f"{label}: ours {ours * 1000:.0f} ms, ultralytics {theirs * 1000:.0f} ms, ratio {theirs / ours:.1f}")


if __name__ == "__main__":
    main()
