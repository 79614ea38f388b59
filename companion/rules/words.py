"""Free text that people enter: names and reasons."""

import unicodedata

_JOINERS = "\u200c\u200d"
"""They hold letters and emoji together and are seen only by what they do."""


def one_line(text: str) -> str:
    """Text as it is stored and shown: one line, single spaces, composed letters, nothing that steers a terminal."""
    shown = "".join(letter if letter.isprintable() or letter in _JOINERS else " " for letter in text)
    return " ".join(unicodedata.normalize("NFC", shown).split())
