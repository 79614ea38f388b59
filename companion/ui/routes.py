"""What the server offers beside the screens: photos in, pictures and exports out.

Everything about a game needs its code, which stands in the path; guessing is slowed down by the house. Nothing that
comes from outside ever becomes the name of a file.
"""

import io
import json
import re
import secrets
import zipfile
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, wraps
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

import segno
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

import companion
from companion import __version__
from companion.app.hub import Hub
from companion.app.place import Place
from companion.app.scan_queue import Scan, ScanState
from companion.app.sharing import bg_stats_link, sheet_csv, sheet_data, sheet_picture
from companion.app.visitors import Visitor
from companion.errors import CompanionError, LogCorruptError, UsageError
from companion.text import Language, choose_language, error_sentence, say
from companion.ui.guard import PAGE_POLICY
from companion.ui.pages import capture_page, message_page, restore_page
from companion.ui.site import VISITOR, Site

MOST_PHOTO_BYTES = 64 * 1024**2
"""Largest photo that is taken."""
MOST_BACKUP_BYTES = 512 * 1024**2
"""Largest backup that is taken."""

_WEB = Path(__file__).parent / "web"
_WEB_FILES = {"page.css": "text/css", "reconnect.js": "text/javascript", "send.js": "text/javascript"}
_STATUS = {"code_unknown": 404, "code_wait": 429, "photo_file_too_big": 413, "not_yours": 403, "not_host": 403}
_STATUS |= {"not_keeper": 403, "web_photo_gone": 404}

Handler: TypeAlias = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class House:
    """What the routes work on."""

    hub: Hub
    site: Site
    keeper_key: str = field(default_factory=lambda: secrets.token_urlsafe(18))
    """Whoever opens `/house/KEY` keeps the house from then on."""

    def routes(self) -> list[BaseRoute]:
        """All of them."""
        game = "/game/{code}"
        return [
            Route("/health", health),
            Route("/source.zip", source),
            Route("/web/{name}", web_file),
            Route("/house/backup", self._handle(self.backup)),
            Route("/house/restore", self._handle(self.restore), methods=["GET", "POST"]),
            Route("/house/{key}", self._handle(self.keep)),
            Route(f"{game}/qr.svg", self._handle(self.qr)),
            Route(f"{game}/capture/table", self._handle(self.capture_table), methods=["GET", "POST"]),
            Route(f"{game}/capture/{{seat}}", self._handle(self.capture), methods=["GET", "POST"]),
            Route(f"{game}/scan/{{scan}}.jpg", self._handle(self.scan_picture)),
            Route(f"{game}/scan/{{scan}}", self._handle(self.scan_state)),
            Route(f"{game}/photo/{{sha256}}.jpg", self._handle(self.photo)),
            Route(f"{game}/export/{{kind}}", self._handle(self.export)),
        ]

    @staticmethod
    def _handle(handler: Handler) -> Handler:
        """Tell errors in the visitor's language: as JSON to scripts, as a page to people."""

        @wraps(handler)
        async def handle(request: Request) -> Response:
            try:
                return await handler(request)
            except ClientDisconnect:
                return Response(
                    status_code=400
                )  # nobody is there to read it: a phone that left the house while it sent
            except CompanionError as error:
                lang, status = language(request), _STATUS.get(error.key, 400)
                sentence = error_sentence(error, lang)
                headers = {"Retry-After": str(error.params["seconds"])} if status == 429 else {}
                if request.method == "POST" or request.headers.get("sec-fetch-dest") == "empty":
                    return JSONResponse({"error": sentence}, status, headers)
                return _html(message_page(lang, "Mexican Train Companion", sentence), status, headers)

        return handle

    async def _place(self, request: Request) -> Place:
        return await run_in_threadpool(self.hub.enter, request.path_params["code"], _visitor())

    # photos

    async def capture(self, request: Request) -> Response:
        """The page that takes a photo, and the photo that it sends."""
        place, lang = await self._place(request), language(request)
        players = place.game.players
        seat = next((one.seat for one in players if str(one.seat) == request.path_params["seat"]), None)
        if seat is None:
            raise HTTPException(404)
        if not place.role.may_score(seat):
            raise UsageError("not_yours", player=players[seat].name)
        number = _number(request.query_params.get("round"))
        if request.method == "GET":
            back = _back(request.query_params.get("back", ""), place.code, seat, number)
            page = capture_page(
                lang, players[seat].name, str(request.url.replace(scheme="", netloc="")), back, MOST_PHOTO_BYTES
            )
            return _html(page)
        data = await body(request, MOST_PHOTO_BYTES)
        scan = await run_in_threadpool(place.scan, data, seat, number)
        return JSONResponse({"watch": f"/game/{place.code}/scan/{scan.id}?lang={lang}"}, 202)

    async def capture_table(self, request: Request) -> Response:
        """The same for the table."""
        place, lang = await self._place(request), language(request)
        if request.method == "GET":
            send = str(request.url.replace(scheme="", netloc=""))
            return _html(capture_page(lang, None, send, f"/game/{place.code}/table", MOST_PHOTO_BYTES))
        data = await body(request, MOST_PHOTO_BYTES)
        scan = await run_in_threadpool(place.table.take, data)
        return JSONResponse({"watch": f"/game/{place.code}/scan/{scan.id}?lang={lang}"}, 202)

    async def scan_state(self, request: Request) -> Response:
        """How far a photo is, in words."""
        scan, lang = await self._scan(request), language(request)
        over = scan.over  # first: it is being read meanwhile, and what is said must not be older than the end
        if scan.error is not None:
            return JSONResponse({"error": error_sentence(scan.error, lang)})
        return JSONResponse({"sentence": scan_sentence(scan, lang), "over": over})

    async def scan_picture(self, request: Request) -> Response:
        """The photo of a scan."""
        scan = await self._scan(request)
        if scan.shown is None:
            return Response(status_code=404)
        return Response(scan.shown, media_type="image/jpeg", headers=_PRIVATE)

    async def photo(self, request: Request) -> Response:
        """A kept photo with outlines."""
        place, sha256 = await self._place(request), request.path_params["sha256"]
        picture = await run_in_threadpool(place.photo, sha256)
        if picture is None:
            raise UsageError("web_photo_gone")
        return Response(picture, media_type="image/jpeg", headers=_PRIVATE)

    async def _scan(self, request: Request) -> Scan:
        place = await self._place(request)
        scan = place.find_scan(request.path_params["scan"])
        if scan is None:
            raise UsageError("web_photo_gone")
        return scan

    # exports

    async def export(self, request: Request) -> Response:
        """A file to save."""
        place, lang, kind = await self._place(request), language(request), request.path_params["kind"]
        if kind == "bgstats":
            return RedirectResponse(place.look(bg_stats_link), 303)
        if kind not in _EXPORTS:
            return Response(status_code=404)
        media_type, make = _EXPORTS[kind]
        data = await run_in_threadpool(make, place, lang)
        return _download(data, f"mexican-train-{place.code}.{kind}", media_type)

    async def qr(self, request: Request) -> Response:
        """The invitation as a picture; a name or address that has led a phone here leads others here, too."""
        place, host = await self._place(request), request.headers["host"]
        reached = f"{request.url.scheme}://{host}"
        address = reached if reached in self.site.addresses else (self.site.addresses or (reached,))[0]
        file = io.BytesIO()
        qr_code(f"{address}/game/{place.code}").save(file, kind="svg", border=3, dark="#000", light="#fff", scale=8)
        return Response(file.getvalue(), media_type="image/svg+xml", headers=_PRIVATE)

    # the house

    async def keep(self, request: Request) -> Response:
        """The address that the server opens in the browser of its own machine."""
        if not secrets.compare_digest(request.path_params["key"].encode(), self.keeper_key.encode()):
            raise UsageError("not_keeper")
        self.hub.make_keeper(_visitor())
        return RedirectResponse("/", 303)

    async def backup(self, request: Request) -> Response:  # noqa: ARG002
        """All games and photos."""
        data = await run_in_threadpool(self.hub.backup, _visitor())
        return _download(data, "mexican-train-backup.zip", "application/zip")

    async def restore(self, request: Request) -> Response:
        """The page that brings back a backup, and the backup that it sends."""
        lang = language(request)
        if not self.hub.is_keeper(_visitor()):
            raise UsageError("not_keeper")
        if request.method == "GET":
            return _html(restore_page(lang, f"/house/restore?lang={lang}", MOST_BACKUP_BYTES))
        data = await body(request, MOST_BACKUP_BYTES)
        try:
            restored = await run_in_threadpool(self.hub.restore, data, _visitor())
        except LogCorruptError as error:
            raise UsageError("web_restore_bad") from error
        return JSONResponse({"sentence": say("web_restored", lang, n=len(restored))})


async def health(request: Request) -> Response:  # noqa: ARG001
    """Is the server there, and which version is it?"""
    return JSONResponse({"ok": True, "version": __version__})


async def source(request: Request) -> Response:  # noqa: ARG001
    """The source of this very program, with every change that was made to it (AGPL, section 13)."""
    return _download(
        await run_in_threadpool(source_zip), f"mexican-train-companion-{__version__}.zip", "application/zip"
    )


@cache
def source_zip() -> bytes:
    """The installed package as a zip file."""
    folder = Path(companion.__file__).parent
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                archive.write(path, Path(folder.name) / path.relative_to(folder))
    return file.getvalue()


async def web_file(request: Request) -> Response:
    """Scripts and styles of our own pages."""
    name = request.path_params["name"]
    if name not in _WEB_FILES:
        return Response(status_code=404)
    return FileResponse(_WEB / name, media_type=_WEB_FILES[name], headers={"Cache-Control": "no-cache"})


def scan_sentence(scan: Scan, lang: Language) -> str:
    """How far a photo is."""
    if scan.state is ScanState.WAITING and (place := scan.place):
        return say("web_scan_waits", lang, n=place)
    return say("web_scan_done" if scan.over else "web_scan_reading", lang)


def qr_code(address: str) -> segno.QRCode:
    """An address as QR code, with more than the usual redundancy: it is scanned from screens in lamplight."""
    return segno.make_qr(address, error="M")


def language(request: Request) -> Language:
    """The language that a link asks for, else the browser's."""
    return choose_language([request.query_params.get("lang", ""), *_visitor().languages])


async def body(request: Request, most: int) -> bytes:
    """What was sent. Raises UsageError `photo_file_too_big` (`megabytes`) without keeping what is too much."""
    told = request.headers.get("content-length", "")
    parts: list[bytes] = []
    size = 0
    too_big = told.isdecimal() and int(told) > most
    if too_big and int(told) > 4 * most:  # not worth listening to
        raise UsageError("photo_file_too_big", megabytes=most // 1024**2)
    async for part in request.stream():
        size += len(part)
        if too_big or size > most:
            parts.clear()  # read on, or the browser would take the answer for a broken line
            too_big = True
            if size > 4 * most:
                break
        else:
            parts.append(part)
    if too_big:
        raise UsageError("photo_file_too_big", megabytes=most // 1024**2)
    return b"".join(parts)


_PRIVATE = {"Cache-Control": "private, max-age=3600"}


def _html(page: str, status: int = 200, headers: Mapping[str, str] = MappingProxyType({})) -> Response:
    """One of our own pages, which may load what is ours and nothing else."""
    return HTMLResponse(page, status, {"Content-Security-Policy": PAGE_POLICY, **headers})


def _json(place: Place) -> bytes:
    return json.dumps(place.look(sheet_data), ensure_ascii=False, indent=2).encode()


_EXPORTS: dict[str, tuple[str, Callable[[Place, Language], bytes]]] = {
    # with a byte order mark, without which table calculations take UTF-8 for something else
    "csv": ("text/csv; charset=utf-8", lambda place, lang: sheet_csv(place.game, lang).encode("utf-8-sig")),
    "json": ("application/json", lambda place, _: _json(place)),
    "jsonl": ("application/jsonl; charset=utf-8", lambda place, _: place.jsonl().encode()),
    "png": ("image/png", lambda place, lang: sheet_picture(place.game, place.code, lang)),
}


def _download(data: bytes, name: str, media_type: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(data, media_type=media_type, headers=headers)


def _visitor() -> Visitor:
    visitor = VISITOR.get()
    assert visitor is not None  # the guard has seen everybody
    return visitor


def _number(text: str | None) -> int | None:
    return int(text) if text and re.fullmatch(r"[1-9]\d?", text, re.ASCII) else None


def _back(asked: str, code: str, seat: int, number: int | None) -> str:
    """Where the capture page leads back to: a screen of this very game."""
    if re.fullmatch(rf"/game/{code}(/[a-z0-9-]+)*", asked, re.ASCII):
        return asked
    return f"/game/{code}/count/{number}/{seat}" if number else f"/game/{code}"
