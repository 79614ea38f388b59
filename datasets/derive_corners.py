"""Boxes of the detector with their true corners: python datasets/derive_corners.py PICTURES... OUT [--most N].

For every picture the detector's own boxes, good ones and phantoms, are cut out with wide surroundings and stored with
what lies there: OUT/crops.npy (n, h, w, 3) uint8 RGB, OUT/corners.npy (n, 4, 2) float32 in pixels of the crop,
OUT/kinds.npy (n,) uint8 (0 face, 1 back, 2 no tile).
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import cv2
import numpy as np
from derive_detector import truths

from companion.vision import weights
from companion.vision.boxes import overlap
from companion.vision.corners import TILE_H, TILE_W, canonical, upright
from companion.vision.detector import Detector

PAD = 40
"""Surroundings kept, so that training can still move and turn the box."""

FACE, BACK, NONE = 0, 1, 2
LOOK = 0.08
"""Boxes from this score on: the phantoms among them are what must be told apart."""

TABLE_MORE = 3
"""Of the picture of a whole round so many times more boxes are taken."""

_detector: list[Detector] = []


def _start(folder: Path) -> None:
    cv2.setNumThreads(1)
    if hasattr(os, "sched_setaffinity"):  # a core for each process, or the network's threads wait for each other
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cores[os.getpid() % len(cores)]})
    part = weights.load_contract(folder).parts["detector"]
    _detector[:] = [Detector(part.path, part.classes, iou=0.5, inside=0.9)]


def _boxes(job: tuple[Path, Path, int]) -> list[tuple[np.ndarray, np.ndarray, int]]:
    """(crop, corners in the crop, kind) of one picture."""
    image_path, sidecar, most = job
    truth = json.loads(sidecar.read_text(encoding="utf-8"))
    pixels = cv2.imread(str(image_path))
    if pixels is None:
        return []
    pixels = np.ascontiguousarray(pixels[..., ::-1])
    if "round" in truth:
        found, most = _detector[0].find(pixels, LOOK, table=True), most * TABLE_MORE
    else:
        found = _detector[0].look(pixels, 640, LOOK)
    tiles = [(t, np.array(t["corners"], np.float32)) for t in truth["tiles"]]
    rng = np.random.default_rng(int(image_path.stem.rsplit("-", 1)[1]))
    out = []
    counts = {FACE: 0, BACK: 0, NONE: 0}
    for k in rng.permutation(len(found)):
        box = found.corners[k]
        if np.linalg.norm(box[1] - box[0]) < 7:
            continue
        if found.scores[k].argmax() > 1:
            continue  # a marker or a station
        shares = [overlap(quad, box).union for _, quad in tiles]
        best = int(np.argmax(shares)) if shares else -1
        if best < 0 or shares[best] < 0.3:
            kind, quad = NONE, box
        elif shares[best] < 0.5 or sum(tiles[best][0]["visible"]) < 1.0:
            continue
        else:
            tile, quad = tiles[best]
            kind = FACE if tile["face_up"] else BACK
        counts[kind] += 1
        if counts[kind] > most:
            continue
        turns = [np.roll(quad, turn, axis=0) for turn in (0, 2)]
        quad = min(turns, key=lambda q: float(np.abs(q - box).sum()))
        matrix = cv2.getAffineTransform(box[:3], canonical(PAD)[:3])
        out.append((upright(pixels, box, PAD), quad @ matrix[:, :2].T + matrix[:, 2], kind))
    return out


def collect_boxes(folders: list[Path], out: Path, folder: Path, most: int, step: int, workers: int) -> None:
    """Write the boxes of every `step`-th picture to `out`; `folder` holds the weights of the detector."""
    jobs = [(image, sidecar, most) for image, sidecar in truths(folders)][::step]
    out.mkdir(parents=True, exist_ok=True)
    shape = (len(jobs) * most * 3 * TABLE_MORE, TILE_H + 2 * PAD, TILE_W + 2 * PAD, 3)
    crops = np.lib.format.open_memmap(out / "all.npy", mode="w+", dtype=np.uint8, shape=shape)
    corners, kinds = [], []
    with ProcessPoolExecutor(workers, initializer=_start, initargs=(folder,)) as pool:
        for number, found in enumerate(pool.map(_boxes, jobs, chunksize=8), 1):
            for crop, quad, kind in found:
                crops[len(kinds)] = crop
                corners.append(quad)
                kinds.append(kind)
            if number % 100 == 0:
                print(f"\r{number}/{len(jobs)} pictures, {len(kinds)} boxes ", end="", file=sys.stderr, flush=True)
    np.save(out / "crops.npy", crops[: len(kinds)])
    (out / "all.npy").unlink()
    np.save(out / "corners.npy", np.array(corners, np.float32).reshape(-1, 4, 2))
    np.save(out / "kinds.npy", np.array(kinds, np.uint8))
    print(f"\n{np.bincount(kinds, minlength=3)} faces, backs, others", file=sys.stderr)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pictures", type=Path, nargs="+")
    parser.add_argument("out", type=Path)
    parser.add_argument("--weights", type=Path, default=weights.FOLDER)
    parser.add_argument("--most", type=int, default=7, help="boxes of each kind a picture")
    parser.add_argument("--step", type=int, default=1, help="every n-th picture")
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    collect_boxes(args.pictures, args.out, args.weights, args.most, args.step, args.workers)


if __name__ == "__main__":
    main()
