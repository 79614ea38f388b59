"""The tray of the table's screen: the tiles that can be laid, in reach of the thumb, and what else can be done."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import flet as ft

from companion.rules.inference import Must, outlook
from companion.rules.moves import Draw, EndTurn, Pass
from companion.rules.state import Game, Phase
from companion.rules.tiles import Tile
from companion.rules.turn import TrainKey
from companion.ui.env import Env
from companion.ui.screens.table_moves import Moves
from companion.ui.table_model import (
    ANY,
    Doing,
    Mode,
    More,
    allowed,
    fitting,
    in_order,
    may_keep_marker,
    possible_tiles,
    sees_hand,
)
from companion.ui.theme import TARGET, Role
from companion.ui.widgets.basics import button, icon_button, muted, notice, tappable, write
from companion.ui.widgets.tile import tile_face
from companion.ui.widgets.train import TrainView, train_sign
from companion.ui.widgets.webcam import Webcam, is_here


def tray(
    env: Env, moves: Moves, game: Game, seat: int, doing: Doing, views: Sequence[TrainView], rows: int
) -> list[ft.Control]:
    """Everything below the trains. `rows` of tiles scroll sideways; 0: all are shown, wrapped."""
    table = game.table
    assert table is not None
    sees = sees_hand(moves.place.role, moves.place.taken_seats, seat)
    tiles = possible_tiles(game, seat, sees)
    fits = fitting(game, seat, tiles)
    controls: list[ft.Control] = []
    if doing.problem:
        controls.append(notice(env, doing.problem, "doubt", key="problem"))
    if table.holds_drawn and seat == table.to_act and doing.mode is Mode.PLAY:
        controls.append(muted(env, env.say("ui_table_has_drawn", name=game.players[seat].name)))
    if doing.mode is Mode.DRAWN:
        tiles = possible_tiles(game, seat, sees=False)
        tiles = tuple(tile for tile in tiles if tile not in table.hands[seat].known)
        controls.append(_row(write(env, env.say("ui_table_which_drawn"), Role.LABEL), _closer(env, moves)))
        controls.append(_numbers(env, moves, game, doing, fits=False))
        controls.append(_tiles(env, moves, _filtered(tiles, doing), {}, doing, rows))
        controls.append(
            ft.Row([button(env, env.say("ui_table_draw_hidden"), moves.draw_hidden, kind="outlined", expand=True)])
        )
        return controls
    if doing.mode is Mode.HAND:
        tiles = possible_tiles(game, seat, sees=False)
        words = env.say(
            "ui_table_hand_hint", name=game.players[seat].name, n=len(doing.hand), all=table.hands[seat].count
        )
        controls.append(_row(write(env, words, Role.LABEL), _closer(env, moves)))
        controls.append(_numbers(env, moves, game, doing, fits=False))
        controls.append(_tiles(env, moves, _filtered(tiles, doing), {}, doing, rows))
        controls.append(
            ft.Row(
                [
                    button(
                        env, env.say("ui_table_hand_done"), moves.show_hand, ft.Icons.CHECK, "filled",
                        disabled=not doing.hand, expand=True,
                    )
                ]
            )
        )  # fmt: skip
        return controls
    if table.phase is Phase.ENGINE:
        return [
            *controls,
            *_engine(env, moves, game, doing, in_order(game, seat, fits), fits, rows),
            _actions(env, moves, game, seat),
        ]
    controls.append(_context(env, moves, game, seat, doing, views, fits))
    shown = _shown(game, doing, tiles, fits, views, seat)
    if shown:
        controls.append(_tiles(env, moves, shown, fits, doing, rows))
    elif doing.train != ANY:
        view = next(one for one in views if one.key == doing.train)
        controls.append(muted(env, env.say("ui_table_no_such_tile", pips=view.tail)))
    else:
        controls.append(muted(env, env.say("ui_table_nothing_fits")))
    controls.append(_actions(env, moves, game, seat))
    return controls


def _shown(
    game: Game,
    doing: Doing,
    tiles: tuple[Tile, ...],
    fits: dict[Tile, tuple[TrainKey, ...]],
    views: Sequence[TrainView],
    seat: int,
) -> tuple[Tile, ...]:
    """Which tiles are offered: for the train that was tapped, with one number, all, or those that fit."""
    if doing.train != ANY:
        number = next(view.tail for view in views if view.key == doing.train)
        found = [tile for tile in tiles if number is not None and tile.has(number)]
        return tuple(sorted(found, key=lambda tile: -tile.other(number)))  # type: ignore[arg-type]
    if doing.every or doing.only is not None:
        return _filtered(tiles, doing)
    return in_order(game, seat, fits)


def _filtered(tiles: tuple[Tile, ...], doing: Doing) -> tuple[Tile, ...]:
    if doing.only is None:
        return tuple(sorted(tiles, key=lambda tile: (-tile.high, -tile.low)))
    return tuple(sorted((tile for tile in tiles if tile.has(doing.only)), key=lambda tile: -tile.other(doing.only)))  # type: ignore[arg-type]


def _context(
    env: Env,
    moves: Moves,
    game: Game,
    seat: int,
    doing: Doing,
    views: Sequence[TrainView],
    fits: dict[Tile, tuple[TrainKey, ...]],
) -> ft.Control:
    """Above the tiles: which are shown; or where the tile goes that was tapped."""
    if doing.tile is not None:
        keys = fits.get(doing.tile, ())
        words = env.say("ui_table_where" if keys else "ui_table_fits_nowhere", tile=doing.tile)
        chips: list[ft.Control] = [
            chip
            for view in sorted(views, key=lambda view: view.key not in keys)
            for chip in _train_chip(env, moves, game, seat, doing.tile, view, view.key in keys)
        ]
        return ft.Column(
            [
                _row(write(env, words, Role.LABEL), _closer(env, moves)),
                ft.Row(chips, spacing=6, scroll=ft.ScrollMode.HIDDEN, key=f"onto-{doing.tile}"),
            ],
            spacing=4,
            tight=True,
        )
    if doing.train != ANY:
        view = next(one for one in views if one.key == doing.train)
        words = env.say("ui_table_onto", train=view.name, pips=view.tail)
        return _row(write(env, words[:1].upper() + words[1:], Role.LABEL), _closer(env, moves))
    return _numbers(env, moves, game, doing, fits=True)


def _train_chip(
    env: Env, moves: Moves, game: Game, seat: int, tile: Tile, view: TrainView, legal: bool
) -> list[ft.Control]:
    def chip(words: str, keep: bool) -> ft.Control:
        name = env.say("ui_table_onto_name", tile=tile, train=view.name)
        return tappable(
            ft.Row(
                [
                    train_sign(env, view, 22),
                    write(
                        env, words, Role.LABEL, no_wrap=True,
                        color=env.colour("on_primary" if legal else "on_surface_variant"),
                    ),
                ],
                tight=True,
                spacing=6,
            ),
            f"{name}, {env.say('ui_table_keep_marker')}" if keep else name,
            partial(moves.on_train, view.key, keep),
            height=TARGET * min(env.scale, 1.4),
            padding=ft.Padding.symmetric(horizontal=12),
            alignment=ft.Alignment.CENTER,
            bgcolor=env.colour("primary" if legal else "surface_container_lowest"),
            border=ft.Border.all(1, env.colour("primary" if legal else "outline")),
            border_radius=14,
        )  # fmt: skip

    chips = [chip(view.title, keep=False)]
    if legal and may_keep_marker(game, seat, view.key):
        chips.append(chip(f"{view.title}, {env.say('ui_table_keep_marker')}", keep=True))
    return chips


def _engine(
    env: Env,
    moves: Moves,
    game: Game,
    doing: Doing,
    tiles: tuple[Tile, ...],
    fits: dict[Tile, tuple[TrainKey, ...]],
    rows: int,
) -> list[ft.Control]:
    """The double that starts the round, and who lays it."""
    table = game.table
    assert table is not None
    controls: list[ft.Control] = [muted(env, env.say("ui_table_engine_hint"), Role.BODY)]
    controls.append(_tiles(env, moves, tiles, fits, doing, rows))
    if doing.tile is not None:
        tile = doing.tile
        controls.append(_row(write(env, env.say("ui_table_who_lays", tile=tile), Role.LABEL), _closer(env, moves)))
        controls.append(
            ft.Row(
                [
                    button(
                        env, game.players[seat].name, partial(moves.lay_engine, seat, tile), kind="tonal",
                        name=f"{game.players[seat].name}: {tile}",
                    )
                    for seat in table.seats
                ],
                spacing=6,
                scroll=ft.ScrollMode.HIDDEN,
            )
        )  # fmt: skip
    return controls


def _numbers(env: Env, moves: Moves, game: Game, doing: Doing, fits: bool) -> ft.Control:
    """Which tiles are shown."""

    def chip(words: str, label: str, chosen: bool, **changes: object) -> ft.Control:
        return tappable(
            write(
                env, words, Role.LABEL, no_wrap=True,
                color=env.colour("on_primary_container" if chosen else "on_surface"),
            ),
            label,
            lambda: moves.do(problem="", **changes),
            selected=chosen,
            height=TARGET * min(env.scale, 1.25),
            width=None if len(words) > 2 else TARGET * min(env.scale, 1.25),
            alignment=ft.Alignment.CENTER,
            padding=ft.Padding.symmetric(horizontal=12) if len(words) > 2 else 0,
            bgcolor=env.colour("primary_container" if chosen else "surface_container_high"),
            border=ft.Border.all(1, env.colour("primary" if chosen else "outline_variant")),
            border_radius=12,
        )  # fmt: skip

    plain = doing.only is None
    every, best = env.say("ui_all_tiles"), env.say("ui_table_fits")
    chips = [chip(best, best, plain and not doing.every, only=None, every=False)] if fits else []
    chips.append(chip(every, every, plain and (doing.every or not fits), only=None, every=True))
    chips += [
        chip(str(n), env.say("ui_only_number", number=n), doing.only == n, only=n, every=True)
        for n in range(game.rules.max_pip, -1, -1)
    ]
    return ft.Row(list(chips), spacing=6, scroll=ft.ScrollMode.HIDDEN)


def _tiles(
    env: Env,
    moves: Moves,
    tiles: Sequence[Tile],
    fits: dict[Tile, tuple[TrainKey, ...]],
    doing: Doing,
    rows: int,
) -> ft.Control:
    cells = [_cell(env, moves, tile, tile in fits, tile == doing.tile or tile in doing.hand) for tile in tiles]
    key = " ".join(map(str, tiles))  # other tiles are another row: the framework draws cells wrong that change places
    if not rows:
        return ft.Row(list(cells), wrap=True, spacing=6, run_spacing=6, key=key)
    columns = [ft.Column(list(cells[n : n + rows]), spacing=6, tight=True) for n in range(0, len(cells), rows)]
    return ft.Row(
        list(columns),
        spacing=6,
        scroll=ft.ScrollMode.AUTO,
        vertical_alignment=ft.CrossAxisAlignment.START,
        key=key,
    )


def _cell(env: Env, moves: Moves, tile: Tile, fits: bool, chosen: bool) -> ft.Control:
    long_px = 56 * (0.75 + 0.25 * env.scale)
    ink = "on_primary_container" if chosen else "on_surface" if fits else "on_surface_variant"
    caption: list[ft.Control] = [
        write(
            env, str(tile), Role.SMALL, no_wrap=True, color=env.colour(ink),
            weight=ft.FontWeight.W_700 if chosen or fits else ft.FontWeight.W_400,
        )
    ]  # fmt: skip
    if chosen:
        caption.insert(0, ft.Icon(ft.Icons.CHECK, size=14 * min(env.scale, 1.5), color=env.colour(ink)))
    return tappable(
        ft.Column(
            [tile_face(tile, long_px), ft.Row(caption, spacing=1, tight=True)],
            spacing=1,
            tight=True,
            horizontal_alignment=ft.CrossAxisAlignment.CENTER,
        ),
        str(tile),
        partial(moves.on_tile, tile),
        selected=chosen,
        key=str(tile),
        padding=ft.Padding.symmetric(vertical=4, horizontal=5),
        border_radius=10,
        bgcolor=env.colour("primary_container" if chosen else "surface_container_lowest"),
        border=ft.Border.all(2, env.colour("primary" if chosen or fits else "outline_variant")),
    )


def _actions(env: Env, moves: Moves, game: Game, seat: int) -> ft.Control:
    """Draw, pass, and the rest; what the player is proved to have to do stands out."""
    legal = allowed(game, seat)
    view = outlook(game)
    must = view.must if view is not None else Must.UNKNOWN
    table = game.table
    assert table is not None

    def kind(what: type, due: bool) -> str:
        return "filled" if due else "tonal" if what in legal else "outlined"

    buttons = [
        button(env, env.say("ui_table_draw"), moves.draw, kind=kind(Draw, must is Must.DRAW), expand=True, key="draw")
    ]
    if table.phase is Phase.PLAYING:
        if EndTurn in legal:
            buttons.append(button(env, env.say("ui_table_stop"), moves.stop, kind="tonal", expand=True, key="stop"))
        buttons.append(
            button(
                env,
                env.say("ui_table_pass"),
                moves.give_up,
                kind=kind(Pass, must is Must.PASS),
                expand=True,
                key="pass",
            )
        )
    buttons.append(
        icon_button(
            env, ft.Icons.PHOTO_CAMERA_OUTLINED, env.say("ui_table_photo"), None, role="primary",
            url=capture_address(env, moves.place.code),
        )
    )  # fmt: skip
    buttons.append(icon_button(env, ft.Icons.MORE_HORIZ, env.say("ui_table_more"), lambda: moves.do(more=More.MENU)))
    if env.phone and env.scale > 1.3:  # large words need a line of their own
        return ft.Column([ft.Row(buttons[:-2], spacing=8), ft.Row(buttons[-2:], spacing=8)], spacing=8, tight=True)
    if env.phone or not is_here(env, moves.place):
        return ft.Row(buttons, spacing=8)
    webcam: Any = Webcam(moves.place.table.take, lambda sentence: moves.do(problem=sentence))
    return ft.Column([ft.Row(buttons, spacing=8), ft.Row([webcam], wrap=True)], spacing=8, tight=True)


def capture_address(env: Env, code: str) -> ft.Url:
    """The page that takes a photo of the table."""
    return ft.Url(f"{env.site.capture_table(code)}?lang={env.look.lang}", ft.UrlTarget.SELF)


def _row(words: ft.Control, end: ft.Control) -> ft.Control:
    words.expand = True
    return ft.Row([words, end], spacing=6)


def _closer(env: Env, moves: Moves) -> ft.Control:
    return icon_button(env, ft.Icons.CLOSE, env.say("ui_cancel"), moves.calm)
