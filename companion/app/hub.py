"""The house: every game on this machine, shared by all the screens that look at it. Thread-safe; knows no front end.

How a screen uses it (`hub` is one `Hub` per server, `visitor` the browser, from `companion.ui.site.VISITOR`):

    hub.cards(visitor)                     the games this browser knows, running ones first: GameCard
    place = hub.create(events, visitor)    start a game; the visitor is its host
    place = hub.enter("KX4-2MP", visitor)  by code, typed as people type; UsageError code_unknown | code_wait

`Place` is one visitor's place at one game. Make one per render if you like: it holds no state of its own.

    place.game  place.seq  place.entries() the state now; `game` is immutable, take it once per render
    place.role                             Role(host, seats); role.may_score(seat)
    place.sit(seat)  place.release(seat)   be a player (UsageError seat_taken); give it back, or as host free it
    stop = place.subscribe(callback)       called without arguments, from another thread, after every change of the
                                           game, its seats, its photos or its notices, and once at the beginning; one
                                           that raises is dropped.
                                           Re-render in it: contextvars.copy_context().run(page.run_task, coroutine)
    proposal = place.propose(propose_total, seat, 12)       any function of companion.app.intake: f(session, *args)
    place.commit(proposal)                 proposal.draft has doubts and violations; confirm with proposal.confirmed().
                                           Somebody else's writing meanwhile is no error: what is proposed is made
                                           again on the newer state. -> Outcome.RECORDED | SAME | BOTH
    place.undo(why)  place.redo()          own entries; the host's undo takes back anybody's
    place.notices()  place.dismiss(notice) two wrote the same score: both are in the log, the later is shown
    place.scan(data, seat, number)         a photo from wherever -> Scan (id, state, place, shown, reading, error)
    place.scans(seat, number)              the photos for this seat that nobody has accepted or thrown away, also those
                                           sent from the capture page; a screen that waits shows them as they appear
    place.discard(scan)                    thrown away, or accepted (commit does that for proposal.draft.photo)
    place.table                            the photo of the table and what it means: `companion.app.table_photo`
    place.keep_photos = True               the table wants its photos kept (off by default; the host's choice)
    place.photo(sha256)                    bytes of a kept photo as JPEG with outlines, or None

Errors are CompanionErrors with a sentence, as everywhere; not_yours, not_host, not_keeper: what a visitor may not do.
"""

import contextlib
import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Concatenate, ParamSpec, TypeVar

from companion.app.backup import Restored, backup, game_jsonl, restore
from companion.app.intake import taken_tiles
from companion.app.live_game import LiveGame, Notice, Outcome, Proposal
from companion.app.photo_album import PhotoAlbum
from companion.app.scan_queue import Scan, ScanQueue
from companion.app.scanning import HandReader
from companion.app.session import Clock, Draft, Entry, GameSession, now
from companion.app.table_photo import TablePhoto
from companion.app.visitors import Guesses, Role, Visitor
from companion.errors import CompanionError, LogConflictError, UsageError
from companion.rules.events import Event
from companion.rules.state import Game
from companion.rules.tiles import Tile
from companion.storage.access_store import AccessStore
from companion.storage.photo_store import PhotoStore
from companion.storage.places import Places
from companion.storage.records import Source
from companion.storage.sqlite_store import SqliteStore
from companion.vision.readings import HandReading

P = ParamSpec("P")
T = TypeVar("T")

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

    def create(self, events: Sequence[Event], visitor: Visitor) -> "Place":
        """Start a game; the visitor is its host."""
        session = GameSession.create(self.store, events, clock=self._clock)
        self.access.forget(session.game_id)
        self.access.grant(session.game_id, _HOST, visitor.key)
        return Place(self, self._open(session.game_id), visitor)

    def enter(self, typed: str, visitor: Visitor) -> "Place":
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


class Place:
    """One visitor's place at one game; see the module."""

    def __init__(self, hub: Hub, live: LiveGame, visitor: Visitor) -> None:
        self._hub, self._live, self.visitor = hub, live, visitor

    @property
    def code(self) -> str:
        """The code of the game."""
        return self._live.code

    @property
    def gone(self) -> bool:
        """Was the game deleted?"""
        return self._live.gone

    @property
    def game(self) -> Game:
        """The state now."""
        return self._live.look(lambda session: session.game)

    @property
    def seq(self) -> int:
        """The last line of the log."""
        return self._live.look(lambda session: session.seq)

    def entries(self) -> tuple[Entry, ...]:
        """Who entered what when, oldest first, also what was taken back."""
        return self._live.look(lambda session: session.entries())

    def subscribe(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` after every change; returns what ends it."""
        stop = self._live.subscribe(listener)
        self._hub.stay(self.visitor, stop)
        return stop

    # who

    @property
    def role(self) -> Role:
        """What the visitor is here."""
        return self._hub.role(self.code, self.visitor) or Role()

    @property
    def taken_seats(self) -> frozenset[int]:
        """The seats that somebody's phone has."""
        roles = (role for role, _ in self._hub.access.roles(self.code))
        return frozenset(int(role.removeprefix("seat-")) for role in roles if role.startswith("seat-"))

    def sit(self, seat: int) -> None:
        """Be this player. Raises UsageError `seat_taken` (`player`)."""
        player = self.game.players[seat]
        if not self._hub.access.grant_alone(self.code, f"seat-{seat}", self.visitor.key):
            raise UsageError("seat_taken", player=player.name)
        self._live.touch()

    def release(self, seat: int) -> None:
        """Give one's own seat back, or as host free anybody's. Raises UsageError `not_yours` (`player`)."""
        self._need(seat)
        self._hub.access.revoke(self.code, f"seat-{seat}")
        self._live.touch()

    def _need(self, seat: int) -> None:
        if not self.role.may_score(seat):
            raise UsageError("not_yours", player=self.game.players[seat].name)

    def _need_host(self) -> None:
        if not self.role.host:
            raise UsageError("not_host")

    # writing

    def propose(
        self, function: Callable[Concatenate[GameSession, P], Draft], *args: P.args, **kwargs: P.kwargs
    ) -> Proposal:
        """What a function of `companion.app.intake` makes of the game as it is now. Raises IllegalMoveError."""

        def remake(session: GameSession) -> Draft:
            return function(session, *args, **kwargs)

        return Proposal(self._live.look(remake), remake)

    def commit(self, proposal: Proposal, reading: HandReading | None = None) -> Outcome:
        """Record it. `reading`: what was read after all corrections, for the copy of the photo that is kept.

        Raises UsageError `not_yours` or `not_host`, and what GameSession.commit raises.
        """
        draft, role = proposal.draft, self.role
        seats = [event.seat for event in draft.events if hasattr(event, "seat")]
        if draft.events and not role.may_record(draft.events):
            if seats and role.seats:
                other = next((seat for seat in seats if seat not in role.seats), seats[0])
                raise UsageError("not_yours", player=self.game.players[other].name)
            raise UsageError("not_host")
        own = next((seat for seat in seats if seat in role.seats), None)
        outcome = self._live.commit(proposal, role.source(own))
        for scan in self._live.scans():
            if draft.photo is not None and scan.sha256 == draft.photo:
                if self.keep_photos:
                    self._hub.album.keep(scan.data, reading or scan.reading)
                self.discard(scan)
        return outcome

    def undo(self, why: str = "") -> Game:
        """Take back the last own entry, as host anybody's. Raises UsageError."""
        source, *shared = self._sources()
        return self._live.write(lambda session: session.undo(source, why, *shared))

    def redo(self) -> Game:
        """Bring back what was taken back last. Raises UsageError."""
        return self._live.write(lambda session: session.redo(*self._sources()))

    def _sources(self) -> list[Source]:
        """In whose name this visitor has written: the host's, or that of each player who shares the phone."""
        role = self.role
        if role.host:
            return [role.source()]
        if not role.seats:
            raise UsageError("not_host")
        return [role.source(seat) for seat in sorted(role.seats)]

    def delete(self) -> None:
        """Remove the whole game for good, and its photos that no other game mentions; for the host."""
        self._need_host()
        with self._live.lock:
            photos = self._live.session.photos()
            try:
                self._live.session.delete()
            except LogConflictError:
                self._live.session.refresh()
                self._live.session.delete()
        self._hub.access.forget(self.code)
        self._hub.forget(self._live)
        for scan in self._live.scans():
            self._live.drop_scan(scan)
        if photos:
            for entry in self._hub.store.games():
                with contextlib.suppress(CompanionError):
                    photos -= GameSession(self._hub.store, entry.game_id).photos()
        for sha256 in photos:
            self._hub.album.delete(sha256)

    # notices

    def notices(self) -> tuple[Notice, ...]:
        """What this visitor should be told."""
        role = self.role
        return tuple(one for one in self._live.notices(self.visitor.key) if role.may_score(one.seat))

    def dismiss(self, notice: Notice) -> None:
        """It was read."""
        self._live.dismiss(self.visitor.key, notice)

    # photos

    def scan(self, data: bytes, seat: int, number: int | None = None) -> Scan:
        """Have a photo of a hand read. Raises UsageError `not_yours`."""
        self._need(seat)
        scan = self._hub.scans.submit(
            data, self.game.rules.tile_set, lambda: self._taken(seat, number), lambda _: self._live.touch()
        )
        self._live.add_scan((seat, number), scan)
        return scan

    def scans(self, seat: int, number: int | None = None) -> tuple[Scan, ...]:
        """The photos of a hand that wait for somebody to accept them, oldest first."""
        return self._live.scans((seat, number)) if self.role.may_score(seat) else ()

    def find_scan(self, scan_id: str) -> Scan | None:
        """A photo that waits, by its id."""
        return next((scan for scan in self._live.scans() if scan.id == scan_id), None)

    @property
    def table(self) -> TablePhoto:
        """The photo of the table that is being looked at."""
        return TablePhoto(self._hub, self._live, self)

    def discard(self, scan: Scan) -> None:
        """Nobody waits for this photo any more."""
        self._live.drop_scan(scan)

    def _taken(self, seat: int, number: int | None) -> frozenset[Tile]:
        """Tiles that cannot be in this hand."""
        game = self.game
        if number is not None:
            game = replace(game, rounds=tuple(one for one in game.rounds if one.number <= number))
        return taken_tiles(game, seat)

    @property
    def keep_photos(self) -> bool:
        """Does the table want its photos kept?"""
        return self._hub.access.setting(self.code, "keep_photos") == "yes"

    @keep_photos.setter
    def keep_photos(self, keep: bool) -> None:
        self._need_host()
        self._hub.access.set(self.code, "keep_photos", "yes" if keep else "no")
        self._live.touch()

    def photo(self, sha256: str) -> bytes | None:
        """A kept photo of this game as JPEG, with outlines where there are any."""
        known = self._live.look(lambda session: session.photos())
        return self._hub.album.show(sha256) if sha256 in known else None

    # exports

    def jsonl(self) -> str:
        """The game in JSON Lines."""
        return game_jsonl(self._hub.store, self.code)

    def look(self, function: Callable[[GameSession], T]) -> T:
        """What a function of `companion.app.sharing` makes of the session; it must not keep it."""
        return self._live.look(function)
