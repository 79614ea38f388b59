"""The round's table: trains, markers, open doubles, whose turn it is; every move by hand or by photo."""

from typing import Any

import flet as ft

from companion.errors import CompanionError
from companion.ui.env import use_env
from companion.ui.widgets.basics import screen
from companion.ui.widgets.game_bar import game_bar
from companion.ui.widgets.place import no_place, use_place


@ft.component
def Table() -> Any:
    """The screen of the table."""
    env = use_env()
    code = ft.use_route_params().get("code", "").upper()
    place = use_place(code)
    route = f"/game/{code}/table"
    if isinstance(place, CompanionError):
        return no_place(env, route, place)
    return screen(env, route, env.say("ui_place_table"), back=f"/game/{code}", bottom=game_bar(env, code, "table"))
