"""Make pictures from a recipe: python datasets/generate.py RECIPE.toml FOLDER --count N [--first K] [--workers 2].

Writes FOLDER/images/SEED-INDEX.jpg and FOLDER/truth/SEED-INDEX.json. A picture that is there already is not made
again, so that a run can be stopped and taken up; the same recipe gives the same bytes.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import cv2
from synth.compositor import draw, sidecar
from synth.sampling import Recipe, sample_scene

_QUALITY = 93


def make(recipe: Recipe, index: int, folder: Path) -> str:
    """Draw one picture of a recipe into `folder`; returns its name."""
    cv2.setNumThreads(1)
    name = f"{recipe.name}-{index:07d}"
    truth_path = folder / "truth" / f"{name}.json"
    if truth_path.exists():
        return name
    scene = sample_scene(recipe, index)
    drawn = draw(scene)
    path = folder / "images" / f"{name}.jpg"
    cv2.imwrite(str(path), drawn.image[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    truth_path.write_text(
        json.dumps(sidecar(scene, drawn.tiles, drawn.things), separators=(",", ":")), encoding="utf-8"
    )
    return name


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recipe", type=Path)
    parser.add_argument("folder", type=Path, help="outside the checkout")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    recipe = Recipe.load(args.recipe)
    for part in ("images", "truth"):
        (args.folder / part).mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    indices = range(args.first, args.first + args.count)
    with ProcessPoolExecutor(args.workers) as pool:
        jobs = pool.map(make, [recipe] * args.count, indices, [args.folder] * args.count, chunksize=8)
        for done, _ in enumerate(jobs, 1):
            if done % 50 == 0 or done == args.count:
                spent = time.monotonic() - began
                left = spent / done * (args.count - done)
                print(f"\r{done}/{args.count} pictures, {left:.0f} s left ", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)


if __name__ == "__main__":
    main()
