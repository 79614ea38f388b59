"""`companion serve`: the screens, for every phone in the house."""

from collections.abc import Callable
from contextvars import ContextVar
from pathlib import Path

from companion.app.serving import EVERYWHERE, ServeOptions
from companion.cli.desk import data_option
from companion.cli.localized import Command, Option, current_language
from companion.cli.parameters import Integer

Start = Callable[[ServeOptions], int]

START: ContextVar[Start] = ContextVar("start")
"""What starts the server: the screens are a house of their own, `companion.__main__` brings them along."""


def run(host: str, port: int | None, https: bool, data: Path | None, no_browser: bool) -> int:
    """Serve until Ctrl-C."""
    return START.get()(ServeOptions(current_language(), host, port, https, data, not no_browser))


command = Command(
    "serve",
    callback=run,
    params=[
        Option(["--host"], default=EVERYWHERE, metavar="ADDRESS", help="help_serve_host"),
        Option(["--port"], type=Integer(1, 65535), metavar="N", help="help_serve_port"),
        Option(["--https"], is_flag=True, help="help_serve_https"),
        Option(["--no-browser"], is_flag=True, help="help_serve_no_browser"),
        data_option(),
    ],
)
