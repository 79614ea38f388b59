"""State of a component that is never read too old."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import flet as ft

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Live(Generic[T]):
    """A piece of state. Two quick taps can arrive before the screen is drawn again: handlers ask `now`."""

    value: T
    """As it is drawn."""
    now: Callable[[], T]
    """As it is."""
    set: Callable[[T], None]
    """Change it and draw again."""
    note: Callable[[T], None]
    """Change it without drawing: what was typed stands on the screen already."""

    def change(self, function: Callable[[T], T]) -> None:
        """Change it from what it is now."""
        self.set(function(self.now()))


def use_live(initial: T | Callable[[], T]) -> Live[T]:
    """Like `ft.use_state`; the value may be anything but a function."""
    kept: Any = ft.use_ref(None)
    if kept.current is None:
        kept.current = [initial() if callable(initial) else initial]
    box: list[T] = kept.current
    _, draw = ft.use_state(0)

    def note(new: T) -> None:
        box[0] = new

    def put(new: T) -> None:
        if new != box[0]:
            note(new)
            draw(lambda n: n + 1)

    return Live(box[0], lambda: box[0], put, note)


class Kept:
    """Controls that are drawn again only when something about them has changed.

    The framework passes over a control that is the very same as in the drawing before. It must stand in a list, and
    what it does when it is tapped must ask for what is now: it may be older than the screen around it.
    """

    def __init__(self) -> None:
        self._before: dict[Hashable, ft.Control] = {}
        self._now: dict[Hashable, ft.Control] = {}

    def turn(self) -> "Kept":
        """A new drawing begins: what the last one did not use is forgotten."""
        self._before, self._now = self._now, {}
        return self

    def get(self, key: Hashable, make: Callable[[], ft.Control]) -> ft.Control:
        """The control as it was drawn for the same `key`, which names its place and all it shows; else a new one."""
        control = self._before.get(key)
        if control is None:
            control = make()
        self._now[key] = control
        return control


def use_kept(about: Hashable) -> Kept:
    """The controls that this component keeps, as long as it is about the same thing."""
    kept: Any = ft.use_memo(Kept, [about])
    assert isinstance(kept, Kept)
    return kept.turn()


@dataclass(frozen=True, slots=True)
class Typed:
    """What is being typed into a field.

    A key that is pressed draws nothing: the text stands on the screen already, and its echo, when the server is busy,
    would take away what has been typed since.
    """

    now: Callable[[], str]
    """The text as far as it has arrived."""
    note: Callable[[str], None]
    """It has been typed."""
    clear: Callable[[], None]
    """Empty the field."""


def use_typed(initial: str = "") -> Typed:
    """The text of a field that nothing else on the screen depends on."""
    text = use_live(initial)
    return Typed(text.now, text.note, lambda: text.set(""))
