"""The page that starts the screens in a browser, and the files of the framework that it needs."""

import os
import re
import tempfile
from pathlib import Path

from flet_web import get_package_web_dir
from flet_web.fastapi.flet_static_files import FletStaticFiles
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.types import Scope

from companion.text import Language, choose_language, say
from companion.ui.guard import PAGE_POLICY
from companion.ui.pages import message_page
from companion.ui.site import VISITOR, is_screen

_INDEX = "index.html"
_SCRIPT = b'<script src="/web/reconnect.js"></script>'


class Shell(FletStaticFiles):  # type: ignore[misc]  # it has no types
    """The framework's own page at every address of a screen, its files, and nothing anywhere else."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="companion-web-")
        _index_with_script(Path(self._folder.name))
        super().__init__(assets_dir=self._folder.name, app_name=say("ui_app", Language.EN), no_cdn=True)

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """A file by its address. The framework would answer every other address with its page; only screens get it."""
        try:
            full, found = super().lookup_path(path)
        except (OSError, ValueError):  # no file can have this name: longer than the disk allows, or with a null in it
            full, found = "", None
        if Path(full).name == _INDEX and path not in (".", _INDEX) and not is_screen(path):
            return "", None
        return full, found

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file, or the page in the browser's language."""
        full, found = self.lookup_path(_INDEX if path == "." else path)
        if found is None or Path(full).name != _INDEX:
            answer: Response = await super().get_response(path, scope)
            return answer
        return HTMLResponse(_in_words(Path(full).read_text(encoding="utf-8"), _language()))

    def close(self) -> None:
        """Nobody needs the files any more."""
        self._folder.cleanup()


def not_found(_: Request, __: Exception) -> Response:
    """What is answered at an address that leads nowhere."""
    lang = _language()
    page = message_page(lang, say("ui_app", lang), say("ui_no_such_page", lang))
    return HTMLResponse(page, 404, {"Content-Security-Policy": PAGE_POLICY})


def _language() -> Language:
    visitor = VISITOR.get()
    return choose_language(visitor.languages if visitor is not None else ())


def _in_words(page: str, lang: Language) -> str:
    """The page with what browsers and search boxes say of it in a language."""
    page = re.sub(r"<html\b[^>]*>", f'<html lang="{lang}">', page, count=1)
    words = say("ui_what_it_is", lang)
    return re.sub(r'(<meta name="description" content=)"[^"]*"', rf'\1"{words}"', page, count=1)


def _index_with_script(folder: Path) -> None:
    """The framework's own page, with the script that loads it anew after the connection was lost."""
    page = Path(get_package_web_dir(), _INDEX).read_bytes()
    head, found, rest = page.partition(b"<head>")
    if not found:
        raise RuntimeError("the framework's page has no head")
    (folder / _INDEX).write_bytes(head + found + _SCRIPT + rest)
