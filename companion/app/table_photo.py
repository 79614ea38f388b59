"""Photos of the table: one at a time for a game, seen by everybody, accepted by whoever may record what it says.

`Place.table` gives a `TablePhoto`: `take` a photo, look at `scan` until it is read, then at `proposal`; `accept` it, or
an answer to its question, or `throw_away` the photo. What is remembered from photo to photo (`Following`) is kept with
the game for as long as the server runs.
"""

from typing import TYPE_CHECKING, cast

from companion.app.following import Following, known_chains, known_engine
from companion.app.live_game import TABLE, LiveGame, Outcome, Proposal
from companion.app.scan_queue import Scan, ScanState
from companion.app.scanning import HandReader
from companion.app.session import Draft, GameSession
from companion.app.table_intake import Caution, Standing, TableProposal, propose_table
from companion.app.table_play import is_followed, with_score
from companion.app.table_scanning import TableReader, read_table_photo
from companion.errors import UsageError
from companion.vision.photo import Photo
from companion.vision.readings import TableReading

if TYPE_CHECKING:
    from companion.app.hub import Hub
    from companion.app.place import Place

ONE_LOOK = Caution(looks=1)
"""A person has taken the photo and looks at what is proposed."""


class TablePhoto:
    """The table of one game, as one visitor sees it."""

    def __init__(self, hub: "Hub", live: LiveGame, place: "Place") -> None:
        self._hub, self._live, self._place = hub, live, place

    @property
    def scan(self) -> Scan | None:
        """The photo that is being read or looked at."""
        return self._live.table.scan

    def take(self, data: bytes) -> Scan:
        """Have a photo of the table read; one that was there before makes room. Raises UsageError `table_not_yours`."""
        self._need()
        game = self._place.game

        def read(reader: HandReader, photo: Photo) -> TableReading:
            now = self._place.game
            engine = known_engine(now)
            chains = known_chains(now, self._live.table.following)
            return read_table_photo(cast(TableReader, reader), photo, now.rules.tile_set, engine, chains)

        def changed(_: Scan) -> None:
            self.proposal()  # here, so that no screen has to wait for it
            self._live.touch()

        self.throw_away()
        scan = self._hub.scans.submit(data, game.rules.tile_set, changed=changed, look=read)
        self._live.table.scan = scan
        self._live.add_scan(TABLE, scan)
        return scan

    def proposal(self) -> TableProposal | None:
        """What the photo means on the log as it is now; None: there is none, or it is not read yet."""
        watch = self._live.table
        scan = watch.scan
        if scan is None or scan.state is not ScanState.DONE or scan.table is None:
            return None
        reading = scan.table

        def mean(session: GameSession) -> TableProposal:
            if watch.meant is None or watch.meant[0] is not scan or watch.meant[1] != session.seq:
                found = propose_table(session, watch.following, reading, scan.sha256, ONE_LOOK)
                watch.meant = (scan, session.seq, found)
            return watch.meant[2]

        return self._live.look(mean)

    def accept(self, draft: Draft, following: Following) -> Outcome:
        """Record what a proposal, or an answer to its question, says; the photo stays while it says more.

        Raises UsageError `table_moved_on` where somebody else has written meanwhile, and what `Place.commit` raises.
        """
        watch = self._live.table
        outcome = Outcome.SAME
        if draft.events:

            def again(session: GameSession) -> Draft:  # noqa: ARG001
                raise UsageError("table_moved_on")

            whole = Draft(draft.game_id, draft.base, with_score(self._place.game, draft.events), (), draft.photo)
            outcome = self._place.commit(Proposal(whole, again))
        else:
            self._need()
        watch.following = following
        watch.meant = None
        left = self.proposal()
        if left is None or left.standing is Standing.SAME:
            if left is not None:
                watch.following = left.following
            self.throw_away()
        self._live.touch()
        return outcome

    def throw_away(self) -> None:
        """Nobody wants this photo; the log stays as it is."""
        self._need()
        watch = self._live.table
        if watch.scan is not None:
            scan, watch.scan, watch.meant = watch.scan, None, None
            self._live.drop_scan(scan)

    def _need(self) -> None:
        role = self._place.role
        if not role.host and not role.seats:
            raise UsageError("table_not_yours")
        if not is_followed(self._place.game):
            raise UsageError("table_not_followed")
