"""A QR code, drawn: the framework's own SVG pictures leave the modules out."""

import flet as ft
import flet.canvas as cv
import segno

QUIET = 4
"""Modules of white around it, which scanners need."""


def qr_picture(address: str, side_px: float, label: str) -> ft.Control:
    """An address to scan from a screen, always black on white."""
    rows = tuple(segno.make_qr(address, error="M").matrix)
    module = side_px / (len(rows) + 2 * QUIET)
    dark: list[ft.OffsetValue] = [
        ft.Offset((x + QUIET + 0.5) * module, (y + QUIET + 0.5) * module)
        for y, row in enumerate(rows)
        for x, bit in enumerate(row)
        if bit
    ]
    # A hair wider than a module, so that no light shines between them.
    paint = ft.Paint(color="#000000", stroke_width=module * 1.04, stroke_cap=ft.StrokeCap.SQUARE, anti_alias=False)
    return ft.Semantics(
        label=label,
        image=True,
        exclude_semantics=True,
        content=ft.Container(
            cv.Canvas(
                shapes=[cv.Points(points=dark, point_mode=cv.PointMode.POINTS, paint=paint)],
                width=side_px,
                height=side_px,
            ),
            width=side_px,
            height=side_px,
            bgcolor="#FFFFFF",
            border_radius=12,
        ),
    )
