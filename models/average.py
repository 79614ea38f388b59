"""Weights between two checkpoints: python models/average.py BEFORE.pt AFTER.pt OUT.pt [--share S].

A network that was trained on with new kinds of pictures reads those better and old ones a little worse. Half way
between the two it mostly keeps both (Wortsman et al. 2022, "Robust fine-tuning of zero-shot models"). AFTER must have
been trained from BEFORE.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def between(before: Mapping[str, Any], after: Mapping[str, Any], share: float) -> dict[str, Any]:
    """Each array of numbers `share` of the way from `before` to `after`; counters as they are in `after`.

    Raises ValueError where the two are not the same network.
    """
    if before.keys() != after.keys() or any(before[key].shape != after[key].shape for key in before):
        raise ValueError("these are checkpoints of different networks")
    floats = {key for key, new in after.items() if "float" in str(new.dtype)}
    return {key: before[key] + share * (new - before[key]) if key in floats else new for key, new in after.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--share", type=float, default=0.5)
    args = parser.parse_args()
    if not 0 <= args.share <= 1:
        parser.error("--share lies between 0 and 1")
    import torch

    old, new = (torch.load(path, map_location="cpu", weights_only=False) for path in (args.before, args.after))
    if ("model" in old) != ("model" in new):
        raise SystemExit("these are checkpoints of different networks")
    if "model" not in new:  # the refiner: nothing but weights
        floats = [
            {key: value.float() if value.is_floating_point() else value for key, value in each.items()}
            for each in (old, new)
        ]
        torch.save(between(*floats, args.share), args.out)
        return
    networks = [(each.get("ema") or each["model"]).float() for each in (old, new)]
    networks[1].load_state_dict(between(*(network.state_dict() for network in networks), args.share))
    torch.save({**new, "model": networks[1], "ema": None, "optimizer": None}, args.out)


if __name__ == "__main__":
    main()
