"""The score sheet as a grid: the rounds stay in sight when the players scroll sideways."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import flet as ft

from companion.rules.state import Game
from companion.rules.tiles import Tile
from companion.ui.env import Env
from companion.ui.hooks import Kept
from companion.ui.model import Cell, Line, Place, badge_letters, places, sheet_lines
from companion.ui.theme import TARGET, Role
from companion.ui.widgets.basics import muted, size, tappable, write
from companion.ui.widgets.people import badge, seat_colour
from companion.ui.widgets.tile import tile_face

WIDE = 0.62
"""How wide a letter is at most, on average, of its height."""

TapCell = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class _Sizes:
    row: float
    head: float
    first: float
    column: float


def sheet_grid(env: Env, game: Game, colours: tuple[str, ...], on_cell: TapCell, room: float, kept: Kept) -> ft.Control:
    """The whole sheet in `room` logical pixels of width; it grows as high as it must.

    Most of it is as it was when one score changes, and eight phones draw it at the same moment: what stays is `kept`.
    """
    shown = [player.seat for player in game.players]
    sizes = _sizes(env, [player.name for player in game.players], room)
    ranking = {place.seat: place for place in places(game)}
    letters = badge_letters([player.name for player in game.players])
    lines = [line for line in sheet_lines(game) if line.cells]
    coming = [line for line in sheet_lines(game) if not line.cells]
    opening = any(player.opening_points for player in game.players)
    frozen = [_corner(env, sizes)]
    frozen += [_opening_label(env, sizes)] if opening else []
    look = (env.look, env.dark, sizes)

    def keep(make: Callable[..., ft.Control], *about: Any, place: Hashable) -> ft.Control:
        return kept.get((make.__name__, place, look, *about), lambda: make(env, *about, sizes))

    def cell(line: Line, seat: int) -> ft.Control:
        one, name = line.cells[seat], game.players[seat].name
        return kept.get(
            ("cell", look, one, name, line.current), lambda: _cell(env, name, one, line.current, on_cell, sizes)
        )

    frozen += [
        keep(_round_label, line.number, line.engine, line.current, bool(line.cells), place=0)
        for line in (*lines, *coming)
    ]
    columns: list[ft.Control] = []
    for seat in shown:
        column = [_name(env, game, seat, letters[seat], colours, ranking[seat], sizes)]
        if opening:
            column.append(_plain(env, str(game.players[seat].opening_points or ""), sizes))
        column += [cell(line, seat) for line in lines]
        column += [keep(_plain, "", place=(seat, line.number)) for line in coming]
        columns.append(ft.Column(column, spacing=0, width=sizes.column))
    return ft.Row(
        [
            ft.Column(frozen, spacing=0, width=sizes.first),
            ft.Row(
                columns,
                spacing=0,
                scroll=ft.ScrollMode.AUTO,
                expand=True,
                vertical_alignment=ft.CrossAxisAlignment.START,
            ),
        ],
        spacing=0,
        vertical_alignment=ft.CrossAxisAlignment.START,
    )


def _sizes(env: Env, names: Sequence[str], room: float) -> _Sizes:
    first = 84 + 34 * (env.scale - 1)
    least = 64 + 46 * (env.scale - 1)
    widest = 220 * env.scale
    column = min(max(least, (room - first) / max(len(names), 1)), widest)
    name = size(env, Role.SMALL)
    lines = 2 if any(len(one) * name * WIDE > column - 4 for one in names) else 1
    return _Sizes(
        row=max(TARGET, 48 * (0.6 + 0.4 * env.scale)),
        head=44 * min(env.scale, 1.5) + (lines + 1) * 1.35 * name + 1.35 * size(env, Role.NUMBER) + 14,
        first=first,
        column=column,
    )


def _corner(env: Env, sizes: _Sizes) -> ft.Control:
    return ft.Container(
        muted(env, env.say("ui_round_head")),
        height=sizes.head,
        padding=ft.Padding(12, 0, 4, 10),
        alignment=ft.Alignment.BOTTOM_LEFT,
        border=_below(env, 2),
    )


def _opening_label(env: Env, sizes: _Sizes) -> ft.Control:
    return ft.Container(
        muted(env, env.say("sheet_opening"), no_wrap=True),
        height=sizes.row,
        padding=ft.Padding(12, 0, 4, 0),
        alignment=ft.Alignment.CENTER_LEFT,
        border=_below(env),
    )


def _round_label(env: Env, number: int, engine: Tile | None, current: bool, begun: bool, sizes: _Sizes) -> ft.Control:
    label = env.say("ui_round", number=number)
    if engine is not None:
        label += f", {engine}"
    if current:
        label += f", {env.say('ui_now')}"
    shown = write(
        env,
        str(number),
        Role.BODY,
        weight=ft.FontWeight.W_700 if current else ft.FontWeight.W_400,
        color=env.colour("on_surface" if begun else "on_surface_variant"),
        no_wrap=True,
    )
    row: list[ft.Control] = [ft.Container(shown, width=22 + 14 * (env.scale - 1), alignment=ft.Alignment.CENTER_RIGHT)]
    if engine is not None:
        row.append(tile_face(engine, 40, dim=not begun))
    else:
        row.append(ft.Container(muted(env, "–"), width=40, alignment=ft.Alignment.CENTER))
    return ft.Container(
        ft.Semantics(label=label, exclude_semantics=True, content=ft.Row(row, spacing=8, tight=True)),
        height=sizes.row,
        padding=ft.Padding(4, 0, 4, 0),
        alignment=ft.Alignment.CENTER_LEFT,
        bgcolor=env.colour("tertiary_container") if current else None,
        border=ft.Border(
            bottom=ft.BorderSide(1, env.colour("outline_variant")),
            left=ft.BorderSide(4, env.colour("tertiary") if current else ft.Colors.TRANSPARENT),
        ),
    )


def _name(
    env: Env, game: Game, seat: int, letters: str, colours: Sequence[str], place: Place, sizes: _Sizes
) -> ft.Control:
    player = game.players[seat]
    ink = env.colour("on_surface" if player.left is None else "on_surface_variant")
    words = env.say("ui_total_of", name=player.name, points=place.total)
    if place.rank is not None:
        words += f", {env.say('ui_rank', rank=place.rank)}"
    if place.leads:
        words += f", {env.say('ui_leads')}"
    if place.missing:
        words += f", {env.say('ui_scores_missing', n=place.missing)}"
    rank = env.say("ui_rank_short", rank=place.rank) if place.rank is not None else ""
    side = 30 * min(env.scale, 1.5)
    top: list[ft.Control] = [badge(env, letters, seat_colour(tuple(colours), seat), 30)]
    if place.leads:
        top.append(ft.Icon(ft.Icons.EMOJI_EVENTS, size=side * 0.7, color=env.colour("tertiary")))
    return ft.Container(
        ft.Semantics(
            label=words,
            exclude_semantics=True,
            content=ft.Column(
                [
                    ft.Row(top, spacing=2, tight=True, alignment=ft.MainAxisAlignment.CENTER),
                    write(
                        env,
                        player.name,
                        Role.SMALL,
                        color=ink,
                        max_lines=2,
                        overflow=ft.TextOverflow.ELLIPSIS,
                        text_align=ft.TextAlign.CENTER,
                        weight=ft.FontWeight.W_600,
                    ),
                    write(env, str(place.total), Role.NUMBER, no_wrap=True, color=ink),
                    muted(env, rank, no_wrap=True),
                ],
                spacing=0,
                horizontal_alignment=ft.CrossAxisAlignment.CENTER,
                alignment=ft.MainAxisAlignment.END,
            ),
        ),
        height=sizes.head,
        width=sizes.column,
        padding=ft.Padding(2, 4, 2, 4),
        alignment=ft.Alignment.BOTTOM_CENTER,
        bgcolor=env.colour("primary_container") if place.leads else None,
        border=_below(env, 2),
    )


def _plain(env: Env, value: str, sizes: _Sizes) -> ft.Control:
    return ft.Container(
        muted(env, value), height=sizes.row, width=sizes.column, alignment=ft.Alignment.CENTER, border=_below(env)
    )


def _cell(env: Env, name: str, cell: Cell, current: bool, on_cell: TapCell, sizes: _Sizes) -> ft.Control:
    where = env.say("ui_cell_where", name=name, number=cell.number)
    content: ft.Control
    if cell.absent:
        return _plain(env, "", sizes)
    if cell.missing:
        label = f"{where}: {env.say('ui_cell_missing')}"
        content = ft.Icon(ft.Icons.ADD, size=20 * min(env.scale, 1.5), color=env.colour("secondary"))
        content = ft.Container(
            content,
            width=min(sizes.column - 10, 52),
            height=sizes.row - 12,
            alignment=ft.Alignment.CENTER,
            border=ft.Border.all(1.5, env.colour("secondary")),
            border_radius=10,
        )
    else:
        label = f"{where}: {env.say('ui_points', points=cell.points)}"
        marks: list[ft.Control] = [
            write(
                env,
                str(cell.points),
                Role.BODY,
                weight=ft.FontWeight.W_700 if cell.won else ft.FontWeight.W_400,
                no_wrap=True,
            )
        ]
        if cell.won:
            label += f", {env.say('ui_cell_won')}"
            marks.append(ft.Icon(ft.Icons.STAR, size=13 * min(env.scale, 1.5), color=env.colour("tertiary")))
        if cell.corrected:
            label += f", {env.say('ui_cell_corrected')}"
            marks.append(ft.Icon(ft.Icons.EDIT, size=12 * min(env.scale, 1.5), color=env.colour("on_surface_variant")))
        content = ft.Row(marks, spacing=2, tight=True, alignment=ft.MainAxisAlignment.CENTER)
    return tappable(
        content,
        label,
        lambda: on_cell(cell.number, cell.seat),
        key=f"{cell.number}-{cell.seat}",
        height=sizes.row,
        width=sizes.column,
        alignment=ft.Alignment.CENTER,
        bgcolor=env.colour("surface_container_high") if current else None,
        border=_below(env),
    )


def _below(env: Env, width: float = 1) -> ft.Border:
    return ft.Border(bottom=ft.BorderSide(width, env.colour("outline_variant" if width < 2 else "outline")))
