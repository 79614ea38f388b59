"""Measure what the screens are meant to reach; no test, run it by hand on a quiet machine:

    python -m tests.benchmarks.measure_ui

Prints: start to usable page, a changed value to seen on another phone, photo accepted to outlines on the screen,
memory with eight phones, and eight phones scanning at once.
"""

import statistics
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Page, expect, sync_playwright

from companion.app.intake import propose_total
from companion.app.place import Place
from companion.ui.screens.app import open_page
from companion.vision.reader import Reader
from tests.ui.conftest import ARGUMENTS, CHROMIUM, PHONE, RunningHouse, make_usable

SAMPLES = [Path(__file__).parents[2] / "docs" / "samples" / f"hand-{n}.jpg" for n in (1, 2, 3)]
PHONES = 8
CHANGES = 10

_WHEN_SHOWN = """label => new Promise(resolve => {
  const shown = () => [...document.querySelectorAll('flt-semantics')].some(
    (one) => (one.getAttribute('aria-label') || one.textContent || '').startsWith(label));
  const look = () => { if (shown()) { observer.disconnect(); resolve(Date.now()); } };
  const observer = new MutationObserver(look);
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  look();
})"""


def memory_mb() -> float:
    """Memory of this process, the server, in MB; Linux only."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def report(what: str, values: list[float], unit: str = "s") -> None:
    """One line: median, and 95th percentile where there are enough values for it."""
    tail = f", p95 {statistics.quantiles(values, n=20)[-1]:.2f} {unit}" if len(values) >= 8 else ""
    print(f"{what}: median {statistics.median(values):.2f} {unit} of {len(values)}{tail}", flush=True)


def main() -> None:
    """All measurements, one after the other."""
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        before = memory_mb()
        house = RunningHouse(Path(folder), open_page, Reader.load())
        names = tuple(f"Player {n + 1}" for n in range(PHONES))
        place = house.game(*names)
        place.commit(place.propose(propose_total, PHONES - 1, 30))
        chromium = playwright.chromium.launch(executable_path=str(CHROMIUM), args=ARGUMENTS)
        try:
            usable, pages = [], []
            for seat in range(PHONES):
                context = chromium.new_context(viewport=PHONE, locale="en-GB")
                page = context.new_page()
                page.goto(f"{house.url}/web/page.css")
                began = time.perf_counter()
                page.goto(f"{house.url}/game/{place.code}")
                make_usable(page)
                expect(page.get_by_role("button", name=f"Player {PHONES}, round 1")).to_be_attached(timeout=60_000)
                usable.append(time.perf_counter() - began)
                house.seat(page, place, seat)
                pages.append(page)
            report("address opened to usable sheet", usable)
            print(f"memory: {before:.0f} MB before, {memory_mb():.0f} MB with {PHONES} phones", flush=True)
            seen = [change for n in range(CHANGES) for change in changes(pages[-1], place, 10 + n)]
            report(f"changed value to seen on another phone, {PHONES} phones open", seen)
            shown = [outlines(page, house, place.code, seat) for seat, page in enumerate(pages[1:6], start=1)]
            report("photo accepted to outlines on the screen", shown)
            for page in pages:
                page.context.close()
            report(f"{PHONES} phones scanning at once, sent to read", at_once(house, place.code))
            print(f"memory: {memory_mb():.0f} MB after scanning", flush=True)
        finally:
            chromium.close()
            house.close()


def changes(page: Page, place: Place, points: int) -> Iterator[float]:
    """From a score, and then its undoing, to the moment when another phone has drawn it."""
    enter = partial(place.propose, propose_total, 0, points)
    yield _seen(page, lambda: place.commit(enter()), f"Player 1, round 1: {points} ")
    yield _seen(page, place.undo, "Player 1, round 1: still")


def _seen(page: Page, do: Callable[[], object], label: str) -> float:
    """Seconds; the browser itself looks at its clock, because asking it again and again would take up to a second."""
    began: list[float] = []

    def later() -> None:
        began.append(time.time())
        do()

    timer = threading.Timer(1.0, later)
    timer.start()
    at = page.evaluate(_WHEN_SHOWN, label)
    timer.join()
    return float(at) / 1000 - began[0]


def outlines(page: Page, house: RunningHouse, code: str, seat: int) -> float:
    """From the photo's arrival on the server to the first tile that can be tapped."""
    page.goto(f"{house.url}/game/{code}/count/1/{seat}")
    make_usable(page)
    page.wait_for_timeout(3000)
    place = house.hub.enter(code, house.visitor(page))
    began = time.perf_counter()
    scan = place.scan(SAMPLES[0].read_bytes(), seat, 1)
    while not scan.over:
        page.wait_for_timeout(20)
    assert scan.reading is not None, scan.error
    tile = page.get_by_role("button", name="Tile 1: ")
    expect(tile.first).to_be_attached(timeout=60_000)
    return time.perf_counter() - began


def at_once(house: RunningHouse, code: str) -> list[float]:
    """Eight photos at the same moment, five times: seconds from sending to reading, one for each photo."""
    seconds: list[float] = []
    host = house.hub.enter(code, house.host)

    def send(seat: int, start: threading.Barrier) -> None:
        data = SAMPLES[seat % len(SAMPLES)].read_bytes()
        start.wait()
        began = time.perf_counter()
        scan = host.scan(data, seat, 1)
        while not scan.over:
            time.sleep(0.01)
        assert scan.reading is not None, scan.error
        seconds.append(time.perf_counter() - began)
        host.discard(scan)

    for _ in range(5):
        start = threading.Barrier(PHONES)
        threads = [threading.Thread(target=send, args=(seat, start)) for seat in range(PHONES)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    return seconds


if __name__ == "__main__":
    main()
