"""The way between the screens of one game."""

import flet as ft

from companion.ui.env import Env
from companion.ui.theme import SIZES, Role
from companion.ui.widgets.basics import size, tappable

GAME_PLACES: tuple[tuple[str, str, ft.IconData], ...] = (
    ("", "ui_place_sheet", ft.Icons.TABLE_CHART_OUTLINED),
    ("round", "ui_place_round", ft.Icons.CALCULATE_OUTLINED),
    ("table", "ui_place_table", ft.Icons.TRAIN_OUTLINED),
    ("chart", "ui_place_chart", ft.Icons.SHOW_CHART),
    ("people", "ui_place_people", ft.Icons.GROUP_OUTLINED),
)
"""The screens of a game: address, name, picture."""


def game_bar(env: Env, code: str, here: str) -> ft.Control:
    """A bar at the foot of the screen, with words under every picture."""
    longest = max(len(env.say(key)) for _, key, _ in GAME_PLACES)
    room = (env.width - 8) / len(GAME_PLACES)
    letters = min(size(env, Role.SMALL), SIZES[Role.SMALL] * 1.4, room / (0.6 * longest))
    return ft.Container(
        ft.Row(
            [
                _place(env, env.say(key), icon, f"/game/{code}/{path}".rstrip("/"), path == here, letters)
                for path, key, icon in GAME_PLACES
            ],
            spacing=0,
        ),
        bgcolor=env.colour("surface_container"),
        padding=ft.Padding.symmetric(vertical=4, horizontal=4),
    )


def _place(env: Env, label: str, icon: ft.IconData, route: str, here: bool, letters: float) -> ft.Control:
    ink = env.colour("on_primary_container" if here else "on_surface_variant")
    return tappable(
        ft.Column(
            [
                ft.Container(
                    ft.Icon(icon, color=ink, size=24 * min(env.scale, 1.4)),
                    bgcolor=env.colour("primary_container") if here else None,
                    border_radius=16,
                    padding=ft.Padding.symmetric(vertical=3, horizontal=16),
                ),
                ft.Text(
                    label,
                    size=letters,
                    color=ink,
                    text_align=ft.TextAlign.CENTER,
                    weight=ft.FontWeight.W_600 if here else ft.FontWeight.W_400,
                    no_wrap=True,
                    overflow=ft.TextOverflow.ELLIPSIS,
                ),
            ],
            spacing=1,
            tight=True,
            horizontal_alignment=ft.CrossAxisAlignment.CENTER,
        ),
        label,
        None if here else (lambda: env.go(route)),
        selected=here,
        expand=True,
        padding=ft.Padding.symmetric(vertical=4),
    )
