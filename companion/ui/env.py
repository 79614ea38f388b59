"""What every component needs: the house, the language, the look, the size of the window."""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import flet as ft

from companion.app.hub import Hub
from companion.app.visitors import Visitor
from companion.text import Language, say
from companion.ui.site import Site
from companion.ui.theme import DARK, LIGHT, PHONE_WIDTH


class Mode(StrEnum):
    """Light or dark."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


@dataclass(frozen=True, slots=True)
class Look:
    """How one browser shows the companion: what its settings screen holds."""

    lang: Language = Language.EN
    mode: Mode = Mode.SYSTEM
    scale: float = 1.0
    """Text size: 1 is normal, 2 is twice as large."""
    awake: bool = False
    """Keep the screen on."""

    def to_text(self) -> str:
        """One short line for the browser's memory."""
        return f"{self.lang}/{self.mode}/{self.scale:g}/{'awake' if self.awake else 'sleep'}"

    @classmethod
    def from_text(cls, text: str, default: "Look") -> "Look":
        """Read `to_text`; whatever cannot be read is as in `default`."""
        look = default
        parts = text.split("/") + [""] * 4
        with contextlib.suppress(ValueError):
            look = replace(look, lang=Language(parts[0]))
        with contextlib.suppress(ValueError):
            look = replace(look, mode=Mode(parts[1]))
        with contextlib.suppress(ValueError):
            look = replace(look, scale=min(max(float(parts[2]), 1.0), 2.0))
        return replace(look, awake=parts[3] == "awake")


@dataclass(frozen=True, slots=True)
class Env:
    """The surroundings of a component."""

    page: ft.Page
    hub: Hub
    """The house of games."""
    visitor: Visitor
    """This browser."""
    site: Site
    """The addresses beside the screens."""
    look: Look
    set_look: Callable[[Look], None]
    width: float
    """Of the window, in logical pixels."""
    height: float
    dark: bool
    """Is the dark theme on?"""

    def say(self, key: str, **params: Any) -> str:
        """A sentence in this browser's language."""
        return say(key, self.look.lang, **params)

    @property
    def scale(self) -> float:
        """The text size."""
        return self.look.scale

    @property
    def phone(self) -> bool:
        """Is there room for one column only? Large text needs room too."""
        return self.width < PHONE_WIDTH * min(self.scale, 1.5)

    @property
    def narrow(self) -> bool:
        """Is the text so large that a name needs a line of its own?"""
        return self.width < 270 * self.scale

    def colour(self, role: str) -> str:
        """The colour of a role, as `#RRGGBB`, for what Flutter's theme does not colour by itself."""
        return (DARK if self.dark else LIGHT)[role]

    def go(self, route: str) -> None:
        """Show another screen."""
        self.page.navigate(route)


Surroundings: Any = ft.create_context(None)


def use_env() -> Env:
    """The surroundings; only inside a component."""
    env = ft.use_context(Surroundings)
    assert isinstance(env, Env)
    return env
