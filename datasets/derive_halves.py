"""Halves to train the pip reader on: python datasets/derive_halves.py PICTURES... OUT [--per-class N].

Labelled from the sidecars and cut with the function that reads photos, from corners as imprecise as the refiner's
(and some as rough as the detector's boxes). OUT/train and OUT/val hold a folder of PNG files for each number and one,
the last, for what is no readable half: hidden halves, places between tiles, the bare table.
"""

from __future__ import annotations

import argparse
import json
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np
from derive_detector import truths

from companion.vision.boxes import oriented_box
from companion.vision.pips import half_crops, half_sizes_px

Truth = dict[str, Any]
Rng = np.random.Generator

LARGEST = 18
UNREADABLE = LARGEST + 1
ROUGH_SHARE = 0.25
"""Share of tiles whose corners are as rough as an oriented box."""


def imprecise(corners: np.ndarray, rng: Rng) -> np.ndarray:
    """Corners (4, 2) with the error of the refiner, or sometimes of the detector alone."""
    width = float(np.linalg.norm(corners[1] - corners[0]))
    if rng.random() >= ROUGH_SHARE:
        grown = corners.mean(0) + (corners - corners.mean(0)) * (1 + rng.normal(0, 0.02))
        return np.asarray(grown + rng.normal(0, 0.025, (4, 2)) * width + rng.normal(0, 0.02, 2) * width, np.float32)
    box = oriented_box(corners, corners)
    middle = box.mean(0)
    turn = rng.normal(0, 0.025)
    c, s = np.cos(turn), np.sin(turn)
    turned = (box - middle) @ np.array([[c, s], [-s, c]]) * (1 + rng.normal(0, 0.03))
    return np.asarray(turned + middle + rng.normal(0, 0.03, 2) * width, np.float32)


def _halves(job: tuple[Path, Path, int]) -> list[tuple[int, np.ndarray]]:
    """Labelled crops of one picture."""
    cv2.setNumThreads(1)
    image_path, sidecar, seed = job
    truth = json.loads(sidecar.read_text(encoding="utf-8"))
    rng = np.random.default_rng([seed, int(image_path.stem.rsplit("-", 1)[1])])
    pixels = cv2.imread(str(image_path))
    if pixels is None:
        return []
    pixels = np.ascontiguousarray(pixels[..., ::-1])
    found: list[tuple[int, np.ndarray]] = []
    tiles = list(truth["tiles"])
    rng.shuffle(tiles)
    for tile in tiles[:14]:
        quad = np.array(tile["corners"], np.float32)
        size = min(half_sizes_px(quad))
        if size < 9:
            continue
        crops = half_crops(pixels, imprecise(quad, rng))
        for value, seen, crop in zip((tile["a"], tile["b"]), tile["visible"], crops, strict=True):
            if not tile["face_up"]:
                continue  # a plain back looks like a blank half: the refiner tells them apart by the whole tile
            if seen < 0.4:
                found.append((UNREADABLE, crop))
            elif seen > 0.88 and size >= 11:
                found.append((value, crop))
        if rng.random() < 0.12:  # between two tiles, or half off: not a half
            shift = rng.normal(0, 1, 2)
            shift *= size * rng.uniform(0.45, 0.9) / max(np.linalg.norm(shift), 1e-6)
            wrong = half_crops(pixels, quad + shift.astype(np.float32))
            found.append((UNREADABLE, wrong[int(rng.integers(2))]))
    for _ in range(2):
        crop = _nothing(pixels, truth, rng)
        if crop is not None:
            found.append((UNREADABLE, crop))
    return found


def _nothing(pixels: np.ndarray, truth: Truth, rng: Rng) -> np.ndarray | None:
    """A box somewhere on the table where no tile lies."""
    h, w = pixels.shape[:2]
    width = float(np.exp(rng.uniform(np.log(14), np.log(120))))
    centre, angle = rng.uniform(0, 1, 2) * [w, h], rng.uniform(0, 360)
    box = cv2.boxPoints((tuple(float(v) for v in centre), (width, 2 * width), float(angle)))
    for tile in truth["tiles"]:
        if cv2.intersectConvexConvex(box, np.array(tile["corners"], np.float32))[0] > 0.1 * width * width:
            return None
    return np.asarray(half_crops(pixels, box)[0])


def make_halves(folders: list[Path], out: Path, held_out: int, per_class: int, seed: int, workers: int) -> None:
    """Folders of crops by class, no class with more than `per_class` of them (the last with twice as many)."""
    counts = {part: [0] * (UNREADABLE + 1) for part in ("train", "val")}
    for part in counts:
        for label in range(UNREADABLE + 1):
            (out / part / f"{label:02d}").mkdir(parents=True, exist_ok=True)
    jobs = [(image, sidecar, seed) for image, sidecar in truths(folders)]
    Random(seed).shuffle(jobs)  # no class is full before every folder has had its turn
    with ProcessPoolExecutor(workers) as pool:
        for number, found in enumerate(pool.map(_halves, jobs, chunksize=16)):
            part = "val" if number % held_out == 0 else "train"
            for label, crop in found:
                if counts[part][label] >= per_class * (2 if label == UNREADABLE else 1):
                    continue
                name = f"{jobs[number][0].stem}-{counts[part][label]:06d}.png"
                path = out / part / f"{label:02d}" / name
                cv2.imwrite(str(path), crop[..., ::-1], [cv2.IMWRITE_PNG_COMPRESSION, 1])
                counts[part][label] += 1
            if number % 200 == 0:
                print(f"\r{number}/{len(jobs)} pictures ", end="", file=sys.stderr, flush=True)
    print(f"\n{counts}", file=sys.stderr)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pictures", type=Path, nargs="+")
    parser.add_argument("out", type=Path)
    parser.add_argument("--held-out", type=int, default=60, help="every n-th picture is for validation")
    parser.add_argument("--per-class", type=int, default=9000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    make_halves(args.pictures, args.out, args.held_out, args.per_class, args.seed, args.workers)


if __name__ == "__main__":
    main()
