"""Train a network on whatever pictures exist: python models/train.py detector|halves DATA RUN [--minutes M].

DATA is what `datasets/derive_detector.py` or `derive_halves.py` wrote, RUN a folder outside the checkout. The run can
be stopped at any time and is taken up with the same command; after M minutes in all it ends with the learning rate
brought down. On a processor both networks are trained in bfloat16 where it can do that; a GPU is used if there is one.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from pathlib import Path
from typing import Any

CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
os.environ.setdefault("OMP_NUM_THREADS", str(CORES))
os.environ.setdefault("YOLO_OFFLINE", "true")

import torch  # noqa: E402  the number of threads must be set before
import ultralytics.engine.trainer as engine  # noqa: E402
from ultralytics import YOLO  # noqa: E402
from ultralytics.models.yolo.classify import ClassificationTrainer  # noqa: E402
from ultralytics.models.yolo.obb import OBBTrainer  # noqa: E402
from ultralytics.utils import torch_utils  # noqa: E402

RECIPES: dict[str, dict[str, Any]] = {
    "detector": {
        "task": "obb",
        "model": "yolo11n-obb.yaml",
        "imgsz": 512,
        "batch": 16,
        "lr0": 0.0012,
        "lrf": 0.03,
        "scale": 0.25,
        "translate": 0.08,
        "per_epoch": 3200,
    },
    "halves": {
        "task": "classify",
        "model": "yolo11n-cls.yaml",
        "imgsz": 64,
        "batch": 128,
        "lr0": 0.002,
        "lrf": 0.01,
        "scale": 0.12,
        "translate": 0.04,
        "per_epoch": 60000,
        "flipud": 0.0,  # a half is always cut with its divider below, so only left and right are alike
        "dropout": 0.1,
    },
}
"""What differs between the two networks; everything else is in `COMMON`."""

COMMON: dict[str, Any] = {
    "optimizer": "AdamW",
    "cos_lr": True,
    "warmup_epochs": 0.3,
    "mosaic": 0.0,
    "degrees": 0.0,
    "flipud": 0.5,
    "fliplr": 0.5,
    "hsv_h": 0.03,
    "hsv_s": 0.45,
    "hsv_v": 0.35,
    "erasing": 0.0,
    "auto_augment": None,
    "plots": False,
    "verbose": False,
    "workers": 1,
    "exist_ok": True,
    "seed": 1,
    "deterministic": False,
}


def use_processor_well() -> None:
    """Both cores and bfloat16: ultralytics alone takes one core and float32 on a small machine."""
    torch_utils.NUM_THREADS = CORES
    torch.set_num_threads(CORES)
    if torch.backends.mkldnn.is_available() and torch.ops.mkldnn._is_mkldnn_bf16_supported():
        engine.autocast = lambda *_args, **_kwargs: torch.autocast("cpu", dtype=torch.bfloat16)


def short_epochs(trainer_class: type, per_epoch: int) -> type:
    """A trainer whose epoch is a random part of the pictures, so that a stopped run loses minutes, not hours."""

    class Trainer(trainer_class):  # type: ignore[misc,valid-type]
        def build_dataset(self, path: str, mode: str = "train", batch: int | None = None) -> Any:
            whole = super().build_dataset(path, mode, batch) if batch is not None else super().build_dataset(path, mode)
            if mode != "train" or len(whole) <= per_epoch:
                return whole

            class Part(type(whole)):  # type: ignore[misc]
                def __len__(self) -> int:
                    return per_epoch

                def __getitem__(self, _index: int) -> Any:
                    return super().__getitem__(random.randrange(super().__len__()))

            whole.__class__ = Part
            return whole

    return Trainer


def train(kind: str, data: Path, run: Path, minutes: float, start: Path | None, changes: dict[str, Any]) -> None:
    recipe = COMMON | RECIPES[kind] | changes
    task, model_name, per_epoch = recipe.pop("task"), recipe.pop("model"), recipe.pop("per_epoch")
    trainer = short_epochs(OBBTrainer if task == "obb" else ClassificationTrainer, per_epoch)
    if task == "classify":
        recipe.pop("translate")
    gpu = torch.cuda.is_available()
    if not gpu:
        use_processor_well()
    last = run / "weights" / "last.pt"
    model = YOLO(str(last) if last.exists() else model_name, task=task)
    if not gpu:
        model.add_callback("on_train_start", lambda t: t.model.to(memory_format=torch.channels_last))
    began = time.monotonic()
    model.add_callback("on_fit_epoch_end", lambda t: _tell(t, began))
    if last.exists():
        model.train(trainer=trainer, resume=True)
        return
    model.train(
        trainer=trainer,
        data=str(data / "data.yaml" if task == "obb" else data),
        project=str(run.parent.resolve()),
        name=run.name,
        device=0 if gpu else "cpu",
        amp=gpu,
        nbs=recipe["batch"],
        epochs=1000,
        time=minutes / 60,
        pretrained=str(start) if start else False,
        **recipe,
    )


def _tell(trainer: Any, began: float) -> None:
    figures = {k.split("/")[-1]: round(float(v), 4) for k, v in (trainer.metrics or {}).items()}
    loss = trainer.tloss
    losses = [round(float(x), 3) for x in (loss.values() if isinstance(loss, dict) else torch.atleast_1d(loss))]
    spent = (time.monotonic() - began) / 60
    print(f"{spent:6.1f} min, epoch {trainer.epoch + 1}, loss {losses}, {figures}", file=sys.stderr, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=tuple(RECIPES))
    parser.add_argument("data", type=Path)
    parser.add_argument("run", type=Path)
    parser.add_argument("--minutes", type=float, default=90)
    parser.add_argument("--start", type=Path, help="a .pt file whose weights are taken where shapes agree")
    parser.add_argument("--set", nargs="*", default=[], metavar="KEY=NUMBER", help="change a setting of the recipe")
    args = parser.parse_args()
    changes = {k: float(v) if "." in v else int(v) for k, v in (item.split("=", 1) for item in args.set)}
    train(args.kind, args.data, args.run, args.minutes, args.start, changes)


if __name__ == "__main__":
    main()
