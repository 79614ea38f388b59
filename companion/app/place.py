"""One visitor's place at one game of the house. Make one per render if you like: it holds no state of its own.

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

Errors are CompanionErrors with a sentence, as everywhere; not_yours, not_host: what a visitor may not do.
"""

import contextlib
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from companion.app.backup import game_jsonl
from companion.app.intake import taken_tiles
from companion.app.live_game import LiveGame, Notice, Outcome, Proposal
from companion.app.scan_queue import Scan
from companion.app.session import Draft, Entry, GameSession
from companion.app.table_photo import TablePhoto
from companion.app.visitors import Role, Visitor
from companion.errors import CompanionError, LogConflictError, UsageError
from companion.rules.state import Game
from companion.rules.tiles import Tile
from companion.storage.records import Source
from companion.vision.readings import HandReading

if TYPE_CHECKING:
    from companion.app.hub import Hub

P = ParamSpec("P")
T = TypeVar("T")


class Place:
    """One visitor's place at one game; see the module."""

    def __init__(self, hub: "Hub", live: LiveGame, visitor: Visitor) -> None:
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
