"""What watching costs: a look of the tracker, reading a part against reading everything. Not run in CI.

    python -m tests.benchmarks.watching

Seconds of processor time, so that a busy machine does not matter much; two cores share the networks' part of them.
"""

import time
from pathlib import Path

import cv2
import numpy as np

from companion.rules.tiles import Tile, TileSet
from companion.vision.frames import Video
from companion.vision.photo import Photo
from companion.vision.reader import Reader
from companion.vision.tracker import Tracker, View
from tests.vision.drawn import Image, lay, noisy, table

VIDEO = Path(__file__).parents[2] / "docs" / "video" / "round.mp4"
LOOKS = 30


def looks(width: int, height: int) -> None:
    """A still table, one on which a tile is new, and one seen by a camera that was pushed."""
    rng = np.random.default_rng(0)
    plain = cv2.resize(table(), (width, height))
    laid = plain.copy()
    lay(laid, 200, 200, 30)
    for name, picture in (("the same", plain), ("a new tile", laid), ("pushed", np.roll(plain, 25, 1))):
        tracker = Tracker()
        read: list[Image] = [noisy(plain, rng) for _ in range(6)]
        now: list[Image] = [noisy(picture, rng) for _ in range(6)]
        for n, one in enumerate((*read, *read, *now, *now)):
            if n == 12:
                tracker.accept()
            tracker.look(n / 10, one)
        began = time.process_time()
        for n in range(LOOKS):
            tracker.look(9 + n / 10, now[n % 6])
        took = time.process_time() - began
        print(f"{width} x {height}, {name}: {took / LOOKS * 1000:.1f} ms a look")


def readings() -> None:
    """The video in docs: every still table once in part and once as a whole."""
    reader, tracker, known = Reader.load(), Tracker(), None
    parts, wholes = [], []
    for frame in Video(VIDEO):
        assert frame.pixels is not None
        look = tracker.look(frame.time_s, frame.pixels)
        if look.view is not View.STILL or not look.regions:
            continue
        photo = Photo(frame.pixels, "")
        began = time.process_time()
        whole, everything = reader.look_table(photo, TileSet(12), Tile(12, 12))
        between = time.process_time()
        if known is None or look.whole:
            known = everything
        else:
            part, known = reader.look_table(photo, TileSet(12), Tile(12, 12), (), known, look.regions)
            same = sorted(c.values for c in part.chains) == sorted(c.values for c in whole.chains)
            parts.append((time.process_time() - between, known.looked, same))
            wholes.append((between - began, everything.looked))
        tracker.accept()
    part_s, whole_s = (float(np.median([each[0] for each in made])) for made in (parts, wholes))
    part_boxes, whole_boxes = (float(np.median([each[1] for each in made])) for made in (parts, wholes))
    print(
        f"whole: {whole_s:.2f} s for {whole_boxes:.0f} boxes; part: {part_s:.2f} s for {part_boxes:.0f} boxes (median)"
    )
    print(f"ratio {part_s / whole_s:.2f}; {sum(each[2] for each in parts)} of {len(parts)} readings are the same")


if __name__ == "__main__":
    looks(1280, 720)
    looks(1920, 1080)
    readings()
