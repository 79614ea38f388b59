"""House rules on the screen: each with its question, its values and what they mean at the table."""

from collections.abc import Callable

import flet as ft

from companion.rules.house_rules import OPTIONS, HouseRules, Preset, Value
from companion.text.describe import option_label, option_question, value_label, value_meaning
from companion.ui.env import Env
from companion.ui.form import ASKED_FIRST, Form
from companion.ui.theme import Role
from companion.ui.widgets.basics import choices, line_up, muted, write


def rule_list(env: Env, form: Form, on_choose: Callable[[str, Value], None]) -> ft.Control:
    """Every house rule that the form does not ask elsewhere, to be changed."""
    differing = form.rules.differences(form.preset)
    return ft.Column(
        [_rule(env, form.rules, name, name in differing, on_choose) for name in OPTIONS if name not in ASKED_FIRST],
        spacing=20,
        horizontal_alignment=ft.CrossAxisAlignment.STRETCH,
    )


def _rule(env: Env, rules: HouseRules, name: str, differs: bool, on_choose: Callable[[str, Value], None]) -> ft.Control:
    lang, value = env.look.lang, getattr(rules, name)
    title: ft.Control = write(env, option_question(name, lang), Role.LABEL)
    if differs:
        mark = ft.Container(
            write(env, env.say("ui_differs"), Role.SMALL, color=env.colour("on_tertiary_container")),
            bgcolor=env.colour("tertiary_container"),
            border_radius=8,
            padding=ft.Padding.symmetric(vertical=2, horizontal=8),
        )
        title = line_up(env, (), title, mark)
    return ft.Column(
        [
            title,
            choices(
                env,
                [(choice, value_label(name, choice, lang)) for choice in OPTIONS[name].choices],
                value,
                lambda choice: on_choose(name, choice),
                option_label(name, lang),
            ),
            muted(env, value_meaning(name, value, lang)),
        ],
        spacing=8,
        horizontal_alignment=ft.CrossAxisAlignment.STRETCH,
    )


def rules_in_short(env: Env, rules: HouseRules, preset: Preset) -> ft.Control:
    """What every house rule of a game means, a line each; what differs from the preset is marked."""
    lang, differing = env.look.lang, rules.differences(preset)
    lines: list[ft.Control] = []
    for name in OPTIONS:
        meaning = value_meaning(name, getattr(rules, name), lang)
        mark = env.say("ui_differs") if name in differing else ""
        lines.append(
            ft.Column(
                [
                    muted(env, option_label(name, lang) + (f" · {mark}" if mark else "")),
                    write(env, meaning, weight=ft.FontWeight.W_600 if mark else ft.FontWeight.W_400),
                ],
                spacing=0,
            )
        )
    return ft.Column(lines, spacing=12)
