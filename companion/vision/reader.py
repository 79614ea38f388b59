"""From a photo to a hand: detect, cut, count, and weigh the whole hand."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from companion.errors import ModelMismatchError
from companion.rules.tiles import Tile, TileSet
from companion.vision import weights
from companion.vision.consistency import Candidate, settle
from companion.vision.detector import Detector, Found
from companion.vision.photo import Photo
from companion.vision.pips import PipReader, half_crops, half_sizes_px
from companion.vision.readings import Doubt, HalfReading, HandReading, TileBox, TileReading

_T = TypeVar("_T")

UNREADABLE_CLASS = "unreadable"

_VIEWS = ((1.0, 1.0), (0.95, 0.97), (1.06, 1.03))
"""Each tile is cut several times, as it was boxed and a little smaller and larger: width and length as factors."""

_CUT_OFF_SHARE = 0.06
"""A box that comes nearer to the photo's edge than this share of its width may have been cut off."""

_SMALL_HALF_PX, _SMALL_DENSE_HALF_PX, _DENSE = 13.0, 22.0, 10
"""Below these sizes pips cannot be counted safely; tens and more need larger halves."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Where doubt begins; set on held-out renders (`models/calibrate.py`)."""

    look: float = 0.25
    """Boxes under this detector score are not looked at."""
    accept: float = 0.45
    """Boxes under this score are dropped unless their halves are very clear."""
    sure_box: float = 0.6
    """Boxes under this score are a doubt."""
    sure_half: float = 0.9
    """Halves read with less are a doubt."""
    junk: float = 0.5
    """A box whose halves are this probably no halves is no tile."""

    @classmethod
    def from_settings(cls, settings: dict[str, float]) -> "Thresholds":
        """Take what `model.toml` gives, the defaults otherwise."""
        return cls(**{name: settings[name] for name in cls.__dataclass_fields__ if name in settings})


class Reader:
    """Reads hands; holds the networks, so make one and keep it."""

    def __init__(self, detector: Detector, pip_reader: PipReader, thresholds: Thresholds, version: str) -> None:
        self._detector, self._pip_reader, self._thresholds = detector, pip_reader, thresholds
        self.version = version
        self._numbers = [int(name) for name in pip_reader.classes if name != UNREADABLE_CLASS]
        self._back = detector.classes.index("back")

    @classmethod
    def load(cls, folder: Path | None = None) -> "Reader":
        """Open the weights in `folder` (default: those of the package).

        Raises ModelMissingError, ModelMismatchError.
        """
        contract = weights.load_contract(folder or weights.FOLDER)
        detector_part, halves_part = contract.parts["detector"], contract.parts["halves"]
        for part in contract.parts.values():
            weights.verify(part)
        try:
            detector = Detector(detector_part.path, detector_part.classes)
            pip_reader = PipReader.load(
                halves_part.path, halves_part.classes, halves_part.settings.get("temperature", 1.0)
            )
        except Exception as error:  # the runtime has errors of its own for every kind of bad file
            raise ModelMismatchError("weights_altered", file="*.onnx") from error
        weights.verify_metadata(detector_part, detector.metadata)
        weights.verify_metadata(halves_part, pip_reader.metadata)
        thresholds = Thresholds.from_settings(detector_part.settings | halves_part.settings)
        return cls(detector, pip_reader, thresholds, contract.version)

    def read_hand(self, photo: Photo, tile_set: TileSet, taken: frozenset[Tile] = frozenset()) -> HandReading:
        """Read all tiles of a photo.

        `tile_set` is the set in play: numbers it does not have are not read. `taken` are tiles known to be
        elsewhere; one of them in the photo is a doubt.
        """
        found = self.detect(photo, self._thresholds.look)
        chances = self.chances(photo, found)
        faces, backs, unreadable = self._sort(found, chances)
        candidates = [self._candidate(found, chances[k], k, tile_set) for k in faces]
        settled = settle(candidates, tile_set, taken)
        tiles = [
            self._tile(photo, candidate, value, doubts)
            for candidate, (value, doubts) in zip(candidates, settled, strict=True)
        ]
        doubts = set()
        if backs:
            doubts.add(Doubt.FACE_DOWN_NEARBY)
        if unreadable:
            doubts.add(Doubt.UNREADABLE)
        return HandReading(
            tuple(in_reading_order(tiles, lambda t: t.box)),
            tuple(in_reading_order([_box(found, k) for k in backs], lambda b: b)),
            tuple(in_reading_order([_box(found, k) for k in unreadable], lambda b: b)),
            frozenset(doubts),
        )

    def detect(self, photo: Photo, threshold: float) -> Found:
        """All boxes with at least this score, best first."""
        return self._detector.find(photo.pixels, threshold)

    def is_back(self, found: Found, k: int) -> bool:
        """Does box `k` show the back of a tile?"""
        return int(found.scores[k].argmax()) == self._back

    def with_temperature(self, temperature: float) -> "Reader":
        """The same reader with the halves' probabilities sharpened or flattened; for calibration."""
        return Reader(self._detector, self._pip_reader.with_temperature(temperature), self._thresholds, self.version)

    def chances(self, photo: Photo, found: Found) -> NDArray[np.float32]:
        """Probabilities of every class for both halves of every box: (n, 2, classes)."""
        classes = len(self._pip_reader.classes)
        if not len(found):
            return np.zeros((0, 2, classes), np.float32)
        crops = [half_crops(photo.pixels, scaled(corners, *view)) for corners in found.corners for view in _VIEWS]
        logs = self._pip_reader.read(np.concatenate(crops)).reshape(len(found), len(_VIEWS), 2, classes)
        mean = logs.mean(1)
        mean -= mean.max(2, keepdims=True)
        chances = np.exp(mean)
        return np.asarray(chances / chances.sum(2, keepdims=True), np.float32)

    def _sort(self, found: Found, chances: NDArray[np.float32]) -> tuple[list[int], list[int], list[int]]:
        """Boxes that are faces, backs, and tiles that cannot be read; the others are no tiles."""
        limit = self._thresholds
        faces, backs, unreadable = [], [], []
        for k in range(len(found)):
            score = float(found.scores[k].max())
            junk = chances[k, :, len(self._numbers) :].sum(1)  # of both halves
            if self.is_back(found, k):
                if score >= limit.accept:
                    backs.append(k)
            elif junk.max() > limit.junk:
                if score >= limit.sure_box and junk.min() <= limit.junk:
                    unreadable.append(k)
            elif score >= limit.accept or float(chances[k].max(1).min()) > 0.97:
                faces.append(k)
        return faces, backs, unreadable

    def _candidate(self, found: Found, chances: NDArray[np.float32], k: int, tile_set: TileSet) -> Candidate:
        allowed = np.array([n <= tile_set.max_pip for n in self._numbers])
        numbers = chances[:, : len(self._numbers)]
        inside = numbers[:, allowed]
        outside = float(numbers[:, ~allowed].sum(1).max()) if not allowed.all() else 0.0
        total = np.maximum(inside.sum(1, keepdims=True), 1e-9)
        return Candidate(_box(found, k), inside / total, outside)

    def _tile(self, photo: Photo, candidate: Candidate, value: tuple[int, int], doubts: set[Doubt]) -> TileReading:
        limit = self._thresholds
        halves = []
        for chances, pips in zip(candidate.chances, value, strict=True):
            order = np.argsort(-chances, kind="stable")
            runner_up = int(order[0]) if int(order[0]) != pips else int(order[1])
            halves.append(HalfReading(pips, float(chances[pips]), runner_up))
        confidence = min(h.confidence for h in halves)
        if confidence < limit.sure_half or candidate.box.score < limit.sure_box:
            doubts.add(Doubt.LOW_CONFIDENCE)
        if candidate.outside > 0.5:
            doubts.add(Doubt.NOT_IN_SET)
        if cut_off(candidate.box, photo.pixels.shape):
            doubts.add(Doubt.CUT_OFF)
        if min(half_sizes_px(candidate.box.corners)) < (
            _SMALL_DENSE_HALF_PX if max(value) >= _DENSE else _SMALL_HALF_PX
        ):
            doubts.add(Doubt.TOO_SMALL)
        return TileReading(
            Tile(*value),
            halves[0].confidence * halves[1].confidence,
            candidate.box,
            (halves[0], halves[1]),
            frozenset(doubts),
        )


def _box(found: Found, k: int) -> TileBox:
    return TileBox(found.corners[k], float(found.scores[k].max()))


def scaled(corners: NDArray[np.float32], width: float, length: float) -> NDArray[np.float32]:
    """Corners (4, 2) of a box made wider and longer by these factors about its middle."""
    middle = corners.mean(0)
    across, along = (corners[1] - corners[0]) / 2, (corners[3] - corners[0]) / 2
    u, v = across * width, along * length
    return np.array([middle - u - v, middle + u - v, middle + u + v, middle - u + v], np.float32)


def cut_off(box: TileBox, shape: tuple[int, ...]) -> bool:
    """Does the tile touch the edge of a photo of this shape (H, W, ...)?"""
    h, w = shape[:2]
    near = _CUT_OFF_SHARE * half_sizes_px(box.corners)[0]
    low, high = box.corners.min(0), box.corners.max(0)
    touches = low[0] < near or low[1] < near or high[0] > w - 1 - near or high[1] > h - 1 - near
    return bool(touches)


def in_reading_order(items: list[_T], box_of: Callable[[_T], TileBox]) -> list[_T]:
    """Rows from the top, each from the left; tiles whose middles are less than a tile's width apart share a row."""
    if not items:
        return []
    middles = {id(item): box_of(item).corners.mean(0) for item in items}
    width = float(np.median([half_sizes_px(box_of(item).corners)[0] for item in items]))
    rows: list[list[_T]] = []
    for item in sorted(items, key=lambda i: (float(middles[id(i)][1]), float(middles[id(i)][0]))):
        if rows and float(middles[id(item)][1]) - float(middles[id(rows[-1][0])][1]) < width:
            rows[-1].append(item)
        else:
            rows.append([item])
    return [item for row in rows for item in sorted(row, key=lambda i: float(middles[id(i)][0]))]
