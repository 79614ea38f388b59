"""A new game: who plays, with which set, by which rules, who starts."""

import contextlib
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from operator import methodcaller
from typing import Any

import flet as ft

from companion.app.people import choose_train_colours, known_people
from companion.errors import CompanionError
from companion.rules.house_rules import Preset
from companion.rules.state import Game
from companion.rules.tiles import SET_SIZES
from companion.text.describe import preset_name, value_label, value_meaning
from companion.ui.env import Env, use_env
from companion.ui.form import Form
from companion.ui.hooks import Live, Typed, use_live, use_typed
from companion.ui.model import badge_letters
from companion.ui.screens.house_rules import rule_list
from companion.ui.theme import TARGET, TRAIN_COLOURS, Role
from companion.ui.widgets.basics import (
    button,
    card,
    choices,
    field,
    heading,
    icon_button,
    line_up,
    muted,
    notice,
    screen,
    tappable,
    write,
)
from companion.ui.widgets.dialogs import dialog
from companion.ui.widgets.people import badge, seat_colour
from companion.ui.widgets.place import explain

Change = Callable[[Callable[[Form], Form]], None]


@ft.component
def NewGame() -> Any:
    """The form of a new game."""
    env = use_env()
    live: Live[Form] = use_live(Form())
    name, error, every = use_typed(), use_live(""), use_live(False)
    painting: Live[int | None] = use_live(None)
    begun = use_live(False)
    form = live.value
    line: Any = ft.use_memo(ft.Ref, [])  # the field is made anew with every drawing; this is the latest

    def change(make: Callable[[Form], Form]) -> None:
        error.set("")
        try:
            live.change(make)
        except CompanionError as caught:
            error.set(explain(env, caught))

    def add() -> None:
        typed = name.now()
        name.clear()
        change(lambda form: form.add(typed))
        env.page.run_task(write_on)

    async def write_on() -> None:
        """The next name can be typed at once."""
        with contextlib.suppress(RuntimeError, TimeoutError):
            await line.current.focus()

    def start() -> None:
        if begun.now():
            return  # a second tap
        ready = live.now().add(name.now())
        try:
            place = env.hub.create(ready.events(), env.visitor)
        except CompanionError as caught:
            error.set(explain(env, caught, Game()))
            return
        begun.note(True)
        choose_train_colours(env.hub, place.code, ready.colours)
        env.go(f"/game/{place.code}")

    ft.use_dialog(
        _paints(env, form, painting.value, change, lambda: painting.set(None)) if painting.value is not None else None
    )
    controls = [
        _players(env, form, change, name, add, painting.set, line),
        _tile_set(env, form, change),
        _preset(env, form, change),
        _agreed(env, form, change),
        _starter(env, form, change) if form.asks_starter and form.names else None,
        _every_rule(env, form, change, every.value, every.set),
    ]
    foot: list[ft.Control] = [notice(env, error.value, "error")] if error.value else []
    foot.append(button(env, env.say("ui_start_game"), start, ft.Icons.PLAY_ARROW, "filled", expand=False))
    return screen(
        env,
        "/new",
        env.say("ui_new_game"),
        *[one for one in controls if one is not None],
        back="/",
        bottom=ft.Container(
            ft.Column(foot, spacing=10, horizontal_alignment=ft.CrossAxisAlignment.STRETCH),
            padding=ft.Padding.symmetric(vertical=10, horizontal=16),
            bgcolor=env.colour("surface_container"),
        ),
    )


def _players(
    env: Env,
    form: Form,
    change: Change,
    name: Typed,
    add: Callable[[], None],
    set_painting: Callable[[int], None],
    line: ft.Ref[ft.TextField],
) -> ft.Control:
    letters = badge_letters(form.names)
    rows: list[ft.Control] = []
    for seat, player in enumerate(form.names):
        colour = seat_colour(form.colours, seat)
        rows.append(
            line_up(
                env,
                [
                    tappable(
                        badge(env, letters[seat], colour, 36),
                        env.say("ui_train_of", name=player, colour=env.say(f"train_colour_{colour.key}")),
                        partial(set_painting, seat),
                        width=TARGET * min(env.scale, 1.25),
                        height=TARGET * min(env.scale, 1.25),
                        alignment=ft.Alignment.CENTER,
                    )
                ],
                write(env, player),
                ft.Row(
                    [
                        icon_button(
                            env, ft.Icons.ARROW_UPWARD, env.say("ui_move_up", name=player),
                            partial(change, methodcaller("up", player)), role="on_surface_variant",
                        ),
                        icon_button(
                            env, ft.Icons.CLOSE, env.say("ui_remove", name=player),
                            partial(change, methodcaller("remove", player)), role="on_surface_variant",
                        ),
                    ],
                    spacing=4,
                    tight=True,
                ),
                spacing=4,
            )
        )  # fmt: skip
    known = {other.casefold() for other in form.names}
    fresh = [person for person in known_people(env.hub, env.visitor) if person.name.casefold() not in known]
    people: list[ft.Control] = []
    if fresh:
        people.append(muted(env, env.say("ui_last_evening")))
        people.append(
            ft.Row(
                [
                    button(
                        env,
                        person.name,
                        partial(change, methodcaller("add", person.name, person.colour)),
                        ft.Icons.PERSON_ADD_ALT,
                        "tonal",
                        name=env.say("ui_add_person", name=person.name),
                    )
                    for person in fresh
                ],
                wrap=True,
                spacing=8,
                run_spacing=8,
            )
        )
    return card(
        env,
        heading(env, env.say("ui_players")),
        muted(env, env.say("ui_players_hint")),
        ft.Column(rows, spacing=4, key="names", visible=bool(rows)),
        ft.Row(
            [
                field(
                    env,
                    env.say("ui_player_name"),
                    name.now(),
                    name.note,
                    add,
                    ref=line,
                    expand=True,
                    capitalization=ft.TextCapitalization.WORDS,
                    max_length=24,
                    counter="",
                ),
                icon_button(env, ft.Icons.PERSON_ADD, env.say("ui_add_player"), add, role="primary"),
            ],
            vertical_alignment=ft.CrossAxisAlignment.START,
        ),
        *people,
    )


def _tile_set(env: Env, form: Form, change: Change) -> ft.Control:
    return card(
        env,
        heading(env, env.say("rule_max_pip_question")),
        choices(
            env,
            [(size, value_label("max_pip", size, env.look.lang)) for size in SET_SIZES],
            form.rules.max_pip,
            lambda size: change(lambda form: form.set("max_pip", size)),
            env.say("rule_max_pip"),
        ),
        muted(env, value_meaning("max_pip", form.rules.max_pip, env.look.lang)),
    )


def _preset(env: Env, form: Form, change: Change) -> ft.Control:
    return card(
        env,
        heading(env, env.say("ui_preset")),
        ft.Column(
            [
                _preset_row(env, preset, form.preset is preset, partial(change, methodcaller("choose", preset)))
                for preset in Preset
            ],
            spacing=6,
            horizontal_alignment=ft.CrossAxisAlignment.STRETCH,
        ),
    )


def _preset_row(env: Env, preset: Preset, chosen: bool, on_click: Callable[[], None]) -> ft.Control:
    name, _, more = preset_name(preset, env.look.lang).partition(":")
    icon = ft.Icons.RADIO_BUTTON_CHECKED if chosen else ft.Icons.RADIO_BUTTON_UNCHECKED
    more = more.strip()
    return tappable(
        ft.Row(
            [
                ft.Icon(icon, color=env.colour("primary" if chosen else "on_surface_variant"), size=22),
                ft.Column(
                    [write(env, name.strip(), Role.LABEL), muted(env, more[:1].upper() + more[1:])],
                    spacing=0,
                    expand=True,
                ),
            ],
            spacing=12,
        ),
        preset_name(preset, env.look.lang),
        on_click,
        selected=chosen,
        padding=ft.Padding.symmetric(vertical=8, horizontal=10),
        bgcolor=env.colour("primary_container") if chosen else None,
        border_radius=12,
    )


def _agreed(env: Env, form: Form, change: Change) -> ft.Control:
    """What every table is asked before round one."""
    hand, rules, lang = form.hand, form.rules, env.look.lang
    blank = [(value, value_label("double_blank_points", value, lang)) for value in (0, 25, 50)]
    lengths = sorted({None, 5, 7, 10} | {rules.rounds}, key=lambda one: one or 0)

    def deal(size: int) -> None:
        change(lambda form: form.set("hand_size", size))

    return card(
        env,
        heading(env, env.say("ui_agreed")),
        write(env, env.say("rule_hand_size_question"), Role.LABEL),
        ft.Row(
            [
                icon_button(
                    env, ft.Icons.REMOVE, env.say("ui_fewer_tiles"), lambda: deal((hand or 16) - 1), (hand or 2) <= 1
                ),
                ft.Container(
                    write(env, str(hand) if hand else "?", Role.NUMBER),
                    width=48 * env.scale,
                    alignment=ft.Alignment.CENTER,
                ),
                icon_button(
                    env, ft.Icons.ADD, env.say("ui_more_tiles"), lambda: deal((hand or 14) + 1),
                    (hand or 0) >= form.largest,
                ),
                muted(env, env.say("ui_hand_fits", n=form.largest), expand=True),
            ],
            spacing=4,
        ),
        write(env, env.say("rule_double_blank_points_question"), Role.LABEL),
        choices(
            env,
            blank,
            rules.double_blank_points,
            lambda value: change(lambda form: form.set("double_blank_points", value)),
            env.say("rule_double_blank_points"),
        ),
        write(env, env.say("rule_rounds_question"), Role.LABEL),
        choices(
            env,
            [(value, value_label("rounds", value, lang)) for value in lengths if (value or 0) <= rules.max_pip + 1],
            rules.rounds,
            lambda value: change(lambda form: form.set("rounds", value)),
            env.say("rule_rounds"),
        ),
    )  # fmt: skip


def _starter(env: Env, form: Form, change: Change) -> ft.Control:
    options: list[tuple[int | None, str]] = [(None, env.say("ui_starter_open")), *enumerate(form.names)]
    return card(
        env,
        heading(env, env.say("ui_who_starts")),
        choices(
            env,
            options,
            form.starter,
            lambda seat: change(lambda form: replace(form, starter=seat)),
            env.say("ui_who_starts"),
        ),
    )


def _every_rule(
    env: Env,
    form: Form,
    change: Change,
    every: bool,
    set_every: Callable[[bool], None],
) -> ft.Control:
    differing = len(form.rules.differences(form.preset))
    controls: list[ft.Control] = [
        heading(env, env.say("ui_every_rule")),
        muted(env, env.say("ui_rules_differ", n=differing) if differing else env.say("ui_rules_same")),
        button(
            env,
            env.say("ui_hide_rules" if every else "ui_show_rules"),
            lambda: set_every(not every),
            ft.Icons.EXPAND_LESS if every else ft.Icons.EXPAND_MORE,
            "outlined",
        ),
    ]
    if every:
        controls.append(rule_list(env, form, lambda name, value: change(lambda form: form.set(name, value))))
    return card(env, *controls)


def _paints(env: Env, form: Form, seat: int, change: Change, close: Callable[[], None]) -> ft.AlertDialog:
    letters = badge_letters(form.names)

    def paint(colour: str) -> None:
        close()
        change(lambda form: form.paint(seat, colour))

    return dialog(
        env,
        env.say("ui_train_colour", name=form.names[seat]),
        [
            ft.Row(
                [
                    tappable(
                        badge(env, letters[seat], colour, 40),
                        env.say(f"train_colour_{colour.key}"),
                        partial(paint, colour.key),
                        selected=form.colours[seat] == colour.key,
                        padding=6,
                        border_radius=12,
                        border=ft.Border.all(
                            2, env.colour("primary") if form.colours[seat] == colour.key else ft.Colors.TRANSPARENT
                        ),
                    )
                    for colour in TRAIN_COLOURS
                ],
                wrap=True,
                spacing=4,
                run_spacing=4,
            )
        ],
        [button(env, env.say("ui_close"), close, kind="text")],
        close,
    )
