"""The chart of the totals."""

from typing import Any

import flet as ft

from companion.app.people import train_colours
from companion.errors import CompanionError
from companion.ui.env import use_env
from companion.ui.model import running_totals
from companion.ui.widgets.basics import card, muted, screen
from companion.ui.widgets.chart import totals_chart
from companion.ui.widgets.game_bar import game_bar
from companion.ui.widgets.place import no_place, use_place


@ft.component
def Chart() -> Any:
    """How the totals grew."""
    env = use_env()
    code = ft.use_route_params().get("code", "").upper()
    place = use_place(code)
    route = f"/game/{code}/chart"
    if isinstance(place, CompanionError):
        return no_place(env, route, place)
    game = place.game
    begun = max(map(len, running_totals(game))) > 1
    return screen(
        env,
        route,
        env.say("ui_chart"),
        card(env, totals_chart(env, game, train_colours(env.hub, code), max(240, min(env.height - 420, 460))))
        if begun
        else muted(env, env.say("ui_chart_empty")),
        back=f"/game/{code}",
        bottom=game_bar(env, code, "chart"),
    )
