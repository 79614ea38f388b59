"""Count a hand: by photo, by tapping its tiles, or as a total; each one tap away from the others."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import flet as ft

from companion.app.live_game import Outcome
from companion.app.place import Place
from companion.app.scan_queue import ScanState
from companion.errors import CompanionError, IllegalMoveError
from companion.rules.state import Game
from companion.rules.tiles import Tile
from companion.ui.drafts import DRAFTS, Key
from companion.ui.env import Env, use_env
from companion.ui.hooks import Live, use_live
from companion.ui.model import Counting, next_missing, tiles_elsewhere
from companion.ui.screens.count_dialogs import question
from companion.ui.screens.count_photo import photo_part
from companion.ui.screens.count_state import Change, Doing, How, Put, Slot, elsewhere_names, lacking, record
from companion.ui.theme import Role
from companion.ui.widgets.basics import button, choices, field, muted, notice, screen, write
from companion.ui.widgets.keypad import keypad, pressed
from companion.ui.widgets.notices import two_entries
from companion.ui.widgets.place import explain, no_place, tell, use_place
from companion.ui.widgets.tile_grid import tile_grid

STRETCH = ft.CrossAxisAlignment.STRETCH


@ft.component
def Count() -> Any:
    """The screen for one hand.

    Nobody waits for the screen here: what a quick tap does is worked out from what is now, not from what was drawn,
    and after *Accept* the next hand takes over before its address has arrived.
    """
    env = use_env()
    params = ft.use_route_params()
    code, link = params.get("code", "").upper(), params.get("how") or ""
    asked: Slot = (code, _whole(params.get("number")), _whole(params.get("seat")))
    place = use_place(code)
    live, drawn = use_live(_begin(asked, link)), use_live(0)
    ahead: Live[tuple[Slot, ...]] = use_live(())
    """The hands that were accepted and then the one whose turn it is, until its address has arrived."""
    if asked not in ahead.now()[:-1]:
        ahead.note(())
    slot = ahead.now()[-1] if ahead.now() else asked
    _, number, seat = slot
    if live.now().slot != slot:
        live.note(_begin(slot, link))
    elif link and link != live.now().link and slot == asked:
        live.note(replace(live.now(), how=How(link) if link in set(How) else live.now().how, link=link, live=False))
    doing = live.now()
    route = f"/game/{code}/count"  # of all hands: another one would be another page, which takes no tap while it comes
    key: Key = (env.visitor.key, code, number, seat)
    counting = DRAFTS.get(key)

    def put(change: Change) -> None:
        now: Key = (env.visitor.key, *live.now().slot)
        DRAFTS.put(now, change(DRAFTS.get(now)))
        drawn.change(lambda n: n + 1)

    def do(**changes: Any) -> None:
        live.change(lambda now: replace(now, **changes))

    def note_why(text: str) -> None:
        live.note(replace(live.now(), why=text))

    def press(digit: str) -> None:
        do(typed=pressed(live.now().typed, digit), problem="")

    def accept(why: str | None = None) -> None:
        now = live.now()
        if isinstance(place, CompanionError) or now.slot != slot or now.accepted:
            return  # a second tap on the same button
        hand, game = DRAFTS.get(key), place.game
        correcting = _is_entered(game, slot)
        if sentence := lacking(
            env, now, replace(hand, taken=frozenset(tiles_elsewhere(game, number, seat))), correcting
        ):
            do(problem=sentence)
            return
        try:
            outcome = record(place, now, hand, correcting, why)
        except IllegalMoveError as error:
            if why is not None or any(violation.impossible for violation in error.violations):
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
            after: Slot = (code, number, following)
            ahead.note((*ahead.now(), asked, after) if slot == asked else (*ahead.now(), after))
            live.set(Doing(after, now.how, now.how))
            env.go(f"/game/{code}/count/{number}/{following}/{now.how}")
        else:
            do(accepted=True, asked=(), problem="")
            env.go(f"/game/{code}" if correcting else f"/game/{code}/round")

    def insist() -> None:
        accept(live.now().why.strip() or env.say("ui_reason_default"))

    ready = not isinstance(place, CompanionError) and not place.gone
    ft.use_dialog(question(env, place, live.now, do, put, note_why, insist) if ready else None)  # type: ignore[arg-type]
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
    correcting = _is_entered(game, slot) and not doing.accepted
    back = f"/game/{code}"
    if not place.role.may_score(seat):
        return screen(
            env, route, env.say("ui_count_title", name=player.name, number=number),
            notice(env, env.say("ui_not_yours", name=player.name), "info"),
            button(env, env.say("ui_choose_seat"), lambda: env.go(f"/game/{code}/people"), kind="filled"),
            back=back,
        )  # fmt: skip
    names = elsewhere_names(env, game, elsewhere)
    parts = {
        How.PHOTO: lambda: photo_part(env, place, number, seat, counting, put, doing, do, names),
        How.TILES: lambda: _tiles_part(env, game, counting, put, doing, do, names),
        How.TOTAL: lambda: _total_part(env, doing, press),
    }
    controls: list[ft.Control] = [
        *two_entries(env, place),
        choices(
            env,
            [(one, env.say(f"ui_how_{one}")) for one in How],
            doing.how,
            lambda one: do(how=one, problem="", live=False),
            env.say("ui_how"),
        ),
    ]
    if correcting:
        points = played.score(seat).points  # type: ignore[union-attr]
        controls.append(notice(env, env.say("ui_correcting", points=points), "info", key="correcting"))
    controls.append(ft.Column(parts[doing.how](), key=doing.how, spacing=16, horizontal_alignment=STRETCH))
    if correcting:
        controls.append(field(env, env.say("ui_reason"), doing.why, note_why, max_length=80, counter=""))
    return screen(
        env,
        route,
        player.name,
        *controls,
        subtitle="" if env.narrow else env.say("ui_count_subtitle", number=number, engine=played.table.engine or "?"),
        back=back,
        bottom=_foot(env, game, doing, counting, accept),
    )


def _begin(slot: Slot, link: str) -> Doing:
    return Doing(slot, How(link) if link in set(How) else How.PHOTO, link)


def _is_entered(game: Game, slot: Slot) -> bool:
    _, number, seat = slot
    return any(one.number == number and one.score(seat) is not None for one in game.rounds)


def _whole(text: str | None) -> int:
    return int(text) if text and text.isdecimal() and len(text) < 4 else -1


def _with_scans(place: Place, key: Key, counting: Counting) -> Counting:
    """The hand with the tiles of every photo that has been read."""
    for scan in place.scans(key[3], key[2]):
        if scan.state is ScanState.DONE and scan.reading is not None and scan.id not in counting.photos:
            counting = counting.read(scan.reading, scan.id)
            DRAFTS.put(key, counting)
    return counting


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


def _foot(env: Env, game: Game, doing: Doing, counting: Counting, accept: Callable[[], None]) -> ft.Control:
    """The running total, always in sight, and the button that accepts it.

    The button always answers: a quick tap may come before the screen knows that there is something to accept.
    """
    if doing.how is How.TOTAL:
        detail = ""
        words = env.say("ui_no_total") if doing.total is None else env.say("ui_points", points=doing.total)
    else:
        words = env.say("ui_points", points=counting.points(game))
        detail = env.say("ui_tiles", n=len(counting.found)) if counting.found else env.say("ui_no_tiles_yet")
        if counting.impossible:
            detail += " · " + env.say("ui_impossible_n", n=len(counting.impossible))
        elif counting.doubtful:
            detail += " · " + env.say("ui_doubtful_n", n=len(counting.doubtful))
    ready = not lacking(env, doing, counting, False)
    told: ft.Control
    if env.narrow:  # a line for all of it, and the button below: the hand needs the room
        told = write(env, f"{words} · {detail}" if detail else words, Role.LABEL)
    else:
        told = ft.Column(
            [write(env, words, Role.NUMBER), *([muted(env, detail)] if detail else [])], spacing=0, tight=True
        )
    said = ft.Semantics(live_region=True, content=told, container=True, expand=not env.narrow)
    yes = button(env, env.say("ui_accept"), accept, ft.Icons.CHECK, "filled" if ready else "tonal")
    typing = env.narrow and doing.how is How.TOTAL  # the keypad shows the number already
    problem = doing.problem if doing.editing is None else ""
    return ft.Container(
        ft.Column(
            [
                *([notice(env, problem, "error")] if problem else []),
                *([*([] if typing else [said]), yes] if env.narrow else [ft.Row([said, yes], spacing=12)]),
            ],
            spacing=8,
            tight=True,
            horizontal_alignment=STRETCH,
        ),
        padding=ft.Padding.symmetric(vertical=10, horizontal=16),
        bgcolor=env.colour("surface_container"),
    )
