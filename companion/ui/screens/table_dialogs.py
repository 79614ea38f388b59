"""What is asked over the table's screen: a move against the rules, and what is done less often."""

from functools import partial

import flet as ft

from companion.app.place import Place
from companion.app.table_words import legal_lines, player_names
from companion.rules.moves import Mark, Play, ViolationCode
from companion.rules.state import EndReason, Game, Phase
from companion.text.describe import violation_sentence
from companion.ui.env import Env
from companion.ui.screens.table_moves import Moves
from companion.ui.table_model import Doing, Mode, More, allowed, sees_hand
from companion.ui.theme import Role
from companion.ui.widgets.basics import button, choices, field, muted, write
from companion.ui.widgets.dialogs import dialog


def question(env: Env, place: Place, moves: Moves, doing: Doing) -> ft.AlertDialog | None:
    """What is asked now; None: nothing."""
    game = place.game
    if doing.asked:
        return _against_the_rules(env, game, moves, doing)
    if doing.more is More.MENU:
        return _menu(env, place, game, moves)
    if doing.more is More.END:
        return _end(env, place, game, moves)
    return None


def _against_the_rules(env: Env, game: Game, moves: Moves, doing: Doing) -> ft.AlertDialog:
    """Every clause with its sentence, what would be legal, and the reason why the table insists."""
    names, lang = player_names(game), env.look.lang
    content: list[ft.Control] = [
        ft.Semantics(
            live_region=True,
            content=ft.Column(
                [
                    ft.Row(
                        [
                            ft.Container(
                                write(
                                    env, one.clause, Role.SMALL, color=env.colour("on_error_container"), no_wrap=True
                                ),
                                bgcolor=env.colour("error_container"),
                                border_radius=8,
                                padding=ft.Padding.symmetric(vertical=3, horizontal=7),
                            ),
                            ft.Container(write(env, violation_sentence(one, names, lang)), expand=True),
                        ],
                        vertical_alignment=ft.CrossAxisAlignment.START,
                        spacing=8,
                        wrap=env.narrow,
                    )
                    for one in doing.asked
                ],
                spacing=8,
                tight=True,
            ),
        )
    ]
    lines = legal_lines(game, lang)
    if lines:
        content.append(muted(env, "\n".join(line.strip() for line in lines)))
    actions = [button(env, env.say("ui_look_again"), moves.calm, kind="text")]
    if not any(one.impossible for one in doing.asked):
        move = doing.move
        if isinstance(move, Play) and any(one.code is ViolationCode.DOES_NOT_MATCH for one in doing.asked):
            halves = sorted({move.tile.low, move.tile.high})
            content.append(write(env, env.say("ui_table_outer"), Role.LABEL))
            content.append(
                choices(
                    env, [(half, str(half)) for half in halves],
                    move.tile.high if doing.outer is None else doing.outer,
                    lambda half: moves.do(outer=half), env.say("ui_table_outer"),
                )
            )  # fmt: skip
        content.append(
            field(
                env, env.say("ui_reason"), doing.why,
                moves.note_why, max_length=80, counter="",
            )
        )  # fmt: skip

        def insist() -> None:
            moves.insist(moves.live.now().why.strip() or env.say("ui_reason_default"))

        actions.append(button(env, env.say("ui_table_insist"), insist, ft.Icons.GAVEL, "tonal"))
    return dialog(env, env.say("illegal_move"), content, actions, moves.calm)


def _menu(env: Env, place: Place, game: Game, moves: Moves) -> ft.AlertDialog:
    """What is done less often."""
    table, role, seat = game.table, place.role, moves.seat()
    content: list[ft.Control] = []

    def one(words: str, icon: ft.IconData, on_click: object, **more: object) -> None:
        content.append(button(env, words, on_click, icon, "outlined", **more))  # type: ignore[arg-type]

    if table is not None and seat is not None:
        others = [other for other in table.seats if role.may_score(other)]
        if len(others) > 1:
            content.append(write(env, env.say("ui_table_who_moves"), Role.LABEL))
            content.append(
                choices(
                    env, [(other, game.players[other].name) for other in others], seat,
                    lambda other: moves.calm(mover=other), env.say("ui_table_who_moves"),
                )
            )  # fmt: skip
        name = game.players[seat].name
        if table.phase is Phase.PLAYING:
            one(env.say("ui_table_draw_shown"), ft.Icons.VISIBILITY_OUTLINED, moves.name_drawn)
            marker = table.trains[seat].marker
            if marker or game.rules.voluntary_marker or Mark in allowed(game, seat):
                key = "ui_table_marker_off" if marker else "ui_table_marker_on"
                one(env.say(key), ft.Icons.TRAIN, partial(moves.mark, not marker))
        if sees_hand(role, place.taken_seats, seat):
            known = table.hands[seat].known
            one(
                env.say("ui_table_show_hand", name=name), ft.Icons.BACK_HAND_OUTLINED,
                lambda: moves.calm(mode=Mode.HAND, hand=known, every=True, mover=moves.live.now().mover),
            )  # fmt: skip
        if game.rules.last_tile_call:
            for other in table.seats:
                if table.hands[other].count == 1 and role.may_score(other):
                    words = env.say("ui_table_missed_call", name=game.players[other].name)
                    one(words, ft.Icons.CAMPAIGN_OUTLINED, partial(moves.missed_call, other))
        one(env.say("ui_table_end_round"), ft.Icons.FLAG_OUTLINED, lambda: moves.do(more=More.END))
    return dialog(
        env, env.say("ui_table_more"), content,
        [button(env, env.say("ui_close"), lambda: moves.do(more=More.CLOSED), kind="text")],
        lambda: moves.do(more=More.CLOSED),
    )  # fmt: skip


def _end(env: Env, place: Place, game: Game, moves: Moves) -> ft.AlertDialog:
    """How did the round end?"""
    table = game.table
    content: list[ft.Control] = [write(env, env.say("ui_who_went_out"), Role.LABEL)]
    if table is not None:
        content += [
            button(
                env, game.players[seat].name, partial(moves.end, EndReason.OUT, seat), kind="tonal",
                name=env.say("ui_went_out", name=game.players[seat].name),
            )
            for seat in table.seats
            if place.role.may_score(seat)
        ]  # fmt: skip
    if place.role.host:
        content.append(
            button(env, env.say("ui_nobody_blocked"), partial(moves.end, EndReason.BLOCKED), kind="outlined")
        )
        content.append(button(env, env.say("ui_table_called"), partial(moves.end, EndReason.CALLED), kind="outlined"))
    return dialog(
        env, env.say("ui_table_end_round"), content,
        [button(env, env.say("ui_cancel"), lambda: moves.do(more=More.CLOSED), kind="text")],
        lambda: moves.do(more=More.CLOSED),
    )  # fmt: skip
