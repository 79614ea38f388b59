"""Draw what was read on a copy of the photo, so that anybody can check it.

Nothing is told by colour alone: a sure tile has a thin outline and a white label, a doubtful one a thick
outline and a yellow label with a question mark, a tile that lies face down is crossed out, and a place
that could not be read has a dashed outline and a question mark. Outlines run around a tile, labels stand
beside it with a line to it, and the sentences stand below the photo.
"""

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from companion.vision.labels import place_labels
from companion.vision.photo import Photo
from companion.vision.readings import Chain, HandReading, TableReading

Pixels = NDArray[np.uint8]
Corners = NDArray[np.float32]
Colour = tuple[int, int, int]

FONT = Path(__file__).parent / "fonts" / "DejaVuSans-Bold.ttf"

SMALLEST_SIDE_PX = 1000
"""A photo whose longer side is smaller is enlarged, so that the labels can be read."""

SURE: Colour = (0, 200, 170)
DOUBTFUL: Colour = (255, 130, 0)
FACE_DOWN: Colour = (160, 140, 255)
UNREADABLE: Colour = (240, 70, 190)
YELLOW: Colour = (255, 225, 60)
WHITE: Colour = (255, 255, 255)
BLACK: Colour = (15, 15, 15)
BAND: Colour = (32, 32, 38)

_CHAIN_COLOURS: tuple[Colour, ...] = (
    (0, 200, 170),
    (90, 170, 255),
    (255, 120, 190),
    (190, 230, 60),
    (200, 140, 255),
    (255, 190, 90),
)
"""Neighbouring chains differ in colour; what tells them apart is their number."""

_SUBPIXEL_BITS = 4


def annotate(photo: Photo, reading: HandReading, lines: Sequence[str]) -> Pixels:
    """The photo with outlines and values, and `lines` (the points first, then what to check) below it.

    Returns (H, W, 3) uint8 RGB, at least as wide as the photo and higher by the band with the lines.
    """
    scale = max(1.0, SMALLEST_SIDE_PX / max(photo.width, photo.height))
    size = (round(photo.width * scale), round(photo.height * scale))
    canvas = cv2.resize(photo.pixels, size, interpolation=cv2.INTER_CUBIC) if scale > 1 else photo.pixels.copy()
    canvas = canvas.astype(np.uint8, copy=False)
    unit = max(size) / 1000
    tiles = sorted(reading.tiles, key=lambda tile: bool(tile.doubts))  # doubts are drawn last, over all else
    labelled = [tile.box.corners * scale for tile in tiles] + [box.corners * scale for box in reading.unreadable]
    backs = [box.corners * scale for box in reading.face_down]
    styles = [(DOUBTFUL, YELLOW, True) if tile.doubts else (SURE, WHITE, False) for tile in tiles]
    styles += [(UNREADABLE, YELLOW, True)] * len(reading.unreadable)
    texts = [f"{tile.tile} ?" if tile.doubts else str(tile.tile) for tile in tiles] + ["?"] * len(reading.unreadable)

    labels = [
        _label(text, _font_px(labelled, unit), colour if bold else BLACK, ground, round((4 if bold else 2) * unit))
        for text, (colour, ground, bold) in zip(texts, styles, strict=True)
    ]
    places = place_labels(labelled + backs, [(label.shape[1], label.shape[0]) for label in labels], size)

    for corners in backs:
        _outline(canvas, corners, FACE_DOWN, 3 * unit)
        _line(canvas, corners[[0, 2]], FACE_DOWN, 3 * unit)
        _line(canvas, corners[[1, 3]], FACE_DOWN, 3 * unit)
    for n, (corners, (colour, _, bold)) in enumerate(zip(labelled, styles, strict=True)):
        _outline(canvas, corners, colour, (6 if bold else 3) * unit, dashed=n >= len(tiles))
    for corners, label, place, (colour, _, bold) in zip(labelled, labels, places, styles, strict=True):
        _leader(canvas, corners, label, place, colour, (4 if bold else 2.5) * unit)
    for label, place in zip(labels, places, strict=True):
        _paste(canvas, label, place)
    return np.concatenate([canvas, _band(lines, canvas.shape[1], unit)])


def annotate_table(photo: Photo, reading: TableReading, lines: Sequence[str]) -> Pixels:
    """The photo of a table: a line along every chain, its number at its tail, and `lines` below it.

    Chains are numbered from 1 in the order of `reading.chains`. Only tiles with a doubt, and the engine, are named:
    the values of the others stand in `lines`. (H, W, 3) uint8 RGB, sizes as for `annotate`.
    """
    scale = max(1.0, SMALLEST_SIDE_PX / max(photo.width, photo.height))
    size = (round(photo.width * scale), round(photo.height * scale))
    canvas = cv2.resize(photo.pixels, size, interpolation=cv2.INTER_CUBIC) if scale > 1 else photo.pixels.copy()
    canvas = canvas.astype(np.uint8, copy=False)
    unit = max(size) / 1000
    for box in reading.face_down:
        _outline(canvas, box.corners * scale, FACE_DOWN, 2 * unit)
    for box in (*reading.markers, *([reading.station] if reading.station else [])):
        _outline(canvas, box.corners * scale, YELLOW, 3 * unit)
    for box in reading.unreadable:
        _outline(canvas, box.corners * scale, UNREADABLE, 5 * unit, dashed=True)
    signs: list[tuple[Corners, str, bool]] = []
    for number, chain in enumerate(reading.chains, start=1):
        colour = _CHAIN_COLOURS[(number - 1) % len(_CHAIN_COLOURS)]
        for laid in chain.tiles:
            _outline(canvas, laid.reading.box.corners * scale, colour, 2.5 * unit)
        for joint in _joints(chain):
            _line(canvas, joint * scale, colour, 5 * unit)
        tail = chain.tiles[-1].reading.box.corners * scale  # at the engine there is no room for signs
        signs.append((tail, f"{number} ?" if chain.doubts else str(number), bool(chain.doubts)))
        signs += [(t.reading.box.corners * scale, f"{t.reading.tile} ?", True) for t in chain.tiles if t.reading.doubts]
    signs += [
        (t.box.corners * scale, f"{t.tile} ?" if t.doubts else str(t.tile), bool(t.doubts)) for t in reading.loose
    ]
    if reading.engine is not None:
        _outline(canvas, reading.engine.box.corners * scale, SURE, 5 * unit)
        signs.append((reading.engine.box.corners * scale, str(reading.engine.tile), bool(reading.engine.doubts)))
    everything = [tile.box.corners * scale for tile in reading.laid]
    _put_signs(canvas, signs, everything, unit)
    return np.concatenate([canvas, _band(lines, canvas.shape[1], unit)])


def _joints(chain: Chain) -> list[Corners]:
    """For every two tiles of a chain a short line from one to the other, (2, 2) px each, clear of most pips."""
    middles = [laid.reading.box.corners.mean(0) for laid in chain.tiles]
    joints = []
    for last, following in pairwise(range(len(middles))):
        way = middles[following] - middles[last]
        joints.append(np.array([middles[last] + 0.32 * way, middles[following] - 0.32 * way], np.float32))
    return joints


def _put_signs(
    canvas: Pixels, signs: Sequence[tuple[Corners, str, bool]], others: Sequence[Corners], unit: float
) -> None:
    """Signs with a line to their places, over as few tiles as can be."""
    quads = [corners for corners, _, _ in signs]
    size = _font_px(list(others), unit)
    labels = [
        _label(text, size, DOUBTFUL if bold else BLACK, YELLOW if bold else WHITE, round((4 if bold else 2) * unit))
        for _, text, bold in signs
    ]
    frame = (canvas.shape[1], canvas.shape[0])
    places = place_labels([*quads, *others], [(label.shape[1], label.shape[0]) for label in labels], frame)
    for corners, label, place, (_, _, bold) in zip(quads, labels, places, signs, strict=True):
        _leader(canvas, corners, label, place, DOUBTFUL if bold else SURE, (4 if bold else 2.5) * unit)
    for label, place in zip(labels, places, strict=True):
        _paste(canvas, label, place)


@cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(FONT, size)


def _font_px(quads: Sequence[Corners], unit: float) -> int:
    """Letters half as high as a tile is wide, but neither tiny nor huge in the picture."""
    widths = [float(np.linalg.norm(quad[1] - quad[0])) for quad in quads]
    wanted = 0.5 * float(np.median(widths)) if widths else 0.0
    return round(min(max(wanted, 22 * unit), 34 * unit))


def _label(text: str, font_px: int, frame: Colour, ground: Colour, border: int) -> Pixels:
    """A small sign with a value."""
    font, border = _font(font_px), max(1, border)
    left, top, right, bottom = font.getbbox(text)
    pad = max(2, font_px // 5)
    width, height = round(right - left) + 2 * (pad + border), round(bottom - top) + 2 * (pad + border)
    sign = Image.new("RGB", (width, height), ground)
    draw = ImageDraw.Draw(sign)
    draw.rectangle((0, 0, width - 1, height - 1), outline=frame, width=border)
    draw.text((pad + border - left, pad + border - top), text, fill=BLACK, font=font)
    return np.asarray(sign)


def _paste(canvas: Pixels, label: Pixels, place: tuple[int, int]) -> None:
    """Put a label on the canvas; what does not fit is cut off."""
    x, y = max(0, place[0]), max(0, place[1])
    part = canvas[y : y + label.shape[0], x : x + label.shape[1]]
    part[:] = label[: part.shape[0], : part.shape[1]]


def _line(canvas: Pixels, points: Corners, colour: Colour, width: float, closed: bool = False) -> None:
    """A line with a dark rim, to be seen on every ground."""
    fixed = np.rint(points * 2**_SUBPIXEL_BITS).astype(np.int32)
    for ink, px in ((BLACK, round(1.7 * width) + 1), (colour, round(width))):
        cv2.polylines(canvas, [fixed], closed, ink, max(1, px), cv2.LINE_AA, _SUBPIXEL_BITS)


def _outline(canvas: Pixels, corners: Corners, colour: Colour, width: float, dashed: bool = False) -> None:
    """Around a tile, just outside it."""
    outside = corners.copy()
    for n in range(4):
        for neighbour in (corners[n - 1], corners[(n + 1) % 4]):
            away = corners[n] - neighbour
            outside[n] += away / max(1e-6, float(np.linalg.norm(away))) * 0.7 * width
    if not dashed:
        _line(canvas, outside, colour, width, closed=True)
        return
    for start, end in zip(outside, np.roll(outside, -1, axis=0), strict=True):
        dashes = max(2, round(float(np.linalg.norm(end - start)) / (5 * width)))
        for n in range(dashes):
            part = np.array([n / dashes, (n + 0.5) / dashes])[:, None]
            _line(canvas, (start + (end - start) * part).astype(np.float32), colour, width)


def _leader(
    canvas: Pixels, corners: Corners, label: Pixels, place: tuple[int, int], colour: Colour, width: float
) -> None:
    """From the label's middle to the outline of its tile; the label is pasted over its other end."""
    middle = np.array(place, dtype=np.float32) + np.array(label.shape[1::-1], dtype=np.float32) / 2
    if cv2.pointPolygonTest(corners.astype(np.float32), (float(middle[0]), float(middle[1])), False) >= 0:
        return
    edges = [(start, end - start) for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True)]
    feet = [
        start + edge * np.clip((middle - start) @ edge / max(1e-6, float(edge @ edge)), 0.15, 0.85)
        for start, edge in edges
    ]
    foot = min(feet, key=lambda point: float(np.linalg.norm(point - middle)))
    _line(canvas, np.array([middle, foot], dtype=np.float32), colour, width)


def _band(lines: Sequence[str], width: int, unit: float) -> Pixels:
    """The sentences on a dark ground, wrapped to the width: the first larger, what is to check (`? ...`) yellow."""
    pad = round(14 * unit)
    rows = [
        (row, _font(round((40 if n == 0 else 27) * unit)), YELLOW if line.startswith("? ") else WHITE)
        for n, line in enumerate(lines)
        for row in _wrap(line, _font(round((40 if n == 0 else 27) * unit)), width - 2 * pad)
    ]
    if not rows:
        return np.empty((0, width, 3), dtype=np.uint8)
    heights = [round(1.35 * font.size) for _, font, _ in rows]
    band = Image.new("RGB", (width, sum(heights) + 2 * pad), BAND)
    draw, y = ImageDraw.Draw(band), pad
    for (row, font, colour), height in zip(rows, heights, strict=True):
        draw.text((pad, y), row, fill=colour, font=font)
        y += height
    return np.asarray(band)


def _wrap(line: str, font: ImageFont.FreeTypeFont, width: int) -> list[str]:
    """Rows that fit the width; a single word that is wider stands alone."""
    rows: list[str] = []
    for word in line.split(" "):
        if rows and font.getlength(f"{rows[-1]} {word}") <= width:
            rows[-1] += f" {word}"
        else:
            rows.append(word)
    return rows
