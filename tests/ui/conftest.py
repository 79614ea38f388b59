"""A real server, real browsers, and a wire that can be cut.

    def test_something(house, phone):
        place = house.game("Ann", "Bob")              # a game, as its host (a visitor of the test's own)
        ann = phone(f"/game/{place.code}")            # a browser of her own, the page usable by roles and names
        house.reader.next(hand("3-12", "0-0?"))       # what the next photo will be read as

`house.hub` is the server's own; `house.reader` stands in for the networks. `phone(path, host=True)` opens a browser
that keeps the house. `wire` is a proxy before the server: `phone(path, base=wire.url)`, `wire.cut()`, `wire.mend()`.
Only `expect` and `page.wait_for_timeout` wait, never `time.sleep`.
"""

import contextlib
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

from companion.app.hub import Hub
from companion.app.place import Place
from companion.app.visitors import Visitor
from companion.rules.house_rules import HouseRules, Preset
from companion.rules.seating import start_game
from companion.rules.tiles import Tile, TileSet
from companion.storage.places import Places
from companion.ui.routes import House
from companion.ui.server import Server, asgi_app
from companion.ui.site import Site
from companion.vision.photo import Photo
from companion.vision.readings import HandReading
from tests.hands import hand

CHROMIUM = Path("/usr/bin/chromium")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--use-fake-device-for-media-stream",
    "--use-fake-ui-for-media-stream",
]
PHONE = {"width": 390, "height": 844}
USABLE_MS = 60_000
"""Longest wait for a page on a machine that is busy with other things."""

SPINNING_S = 240.0
"""A page that holds up a test for so long spins, and would for ever; then it is killed, and the test is run again."""

expect.set_options(timeout=15_000)


@pytest.fixture(autouse=True)
def no_page_spins_for_ever() -> Iterator[None]:
    """Of the waits of a browser some have no end, when its page does not answer any more."""
    timer = threading.Timer(SPINNING_S, kill_pages)
    timer.daemon = True
    timer.start()
    yield
    timer.cancel()


def kill_pages() -> list[int]:
    """Kill the pages of this process's browsers, where the system tells which these are; returns their numbers."""
    parents: dict[int, int] = {}
    pages = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, ValueError, IndexError):  # it may have ended meanwhile
            parents[int(folder.name)] = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
            if "--type=renderer" in (folder / "cmdline").read_text().replace("\0", " "):
                pages.append(int(folder.name))
    mine = [page for page in pages if os.getpid() in _ancestors(page, parents)]
    for page in mine:
        with contextlib.suppress(ProcessLookupError):
            os.kill(page, signal.SIGKILL)
    return mine


def _ancestors(number: int, parents: dict[int, int]) -> list[int]:
    found = []
    while number in parents and number not in found:
        found.append(number)
        number = parents[number]
    return found


class StandInReader:
    """Reads every photo as the hand that was set last, as slowly as was asked."""

    version = "stand-in"

    def __init__(self) -> None:
        self.reading: HandReading | Exception = hand("3-12", "0-0?", "7-7")
        self.seconds = 0.0
        self.photos: list[Photo] = []
        self.taken: list[frozenset[Tile]] = []

    def next(self, reading: HandReading | Exception) -> None:
        self.reading = reading

    def read_hand(self, photo: Photo, tile_set: TileSet, taken: frozenset[Tile] = frozenset()) -> HandReading:
        self.photos.append(photo)
        self.taken.append(taken)
        time.sleep(self.seconds)
        if isinstance(self.reading, Exception):
            raise self.reading
        return self.reading


class RunningHouse:
    """A server on a free port, in a thread."""

    def __init__(self, folder: Path, show: Callable[..., None], reader: Any = None) -> None:
        self.folder = folder
        self.reader = reader or StandInReader()
        self.hub = Hub(Places(folder), lambda: self.reader)
        self.host = Visitor.of("the host of the tests")
        sock = socket.socket()
        sock.bind(("127.0.0.1", 0))
        sock.listen(64)
        self.port = sock.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.house = House(self.hub, Site((self.url,), secure=False))
        ready = threading.Event()
        self._server = Server(asgi_app(self.house, show), ready=ready.set)
        self._thread = threading.Thread(target=self._server.run, args=([sock],))
        self._thread.start()
        assert ready.wait(20)

    def game(self, *players: str, rules: HouseRules | None = None) -> Place:
        """A new game, as its host sees it."""
        events = start_game(rules or HouseRules(), players or ("Ann", "Bob"), Preset.CUSTOM)
        return self.hub.create(events, self.host)

    def visitor(self, page: Page) -> Visitor:
        """The browser that shows a page."""
        secret = next(cookie["value"] for cookie in page.context.cookies() if cookie.get("name") == "companion")
        return Visitor.of(secret, "127.0.0.1")

    def seat(self, page: Page, place: Place, seat: int) -> Place:
        """Let a browser be a player; its place at the game. It must have shown some page before."""
        own = self.hub.enter(place.code, self.visitor(page))
        own.sit(seat)
        return own

    def close(self) -> None:
        self._server.should_exit = True
        self._thread.join(20)
        self.hub.close()


@pytest.fixture
def house(tmp_path: Path) -> Iterator[RunningHouse]:
    """The server with its screens and a reader that stands in for the networks."""
    from companion.ui.screens.app import open_page

    running = RunningHouse(tmp_path / "data", open_page)
    yield running
    running.close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium."""
    if not CHROMIUM.exists() and not os.environ.get("CI"):
        pytest.skip("needs Debian's chromium: apt-get install chromium")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=str(CHROMIUM), args=ARGUMENTS)
        yield chromium
        chromium.close()


def type_into(page: Page, field: Locator, text: str) -> None:
    """Type as people do, over what stands in a field; again if a redraw came between.

    What stands in the field is known to the framework only if it was listening, so a plain `fill` is not enough.
    """
    expect(field).to_be_attached(timeout=45_000)
    for _ in range(6):
        field.click(force=True, timeout=45_000)
        with contextlib.suppress(AssertionError):
            expect(field).to_be_focused(timeout=5000)
            page.keyboard.press("Control+A")
            page.keyboard.type(text, delay=40)
            expect(field).to_have_value(text, timeout=3000)
            return
    expect(field).to_have_value(text)


def make_usable(page: Page) -> Page:
    """Have the framework build the tree of roles and names, without which nothing can be found."""
    page.wait_for_selector("flt-semantics-placeholder", state="attached", timeout=USABLE_MS)
    page.eval_on_selector("flt-semantics-placeholder", "element => element.click()")
    page.wait_for_selector("flt-semantics", state="attached", timeout=USABLE_MS)
    return page


@pytest.fixture
def phone(house: RunningHouse, browser: Browser) -> Iterator[Callable[..., Page]]:
    """Opens a page in a browser of its own: one for each player, because a page in the background is not painted."""
    contexts = []

    def open_phone(path: str = "/", *, base: str = "", host: bool = False, framework: bool = True, **more: Any) -> Page:
        context = browser.new_context(**{"viewport": PHONE, "locale": "en-GB", **more})
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(15_000)
        if host:
            page.request.get(f"{base or house.url}/house/{house.house.keeper_key}", max_redirects=0)
        page.goto(f"{base or house.url}{path}")
        return make_usable(page) if framework else page

    yield open_phone
    for context in contexts:
        context.close()


class Wire:
    """A proxy that can be cut: connections end at once, and new ones are refused until it is mended."""

    def __init__(self, port: int) -> None:
        self._to = ("127.0.0.1", port)
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._door = self._listen(0)
        self.port = self._door.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"

    def _listen(self, port: int) -> socket.socket:
        door = socket.socket()
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        door.bind(("127.0.0.1", port))
        door.listen(64)
        threading.Thread(target=self._accept, args=(door,), daemon=True).start()
        return door

    def _accept(self, door: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = door.accept()
                far = socket.create_connection(self._to)
                with self._lock:
                    self._open |= {near, far}
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=self._pump, args=(one, other), daemon=True).start()

    def _pump(self, one: socket.socket, other: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := one.recv(65536):
                other.sendall(data)
        for end in (one, other):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
        with self._lock:
            self._open -= {one, other}

    def cut(self) -> None:
        """Nothing comes through any more."""
        with contextlib.suppress(OSError):
            self._door.shutdown(socket.SHUT_RDWR)
        self._door.close()
        with self._lock:
            ends = tuple(self._open)
        for end in ends:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def lead_to(self, port: int) -> None:
        """From now on, to another server."""
        self._to = ("127.0.0.1", port)

    def mend(self) -> None:
        """Connections come through again, at the same address."""
        self._door = self._listen(self.port)


@pytest.fixture
def wire(house: RunningHouse) -> Iterator[Wire]:
    """A proxy before the server."""
    proxy = Wire(house.port)
    yield proxy
    proxy.cut()
