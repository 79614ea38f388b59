"""What the command line asks of the server; `companion.__main__` hands one to the other."""

from dataclasses import dataclass
from pathlib import Path

from companion.text import Language

DEFAULT_PORT = 8550
"""Tried first, and the next ones after it, unless a port was named."""

EVERYWHERE = "0.0.0.0"
"""Listen for the whole local network."""


@dataclass(frozen=True, slots=True)
class ServeOptions:
    """How to serve."""

    lang: Language = Language.EN
    """What the terminal says is said in this language; each browser has its own."""
    host: str = EVERYWHERE
    """The address to listen on."""
    port: int | None = None
    """None: the first free one from `DEFAULT_PORT` on."""
    https: bool = False
    """With a certificate of one's own making."""
    data: Path | None = None
    """The data folder; None: the usual one."""
    browser: bool = True
    """Open the browser on this machine."""
