"""One score of the sheet: its tiles, its photo, who entered it, and the way to correct it."""

from collections.abc import Callable

import flet as ft

from companion.app.place import Place
from companion.app.session import now
from companion.errors import CompanionError
from companion.rules.counting import ZERO_FOR_LOWEST
from companion.rules.events import HandCounted
from companion.storage.records import Source
from companion.ui.env import Env
from companion.ui.model import house_time, score_history
from companion.ui.theme import Role
from companion.ui.widgets.basics import button, muted, write
from companion.ui.widgets.dialogs import dialog
from companion.ui.widgets.tile import tile_face


def score_dialog(env: Env, place: Place, number: int, seat: int, close: Callable[[], None]) -> ft.AlertDialog | None:
    """The dialog of a cell of the sheet."""
    game = place.game
    player = game.players[seat]
    played = next((one for one in game.rounds if one.number == number), None)
    score = played.score(seat) if played else None
    content: list[ft.Control] = []
    history = score_history(place.entries(), number, seat)
    if score is None:
        content.append(write(env, env.say("ui_cell_missing_more", name=player.name)))
    else:
        content.append(write(env, env.say("ui_points", points=score.points), Role.HEADLINE))
        if score.tiles is None:
            content.append(muted(env, env.say("ui_only_total")))
        elif score.tiles:
            content.append(
                ft.Row(
                    [
                        ft.Semantics(label=str(tile), image=True, exclude_semantics=True, content=_tile(env, tile))
                        for tile in score.tiles
                    ],
                    wrap=True,
                    spacing=8,
                    run_spacing=8,
                )
            )
        photo = next((entry.photo for entry, _ in reversed(history) if entry.photo), None)
        content += _photo(env, place, photo)
    for entry, event in history:
        who = writer(env, place, entry.source)
        when = house_time(entry.at, now())
        if isinstance(event, HandCounted):
            line = env.say("ui_entered_by", who=who, time=when, points=event.points)
            why = event.why
        else:
            line = env.say("ui_corrected_by", who=who, time=when, points=event.points)
            why = env.say("event_lowest_hand") if event.why == ZERO_FOR_LOWEST else event.why
        content.append(muted(env, line + (f" · {why}" if why else ""), Role.LABEL, weight=ft.FontWeight.W_400))
    actions = [button(env, env.say("ui_close"), close, kind="text")]
    if place.role.may_score(seat):

        def go() -> None:
            close()
            env.go(f"/game/{place.code}/count/{number}/{seat}")

        label = env.say("ui_correct" if score else "ui_count")
        actions.append(button(env, label, go, ft.Icons.EDIT_OUTLINED, "tonal"))
    elif score is None or not place.role.host:
        content.append(muted(env, env.say("ui_not_yours", name=player.name)))
    return dialog(env, env.say("ui_cell_where", name=player.name, number=number), content, actions, close)


def writer(env: Env, place: Place, source: Source) -> str:
    """Who entered something."""
    players = place.game.players
    return players[source.seat].name if source.seat is not None and source.seat < len(players) else env.say("ui_host")


def _tile(env: Env, tile: object) -> ft.Control:
    return ft.Column(
        [tile_face(tile, 64), muted(env, str(tile))],  # type: ignore[arg-type]
        spacing=1,
        tight=True,
        horizontal_alignment=ft.CrossAxisAlignment.CENTER,
    )


def _photo(env: Env, place: Place, sha256: str | None) -> list[ft.Control]:
    if sha256 is None:
        return []
    try:
        kept = place.photo(sha256) is not None
    except CompanionError:
        kept = False
    if not kept:
        return [muted(env, env.say("ui_photo_not_kept"))]
    return [
        ft.Image(
            src=env.site.photo(place.code, sha256),
            semantics_label=env.say("ui_photo"),
            fit=ft.BoxFit.CONTAIN,
            border_radius=12,
            width=min(env.width - 90, 420),
            height=240,
        )
    ]
