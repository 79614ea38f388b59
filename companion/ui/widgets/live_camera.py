"""The live camera in the browser, where it is allowed: on this machine itself, or over HTTPS."""

import contextlib
import logging
from collections.abc import Callable
from typing import Any

import flet as ft
import flet_camera as fc

from companion.app.place import Place
from companion.errors import CompanionError
from companion.ui.env import use_env
from companion.ui.hooks import use_live
from companion.ui.widgets.basics import button, card, notice, write
from companion.ui.widgets.place import explain

log = logging.getLogger(__name__)


@ft.component
def LiveCamera(place: Place, number: int, seat: int, close: Callable[[], None]) -> Any:
    """The preview and a button that takes the picture; a browser without a camera gets a sentence, never a dead end."""
    env = use_env()
    state = use_live("starting")
    problem = use_live("")
    width = min(env.width - 64, 640)
    camera: Any = ft.use_memo(ft.Ref, [])  # the control is made anew with every drawing; this is the latest

    async def start() -> None:
        try:
            cameras = await camera.current.get_available_cameras()
            back = [one for one in cameras if one.lens_direction is fc.CameraLensDirection.BACK]
            await camera.current.initialize((back or cameras)[0], fc.ResolutionPreset.MAX, enable_audio=False)
        except (RuntimeError, IndexError, TimeoutError, TypeError) as error:
            # Over plain HTTP the browser gives no camera at all, and the control fails in its own ways.
            log.warning("no live camera: %r", error)
            state.set("refused")
            return
        state.set("ready")

    async def take() -> None:
        state.set("taking")
        try:
            data = await camera.current.take_picture()
        except (RuntimeError, TimeoutError) as error:
            log.warning("no picture: %r", error)
            problem.set(env.say("ui_no_picture"))
            state.set("ready")
            return
        try:
            place.scan(data, seat, number)
        except CompanionError as error:
            problem.set(explain(env, error))
            state.set("ready")
            return
        close()

    async def stop() -> None:
        with contextlib.suppress(Exception):  # a preview that is gone already needs no stop
            await camera.current.dispose_camera()

    ft.use_effect(start, [], cleanup=stop)
    if state.value == "refused":
        return notice(env, env.say("ui_no_live_camera"), "info", button(env, env.say("ui_close"), close, kind="text"))
    return card(
        env,
        ft.Semantics(
            label=env.say("ui_live_camera"),
            image=True,
            content=ft.Container(
                fc.Camera(ref=camera), width=width, height=width * 0.75, border_radius=12,
                clip_behavior=ft.ClipBehavior.HARD_EDGE, bgcolor="#000000",
            ),
        ),
        write(env, env.say("ui_live_words")),
        *([notice(env, problem.value, "error")] if problem.value else []),
        ft.Row(
            [
                button(
                    env, env.say("ui_shoot"), lambda: env.page.run_task(take), ft.Icons.CAMERA, "filled",
                    disabled=state.value != "ready",
                ),
                button(env, env.say("ui_close"), close, kind="text"),
            ],
            wrap=True,
            run_spacing=8,
        ),
    )  # fmt: skip
