"""Questions that stand over a screen."""

from collections.abc import Callable, Sequence
from typing import Any

import flet as ft

from companion.ui.env import Env
from companion.ui.theme import Role
from companion.ui.widgets.basics import button, heading, write


def dialog(
    env: Env, title: str, content: Sequence[ft.Control], actions: Sequence[ft.Control], on_close: Callable[[], Any]
) -> ft.AlertDialog:
    """A dialog that scrolls when the text is large."""
    return ft.AlertDialog(
        title=heading(env, title),
        content=ft.Container(ft.Column(list(content), spacing=12, tight=True), width=min(env.width, 460)),
        scrollable=True,
        actions=[ft.Row(list(actions), wrap=True, alignment=ft.MainAxisAlignment.END, spacing=8, run_spacing=8)],
        bgcolor=env.colour("surface_container_high" if env.dark else "surface_container_lowest"),  # apart from the page
        inset_padding=ft.Padding.symmetric(vertical=16, horizontal=12),
        on_dismiss=lambda _: on_close(),
    )


def confirm(
    env: Env, title: str, words: str, yes: str, on_yes: Callable[[], Any], on_no: Callable[[], Any]
) -> ft.AlertDialog:
    """A question before something that cannot be taken back."""
    return dialog(
        env,
        title,
        [write(env, words, Role.BODY)],
        [button(env, env.say("ui_cancel"), on_no, kind="text"), button(env, yes, on_yes, kind="danger")],
        on_no,
    )
