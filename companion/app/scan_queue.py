"""Photos that wait to be read: one queue for the whole house, one reader kept warm.

`ScanQueue.submit` returns a `Scan` at once; what became of it stands in the scan, errors too, and `changed` is called
at every step. Photos are read in the order in which they came.
"""

import io
import logging
import secrets
import threading
from collections.abc import Callable
from enum import StrEnum

from PIL import Image

from companion.app.scanning import HandReader, read_photo
from companion.errors import CompanionError, VisionError
from companion.rules.tiles import Tile, TileSet
from companion.vision.photo import Photo
from companion.vision.readings import HandReading, TableReading

Look = Callable[[HandReader, Photo], TableReading]
"""Another way to read a photo than as a hand."""

SHOWN_SIDE_PX = 2000
"""Longest side of the picture that a screen gets."""
_SHOWN_QUALITY = 85

log = logging.getLogger(__name__)


class ScanState(StrEnum):
    """How far a photo is."""

    WAITING = "waiting"
    """In the queue."""
    READING = "reading"
    """The networks look at it."""
    DONE = "done"
    """There is a reading."""
    FAILED = "failed"
    """There is an error."""
    CANCELLED = "cancelled"
    """Nobody wants it any more."""


class Scan:
    """One photo on its way. Everything in it may be read at any time; only the queue writes."""

    def __init__(
        self,
        queue: "ScanQueue",
        data: bytes,
        tile_set: TileSet,
        taken: Callable[[], frozenset[Tile]],
        changed: Callable[["Scan"], None],
        look: Look | None = None,
    ) -> None:
        self.id = secrets.token_urlsafe(12)
        """Names it in addresses; cannot be guessed."""
        self.data = data
        """The photo as it came."""
        self.tile_set, self.taken, self.changed, self.look = tile_set, taken, changed, look
        self.state = ScanState.WAITING
        """How far it is."""
        self.sha256: str | None = None
        """Of the photo, once it is decoded: what goes into the log."""
        self.width = self.height = 0
        """Pixels of the upright photo, once it is decoded: what the corners of the reading refer to."""
        self.shown: bytes | None = None
        """The upright photo as JPEG for the screen, with the same proportions but perhaps fewer pixels."""
        self.reading: HandReading | None = None
        """What was read; None until it is DONE."""
        self.table: TableReading | None = None
        """The same of a photo that shows the table."""
        self.error: CompanionError | None = None
        """Why it FAILED."""
        self._queue = queue

    @property
    def place(self) -> int:
        """How many photos are read before this one; 0: it is its turn, or it is over."""
        return self._queue.place(self)

    @property
    def over(self) -> bool:
        """Will nothing change any more?"""
        return self.state in (ScanState.DONE, ScanState.FAILED, ScanState.CANCELLED)

    def cancel(self) -> None:
        """Do not read it, or forget what is being read."""
        self._queue.cancel(self)


class ScanQueue:
    """Reads photos one after the other in threads of its own; safe for several threads.

    `load` opens the reader, once, when `warm` is called or the first photo comes. While one photo is being read the
    next one is decoded already, so that the networks never wait for a JPEG.
    """

    def __init__(self, load: Callable[[], HandReader], workers: int = 2) -> None:
        self._load = load
        self._reader: HandReader | None = None
        self._reading = threading.Lock()
        self._ready = threading.Condition()
        self._waiting: list[Scan] = []
        self._busy: list[Scan] = []
        self._closed = False
        self._threads = [
            threading.Thread(target=self._work, name=f"scan-{n}", daemon=True) for n in range(max(1, workers))
        ]
        for thread in self._threads:
            thread.start()

    def warm(self, failed: Callable[[CompanionError], None] = lambda _: None) -> None:
        """Open the reader in the background; `failed` hears, from another thread, why it cannot be opened."""
        thread = threading.Thread(target=self._try_reader, args=(failed,), name="scan-warm", daemon=True)
        self._threads.append(thread)
        thread.start()

    def submit(
        self,
        data: bytes,
        tile_set: TileSet,
        taken: Callable[[], frozenset[Tile]] = frozenset,
        changed: Callable[[Scan], None] = lambda _: None,
        look: Look | None = None,
    ) -> Scan:
        """Line up a photo of a hand, or of what `look` reads.

        `taken` is asked when its turn comes, `changed` is called from other threads.
        """
        scan = Scan(self, data, tile_set, taken, changed, look)
        with self._ready:
            self._waiting.append(scan)
            self._ready.notify_all()
        return scan

    def place(self, scan: Scan) -> int:
        """See Scan.place."""
        with self._ready:
            return self._busy.index(scan) if scan in self._busy else self._in_line(scan)

    def cancel(self, scan: Scan) -> None:
        """See Scan.cancel."""
        with self._ready:
            if scan.over:
                return
            scan.state = ScanState.CANCELLED
            if scan in self._waiting:
                self._waiting.remove(scan)
        self._tell(scan)
        self._tell_waiting()

    def close(self) -> None:
        """Stop reading; what waits is cancelled, what runs is waited for.

        A thread that still loads the networks when Python ends would take the process down with an abort.
        """
        with self._ready:
            self._closed = True
            for scan in self._waiting:
                scan.state = ScanState.CANCELLED
            self._waiting.clear()
            self._ready.notify_all()
        for thread in self._threads:
            thread.join(timeout=10)

    def _in_line(self, scan: Scan) -> int:
        return len(self._busy) + self._waiting.index(scan) if scan in self._waiting else 0

    def _work(self) -> None:
        while True:
            with self._ready:
                while not self._waiting and not self._closed:
                    self._ready.wait()
                if self._closed:
                    return
                scan = self._waiting.pop(0)
                self._busy.append(scan)
            try:
                self._read(scan)
            finally:
                with self._ready:
                    self._busy.remove(scan)
                    self._ready.notify_all()
                self._tell_waiting()

    def _read(self, scan: Scan) -> None:
        try:
            photo = Photo.from_bytes(scan.data)
            scan.sha256, scan.width, scan.height = photo.sha256, photo.width, photo.height
            scan.shown = shown_jpeg(photo)
            with self._ready:  # whoever decodes faster must not be read before those who came earlier
                self._ready.wait_for(lambda: self._busy[0] is scan)
            with self._reading:
                if not self._advance(scan, ScanState.READING):
                    return
                if scan.look is None:
                    scan.reading = read_photo(self._warm_reader(), photo, scan.tile_set, scan.taken())
                else:
                    scan.table = scan.look(self._warm_reader(), photo)
            self._advance(scan, ScanState.DONE)
        except CompanionError as error:
            scan.error = error
            self._advance(scan, ScanState.FAILED)
        except Exception as error:  # whatever it is, the screen must hear of it, and the next photo must be read
            log.exception("a photo could not be read")
            scan.error = VisionError("reading_failed", reason=type(error).__name__)
            self._advance(scan, ScanState.FAILED)

    def _advance(self, scan: Scan, state: ScanState) -> bool:
        with self._ready:
            if scan.state is ScanState.CANCELLED:
                return False
            scan.state = state
        self._tell(scan)
        return True

    def _warm_reader(self) -> HandReader:
        if self._reader is None:
            self._reader = self._load()
        return self._reader

    def _try_reader(self, failed: Callable[[CompanionError], None]) -> None:
        try:
            with self._reading:
                self._warm_reader()
        except CompanionError as error:
            failed(error)  # the first photo tells it, too

    def _tell_waiting(self) -> None:
        """Everybody in the queue has moved up."""
        with self._ready:
            waiting = tuple(self._waiting)
        for scan in waiting:
            self._tell(scan)

    @staticmethod
    def _tell(scan: Scan) -> None:
        try:
            scan.changed(scan)
        except Exception:  # who listens is no concern of the queue
            log.exception("a listener of a scan failed")


def shown_jpeg(photo: Photo) -> bytes:
    """The photo as JPEG, small enough to be sent to a screen."""
    image = Image.fromarray(photo.pixels)
    image.thumbnail((SHOWN_SIDE_PX, SHOWN_SIDE_PX), reducing_gap=2.0)
    file = io.BytesIO()
    image.save(file, "JPEG", quality=_SHOWN_QUALITY)
    return file.getvalue()
