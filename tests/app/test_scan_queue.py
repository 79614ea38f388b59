"""Photos that wait: order, places in the queue, errors as values, and photos that nobody wants any more."""

import io
import threading
import time
from collections.abc import Iterator

import pytest
from PIL import Image

from companion.app.scan_queue import SHOWN_SIDE_PX, Scan, ScanQueue, ScanState
from companion.errors import ModelMissingError, PhotoError, VisionError
from companion.rules.tiles import Tile, TileSet
from companion.vision.photo import Photo
from companion.vision.readings import HandReading
from tests.hands import hand


class PatientReader:
    """Reads when it is told to."""

    version = "patient"

    def __init__(self) -> None:
        self.go = threading.Semaphore(0)
        self.busy = threading.Semaphore(0)
        self.read: list[int] = []

    def read_hand(self, photo: Photo, tile_set: TileSet, taken: frozenset[Tile] = frozenset()) -> HandReading:
        self.busy.release()
        assert self.go.acquire(timeout=10)
        self.read.append(photo.width)
        return hand("3-12")


@pytest.fixture
def reader() -> PatientReader:
    return PatientReader()


@pytest.fixture
def queue(reader: PatientReader) -> Iterator[ScanQueue]:
    queue = ScanQueue(lambda: reader)
    yield queue
    for _ in range(50):
        reader.go.release()
    queue.close()


def picture(width: int = 100, height: int = 80) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (width, height)).save(file, "JPEG")
    return file.getvalue()


class Watch:
    """Waits for a scan to be over."""

    def __init__(self) -> None:
        self._news = threading.Condition()
        self.states: list[tuple[str, ScanState]] = []

    def __call__(self, scan: Scan) -> None:
        with self._news:
            self.states.append((scan.id, scan.state))
            self._news.notify_all()

    def over(self, *scans: Scan) -> bool:
        with self._news:
            return self._news.wait_for(lambda: all(scan.over for scan in scans), 10)


def test_photos_are_read_in_their_order_and_know_their_place(queue: ScanQueue, reader: PatientReader) -> None:
    watch = Watch()
    scans = [queue.submit(picture(100 + n), TileSet(12), changed=watch) for n in range(5)]
    assert reader.busy.acquire(timeout=10)
    assert [scan.place for scan in scans] == [0, 1, 2, 3, 4]
    assert scans[0].state is ScanState.READING
    reader.go.release()
    assert watch.over(scans[0])
    assert reader.busy.acquire(timeout=10)
    assert scans[4].place == 3
    for _ in range(4):
        reader.go.release()
    assert watch.over(*scans)
    assert reader.read == [100, 101, 102, 103, 104]
    assert {scan.place for scan in scans} == {0}


def test_whoever_waits_hears_of_moving_up(queue: ScanQueue, reader: PatientReader) -> None:
    watch = Watch()
    scans = [queue.submit(picture(), TileSet(12)) for _ in range(3)]
    last = queue.submit(picture(), TileSet(12), changed=watch)
    for _ in range(4):
        reader.go.release()
    assert watch.over(*scans, last)
    assert watch.states.count((last.id, ScanState.WAITING)) >= 2


def test_a_cancelled_photo_is_not_read(queue: ScanQueue, reader: PatientReader) -> None:
    watch = Watch()
    running = queue.submit(picture(100), TileSet(12), changed=watch)
    assert reader.busy.acquire(timeout=10)
    waiting = [queue.submit(picture(200 + n), TileSet(12), changed=watch) for n in range(3)]
    waiting[1].cancel()
    running.cancel()
    for _ in range(4):
        reader.go.release()
    assert watch.over(running, *waiting)
    assert [scan.state for scan in (running, *waiting)] == [
        ScanState.CANCELLED,
        ScanState.DONE,
        ScanState.CANCELLED,
        ScanState.DONE,
    ]
    assert 201 not in reader.read
    assert running.reading is None or running.state is ScanState.CANCELLED


def test_errors_are_values_and_do_not_stop_the_queue() -> None:
    class Failing:
        version = "failing"

        def read_hand(self, photo: Photo, tile_set: TileSet, taken: frozenset[Tile]) -> HandReading:
            raise ZeroDivisionError

    queue, watch = ScanQueue(Failing), Watch()
    scans = [queue.submit(data, TileSet(12), changed=watch) for data in (b"", b"no picture", picture())]
    assert watch.over(*scans)
    assert [type(scan.error) for scan in scans] == [PhotoError, PhotoError, VisionError]
    assert {scan.state for scan in scans} == {ScanState.FAILED}
    queue.close()


def test_a_model_that_is_missing_is_told_and_looked_for_again() -> None:
    tries = []

    def load() -> PatientReader:
        tries.append(1)
        if len(tries) < 3:
            raise ModelMissingError("weights_missing", file="detector.onnx")
        reader = PatientReader()
        reader.go.release()
        return reader

    queue, watch = ScanQueue(load), Watch()
    first = queue.submit(picture(), TileSet(12), changed=watch)
    assert watch.over(first)
    second = queue.submit(picture(), TileSet(12), changed=watch)
    assert watch.over(second)
    assert isinstance(first.error, ModelMissingError)
    third = queue.submit(picture(), TileSet(12), changed=watch)
    assert watch.over(third)
    assert third.state is ScanState.DONE
    queue.close()


def test_a_listener_that_fails_is_no_concern_of_the_queue(queue: ScanQueue, reader: PatientReader) -> None:
    def broken(_: Scan) -> None:
        raise RuntimeError

    watch = Watch()
    reader.go.release()
    reader.go.release()
    queue.submit(picture(), TileSet(12), changed=broken)
    assert watch.over(queue.submit(picture(), TileSet(12), changed=watch))


def test_a_screen_gets_a_picture_of_the_same_proportions(queue: ScanQueue, reader: PatientReader) -> None:
    watch = Watch()
    reader.go.release()
    scan = queue.submit(picture(3000, 1500), TileSet(12), changed=watch)
    assert watch.over(scan)
    assert scan.shown is not None
    assert Image.open(io.BytesIO(scan.shown)).size == (SHOWN_SIDE_PX, SHOWN_SIDE_PX // 2)
    assert (scan.width, scan.height) == (3000, 1500)


def test_closing_cancels_what_waits(reader: PatientReader) -> None:
    queue = ScanQueue(lambda: reader)
    scans = [queue.submit(picture(), TileSet(12)) for _ in range(4)]
    assert reader.busy.acquire(timeout=10)
    for _ in range(4):
        reader.go.release()
    queue.close()
    assert all(scan.over or scan.state is ScanState.WAITING for scan in scans)
    assert any(scan.state is ScanState.CANCELLED for scan in scans) or len(reader.read) == 4


def test_closing_waits_for_a_reader_that_is_being_loaded() -> None:
    loading, loaded = threading.Event(), threading.Event()

    def load() -> PatientReader:
        loading.set()
        time.sleep(0.3)
        loaded.set()
        return PatientReader()

    queue = ScanQueue(load)
    queue.warm()
    assert loading.wait(5)
    queue.close()
    assert loaded.is_set()
