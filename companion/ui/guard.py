"""What stands before every request: who asks, from which page, under which name; and what every answer says.

- A browser is known by a cookie with a secret that only it has; scripts cannot read it.
- The server answers only to names that are its own. A page from elsewhere whose name is turned to this machine's
  address (DNS rebinding) would otherwise be taken for the server's own page.
- Sockets and posts are taken only from the server's own pages.
- No page may load anything from outside the house, nor be shown inside another page.
"""

import ipaddress
import secrets
import socket
from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from companion.app.visitors import Visitor
from companion.ui.site import VISITOR

COOKIE_DAYS = 400
"""The longest that browsers keep a cookie."""
_SECRET_LENGTH = 43
_HOUSE_DOMAINS = ("", ".local", ".lan", ".home", ".home.arpa", ".internal", ".fritz.box", ".localdomain")
"""What routers put behind the names of machines; nobody on the internet can own such a name."""

_FLET_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval' blob:; style-src 'self' 'unsafe-inline';"
    " img-src 'self' data: blob:; font-src 'self' data:; media-src 'self' blob:; worker-src 'self' blob:;"
    " connect-src 'self' ws: wss: data: blob:; object-src 'none'; base-uri 'self'; frame-ancestors 'none'"
)
"""For the screens: what Flutter needs, and nothing from elsewhere."""

PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self';"
    " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""For our own small pages."""

_HEADERS = {
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), microphone=(), geolocation=()",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class Guard:
    """The outermost layer of the server."""

    def __init__(self, app: ASGIApp, secure: bool, names: Iterable[str] = ()) -> None:
        """`names`: under which this machine is known besides its addresses, `localhost` and its own name."""
        self._app = app
        self._secure = secure
        self._cookie = "__Host-companion" if secure else "companion"
        own = socket.gethostname().split(".")[0].lower()
        self._names = {"localhost", *(own + domain for domain in _HOUSE_DOMAINS), *(name.lower() for name in names)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check, name the visitor, pass on."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        if not self._is_ours(connection.headers.get("host", "")):
            await self._refuse(scope, receive, send, 421)
            return
        if (scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")) and not _same_origin(connection):
            await self._refuse(scope, receive, send, 403)
            return
        secret = connection.cookies.get(self._cookie, "")
        new = len(secret) != _SECRET_LENGTH
        if new:
            secret = secrets.token_urlsafe(32)
        address = connection.client.host if connection.client else ""
        token = VISITOR.set(Visitor.of(secret, address, _languages(connection)))
        try:
            await self._app(scope, receive, self._sender(send, secret if new else None))
        finally:
            VISITOR.reset(token)

    def _sender(self, send: Send, secret: str | None) -> Send:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
                is_page = headers.get("content-type", "").startswith("text/html")
                headers.setdefault("Content-Security-Policy", _FLET_POLICY if is_page else PAGE_POLICY)
                if is_page:
                    headers["Cache-Control"] = "no-store"
                if is_page or message["status"] == 303:
                    self._set(headers, secret)
            elif message["type"] == "websocket.accept":
                message.setdefault("headers", [])
                self._set(MutableHeaders(scope=message), secret)
            await send(message)

        return send_with_headers

    def _set(self, headers: MutableHeaders, secret: str | None) -> None:
        if secret is not None:
            flags = "HttpOnly; SameSite=Lax" + ("; Secure" if self._secure else "")
            headers.append("Set-Cookie", f"{self._cookie}={secret}; Path=/; Max-Age={COOKIE_DAYS * 86400}; {flags}")

    def _is_ours(self, host: str) -> bool:
        """Is this an address, or a name of this machine?"""
        try:
            name = urlsplit(f"//{host}").hostname or ""
            return name in self._names or bool(ipaddress.ip_address(name))
        except ValueError:
            return False

    @staticmethod
    async def _refuse(scope: Scope, receive: Receive, send: Send, status: int) -> None:
        if scope["type"] == "websocket":
            await WebSocketClose(1008)(scope, receive, send)
        else:
            await PlainTextResponse("", status, _HEADERS)(scope, receive, send)


def _languages(connection: HTTPConnection) -> tuple[str, ...]:
    """The languages that a browser asks for."""
    asked = connection.headers.get("accept-language", "")
    return tuple(tag.split(";")[0].strip() for tag in asked[:200].split(",") if tag.strip())


def _same_origin(connection: HTTPConnection) -> bool:
    """Does the request come from a page of this server? Programs that are no browsers send no origin."""
    origin = connection.headers.get("origin")
    try:
        return origin is None or urlsplit(origin).netloc.lower() == connection.headers.get("host", "").lower()
    except ValueError:  # no browser writes such an address
        return False
