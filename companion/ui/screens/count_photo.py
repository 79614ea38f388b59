"""The part of counting that works with photos: taking them, waiting for them, looking at what was read."""

from collections.abc import Callable
from functools import partial
from typing import Any

import flet as ft

from companion.app.place import Place
from companion.app.scan_queue import Scan, ScanState
from companion.app.scan_words import doubt_words, hint_lines
from companion.rules.tiles import Tile
from companion.ui.env import Env
from companion.ui.model import Counting, Found
from companion.ui.theme import Role
from companion.ui.widgets.basics import button, card, muted, notice, tappable, write
from companion.ui.widgets.live_camera import LiveCamera
from companion.ui.widgets.photo import Mark, PhotoWithMarks, tile_in_photo
from companion.ui.widgets.place import explain
from companion.ui.widgets.tile import halves_face
from companion.ui.widgets.webcam import Webcam, is_here

Put = Callable[[Callable[[Counting], Counting]], None]


def photo_part(
    env: Env,
    place: Place,
    number: int,
    seat: int,
    counting: Counting,
    put: Put,
    doing: Any,
    do: Callable[..., None],
    elsewhere: dict[Tile, str],
) -> list[ft.Control]:
    """What is shown between the ways to count and the total."""
    scans = place.scans(seat, number)
    controls: list[ft.Control] = []
    waiting = [scan for scan in scans if not scan.over]
    failed = [scan for scan in scans if scan.state is ScanState.FAILED]
    done = [scan for scan in scans if scan.state is ScanState.DONE]
    controls += [_progress(env, place, scan) for scan in waiting]
    controls += [_failure(env, place, scan) for scan in failed]
    if doing.live:
        controls.append(LiveCamera(place, number, seat, lambda: do(live=False)))
    if counting.found or done:
        controls += _review(env, place, counting, put, do, elsewhere, done)
    elif not waiting and not doing.live:
        controls.append(_invitation(env))
    if not doing.live:
        controls.append(_sources(env, place, number, seat, do, bool(counting.found or scans)))
    return controls


def _invitation(env: Env) -> ft.Control:
    return ft.Column(
        [
            ft.Container(
                ft.Icon(ft.Icons.PHOTO_CAMERA_OUTLINED, size=56, color=env.colour("primary")),
                alignment=ft.Alignment.CENTER,
                padding=ft.Padding.only(top=8),
            ),
            write(env, env.say("ui_photo_words"), text_align=ft.TextAlign.CENTER),
        ],
        horizontal_alignment=ft.CrossAxisAlignment.STRETCH,
        spacing=8,
    )


def _sources(env: Env, place: Place, number: int, seat: int, do: Callable[..., None], more: bool) -> ft.Control:
    """The ways to a photo. The capture page works on every phone, also without HTTPS."""
    capture = ft.Url(f"{env.site.capture(place.code, seat, number)}&lang={env.look.lang}", ft.UrlTarget.SELF)
    return ft.Row(
        [
            button(
                env,
                env.say("ui_another_photo" if more else "ui_take_photo"),
                None,
                ft.Icons.ADD_A_PHOTO_OUTLINED,
                "outlined" if more else "filled",
                url=capture,
            ),
            button(env, env.say("ui_live_camera"), lambda: do(live=True), ft.Icons.VIDEOCAM_OUTLINED, "outlined"),
            *(
                [Webcam(lambda data: place.scan(data, seat, number), lambda sentence: do(problem=sentence))]
                if is_here(env, place)
                else []
            ),
        ],
        wrap=True,
        spacing=8,
        run_spacing=8,
        alignment=ft.MainAxisAlignment.CENTER,
    )


def _progress(env: Env, place: Place, scan: Scan) -> ft.Control:
    words = env.say("ui_reading") if scan.place == 0 else env.say("ui_in_queue", n=scan.place)
    return card(
        env,
        ft.Row(
            [
                ft.ProgressRing(width=28, height=28, color=env.colour("primary"), semantics_label=words),
                ft.Semantics(live_region=True, content=write(env, words, Role.LABEL), expand=True),
            ],
            spacing=14,
        ),
        ft.Row(
            [button(env, env.say("ui_cancel_photo"), lambda: _throw_away(place, scan), kind="text")],
            wrap=True,
            alignment=ft.MainAxisAlignment.END,
        ),
        key=scan.id,
    )


def _throw_away(place: Place, scan: Scan) -> None:
    scan.cancel()
    place.discard(scan)


def _without(place: Place, put: Put, scan: Scan) -> None:
    place.discard(scan)
    put(lambda hand: hand.without_photo(scan.id))


def _failure(env: Env, place: Place, scan: Scan) -> ft.Control:
    sentence = explain(env, scan.error) if scan.error is not None else env.say("ui_photo_failed")
    return notice(
        env,
        f"{sentence} {env.say('ui_photo_failed_more')}",
        "error",
        button(env, env.say("ui_close"), lambda: place.discard(scan), kind="text"),
        key=scan.id,
    )


def _review(
    env: Env,
    place: Place,
    counting: Counting,
    put: Put,
    do: Callable[..., None],
    elsewhere: dict[Tile, str],
    done: list[Scan],
) -> list[ft.Control]:
    controls: list[ft.Control] = []
    pictures = {scan.id: (env.site.scan_picture(place.code, scan.id), (scan.width, scan.height)) for scan in done}
    doubtful, impossible = counting.doubtful, counting.impossible

    def edit(where: int) -> None:
        found = counting.found[where]
        do(editing=where, first=found.first, second=found.second)

    width = min(env.width - 32, 848)
    for scan in done:
        marks = [
            Mark(n + 1, view, n in doubtful, n in impossible, _label(env, n, found, n in doubtful))
            for n, found in enumerate(counting.found)
            for view in (found, *found.views)
            if view.photo == scan.id
        ]
        if not marks:
            controls.append(notice(env, env.say("ui_no_tile_in_photo"), "doubt", key=f"{scan.id}/none"))
        size = scan.width, scan.height
        high = max(env.height * 0.55, 260)
        shown = min(width, high * size[0] / max(size[1], 1))
        controls.append(
            ft.Row(
                [
                    PhotoWithMarks(
                        scan.shown or b"",
                        size,
                        tuple(marks),
                        shown,
                        lambda n: edit(n - 1),
                        env.say("ui_photo"),
                        key=scan.id,  # type: ignore[call-arg]
                    )
                ],
                alignment=ft.MainAxisAlignment.CENTER,
            )
        )
        controls += _about_photo(env, scan)
        controls += (
            [notice(env, line, "info") for line in hint_lines(scan.reading, env.look.lang)] if scan.reading else []
        )
        controls.append(
            ft.Row(
                [
                    button(
                        env, env.say("ui_throw_photo_away"),
                        partial(_without, place, put, scan),
                        ft.Icons.DELETE_OUTLINE, "text",
                    )
                ],
                wrap=True,
                alignment=ft.MainAxisAlignment.END,
            )
        )  # fmt: skip
    if doubtful:
        controls.append(write(env, env.say("ui_please_look", n=len(doubtful)), Role.TITLE))
        controls += [
            _doubt(env, counting, where, put, edit, elsewhere, pictures.get(counting.found[where].photo))
            for where in doubtful
        ]
    controls.append(write(env, env.say("ui_all_read", n=len(counting.found)), Role.TITLE))
    controls.append(_list(env, counting, doubtful, impossible, edit, lambda: do(editing=-1, first=None, second=None)))
    return controls


def _about_photo(env: Env, scan: Scan) -> list[ft.Control]:
    """Doubts about the photo as a whole."""
    reading = scan.reading
    if reading is None:
        return []
    lines = []
    if reading.face_down:
        lines.append(env.say("scan_face_down", n=len(reading.face_down)))
    if reading.unreadable:
        lines.append(env.say("scan_unreadable", n=len(reading.unreadable)))
    rest = {doubt for doubt in reading.doubts if doubt not in ("FACE_DOWN_NEARBY", "UNREADABLE")}
    if rest:
        lines.append(env.say("scan_photo_doubt", doubts=doubt_words(rest, env.look.lang)))
    words = ". ".join(line[:1].upper() + line[1:] for line in lines) + "."
    return [notice(env, words, "doubt", key=f"{scan.id}/about")] if lines else []


def _doubt(
    env: Env,
    counting: Counting,
    where: int,
    put: Put,
    edit: Callable[[int], None],
    elsewhere: dict[Tile, str],
    picture: tuple[str, tuple[int, int]] | None,
) -> ft.Control:
    """One tile to look at: as it lies in the photo, as it was read, and why."""
    found = counting.found[where]
    impossible = where in counting.impossible

    def same(hand: Counting, change: Callable[[Counting, int], Counting]) -> Counting:
        """Two quick taps must not hit the next tile, which has moved up meanwhile."""
        return change(hand, where) if hand.found[where : where + 1] == (found,) else hand

    if found.tile in elsewhere:
        why = env.say("ui_tile_taken_more", tile=found.tile, who=elsewhere[found.tile])
    elif impossible:
        why = env.say("ui_tile_twice", tile=found.tile)
    else:
        words = doubt_words(found.doubts, env.look.lang)
        why = words[:1].upper() + words[1:]
    part = None if picture is None else tile_in_photo(picture[0], picture[1], found, 140, 84)
    buttons = [
        button(
            env, env.say("ui_change"), lambda: edit(where), ft.Icons.EDIT_OUTLINED, "tonal",
            name=env.say("ui_change_n", n=where + 1, tile=found.tile),
        ),
        button(
            env, env.say("ui_not_a_tile"), partial(put, lambda hand: same(hand, Counting.remove)),
            ft.Icons.DELETE_OUTLINE, "text",
            name=env.say("ui_remove_n", n=where + 1, tile=found.tile),
        ),
    ]  # fmt: skip
    if not impossible:
        buttons.insert(
            0,
            button(
                env, env.say("ui_is_right"), partial(put, lambda hand: same(hand, Counting.confirm)),
                ft.Icons.CHECK, "filled",
                name=env.say("ui_is_right_n", n=where + 1, tile=found.tile),
            ),
        )  # fmt: skip
    seen = ft.Row(
        [
            *([part] if part is not None else []),
            ft.Semantics(
                label=env.say("ui_read_as", n=where + 1, tile=found.tile),
                exclude_semantics=True,
                content=ft.Column(
                    [
                        halves_face(found.first, found.second, 96),
                        muted(env, f"{where + 1} · {found.tile}", Role.LABEL),
                    ],
                    spacing=2,
                    tight=True,
                    horizontal_alignment=ft.CrossAxisAlignment.CENTER,
                ),
            ),
        ],
        spacing=16,
        wrap=True,
    )
    return ft.Container(
        ft.Column([seen, write(env, why), ft.Row(buttons, wrap=True, spacing=8, run_spacing=6)], spacing=10),
        padding=14,
        border_radius=16,
        bgcolor=env.colour("surface_container_low"),
        border=ft.Border.all(2, env.colour("error" if impossible else "tertiary")),
        key=f"{found.photo}/{found.corners or where}",
    )


def _list(
    env: Env,
    counting: Counting,
    doubtful: tuple[int, ...],
    impossible: tuple[int, ...],
    edit: Callable[[int], None],
    add: Callable[[], None],
) -> ft.Control:
    cells = [
        tappable(
            ft.Column(
                [
                    halves_face(found.first, found.second, 68 * (0.8 + 0.2 * env.scale)),
                    ft.Row(
                        [
                            *(
                                [
                                    ft.Icon(
                                        ft.Icons.BLOCK if n in impossible else ft.Icons.HELP_OUTLINE,
                                        size=15 * min(env.scale, 1.5),
                                        color=env.colour("error" if n in impossible else "tertiary"),
                                    )
                                ]
                                if n in doubtful
                                else []
                            ),
                            muted(env, f"{n + 1} · {found.tile}", no_wrap=True),
                        ],
                        tight=True,
                        spacing=2,
                    ),
                ],
                spacing=2,
                tight=True,
                horizontal_alignment=ft.CrossAxisAlignment.CENTER,
            ),
            _label(env, n, found, n in doubtful),
            partial(edit, n),
            padding=6,
            border_radius=12,
            bgcolor=env.colour("surface_container_low"),
            border=ft.Border.all(
                2, env.colour("error" if n in impossible else "tertiary") if n in doubtful else ft.Colors.TRANSPARENT
            ),
        )
        for n, found in enumerate(counting.found)
    ]
    return ft.Column(
        [
            ft.Row(list(cells), wrap=True, spacing=8, run_spacing=8),
            ft.Row([button(env, env.say("ui_add_missed"), add, ft.Icons.ADD, "outlined")], wrap=True),
        ],
        spacing=10,
    )


def _label(env: Env, where: int, found: Found, doubtful: bool) -> str:
    label = env.say("ui_tile_n", n=where + 1, first=found.first, second=found.second)
    return f"{label}, {env.say('ui_please_check')}" if doubtful else label
