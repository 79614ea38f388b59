"""Set temperature and thresholds on held-out renders: python models/calibrate.py FOLDER [--write].

FOLDER was made by datasets/generate.py from a recipe that no network was trained on. Real photos play no part. The
temperature makes the halves' probabilities honest; the thresholds are the smallest with which tiles without a doubt
are wrong less often than `--wrong` (default 0.3 %). --write puts them into model.toml.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from contract import read_contract, write_contract

from companion.vision.boxes import overlap
from companion.vision.photo import Photo
from companion.vision.reader import Reader
from companion.vision.weights import FOLDER

MATCHED = 0.5
"""Overlap (IoU) from which a box is taken for a tile."""

NEARLY_BEST = 0.005
"""Of thresholds with nearly the same F1 the lowest is taken: a doubted phantom does less harm than a missed tile."""


@dataclass(frozen=True, slots=True)
class Box:
    """One box of the detector and what it really is."""

    score: float
    is_back: bool
    logs: np.ndarray
    """(2, classes) mean logarithms of probabilities at temperature 1."""
    truth: tuple[int, int] | None
    """The halves' numbers in the order of the box; None where no tile lies."""
    truth_is_back: bool


def collect(reader: Reader, folder: Path, look: float) -> tuple[list[Box], int]:
    """All boxes over `look`, and how many well seen tiles there are."""
    boxes: list[Box] = []
    tiles = 0
    paths = sorted((folder / "truth").glob("*.json"))
    for number, path in enumerate(paths, 1):
        truth = json.loads(path.read_text(encoding="utf-8"))
        photo = Photo.from_path(folder / "images" / f"{path.stem}.jpg")
        found = reader.detect(photo, look)
        logs = np.log(np.maximum(reader.chances(photo, found), 1e-12))
        used: set[int] = set()
        for k in range(len(found)):
            corners = found.corners[k]
            overlaps = [
                0.0 if i in used else overlap(corners, np.array(t["corners"], np.float32)).union
                for i, t in enumerate(truth["tiles"])
            ]
            best = int(np.argmax(overlaps)) if overlaps else -1
            score, is_back = float(found.scores[k].max()), reader.is_back(found, k)
            if best < 0 or overlaps[best] < MATCHED:
                boxes.append(Box(score, is_back, logs[k], None, False))
                continue
            used.add(best)
            tile = truth["tiles"][best]
            if min(tile["visible"]) < 0.9:
                continue  # neither right nor wrong
            same = np.abs(corners - tile["corners"]).sum() <= np.abs(corners[[2, 3, 0, 1]] - tile["corners"]).sum()
            value = (tile["a"], tile["b"]) if same else (tile["b"], tile["a"])
            boxes.append(Box(score, is_back, logs[k], value, not tile["face_up"]))
        tiles += sum(t["face_up"] and min(t["visible"]) >= 0.9 for t in truth["tiles"])
        print(f"\r{number}/{len(paths)} pictures ", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return boxes, tiles


def fit_temperature(boxes: list[Box]) -> float:
    """The temperature with the smallest log loss on the halves of true tiles."""
    faces = [b for b in boxes if b.truth and not b.truth_is_back]
    logs = np.concatenate([b.logs for b in faces])
    values = np.array([v for b in faces for v in b.truth or ()])

    def loss(t: float) -> float:
        z = logs / t
        z = z - np.log(np.exp(z - z.max(1, keepdims=True)).sum(1, keepdims=True)) - z.max(1, keepdims=True)
        return float(-np.clip(z[np.arange(len(values)), values], -12, 0).mean())

    return float(min(np.arange(0.5, 3.01, 0.05), key=loss))


def fit_thresholds(boxes: list[Box], tiles: int, temperature: float, wrong: float) -> dict[str, float]:
    """The lowest threshold with nearly the best F1, then the fewest doubts that keep silent errors under `wrong`."""
    scores = np.array([b.score for b in boxes])
    is_tile = np.array([b.truth is not None and not b.truth_is_back and not b.is_back for b in boxes])
    junk_limit = 0.5
    logs = np.array([b.logs for b in boxes]) / temperature
    chances = np.exp(logs - logs.max(2, keepdims=True))
    chances /= chances.sum(2, keepdims=True)
    numbers = chances[:, :, :-1]
    shown = np.array([not b.is_back for b in boxes]) & (chances[:, :, -1].max(1) <= junk_limit)

    def f1(limit: float) -> float:
        kept = shown & (scores >= limit)
        right = (kept & is_tile).sum()
        return float(2 * right / max(1, kept.sum() + tiles))

    limits = np.arange(0.25, 0.76, 0.05)
    best_f1 = max(f1(limit) for limit in limits)
    accept = float(min(limit for limit in limits if f1(limit) >= best_f1 - NEARLY_BEST))
    best, sure = numbers.argmax(2), numbers.max(2).min(1) / numbers.sum(2).min(1).clip(1e-9)
    right = np.array(
        [b.truth is not None and not b.truth_is_back and tuple(v) == b.truth for b, v in zip(boxes, best, strict=True)]
    )
    kept = shown & (scores >= accept)
    options: list[tuple[float, float, float]] = []
    for sure_half in (0.6, 0.7, 0.8, 0.85, 0.9, 0.93, 0.95, 0.97, 0.98, 0.99, 0.995):
        for sure_box in np.arange(accept, 0.91, 0.05):
            calm = kept & (sure >= sure_half) & (scores >= sure_box)
            if calm.sum() and 1 - right[calm].mean() <= wrong:
                options.append((-float(calm.sum()), sure_half, float(sure_box)))
    calm_count, sure_half, sure_box = min(options) if options else (0.0, 0.995, 0.9)
    calm = kept & (sure >= sure_half) & (scores >= sure_box)
    print(
        f"tiles {tiles}, boxes {len(boxes)}, F1 {f1(accept):.4f} at {accept:.2f}; of tiles without a doubt "
        f"{int((~right[calm]).sum())} of {int(-calm_count)} are wrong; doubted {int(kept.sum() + calm_count)}"
    )
    return {"accept": accept, "sure_half": sure_half, "sure_box": sure_box}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--weights", type=Path, default=FOLDER)
    parser.add_argument("--wrong", type=float, default=0.003)
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    reader = Reader.load(args.weights).with_temperature(1.0)
    boxes, tiles = collect(reader, args.folder, 0.2)
    temperature = fit_temperature(boxes)
    thresholds = fit_thresholds(boxes, tiles, temperature, args.wrong)
    print({"temperature": round(temperature, 2), **{k: round(v, 3) for k, v in thresholds.items()}})
    if args.write:
        contract: dict[str, Any] = read_contract(args.weights)
        halves, detector = contract["halves"], contract["detector"]
        halves["settings"] = {"temperature": round(temperature, 2), "sure_half": round(thresholds["sure_half"], 3)}
        detector["settings"] = {k: round(thresholds[k], 3) for k in ("accept", "sure_box")}
        for part in ("detector", "halves"):
            write_contract(args.weights, part, contract["version"], contract[part])


if __name__ == "__main__":
    main()
