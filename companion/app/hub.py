"""The house: every game on this machine, shared by all the screens that look at it. Thread-safe; knows no front end.

How a screen uses it (`hub` is one `Hub` per server, `visitor` the browser, from `companion.ui.site.VISITOR`):

    hub.cards(visitor)                     the games this browser knows, running ones first: GameCard
    place = hub.create(events, visitor)    start a game; the visitor is its host
    place = hub.enter("KX4-2MP", visitor)  by code, typed as people type; UsageError code_unknown | code_wait

`Place` is one visitor's place at one game: `companion.app.place`.

Errors are CompanionErrors with a sentence, as everywhere; not_yours, not_host, not_keeper: what a visitor may not do.
"""

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.app.backup import Restored, backup, restore
from companion.app.live_game import LiveGame
from companion.app.photo_album import PhotoAlbum
from companion.app.place import Place
from companion.app.scan_queue import ScanQueue
from companion.app.scanning import HandReader
from companion.app.session import Clock, GameSession, now
from companion.app.visitors import Guesses, Role, Visitor
from companion.errors import CompanionError, UsageError
from companion.rules.events import Event
from companion.rules.state import Game
from companion.storage.access_store import AccessStore
from companion.storage.photo_store import PhotoStore
from companion.storage.places import Places
from companion.storage.sqlite_store import SqliteStore

LOOK_EVERY_S = 0.5
"""How often a watched game is looked at for what another program has written into the log."""

_HOUSE = ""
"""In the access store: the whole house instead of one game."""
_KEEPER, _HOST, _LOOKS = "keeper", "host", "looks"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class GameCard:
    """One game in the list of games."""

    code: str
    game: Game | None
    """None: it cannot be read, see `error`."""
    role: Role
    started: str
    """UTC, ISO 8601."""
    changed: str
    error: CompanionError | None = None


class Hub:
    """The games of one data folder, open to everybody on this server."""

    def __init__(self, places: Places, load_reader: Callable[[], HandReader], clock: Clock = now) -> None:
        """Open the folder. Raises StorageError and its kin."""
        self.places = places
        self.store = SqliteStore(places.log)
        self.photos = PhotoStore(places.photos)
        self.album = PhotoAlbum(self.photos, places.folder / "outlined")
        self.access = AccessStore(places.folder / "access.sqlite3")
        self.scans = ScanQueue(load_reader)
        self._clock = clock
        self._guesses = Guesses()
        self._live: dict[str, LiveGame] = {}
        self._lock = threading.RLock()
        self._listening: dict[int, tuple[Visitor, list[Callable[[], None]]]] = {}
        self._news = threading.Condition()
        self._changed: set[LiveGame] = set()
        self._closed = False
        self._teller = threading.Thread(target=self._tell, name="hub-tell", daemon=True)
        self._teller.start()

    def close(self) -> None:
        """Stop everything; what was recorded is on disk already."""
        with self._news:
            self._closed = True
            self._news.notify()
        self._teller.join(timeout=5)
        self.scans.close()
        self.access.close()
        self.store.close()

    # visitors

    def is_keeper(self, visitor: Visitor) -> bool:
        """Does this browser keep the house: the one that the server opened itself?"""
        return (_KEEPER, visitor.key) in self.access.roles(_HOUSE)

    def make_keeper(self, visitor: Visitor) -> None:
        """Let this browser see and do everything on this server."""
        self.access.grant(_HOUSE, _KEEPER, visitor.key)

    def role(self, code: str, visitor: Visitor) -> Role | None:
        """What a visitor is in a game; None: it has not shown the code yet."""
        mine = {role for role, key in self.access.roles(code) if key == visitor.key}
        host = _HOST in mine or self.is_keeper(visitor)
        if not mine and not host:
            return None
        return Role(host, frozenset(int(role.removeprefix("seat-")) for role in mine if role.startswith("seat-")))

    def leave(self, visitor: Visitor) -> None:
        """A screen is gone: nothing is told to it any more. `visitor` is the very object that it was given."""
        with self._lock:
            _, stops = self._listening.pop(id(visitor), (visitor, []))
        for stop in stops:
            stop()

    def stay(self, visitor: Visitor, stop: Callable[[], None]) -> None:
        """Remember what ends a screen's listening."""
        with self._lock:
            self._listening.setdefault(id(visitor), (visitor, []))[1].append(stop)

    # games

    def create(self, events: Sequence[Event], visitor: Visitor) -> Place:
        """Start a game; the visitor is its host."""
        session = GameSession.create(self.store, events, clock=self._clock)
        self.access.forget(session.game_id)
        self.access.grant(session.game_id, _HOST, visitor.key)
        return Place(self, self._open(session.game_id), visitor)

    def enter(self, typed: str, visitor: Visitor) -> Place:
        """A game by its code; whoever has it may look on.

        Raises UsageError `code_unknown` for a wrong code, `code_wait` (`seconds`) after too many of them.
        """
        code = "".join(letter for letter in typed.upper() if letter.isalnum())[:16]
        known = bool(code) and self.role(code, visitor) is not None
        if not known:
            self._guesses.check(visitor.address)
        if not code or not self.store.last_seq(code):
            if not known:
                self._guesses.wrong(visitor.address)
            raise UsageError("code_unknown", code=typed.strip()[:16] or "?")
        live = self._open(code)
        if not known:
            self.access.grant(code, _LOOKS, visitor.key)
        return Place(self, live, visitor)

    def cards(self, visitor: Visitor) -> tuple[GameCard, ...]:
        """The games that a visitor knows (the keeper of the house: all), running ones first, then the newest."""
        known = self.access.games(visitor.key)
        everything = self.is_keeper(visitor)
        cards = []
        for entry in self.store.games():
            role = self.role(entry.game_id, visitor) if everything or entry.game_id in known else None
            if role is None:
                continue
            try:
                place = Place(self, self._open(entry.game_id), visitor)
                entries = place.entries()
                cards.append(GameCard(entry.game_id, place.game, role, entries[0].at, entries[-1].at))
            except CompanionError as error:
                cards.append(GameCard(entry.game_id, None, role, "", "", error))
        cards.sort(key=lambda card: card.changed, reverse=True)
        return tuple(sorted(cards, key=lambda card: card.game is None or card.game.ended))

    def backup(self, visitor: Visitor) -> bytes:
        """All games and kept photos in one zip file; for the keeper of the house. Raises UsageError `not_keeper`."""
        self._need_keeper(visitor)
        with TemporaryDirectory() as folder:
            path = Path(folder) / "backup.zip"
            backup(self.store, self.photos, path)
            return path.read_bytes()

    def restore(self, data: bytes, visitor: Visitor) -> list[Restored]:
        """Bring back a backup, or one game in JSON Lines; for the keeper of the house."""
        self._need_keeper(visitor)
        with TemporaryDirectory() as folder:
            path = Path(folder) / "backup"
            path.write_bytes(data)
            return restore(self.store, self.photos, path)

    def _need_keeper(self, visitor: Visitor) -> None:
        if not self.is_keeper(visitor):
            raise UsageError("not_keeper")

    def _open(self, code: str) -> LiveGame:
        with self._lock:
            live = self._live.get(code)
            if live is None or live.gone:
                live = self._live[code] = LiveGame(GameSession(self.store, code, self._clock), self.touch)
            return live

    def forget(self, live: LiveGame) -> None:
        """A game that is no longer there."""
        live.gone = True
        with self._lock:
            if self._live.get(live.code) is live:
                del self._live[live.code]
        live.touch()

    # news

    def touch(self, live: LiveGame) -> None:
        """Tell everybody who looks at a game that it has changed."""
        with self._news:
            self._changed.add(live)
            self._news.notify()

    def _tell(self) -> None:
        while True:
            with self._news:
                if not self._changed and not self._closed:
                    self._news.wait(LOOK_EVERY_S)
                if self._closed:
                    return
                changed, self._changed = self._changed, set()
            if not changed:
                self._look()
            for live in changed:
                live.tell()

    def _look(self) -> None:
        """Notice what another program has written to watched games."""
        with self._lock:
            watched = [live for live in self._live.values() if live.watched]
        for live in watched:
            try:
                with live.lock:
                    last = self.store.last_seq(live.code)
                    if last == live.session.seq:
                        continue
                    if last < live.session.seq:  # deleted, or brought back from an older file
                        self.forget(live)
                    else:
                        live.session.refresh()
                        live.touch()
            except CompanionError as error:
                log.warning("game %s: %s", live.code, error)
