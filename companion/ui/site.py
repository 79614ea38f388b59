"""Addresses beside the screens, and who looks at them. The routes themselves are in `server`."""

import re
from contextvars import ContextVar
from dataclasses import dataclass
from urllib.parse import quote

from companion.app.visitors import Visitor

VISITOR: ContextVar[Visitor | None] = ContextVar("visitor", default=None)
"""The browser whose request or socket is being served."""


SCREENS_AT = (
    "",
    "new",
    "join",
    "join/:code",
    "settings",
    "help",
    "about",
    "game/:code",
    "game/:code/round",
    "game/:code/table",
    "game/:code/count/:number/:seat/:how?",
    "game/:code/chart",
    "game/:code/people",
    "game/:code/rules",
    "game/:code/end",
)
"""The address of every screen, as the framework's router writes them: `:name` stands for anything, `?` may be left out.

The screens themselves are in `screens.app`, under the same addresses.
"""


def is_screen(path: str) -> bool:
    """Does a path, without its first slash, lead to a screen?"""
    return any(re.fullmatch(one, path) for one in _PATTERNS)


_PATTERNS = tuple(re.sub(r":\w+", "[^/]+", re.sub(r"/:\w+\?", "(/[^/]+)?", one)) for one in SCREENS_AT)


@dataclass(frozen=True, slots=True)
class Site:
    """What a screen can link to; every path but the QR code's works only for who knows the game's code."""

    addresses: tuple[str, ...]
    """Where other phones reach this server, best first, such as `http://192.168.1.5:8550`; empty: this machine only."""
    secure: bool
    """Served by HTTPS: live camera, wake lock and clipboard work."""

    def invitation(self, code: str) -> str:
        """The address to give to the others, also as QR code."""
        return f"{self.addresses[0] if self.addresses else ''}/game/{quote(code)}"

    @staticmethod
    def qr(code: str) -> str:
        """Picture of the invitation (SVG)."""
        return f"/game/{quote(code)}/qr.svg"

    @staticmethod
    def capture(code: str, seat: int, number: int | None = None) -> str:
        """The page that takes a photo with the phone's own camera and comes back; open it in the same window.

        `&lang=fr` and `&back=/game/CODE/...` may follow.
        """
        return f"/game/{quote(code)}/capture/{seat}?round={number or ''}"

    @staticmethod
    def capture_table(code: str) -> str:
        """The page that takes a photo of the table and comes back to its screen."""
        return f"/game/{quote(code)}/capture/table"

    @staticmethod
    def scan_picture(code: str, scan_id: str) -> str:
        """The photo of a scan (`Scan.shown`, JPEG)."""
        return f"/game/{quote(code)}/scan/{quote(scan_id)}.jpg"

    @staticmethod
    def photo(code: str, sha256: str) -> str:
        """A kept photo with outlines (JPEG)."""
        return f"/game/{quote(code)}/photo/{sha256}.jpg"

    @staticmethod
    def export(code: str, kind: str, lang: str) -> str:
        """A file to save; `kind`: csv | json | jsonl | png."""
        return f"/game/{quote(code)}/export/{kind}?lang={lang}"

    @staticmethod
    def bg_stats(code: str) -> str:
        """Leads on to BG Stats."""
        return f"/game/{quote(code)}/export/bgstats"

    @staticmethod
    def source() -> str:
        """The source of the very program that runs here, as the licence promises."""
        return "/source.zip"

    @staticmethod
    def restore() -> str:
        """The page that brings back a backup; for the keeper of the house."""
        return "/house/restore"

    @staticmethod
    def backup() -> str:
        """All games in one file; for the keeper of the house."""
        return "/house/backup"
