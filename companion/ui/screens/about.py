"""Help, the house rules of a game in short, and what the companion is."""

from typing import Any

import flet as ft

import companion
from companion.errors import CompanionError
from companion.text.describe import preset_name
from companion.ui.env import use_env
from companion.ui.screens.house_rules import rules_in_short
from companion.ui.theme import Role
from companion.ui.widgets.basics import button, card, heading, muted, screen, write
from companion.ui.widgets.place import no_place, use_place

HELP = ("start", "photo", "tiles", "total", "correct", "phones", "camera", "table")
"""What the help explains, in this order."""


@ft.component
def Help() -> Any:
    """How to use the companion, in short."""
    env = use_env()
    return screen(
        env,
        "/help",
        env.say("ui_help"),
        *(
            card(env, heading(env, env.say(f"ui_help_{topic}")), write(env, env.say(f"ui_help_{topic}_words")))
            for topic in HELP
        ),
        ft.Row(
            [button(env, env.say("ui_about"), lambda: env.go("/about"), ft.Icons.INFO_OUTLINE, "outlined")], wrap=True
        ),
        back="/",
    )


@ft.component
def HouseRulesInShort() -> Any:
    """The house rules of a game, a sentence each."""
    env = use_env()
    code = ft.use_route_params().get("code", "").upper()
    place = use_place(code)
    route = f"/game/{code}/rules"
    if isinstance(place, CompanionError):
        return no_place(env, route, place)
    game = place.game
    differing = len(game.rules.differences(game.preset))
    return screen(
        env,
        route,
        env.say("ui_house_rules"),
        write(env, preset_name(game.preset, env.look.lang), Role.LABEL),
        muted(env, env.say("ui_rules_differ", n=differing) if differing else env.say("ui_rules_same")),
        card(env, rules_in_short(env, game.rules, game.preset)),
        back=f"/game/{code}",
    )


@ft.component
def About() -> Any:
    """Licence, source, version."""
    env = use_env()
    return screen(
        env,
        "/about",
        env.say("ui_about"),
        card(
            env,
            write(env, env.say("ui_app"), Role.TITLE),
            muted(env, env.say("ui_version", version=companion.__version__)),
            write(env, env.say("ui_about_words")),
            write(env, env.say("ui_about_private")),
        ),
        card(
            env,
            heading(env, env.say("ui_licence")),
            write(env, env.say("ui_licence_words")),
            ft.Row(
                [button(env, env.say("ui_source"), None, ft.Icons.CODE, "outlined", url=env.site.source())], wrap=True
            ),
        ),
        back="/settings",
    )
