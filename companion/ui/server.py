"""The server: our own routes, the screens beside them, and everything around one evening.

`asgi_app` is the application, for any ASGI server; `serve` is what `companion serve` does: open the data folder,
listen, tell the addresses, run until Ctrl-C.
"""

import asyncio
import contextlib
import logging
import os
import signal
import sys
import threading
import webbrowser
from collections.abc import AsyncIterator, Callable
from typing import Any

import flet as ft
import uvicorn
from flet_web.fastapi.flet_app import FletApp
from flet_web.fastapi.flet_app_manager import app_manager
from starlette.applications import Starlette
from starlette.routing import Mount, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket, WebSocketDisconnect

from companion.app.hub import Hub
from companion.app.scanning import HandReader
from companion.app.serving import EVERYWHERE, ServeOptions
from companion.app.visitors import Visitor
from companion.errors import UsageError
from companion.storage.places import Places, default_folder
from companion.text import Language, error_sentence, say
from companion.ui.certificate import Certificate, own_certificate
from companion.ui.guard import Guard
from companion.ui.network import lan_addresses, listen, urls
from companion.ui.routes import House, qr_code
from companion.ui.shell import Shell, not_found
from companion.ui.site import VISITOR, Site

MOST_SOCKET_BYTES = 64 * 1024**2
"""Largest message of a screen: a photo of the live camera must fit."""
_GRACE_S = 1
"""How long an answer that is on its way may take when the server stops."""

OpenPage = Callable[[ft.Page, Hub, Visitor, Site], None]
"""Shows the screens to one browser."""


def asgi_app(house: House, open_page: OpenPage) -> ASGIApp:
    """Everything this server answers."""

    def main(page: ft.Page) -> None:
        visitor = VISITOR.get()  # of the socket that opened the session
        assert visitor is not None
        open_page(page, house.hub, visitor, house.site)

    async def screens(socket: WebSocket) -> None:
        sessions: list[str] = []

        def begin(page: ft.Page) -> None:
            sessions.append(page.session.id)
            main(page)

        app = FletApp(asyncio.get_running_loop(), app_manager.executor, begin, None)
        try:
            await app.handle(_PatientSocket(socket.scope, socket.receive, socket.send))
        finally:
            # The framework would keep the session for an hour and take it up again, with screens that have heard
            # nothing meanwhile. Everything that matters is kept by the house: whoever comes back gets new screens.
            for session in sessions:
                await app_manager.delete_session(app._FletApp__get_unique_session_id(session))
            if (visitor := VISITOR.get()) is not None:
                house.hub.leave(visitor)

    shell = Shell()

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        await app_manager.start()
        try:
            yield
        finally:
            await app_manager.shutdown()
            shell.close()

    routes = [*house.routes(), WebSocketRoute("/ws", screens), Mount("/", shell)]
    return Guard(Starlette(routes=routes, lifespan=lifespan, exception_handlers={404: not_found}), house.site.secure)


class _PatientSocket(WebSocket):
    """Lets what is sent to a browser that has just gone fall under the table.

    The framework's loop would end with an error otherwise, and the session would count as connected for ever.
    """

    async def send_bytes(self, data: bytes) -> None:
        """Send, if anybody is there."""
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            await super().send_bytes(data)


class Server(uvicorn.Server):
    """uvicorn that ends without noise, and tells when it is ready."""

    def __init__(self, app: ASGIApp, certificate: Certificate | None = None, ready: Callable[[], None] | None = None):
        settings: dict[str, Any] = {}
        if certificate is not None:
            settings = {"ssl_certfile": certificate.cert, "ssl_keyfile": certificate.key}
        super().__init__(
            uvicorn.Config(
                app,
                ws="websockets-sansio",  # the other implementation ends sessions at 16 MiB
                ws_max_size=MOST_SOCKET_BYTES,
                log_level="warning",
                access_log=False,
                server_header=False,
                timeout_graceful_shutdown=_GRACE_S,
                **settings,
            )
        )
        self._ready = ready

    async def startup(self, sockets: list[Any] | None = None) -> None:
        """Start listening."""
        await super().startup(sockets)
        if self.started and self._ready is not None:
            self._ready()


def serve(options: ServeOptions, load_reader: Callable[[], HandReader] | None = None) -> int:
    """Serve until Ctrl-C; returns the exit code. Raises CompanionError when it cannot start."""
    from companion.ui.screens.app import open_page

    _quiet()
    places = Places(options.data or default_folder())
    addresses = lan_addresses()
    hub = Hub(places, load_reader or _reader)
    try:
        sock = listen(options.host, options.port)
        port = sock.getsockname()[1]
        certificate = own_certificate(places.folder / "https", addresses) if options.https else None
        site = Site(urls(options.host, port, options.https, addresses), options.https)
        house = House(hub, site)
        scheme, name = ("https" if options.https else "http"), _own_name(options.host)
        own = f"{scheme}://{name}:{port}/house/{house.keeper_key}"

        def ready() -> None:
            for line in announcement(site, own, certificate, options.lang):
                print(line, flush=True)
            if options.browser and _has_screen():
                threading.Thread(target=webbrowser.open, args=(own,), daemon=True).start()

        hub.scans.warm(lambda error: print(error_sentence(error, options.lang), file=sys.stderr, flush=True))
        server = Server(asgi_app(house, open_page), certificate, ready)
        with contextlib.suppress(KeyboardInterrupt):
            server.run([sock])
        if not server.started:
            raise UsageError("serve_failed")
        return 0
    finally:
        hub.close()


def announcement(site: Site, own: str, certificate: Certificate | None, lang: Language) -> list[str]:
    """What the terminal is told: where to go, who can come in, how to stop."""
    lines = [say("serve_here", lang, address=own)]
    if site.addresses:
        lines.append(say("serve_house", lang, address=site.addresses[0]))
        lines += [f"  {address}" for address in site.addresses[1:]]
        if sys.stdout.isatty():
            lines.append(terminal_qr(site.addresses[0]))
        lines.append(say("serve_listens", lang))
    else:
        lines.append(say("serve_only_here", lang))
    if certificate is not None:
        lines.append(say("serve_certificate", lang, fingerprint=certificate.fingerprint))
    return [*lines, say("serve_stop", lang)]


def terminal_qr(address: str) -> str:
    """An address as QR code of half blocks, light on dark: read by phones on dark and on light terminals."""
    rows = [[bool(cell) for cell in row] for row in qr_code(address).matrix_iter(border=2)]
    if len(rows) % 2:
        rows.append([False] * len(rows[0]))
    blocks = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
    return "\n".join(
        "".join(blocks[pair] for pair in zip(upper, lower, strict=True))
        for upper, lower in zip(rows[::2], rows[1::2], strict=True)
    )


def _own_name(host: str) -> str:
    if host in (EVERYWHERE, "", "::", "localhost"):
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host


def _has_screen() -> bool:
    """Is there a desktop to open a browser on? Without one, a browser of the terminal would take the terminal over."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _reader() -> HandReader:
    from companion.vision.reader import Reader

    return Reader.load()


def _quiet() -> None:
    """The framework tells of every session that ends while something is sent to it; that is everyday life here."""
    for name in ("flet", "flet_web", "flet_object_patch", "uvicorn.error", "asyncio"):
        logging.getLogger(name).setLevel(logging.CRITICAL if name.startswith("flet") else logging.ERROR)
    if threading.current_thread() is threading.main_thread() and hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, lambda *_: signal.raise_signal(signal.SIGTERM))  # a terminal that was closed
