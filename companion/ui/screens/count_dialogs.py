"""The questions that stand over the counting of a hand: a reason, or the halves of a tile."""

from collections.abc import Callable

import flet as ft

from companion.app.place import Place
from companion.errors import IllegalMoveError
from companion.rules.state import Game
from companion.rules.tiles import Tile
from companion.ui.env import Env
from companion.ui.screens.count_state import Doing, Put
from companion.ui.widgets.basics import button, field, write
from companion.ui.widgets.dialogs import dialog
from companion.ui.widgets.place import explain
from companion.ui.widgets.tile_grid import halves_picker

Do = Callable[..., None]
Now = Callable[[], Doing]


def question(
    env: Env, place: Place, now: Now, do: Do, put: Put, note_why: Callable[[str], None], insist: Callable[[], None]
) -> ft.AlertDialog | None:
    """What is asked now; None: nothing."""
    doing = now()
    if doing.asked:
        return _reason(env, place, doing, do, note_why, insist)
    if doing.editing is not None:
        return _edit(env, place.game, now, do, put)
    return None


def _reason(
    env: Env, place: Place, doing: Doing, do: Do, note_why: Callable[[str], None], insist: Callable[[], None]
) -> ft.AlertDialog:
    """The rules wonder: is it right all the same, and why?"""
    error = IllegalMoveError("illegal_move", doing.asked)
    return dialog(
        env,
        env.say("ui_odd_title"),
        [
            write(env, explain(env, error, place.game)),
            field(env, env.say("ui_reason"), doing.why, note_why, max_length=80, counter=""),
        ],
        [
            button(env, env.say("ui_look_again"), lambda: do(asked=()), kind="text"),
            button(env, env.say("ui_it_is_right"), insist, kind="tonal"),
        ],
        lambda: do(asked=()),
    )


def _edit(env: Env, game: Game, now: Now, do: Do, put: Put) -> ft.AlertDialog:
    """The halves of a tile, to be changed; or of one that was not seen."""
    doing = now()
    where = doing.editing
    assert where is not None

    def close() -> None:
        do(editing=None, first=None, second=None, problem="")

    def save() -> None:
        first, second = now().first, now().second
        if now().editing != where:
            return  # a second tap, before the dialog was gone
        if first is None or second is None:
            do(problem=env.say("ui_halves_first"))
            return
        put(lambda hand: hand.add(Tile(first, second)) if where < 0 else hand.change(where, first, second))
        close()

    def remove() -> None:
        if now().editing == where:
            put(lambda hand: hand.remove(where))
            close()

    actions = [button(env, env.say("ui_cancel"), close, kind="text")]
    if where >= 0:
        actions.append(button(env, env.say("ui_not_a_tile"), remove, ft.Icons.DELETE_OUTLINE, "danger"))
    actions.append(button(env, env.say("ui_save"), save, ft.Icons.CHECK, "filled"))
    content: list[ft.Control] = [
        halves_picker(
            env, game.rules.max_pip, doing.first, doing.second,
            lambda half: do(first=half, problem=""), lambda half: do(second=half, problem=""),
        )
    ]  # fmt: skip
    if doing.problem:
        content.append(write(env, doing.problem, color=env.colour("error")))
    return dialog(env, env.say("ui_add_tile" if where < 0 else "ui_change_tile"), content, actions, close)
