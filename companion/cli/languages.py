"""In which language the command line speaks: `--lang`, else the locale of the environment."""

from collections.abc import Mapping, Sequence

from companion.errors import UsageError
from companion.text import Language, choose_language

VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")


def language_of(words: Sequence[str], environment: Mapping[str, str]) -> Language:
    """The language, looked up before anything is parsed, so that mistakes are told in it too.

    Raises UsageError for a language that the companion does not speak.
    """
    for n, word in enumerate(words):
        if word == "--":
            break
        if word == "--lang" and n + 1 < len(words):
            return parse_language(words[n + 1])
        if word.startswith("--lang="):
            return parse_language(word.removeprefix("--lang="))
    return choose_language(environment.get(name, "") for name in VARIABLES)


def parse_language(text: str) -> Language:
    """A language by its code. Raises UsageError."""
    try:
        return Language(text.strip().lower())
    except ValueError as error:
        choices = UsageError("expected_choice", choices=tuple(Language))
        raise UsageError("usage_value", value=text, option="--lang", expected=choices) from error
