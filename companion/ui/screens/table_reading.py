"""A photo of the table: what is new on it, in words and outlined, and the one tap that records it."""

from collections.abc import Callable, Sequence
from functools import partial

import flet as ft

from companion.app.place import Place
from companion.app.scan_queue import Scan, ScanState
from companion.app.session import Draft
from companion.app.table_intake import Alternative, Standing, TableProposal
from companion.app.table_talk import answer_line, notice_line, question_lines
from companion.app.table_words import player_names
from companion.errors import CompanionError
from companion.rules.events import EngineLaid, Event, TilePlayed
from companion.rules.state import Game
from companion.rules.tiles import Tile
from companion.text.narrate import event_sentence
from companion.ui.env import Env
from companion.ui.model import Found
from companion.ui.screens.table_moves import Moves
from companion.ui.theme import Role
from companion.ui.widgets.basics import button, card, muted, notice, write
from companion.ui.widgets.photo import Mark, PhotoWithMarks
from companion.ui.widgets.place import explain
from companion.vision.readings import TableReading, TileReading


def reading_part(env: Env, place: Place, game: Game, moves: Moves, width: float) -> list[ft.Control]:
    """What is shown of the photo of the table; nothing while there is none."""
    scan = place.table.scan
    if scan is None:
        return []
    if scan.state is ScanState.FAILED:
        sentence = explain(env, scan.error) if scan.error is not None else env.say("ui_photo_failed")
        close = button(env, env.say("ui_close"), partial(_throw_away, env, place, moves), kind="text")
        return [notice(env, f"{sentence} {env.say('ui_table_not_read')}", "error", close, key=scan.id)]
    proposal = place.table.proposal()
    if proposal is None or scan.table is None:
        return [_progress(env, place, moves, scan)]
    return [_proposal(env, place, game, moves, scan, scan.table, proposal, width)]


def _progress(env: Env, place: Place, moves: Moves, scan: Scan) -> ft.Control:
    words = env.say("ui_reading") if scan.place == 0 else env.say("ui_in_queue", n=scan.place)
    return card(
        env,
        ft.Row(
            [
                ft.ProgressRing(width=28, height=28, color=env.colour("primary"), semantics_label=words),
                ft.Semantics(live_region=True, content=write(env, words, Role.LABEL), expand=True),
                button(env, env.say("ui_cancel_photo"), partial(_throw_away, env, place, moves), kind="text"),
            ],
            spacing=14,
            wrap=env.narrow,
        ),
        key=scan.id,
    )


def _proposal(
    env: Env,
    place: Place,
    game: Game,
    moves: Moves,
    scan: Scan,
    reading: TableReading,
    proposal: TableProposal,
    width: float,
) -> ft.Control:
    names = player_names(game)
    events = proposal.draft.events
    asked = proposal.question
    said: list[ft.Control] = [write(env, env.say("ui_table_photo_says"), Role.TITLE)]
    said += [muted(env, notice_line(one, game, env.look.lang), Role.BODY) for one in proposal.notices]
    actions: list[ft.Control] = []
    if events:
        said.append(_told(env, events, names))
        if proposal.draft.doubts or proposal.standing is Standing.LOOK_AGAIN:
            said.append(muted(env, env.say("ui_table_photo_check"), Role.BODY))
        actions.append(
            button(
                env, env.say("ui_accept"),
                partial(_accept, env, place, moves, proposal.draft.confirmed(), proposal),
                ft.Icons.CHECK, "filled", expand=True,
            )
        )  # fmt: skip
    if asked is not None:
        first, *clauses = question_lines(asked, game, env.look.lang)
        said.append(ft.Semantics(live_region=True, content=write(env, first, Role.LABEL)))
        said += [notice(env, line, "doubt", key=f"{scan.id}/{line}") for line in clauses]
        for one in asked.alternatives:
            words = answer_line(one, game, env.look.lang)
            actions.append(
                button(
                    env, words[:1].upper() + words[1:],
                    partial(_answer, env, place, moves, one), kind="tonal",
                )
            )  # fmt: skip
    if not events and asked is None:
        if proposal.suggestion is not None and proposal.suggestion.events:
            said.append(write(env, env.say("ui_table_photo_perhaps"), Role.LABEL))
            said.append(_told(env, proposal.suggestion.events, names))
            actions.append(
                button(
                    env, env.say("ui_accept"), partial(_accept, env, place, moves, proposal.suggestion, proposal),
                    ft.Icons.CHECK, "tonal",
                )
            )  # fmt: skip
        elif not proposal.notices:
            said.append(ft.Semantics(live_region=True, content=write(env, env.say("ui_table_photo_same"))))
    actions.append(
        button(
            env,
            env.say("ui_throw_photo_away"),
            partial(_throw_away, env, place, moves),
            ft.Icons.DELETE_OUTLINE,
            "text",
        )
    )
    marks = _marks(env, game, reading, _plays(proposal))
    size = scan.width, scan.height
    inner = width - 32
    high = max(env.height * 0.34, 200)
    shown = min(inner, high * size[0] / max(size[1], 1))
    picture = ft.Row(
        [
            PhotoWithMarks(
                scan.shown or b"", size, marks, shown, lambda _: None, env.say("ui_table_photo"),
                key=f"{scan.id}/{place.seq}",  # type: ignore[call-arg]
            )
        ],
        alignment=ft.MainAxisAlignment.CENTER,
    )  # fmt: skip
    return card(env, picture, *said, ft.Column(actions, spacing=8, horizontal_alignment=ft.CrossAxisAlignment.STRETCH),
                key=scan.id)  # fmt: skip


def _told(env: Env, events: Sequence[Event], names: Sequence[str]) -> ft.Control:
    """Events in words, the tiles numbered as in the photo."""
    lines: list[ft.Control] = []
    number = 0
    for event in events:
        words = event_sentence(event, names, env.look.lang)
        if isinstance(event, TilePlayed | EngineLaid):
            number += 1
            words = f"{number} · {words}"
        lines.append(write(env, words))
    return ft.Semantics(live_region=True, content=ft.Column(lines, spacing=4, tight=True))


def _plays(proposal: TableProposal) -> tuple[TilePlayed | EngineLaid, ...]:
    """Every tile that the proposal, or an answer to its question, says was laid."""
    found = [event for event in proposal.draft.events if isinstance(event, TilePlayed | EngineLaid)]
    if proposal.question is not None:
        for one in proposal.question.alternatives:
            found += [play for play in one.plays if all(play.tile != other.tile for other in found)]
    return tuple(found)


def _marks(env: Env, game: Game, reading: TableReading, plays: Sequence[TilePlayed | EngineLaid]) -> tuple[Mark, ...]:
    """The new tiles, numbered as they are told, and those that are read where the log has another one."""
    numbers = {play.tile: number for number, play in reversed(list(enumerate(plays, start=1)))}
    known: frozenset[Tile] = game.table.on_table if game.table is not None else frozenset()
    marks = []
    for one in reading.face_up:
        if one.tile in numbers:
            words = env.say("ui_table_new_tile", n=numbers[one.tile], tile=one.tile)
            marks.append(Mark(numbers[one.tile], _found(one), False, False, words))
        elif one.tile not in known:
            marks.append(Mark(0, _found(one), True, False, env.say("ui_table_odd_tile", tile=one.tile)))
    return tuple(marks)


def _found(reading: TileReading) -> Found:
    first, second = (half.pips for half in reading.halves)
    return Found(first, second, tuple((float(x), float(y)) for x, y in reading.box.corners))


def _accept(env: Env, place: Place, moves: Moves, draft: Draft, proposal: TableProposal) -> None:
    _do(env, place, moves, lambda: place.table.accept(draft, proposal.following))


def _answer(env: Env, place: Place, moves: Moves, answer: Alternative) -> None:
    _do(env, place, moves, lambda: place.table.accept(answer.draft.confirmed(), answer.following))


def _throw_away(env: Env, place: Place, moves: Moves) -> None:
    _do(env, place, moves, place.table.throw_away)


def _do(env: Env, place: Place, moves: Moves, do: Callable[[], object]) -> None:
    try:
        do()
    except CompanionError as error:
        moves.calm(problem=explain(env, error, place.game))
    else:
        moves.calm()
