"""Tiles, drawn: pips in their places, from 0 to 18 on a half."""

from functools import cache

import flet as ft
import flet.canvas as cv

from companion.rules.tiles import Tile

IVORY = "#FFFBEF"
IVORY_EDGE = "#8A8371"
PIP_COLOURS = (
    "#1D211E",  # a blank half has none
    "#0067A3",
    "#00705A",
    "#B02020",
    "#7A4A1E",
    "#23478F",
    "#9A6A00",
    "#A02A78",
    "#3C6E1F",
    "#5A3C9C",
    "#B84A00",
    "#4A5560",
    "#1D211E",
    "#8A1538",
    "#00667A",
    "#6A5A00",
    "#5D2E8C",
    "#005A2B",
    "#7A2E00",
)
"""By number, as on the sets that are sold, dark enough for ivory: a help for the eye, never the only sign."""

_COLUMNS = {
    1: (0, 1, 0), 2: (1, 0, 1), 3: (1, 1, 1), 4: (2, 0, 2), 5: (2, 1, 2), 6: (3, 0, 3),
    7: (3, 1, 3), 8: (3, 2, 3), 9: (3, 3, 3), 10: (4, 2, 4), 11: (4, 3, 4), 12: (4, 4, 4),
    13: (5, 3, 5), 14: (5, 4, 5), 15: (5, 5, 5), 16: (6, 4, 6), 17: (6, 5, 6), 18: (6, 6, 6),
}  # fmt: skip
"""How many pips stand in the left, the middle and the right column of a half."""


@cache
def pip_places(pips: int) -> tuple[tuple[float, float], ...]:
    """Where the pips of a half are: (x, y) from 0 to 1, for the upper half of an upright tile."""
    if pips == 0:
        return ()
    if pips in (2, 3):  # on the diagonal
        return ((0.24, 0.24), (0.76, 0.76)) if pips == 2 else ((0.24, 0.24), (0.5, 0.5), (0.76, 0.76))
    places = []
    for x, count in zip((0.24, 0.5, 0.76), _COLUMNS[pips], strict=True):
        edge = 0.24 if max(_COLUMNS[pips]) <= 3 else 0.16
        if count == 1:
            places.append((x, 0.5))
        elif x == 0.5 and count == 2:
            places += [(x, edge + (1 - 2 * edge) / 4), (x, 1 - edge - (1 - 2 * edge) / 4)]
        else:
            places += [(x, edge + n * (1 - 2 * edge) / (count - 1)) for n in range(count)]
    return tuple(places)


def tile_face(tile: Tile, long_px: float, upright: bool = False, dim: bool = False) -> ft.Control:
    """A tile, `long_px` long; it has no name for screen readers, whatever holds it has one."""
    return halves_face(tile.low, tile.high, long_px, upright, dim)


def halves_face(
    first: int | None, second: int | None, long_px: float, upright: bool = False, dim: bool = False
) -> ft.Control:
    """Two halves as they lie, left (or upper) first; None: not known yet."""
    short = round(long_px / 2)
    width, height = (short, 2 * short) if upright else (2 * short, short)
    shapes: list[cv.Shape] = [
        cv.Rect(0.5, 0.5, width - 1, height - 1, border_radius=short / 7, paint=ft.Paint(color=IVORY)),
        cv.Rect(
            0.5, 0.5, width - 1, height - 1, border_radius=short / 7,
            paint=ft.Paint(color=IVORY_EDGE, style=ft.PaintingStyle.STROKE, stroke_width=1),
        ),
        _bar(short, upright),
    ]  # fmt: skip
    for n, pips in enumerate((first, second)):
        if pips:
            shapes.append(_pips(pips, short, n, upright))
    return ft.Container(
        cv.Canvas(shapes=shapes, width=width, height=height), width=width, height=height, opacity=0.4 if dim else 1
    )


def _bar(short: int, upright: bool) -> cv.Line:
    inset = short * 0.14
    x1, y1, x2, y2 = (inset, short, short - inset, short) if upright else (short, inset, short, short - inset)
    return cv.Line(x1, y1, x2, y2, paint=ft.Paint(color=IVORY_EDGE, stroke_width=max(1, short / 24)))


def _pips(pips: int, short: int, half: int, upright: bool) -> cv.Points:
    points: list[ft.OffsetValue] = []
    for across, along in pip_places(pips):
        x, y = (across, along + half) if upright else (1 - along + half, across)
        points.append(ft.Offset(x * short, y * short))
    rows = max(_COLUMNS[pips])
    width = short * (0.19 if rows <= 3 else 0.155 if rows == 4 else 0.12)
    paint = ft.Paint(color=PIP_COLOURS[pips], stroke_width=width, stroke_cap=ft.StrokeCap.ROUND)
    return cv.Points(points=points, point_mode=cv.PointMode.POINTS, paint=paint)
