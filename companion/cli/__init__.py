"""The command line: `companion COMMAND ...`.

Every command is a module of its own name with a `command`; name it in `COMMANDS`. It is imported when it is
used, because the networks take a while. A command returns its exit code (None means 0) and raises
CompanionError for one sentence and exit code 2. `languages` says in which language help, mistakes and
results are written.
"""

import os
import sys
from collections.abc import Sequence

import click

from companion import __version__
from companion.cli.codes import FAILED, INTERRUPTED
from companion.cli.languages import language_of
from companion.cli.localized import Group
from companion.cli.parameters import usage_error
from companion.cli.terminal import prepare_streams, print_error, silence
from companion.errors import CompanionError
from companion.text import Language, error_sentence, say

COMMANDS = (
    "serve",
    *("new", "games", "score", "scan", "state", "round", "move", "undo", "redo", "sheet", "history", "plan", "watch"),
    *("export", "backup", "restore", "delete", "rules", "join", "leave", "simulate", "doctor"),
)
"""In the order in which help lists them."""

program = Group("companion", COMMANDS, version=__version__)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit code; never a traceback for a mistake of the user's."""
    prepare_streams()
    words = list(sys.argv[1:] if arguments is None else arguments)
    lang = Language.EN
    try:
        lang = language_of(words, os.environ)
        code = program.main(words, prog_name="companion", standalone_mode=False, obj=lang)
        sys.stdout.flush()
    except (KeyboardInterrupt, click.Abort):
        print(file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # the reader of a pipe, such as head, has seen enough
        silence(sys.stdout)
        return 0
    except OSError as error:
        if error.filename is not None:  # a file, not a stream: a fault of ours, which must not be hidden
            raise
        silence(sys.stdout)
        print_error(say("output_not_writable", lang, reason=error.strerror or type(error).__name__))
        return FAILED
    except CompanionError as error:
        print_error(error_sentence(error, lang))
        return FAILED
    except click.ClickException as error:
        print_error(error_sentence(usage_error(error), lang))
        return FAILED
    return code if isinstance(code, int) else 0
