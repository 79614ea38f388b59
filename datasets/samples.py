"""Draw the sample hands of README, docs and tests: python datasets/samples.py docs/samples."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from synth.compositor import render, sidecar
from synth.layouts import LAYOUTS, Hand
from synth.sampling import COLOUR_CODES, sample_style
from synth.scene import Camera, Lens, Light, Scene, SetStyle, Surface

LENS = Lens(0.5, 0.0, 0.0, 2.0, 1.4, 0.3, 92, 0.15)
FIELD = ((1.02, 1.05, 1.0), (0.98, 1.0, 0.96), (0.9, 0.95, 0.88))
LIGHT = Light((0.35, -0.45), 0.55, 0.12, FIELD, (), (1.05, 1.0, 0.93), 1.0, 1.0)
WOOD = Surface("wood", (150, 104, 66), (116, 76, 46), 0.35, 0.5, 0.04, 7)
CLOTH = Surface("cloth", (34, 60, 92), (28, 50, 80), 0.25, 0.5, 0.0, 8)
TABLE = Surface("plain", (205, 198, 186), (192, 184, 172), 0.3, 0.3, 0.0, 9)


def coloured(seed: int) -> SetStyle:
    """The usual set in the shops: ivory, twelve colours, engraved pips."""
    pips = ((0.0, 0.0, 0.0), *(COLOUR_CODES[0][n] for n in range(1, 13)))
    return replace(
        sample_style(np.random.default_rng(seed)), max_pip=12, body=(246, 242, 230), side=(236, 230, 212),
        back=(246, 242, 230), back_kind="plain", pips=pips, pip_kind="engraved", pip_radius=0.092, dense_radius=0.075,
        spread=1.0, patterns=(0,) * 13, divider="bar", divider_rgb=(25, 24, 26), corner=0.1, bevel=0.04, length=2.0,
        thickness=0.3, texture="plain", gloss=0.3,
    )  # fmt: skip


def black(seed: int) -> SetStyle:
    """A double-nine set with black pips and a brass pin."""
    dots = ((28.0, 26.0, 26.0),) * 13
    return replace(coloured(seed), max_pip=9, pips=dots, pip_kind="ringed", divider="line+pin", patterns=(0,) * 10)


def hand(
    seed: int, style: SetStyle, layout: str, count: int, surface: Surface, down: int = 0, tilt: float = 0.25
) -> Scene:
    """A whole hand in the frame."""
    rng = np.random.default_rng(seed)
    poses = LAYOUTS[layout](style, Hand(style.max_pip, rng), count, rng)
    poses = [replace(p, face_up=k >= down) for k, p in enumerate(poses)]
    places = np.array([[p.x, p.y] for p in poses])
    low, high = places.min(0) - 1.6, places.max(0) + 1.6
    w, h = 1600, 1200
    px = min(w / (high[0] - low[0]), h / (high[1] - low[1]))
    middle = (low + high) / 2
    camera = Camera(w, h, 1.25 * w, 1.25 * w / px, tilt, 0.0, (float(middle[0]), float(middle[1])), (0.0, 0.0))
    return Scene((1212, seed), style, tuple(poses), camera, LIGHT, surface, (), LENS, layout)


SAMPLES = {
    "hand-1": lambda: hand(8, coloured(3), "scatter", 11, WOOD),
    "hand-2": lambda: hand(5, black(5), "pile", 9, CLOTH),
    "hand-3": lambda: hand(19, coloured(8), "grid", 12, TABLE, down=2, tilt=0.45),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    truths = {}
    for name, make in SAMPLES.items():
        scene = make()
        image, truth = render(scene)
        cv2.imwrite(str(args.folder / f"{name}.jpg"), image[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 88])
        tiles = sidecar(scene, truth)["tiles"]
        up = sorted(sorted((t["a"], t["b"])) for t in tiles if t["face_up"])
        truths[name] = {"set": scene.style.max_pip, "tiles": up, "face_down": sum(not t["face_up"] for t in tiles)}
    (args.folder / "truth.json").write_text(json.dumps(truths, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
