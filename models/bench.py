"""Time and memory of reading, stage by stage: python models/bench.py PHOTO... [--repeat 5].

Prints the median of each stage in a running process, the time of `companion scan` from cold, and the peak of memory.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from companion.rules.tiles import TileSet
from companion.vision.photo import Photo
from companion.vision.reader import Reader

T = TypeVar("T")


def timed(times: dict[str, list[float]], stage: str, work: Callable[[], T]) -> T:
    began = time.perf_counter()
    result = work()
    times.setdefault(stage, []).append(time.perf_counter() - began)
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photos", type=Path, nargs="+")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--set", type=int, default=12, dest="max_pip")
    args = parser.parse_args()
    load: dict[str, list[float]] = {}
    reader = timed(load, "load the networks", Reader.load)
    for path in args.photos:
        times: dict[str, list[float]] = {}
        for _ in range(args.repeat):
            photo = timed(times, "decode", lambda path=path: Photo.from_path(path))
            timed(times, "networks", lambda photo=photo: reader.examine(photo))
            reading = timed(times, "read_hand", lambda photo=photo: reader.read_hand(photo, TileSet(args.max_pip)))
        print(f"{path.name}: {photo.width} x {photo.height}, {len(reading.tiles)} tiles")
        for stage, seconds in times.items():
            print(f"  {stage:18}{statistics.median(seconds) * 1000:8.0f} ms")
        whole = statistics.median(times["decode"]) + statistics.median(times["read_hand"])
        print(f"  {'in all':18}{whole * 1000:8.0f} ms")
    print(f"load the networks   {load['load the networks'][0] * 1000:8.0f} ms")
    print(f"peak memory here    {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:8.0f} MB")
    cold = []
    for _ in range(3):
        began = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "companion", "scan", "--json", str(args.photos[0])], check=True, stdout=-3
        )
        cold.append(time.perf_counter() - began)
    print(f"scan from cold      {min(cold) * 1000:8.0f} ms")
    print(f"peak memory of it   {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024:8.0f} MB")


if __name__ == "__main__":
    main()
