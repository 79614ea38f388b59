"""Text, buttons, fields and cards: named for screen readers, large enough for a thumb, scaled with the text."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import flet as ft

from companion.ui.env import Env
from companion.ui.theme import GAP, MOST_SCALES, PAGE_WIDTH, SIZES, TARGET, Role

Click = Callable[[], Any]

HOVER_MS = 800
"""How long a pointer rests before it is told what a button does: long enough that a plain click opens no hint."""


def size(env: Env, role: Role) -> float:
    """The size of a text in logical pixels."""
    return SIZES[role] * min(env.scale, MOST_SCALES.get(role, 2))


def write(env: Env, value: str, role: Role = Role.BODY, **more: Any) -> ft.Text:
    """A text; it wraps unless `no_wrap` is given."""
    more.setdefault("color", env.colour("on_surface"))
    if role in (Role.TITLE, Role.HEADLINE, Role.NUMBER, Role.DISPLAY, Role.LABEL):
        more.setdefault("weight", ft.FontWeight.W_600)
    return ft.Text(value, size=size(env, role), **more)


def muted(env: Env, value: str, role: Role = Role.SMALL, **more: Any) -> ft.Text:
    """A text that explains."""
    return write(env, value, role, color=env.colour("on_surface_variant"), **more)


def heading(env: Env, value: str, level: int = 2) -> ft.Control:
    """A heading, known as one to screen readers."""
    return ft.Semantics(
        header=True,
        heading_level=level,
        content=write(env, value, Role.HEADLINE if level == 1 else Role.TITLE),
    )


_FILLS = {
    "filled": ("primary", "on_primary"),
    "tonal": ("primary_container", "on_primary_container"),
    "danger": ("error_container", "on_error_container"),
    "outlined": (None, "primary"),
    "text": (None, "primary"),
}


def button(
    env: Env,
    label: str,
    on_click: Click | None,
    icon: ft.IconData | None = None,
    kind: str = "tonal",
    disabled: bool = False,
    name: str | None = None,
    expand: bool = False,
    url: str | ft.Url | None = None,
    key: str | None = None,
) -> ft.Control:
    """A button with words, which wrap; `name` is what a screen reader says instead of them.

    It is known by its name (or `key`, where two in a row have the same): a tap that is on its way while the buttons
    around it come and go reaches the one that was tapped, or none.
    """
    ground, ink = _FILLS[kind]
    if disabled:
        ground, ink = ("surface_container_high" if ground else None), "on_surface_variant"
    words = write(env, label, Role.LABEL, color=env.colour(ink), text_align=ft.TextAlign.CENTER)
    if name:
        words.semantics_label = name
    row: list[ft.Control] = [ft.Container(words, expand=True, expand_loose=True)]
    if icon is not None:
        row.insert(0, ft.Icon(icon, size=20 * min(env.scale, 1.5), color=env.colour(ink)))
    made: Any = {"outlined": ft.OutlinedButton, "text": ft.TextButton}.get(kind, ft.FilledButton)
    control: ft.Control = made(
        content=ft.Row(row, tight=True, spacing=8, alignment=ft.MainAxisAlignment.CENTER),
        style=ft.ButtonStyle(
            bgcolor=env.colour(ground) if ground else ft.Colors.TRANSPARENT,
            color=env.colour(ink),
            elevation=0,
            side=ft.BorderSide(1, env.colour("outline")) if kind == "outlined" else None,
            padding=ft.Padding.symmetric(vertical=14, horizontal=18 if kind != "text" else 10),
            shape=ft.RoundedRectangleBorder(radius=14),
        ),
        on_click=None if on_click is None else (lambda _: on_click()),
        disabled=disabled,
        url=url,
        expand=expand or None,
        key=key or name or label,
    )
    return control


def icon_button(
    env: Env,
    icon: ft.IconData,
    label: str,
    on_click: Click | None,
    disabled: bool = False,
    role: str = "on_surface",
    url: ft.Url | None = None,
) -> ft.Control:
    """A button that is only a picture; its name is for screen readers and for who waits over it."""
    colour = env.colour("on_surface_variant" if disabled else role)
    return ft.IconButton(
        icon=ft.Icon(icon, semantics_label=label, color=colour, size=24 * min(env.scale, 1.5)),
        tooltip=ft.Tooltip(label, wait_duration=HOVER_MS, exclude_from_semantics=True),
        on_click=None if on_click is None else (lambda _: on_click()),
        url=url,
        disabled=disabled,
        width=TARGET * min(env.scale, 1.25),
        height=TARGET * min(env.scale, 1.25),
        opacity=0.5 if disabled else 1,
        key=label,
    )


def tappable(
    content: ft.Control,
    label: str,
    on_click: Click | None,
    selected: bool | None = None,
    disabled: bool = False,
    **more: Any,
) -> ft.Container:
    """Anything that is tapped as a whole; `label` is all that a screen reader says of it.

    It is known by its label, or by `key` where what it says of itself changes; see `button`.
    """
    more.setdefault("key", label)
    return ft.Container(
        ft.Semantics(
            label=label,
            button=on_click is not None or None,
            selected=selected,
            exclude_semantics=True,
            content=content,
        ),
        on_click=None if on_click is None or disabled else (lambda _: on_click()),
        ink=False,
        **more,
    )


def line_up(
    env: Env, start: Sequence[ft.Control], words: ft.Control, end: ft.Control, spacing: float = 10
) -> ft.Control:
    """Words between what stands before and after them; large text has what comes after on a line of its own."""
    words.expand = True
    if not env.narrow:
        return ft.Row([*start, words, end], spacing=spacing)
    return ft.Column(
        [ft.Row([*start, words], spacing=spacing), ft.Row([end], alignment=ft.MainAxisAlignment.END)],
        spacing=2,
        tight=True,
    )


def card(env: Env, *controls: ft.Control, role: str = "surface_container_low", **more: Any) -> ft.Container:
    """Things that belong together."""
    more.setdefault("padding", 16)
    return ft.Container(
        ft.Column(list(controls), spacing=GAP, horizontal_alignment=ft.CrossAxisAlignment.STRETCH),
        bgcolor=env.colour(role),
        border_radius=18,
        **more,
    )


def field(
    env: Env,
    label: str,
    value: str,
    on_change: Callable[[str], Any],
    on_submit: Click | None = None,
    number: bool = False,
    **more: Any,
) -> ft.TextField:
    """A line to write in."""
    if number:
        more.setdefault("keyboard_type", ft.KeyboardType.NUMBER)
    return ft.TextField(
        label=label,
        value=value,
        text_size=size(env, Role.BODY),
        label_style=ft.TextStyle(size=size(env, Role.BODY), color=env.colour("on_surface_variant")),
        border=ft.OutlineInputBorder(side=ft.BorderSide(1, env.colour("outline")), border_radius=12),
        on_change=lambda e: on_change(e.control.value or ""),
        on_submit=None if on_submit is None else (lambda _: on_submit()),
        **more,
    )


def choices(
    env: Env,
    options: Sequence[tuple[Any, str]],
    value: Any,
    on_select: Callable[[Any], Any],
    group: str,
    disabled: bool = False,
) -> ft.Control:
    """One of a few: buttons that wrap, the chosen one filled and ticked; `group` names the question."""
    return ft.Row(
        [_choice(env, label, one == value, partial(on_select, one), group, disabled) for one, label in options],
        wrap=True,
        spacing=8,
        run_spacing=8,
    )


def _choice(env: Env, label: str, chosen: bool, on_click: Click, group: str, disabled: bool) -> ft.Control:
    ink = env.colour("on_primary_container" if chosen else "on_surface")
    row: list[ft.Control] = [write(env, label, Role.LABEL, color=ink)]
    if chosen:
        row.insert(0, ft.Icon(ft.Icons.CHECK, size=18 * min(env.scale, 1.5), color=ink))
    return tappable(
        ft.Container(
            ft.Row(row, tight=True, spacing=6, wrap=False)
            if len(label) * env.scale < 24
            else ft.Row(row, tight=True, wrap=True),
            padding=ft.Padding.symmetric(vertical=12, horizontal=16),
            bgcolor=env.colour("primary_container") if chosen else env.colour("surface_container_lowest"),
            border=ft.Border.all(1, env.colour("primary" if chosen else "outline")),
            border_radius=14,
        ),
        f"{group}: {label}",
        on_click,
        selected=chosen,
        disabled=disabled,
    )


def switch(env: Env, label: str, value: bool, on_change: Callable[[bool], Any], explained: str = "") -> ft.Control:
    """On or off, with its words; the words can be tapped too."""
    words: list[ft.Control] = [write(env, label)]
    if explained:
        words.append(muted(env, explained))
    return ft.Row(
        [
            ft.Column(words, spacing=2, expand=True),
            ft.Semantics(
                label=label,
                container=True,
                content=ft.Switch(value=value, on_change=lambda e: on_change(bool(e.control.value))),
            ),
        ],
        spacing=GAP,
    )


def notice(env: Env, message: str, kind: str = "info", *actions: ft.Control, key: str | None = None) -> ft.Control:
    """Something the user must know, read out at once. It comes and goes without disturbing its neighbours.

    `key`: where two in a row may say the same.
    """
    ground, ink, icon = {
        "info": ("primary_container", "on_primary_container", ft.Icons.INFO_OUTLINE),
        "doubt": ("tertiary_container", "on_tertiary_container", ft.Icons.HELP_OUTLINE),
        "error": ("error_container", "on_error_container", ft.Icons.ERROR_OUTLINE),
    }[kind]
    return ft.Container(
        ft.Column(
            [
                ft.Row(
                    [
                        ft.Icon(icon, color=env.colour(ink), size=22 * min(env.scale, 1.5)),
                        ft.Semantics(live_region=True, content=write(env, message, color=env.colour(ink)), expand=True),
                    ],
                    vertical_alignment=ft.CrossAxisAlignment.START,
                ),
                *([ft.Row(list(actions), wrap=True, alignment=ft.MainAxisAlignment.END)] if actions else []),
            ],
            spacing=8,
        ),
        bgcolor=env.colour(ground),
        border_radius=14,
        padding=14,
        key=key or message,
    )


def screen(
    env: Env,
    route: str,
    title: str,
    *controls: ft.Control,
    back: str | None = None,
    actions: Sequence[ft.Control] = (),
    bottom: ft.Control | None = None,
    subtitle: str = "",
    full: bool = False,
    wide: bool = False,
) -> ft.View:
    """A whole screen: its title, what can be done, the content, and what stays at the bottom.

    `full` gives the content all the room (it scrolls by itself), `wide` the whole width.
    """
    title_column: list[ft.Control] = [heading(env, title, 1)]
    if subtitle:
        title_column.append(muted(env, subtitle))
    head: list[ft.Control] = [ft.Column(title_column, spacing=0, expand=True)]
    if back is not None:
        head.insert(0, icon_button(env, ft.Icons.ARROW_BACK, env.say("ui_back"), lambda: env.go(back)))
    buttons = ft.Row(list(actions), spacing=0, tight=True)
    if actions and env.width < 480 * env.scale:
        top: ft.Control = (
            ft.Column([ft.Row(head), ft.Row([buttons], alignment=ft.MainAxisAlignment.END)], spacing=0)
            if env.scale > 1.3
            else ft.Row([*head, buttons])
        )
    else:
        top = ft.Row([*head, buttons])
    body: ft.Control
    if full:
        body = ft.Column(list(controls), expand=True, spacing=0, horizontal_alignment=ft.CrossAxisAlignment.STRETCH)
    else:
        body = ft.Column(
            [
                ft.Row(
                    [
                        ft.Container(
                            ft.Column(list(controls), spacing=16, horizontal_alignment=ft.CrossAxisAlignment.STRETCH),
                            width=None if env.width < PAGE_WIDTH + 32 or wide else PAGE_WIDTH,
                            expand=env.width < PAGE_WIDTH + 32 or wide,
                            padding=ft.Padding(16, 4, 16, 24),
                        )
                    ],
                    alignment=ft.MainAxisAlignment.CENTER,
                )
            ],
            scroll=ft.ScrollMode.AUTO,
            expand=True,
        )
    parts: list[ft.Control] = [ft.Container(top, padding=ft.Padding(8 if back is not None else 16, 8, 8, 8)), body]
    if bottom is not None:
        parts.append(bottom)
    return ft.View(
        route=route,
        padding=0,
        spacing=0,
        bgcolor=env.colour("surface"),
        controls=[
            ft.SafeArea(
                ft.Column(parts, expand=True, spacing=0, horizontal_alignment=ft.CrossAxisAlignment.STRETCH),
                expand=True,
            )
        ],
    )
