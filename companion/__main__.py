"""The program: `companion`, or `python -m companion`.

It joins the command line and the screens, which do not know each other.
"""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.app.serving import ServeOptions

INTERRUPTED = 130
"""As shells have it: 128 and the number of the signal."""


def start_server(options: "ServeOptions") -> int:
    """Start the screens. They are imported only now: every other command is faster without them."""
    from companion.ui.server import serve

    return serve(options)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit code; without any words but a language, serve."""
    try:
        # here, so that Ctrl-C ends the program without a word even while it is still being loaded
        from companion.cli import main as run
        from companion.cli.serve import START
    except KeyboardInterrupt:
        return INTERRUPTED
    words = list(sys.argv[1:] if arguments is None else arguments)
    START.set(start_server)
    alone = (
        not words or (words[0] == "--lang" and len(words) == 2) or (len(words) == 1 and words[0].startswith("--lang="))
    )
    return run(["serve", *words] if alone else words)


if __name__ == "__main__":
    sys.exit(main())
