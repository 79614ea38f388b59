"""Make pictures from a recipe: python datasets/generate.py RECIPE.toml FOLDER --count N [--first K] [--workers 2].

Writes FOLDER/images/SEED-INDEX.jpg and FOLDER/truth/SEED-INDEX.json. A picture that is there already is not made
again, so that a run can be stopped and taken up; the same recipe gives the same bytes.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import cv2
from synth.compositor import draw, sidecar
from synth.sampling import Recipe, sample_scene

_QUALITY = 93


def make(recipe: Recipe, index: int, folder: Path, renderer: str = "compositor", threads: int = 0) -> str:
    """Draw one picture of a recipe into `folder`; returns its name. `threads` is for the ray tracer, 0: all."""
    cv2.setNumThreads(1)
    name = f"{recipe.name}-{index:07d}"
    truth_path = folder / "truth" / f"{name}.json"
    if truth_path.exists():
        return name
    more = {}
    by_rays = renderer == "cycles"
    if "round" in recipe.layouts:
        from synth import rounds  # plays the game, which nothing else here needs

        scene, chains = rounds.scene_for(recipe, index)
        more = {"round": chains.to_json()}
    elif by_rays:
        from synth import cycles_hands

        scene = cycles_hands.scene_for(recipe, index)
    else:
        scene = sample_scene(recipe, index)
    if by_rays:
        from synth import cycles  # needs bpy, which few have

        drawn = cycles.draw(scene, threads)
    else:
        drawn = draw(scene)
    path = folder / "images" / f"{name}.jpg"
    cv2.imwrite(str(path), drawn.image[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    truth_path.write_text(
        json.dumps(sidecar(scene, drawn.tiles, drawn.things) | more, separators=(",", ":")), encoding="utf-8"
    )
    return name


def traced(recipe: Recipe, indices: range, folder: Path, threads: int) -> Iterator[str]:
    """Draw with the ray tracer in a process that is replaced every hundred pictures: Blender keeps memory.

    A new pool each time: `max_tasks_per_child` of Python 3.11 can wait for ever for a process it has let go.
    """
    for first in range(0, len(indices), 100):
        part = indices[first : first + 100]
        with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
            n = len(part)
            yield from pool.map(make, [recipe] * n, part, [folder] * n, ["cycles"] * n, [threads] * n)


def composed(recipe: Recipe, indices: range, folder: Path, workers: int) -> Iterator[str]:
    """Draw with the compositor."""
    with ProcessPoolExecutor(workers) as pool:
        n = len(indices)
        yield from pool.map(make, [recipe] * n, indices, [folder] * n, chunksize=8)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recipe", type=Path)
    parser.add_argument("folder", type=Path, help="outside the checkout")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--renderer", choices=("compositor", "cycles"), default="compositor")
    parser.add_argument("--threads", type=int, default=0, help="of the ray tracer, which draws in one process; 0: all")
    args = parser.parse_args()
    recipe = Recipe.load(args.recipe)
    for part in ("images", "truth"):
        (args.folder / part).mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    indices = range(args.first, args.first + args.count)
    by_rays = args.renderer == "cycles"
    if by_rays:
        names = traced(recipe, indices, args.folder, args.threads)
    else:
        names = composed(recipe, indices, args.folder, args.workers)
    for done, _ in enumerate(names, 1):
        if done % (5 if by_rays else 50) == 0 or done == args.count:
            spent = time.monotonic() - began
            left = spent / done * (args.count - done)
            print(f"\r{done}/{args.count} pictures, {left:.0f} s left ", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)


if __name__ == "__main__":
    main()
