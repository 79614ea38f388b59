"""One game in a component: its state, always the newest, whoever has written."""

import contextvars
from typing import Any

import flet as ft

from companion.app.place import Place
from companion.errors import CompanionError, IllegalMoveError
from companion.rules.state import Game
from companion.text import error_sentence
from companion.text.describe import violation_sentence
from companion.ui.env import Env, use_env
from companion.ui.widgets.basics import button, notice, screen


def use_place(code: str) -> Place | CompanionError:
    """The visitor's place at a game, or the error why there is none; renders again after every change of the game.

    The change may come from another browser's thread: it is handed over to this page's own loop.
    """
    env = use_env()
    _, bump = ft.use_state(0)
    entered: Any = ft.use_ref(None)
    if entered.current is None or entered.current[0] != code:
        entered.current = (code, _enter(env, code))
    place: Place | CompanionError = entered.current[1]

    def subscribe() -> Any:
        if isinstance(place, CompanionError):
            return None

        async def again() -> None:
            bump(lambda n: n + 1)

        def changed() -> None:
            if env.page.session.connection is None:
                raise ConnectionError  # this browser has gone
            contextvars.copy_context().run(env.page.run_task, again)

        return place.subscribe(changed)

    stop: Any = ft.use_ref(None)

    def start() -> None:
        stop.current = subscribe()

    def end() -> None:
        if stop.current is not None:
            stop.current()
            stop.current = None

    ft.use_effect(start, [code], cleanup=end)
    return place


def _enter(env: Env, code: str) -> Place | CompanionError:
    try:
        return env.hub.enter(code, env.visitor)
    except CompanionError as error:
        return error


def explain(env: Env, error: CompanionError, game: Game | None = None) -> str:
    """What went wrong, in a sentence or, for what the rules forbid, one for each violation."""
    if isinstance(error, IllegalMoveError) and error.violations and game is not None:
        names = [player.name for player in game.players]
        return " ".join(violation_sentence(violation, names, env.look.lang) for violation in error.violations)
    return error_sentence(error, env.look.lang)


def no_place(env: Env, route: str, error: CompanionError) -> ft.View:
    """Instead of a game that cannot be entered: why, and the ways on."""
    return screen(
        env,
        route,
        env.say("ui_app"),
        notice(env, explain(env, error), "error"),
        button(env, env.say("ui_join_by_code"), lambda: env.go("/join"), ft.Icons.DIALPAD, "filled"),
        button(env, env.say("ui_home"), lambda: env.go("/"), ft.Icons.HOME_OUTLINED),
        back="/",
    )


def tell(env: Env, message: str) -> None:
    """A short message that goes away by itself."""
    env.page.show_dialog(
        ft.SnackBar(
            ft.Semantics(
                live_region=True,
                content=ft.Text(message, size=16 * min(env.scale, 1.5), color=env.colour("on_inverse_surface")),
            ),
            bgcolor=env.colour("inverse_surface"),
        )
    )


def attempt(env: Env, game: Game | None, do: Any) -> bool:
    """Do something that may be refused; why it was is told. True: it was done."""
    try:
        do()
    except CompanionError as error:
        tell(env, explain(env, error, game))
        return False
    return True
