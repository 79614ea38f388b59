"""The end of a game: who won, the places, files to keep, another game with the same people."""

from typing import Any

import flet as ft

from companion.app.people import choose_train_colours, train_colours
from companion.errors import CompanionError
from companion.rules.scoring import winners
from companion.rules.state import Game
from companion.ui.env import Env, use_env
from companion.ui.form import same_again
from companion.ui.hooks import use_live
from companion.ui.model import Place, badge_letters, places
from companion.ui.theme import Role
from companion.ui.widgets.basics import button, card, heading, line_up, muted, screen, write
from companion.ui.widgets.chart import totals_chart
from companion.ui.widgets.people import badge, seat_colour
from companion.ui.widgets.place import attempt, no_place, use_place

PODIUM_PX = (96, 66, 44)
"""How high the steps are, from the first place."""


@ft.component
def GameOver() -> Any:
    """The screen after the last round."""
    env = use_env()
    code = ft.use_route_params().get("code", "").upper()
    place = use_place(code)
    route = f"/game/{code}/end"
    begun = use_live(False)
    if isinstance(place, CompanionError):
        return no_place(env, route, place)
    game = place.game
    colours = train_colours(env.hub, code)

    def again() -> None:
        if begun.now():
            return  # a second tap
        full = tuple(seat_colour(colours, player.seat).key for player in game.players)
        form = same_again(game, full)

        def create() -> None:
            new = env.hub.create(form.events(), env.visitor)
            begun.note(True)
            choose_train_colours(env.hub, new.code, form.colours)
            env.go(f"/game/{new.code}")

        attempt(env, game, create)

    best = winners(game) or tuple(one.seat for one in places(game) if one.leads)
    names = ", ".join(game.players[seat].name for seat in best)
    words = env.say("ui_wins" if game.ended else "ui_card_leads", names=names, n=len(best)) if best else ""
    controls: list[ft.Control] = [
        ft.Container(
            ft.Semantics(live_region=True, content=write(env, words, Role.HEADLINE, text_align=ft.TextAlign.CENTER)),
            alignment=ft.Alignment.CENTER,
        ),
        _podium(env, game, colours),
        card(env, heading(env, env.say("ui_places")), *_all_places(env, game, colours)),
    ]
    if len(game.rounds) > 1:
        controls.append(card(env, heading(env, env.say("ui_chart")), totals_chart(env, game, colours, 220)))
    controls += [
        exports(env, code),
        ft.Row(
            [
                button(env, env.say("ui_play_again"), again, ft.Icons.REPLAY, "filled"),
                button(env, env.say("ui_home"), lambda: env.go("/"), ft.Icons.HOME_OUTLINED, "outlined"),
            ],
            wrap=True,
            run_spacing=8,
        ),
    ]
    title = env.say("ui_game_over" if game.ended else "ui_standings")
    return screen(env, route, title, *controls, back=f"/game/{code}")


def _podium(env: Env, game: Game, colours: tuple[str, ...]) -> ft.Control:
    """The first three places, also shared ones, the winner in the middle; alone where the text is large."""
    letters = badge_letters([player.name for player in game.players])
    steps: list[ft.Control] = []
    for rank in (1,) if env.narrow else (2, 1, 3):
        on_step = [one for one in places(game) if one.rank == rank]
        if on_step:
            steps.append(_step(env, game, colours, letters, rank, on_step))
    return ft.Row(steps, alignment=ft.MainAxisAlignment.CENTER, vertical_alignment=ft.CrossAxisAlignment.END, spacing=6)


def _step(
    env: Env, game: Game, colours: tuple[str, ...], letters: tuple[str, ...], rank: int, on_step: list[Place]
) -> ft.Control:
    people: list[ft.Control] = [
        ft.Column(
            [
                badge(env, letters[one.seat], seat_colour(colours, one.seat), 44 if rank == 1 else 34),
                write(env, game.players[one.seat].name, Role.LABEL, text_align=ft.TextAlign.CENTER),
                muted(env, env.say("ui_points", points=one.total), text_align=ft.TextAlign.CENTER),
            ],
            spacing=2,
            tight=True,
            horizontal_alignment=ft.CrossAxisAlignment.CENTER,
        )
        for one in on_step
    ]
    role = "tertiary_container" if rank == 1 else "surface_container_high"
    ink = "on_tertiary_container" if rank == 1 else "on_surface"
    return ft.Column(
        [
            *([ft.Icon(ft.Icons.EMOJI_EVENTS, size=44, color=env.colour("tertiary"))] if rank == 1 else []),
            ft.Row(people, wrap=True, alignment=ft.MainAxisAlignment.CENTER, spacing=8, run_spacing=6),
            ft.Container(
                write(env, str(rank), Role.DISPLAY if rank == 1 else Role.HEADLINE, color=env.colour(ink)),
                height=PODIUM_PX[rank - 1] * min(env.scale, 1.5),
                alignment=ft.Alignment.CENTER,
                bgcolor=env.colour(role),
                border_radius=ft.BorderRadius.only(top_left=12, top_right=12),
            ),
        ],
        spacing=6,
        expand=True,
        horizontal_alignment=ft.CrossAxisAlignment.STRETCH,
    )


def _all_places(env: Env, game: Game, colours: tuple[str, ...]) -> list[ft.Control]:
    letters = badge_letters([player.name for player in game.players])
    rows: list[ft.Control] = []
    for one in places(game):
        player = game.players[one.seat]
        more = env.say("ui_scores_missing", n=one.missing) if one.missing else ""
        rows.append(
            line_up(
                env,
                [
                    ft.Container(
                        write(env, str(one.rank or "–"), Role.NUMBER, no_wrap=True),
                        width=26 * env.scale,
                        alignment=ft.Alignment.CENTER_RIGHT,
                    ),
                    badge(env, letters[one.seat], seat_colour(colours, one.seat)),
                ],
                ft.Column([write(env, player.name), *([muted(env, more)] if more else [])], spacing=0),
                write(env, str(one.total), Role.NUMBER),
            )
        )
    return rows


def exports(env: Env, code: str) -> ft.Control:
    """The game as files for others."""
    site, lang = env.site, env.look.lang
    return card(
        env,
        heading(env, env.say("ui_exports")),
        ft.Row(
            [
                button(env, env.say("ui_export_png"), None, ft.Icons.IMAGE_OUTLINED, "outlined",
                       url=site.export(code, "png", lang)),
                button(env, env.say("ui_export_csv"), None, ft.Icons.TABLE_VIEW_OUTLINED, "outlined",
                       url=site.export(code, "csv", lang)),
                button(env, env.say("ui_export_json"), None, ft.Icons.DATA_OBJECT, "outlined",
                       url=site.export(code, "json", lang)),
                button(env, env.say("ui_export_log"), None, ft.Icons.HISTORY, "outlined",
                       url=site.export(code, "jsonl", lang)),
                button(env, env.say("ui_export_bgstats"), None, ft.Icons.SEND_OUTLINED, "outlined",
                       url=site.bg_stats(code)),
            ],
            wrap=True,
            spacing=8,
            run_spacing=8,
        ),
    )  # fmt: skip
