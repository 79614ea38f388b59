"""The round's table: trains, markers, open doubles, whose turn it is; every move by hand or by photo."""

from functools import partial
from typing import Any

import flet as ft

from companion.app.people import train_colours
from companion.app.place import Place
from companion.app.table_play import asks_starter, can_be_followed, is_followed
from companion.app.table_words import player_names, turn_lines
from companion.errors import CompanionError
from companion.rules.house_rules import Starter
from companion.rules.seating import due_starter
from companion.rules.state import Game, Phase, TableState
from companion.rules.turn import TrainKey, reach, tail
from companion.text.describe import train_name
from companion.text.narrate import event_sentence
from companion.ui.env import Env, use_env
from companion.ui.hooks import Live, use_live
from companion.ui.model import badge_letters, round_to_start
from companion.ui.screens.table_dialogs import question
from companion.ui.screens.table_moves import Moves
from companion.ui.screens.table_reading import reading_part
from companion.ui.screens.table_tray import tray
from companion.ui.table_model import ANY, Doing, Mode, fitting, mover
from companion.ui.theme import GAP, Role
from companion.ui.widgets.basics import button, card, choices, icon_button, muted, notice, screen, write
from companion.ui.widgets.game_bar import game_bar
from companion.ui.widgets.notices import notices
from companion.ui.widgets.people import seat_colour
from companion.ui.widgets.place import no_place, use_place
from companion.ui.widgets.train import Light, TrainView, engine_face, train_row

SIDE_PX = 400
"""How wide the panel beside the trains is."""
ROW_PX = 330
"""The least width of a train's row where several stand side by side."""


@ft.component
def Table() -> Any:
    """The screen of the table."""
    env = use_env()
    code = ft.use_route_params().get("code", "").upper()
    place = use_place(code)
    live: Live[Doing] = use_live(Doing())
    route = f"/game/{code}/table"
    ready = not isinstance(place, CompanionError) and not place.gone
    moves = Moves(env, place, live) if ready else None  # type: ignore[arg-type]
    ft.use_dialog(question(env, place, moves, live.now()) if moves is not None else None)  # type: ignore[arg-type]
    if isinstance(place, CompanionError):
        return no_place(env, route, place)
    if moves is None:
        return no_place(env, route, CompanionError("code_unknown", code=code))
    game = place.game
    if not is_followed(game):
        return _plain(env, route, place, _invitation(env, place, game, moves))
    return _followed(env, route, place, game, moves)


def _plain(env: Env, route: str, place: Place, controls: list[ft.Control]) -> ft.View:
    return screen(
        env, route, env.say("ui_place_table"), *notices(env, place), card(env, *controls),
        back=f"/game/{place.code}", bottom=game_bar(env, place.code, "table"),
    )  # fmt: skip


# A round that is not followed


def _invitation(env: Env, place: Place, game: Game, moves: Moves) -> list[ft.Control]:
    """What following is, and how it begins; nobody needs it to keep the score."""
    doing = moves.live.now()
    controls: list[ft.Control] = [
        write(env, env.say("ui_table_begin_title"), Role.TITLE),
        write(env, env.say("ui_table_begin_words")),
    ]
    if doing.problem:
        controls.append(notice(env, doing.problem, "error", key="problem"))
    number = round_to_start(game)
    if not can_be_followed(game) and number is None:
        controls.append(muted(env, env.say("ui_table_only_counted" if game.rounds else "ui_table_no_round"), Role.BODY))
        return controls
    if not place.role.host:
        controls.append(muted(env, env.say("ui_table_begin_host"), Role.BODY))
        return controls
    if can_be_followed(game):
        if asks_starter(game):
            controls += _starter(env, game, moves, doing)
        controls.append(
            button(
                env, env.say("ui_table_begin"), moves.begin, ft.Icons.PLAY_ARROW, "filled",
            )
        )  # fmt: skip
        return controls
    return [*controls, *_next_round(env, game, moves)]


def _next_round(env: Env, game: Game, moves: Moves) -> list[ft.Control]:
    """The next round, to be followed."""
    number, doing = round_to_start(game), moves.live.now()
    asks = due_starter(game) is None and game.rules.starter is not Starter.ENGINE_HOLDER
    return [
        *(_starter(env, game, moves, doing) if asks else []),
        button(
            env, env.say("ui_table_begin_next", number=number), moves.begin_next, ft.Icons.PLAY_ARROW, "filled",
        ),
    ]  # fmt: skip


def _starter(env: Env, game: Game, moves: Moves, doing: Doing) -> list[ft.Control]:
    return [
        write(env, env.say("ui_who_starts"), Role.LABEL),
        choices(
            env, [(seat, game.players[seat].name) for seat in game.order], doing.starter,
            lambda seat: moves.do(starter=seat), env.say("ui_who_starts"),
        ),
    ]  # fmt: skip


# A round that is followed


def _followed(env: Env, route: str, place: Place, game: Game, moves: Moves) -> ft.View:
    doing, current = moves.live.now(), game.rounds[-1]
    table = current.table
    seat = mover(game, place.role, doing.mover)
    views = train_views(env, place, game)
    if env.phone and seat is not None and table.engine is not None:
        views = within_reach_first(game, seat, views)
    side = env.width >= 1000 * env.scale
    docked = not side and env.height >= 560 * env.scale
    reading = reading_part(env, place, game, moves, SIDE_PX * env.scale if side else min(env.width, 880) - 24)
    tools: list[ft.Control] = []
    if seat is not None:
        tools = tray(env, moves, game, seat, doing, views, 0 if side or not docked else 2)
    elif table.phase is Phase.ENDED:
        tools = _ended(env, place, game, moves)
    elif doing.problem:
        tools = [notice(env, doing.problem, "error", key="problem")]
    room = env.width - 24 - (SIDE_PX * env.scale + 20 if side else 0)
    body: list[ft.Control] = [
        *notices(env, place),
        *([] if side else reading),
        _station(env, game, place),
        _trains(env, game, moves, doing, views, seat, room),
    ]
    if not side and not docked:
        body += tools
    trains = ft.Column(
        [ft.Container(ft.Column(body, spacing=GAP, horizontal_alignment=ft.CrossAxisAlignment.STRETCH),
                      padding=ft.Padding(12, 2, 12, 14))],
        scroll=ft.ScrollMode.AUTO,
        expand=True,
        horizontal_alignment=ft.CrossAxisAlignment.STRETCH,
    )  # fmt: skip
    content: ft.Control = trains
    if side:
        panel = ft.Column(
            [*reading, *([card(env, *tools)] if tools else [])],
            width=SIDE_PX * env.scale,
            spacing=GAP,
            scroll=ft.ScrollMode.AUTO,
            horizontal_alignment=ft.CrossAxisAlignment.STRETCH,
        )
        content = ft.Container(
            ft.Row([trains, panel], expand=True, spacing=8, vertical_alignment=ft.CrossAxisAlignment.START),
            padding=ft.Padding(0, 0, 12, 8),
            expand=True,
        )
    foot: list[ft.Control] = []
    if docked and tools and not reading:
        foot.append(
            ft.Container(
                ft.Column(tools, spacing=8, tight=True, horizontal_alignment=ft.CrossAxisAlignment.STRETCH),
                padding=ft.Padding(12, 8, 12, 8),
                bgcolor=env.colour("surface_container"),
                border=ft.Border(top=ft.BorderSide(1, env.colour("outline_variant"))),
            )
        )
    return screen(
        env,
        route,
        _title(env, game, table),
        content,
        subtitle=env.say("ui_card_round", number=current.number, rounds=game.planned_rounds),
        back=f"/game/{place.code}",
        actions=_undo_redo(env, place, moves),
        bottom=ft.Column(
            [*foot, game_bar(env, place.code, "table")],
            spacing=0,
            tight=True,
            horizontal_alignment=ft.CrossAxisAlignment.STRETCH,
        ),
        full=True,
    )


def _title(env: Env, game: Game, table: TableState) -> str:
    if table.phase is Phase.ENGINE:
        return env.say("ui_table_engine_turn")
    if table.to_act is None:
        return env.say("ui_table_over", number=game.rounds[-1].number)
    return env.say("ui_table_turn", name=game.players[table.to_act].name)


def _undo_redo(env: Env, place: Place, moves: Moves) -> list[ft.Control]:
    if not place.role.host and not place.role.seats:
        return []
    return [
        icon_button(env, ft.Icons.UNDO, env.say("ui_undo"), moves.undo),
        icon_button(env, ft.Icons.REDO, env.say("ui_redo"), moves.redo),
    ]


def train_views(env: Env, place: Place, game: Game) -> tuple[TrainView, ...]:
    """Everybody's train clockwise, then the Mexican Train."""
    table = game.rounds[-1].table
    names, letters = player_names(game), badge_letters([player.name for player in game.players])
    colours = train_colours(env.hub, place.code)
    cover = {double.train: double.tile for double in table.open_doubles}

    def number(key: TrainKey) -> int | None:
        return None if table.engine is None else tail(table, key)

    views = [
        TrainView(
            seat,
            train_name(seat, names, env.look.lang),
            names[seat],
            table.trains[seat].tiles,
            number(seat),
            seat_colour(colours, seat),
            letters[seat],
            table.trains[seat].marker,
            table.hands[seat].count,
            seat == table.to_act,
            cover.get(seat),
        )
        for seat in table.participants
    ]
    common = train_name(None, names, env.look.lang)
    mexican = TrainView(
        None, common, common[:1].upper() + common[1:], table.trains[-1].tiles, number(None), cover=cover.get(None)
    )
    return (*views, mexican)


def within_reach_first(game: Game, seat: int, views: tuple[TrainView, ...]) -> tuple[TrainView, ...]:
    """Where the player can lay a tile comes first: on a phone few trains are in sight at once."""
    table = game.rounds[-1].table
    place = reach(game.rules, game.missing_tiles, table, seat)
    keys = {*place.trains, *place.double_trains}
    return tuple(sorted(views, key=lambda view: (view.key not in keys, view.key != seat)))


def _station(env: Env, game: Game, place: Place) -> ft.Control:
    """Engine, boneyard, what the player to act must do, and what happened last."""
    table, names = game.rounds[-1].table, player_names(game)
    lines: list[ft.Control] = [
        ft.Semantics(live_region=True, content=write(env, line, Role.BODY))
        for line in turn_lines(game, env.look.lang)[1:]
    ]
    last = place.look(lambda session: (session.events[-1], session.events))
    facts: list[ft.Control] = [
        write(env, env.say("ui_table_boneyard", n=table.boneyard), Role.LABEL),
        muted(
            env, event_sentence(last[0], names, env.look.lang, last[1]), max_lines=3, overflow=ft.TextOverflow.ELLIPSIS
        ),
    ]
    engine = env.say("ui_engine_unknown") if table.engine is None else env.say("ui_engine_is", tile=table.engine)
    row = ft.Row(
        [
            ft.Semantics(label=engine, image=True, exclude_semantics=True, content=engine_face(env, table.engine)),
            ft.Column(facts, spacing=1, expand=True),
        ],
        spacing=12,
    )
    if not lines:
        return row
    duty = ft.Container(
        ft.Column(lines, spacing=2, tight=True),
        bgcolor=env.colour("surface_container_high"),
        border_radius=12,
        padding=ft.Padding.symmetric(vertical=8, horizontal=12),
    )
    return ft.Column([row, duty], spacing=8, horizontal_alignment=ft.CrossAxisAlignment.STRETCH)


def _trains(
    env: Env,
    game: Game,
    moves: Moves,
    doing: Doing,
    views: tuple[TrainView, ...],
    seat: int | None,
    room: float,
) -> ft.Control:
    columns = max(1, min(3, int((room + 8) // (ROW_PX * env.scale + 8))))
    width = (room - 8 * (columns - 1)) / columns
    fits: tuple[TrainKey, ...] = ()
    playing = game.rounds[-1].table.phase is Phase.PLAYING
    if seat is not None and doing.tile is not None and playing:
        fits = fitting(game, seat, (doing.tile,)).get(doing.tile, ())
    tappable = seat is not None and playing and doing.mode is Mode.PLAY

    def light(key: TrainKey) -> Light:
        if doing.tile is not None:
            return Light.FITS if key in fits else Light.DIM
        return Light.CHOSEN if doing.train != ANY and doing.train == key else Light.NONE

    def fold(key: TrainKey) -> None:
        moves.do(unfolded=moves.live.now().unfolded ^ {key})

    rows = [
        train_row(
            env, view, width, light(view.key), doing.tile, view.key in doing.unfolded,
            partial(moves.on_train, view.key) if tappable else None, partial(fold, view.key),
        )
        for view in views
    ]  # fmt: skip
    if columns == 1:
        order = " ".join(str(view.key) for view in views)  # the framework draws rows wrong that change their places
        return ft.Column(list(rows), spacing=6, key=order)
    return ft.Row(list(rows), wrap=True, spacing=8, run_spacing=8, vertical_alignment=ft.CrossAxisAlignment.START)


def _ended(env: Env, place: Place, game: Game, moves: Moves) -> list[ft.Control]:
    """The round is over: count the hands, then the next one."""
    code, current = place.code, game.rounds[-1]
    controls: list[ft.Control] = []
    if moves.live.now().problem:
        controls.append(notice(env, moves.live.now().problem, "error", key="problem"))
    if current.missing:
        controls.append(
            ft.Row(
                [
                    button(
                        env, env.say("ui_count_hands"), lambda: env.go(f"/game/{code}/round"),
                        ft.Icons.CALCULATE_OUTLINED, "filled", expand=True,
                    )
                ]
            )
        )  # fmt: skip
    elif game.ended:
        controls.append(
            button(env, env.say("ui_see_winner"), lambda: env.go(f"/game/{code}/end"), ft.Icons.EMOJI_EVENTS, "filled")
        )
    elif place.role.host and round_to_start(game) is not None:
        controls += _next_round(env, game, moves)
    return controls
