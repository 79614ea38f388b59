"""Every sentence a person reads, in English, French and Russian.

A sentence stands under the same key in every language, in the module of its area: `en/errors.py`,
`fr/errors.py`, `ru/errors.py` and so on, each a dictionary named `SENTENCES`. To add an area, write its
three modules and name it in `AREAS`.

In a sentence `{name}` is replaced by the parameter of that name and `{n:tile|tiles}` by the form that
fits the whole number `n`: two forms in English and French, three in Russian (`{n:раунд|раунда|раундов}`),
written without the number itself. A parameter may be text, a number, anything with a fitting `str()` (a
tile), a tuple of these (joined by commas), or something with `key` and `params`, which is said in the
same language.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import cache
from importlib import import_module
from string import Formatter
from typing import Any, Protocol, runtime_checkable

AREAS = (
    "errors",
    "scan",
    "doctor",
    "cli",
    "help",
    "storage",
    "game",
    "play",
    "house_rules",
    "sheet",
    "violations",
    "events",
    "serve",
    "following",
    "watch",
    "ui",
    "ui_setup",
    "ui_count",
    "ui_table",
    "ui_help",
)
"""The modules with sentences in each language's package."""


class Language(StrEnum):
    """A language that the companion speaks, by its ISO 639-1 code."""

    EN = "en"
    """English."""
    FR = "fr"
    """French."""
    RU = "ru"
    """Russian."""


@runtime_checkable
class Sayable(Protocol):
    """Anything that names a sentence: a violation, an error, a house rule's value."""

    @property
    def key(self) -> str:
        """The key of the sentence."""

    @property
    def params(self) -> Mapping[str, Any]:
        """What fills it in."""


def plural_form(number: int, lang: Language) -> int:
    """Which of a language's plural forms goes with a whole number: 0, 1 or (Russian) 2."""
    count = abs(number)
    match lang:
        case Language.EN:
            return 0 if count == 1 else 1
        case Language.FR:
            return 0 if count < 2 else 1
        case Language.RU:
            if count % 10 == 1 and count % 100 != 11:
                return 0
            return 1 if count % 10 in (2, 3, 4) and count % 100 not in (12, 13, 14) else 2


PLURAL_FORMS = {Language.EN: 2, Language.FR: 2, Language.RU: 3}
"""How many plural forms each language has."""


class _Writer(Formatter):
    """Fills in one sentence in one language."""

    def __init__(self, lang: Language) -> None:
        self._lang = lang

    def format_field(self, value: Any, format_spec: str) -> str:
        if "|" in format_spec:
            return format_spec.split("|")[plural_form(int(value), self._lang)]
        if isinstance(value, Sayable):
            return say(value.key, self._lang, **value.params)
        if isinstance(value, tuple):
            return ", ".join(self.format_field(item, format_spec) for item in value)
        return str(super().format_field(value, format_spec)) if format_spec else str(value)


@cache
def sentences(lang: Language) -> Mapping[str, str]:
    """All sentences of a language by key. A key that stands twice is a ValueError."""
    table: dict[str, str] = {}
    for area in AREAS:
        for key, sentence in import_module(f"{__name__}.{lang}.{area}").SENTENCES.items():
            if key in table:
                raise ValueError(f"the sentence {key!r} stands twice in {lang}")
            table[key] = sentence
    return table


def say(key: str, lang: Language, /, **params: Any) -> str:
    """The sentence `key` in a language, filled in.

    A key or parameter that is missing is a KeyError: no language ever falls back to another.
    """
    return _Writer(lang).vformat(sentences(lang)[key], (), params)


def error_sentence(error: Sayable, lang: Language) -> str:
    """What to tell the user about an error (or about anything else that has a key and parameters)."""
    return say(error.key, lang, **error.params)


def choose_language(tags: Iterable[str]) -> Language:
    """The first known language among locale names such as `fr_CA.UTF-8` or `ru-RU`; else English."""
    for tag in tags:
        code = tag.replace("_", "-").split("-")[0].split(".")[0].lower()
        if code in (language.value for language in Language):
            return Language(code)
    return Language.EN
