"""Turn pictures and their sidecars into training sets: python datasets/derive.py detector|halves PICTURES... OUT.

Everything comes from the sidecars; nothing is labelled by eye. `detector` writes YOLO OBB labels (0 tile, 1 back,
2 marker, 3 station); `halves` cuts halves with the function that reads photos, from boxes as imprecise as the
detector's.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.vision.boxes import oriented_box
from companion.vision.pips import half_crops, half_sizes_px

Truth = dict[str, Any]
Rng = np.random.Generator

CLASSES = ("tile", "back", "marker", "station")
UNREADABLE = 13
LABELLED_SHARE = 0.5
"""A tile or marker of which less is seen is not asked of the detector."""
STATION_SHARE = 0.2
"""A station in use lies under tiles for the most part."""


def truths(folders: list[Path]) -> Iterator[tuple[Path, Path]]:
    """Pairs of picture and sidecar, in the order of their names."""
    for folder in folders:
        for path in sorted((folder / "truth").glob("*.json")):
            yield folder / "images" / f"{path.stem}.jpg", path


def detector_lines(truth: Truth) -> list[str]:
    """The labels of one picture: class and the four corners of the smallest rectangle, as fractions."""
    w, h = truth["width"], truth["height"]
    frame = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    lines = []
    for name, quad in _labelled(truth):
        area, inside = cv2.intersectConvexConvex(quad, frame)
        if area < 12:
            continue
        box = oriented_box(inside[:, 0] if area < 0.98 * cv2.contourArea(quad) else quad, quad)
        points = np.clip(box / [w, h], 0, 1)
        lines.append(f"{CLASSES.index(name)} " + " ".join(f"{v:.5f}" for v in points.ravel()))
    return lines


def _labelled(truth: Truth) -> Iterator[tuple[str, np.ndarray]]:
    """Class and corners (4, 2) of everything the detector is asked for."""
    for tile in truth["tiles"]:
        if sum(tile["visible"]) / 2 >= LABELLED_SHARE:
            yield "tile" if tile["face_up"] else "back", np.array(tile["corners"], np.float32)
    for thing in truth.get("things", ()):
        if thing["visible"] >= (STATION_SHARE if thing["kind"] == "station" else LABELLED_SHARE):
            yield thing["kind"], np.array(thing["corners"], np.float32)
    yield from (("marker", box) for box in _coins(truth))


def _coins(truth: Truth) -> Iterator[np.ndarray]:
    """Coins that older recipes have among their clutter: upright squares; none that tiles or clutter hide."""
    w, h = truth["width"], truth["height"]
    items = truth["scene"].get("clutter", ()) if "scene" in truth else ()
    for k, item in enumerate(items):
        r = item["size"] * max(w, h) * 0.4
        if item["kind"] != "coin" or r < 3:
            continue
        x, y = item["x"] * w, item["y"] * h
        box = np.array([[x - r, y - r], [x + r, y - r], [x + r, y + r], [x - r, y + r]], np.float32)
        seen = (min(x + r, w) - max(x - r, 0)) * (min(y + r, h) - max(y - r, 0)) / (4 * r * r)
        for tile in truth["tiles"]:
            seen -= cv2.intersectConvexConvex(box, np.array(tile["corners"], np.float32))[0] / (4 * r * r)
        later = items[k + 1 :]
        hidden = any(np.hypot(o["x"] * w - x, o["y"] * h - y) < o["size"] * max(w, h) * 0.5 for o in later)
        if seen >= LABELLED_SHARE and not hidden:
            yield box


def make_detector(folders: list[Path], out: Path, held_out: int) -> None:
    """Labels and links to the pictures; every `held_out`-th is kept for validation."""
    for part in ("train", "val"):
        (out / "images" / part).mkdir(parents=True, exist_ok=True)
        (out / "labels" / part).mkdir(parents=True, exist_ok=True)
    counts = {"train": 0, "val": 0}
    for number, (image, sidecar) in enumerate(truths(folders)):
        part = "val" if number % held_out == 0 else "train"
        counts[part] += 1
        link = out / "images" / part / image.name
        if not link.exists():
            link.symlink_to(image.resolve())
        lines = detector_lines(json.loads(sidecar.read_text(encoding="utf-8")))
        (out / "labels" / part / f"{image.stem}.txt").write_text("\n".join(lines), encoding="utf-8")
    names = "".join(f"  {k}: {name}\n" for k, name in enumerate(CLASSES))
    (out / "data.yaml").write_text(f"path: {out.resolve()}\ntrain: images/train\nval: images/val\nnames:\n{names}")
    print(counts, file=sys.stderr)


def _jittered(corners: np.ndarray, rng: Rng) -> np.ndarray:
    """A box as the detector gives it: the smallest rectangle, a little off in place, size and angle."""
    box = oriented_box(corners, corners)
    middle = box.mean(0)
    width = np.linalg.norm(box[1] - box[0])
    turn = rng.normal(0, 0.025)
    c, s = np.cos(turn), np.sin(turn)
    along = (box[3] - box[0]) / max(np.linalg.norm(box[3] - box[0]), 1e-6)
    across = np.array([along[1], -along[0]])
    local = (box - middle) @ np.array([across, along]).T * (1 + rng.normal(0, 0.035, 2))
    shaken = local @ np.array([across, along]) @ np.array([[c, s], [-s, c]]) + middle + rng.normal(0, 0.03, 2) * width
    if rng.random() < 0.3:  # a refined box: nearer to the true corners
        shaken = shaken * 0.4 + corners * 0.6
    return np.asarray(shaken, np.float32)


def _halves(job: tuple[Path, Path, int]) -> list[tuple[int, np.ndarray]]:
    """Labelled crops of one picture: halves, and things that are no readable half."""
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
        width, depth = half_sizes_px(quad)
        if min(width, depth) < 9:
            continue
        crops = half_crops(pixels, _jittered(quad, rng))
        for value, seen, crop in zip((tile["a"], tile["b"]), tile["visible"], crops, strict=True):
            if not tile["face_up"] or seen < 0.4:
                found.append((UNREADABLE, crop))
            elif seen > 0.88 and min(width, depth) >= 11:
                found.append((value, crop))
        if rng.random() < 0.12:  # between two tiles, or half off: not a half
            shift = rng.normal(0, 1, 2)
            shift *= np.array([width, width]) * rng.uniform(0.45, 0.9) / max(np.linalg.norm(shift), 1e-6)
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
    """Folders of crops by class, no class with more than `per_class` of them."""
    counts = {"train": [0] * 14, "val": [0] * 14}
    for part in counts:
        for label in range(14):
            (out / part / f"{label:02d}").mkdir(parents=True, exist_ok=True)
    jobs = [(image, sidecar, seed) for image, sidecar in truths(folders)]
    with ProcessPoolExecutor(workers) as pool:
        for number, found in enumerate(pool.map(_halves, jobs, chunksize=16)):
            part = "val" if number % held_out == 0 else "train"
            for label, crop in found:
                if counts[part][label] >= (per_class * 2 if label == UNREADABLE else per_class):
                    continue
                name = f"{jobs[number][0].stem}-{counts[part][label]:06d}.png"
                cv2.imwrite(str(out / part / f"{label:02d}" / name), crop[..., ::-1], [cv2.IMWRITE_PNG_COMPRESSION, 1])
                counts[part][label] += 1
            if number % 200 == 0:
                print(f"\r{number}/{len(jobs)} pictures ", end="", file=sys.stderr, flush=True)
    print(f"\n{counts}", file=sys.stderr)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=("detector", "halves"))
    parser.add_argument("pictures", type=Path, nargs="+")
    parser.add_argument("out", type=Path)
    parser.add_argument("--held-out", type=int, default=60, help="every n-th picture is for validation")
    parser.add_argument("--per-class", type=int, default=12000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    if args.kind == "detector":
        make_detector(args.pictures, args.out, args.held_out)
    else:
        make_halves(args.pictures, args.out, args.held_out, args.per_class, args.seed, args.workers)


if __name__ == "__main__":
    main()
