"""The score sheet: what the table looks at most."""

from typing import Any

import flet as ft

from companion.app.people import train_colours
from companion.app.place import Place
from companion.errors import CompanionError
from companion.rules.state import Game
from companion.ui.env import Env, use_env
from companion.ui.hooks import Live, use_kept, use_live
from companion.ui.model import round_to_start
from companion.ui.screens.round_end import round_panel
from companion.ui.theme import GAP
from companion.ui.widgets.basics import button, card, icon_button, screen
from companion.ui.widgets.chart import totals_chart
from companion.ui.widgets.game_bar import game_bar
from companion.ui.widgets.notices import notices
from companion.ui.widgets.place import attempt, no_place, tell, use_place
from companion.ui.widgets.score_dialog import score_dialog
from companion.ui.widgets.sheet_grid import sheet_grid

SIDE_PX = 380
"""How wide the panel beside the sheet is."""


@ft.component
def Sheet() -> Any:
    """The sheet of a game."""
    env = use_env()
    code = ft.use_route_params().get("code", "").upper()
    place = use_place(code)
    opened: Live[tuple[int, int] | None] = use_live(None)
    starter: Live[int | None] = use_live(None)
    kept = use_kept(code)
    route = f"/game/{code}"
    ft.use_dialog(
        score_dialog(env, place, *opened.value, lambda: opened.set(None))
        if opened.value is not None and not isinstance(place, CompanionError) and not place.gone
        else None
    )
    if isinstance(place, CompanionError):
        return no_place(env, route, place)
    if place.gone:
        return no_place(env, route, CompanionError("code_unknown", code=code))
    game = place.game

    def on_cell(number: int, seat: int) -> None:
        score = next(one for one in place.game.rounds if one.number == number).score(seat)
        if score is None and place.role.may_score(seat):
            env.go(f"/game/{code}/count/{number}/{seat}")
        else:
            opened.set((number, seat))

    side = env.width >= 1080 * env.scale
    room = env.width - 24 - (SIDE_PX * env.scale + 24 if side else 0)
    colours = train_colours(env.hub, code)
    sheet = ft.Column(
        [
            ft.Container(
                ft.Column([*notices(env, place), sheet_grid(env, game, colours, on_cell, room, kept)], spacing=GAP),
                padding=ft.Padding(4, 0, 12, 16),
            )
        ],
        scroll=ft.ScrollMode.AUTO,
        expand=True,
        horizontal_alignment=ft.CrossAxisAlignment.STRETCH,
    )
    body: ft.Control = sheet
    if side:
        panel: list[ft.Control] = [card(env, *round_panel(env, place, game, starter.value, starter.set))]
        if len(game.rounds) > 1:
            panel.append(card(env, totals_chart(env, game, colours, 200)))
        body = ft.Row(
            [
                sheet,
                ft.Column(panel, width=SIDE_PX * env.scale, spacing=16, scroll=ft.ScrollMode.AUTO,
                          horizontal_alignment=ft.CrossAxisAlignment.STRETCH),
            ],
            expand=True,
            spacing=16,
            vertical_alignment=ft.CrossAxisAlignment.START,
        )  # fmt: skip
        body = ft.Container(body, padding=ft.Padding(8, 0, 16, 8), expand=True)
    return screen(
        env,
        route,
        _title(env, game),
        body,
        back="/",
        actions=_actions(env, place),
        bottom=ft.Column(
            [*([] if side else [_next_step(env, code, game)]), game_bar(env, code, "")],
            spacing=0,
            horizontal_alignment=ft.CrossAxisAlignment.STRETCH,
        ),
        full=True,
    )


def _title(env: Env, game: Game) -> str:
    if game.ended:
        return env.say("ui_game_over")
    if not game.rounds:
        return env.say("ui_place_sheet")
    return env.say("ui_card_round", number=game.rounds[-1].number, rounds=game.planned_rounds)


def _actions(env: Env, place: Place) -> list[ft.Control]:
    role = place.role
    if not role.host and not role.seats:
        return []

    def undo() -> None:
        if attempt(env, place.game, place.undo):
            tell(env, env.say("ui_undone"))

    def redo() -> None:
        if attempt(env, place.game, place.redo):
            tell(env, env.say("ui_redone"))

    return [
        icon_button(env, ft.Icons.UNDO, env.say("ui_undo"), undo),
        icon_button(env, ft.Icons.REDO, env.say("ui_redo"), redo),
    ]


def _next_step(env: Env, code: str, game: Game) -> ft.Control:
    """The one thing to do next, in reach of the thumb."""
    if game.ended:
        label, icon, where = env.say("ui_see_winner"), ft.Icons.EMOJI_EVENTS, f"/game/{code}/end"
    elif round_to_start(game) is not None:
        label, icon, where = env.say("ui_next_round"), ft.Icons.ARROW_FORWARD, f"/game/{code}/round"
    else:
        label, icon, where = env.say("ui_count_hands"), ft.Icons.CALCULATE_OUTLINED, f"/game/{code}/round"
    return ft.Container(
        ft.Row([button(env, label, lambda: env.go(where), icon, "filled", expand=True)]),
        padding=ft.Padding(12, 8, 12, 8),
        bgcolor=env.colour("surface_container"),
    )
