"""Labels for the detector from pictures and their sidecars: python datasets/derive_detector.py PICTURES... OUT.

Everything comes from the sidecars; nothing is labelled by eye. OUT becomes a set of YOLO OBB labels (0 tile, 1 back,
2 marker, 3 station) with links to the pictures. `--parts N` cuts N square parts out of each picture instead, in the
size they have: tables are so large that the network never sees them as a whole. `--times N` counts pictures N times.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.vision.boxes import oriented_box

Truth = dict[str, Any]

CLASSES = ("tile", "back", "marker", "station")
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


def part_of(truth: Truth, left: int, top: int, side: int) -> Truth:
    """The truth of a square part of a picture."""

    def moved(thing: Truth) -> Truth:
        return {**thing, "corners": (np.array(thing["corners"]) - [left, top]).tolist()}

    return {
        "width": side,
        "height": side,
        "tiles": [moved(tile) for tile in truth["tiles"]],
        "things": [moved(thing) for thing in truth.get("things", ())],
    }


def write_parts(image: Path, truth: Truth, count: int, out: Path, part: str) -> None:
    """Cut squares of 480 to 900 px out of a picture, each round some tile or, as often, some marker, and label them."""
    pixels = cv2.imread(str(image))
    assert pixels is not None
    h, w = pixels.shape[:2]
    rng = np.random.default_rng(int(image.stem.rsplit("-", 1)[1]))
    markers = [thing for thing in truth.get("things", ()) if thing["kind"] == "marker"]
    for number in range(count):
        side = min(int(rng.integers(480, 900)), h, w)
        among = markers if markers and number % 2 else truth["tiles"]
        middle = np.array(among[int(rng.integers(len(among)))]["corners"]).mean(0) + rng.uniform(-0.35, 0.35, 2) * side
        left, top = (int(np.clip(middle[k] - side / 2, 0, (w, h)[k] - side)) for k in (0, 1))
        name = f"{image.stem}-{number}"
        cv2.imwrite(
            str(out / "images" / part / f"{name}.jpg"),
            pixels[top : top + side, left : left + side],
            [cv2.IMWRITE_JPEG_QUALITY, 93],
        )
        lines = detector_lines(part_of(truth, left, top, side))
        (out / "labels" / part / f"{name}.txt").write_text("\n".join(lines), encoding="utf-8")


def make_detector(folders: list[Path], out: Path, held_out: int, parts: int = 0, times: int = 1) -> None:
    """Labels and links to the pictures; every `held_out`-th is kept for validation."""
    for part in ("train", "val"):
        (out / "images" / part).mkdir(parents=True, exist_ok=True)
        (out / "labels" / part).mkdir(parents=True, exist_ok=True)
    counts = {"train": 0, "val": 0}
    for number, (image, sidecar) in enumerate(truths(folders)):
        part = "val" if number % held_out == 0 else "train"
        counts[part] += 1
        truth = json.loads(sidecar.read_text(encoding="utf-8"))
        if parts:
            write_parts(image, truth, parts, out, part)
            continue
        lines = detector_lines(truth)
        for time in range(times if part == "train" else 1):
            name = f"{image.stem}-again{time}" if time else image.stem
            link = out / "images" / part / f"{name}.jpg"
            if not link.exists():
                link.symlink_to(image.resolve())
            (out / "labels" / part / f"{name}.txt").write_text("\n".join(lines), encoding="utf-8")
    names = "".join(f"  {k}: {name}\n" for k, name in enumerate(CLASSES))
    (out / "data.yaml").write_text(f"path: {out.resolve()}\ntrain: images/train\nval: images/val\nnames:\n{names}")
    print(counts, file=sys.stderr)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pictures", type=Path, nargs="+")
    parser.add_argument("out", type=Path)
    parser.add_argument("--held-out", type=int, default=60, help="every n-th picture is for validation")
    parser.add_argument("--parts", type=int, default=0, help="so many parts of each picture instead of the whole")
    parser.add_argument("--times", type=int, default=1, help="how often each picture counts")
    args = parser.parse_args()
    make_detector(args.pictures, args.out, args.held_out, args.parts, args.times)


if __name__ == "__main__":
    main()
