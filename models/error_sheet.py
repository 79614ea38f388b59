"""A contact sheet of what was read wrongly: every wrong tile with its surroundings, truth and reading, by cause."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from companion.rules.tiles import Tile
from companion.vision.annotate import FONT
from companion.vision.boxes import overlap
from companion.vision.photo import Photo
from companion.vision.pips import half_sizes_px
from companion.vision.readings import Doubt, HandReading, TileReading

Quad = NDArray[np.floating[Any]]

CAUSES = ("missed", "unreadable", "split", "phantom", "misread")
_SAME = 0.5
"""Overlap of a reading and a true tile, as a share of the smaller, from which they are one tile."""
_SIDE, _TEXT, _COLUMNS = 240, 54, 8
_SMALL_PX, _TILTED = 22.0, 0.7


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """A tile of the truth and where it lies."""

    tile: Tile
    corners: Quad
    seen: float
    """Share of the less visible half."""
    face_up: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Mistake:
    """One tile that was read wrongly."""

    path: Path
    cause: str
    """One of CAUSES."""
    truth: str
    read: str
    tags: tuple[str, ...]
    corners: Quad | None
    """Where; None: somewhere in the photo."""
    silent: bool
    """No doubt says so."""

    @property
    def order(self) -> tuple[int, str, str]:
        return CAUSES.index(self.cause), self.truth if self.cause == "misread" else "", self.path.name


def mistakes_with_places(
    path: Path, shape: tuple[int, ...], reading: HandReading, truth: list[Placed], well_seen: float
) -> list[Mistake]:
    """Of a rendered picture, whose truth has places. Tiles seen less than `well_seen` may be missed or read anyhow."""
    found: list[Mistake] = []
    taken: dict[int, list[TileReading]] = {}
    for tile in reading.tiles:
        shares = [_shared(tile.box.corners, placed.corners) for placed in truth]
        best = int(np.argmax(shares)) if shares else -1
        if best >= 0 and shares[best] >= _SAME:
            taken.setdefault(best, []).append(tile)
        else:
            found.append(_mistake(path, shape, "phantom", "-", tile, tile.box.corners, truth))
    lost = [box.corners for box in reading.unreadable]
    for k, placed in enumerate(truth):
        readings = sorted(taken.get(k, ()), key=lambda tile: (tile.tile != placed.tile, bool(tile.doubts)))
        if not placed.face_up:
            found += [_mistake(path, shape, "phantom", "back", t, t.box.corners, truth) for t in readings]
            continue
        found += [_mistake(path, shape, "split", str(placed.tile), t, t.box.corners, truth) for t in readings[1:]]
        if placed.seen < well_seen:
            continue
        if not readings:
            cause = "unreadable" if any(_shared(c, placed.corners) >= _SAME for c in lost) else "missed"
            found.append(_mistake(path, shape, cause, str(placed.tile), None, placed.corners, truth))
        elif readings[0].tile != placed.tile:
            found.append(_mistake(path, shape, "misread", str(placed.tile), readings[0], placed.corners, truth))
    return found


def mistakes_by_value(path: Path, shape: tuple[int, ...], reading: HandReading, truth: list[Tile]) -> list[Mistake]:
    """Of a photo, whose truth has values only: what is too much is paired with what is missing by a common half."""
    missing = list((Counter(truth) - Counter(reading.values)).elements())
    spare = Counter(reading.values) - Counter(truth)
    found = []
    for tile in sorted(reading.tiles, key=lambda t: t.confidence):
        if not spare[tile.tile]:
            continue
        spare[tile.tile] -= 1
        meant = next((m for m in missing if m.has(tile.tile.low) or m.has(tile.tile.high)), None)
        if meant is not None:
            missing.remove(meant)
        cause = "misread" if meant else "split" if tile.tile in truth else "phantom"
        found.append(_mistake(path, shape, cause, str(meant or "-"), tile, tile.box.corners, []))
    cause = "unreadable" if reading.unreadable else "missed"
    return found + [_mistake(path, shape, cause, str(tile), None, None, []) for tile in missing]


def _mistake(
    path: Path, shape: tuple[int, ...], cause: str, truth: str, tile: TileReading | None, corners: Quad | None,
    others: list[Placed],
) -> Mistake:  # fmt: skip
    tags = []
    if corners is not None:
        h, w = shape[:2]
        width, depth = half_sizes_px(corners)
        across, along = (corners[1] - corners[0]), (corners[3] - corners[0]) / 2
        short, long = sorted(np.linalg.svd(np.stack([across, along]), compute_uv=False).tolist())
        grown = corners.mean(0) + (corners - corners.mean(0)) * 1.12
        touching = sum(_shared(grown, other.corners) > 0.01 for other in others)
        cut = corners.min() < 0 or corners[:, 0].max() > w or corners[:, 1].max() > h
        marks = {
            "small": min(width, depth) < _SMALL_PX, "tilt": short / max(long, 1e-6) < _TILTED, "cut": bool(cut),
            "neighbour": touching > (truth not in ("-", "")),
        }  # fmt: skip
        tags += [name for name, holds in marks.items() if holds]
    if tile is not None:
        tags += [name for name, doubt in (("glare", Doubt.GLARE), ("blur", Doubt.BLURRED)) if doubt in tile.doubts]
    silent = not tile.doubts if tile is not None else cause == "missed"
    return Mistake(path, cause, truth, str(tile.tile) if tile else "-", tuple(tags), corners, silent)


def _shared(one: Quad, other: Quad) -> float:
    """What two quads share, of the smaller."""
    a, b = np.asarray(one, np.float32), np.asarray(other, np.float32)
    return float(max(overlap(a, b).second, overlap(b, a).second))


def draw_sheet(mistakes: list[Mistake], out: Path) -> None:
    """Write the sheet, at least one cell."""
    ordered = sorted(mistakes, key=lambda m: m.order)
    rows = max(1, -(-len(ordered) // _COLUMNS))
    sheet = Image.new("RGB", (_COLUMNS * (_SIDE + 6), rows * (_SIDE + _TEXT)), (40, 40, 44))
    draw, font = ImageDraw.Draw(sheet), ImageFont.truetype(FONT, 13)
    pixels: dict[Path, NDArray[np.uint8]] = {}
    for n, mistake in enumerate(ordered):
        x, y = n % _COLUMNS * (_SIDE + 6), n // _COLUMNS * (_SIDE + _TEXT)
        if mistake.path not in pixels:
            pixels = {mistake.path: Photo.from_path(mistake.path).pixels}  # one at a time is kept
        sheet.paste(Image.fromarray(_cell(pixels[mistake.path], mistake)), (x, y))
        told = f"{mistake.cause}: {mistake.truth} > {mistake.read}{'  SILENT' if mistake.silent else ''}"
        for line, text in enumerate((told, " ".join(mistake.tags), mistake.path.stem)):
            draw.text((x + 3, y + _SIDE + 2 + 16 * line), text[-30:] if line == 2 else text, (255, 235, 150), font)
    sheet.save(out)


def _cell(pixels: NDArray[np.uint8], mistake: Mistake) -> NDArray[np.uint8]:
    h, w = pixels.shape[:2]
    if mistake.corners is None:
        middle, reach = np.array([w / 2, h / 2]), max(w, h) / 2
    else:
        middle = mistake.corners.mean(0)
        reach = 0.85 * float((mistake.corners.max(0) - mistake.corners.min(0)).max())
    scale = _SIDE / (2 * reach)
    matrix = np.array([[scale, 0, _SIDE / 2 - scale * middle[0]], [0, scale, _SIDE / 2 - scale * middle[1]]])
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    cell = cv2.warpAffine(pixels, matrix, (_SIDE, _SIDE), flags=how, borderValue=(90, 0, 90))
    if mistake.corners is not None:
        quad = mistake.corners @ matrix[:, :2].T + matrix[:, 2]
        cv2.polylines(cell, [np.rint(quad).astype(np.int32)], True, (255, 60, 60), 2)
    return np.asarray(cell, np.uint8)


def counts(mistakes: list[Mistake]) -> str:
    """How many of each cause, and of each tag."""
    causes, tags = Counter(m.cause for m in mistakes), Counter(tag for m in mistakes for tag in m.tags)
    told = [f"{cause} {causes[cause]}" for cause in CAUSES if causes[cause]]
    return f"{len(mistakes)} wrong: {', '.join(told)}; tags: {', '.join(f'{t} {n}' for t, n in tags.most_common())}"
