"""How others come to the table: by code, by QR code, and which seat is whose."""

from collections.abc import Callable
from functools import partial
from typing import Any

import flet as ft

from companion.app.evening import propose_game_over, propose_join, propose_leave
from companion.app.people import train_colours
from companion.app.place import Place
from companion.errors import CompanionError
from companion.ui.env import Env, use_env
from companion.ui.hooks import Live, use_live, use_typed
from companion.ui.model import badge_letters
from companion.ui.screens.home import spelled
from companion.ui.theme import Role
from companion.ui.widgets.basics import button, card, field, heading, muted, notice, screen, switch, write
from companion.ui.widgets.dialogs import confirm
from companion.ui.widgets.game_bar import game_bar
from companion.ui.widgets.people import badge, seat_colour
from companion.ui.widgets.place import attempt, explain, no_place, use_place
from companion.ui.widgets.qr import qr_picture

Question = tuple[str, str, Callable[[], Any]]
"""What is asked before something is done: title, words, and what to do."""


@ft.component
def Join() -> Any:
    """Type a game's code."""
    env = use_env()
    typed = use_typed(ft.use_route_params().get("code", ""))
    error = use_live("")

    def enter() -> None:
        try:
            place = env.hub.enter(typed.now(), env.visitor)
        except CompanionError as caught:
            error.set(explain(env, caught))
            return
        mine = place.role.host or place.role.seats
        env.go(f"/game/{place.code}" if mine else f"/game/{place.code}/people")

    return screen(
        env,
        "/join",
        env.say("ui_join_by_code"),
        muted(env, env.say("ui_join_words"), Role.BODY),
        field(
            env,
            env.say("ui_game_code"),
            typed.now(),
            typed.note,
            enter,
            capitalization=ft.TextCapitalization.CHARACTERS,
            max_length=12,
            counter="",
        ),
        *([notice(env, error.value, "error")] if error.value else []),
        ft.Row([button(env, env.say("ui_join"), enter, ft.Icons.LOGIN, "filled")], wrap=True),
        back="/",
    )


@ft.component
def Share() -> Any:
    """The people of a game: the invitation, the seats, who comes and goes."""
    env = use_env()
    code = ft.use_route_params().get("code", "").upper()
    place = use_place(code)
    name = use_typed()
    asked: Live[Question | None] = use_live(None)
    route = f"/game/{code}/people"

    def yes() -> None:
        what = asked.now()
        asked.set(None)
        if what is not None and not isinstance(place, CompanionError):
            attempt(env, place.game, what[2])

    ft.use_dialog(
        confirm(env, asked.value[0], asked.value[1], env.say("ui_yes"), yes, lambda: asked.set(None))
        if asked.value is not None
        else None
    )
    if isinstance(place, CompanionError):
        return no_place(env, route, place)
    game = place.game
    controls: list[ft.Control] = [_seats(env, place, code, asked.set), _invitation(env, code)]
    if place.role.host and not game.ended:

        def sit_down() -> None:
            if attempt(env, game, lambda: place.commit(place.propose(propose_join, name.now()))):
                name.clear()

        controls.append(
            card(
                env,
                heading(env, env.say("ui_late_joiner")),
                muted(env, env.say("ui_late_joiner_words")),
                field(env, env.say("ui_player_name"), name.now(), name.note, sit_down, max_length=24, counter=""),
                ft.Row([button(env, env.say("ui_add_player"), sit_down, ft.Icons.PERSON_ADD, "tonal")], wrap=True),
            )
        )
        controls.append(
            card(
                env,
                switch(
                    env,
                    env.say("ui_keep_photos"),
                    place.keep_photos,
                    lambda on: attempt(env, game, lambda: setattr(place, "keep_photos", on)),
                    env.say("ui_keep_photos_words"),
                ),
            )
        )
        controls.append(
            ft.Row(
                [
                    button(
                        env,
                        env.say("ui_end_game"),
                        lambda: asked.set(
                            (
                                env.say("ui_end_game"),
                                env.say("ui_end_game_words"),
                                lambda: place.commit(place.propose(propose_game_over)),
                            )
                        ),
                        ft.Icons.FLAG_OUTLINED,
                        "outlined",
                    ),
                    button(
                        env, env.say("ui_house_rules"), lambda: env.go(f"/game/{code}/rules"), ft.Icons.RULE, "outlined"
                    ),
                ],
                wrap=True,
                run_spacing=8,
            )
        )
    else:
        controls.append(
            ft.Row(
                [
                    button(
                        env, env.say("ui_house_rules"), lambda: env.go(f"/game/{code}/rules"), ft.Icons.RULE, "outlined"
                    )
                ]
            )
        )
    return screen(
        env,
        route,
        env.say("ui_place_people"),
        *controls,
        back=f"/game/{code}",
        bottom=game_bar(env, code, "people"),
    )


def _leaves(env: Env, place: Place, seat: int, ask: Callable[[Question], None]) -> None:
    name = place.game.players[seat].name
    ask(
        (
            env.say("ui_leaves_title", name=name),
            env.say("ui_leaves_words"),
            lambda: place.commit(place.propose(propose_leave, seat)),
        )
    )


def _seats(env: Env, place: Place, code: str, ask: Callable[[Question], None]) -> ft.Control:
    game, role, taken = place.game, place.role, place.taken_seats
    letters = badge_letters([player.name for player in game.players])
    colours = train_colours(env.hub, code)
    rows: list[ft.Control] = [heading(env, env.say("ui_who_are_you"))]
    if role.host:
        rows.append(muted(env, env.say("ui_you_host")))
    for player in game.players:
        seat, here = player.seat, player.seat in game.order
        buttons: list[ft.Control] = []
        state = ""
        if not here:
            state = env.say("ui_gone_home")
        elif seat in role.seats:
            state = env.say("ui_this_is_you")
            buttons.append(
                button(
                    env, env.say("ui_stand_up"), partial(attempt, env, game, partial(place.release, seat)),
                    kind="text", name=env.say("ui_stand_up_of", name=player.name),
                )
            )  # fmt: skip
        elif seat in taken:
            state = env.say("ui_seat_taken")
            if role.host:
                buttons.append(
                    button(
                        env, env.say("ui_free_seat"), partial(attempt, env, game, partial(place.release, seat)),
                        kind="text", name=env.say("ui_free_seat_of", name=player.name),
                    )
                )  # fmt: skip
        else:
            buttons.append(
                button(
                    env, env.say("ui_its_me"), partial(attempt, env, game, partial(place.sit, seat)),
                    kind="tonal", name=env.say("ui_its_me_of", name=player.name),
                )
            )  # fmt: skip
        if here and role.host and not game.ended and len(game.order) > 2:
            buttons.append(
                button(
                    env, env.say("ui_leaves"),
                    partial(_leaves, env, place, seat, ask),
                    kind="text", name=env.say("ui_leaves_of", name=player.name),
                )
            )  # fmt: skip
        rows.append(
            ft.Row(
                [
                    ft.Row(
                        [
                            badge(env, letters[seat], seat_colour(colours, seat)),
                            ft.Column(
                                [write(env, player.name), *([muted(env, state)] if state else [])],
                                spacing=0,
                                tight=True,
                                expand=True,
                                expand_loose=True,
                            ),
                        ],
                        spacing=10,
                        tight=True,
                    ),
                    ft.Row(buttons, spacing=0, tight=True, wrap=True),
                ],
                wrap=True,
                alignment=ft.MainAxisAlignment.SPACE_BETWEEN,
                spacing=8,
                run_spacing=0,
            )
        )
    return card(env, *rows)


def _invitation(env: Env, code: str) -> ft.Control:
    address = env.site.invitation(code)
    reachable = bool(env.site.addresses)
    content: list[ft.Control] = [
        heading(env, env.say("ui_invite")),
        muted(env, env.say("ui_invite_words" if reachable else "ui_invite_alone")),
        ft.Semantics(
            label=env.say("ui_code", code=" ".join(code)),
            exclude_semantics=True,
            content=write(env, spelled(code), Role.DISPLAY, no_wrap=True),
        ),
    ]
    if reachable:
        content.append(qr_picture(address, 240, env.say("ui_qr")))
        content.append(write(env, address, Role.SMALL, selectable=True))
    return ft.Container(
        ft.Column(content, spacing=12, horizontal_alignment=ft.CrossAxisAlignment.CENTER),
        bgcolor=env.colour("surface_container_low"),
        border_radius=18,
        padding=16,
    )
