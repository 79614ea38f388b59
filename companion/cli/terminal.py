"""What is particular about writing to a terminal: encodings, errors, progress, tables."""

import codecs
import os
import re
import sys
import unicodedata
from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO

_PLAIN = {"“": '"', "”": '"', "«": '"', "»": '"', "’": "'", "×": "x", "—": "-", "…": "...", "\u00a0": " "}

_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def plain_letters(error: UnicodeError) -> tuple[str, int]:
    """For `codecs.register_error`: letters without their accents where an encoding lacks them, else `?`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lost = error.object[error.start : error.end]
    base = unicodedata.normalize("NFKD", "".join(_PLAIN.get(letter, letter) for letter in lost))
    return "".join(
        letter if letter.isascii() else "?" for letter in base if not unicodedata.combining(letter)
    ), error.end


def prepare_streams() -> None:
    """Let stdout and stderr write every letter: no encoding of the environment may stop a result."""
    codecs.register_error("companion.plain", plain_letters)
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by whoever started us
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            try:
                "я".encode(stream.encoding)
            except UnicodeEncodeError:
                stream.reconfigure(encoding="utf-8", errors="companion.plain")
            else:
                stream.reconfigure(errors="companion.plain")


def harmless(text: str) -> str:
    """Text without what steers a terminal: a log from elsewhere may hold anything."""
    return _STEERING.sub("?", text)


def print_error(sentence: str) -> None:
    """One line on stderr; what stdout has so far comes first."""
    sys.stdout.flush()
    clear_progress()
    try:
        print(harmless(sentence), file=sys.stderr, flush=True)
    except OSError:  # nobody listens, or the disk is full: what goes to stdout is still wanted
        silence(sys.stderr)


def silence(stream: TextIO) -> None:
    """Let a stream that can no longer be written to swallow the rest, so that Python does not complain in the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def on_one_line(text: str) -> str:
    """A name as it is shown: no line breaks, and nothing that a terminal would obey."""
    return "".join(letter if letter.isprintable() or "\ud800" <= letter <= "\udfff" else "?" for letter in text)


def show_progress(sentence: str) -> None:
    """Write over the last line of a terminal; into a file or pipe, nothing."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{sentence}", end="", file=sys.stderr, flush=True)


def clear_progress() -> None:
    """Take the progress away before something lasting is printed."""
    show_progress("")


def _width(text: str) -> int:
    """Columns that a text takes in a terminal."""
    return sum(
        0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        for letter in text
    )


def table(rows: Sequence[Sequence[str]], numbers: Sequence[int] = ()) -> str:
    """Rows in columns, the first one underlined; the columns `numbers` are set to the right."""
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]

    def line(row: Sequence[str]) -> str:
        cells = []
        for n, (cell, width) in enumerate(zip(row, widths, strict=True)):
            space = " " * (width - _width(cell))
            cells.append(space + cell if n in numbers else cell + space)
        return "  ".join(cells).rstrip()

    return "\n".join([line(rows[0]), "  ".join("-" * width for width in widths), *map(line, rows[1:])])
