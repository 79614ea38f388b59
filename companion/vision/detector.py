"""Finds tiles: a YOLO network for oriented boxes, run on the whole photo and, where that helps, once more closer."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.boxes import Region, corners_of, suppress
from companion.vision.runtime import open_session

STRIDE = 32
_GREY = 114
_FIRST_PX = 640
_CLOSER_PX = 768
_WANTED_WIDTH_PX = 52.0
"""Width of a tile, as the network sees it, at which it finds tiles best."""
_LARGE_WIDTH_PX = 150.0
_LEAST_PX = 320
"""The network looks at nothing smaller."""
_SURE = 0.4
"""Boxes that tell how large the tiles are."""
_TABLE_WIDTH_PX, _TABLE_PX, _MOST_TABLE_PX = 24.0, 1280, 1920
"""Of a whole table: width of a tile at which it is found, size where that is not known, and the largest size."""


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """What the detector found in a photo."""

    corners: NDArray[np.float32]
    """(n, 4, 2) pixels of the photo, clockwise, a short side first."""
    scores: NDArray[np.float32]
    """(n, classes) confidence of each class, 0..1."""

    def __len__(self) -> int:
        return len(self.corners)

    def take(self, keep: list[int]) -> "Found":
        """Only these, in this order."""
        return Found(self.corners[keep], self.scores[keep])


def letterbox(pixels: NDArray[np.uint8], size: int) -> tuple[NDArray[np.float32], float]:
    """Shrink or grow (H, W, 3) uint8 RGB so that its longer side is `size` and pad to multiples of STRIDE.

    Returns the network's input (1, 3, h, w) float32 0..1 and the scale; the picture sits in the upper left corner.
    """
    h, w = pixels.shape[:2]
    scale = size / max(h, w)
    new_w, new_h = max(1, round(w * scale)), max(1, round(h * scale))
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    small = cv2.resize(pixels, (new_w, new_h), interpolation=how)
    padded = np.full((-(-new_h // STRIDE) * STRIDE, -(-new_w // STRIDE) * STRIDE, 3), _GREY, np.uint8)
    padded[:new_h, :new_w] = small
    batch = np.ascontiguousarray(padded.transpose(2, 0, 1)[None], np.float32)
    return batch / np.float32(255), scale


class Detector:
    """The network that finds tiles."""

    def __init__(self, path: Path, classes: tuple[str, ...], iou: float = 0.35, inside: float = 0.6) -> None:
        self._session = open_session(path)
        self._input = self._session.get_inputs()[0].name
        self.metadata: dict[str, str] = dict(self._session.get_modelmeta().custom_metadata_map)
        self.classes = classes
        self._station = classes.index("station") if "station" in classes else -1
        self._iou, self._inside = iou, inside

    def look(self, pixels: NDArray[np.uint8], size: int, threshold: float, region: Region | None = None) -> Found:
        """One run of the network over `region` of a photo (H, W, 3) uint8 RGB."""
        left, top, right, bottom = region or (0, 0, pixels.shape[1], pixels.shape[0])
        batch, scale = letterbox(pixels[top:bottom, left:right], size)
        output = self._session.run(None, {self._input: batch})[0][0].T
        scores = output[:, 4:-1]
        output, scores = output[(keep := scores.max(1) >= threshold)], scores[keep]
        corners = corners_of(np.concatenate([output[:, :4], output[:, -1:]], 1)) / np.float32(scale)
        found = Found(corners + np.array([left, top], np.float32), np.asarray(scores, np.float32))
        return self._best(found)

    def find(self, pixels: NDArray[np.uint8], threshold: float, table: bool = False) -> Found:
        """All tiles of a photo (H, W, 3) uint8 RGB, best first.

        Of a `table` everything counts: what lies at its rim is looked at as closely as the trains in its middle.
        """
        first = self.look(pixels, _FIRST_PX, threshold)
        closer = self._whole(pixels, first) if table else self._closer(pixels, first)
        if closer is None:
            return first
        size, region = closer
        second = self.look(pixels, size, threshold, region)
        return self._best(joined(first, second))

    def find_in(self, pixels: NDArray[np.uint8], threshold: float, windows: Sequence[Region], width_px: float) -> Found:
        """All tiles in parts of a photo, best first; `width_px` is the usual width of a tile there."""
        found = Found(np.zeros((0, 4, 2), np.float32), np.zeros((0, len(self.classes)), np.float32))
        for window in windows:
            side = max(window[2] - window[0], window[3] - window[1])
            size = max(_LEAST_PX, min(side, round(side * _WANTED_WIDTH_PX / width_px)))
            found = joined(found, self.look(pixels, size, threshold, window))
        return self._best(found)

    def _best(self, found: Found) -> Found:
        """Each thing boxed once. A station lies under tiles, so that neither drops the other."""
        under = found.scores.argmax(1) == self._station
        kept: list[int] = []
        for group in (np.flatnonzero(~under), np.flatnonzero(under)):
            best = suppress(found.corners[group], found.scores[group].max(1), self._iou, self._inside)
            kept += group[best].tolist()
        return found.take(sorted(kept, key=lambda k: -float(found.scores[k].max())))

    def _whole(self, pixels: NDArray[np.uint8], first: Found) -> tuple[int, Region] | None:
        """All of a table again, so large that single tiles are found; there may be too few in `first` to tell where."""
        h, w = pixels.shape[:2]
        sure = first.corners[first.scores.max(1) > _SURE]
        size = float(_TABLE_PX)
        if len(sure):
            width = usual_width(sure)
            size = min(max(h, w) * _TABLE_WIDTH_PX / max(width, 1.0), _MOST_TABLE_PX)
        size = min(size, max(h, w))
        return (int(size), (0, 0, w, h)) if size > 1.25 * _FIRST_PX else self._closer(pixels, first)

    def _closer(self, pixels: NDArray[np.uint8], first: Found) -> tuple[int, Region] | None:
        """Where and how large to look again: closer when tiles are small, from farther off when they fill the photo."""
        h, w = pixels.shape[:2]
        sure = first.corners[first.scores.max(1) > _SURE]
        if not len(sure):
            return _LEAST_PX, (0, 0, w, h)
        seen = _FIRST_PX / max(h, w)
        width = usual_width(sure) * seen
        if width > _LARGE_WIDTH_PX:
            return _LEAST_PX, (0, 0, w, h)
        margin = 2.5 * width / seen
        low = np.maximum(sure.min((0, 1)) - margin, 0).astype(int)
        high = np.minimum(sure.max((0, 1)) + margin, [w, h]).astype(int)
        side = int(max(high - low))
        size = int(np.clip(side * seen * _WANTED_WIDTH_PX / width, _LEAST_PX, 2 * _CLOSER_PX))
        size = min(size, max(_LEAST_PX, side))  # there is nothing to be seen beyond the photo's own pixels
        if 0.8 < size / (side * seen) < 1.25:
            return None
        return size, (int(low[0]), int(low[1]), int(high[0]), int(high[1]))


def usual_width(corners: NDArray[np.float32]) -> float:
    """The median width of tiles (n, 4, 2), n >= 1, pixels."""
    return float(np.median(np.linalg.norm(corners[:, 1] - corners[:, 0], axis=1)))


def joined(a: Found, b: Found) -> Found:
    """These boxes, then those."""
    return Found(np.concatenate([a.corners, b.corners]), np.concatenate([a.scores, b.scores]))
