"""Home: the games that run, those that are over, and the way to a new one."""

from typing import Any

import flet as ft

from companion.app.people import train_colours
from companion.rules.tiles import Tile
from companion.ui.env import Env, use_env
from companion.ui.hooks import Live, use_live
from companion.ui.model import badge_letters, places
from companion.ui.theme import Role
from companion.ui.widgets.basics import button, card, heading, icon_button, muted, notice, screen, tappable, write
from companion.ui.widgets.dialogs import confirm
from companion.ui.widgets.people import badge, seat_colour
from companion.ui.widgets.place import attempt, explain
from companion.ui.widgets.tile import tile_face


@ft.component
def Home() -> Any:
    """The first screen."""
    env = use_env()
    deleting: Live[str | None] = use_live(None)
    cards = env.hub.cards(env.visitor)
    running = [one for one in cards if one.game is not None and not one.game.ended]
    over = [one for one in cards if one.game is not None and one.game.ended]
    broken = [one for one in cards if one.error is not None]

    def delete() -> None:
        code = deleting.now() or ""
        deleting.set(None)
        attempt(env, None, lambda: env.hub.enter(code, env.visitor).delete())

    ft.use_dialog(
        confirm(
            env,
            env.say("ui_delete_title", code=deleting.value),
            env.say("ui_delete_warning"),
            env.say("ui_delete"),
            delete,
            lambda: deleting.set(None),
        )
        if deleting.value
        else None
    )
    controls: list[ft.Control] = []
    if running:
        controls.append(heading(env, env.say("ui_running")))
        controls += [_card(env, one, deleting.set) for one in running]
    elif not over:
        controls.append(_welcome(env))
    controls.append(
        ft.Row(
            [
                button(env, env.say("ui_new_game"), lambda: env.go("/new"), ft.Icons.ADD, "filled"),
                button(env, env.say("ui_join_by_code"), lambda: env.go("/join"), ft.Icons.DIALPAD, "outlined"),
            ],
            wrap=True,
            spacing=10,
            run_spacing=10,
        )
    )
    if over:
        controls.append(heading(env, env.say("ui_finished")))
        controls += [_card(env, one, deleting.set) for one in over]
    controls += [notice(env, f"{one.code}: {explain(env, one.error)}", "error") for one in broken if one.error]
    if cards and env.hub.is_keeper(env.visitor):
        controls.append(
            card(
                env,
                write(env, env.say("ui_backup_title"), Role.LABEL),
                muted(env, env.say("ui_backup_words")),
                ft.Row(
                    [
                        button(env, env.say("ui_backup"), None, ft.Icons.DOWNLOAD, "outlined", url=env.site.backup()),
                        button(env, env.say("ui_restore"), None, ft.Icons.UPLOAD, "text", url=env.site.restore()),
                    ],
                    wrap=True,
                ),
            )
        )
    return screen(
        env,
        "/",
        env.say("ui_app"),
        *controls,
        actions=[
            icon_button(env, ft.Icons.HELP_OUTLINE, env.say("ui_help"), lambda: env.go("/help")),
            icon_button(env, ft.Icons.SETTINGS_OUTLINED, env.say("ui_settings"), lambda: env.go("/settings")),
        ],
    )


def _welcome(env: Env) -> ft.Control:
    return ft.Column(
        [
            ft.Container(
                ft.Row([tile_face(Tile(12, 12), 120), tile_face(Tile(7, 12), 120)], spacing=2, tight=True),
                alignment=ft.Alignment.CENTER_LEFT,
                padding=ft.Padding.symmetric(vertical=12),
            ),
            write(env, env.say("ui_welcome"), Role.HEADLINE),
            muted(env, env.say("ui_welcome_more"), Role.BODY),
        ],
        spacing=8,
    )


def _card(env: Env, one: Any, set_deleting: Any) -> ft.Control:
    game = one.game
    names = [player.name for player in game.players]
    letters = badge_letters(names)
    leaders = [names[place.seat] for place in places(game) if place.leads]
    where = f"/game/{one.code}/end" if game.ended else f"/game/{one.code}"
    if game.ended:
        line = env.say("ui_card_over", n=len(leaders), names=", ".join(leaders))
    elif not game.rounds:
        line = env.say("ui_card_not_begun")
    else:
        line = env.say("ui_card_round", number=game.rounds[-1].number, rounds=game.planned_rounds)
        if leaders:
            line += f" · {env.say('ui_card_leads', names=', '.join(leaders), n=len(leaders))}"
    inner = ft.Column(
        [
            ft.Row(
                [badge(env, text, seat_colour(one_colours(env, one), seat), 34) for seat, text in enumerate(letters)],
                spacing=6,
                run_spacing=6,
                wrap=True,
            ),
            write(env, ", ".join(names), Role.LABEL),
            muted(env, line),
            muted(env, env.say("ui_code", code=spelled(one.code))),
        ],
        spacing=6,
    )
    row: list[ft.Control] = [
        tappable(inner, f"{', '.join(names)}. {line}", lambda: env.go(where), expand=True, padding=14)
    ]
    if one.role.host:
        row.append(
            icon_button(
                env, ft.Icons.DELETE_OUTLINE, env.say("ui_delete_game", names=", ".join(names)),
                lambda: set_deleting(one.code), role="on_surface_variant",
            )
        )  # fmt: skip
    return ft.Container(
        ft.Row(row, spacing=0),
        bgcolor=env.colour("surface_container" if game.ended else "surface_container_lowest"),
        border=ft.Border.all(1, env.colour("outline_variant")),
        border_radius=18,
        key=one.code,
    )


def one_colours(env: Env, one: Any) -> tuple[str, ...]:
    """The train colours of a game's players."""
    return train_colours(env.hub, one.code)


def spelled(code: str) -> str:
    """A code in two halves, as it is read aloud."""
    return f"{code[:3]} {code[3:]}" if len(code) == 6 else code
