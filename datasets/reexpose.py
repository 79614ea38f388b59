"""Expose pictures once more: python datasets/reexpose.py PICTURES... OUT [--times N].

A ray-traced picture costs ten seconds, a further exposure of it a hundredth of one: in little light with the grain that
goes with it, or burnt. OUT becomes a folder of pictures and sidecars, as `generate.py` writes them.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import cv2
import numpy as np
from derive_detector import truths
from synth.exposing import expose
from synth.scene import Lens, Light

_DARK = 0.7
"""Share of the new exposures that are dark; the others are burnt."""
_LEAST = 28.0
"""The brightest twentieth of a picture is never darker than this: no camera keeps a photo that shows nothing."""


def exposure(brightest: float, rng: np.random.Generator) -> tuple[Light, Lens]:
    """Light and lens for another exposure of a picture whose brightest twentieth begins at this tone (0..255)."""
    warm = rng.normal(0, 0.09)
    if rng.random() < _DARK:
        factor = max(float(np.exp(rng.uniform(np.log(0.08), np.log(0.7)))), _LEAST / max(brightest, 1.0))
        noise = rng.uniform(2, 16)
    else:
        factor, noise = rng.uniform(1.3, 2.2), rng.uniform(0, 9)
    light = Light(
        direction=(0.0, 0.0),
        shadow=0.0,
        softness=0.1,
        field=((1.0,) * 3,) * 3,
        glare=(),
        tint=(1 + warm, 1 + rng.normal(0, 0.03), 1 - warm),
        exposure=factor,
        gamma=rng.uniform(0.85, 1.2),
    )
    lens = Lens(
        blur_px=rng.uniform(0.2, 1.3) if rng.random() < 0.6 else 0.0,
        motion_px=0.0,
        motion_angle=0.0,
        noise=noise,
        grain=rng.uniform(1, 2.5),
        sharpen=0.0,
        jpeg=int(rng.integers(40, 97)),
        vignette=0.0,
    )
    return light, lens


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pictures", type=Path, nargs="+")
    parser.add_argument("out", type=Path)
    parser.add_argument("--times", type=int, default=3)
    args = parser.parse_args()
    for part in ("images", "truth"):
        (args.out / part).mkdir(parents=True, exist_ok=True)
    pairs = list(truths(args.pictures))
    if not pairs:
        sys.exit("There are no pictures with sidecars in these folders.")
    names = [image.stem for image, _ in pairs]
    if len(set(names)) < len(names):
        sys.exit("Two pictures have one name: one would overwrite the other.")
    for number, (image, sidecar) in enumerate(pairs, 1):
        pixels = cv2.imread(str(image))
        name, _, index = image.stem.rpartition("-")
        if pixels is None or not name or not index.isdecimal():
            sys.exit(f"{image} is no picture of generate.py.")
        truth = sidecar.read_text(encoding="utf-8")
        brightest = float(np.percentile(pixels.max(2), 95))
        for time in range(args.times):
            rng = np.random.default_rng([int(index), time, sum(name.encode())])
            light, lens = exposure(brightest, rng)
            new = expose(pixels[..., ::-1], light, lens, rng)
            stem = f"{name}-exposed{time}-{index}"
            cv2.imwrite(str(args.out / "images" / f"{stem}.jpg"), new[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 93])
            (args.out / "truth" / f"{stem}.json").write_text(truth, encoding="utf-8")
        print(f"\r{number} pictures ", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)


if __name__ == "__main__":
    main()
