"""A keypad for totals: quicker than a phone's own, and always in the same place."""

from collections.abc import Callable
from functools import partial

import flet as ft

from companion.ui.env import Env
from companion.ui.theme import Role
from companion.ui.widgets.basics import muted, size, tappable, write

MOST_DIGITS = 4


def pressed(value: str, key: str) -> str:
    """What was typed, after one more key: a digit, `-` or `back`."""
    if key == "back":
        return value[:-1]
    if key == "-":
        return value[1:] if value.startswith("-") else f"-{value}"
    sign, digits = ("-", value[1:]) if value.startswith("-") else ("", value)
    if len(digits) >= MOST_DIGITS:
        return value
    return sign + ("" if digits == "0" else digits) + key


def keypad(env: Env, value: str, on_key: Callable[[str], None], hint: str) -> ft.Control:
    """Digits, a minus sign, and one to take the last away; `value` is what was typed so far."""
    rows = [("1", "2", "3"), ("4", "5", "6"), ("7", "8", "9"), ("-", "0", "back")]
    shown = value.replace("-", "−") or "–"
    return ft.Column(
        [
            ft.Semantics(
                label=f"{hint}: {value or env.say('ui_nothing_yet')}",
                live_region=True,
                exclude_semantics=True,
                content=ft.Container(
                    write(env, shown, Role.DISPLAY, text_align=ft.TextAlign.CENTER, no_wrap=True),
                    alignment=ft.Alignment.CENTER,
                ),
            ),
            *([] if env.narrow else [muted(env, hint, text_align=ft.TextAlign.CENTER)]),  # the keys need the room
            *(ft.Row([_key(env, key, partial(on_key, key)) for key in row], spacing=8) for row in rows),
        ],
        spacing=8,
        width=min(env.width - 32, 380),
        horizontal_alignment=ft.CrossAxisAlignment.STRETCH,
    )


def _key(env: Env, key: str, on_click: Callable[[], None]) -> ft.Control:
    label = {"-": env.say("ui_key_minus"), "back": env.say("ui_key_back")}.get(key, key)
    content: ft.Control
    if key == "back":
        content = ft.Icon(ft.Icons.BACKSPACE_OUTLINED, size=size(env, Role.NUMBER), color=env.colour("on_surface"))
    else:
        content = write(env, "±" if key == "-" else key, Role.HEADLINE, no_wrap=True)
    return tappable(
        ft.Container(content, alignment=ft.Alignment.CENTER),
        label,
        on_click,
        height=max(54, (22 if env.narrow else 34) * env.scale + 16),
        expand=True,
        bgcolor=env.colour("surface_container_high"),
        border_radius=14,
    )
