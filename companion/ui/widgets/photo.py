"""A photo with the outlines of its tiles, and the part of it that shows one tile."""

import asyncio
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import flet as ft

from companion.ui.hooks import use_live
from companion.ui.model import Found
from companion.ui.widgets.basics import tappable

DECODING_S = 0.15
"""How long a browser takes to decode a picture that it has, at most."""

SURE, DOUBTFUL, IMPOSSIBLE, RIM = "#00C8AA", "#FF8200", "#FF3B30", "#101010"


@dataclass(frozen=True, slots=True)
class Mark:
    """A tile in a photo."""

    number: int
    """What stands on it, from 1; the list beside the photo has the same numbers."""
    found: Found
    doubtful: bool
    impossible: bool
    label: str
    """For screen readers."""

    @property
    def colour(self) -> str:
        """Of its outline."""
        return IMPOSSIBLE if self.impossible else DOUBTFUL if self.doubtful else SURE


@dataclass(frozen=True, slots=True)
class Lie:
    """How a tile lies in a photo: its middle, its sides along and across, its angle."""

    x: float
    y: float
    along: float
    across: float
    angle: float


def lie(corners: Sequence[tuple[float, float]]) -> Lie:
    """From corners, clockwise, the first two at the short side of the first half; pixels and radians."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners
    from_x, from_y = (ax + bx) / 2, (ay + by) / 2
    to_x, to_y = (cx + dx) / 2, (cy + dy) / 2
    return Lie(
        (from_x + to_x) / 2,
        (from_y + to_y) / 2,
        math.hypot(to_x - from_x, to_y - from_y),
        math.hypot(bx - ax, by - ay),
        math.atan2(to_y - from_y, to_x - from_x),
    )


@ft.component
def PhotoWithMarks(
    picture: bytes,
    size: tuple[int, int],
    marks: Sequence[Mark],
    width: float,
    on_tap: Callable[[int], None],
    label: str,
) -> Any:
    """The photo (`picture` as JPEG), `width` wide, to be zoomed; a tap on a tile gives its number.

    The picture itself goes to the browser before the outlines, which on bare ground would only be in the way.
    """
    visible = use_live(False)

    async def reveal() -> None:
        await asyncio.sleep(DECODING_S)
        visible.set(True)

    ft.use_effect(reveal, [])
    return _stack(picture, size, marks if visible.value else (), width, on_tap, label)


def _stack(
    picture: bytes,
    size: tuple[int, int],
    marks: Sequence[Mark],
    width: float,
    on_tap: Callable[[int], None],
    label: str,
) -> ft.Control:
    scale = width / max(size[0], 1)
    height = size[1] * scale
    layers: list[ft.Control] = [
        ft.Image(
            src=picture, width=width, height=height, fit=ft.BoxFit.FILL, semantics_label=label, gapless_playback=True
        )
    ]
    for mark in sorted(marks, key=lambda mark: (mark.impossible, mark.doubtful)):
        if mark.found.corners is not None:
            layers += _outline(mark, lie(mark.found.corners), scale, on_tap)
    return ft.Container(
        ft.InteractiveViewer(
            ft.Stack(layers, width=width, height=height), width=width, height=height, min_scale=1, max_scale=6
        ),
        border_radius=14,
        clip_behavior=ft.ClipBehavior.ANTI_ALIAS,
        width=width,
        height=height,
    )


def _outline(mark: Mark, at: Lie, scale: float, on_tap: Callable[[int], None]) -> list[ft.Control]:
    thick = 2.0 if mark.colour == SURE else 3.5
    along, across = at.along * scale + 4, at.across * scale + 4
    box = tappable(
        ft.Container(
            border=ft.Border.all(thick, mark.colour), border_radius=across / 6, width=along - 2, height=across - 2
        ),
        mark.label,
        lambda: on_tap(mark.number),
        left=at.x * scale - along / 2,
        top=at.y * scale - across / 2,
        width=along,
        height=across,
        rotate=ft.Rotate(at.angle),
        padding=1,
        border=ft.Border.all(1, RIM),
        border_radius=across / 6,
    )
    side = min(max(across * 0.62, 15), 24)
    sign = str(mark.number) + ("?" if mark.doubtful and not mark.impossible else "!" if mark.impossible else "")
    tag = ft.TransparentPointer(
        ft.Container(
            ft.Text(sign, size=side * 0.62, weight=ft.FontWeight.W_700, color=RIM, no_wrap=True),
            width=side * (1 if len(sign) < 3 else 1.4),
            height=side,
            alignment=ft.Alignment.CENTER,
            bgcolor=mark.colour,
            border=ft.Border.all(1, RIM),
            border_radius=side / 2,
        ),
        left=at.x * scale - side / 2,
        top=at.y * scale - side / 2,
    )
    return [box, tag]


def tile_in_photo(src: str, size: tuple[int, int], found: Found, width: float, height: float) -> ft.Control | None:
    """The part of a photo that shows one tile, enlarged; None for a tile that was added by hand."""
    if found.corners is None:
        return None
    at = lie(found.corners)
    turned, level = abs(math.sin(at.angle)), abs(math.cos(at.angle))
    wide, high = at.along * level + at.across * turned, at.along * turned + at.across * level
    zoom = 0.92 * min(width / max(wide, 1), height / max(high, 1))
    return ft.Container(
        ft.Stack(
            [
                ft.Image(
                    src=src,
                    left=width / 2 - at.x * zoom,
                    top=height / 2 - at.y * zoom,
                    width=size[0] * zoom,
                    height=size[1] * zoom,
                    fit=ft.BoxFit.FILL,
                    exclude_from_semantics=True,
                )
            ],
            width=width,
            height=height,
        ),
        width=width,
        height=height,
        border_radius=10,
        clip_behavior=ft.ClipBehavior.HARD_EDGE,
    )
