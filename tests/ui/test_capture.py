"""The capture page in a real browser: choose, send, wait, come back; and everything that can go wrong on the way."""

import io
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from companion.app.intake import propose_total
from companion.app.place import Place
from companion.app.scan_queue import ScanState
from companion.app.scanning import hand_points
from companion.vision.reader import Reader
from tests.hands import hand
from tests.ui.conftest import PHONE, RunningHouse, Wire, make_usable

OpenPhone = Callable[..., Page]

SAMPLE = Path(__file__).parents[2] / "docs" / "samples" / "hand-1.jpg"
SAMPLE_POINTS = 128
"""What README says about the sample."""


@cache
def noise(width: int, height: int, quality: int = 98) -> bytes:
    """A photo that compresses badly."""
    pixels = np.random.default_rng(1).integers(0, 256, (height, width, 3), dtype=np.uint8)
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "JPEG", quality=quality)
    return file.getvalue()


def at_the_camera(
    house: RunningHouse, phone: OpenPhone, base: str = "", lang: str = "en", **more: str
) -> tuple[Page, Place]:
    """A player's phone on the capture page of her own hand."""
    place = house.game("Ann", "Bob")
    place.commit(place.propose(propose_total, 1, 30))  # round one is on
    page = phone("/join", base=base, framework=False, **more)
    mine = house.seat(page, place, 0)
    page.goto(f"{base or house.url}/game/{place.code}/capture/0?round=1&lang={lang}")
    return page, mine


def choose(page: Page, data: bytes, name: str = "photo.jpg", which: str = "camera") -> None:
    page.locator(f"#{which}").set_input_files({"name": name, "mimeType": "image/jpeg", "buffer": data})


@pytest.mark.parametrize("which", ["camera", "gallery"])
def test_a_photo_goes_to_the_game_and_the_page_back_to_it(house: RunningHouse, phone: OpenPhone, which: str) -> None:
    page, place = at_the_camera(house, phone)
    expect(page.locator("#camera")).to_have_attribute("capture", "environment")
    choose(page, noise(400, 300), which=which)
    page.wait_for_url(f"**/game/{place.code}/count/1/0")
    [scan] = place.scans(0, 1)
    assert scan.state is ScanState.DONE
    assert len(house.reader.photos) == 1
    make_usable(page)
    expect(page.get_by_text("3-12").or_(page.get_by_role("button", name="3 and 12")).first).to_be_attached()


def test_a_photo_of_21_megabytes(house: RunningHouse, phone: OpenPhone, tmp_path: Path) -> None:
    data = noise(4000, 3000, 99)
    data += bytes(21 * 1024**2 - len(data))  # phones append a film to their photos
    path = tmp_path / "big.jpg"
    path.write_bytes(data)
    page, place = at_the_camera(house, phone)
    page.locator("#camera").set_input_files(path)
    page.wait_for_url(f"**/game/{place.code}/count/1/0", timeout=60_000)
    [scan] = place.scans(0, 1)
    assert (scan.width, scan.height) == (4000, 3000)
    assert len(scan.data) == 21 * 1024**2
    page.wait_for_timeout(500)
    make_usable(page)  # the session of the screens is alive


def test_while_others_wait_their_turn_the_place_in_the_queue_is_told(house: RunningHouse, phone: OpenPhone) -> None:
    house.reader.seconds = 1.5
    page, place = at_the_camera(house, phone, lang="fr")
    other = house.hub.enter(place.code, house.host)
    for _ in range(3):
        other.scan(noise(100, 100), 1)
    choose(page, noise(400, 300))
    expect(page.locator("#status")).to_contain_text("La photo est arrivée")
    expect(page.locator("#picture")).to_be_visible()
    expect(page.locator("#camera")).to_be_disabled()
    page.wait_for_url(f"**/game/{place.code}/count/1/0", timeout=30_000)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"This is no photo.", "This is no picture"),
        (b"", "empty"),
        (noise(400, 300)[:2000], "damaged"),
        (b"GIF89a" + bytes(100), "GIF"),
    ],
    ids=["text", "empty", "cut short", "gif"],
)
def test_rubbish_gets_a_sentence_and_another_photo_can_be_taken_at_once(
    house: RunningHouse, phone: OpenPhone, data: bytes, sentence: str
) -> None:
    page, place = at_the_camera(house, phone)
    choose(page, data)
    expect(page.locator("#status")).to_contain_text(sentence)
    expect(page.locator("#camera")).to_be_enabled()
    choose(page, noise(400, 300), which="gallery")
    page.wait_for_url(f"**/game/{place.code}/count/1/0")


def test_a_photo_over_the_limit_is_not_even_sent(house: RunningHouse, phone: OpenPhone, tmp_path: Path) -> None:
    path = tmp_path / "film.jpg"
    with path.open("wb") as file:
        file.truncate(64 * 1024**2 + 1)
    page, place = at_the_camera(house, phone)
    page.locator("#camera").set_input_files(path)
    expect(page.locator("#status")).to_contain_text("64 MB")
    assert place.scans(0, 1) == ()


def test_a_lost_connection_is_told_and_the_same_photo_sent_again(
    house: RunningHouse, phone: OpenPhone, wire: Wire
) -> None:
    page, place = at_the_camera(house, phone, base=wire.url)
    wire.cut()
    choose(page, noise(400, 300))
    expect(page.locator("#status")).to_contain_text("The connection was lost")
    wire.mend()
    page.get_by_role("button", name="Send again").click()
    page.wait_for_url(f"**/game/{place.code}/count/1/0")
    assert len(place.scans(0, 1)) == 1


def test_the_page_speaks_the_phones_language_and_offers_the_way_back(house: RunningHouse, phone: OpenPhone) -> None:
    page, place = at_the_camera(house, phone, lang="", locale="ru-RU")
    expect(page.get_by_role("heading")).to_have_text("Фото костяшек: Ann")
    link = page.get_by_role("link", name="Вернуться к партии")
    expect(link).to_have_attribute("href", f"/game/{place.code}/count/1/0")
    for target in (link, *page.locator("label").all()):
        box = target.bounding_box()
        assert box is not None
        assert box["height"] >= 44


def test_a_small_phone_with_large_letters_cuts_nothing(house: RunningHouse, phone: OpenPhone) -> None:
    page, _ = at_the_camera(house, phone, lang="ru", viewport={"width": 360, "height": 740})  # type: ignore[arg-type]
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_whoever_has_no_seat_is_told_and_led_back(house: RunningHouse, phone: OpenPhone) -> None:
    place = house.game("Ann", "Bob")
    page = phone(f"/game/{place.code}/capture/0", framework=False)
    expect(page.get_by_text("Only Ann and the host")).to_be_visible()
    expect(page.get_by_role("link")).to_have_attribute("href", "/")


def test_photos_of_several_phones_come_to_their_own_seats(house: RunningHouse, phone: OpenPhone) -> None:
    place = house.game("Ann", "Bob")
    pages = []
    for seat in range(2):
        page = phone("/join", framework=False)
        house.seat(page, place, seat)
        page.goto(f"{house.url}/game/{place.code}/capture/{seat}?round=1")
        pages.append(page)
    for seat, page in enumerate(pages):
        house.reader.next(hand(f"{seat}-12"))
        choose(page, noise(400 + seat, 300))
        page.wait_for_url(f"**/game/{place.code}/count/1/{seat}")
    for seat in range(2):
        [scan] = place.scans(seat, 1)
        assert scan.reading is not None
        assert scan.width == 400 + seat
        assert [str(tile) for tile in scan.reading.values] == [f"{seat}-12"]


def test_a_real_photo_is_really_read(tmp_path: Path, browser: Browser) -> None:
    house = RunningHouse(tmp_path / "data", lambda *_: None, Reader.load())
    context = browser.new_context(viewport=PHONE)
    try:
        place = house.game("Ann", "Bob")
        page = context.new_page()
        page.goto(f"{house.url}/join")
        house.seat(page, place, 0)
        page.goto(f"{house.url}/game/{place.code}/capture/0?round=1")
        page.locator("#camera").set_input_files(SAMPLE)
        page.wait_for_url(f"**/game/{place.code}/count/1/0", timeout=60_000)
        [scan] = place.scans(0, 1)
        assert scan.reading is not None
        assert hand_points(scan.reading.values) == SAMPLE_POINTS
    finally:
        context.close()
        house.close()
