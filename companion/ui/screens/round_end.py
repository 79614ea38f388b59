"""The round that is being counted: who has entered, who is missing, who went out; then the next round."""

from collections.abc import Callable
from functools import partial
from typing import Any

import flet as ft

from companion.app.evening import propose_out, propose_round, propose_round_over
from companion.app.inventory import round_inventory
from companion.app.people import train_colours
from companion.app.place import Place
from companion.app.table_talk import inventory_lines
from companion.errors import CompanionError
from companion.rules.house_rules import Starter
from companion.rules.scoring import round_winners
from companion.rules.seating import due_starter
from companion.rules.state import EndReason, Game, Round
from companion.ui.env import Env, use_env
from companion.ui.hooks import Live, use_live
from companion.ui.model import badge_letters, places, round_to_start
from companion.ui.theme import Role
from companion.ui.widgets.basics import button, card, choices, heading, line_up, muted, notice, screen, write
from companion.ui.widgets.game_bar import game_bar
from companion.ui.widgets.notices import notices
from companion.ui.widgets.people import badge, seat_colour
from companion.ui.widgets.place import attempt, no_place, use_place
from companion.ui.widgets.tile import tile_face


@ft.component
def RoundNow() -> Any:
    """The screen of the current round."""
    env = use_env()
    code = ft.use_route_params().get("code", "").upper()
    place = use_place(code)
    starter: Live[int | None] = use_live(None)
    route = f"/game/{code}/round"
    if isinstance(place, CompanionError):
        return no_place(env, route, place)
    game = place.game
    number = game.rounds[-1].number if game.rounds else 0
    return screen(
        env,
        route,
        env.say("ui_card_round", number=number, rounds=game.planned_rounds) if number else env.say("ui_place_round"),
        *notices(env, place),
        card(env, *round_panel(env, place, game, starter.value, starter.set, title=False)),
        back=f"/game/{code}",
        bottom=game_bar(env, code, "round"),
    )


def round_panel(
    env: Env,
    place: Place,
    game: Game,
    starter: int | None,
    set_starter: Callable[[int | None], None],
    title: bool = True,
) -> list[ft.Control]:
    """What is known of the round, and the next thing to do."""
    current = game.round
    controls: list[ft.Control] = []
    if current is not None:
        if title:
            controls.append(heading(env, env.say("ui_round", number=current.number)))
        controls.append(_engine(env, game, current))
        if current.missing and current.ended is None:
            controls += _who_went_out(env, place, game, current)
        controls += _entries(env, place, game, current)
        if not current.missing:
            controls += _result(env, game, current)
    number = round_to_start(game)
    if game.ended:
        see = f"/game/{place.code}/end"
        controls.append(button(env, env.say("ui_see_winner"), lambda: env.go(see), ft.Icons.EMOJI_EVENTS, "filled"))
    elif number is not None:
        controls += _next_round(env, place, game, number, starter, set_starter)
    return controls


def _engine(env: Env, game: Game, current: Round) -> ft.Control:
    words: list[ft.Control] = [write(env, env.say("ui_engine_unknown"))]
    row: list[ft.Control] = []
    if current.table.engine is not None:
        row.append(tile_face(current.table.engine, 64))
        words = [write(env, env.say("ui_engine_is", tile=current.table.engine), Role.LABEL)]
    if current.starter is not None:
        words.append(muted(env, env.say("ui_starts", name=game.players[current.starter].name)))
    return ft.Row([*row, ft.Column(words, spacing=0, expand=True)], spacing=14)


def _who_went_out(env: Env, place: Place, game: Game, current: Round) -> list[ft.Control]:
    mine = [seat for seat in current.table.seats if seat in current.missing and place.role.may_score(seat)]
    if not mine:
        return []

    def out(seat: int) -> None:
        attempt(env, game, lambda: place.commit(place.propose(propose_out, seat)))

    def over(reason: EndReason) -> None:
        attempt(env, game, lambda: place.commit(place.propose(propose_round_over, reason)))

    buttons = [
        button(
            env, game.players[seat].name, partial(out, seat), kind="tonal",
            name=env.say("ui_went_out", name=game.players[seat].name),
        )
        for seat in mine
    ]  # fmt: skip
    if place.role.host:
        buttons.append(button(env, env.say("ui_nobody_blocked"), lambda: over(EndReason.BLOCKED), kind="outlined"))
    return [
        ft.Column(
            [
                write(env, env.say("ui_who_went_out"), Role.LABEL),
                ft.Row(buttons, wrap=True, spacing=8, run_spacing=8),
            ],
            spacing=8,
            key="went-out",
        )
    ]


def _entries(env: Env, place: Place, game: Game, current: Round) -> list[ft.Control]:
    letters = badge_letters([player.name for player in game.players])
    colours = train_colours(env.hub, place.code)
    entered = len(current.table.participants) - len(current.missing)
    rows: list[ft.Control] = [
        write(env, env.say("ui_entered", n=entered, all=len(current.table.participants)), Role.LABEL)
    ]
    for seat in current.table.participants:
        score = current.score(seat)
        where = f"/game/{place.code}/count/{current.number}/{seat}"
        name = game.players[seat].name
        end: ft.Control
        if score is not None:
            end = ft.Row(
                [
                    write(env, str(score.points), Role.NUMBER),
                    ft.Icon(ft.Icons.CHECK_CIRCLE, color=env.colour("primary"), size=22),
                ],
                tight=True,
                spacing=6,
            )
        elif seat not in current.missing:
            end = muted(env, "–")
        elif place.role.may_score(seat):
            end = button(
                env, env.say("ui_count"), partial(env.go, where), ft.Icons.PHOTO_CAMERA_OUTLINED,
                "filled", name=env.say("ui_count_of", name=name),
            )  # fmt: skip
        else:
            end = ft.Row(
                [
                    ft.Icon(ft.Icons.HOURGLASS_EMPTY, color=env.colour("secondary"), size=20),
                    muted(env, env.say("ui_cell_missing")),
                ],
                tight=True,
                spacing=4,
            )
        rows.append(
            ft.Container(
                line_up(env, [badge(env, letters[seat], seat_colour(colours, seat))], write(env, name), end),
                padding=ft.Padding.symmetric(vertical=4),
                border=ft.Border(bottom=ft.BorderSide(1, env.colour("outline_variant"))),
                key=str(seat),
            )
        )
    return rows


def _result(env: Env, game: Game, current: Round) -> list[ft.Control]:
    best = round_winners(game, current)
    names = [game.players[seat].name for seat in best]
    lines: list[ft.Control] = []
    if names:
        words = env.say("ui_round_won", names=", ".join(names), n=len(names))
        lines.append(
            ft.Row(
                [
                    ft.Icon(ft.Icons.STAR, color=env.colour("tertiary"), size=22),
                    ft.Semantics(live_region=True, content=write(env, words, Role.LABEL), expand=True),
                ]
            )
        )
    leaders = [game.players[place.seat].name for place in places(game) if place.leads]
    if leaders and not game.ended:
        lines.append(muted(env, env.say("ui_card_leads", names=", ".join(leaders), n=len(leaders)), Role.BODY))
    inventory = round_inventory(game)
    if inventory is not None and inventory.is_right:
        lines += [muted(env, line) for line in inventory_lines(inventory, env.look.lang)]
    elif inventory is not None:
        lines += [notice(env, line, "doubt") for line in inventory_lines(inventory, env.look.lang)]
    return lines


def _next_round(
    env: Env,
    place: Place,
    game: Game,
    number: int,
    starter: int | None,
    set_starter: Callable[[int | None], None],
) -> list[ft.Control]:
    if not (place.role.host or place.role.seats):
        return [muted(env, env.say("ui_wait_for_round", number=number), Role.BODY)]
    due = due_starter(game)
    controls: list[ft.Control] = []
    if due is not None:
        controls.append(write(env, env.say("ui_will_start", name=game.players[due].name)))
    elif game.rules.starter is not Starter.ENGINE_HOLDER:
        options: list[tuple[int | None, str]] = [(None, env.say("ui_starter_open"))]
        options += [(seat, game.players[seat].name) for seat in game.order]
        controls.append(write(env, env.say("ui_who_starts"), Role.LABEL))
        controls.append(choices(env, options, starter, set_starter, env.say("ui_who_starts")))

    def begin() -> None:
        if attempt(env, game, lambda: place.commit(place.propose(propose_round, None if due is not None else starter))):
            set_starter(None)

    controls.append(
        button(
            env,
            env.say("ui_start_round", number=number),
            begin,
            ft.Icons.PLAY_ARROW,
            "filled",
            disabled=not place.role.host,
        )
    )
    if not place.role.host:
        controls.append(muted(env, env.say("ui_host_starts")))
    return controls
