"""Hands that are half counted: kept on the server, so that a reload or a screen that slept loses nothing."""

import threading
from collections import OrderedDict

from companion.ui.model import Counting

Key = tuple[str, str, int, int]
"""Browser, game, round, seat."""

MOST = 256


class Drafts:
    """The half-counted hands of all browsers; the oldest make room."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._hands: OrderedDict[Key, Counting] = OrderedDict()

    def get(self, key: Key) -> Counting:
        """The hand as it was left; empty when there is none."""
        with self._lock:
            return self._hands.get(key, Counting())

    def put(self, key: Key, counting: Counting) -> None:
        """Remember a hand."""
        with self._lock:
            self._hands[key] = counting
            self._hands.move_to_end(key)
            while len(self._hands) > MOST:
                self._hands.popitem(last=False)

    def drop(self, key: Key) -> None:
        """It is accepted, or nobody wants it."""
        with self._lock:
            self._hands.pop(key, None)


DRAFTS = Drafts()
"""Those of this server."""
