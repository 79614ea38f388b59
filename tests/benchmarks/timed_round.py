"""A whole round of six players, entered on one phone as a practised person does it; no test, run it by hand:

    python -m tests.benchmarks.timed_round

Three hands by photo, two by tapping their tiles, one as a total, with the networks that are shipped. Prints the taps
and the seconds for every player and for the round, from the first tap to the screen that says that all are entered.

What stands for the person: 0.4 s before every tap; for every photo 3 s to aim, two taps in the phone's own camera
(shutter, "use it"), and 2 s to look through the outlines. The third sample shows two tiles of the first one, which no
round has twice: they are painted over.
"""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np
from playwright.sync_api import Locator, Page, expect, sync_playwright

from companion.app.evening import propose_round
from companion.app.scanning import hand_points
from companion.rules.house_rules import HouseRules
from companion.rules.tiles import Tile, TileSet
from companion.ui.screens.app import open_page
from companion.vision.photo import Photo
from companion.vision.reader import Reader
from tests.ui.conftest import ARGUMENTS, CHROMIUM, PHONE, RunningHouse, make_usable

SAMPLES = Path(__file__).parents[2] / "docs" / "samples"
TAP_MS, AIM_MS, LOOK_MS = 400, 3000, 2000
TILES = {3: ("0-7", "2-2", "3-5", "4-9"), 4: ("0-2", "1-7", "2-11", "4-12", "5-7")}
"""What the fourth and the fifth player have left."""
TOTAL = "47"


@dataclass
class Person:
    """Somebody with a phone who has done this before."""

    page: Page
    taps: int = 0

    def tap(self, what: Locator, more: int = 0) -> None:
        """Find, reach, tap; `more` taps happen outside the companion."""
        expect(what.first).to_be_attached(timeout=60_000)
        self.page.wait_for_timeout(TAP_MS * (1 + more))
        while (box := what.first.bounding_box()) is None:  # it is being drawn anew
            self.page.wait_for_timeout(20)
        self.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        self.taps += 1 + more

    def button(self, name: str, exact: bool = False) -> Locator:
        """A button by the beginning of its name."""
        return self.page.get_by_role("button", name=name, exact=exact)

    def photo(self, path: Path) -> None:
        """Take the photo of a hand, look at what was read, confirm what is asked about."""
        link = self.page.get_by_role("link", name="Take or choose a photo").or_(self.button("Take or choose a photo"))
        self.tap(link)
        camera = self.page.locator("#camera")
        expect(camera).to_be_attached(timeout=60_000)
        self.page.wait_for_timeout(TAP_MS * 3 + AIM_MS)
        self.taps += 3  # "take a photo" on the page, then shutter and "use it" in the camera
        camera.set_input_files(path)
        self.page.wait_for_url("**/count/**", timeout=60_000)
        make_usable(self.page)
        expect(self.button("Tile 1: ").first).to_be_attached(timeout=60_000)
        self.page.wait_for_timeout(LOOK_MS)
        right = self.page.get_by_role("button", name=", is right")
        while count := right.count():
            right.first.scroll_into_view_if_needed()
            self.tap(right)
            expect(right).to_have_count(count - 1)

    def tiles(self, names: tuple[str, ...]) -> None:
        """Tap the number of a tile's lower half, then the tile."""
        if not self.button("Only tiles with 0", exact=True).count():
            self.tap(self.button("How to count: Tiles"))
        for name in names:
            number = name.split("-")[0]
            self.tap(self.button(f"Only tiles with {number}", exact=True))
            self.tap(self.button(name, exact=True))

    def total(self, digits: str) -> None:
        """Type the points."""
        self.tap(self.button("How to count: Total"))
        for digit in digits:
            self.tap(self.button(digit, exact=True))


def third_photo(reader: Reader, folder: Path) -> Path:
    """The third sample without the tiles that the first one shows as well."""
    twice = {Tile(3, 8), Tile(4, 8)}
    photo = Photo.from_bytes((SAMPLES / "hand-3.jpg").read_bytes())
    reading = reader.read_hand(photo, TileSet(12))
    pixels = cv2.imread(str(SAMPLES / "hand-3.jpg"))
    assert pixels is not None
    mask = np.zeros(pixels.shape[:2], np.uint8)
    for one in reading.tiles:
        if one.tile in twice:
            centre = one.box.corners.mean(axis=0)
            grown = centre + (one.box.corners - centre) * 1.12
            cv2.fillPoly(mask, [grown.astype(np.int32)], 255)
    path = folder / "hand-3.jpg"
    cv2.imwrite(str(path), cv2.inpaint(pixels, mask, 5, cv2.INPAINT_TELEA))
    return path


def expected() -> list[int]:
    """What must stand on the sheet."""
    truth = json.loads((SAMPLES / "truth.json").read_text(encoding="utf-8"))
    hands = [[Tile(*pair) for pair in truth[f"hand-{n}"]["tiles"]] for n in (1, 2, 3)]
    hands[2] = [tile for tile in hands[2] if tile not in hands[0]]
    hands += [[Tile.parse(name) for name in names] for names in TILES.values()]
    return [*(hand_points(tuple(hand)) for hand in hands), int(TOTAL)]


def main() -> None:
    """Play it."""
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        reader = Reader.load()
        third = third_photo(reader, Path(folder))
        house = RunningHouse(Path(folder) / "data", open_page, reader)
        place = house.game("Ann", "Bob", "Cleo", "Dora", "Emil", "Fay", rules=HouseRules(double_blank_points=0))
        place.commit(place.propose(propose_round))
        chromium = playwright.chromium.launch(executable_path=str(CHROMIUM), args=ARGUMENTS)
        try:
            page = chromium.new_context(viewport=PHONE, locale="en-GB").new_page()
            page.set_default_timeout(60_000)
            page.request.get(f"{house.url}/house/{house.house.keeper_key}", max_redirects=0)
            page.goto(f"{house.url}/game/{place.code}/round")
            make_usable(page)
            person = Person(page)
            photos = (SAMPLES / "hand-1.jpg", SAMPLES / "hand-2.jpg", third)
            ways: list[Callable[[], None]] = [lambda path=path: person.photo(path) for path in photos]  # type: ignore[misc]
            ways += [lambda names=names: person.tiles(names) for names in TILES.values()]  # type: ignore[misc]
            ways.append(lambda: person.total(TOTAL))
            expect(person.button("Count the hand of Ann").or_(person.button("Count")).first).to_be_attached(
                timeout=60_000
            )
            page.wait_for_timeout(1000)
            began = last = time.perf_counter()
            person.tap(person.button("Count the hand of Ann"))
            for player, way in zip(place.game.players, ways, strict=True):
                expect(page.get_by_role("heading", name=player.name)).to_be_attached(timeout=60_000)
                taps = person.taps
                way()
                person.tap(person.button("Accept"))
                now = time.perf_counter()
                print(f"{player.name}: {person.taps - taps} taps, {now - last:.1f} s", flush=True)
                last = now
            expect(page.get_by_text("6 of 6 entered").first).to_be_attached(timeout=60_000)
            seconds = time.perf_counter() - began
            entered = [score.points if score else None for score in place.game.rounds[0].scores]
            assert entered == expected(), (entered, expected())
            print(f"six players: {person.taps} taps, {seconds:.1f} s", flush=True)
        finally:
            chromium.close()
            house.close()


if __name__ == "__main__":
    main()
