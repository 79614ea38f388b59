"""The webcam of the machine that runs the companion, for its host: one still at full resolution, no preview."""

import asyncio
import ipaddress
from collections.abc import Callable
from typing import Any

import flet as ft

from companion.app.place import Place
from companion.errors import CaptureError, CompanionError
from companion.ui.env import Env, use_env
from companion.ui.hooks import Live, use_live
from companion.ui.widgets.basics import button
from companion.ui.widgets.place import explain
from companion.vision.camera import Camera, cameras, still


def is_here(env: Env, place: Place) -> bool:
    """Does the host sit at the very machine that runs the companion? Nobody else may look through its camera."""
    try:
        return place.role.host and ipaddress.ip_address(env.visitor.address).is_loopback
    except ValueError:
        return False


@ft.component
def Webcam(send: Callable[[bytes], Any], problem: Callable[[str], None]) -> Any:
    """A button that takes the picture and sends it; with several cameras, one for each once it is known that there are.

    `problem` hears in a sentence why there is none. Both are called from this page's own loop.
    """
    env = use_env()
    busy = use_live(False)
    found: Live[tuple[Camera, ...]] = use_live(())

    async def take(camera: Camera | None) -> None:
        if busy.now():
            return
        busy.set(True)
        problem("")
        try:
            if camera is None:
                there = await asyncio.to_thread(cameras)
                if len(there) > 1:
                    found.set(there)
                    return
                if not there:
                    raise CaptureError("camera_none")
                camera = there[0]
            data = await asyncio.to_thread(still, camera.number)
            send(data)
        except CompanionError as error:
            found.set(())
            problem(explain(env, error))
        finally:
            busy.set(False)

    def one(camera: Camera | None, label: str) -> ft.Control:
        return button(
            env, label, lambda: env.page.run_task(take, camera), ft.Icons.CAMERA_OUTLINED, "outlined",
            disabled=busy.value, key=str(camera and camera.number),
        )  # fmt: skip

    if not found.value:
        return one(None, env.say("ui_webcam"))
    return ft.Row(
        [one(camera, camera.name or env.say("ui_webcam_n", n=camera.number + 1)) for camera in found.value],
        wrap=True,
        tight=True,
        spacing=8,
        run_spacing=8,
    )
