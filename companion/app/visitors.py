"""Who is on the other side of a browser, and what that one may do."""

import hashlib
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from companion.errors import UsageError
from companion.rules.counting import ZERO_FOR_LOWEST
from companion.rules.events import Event, GameEnded, HandDealt, RoundEnded, RoundStarted, ScoreCorrected
from companion.storage.records import HOST, Source


@dataclass(frozen=True, slots=True)
class Visitor:
    """A browser. It is known by a secret of its own, of which only the hash is kept here."""

    key: str
    """sha256 of the secret, hexadecimal."""
    address: str = ""
    """Where it comes from, for slowing down who guesses."""
    languages: tuple[str, ...] = field(default=(), compare=False)
    """What the browser asks for, best first, such as `fr-CA`."""

    @classmethod
    def of(cls, secret: str, address: str = "", languages: tuple[str, ...] = ()) -> "Visitor":
        """The browser with this secret."""
        return cls(hashlib.sha256(secret.encode()).hexdigest(), address, languages)


@dataclass(frozen=True, slots=True)
class Role:
    """What a visitor is in one game."""

    host: bool = False
    """Started the game, or keeps the house: may do everything."""
    seats: frozenset[int] = frozenset()
    """The players it enters scores for: mostly one, more where people share a phone."""

    def may_score(self, seat: int) -> bool:
        """May this visitor enter what a player has left?"""
        return self.host or seat in self.seats

    def may_record(self, events: tuple[Event, ...]) -> bool:
        """May this visitor record these events? A player the own ones, and what follows from them."""
        if self.host:
            return True
        own = any(map(self._is_own, events))
        return own and all(self._is_own(event) or _follows(event) for event in events)

    def source(self, seat: int | None = None) -> Source:
        """How the log names this visitor when it writes for a seat."""
        if self.host or not self.seats:
            return HOST
        return Source(seat if seat in self.seats else min(self.seats))

    def _is_own(self, event: Event) -> bool:
        if isinstance(event, RoundEnded):
            return event.went_out in self.seats
        return not isinstance(event, HandDealt) and getattr(event, "seat", None) in self.seats


def _follows(event: Event) -> bool:
    """Is this an event that can come along with a player's own?"""
    if isinstance(event, ScoreCorrected):
        return event.why == ZERO_FOR_LOWEST
    return isinstance(event, RoundStarted | HandDealt | RoundEnded | GameEnded)


FREE_GUESSES = 5
"""Wrong codes that anybody may type before having to wait."""
LONGEST_WAIT_S = 60.0
FORGET_AFTER_S = 900.0
_MOST_ADDRESSES = 4096


class Guesses:
    """Slows down who guesses codes: after a few wrong ones every further one costs twice the wait.

    Told apart by address; when very many addresses guess at once they share one account.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._wrong: dict[str, tuple[int, float]] = {}

    def check(self, address: str) -> None:
        """Raises UsageError `code_wait` (`seconds`) while the address has to wait."""
        wrong, last = self._wrong.get(self._account(address), (0, 0.0))
        if wrong < FREE_GUESSES:
            return
        doublings = min(wrong - FREE_GUESSES, 16)  # who guesses all day long must not make the number too large
        left = last + min(LONGEST_WAIT_S, 2.0**doublings) - self._clock()
        if left > 0:
            raise UsageError("code_wait", seconds=math.ceil(left))

    def wrong(self, address: str) -> None:
        """A wrong guess."""
        account, now = self._account(address), self._clock()
        wrong, last = self._wrong.get(account, (0, now))
        self._wrong[account] = (1 if now - last > FORGET_AFTER_S else wrong + 1, now)

    def _account(self, address: str) -> str:
        if address in self._wrong or len(self._wrong) < _MOST_ADDRESSES:
            return address
        now = self._clock()
        self._wrong = {name: one for name, one in self._wrong.items() if now - one[1] <= FORGET_AFTER_S}
        return address if len(self._wrong) < _MOST_ADDRESSES else ""
