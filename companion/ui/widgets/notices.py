"""What a visitor must be told above a game's screens."""

from functools import partial
from typing import Any

import flet as ft

from companion.app.place import Place
from companion.ui.env import Env
from companion.ui.widgets.basics import button, notice


def two_entries(env: Env, place: Place) -> list[ft.Control]:
    """Two wrote the same score: what the one wrote, what the other, and which of the two counts."""
    game, told = place.game, []
    names = [player.name for player in game.players]

    def writer(source: Any) -> str:
        return env.say("ui_host") if source.seat is None else names[source.seat]

    for one in place.notices():
        told.append(
            notice(
                env,
                env.say(
                    "ui_two_entries", name=names[one.seat], number=one.number, first=one.first,
                    first_by=writer(one.first_by), second=one.second, second_by=writer(one.second_by),
                ),
                "doubt",
                button(env, env.say("ui_look"), lambda: env.go(f"/game/{place.code}"), kind="text"),
                button(env, env.say("ui_understood"), partial(place.dismiss, one), kind="text"),
            )
        )  # fmt: skip
    return told


def notices(env: Env, place: Place) -> list[ft.Control]:
    """What the visitor must be told: two wrote the same score; or that this phone only looks on."""
    game, told, role = place.game, two_entries(env, place), place.role
    if not role.host and not role.seats and not game.ended:
        told.append(
            notice(
                env,
                env.say("ui_looking_on"),
                "info",
                button(env, env.say("ui_choose_seat"), lambda: env.go(f"/game/{place.code}/people"), kind="text"),
            )
        )
    return told
