"""Count a hand: by photo, by tapping its tiles, or as a total; each one tap away from the others."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import flet as ft

from companion.app.hub import Place
from companion.app.intake import propose_correction, propose_tiles, propose_total
from companion.app.live_game import Outcome
from companion.app.scan_queue import ScanState
from companion.errors import CompanionError, IllegalMoveError
from companion.rules.moves import Violation
from companion.rules.state import Game
from companion.rules.tiles import Tile
from companion.ui.drafts import DRAFTS, Key
from companion.ui.env import Env, use_env
from companion.ui.hooks import use_live
from companion.ui.model import Counting, Elsewhere, corrected, next_missing, tiles_elsewhere
from companion.ui.screens.count_photo import photo_part
from companion.ui.theme import Role
from companion.ui.widgets.basics import button, choices, field, muted, notice, screen, write
from companion.ui.widgets.dialogs import dialog
from companion.ui.widgets.keypad import keypad, pressed
from companion.ui.widgets.place import explain, no_place, tell, use_place
from companion.ui.widgets.tile_grid import halves_picker, tile_grid

Change = Callable[[Counting], Counting]
Put = Callable[[Change], None]


class How(StrEnum):
    """The ways to count."""

    PHOTO = "photo"
    TILES = "tiles"
    TOTAL = "total"


@dataclass(frozen=True, slots=True)
class Doing:
    """What this screen is busy with; a new one for every hand."""

    slot: tuple[str, int, int]
    how: How
    typed: str = ""
    only: int | None = None
    """Tiles with this number are shown; None: all."""
    editing: int | None = None
    """The place of the tile that is being changed; -1: one is being added."""
    first: int | None = None
    second: int | None = None
    asked: tuple[Violation, ...] = ()
    """What the rules wonder about: a reason is asked for."""
    why: str = ""
    problem: str = ""
    """What went wrong, in a sentence."""
    live: bool = False
    """The live camera is on."""


@ft.component
def Count() -> Any:
    """The screen for one hand."""
    env = use_env()
    params = ft.use_route_params()
    code, number, seat = params.get("code", "").upper(), _whole(params.get("number")), _whole(params.get("seat"))
    slot = (code, number, seat)
    place = use_place(code)
    how = How(params["how"]) if params.get("how") in set(How) else How.PHOTO
    live, drawn = use_live(Doing(slot, how)), use_live(0)
    doing = live.value if live.value.slot == slot else Doing(slot, how)
    route = f"/game/{code}/count/{number}/{seat}"
    key: Key = (env.visitor.key, code, number, seat)
    counting = DRAFTS.get(key)

    def put(change: Change) -> None:
        DRAFTS.put(key, change(DRAFTS.get(key)))
        drawn.change(lambda n: n + 1)

    def doing_now() -> Doing:
        return live.now() if live.now().slot == slot else Doing(slot, how)

    def do(**changes: Any) -> None:
        live.set(replace(doing_now(), **changes))

    def press(digit: str) -> None:
        do(typed=pressed(doing_now().typed, digit), problem="")

    ready = not isinstance(place, CompanionError) and not place.gone
    ft.use_dialog(_dialogs(env, place, doing, do, counting, put) if ready else None)  # type: ignore[arg-type]
    if isinstance(place, CompanionError):
        return no_place(env, route, place)
    game = place.game
    played = next((one for one in game.rounds if one.number == number), None)
    if place.gone or played is None or seat not in played.table.participants:
        return no_place(env, route, CompanionError("code_unknown", code=code))
    counting = _with_scans(place, key, counting)
    elsewhere = tiles_elsewhere(game, number, seat)
    counting = replace(counting, taken=frozenset(elsewhere))
    player = game.players[seat]
    correcting = played.score(seat) is not None
    back = f"/game/{code}"
    if not place.role.may_score(seat):
        return screen(
            env, route, env.say("ui_count_title", name=player.name, number=number),
            notice(env, env.say("ui_not_yours", name=player.name), "info"),
            button(env, env.say("ui_choose_seat"), lambda: env.go(f"/game/{code}/people"), kind="filled"),
            back=back,
        )  # fmt: skip

    def accept(why: str | None = None) -> None:
        try:
            outcome = _record(place, doing_now(), DRAFTS.get(key), correcting, why)
        except IllegalMoveError as error:
            if any(violation.impossible for violation in error.violations):
                do(problem=explain(env, error, game), asked=())
            else:
                do(asked=tuple(error.violations), problem="")
            return
        except CompanionError as error:
            do(problem=explain(env, error, game), asked=())
            return
        for scan in place.scans(seat, number):
            place.discard(scan)
        DRAFTS.drop(key)
        if outcome is Outcome.BOTH:
            tell(env, env.say("ui_both_kept"))
        following = None if correcting else next_missing(place.game, seat)
        if following is not None and place.role.may_score(following):
            env.go(f"/game/{code}/count/{number}/{following}/{doing.how}")
        else:
            env.go(back if correcting else f"/game/{code}/round")

    parts = {
        How.PHOTO: lambda: photo_part(
            env, place, number, seat, counting, put, doing, do, elsewhere_names(env, game, elsewhere)
        ),
        How.TILES: lambda: _tiles_part(env, game, counting, put, doing, do, elsewhere_names(env, game, elsewhere)),
        How.TOTAL: lambda: _total_part(env, doing, press),
    }
    controls: list[ft.Control] = [
        choices(
            env,
            [(one, env.say(f"ui_how_{one}")) for one in How],
            doing.how,
            lambda one: do(how=one, problem="", live=False),
            env.say("ui_how"),
        )
    ]
    if correcting:
        points = played.score(seat).points  # type: ignore[union-attr]
        controls.append(notice(env, env.say("ui_correcting", points=points), "info"))
    if doing.problem:
        controls.append(notice(env, doing.problem, "error"))
    controls += parts[doing.how]()
    if correcting:
        controls.append(
            field(env, env.say("ui_reason"), doing.why, lambda text: do(why=text), max_length=80, counter="")
        )
    return screen(
        env,
        route,
        player.name,
        *controls,
        subtitle=env.say("ui_count_subtitle", number=number, engine=played.table.engine or "?"),
        back=back,
        bottom=_foot(env, game, doing, counting, correcting, accept),
    )


def _whole(text: str | None) -> int:
    return int(text) if text and text.isdigit() and len(text) < 4 else -1


def _with_scans(place: Place, key: Key, counting: Counting) -> Counting:
    """The hand with the tiles of every photo that has been read."""
    for scan in place.scans(key[3], key[2]):
        if scan.state is ScanState.DONE and scan.reading is not None and scan.id not in counting.photos:
            counting = counting.read(scan.reading, scan.id)
            DRAFTS.put(key, counting)
    return counting


def _record(place: Place, doing: Doing, counting: Counting, correcting: bool, why: str | None) -> Outcome:
    """Write the score down. Raises CompanionError."""
    _, number, seat = doing.slot
    total = doing.how is How.TOTAL
    if correcting:
        points = int(doing.typed) if total else counting.points(place.game)
        return place.commit(place.propose(propose_correction, seat, points, doing.why, number).confirmed())
    if total:
        return place.commit(place.propose(propose_total, seat, int(doing.typed), number, why).confirmed())
    scan = next((scan for scan in place.scans(seat, number) if scan.id in counting.photos), None)
    photo = scan.sha256 if scan else None
    reading = corrected(scan.reading, counting, scan.id) if scan and scan.reading else None
    return place.commit(place.propose(propose_tiles, seat, counting.tiles, number, why, photo).confirmed(), reading)


def elsewhere_names(env: Env, game: Game, elsewhere: dict[Tile, int | Elsewhere]) -> dict[Tile, str]:
    """Who holds the tiles that cannot be here, in words."""
    return {
        tile: env.say(f"ui_elsewhere_{who}")
        if isinstance(who, Elsewhere)
        else env.say("ui_elsewhere_player", name=game.players[who].name)
        for tile, who in elsewhere.items()
    }


def _tiles_part(
    env: Env,
    game: Game,
    counting: Counting,
    put: Put,
    doing: Doing,
    do: Callable[..., None],
    elsewhere: dict[Tile, str],
) -> list[ft.Control]:
    def on_tile(tile: Tile) -> None:
        if tile in elsewhere and tile not in counting.tiles:
            do(problem=env.say("ui_tile_taken_more", tile=tile, who=elsewhere[tile]))
        else:
            do(problem="")
            put(lambda hand: hand.toggle(tile))

    return [
        tile_grid(
            env, game.rules.tile_set, frozenset(counting.tiles), elsewhere, doing.only, on_tile,
            lambda only: do(only=only),
        )
    ]  # fmt: skip


def _total_part(env: Env, doing: Doing, press: Callable[[str], None]) -> list[ft.Control]:
    return [
        ft.Row(
            [keypad(env, doing.typed, press, env.say("ui_total_hint"))],
            alignment=ft.MainAxisAlignment.CENTER,
        )
    ]


def _foot(
    env: Env, game: Game, doing: Doing, counting: Counting, correcting: bool, accept: Callable[[], None]
) -> ft.Control:
    """The running total, always in sight, and the button that accepts it."""
    if doing.how is How.TOTAL:
        usable = doing.typed.lstrip("-").isdigit()
        words, detail = env.say("ui_points", points=int(doing.typed)) if usable else env.say("ui_no_total"), ""
    else:
        usable = bool(counting.found) and not counting.impossible
        words = env.say("ui_points", points=counting.points(game))
        detail = env.say("ui_tiles", n=len(counting.found)) if counting.found else env.say("ui_no_tiles_yet")
        if counting.impossible:
            detail += " · " + env.say("ui_impossible_n", n=len(counting.impossible))
        elif counting.doubtful:
            detail += " · " + env.say("ui_doubtful_n", n=len(counting.doubtful))
    usable = usable and not (correcting and not doing.why.strip())
    column: list[ft.Control] = [write(env, words, Role.NUMBER)]
    if detail:
        column.append(muted(env, detail))
    if correcting and not doing.why.strip():
        column.append(muted(env, env.say("ui_reason_first")))
    return ft.Container(
        ft.Row(
            [
                ft.Semantics(
                    live_region=True, content=ft.Column(column, spacing=0, tight=True), container=True, expand=True
                ),
                button(env, env.say("ui_accept"), accept, ft.Icons.CHECK, "filled", disabled=not usable),
            ],
            spacing=12,
        ),
        padding=ft.Padding.symmetric(vertical=10, horizontal=16),
        bgcolor=env.colour("surface_container"),
    )


def _dialogs(
    env: Env, place: Place, doing: Doing, do: Callable[..., None], counting: Counting, put: Put
) -> ft.AlertDialog | None:
    """The question for a reason, or the tile that is being changed."""
    if doing.asked:
        return _reason(env, place, doing, do, counting)
    if doing.editing is not None:
        return _edit(env, place.game, doing, do, put)
    return None


def _reason(env: Env, place: Place, doing: Doing, do: Callable[..., None], counting: Counting) -> ft.AlertDialog:
    """The rules wonder: is it right all the same, and why?"""
    error = IllegalMoveError("illegal_move", doing.asked)
    code, number, seat = doing.slot

    def insist() -> None:
        why = doing.why.strip() or env.say("ui_reason_default")
        try:
            _record(place, doing, counting, False, why)
        except CompanionError as caught:
            do(asked=(), problem=explain(env, caught, place.game))
            return
        for scan in place.scans(seat, number):
            place.discard(scan)
        DRAFTS.drop((env.visitor.key, code, number, seat))
        env.go(f"/game/{code}/round")

    return dialog(
        env,
        env.say("ui_odd_title"),
        [
            write(env, explain(env, error, place.game)),
            field(env, env.say("ui_reason"), doing.why, lambda text: do(why=text), max_length=80, counter=""),
        ],
        [
            button(env, env.say("ui_look_again"), lambda: do(asked=()), kind="text"),
            button(env, env.say("ui_it_is_right"), insist, kind="tonal"),
        ],
        lambda: do(asked=()),
    )


def _edit(env: Env, game: Game, doing: Doing, do: Callable[..., None], put: Put) -> ft.AlertDialog:
    """The halves of a tile, to be changed; or of one that was not seen."""
    where = doing.editing
    assert where is not None
    close: Callable[[], None] = lambda: do(editing=None, first=None, second=None)  # noqa: E731

    def save() -> None:
        first, second = doing.first, doing.second
        if first is None or second is None:
            return
        if where < 0:
            put(lambda hand: hand.add(Tile(first, second)))
        else:
            put(lambda hand: hand.change(where, first, second))
        close()

    def remove() -> None:
        put(lambda hand: hand.remove(where))
        close()

    actions = [button(env, env.say("ui_cancel"), close, kind="text")]
    if where >= 0:
        actions.append(button(env, env.say("ui_not_a_tile"), remove, ft.Icons.DELETE_OUTLINE, "danger"))
    actions.append(
        button(
            env, env.say("ui_save"), save, ft.Icons.CHECK, "filled",
            disabled=doing.first is None or doing.second is None,
        )
    )  # fmt: skip
    return dialog(
        env,
        env.say("ui_add_tile" if where < 0 else "ui_change_tile"),
        [
            halves_picker(
                env, game.rules.max_pip, doing.first, doing.second,
                lambda first, second: do(first=first, second=second),
            )
        ],
        actions,
        close,
    )  # fmt: skip
