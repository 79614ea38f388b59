"""Players: the badge and the colour of their trains."""

import flet as ft

from companion.ui.env import Env
from companion.ui.theme import TRAIN_COLOURS, TrainColour


def badge(env: Env, letters: str, colour: TrainColour, side: float = 32) -> ft.Control:
    """The sign of a player's train: its colour, its letter, and a wagon's outline. It has no name of its own."""
    side = side * min(env.scale, 1.5)
    return ft.Container(
        ft.Text(letters, size=side * (0.5 if len(letters) < 2 else 0.42), weight=ft.FontWeight.W_700, color=colour.ink,
                no_wrap=True),
        width=side,
        height=side,
        alignment=ft.Alignment.CENTER,
        bgcolor=colour.ground,
        border=ft.Border.all(1.5, env.colour("on_surface")),
        border_radius=ft.BorderRadius.only(
            top_left=side * 0.45, top_right=side * 0.18, bottom_left=side * 0.18, bottom_right=side * 0.18
        ),
    )  # fmt: skip


def seat_colour(colours: tuple[str, ...], seat: int) -> TrainColour:
    """The colour of a seat: as chosen, else the next of the list."""
    chosen = next((one for one in TRAIN_COLOURS if seat < len(colours) and one.key == colours[seat]), None)
    return chosen or TRAIN_COLOURS[seat % len(TRAIN_COLOURS)]
