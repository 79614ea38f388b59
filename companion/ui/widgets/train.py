"""Trains as they lie: chains of drawn tiles that fit their row, the tail always in sight."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import flet as ft
import flet.canvas as cv

from companion.rules.state import PlacedTile
from companion.rules.tiles import Tile
from companion.rules.turn import TrainKey
from companion.ui.env import Env
from companion.ui.theme import TARGET, Role, TrainColour
from companion.ui.widgets.basics import muted, size, tappable, write
from companion.ui.widgets.chart import readable
from companion.ui.widgets.people import badge
from companion.ui.widgets.tile import halves_face, tile_face

_BETWEEN = 1
"""Pixels between two tiles of a chain."""
_INSIDE = 10
"""Pixels between a row's edge and what is in it."""


class Light(StrEnum):
    """How a row stands out."""

    NONE = "none"
    FITS = "fits"
    """The tile that was tapped can be laid here."""
    DIM = "dim"
    """It cannot."""
    CHOSEN = "chosen"
    """A tile for this train is looked for."""


@dataclass(frozen=True, slots=True)
class TrainView:
    """One train as a screen shows it."""

    key: TrainKey
    name: str
    """`Anna’s train`, for sentences and screen readers."""
    title: str
    """The owner's name, or the Mexican Train."""
    tiles: tuple[PlacedTile, ...]
    tail: int | None
    """Pips at the open end; None: the engine does not lie yet."""
    colour: TrainColour | None = None
    """Of its owner; None: the Mexican Train."""
    letters: str = ""
    marker: bool = False
    hand: int | None = None
    """Tiles that its owner holds."""
    acts: bool = False
    """It is its owner's turn."""
    cover: Tile | None = None
    """The open double at its end."""


def shown_tiles(tiles: Sequence[PlacedTile], room: float, long_px: float) -> int:
    """How many tiles from the tail inwards fit into `room` pixels; at least one."""
    count, width = 0, 0.0
    for placed in reversed(tiles):
        width += (long_px / 2 if placed.tile.is_double else long_px) + _BETWEEN
        if width > room and count:
            break
        count += 1
    return count


def train_row(
    env: Env,
    view: TrainView,
    width: float,
    light: Light,
    laying: Tile | None,
    unfolded: bool,
    on_tap: Callable[[], None] | None,
    on_fold: Callable[[], None],
) -> ft.Control:
    """A train in a row `width` wide. Its owner's colour and pattern run below it like rails.

    `laying` is the tile that a tap would lay here; `on_fold` shows the whole train, or folds it again.
    """
    long_px = tile_length(env, width)
    end = TARGET * min(env.scale, 1.6)
    room = width - 2 * _INSIDE - end - 6
    count = shown_tiles(view.tiles, room, long_px)
    folds = count < len(view.tiles)
    if folds and not unfolded:
        count = shown_tiles(view.tiles, room - TARGET - 6, long_px)
    tiles = view.tiles if unfolded else view.tiles[len(view.tiles) - count :]
    inner = width - 2 * _INSIDE - (TARGET + 6 if folds else 0)
    content = ft.Column(
        [
            _caption(env, view),
            ft.Row(
                [*(_laid(env, view, placed, long_px) for placed in tiles), _tail(env, view, light, end)],
                spacing=_BETWEEN,
                run_spacing=4,
                wrap=unfolded,
                vertical_alignment=ft.CrossAxisAlignment.CENTER,
            ),
            _rails(env, view, inner),
        ],
        spacing=4,
        tight=True,
    )
    row: list[ft.Control] = [
        tappable(content, train_words(env, view, light, laying), on_tap, expand=True, key=f"train-{view.key}")
    ]
    if folds:
        row.insert(0, _fold(env, view, len(view.tiles) - count, unfolded, on_fold))
    edge = {Light.FITS: env.colour("primary"), Light.CHOSEN: env.colour("primary")}
    return ft.Container(
        ft.Row(row, spacing=6, vertical_alignment=ft.CrossAxisAlignment.CENTER),
        width=width,
        padding=ft.Padding.symmetric(vertical=5, horizontal=_INSIDE - 2),
        bgcolor=env.colour("primary_container" if light in edge else "surface_container_low"),
        border=ft.Border.all(2, edge.get(light, env.colour("tertiary") if view.acts else ft.Colors.TRANSPARENT)),
        border_radius=14,
        opacity=0.6 if light is Light.DIM else 1,
        key=f"row-{view.key}",
    )


def tile_length(env: Env, width: float) -> float:
    """How long a tile is drawn in a row so wide."""
    return (44 if width < 400 else 52 if width < 520 else 62) * (0.85 + 0.15 * env.scale)


def train_words(env: Env, view: TrainView, light: Light, laying: Tile | None) -> str:
    """All that is to be seen of a train, for who cannot see it."""
    words = [view.name[:1].upper() + view.name[1:]]
    if view.tail is not None:
        words.append(env.say("ui_table_tail", pips=view.tail))
    if view.marker:
        words.append(env.say("ui_table_marker"))
    if view.key is None:
        words.append(env.say("ui_table_open_to_all"))
    if view.cover is not None:
        words.append(env.say("ui_table_to_cover", tile=view.cover))
    if view.hand is not None:
        words.append(env.say("ui_table_in_hand", n=view.hand))
    if view.acts:
        words.append(env.say("ui_table_at_turn"))
    if laying is not None and light is Light.FITS:
        words.append(env.say("ui_table_lay_here", tile=laying))
    return ", ".join(words)


def _caption(env: Env, view: TrainView) -> ft.Control:
    parts: list[ft.Control] = [
        ft.Row(
            [train_sign(env, view, 24), write(env, view.title, Role.LABEL)],
            tight=True,
            spacing=6,
        )
    ]
    if view.acts:
        parts.append(_pill(env, env.say("ui_table_at_turn"), ft.Icons.PLAY_ARROW, "tertiary"))
    if view.marker:
        parts.append(_pill(env, env.say("ui_table_marker"), ft.Icons.TRAIN, "secondary"))
    if view.key is None:
        parts.append(muted(env, env.say("ui_table_open_to_all"), no_wrap=True))
    if view.cover is not None:
        parts.append(_pill(env, env.say("ui_table_to_cover", tile=view.cover), ft.Icons.PRIORITY_HIGH, "error"))
    if view.hand is not None:
        parts.append(muted(env, env.say("ui_table_in_hand", n=view.hand), no_wrap=True))
    return ft.Row(parts, wrap=True, spacing=8, run_spacing=2, vertical_alignment=ft.CrossAxisAlignment.CENTER)


def train_sign(env: Env, view: TrainView, side: float) -> ft.Control:
    """The owner's badge, or a train for everybody's."""
    if view.colour is not None:
        return badge(env, view.letters, view.colour, side)
    side *= min(env.scale, 1.5)
    return ft.Container(
        ft.Icon(ft.Icons.GROUPS, size=side * 0.72, color=env.colour("on_surface")),
        width=side,
        height=side,
        alignment=ft.Alignment.CENTER,
        border=ft.Border.all(1.5, env.colour("on_surface")),
        border_radius=side * 0.3,
    )


def _pill(env: Env, words: str, icon: ft.IconData, role: str) -> ft.Control:
    ink = env.colour(f"on_{role}_container")
    return ft.Container(
        ft.Row(
            [
                ft.Icon(icon, size=15 * min(env.scale, 1.5), color=ink),
                write(env, words, Role.SMALL, color=ink, no_wrap=True, weight=ft.FontWeight.W_600),
            ],
            tight=True,
            spacing=3,
        ),
        bgcolor=env.colour(f"{role}_container"),
        border_radius=9,
        padding=ft.Padding.symmetric(vertical=2, horizontal=6),
    )


def _laid(env: Env, view: TrainView, placed: PlacedTile, long_px: float) -> ft.Control:
    if placed.tile.is_double:
        face = halves_face(placed.inner, placed.outer, long_px, upright=True)
    else:
        face = halves_face(placed.inner, placed.outer, long_px)
    if view.cover is not None and placed is view.tiles[-1]:
        return ft.Container(
            face, border=ft.Border.all(2, env.colour("error")), border_radius=5, padding=1, key=str(placed.tile)
        )
    return face


def _tail(env: Env, view: TrainView, light: Light, side: float) -> ft.Control:
    """The number that goes on here."""
    if view.tail is None:
        return ft.Container()
    fits = light is Light.FITS
    ink = env.colour("on_primary" if fits else "on_surface")
    row: list[ft.Control] = [write(env, str(view.tail), Role.NUMBER, color=ink, no_wrap=True)]
    if fits:
        row.insert(0, ft.Icon(ft.Icons.ADD, size=16 * min(env.scale, 1.4), color=ink))
    return ft.Container(
        ft.Row(row, tight=True, spacing=0, alignment=ft.MainAxisAlignment.CENTER),
        width=side,
        height=max(34, 1.4 * size(env, Role.NUMBER)),
        margin=ft.Margin.only(left=4),
        alignment=ft.Alignment.CENTER,
        bgcolor=env.colour("primary" if fits else "surface_container_lowest"),
        border=ft.Border.all(1.5, env.colour("primary" if fits else "outline")),
        border_radius=10,
    )


def _rails(env: Env, view: TrainView, width: float) -> ft.Control:
    """A line in the owner's colour and pattern; the Mexican Train has a double one."""
    if view.colour is None:
        paint = ft.Paint(color=env.colour("on_surface_variant"), stroke_width=1.5)
        lines: list[cv.Shape] = [cv.Line(0, 1, width, 1, paint=paint), cv.Line(0, 5, width, 5, paint=paint)]
    else:
        lines = [
            cv.Line(
                0, 3, width, 3,
                paint=ft.Paint(
                    color=readable(env, view.colour.ground),
                    stroke_width=4,
                    stroke_dash_pattern=[float(dash) for dash in view.colour.dashes] or None,
                ),
            )
        ]  # fmt: skip
    return cv.Canvas(shapes=lines, width=width, height=6)


def _fold(env: Env, view: TrainView, hidden: int, unfolded: bool, on_fold: Callable[[], None]) -> ft.Control:
    key = "ui_table_fold" if unfolded else "ui_table_unfold"
    return tappable(
        ft.Column(
            [
                ft.Icon(
                    ft.Icons.UNFOLD_LESS if unfolded else ft.Icons.UNFOLD_MORE,
                    size=20 * min(env.scale, 1.4),
                    color=env.colour("primary"),
                ),
                *([] if unfolded else [write(env, f"+{hidden}", Role.SMALL, color=env.colour("primary"))]),
            ],
            tight=True,
            spacing=0,
            horizontal_alignment=ft.CrossAxisAlignment.CENTER,
        ),
        env.say(key, n=hidden, train=view.name),
        on_fold,
        key=f"fold-{view.key}",
        width=TARGET,
        height=max(TARGET, 40 * env.scale),
        alignment=ft.Alignment.CENTER,
        border=ft.Border.all(1, env.colour("outline_variant")),
        border_radius=10,
    )


def engine_face(env: Env, engine: Tile | None) -> ft.Control:
    """The engine in its station."""
    long_px = tile_length(env, 0 if env.phone else 400)
    inside: ft.Control = muted(env, "?", Role.NUMBER) if engine is None else tile_face(engine, long_px)
    return ft.Container(
        inside,
        padding=5,
        bgcolor=env.colour("surface_container_high"),
        border=ft.Border.all(1.5, env.colour("outline")),
        border_radius=12,
    )
