"""From a photo to a hand: detect, refine the corners, cut, count, and weigh the whole hand."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from companion.errors import ModelMismatchError
from companion.rules.tiles import Tile, TileSet
from companion.vision import weights
from companion.vision.bodies import by_body
from companion.vision.boxes import Region, overlap, suppress
from companion.vision.colours import by_colour
from companion.vision.consistency import Candidate, settle
from companion.vision.corners import CornerRefiner
from companion.vision.detector import Detector, Found, joined
from companion.vision.evidence import BACK, FACE, UNCLEAR, UNCOUNTABLE, Evidence, Judge, no_face
from companion.vision.hints import HIDDEN, glare, photo_hints
from companion.vision.lying import lying
from companion.vision.photo import Photo
from companion.vision.pips import CROP_PX, PipReader, cut_halves, evenly_bright, half_quads, half_sizes_px
from companion.vision.readings import (
    Doubt,
    HalfReading,
    HandReading,
    KnownChain,
    TableReading,
    TileBox,
    TileReading,
)
from companion.vision.seen import Seen
from companion.vision.table_parts import TableParts
from companion.vision.things import find_things, worth_keeping

_T = TypeVar("_T")

UNREADABLE_CLASS = "unreadable"

_SIGNS = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32)

_VIEWS = ((1.0, 1.0), (0.96, 0.98))
"""Each tile is cut several times, as it was refined and a little smaller: width and length as factors."""

_CUT_OFF_SHARE = 0.06
"""A tile of which a half has lost more than this share beyond the photo's edge is cut off; pips keep off the rim."""

_SMALL_HALF_PX, _SMALL_DENSE_HALF_PX, _DENSE = 13.0, 22.0, 10
"""Below these sizes pips cannot be counted safely; tens and more need larger halves."""

_LOOK = 0.15
"""Boxes under this detector score are not looked at."""

_IOU, _INSIDE = 0.35, 0.6
"""Of refined boxes that overlap more than this one is dropped: two boxes had found one tile."""

_THINGS_SMALLER = 2.0
"""Markers and stations are looked for at a smaller scale than tiles."""
_WHITE, _WASHED, _SURE_IN_LIGHT = 250, 0.25, 0.97
"""Where light has burnt so much of a half so white, pips may be missing without a trace: its value must be as sure."""


class Reader:
    """Reads hands and tables; holds the networks, so make one and keep it."""

    def __init__(
        self, detector: Detector, refiner: CornerRefiner, pip_reader: PipReader, judge: Judge, version: str
    ) -> None:
        self._detector, self._refiner, self._pip_reader, self._judge = detector, refiner, pip_reader, judge
        self.version = version
        self._numbers = [int(name) for name in pip_reader.classes if name != UNREADABLE_CLASS]
        self._columns = [detector.classes.index(name) for name in ("tile", "back")]

    @classmethod
    def load(cls, folder: Path | None = None) -> "Reader":
        """Open the weights in `folder` (default: those of the package).

        Raises ModelMissingError, ModelMismatchError.
        """
        contract = weights.load_contract(folder or weights.FOLDER)
        parts = contract.parts
        for part in parts.values():
            weights.verify(part)
        try:
            judge = Judge.from_contract(contract.judge)
            detector = Detector(parts["detector"].path, parts["detector"].classes)
            refiner = CornerRefiner.load(parts["corners"].path, parts["corners"].classes)
            halves = parts["halves"]
            pip_reader = PipReader.load(halves.path, halves.classes, halves.settings.get("temperature", 1.0))
        except Exception as error:  # the runtime has errors of its own for every kind of bad file
            raise ModelMismatchError("weights_altered", file="*.onnx") from error
        for name, network in (("detector", detector), ("corners", refiner), ("halves", pip_reader)):
            weights.verify_metadata(parts[name], network.metadata)
        return cls(detector, refiner, pip_reader, judge, contract.version)

    def read_hand(self, photo: Photo, tile_set: TileSet, taken: frozenset[Tile] = frozenset()) -> HandReading:
        """Read all tiles of a photo.

        `tile_set` is the set in play: numbers it does not have are not read. `taken` are tiles known to be
        elsewhere; one of them in the photo is a doubt.
        """
        evidence, cut = self._refined(photo, self._detector.find(photo.pixels, _LOOK))
        kinds = self._kinds(evidence, cut)
        return self._hand(photo, evidence, cut, kinds, tile_set, taken)

    def read_table(
        self, photo: Photo, tile_set: TileSet, engine: Tile | None = None, before: Sequence[KnownChain] = ()
    ) -> TableReading:
        """Read the table of a round: its chains from the engine outwards, see `layout.read_layout`.

        `engine` is the engine of the round, where it is known; `before` are the chains as they were last accepted.
        """
        return self.look_table(photo, tile_set, engine, before)[0]

    def look_table(
        self,
        photo: Photo,
        tile_set: TileSet,
        engine: Tile | None = None,
        before: Sequence[KnownChain] = (),
        seen: Seen | None = None,
        changed: Sequence[Region] | None = None,
    ) -> tuple[TableReading, Seen]:
        """As `read_table`, and what was seen, to be given with the next picture.

        If only the parts `changed` differ from the picture in which `seen` was seen, and the camera stands where it
        stood, nothing else is looked at.
        """
        seen = self._look(photo, seen, changed)
        return self._parts(photo, seen, tile_set).laid_out(tile_set, engine, before), seen

    def table_parts(self, photo: Photo, tile_set: TileSet) -> TableParts:
        """What lies on a table: `read_table` is this and `TableParts.laid_out`."""
        return self._parts(photo, self._look(photo, None, None), tile_set)

    def _parts(self, photo: Photo, seen: Seen, tile_set: TileSet) -> TableParts:
        kinds = self._kinds(seen.evidence, seen.cut)
        lie = self._lie(kinds, seen.evidence)
        flat = np.flatnonzero(lie).tolist()
        hand = self._hand(photo, seen.evidence.take(flat), seen.cut[flat], kinds[flat], tile_set, frozenset())
        faces, backs = (_quads(boxes) for boxes in ([tile.box for tile in hand.tiles], hand.face_down))
        things = find_things(seen.things, self._detector.classes, faces, backs, seen.evidence.corners[~lie])
        return TableParts(hand, things)

    def _kinds(self, evidence: Evidence, cut: NDArray[np.float32]) -> NDArray[np.float64]:
        return by_body(self._judge.kinds(evidence), evidence, cut)

    def _lie(self, kinds: NDArray[np.float64], evidence: Evidence) -> NDArray[np.bool_]:
        """(n,) which boxes of a table are no tiles that stand."""
        faces, backs, _ = self._sort(kinds, evidence.junk())
        lie = np.ones(len(kinds), np.bool_)
        lie[faces], lie[backs] = lying(evidence.corners[faces], evidence.corners[backs])
        return lie

    def _look(self, photo: Photo, seen: Seen | None, changed: Sequence[Region] | None) -> Seen:
        shape = photo.height, photo.width
        windows = None
        if seen is not None and changed is not None and seen.shape == shape:
            windows = seen.windows(changed)
        if seen is None or changed is None or windows is None or seen.width_px is None:
            found = self._detector.find(photo.pixels, _LOOK, table=True)
            evidence, cut = self._refined(photo, found)
            return Seen(shape, evidence, cut, self._things(found), len(evidence))
        found = self._detector.find_in(photo.pixels, _LOOK, windows, seen.width_px)
        near = found.take(np.flatnonzero(seen.touched(found.corners, changed, 1.0)).tolist())
        evidence, cut = self._refined(photo, near)
        # A bead in the tone of the table is no change that the tracker sees: where markers lie is looked at each time.
        middle = seen.middle(self._judge.kinds(seen.evidence)[:, FACE] >= self._judge.accept)
        again = self._detector.find_in(photo.pixels, _LOOK, middle, _THINGS_SMALLER * seen.width_px)
        things = joined(self._things(near), self._things(again))
        return seen.merged(changed, evidence, cut, things, middle, (_IOU, _INSIDE))

    def _things(self, found: Found) -> Found:
        return found.take(np.flatnonzero(worth_keeping(found, self._detector.classes)).tolist())

    def _are_tiles(self, found: Found) -> NDArray[np.bool_]:
        """(n,) which boxes are a face or a back rather than a marker or a station."""
        return np.isin(found.scores.argmax(1), self._columns)

    def _hand(
        self,
        photo: Photo,
        evidence: Evidence,
        cut: NDArray[np.float32],
        kinds: NDArray[np.float64],
        tile_set: TileSet,
        taken: frozenset[Tile],
    ) -> HandReading:
        """`cut` (n, 2, CROP_PX, CROP_PX, 3) are the halves of every box, as bright as in the photo; `kinds` (n, 3)."""
        junk = evidence.junk()
        faces, backs, unreadable = self._sort(kinds, junk)
        read = [self._candidate(evidence, kinds, k, tile_set) for k in faces]
        candidates = by_colour(read, list(cut[faces]))
        settled = settle(candidates, tile_set, taken)
        seen = cut[faces].astype(np.uint8)
        for (value, doubts), plain, hidden, unclear in zip(settled, read, glare(seen), junk[faces], strict=True):
            if value != plain.likeliest:
                doubts.add(Doubt.CORRECTED)
            if hidden.max() > HIDDEN:
                doubts.add(Doubt.GLARE)
            if unclear > UNCLEAR:
                doubts.add(Doubt.LOW_CONFIDENCE)
        values = [value for value, _ in settled]
        sure = np.array(
            [[c.chances[0][v[0]], c.chances[1][v[1]]] for c, v in zip(candidates, values, strict=True)], np.float64
        ).reshape(-1, 2)
        right = kinds[faces, FACE] * self._judge.values(evidence.take(faces), sure)
        washed = (seen >= _WHITE).all(4).mean((2, 3)).max(1) > _WASHED if len(seen) else np.zeros(0, np.bool_)
        for (_, doubts), chance, light in zip(settled, right, washed, strict=True):
            if light and chance < _SURE_IN_LIGHT:
                doubts.add(Doubt.GLARE)
        tiles = [
            self._tile(photo, candidate, value, float(chance), doubts)
            for candidate, (value, doubts), chance in zip(candidates, settled, right, strict=True)
        ]
        doubts = set()
        if (no_face(kinds[backs]) < self._judge.sure_back).any():
            doubts.add(Doubt.FACE_DOWN_NEARBY)
        if unreadable:
            doubts.add(Doubt.UNREADABLE)
        raised = doubts.union(*(tile.doubts for tile in tiles))
        hints = photo_hints(seen, [tile.box.corners for tile in tiles], raised) if raised else frozenset()
        return HandReading(
            tuple(in_reading_order(tiles, lambda t: t.box)),
            tuple(in_reading_order([_box(evidence, k, kinds[k, BACK]) for k in backs], lambda b: b)),
            tuple(in_reading_order([_box(evidence, k, kinds[k, FACE]) for k in unreadable], lambda b: b)),
            frozenset(doubts),
            hints,
        )

    def examine(self, photo: Photo, table: bool = False) -> Evidence:
        """What the networks say of every box of a photo, each tile boxed once; a `table` is looked at as a whole."""
        return self._refined(photo, self._detector.find(photo.pixels, _LOOK, table=table))[0]

    def _refined(self, photo: Photo, found: Found) -> tuple[Evidence, NDArray[np.float32]]:
        """The boxes that may be tiles, and their halves cut out."""
        tiles = self._are_tiles(found)
        refined = self._refiner.refine(photo.pixels, found.corners[tiles])
        scores = found.scores[tiles][:, self._columns]
        keep = suppress(refined.corners, scores.max(1), _IOU, _INSIDE)
        corners = refined.corners[keep]
        chances, cut = self._chances(photo, corners)
        return Evidence(corners, scores[keep], refined.kinds[keep], chances), cut

    def with_temperature(self, temperature: float) -> "Reader":
        """The same reader with the halves' probabilities sharpened or flattened; for calibration."""
        pips = self._pip_reader.with_temperature(temperature)
        return Reader(self._detector, self._refiner, pips, self._judge, self.version)

    def _chances(self, photo: Photo, corners: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Probabilities (n, 2, classes) over all views, and the halves as the first view shows them."""
        classes = len(self._pip_reader.classes)
        if not len(corners):
            return np.zeros((0, 2, classes), np.float32), np.zeros((0, 2, CROP_PX, CROP_PX, 3), np.float32)
        cut = [cut_halves(photo.pixels, scaled(quad, *view)) for quad in corners for view in _VIEWS]
        logs = self._pip_reader.read(np.concatenate([evenly_bright(halves) for halves in cut]))
        mean = logs.reshape(len(corners), len(_VIEWS), 2, classes).mean(1)
        mean -= mean.max(2, keepdims=True)
        chances = np.exp(mean)
        chances /= chances.sum(2, keepdims=True)
        return np.asarray(chances, np.float32), np.stack(cut[:: len(_VIEWS)])

    def _sort(self, kinds: NDArray[np.float64], junk: NDArray[np.float64]) -> tuple[list[int], list[int], list[int]]:
        """Boxes that are faces, backs, and places that may be a tile but cannot be counted."""
        faces, backs, unreadable = [], [], []
        for k in range(len(kinds)):
            if kinds[k, FACE] >= self._judge.accept and junk[k] <= UNCOUNTABLE:
                faces.append(k)
            elif kinds[k, BACK] >= self._judge.accept:
                backs.append(k)
            elif kinds[k, FACE] >= self._judge.notice:
                unreadable.append(k)
        return faces, backs, unreadable

    def _candidate(self, evidence: Evidence, kinds: NDArray[np.float64], k: int, tile_set: TileSet) -> Candidate:
        allowed = np.array([n <= tile_set.max_pip for n in self._numbers])
        numbers = evidence.chances[k, :, : len(self._numbers)]
        inside = numbers[:, allowed]
        outside = float(numbers[:, ~allowed].sum(1).max()) if not allowed.all() else 0.0
        total = np.maximum(inside.sum(1, keepdims=True), 1e-9)
        return Candidate(_box(evidence, k, kinds[k, FACE]), inside / total, outside)

    def _tile(
        self, photo: Photo, candidate: Candidate, value: tuple[int, int], right: float, doubts: set[Doubt]
    ) -> TileReading:
        halves = []
        for chances, pips in zip(candidate.chances, value, strict=True):
            order = np.argsort(-chances, kind="stable")
            runner_up = int(order[0]) if int(order[0]) != pips else int(order[1])
            halves.append(HalfReading(pips, float(chances[pips]), runner_up))
        if right < self._judge.sure:
            doubts.add(Doubt.LOW_CONFIDENCE)
        if candidate.outside > 0.5:
            doubts.add(Doubt.NOT_IN_SET)
        if cut_off(candidate.box, photo.pixels.shape):
            doubts.add(Doubt.CUT_OFF)
        size = min(half_sizes_px(candidate.box.corners))
        if size < _SMALL_HALF_PX or (size < _SMALL_DENSE_HALF_PX and max(value) >= _DENSE):
            doubts.add(Doubt.TOO_SMALL)
        return TileReading(Tile(*value), right, candidate.box, (halves[0], halves[1]), frozenset(doubts))


def _quads(boxes: Sequence[TileBox]) -> NDArray[np.float32]:
    return np.array([box.corners for box in boxes], np.float32).reshape(-1, 4, 2)


def _box(evidence: Evidence, k: int, chance: float) -> TileBox:
    return TileBox(evidence.corners[k], float(chance))


def scaled(corners: NDArray[np.float32], width: float, length: float) -> NDArray[np.float32]:
    """Corners (4, 2) of a tile made wider and longer by these factors along its own edges, so that tilt is kept."""
    across, along = _SIGNS[:, :1], _SIGNS[:, 1:]
    u, v, skew = (np.mean(corners * sign, axis=0) for sign in (across, along, across * along))
    return np.asarray(
        corners.mean(0) + across * width * u + along * length * v + across * along * width * length * skew, np.float32
    )


def cut_off(box: TileBox, shape: tuple[int, ...]) -> bool:
    """May pips of the tile lie beyond the edge of a photo of this shape (H, W, ...)?"""
    h, w = shape[:2]
    frame = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    return any(overlap(frame, half).second < 1 - _CUT_OFF_SHARE for half in half_quads(box.corners))


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
