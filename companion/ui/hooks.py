"""State of a component that is never read too old."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

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

    def change(self, function: Callable[[T], T]) -> None:
        """Change it from what it is now."""
        self.set(function(self.now()))


def use_live(initial: T | Callable[[], T]) -> Live[T]:
    """Like `ft.use_state`; the value may be anything but a function."""
    value, set_value = ft.use_state(initial)
    latest: Any = ft.use_ref(None)
    latest.current = value

    def put(new: T) -> None:
        latest.current = new
        set_value(new)

    return Live(value, lambda: cast(T, latest.current), put)
