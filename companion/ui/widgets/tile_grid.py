"""The whole set to tap on, and the halves of one tile to choose."""

from collections.abc import Callable
from functools import partial

import flet as ft

from companion.rules.tiles import Tile, TileSet
from companion.ui.env import Env
from companion.ui.theme import TARGET, Role
from companion.ui.widgets.basics import choices, muted, tappable, write
from companion.ui.widgets.tile import halves_face, tile_face


def tile_grid(
    env: Env,
    tile_set: TileSet,
    chosen: frozenset[Tile],
    taken: dict[Tile, str],
    only: int | None,
    on_tile: Callable[[Tile], None],
    on_only: Callable[[int | None], None],
) -> ft.Control:
    """All tiles of a set; `taken` says who holds a tile that cannot be here, `only` shows those with one number."""
    numbers = [(None, env.say("ui_all_tiles")), *((n, str(n)) for n in range(tile_set.max_pip + 1))]
    groups: list[ft.Control] = []
    if only is None:
        rows = [[Tile(low, high) for low in range(high + 1)] for high in range(tile_set.max_pip, -1, -1)]
    else:
        rows = [[Tile(only, other) for other in range(tile_set.max_pip, -1, -1)]]
    for row in rows:
        groups.append(
            ft.Row(
                [_cell(env, tile, tile in chosen, taken.get(tile), on_tile) for tile in row],
                wrap=True,
                spacing=6,
                run_spacing=6,
            )
        )
    return ft.Column(
        [
            muted(env, env.say("ui_grid_hint")),
            _numbers(env, numbers, only, on_only),
            ft.Column(groups, spacing=14),
        ],
        spacing=12,
    )


def _numbers(
    env: Env, numbers: list[tuple[int | None, str]], only: int | None, on_only: Callable[[int | None], None]
) -> ft.Control:
    side = TARGET * min(env.scale, 1.25)
    return ft.Row(
        [
            tappable(
                write(
                    env,
                    label,
                    Role.LABEL,
                    no_wrap=True,
                    color=env.colour("on_primary_container" if number == only else "on_surface"),
                ),
                label if number is None else env.say("ui_only_number", number=label),
                partial(on_only, number),
                selected=number == only,
                width=side if number is not None else None,
                height=side,
                alignment=ft.Alignment.CENTER,
                padding=ft.Padding.symmetric(horizontal=14) if number is None else 0,
                bgcolor=env.colour("primary_container" if number == only else "surface_container"),
                border=ft.Border.all(1, env.colour("primary" if number == only else "outline_variant")),
                border_radius=12,
            )
            for number, label in numbers
        ],
        scroll=ft.ScrollMode.HIDDEN,
        spacing=6,
    )


def _cell(env: Env, tile: Tile, chosen: bool, holder: str | None, on_tile: Callable[[Tile], None]) -> ft.Control:
    label = str(tile)
    if holder is not None:
        label = env.say("ui_tile_taken", tile=tile, who=holder)
    long_px = 58 * (0.75 + 0.25 * env.scale)
    caption: list[ft.Control] = [
        write(
            env, str(tile), Role.SMALL, no_wrap=True,
            color=env.colour("on_primary_container" if chosen else "on_surface_variant"),
            weight=ft.FontWeight.W_700 if chosen else ft.FontWeight.W_400,
        )
    ]  # fmt: skip
    if chosen:
        caption.insert(0, ft.Icon(ft.Icons.CHECK, size=14 * env.scale, color=env.colour("on_primary_container")))
    elif holder is not None:
        caption.insert(0, ft.Icon(ft.Icons.BLOCK, size=13 * env.scale, color=env.colour("on_surface_variant")))
    return tappable(
        ft.Column(
            [tile_face(tile, long_px, dim=holder is not None), ft.Row(caption, spacing=1, tight=True)],
            spacing=2,
            tight=True,
            horizontal_alignment=ft.CrossAxisAlignment.CENTER,
        ),
        label,
        lambda: on_tile(tile),
        selected=chosen,
        key=str(tile),
        padding=5,
        border_radius=10,
        bgcolor=env.colour("primary_container") if chosen else env.colour("surface_container_low"),
        border=ft.Border.all(2, env.colour("primary") if chosen else ft.Colors.TRANSPARENT),
    )


def halves_picker(
    env: Env,
    max_pip: int,
    first: int | None,
    second: int | None,
    on_first: Callable[[int], None],
    on_second: Callable[[int], None],
) -> ft.Control:
    """Both halves of a tile to choose, with the tile as it is."""
    numbers = [(n, str(n)) for n in range(max_pip + 1)]
    return ft.Column(
        [
            ft.Container(halves_face(first, second, 150), alignment=ft.Alignment.CENTER),
            write(env, env.say("ui_first_half"), Role.LABEL),
            choices(env, numbers, first, on_first, env.say("ui_first_half")),
            write(env, env.say("ui_second_half"), Role.LABEL),
            choices(env, numbers, second, on_second, env.say("ui_second_half")),
        ],
        spacing=10,
        tight=True,
    )
