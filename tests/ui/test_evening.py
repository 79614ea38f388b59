"""Whole evenings in a real browser: by photo, by grid and by total; corrections; two phones; every language."""

import io
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import flet as ft
import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from companion.app.evening import propose_out, propose_round
from companion.app.intake import propose_total
from companion.app.live_game import Outcome
from companion.app.people import train_colours
from companion.rules.house_rules import HouseRules
from companion.rules.tiles import Tile
from companion.text import Language, say
from companion.ui.screens.app import open_page
from companion.ui.widgets import webcam
from companion.vision.camera import Camera
from tests.hands import hand
from tests.ui.conftest import RunningHouse, make_usable, type_into

WAIT_MS = 45_000
"""Long, for two cores that do other things as well; nothing here takes it."""


@pytest.fixture(scope="module")
def one_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningHouse]:
    """One server for all: every test has a game and browsers of its own."""
    running = RunningHouse(tmp_path_factory.mktemp("evening") / "data", open_page)
    yield running
    running.close()


@pytest.fixture
def house(one_house: RunningHouse) -> RunningHouse:
    """As elsewhere, with a reader that has read nothing yet."""
    one_house.reader.__init__()
    return one_house


def see(page: Page, name: str) -> Any:
    """What has a name, and can be tapped."""
    if name.isdigit():
        return page.get_by_role("button", name=name, exact=True).first
    return page.get_by_role("button", name=re.compile(re.escape(name))).first


def tap(page: Page, name: str) -> None:
    """Tap a control by its name."""
    control = see(page, name)
    expect(control).to_be_attached(timeout=WAIT_MS)
    control.click(force=True, timeout=WAIT_MS)


def write(page: Page, label: str, text: str) -> None:
    """Write into the field with this name."""
    type_into(page, page.get_by_label(label).first, text)


def shows(page: Page, words: str) -> None:
    """The words are on the screen, or are said."""
    pattern = re.compile(re.escape(words))
    expect(page.get_by_text(pattern).or_(page.get_by_label(pattern)).first).to_be_attached(timeout=WAIT_MS)


def photo() -> bytes:
    """Any photo: the stand-in reader does not look."""
    file = io.BytesIO()
    Image.new("RGB", (640, 480), (40, 80, 60)).save(file, "JPEG")
    return file.getvalue()


def seat_down(house: RunningHouse, *names: str, rounds: int = 2) -> Any:
    place = house.game(*names, rules=HouseRules(rounds=rounds))
    place.commit(place.propose(propose_round))
    return place


def test_a_game_of_three_by_photo_by_tiles_and_by_total(house: RunningHouse, phone: Callable[..., Page]) -> None:
    page = phone("/new", host=True)
    for name in ("Ann", "Bob", "Cleo"):
        write(page, say("ui_player_name", Language.EN), name)
        if name == "Bob":  # at once, while what was typed is still on its way
            tap(page, say("ui_add_player", Language.EN))
        else:
            page.keyboard.press("Enter")
        shows(page, say("ui_remove", Language.EN, name=name))
    tap(page, say("ui_start_game", Language.EN))
    shows(page, "Ann, round 1: still missing")
    place = house.hub.enter(re.search(r"/game/(\w+)", page.url).group(1), house.host)  # type: ignore[union-attr]
    assert train_colours(house.hub, place.code) == ("blue", "orange", "green")

    tap(page, "Ann, round 1: still missing")  # by total
    tap(page, "Total")
    for digit in "34":
        tap(page, digit)
    tap(page, "Accept")

    expect(page).to_have_url(re.compile(r"/count/1/1/total"), timeout=WAIT_MS)  # the next player follows
    expect(page.get_by_role("heading", name="Bob")).to_be_attached(timeout=WAIT_MS)
    tap(page, "Tiles")
    tap(page, "3-12")
    tap(page, "0-12")
    shows(page, "27 points")
    tap(page, "Accept")

    expect(page).to_have_url(re.compile(r"/count/1/2/tiles"), timeout=WAIT_MS)
    expect(page.get_by_role("heading", name="Cleo")).to_be_attached(timeout=WAIT_MS)
    tap(page, "Photo")
    house.reader.next(hand("1-2", "5-5?", "3-12"))
    _send_photo(page, house)
    shows(page, "3 tiles")
    shows(page, "1 impossible")
    tap(page, "Remove tile 3, 3-12")  # Bob has it
    tap(page, "Tile 2, 5-5, is right")
    shows(page, "13 points")
    tap(page, "Accept")
    shows(page, "3 of 3 entered")
    assert [score.points for score in place.game.rounds[0].scores if score] == [34, 27, 13]
    assert [score.tiles for score in place.game.rounds[0].scores if score][1:] == [
        (Tile(0, 12), Tile(3, 12)),
        (Tile(1, 2), Tile(5, 5)),
    ]
    tap(page, "Start round 2")
    shows(page, "0 of 3 entered")
    tap(page, "Bob went out and scores nothing")
    shows(page, "1 of 3 entered")


def _send_photo(page: Page, house: RunningHouse) -> None:
    """As the capture page sends it, with the cookie of this very browser."""
    code, number, seat = re.search(r"/game/(\w+)/count/(\d+)/(\d+)", page.url).groups()  # type: ignore[union-attr]
    headers = {"Origin": house.url, "Content-Type": "image/jpeg"}
    address = f"{house.url}/game/{code}/capture/{seat}?round={number}"
    assert page.request.post(address, data=photo(), headers=headers).status == 202


def test_a_whole_game_ends_with_a_winner_and_another_can_begin(house: RunningHouse, phone: Callable[..., Page]) -> None:
    place = seat_down(house, "Ann", "Bob", rounds=1)
    page = phone(f"/game/{place.code}", host=True)
    place.commit(place.propose(propose_out, 0))
    shows(page, "Bob, round 1: still missing")  # what others write appears by itself
    tap(page, "Bob, round 1: still missing")
    tap(page, "Total")
    tap(page, "9")
    tap(page, "Accept")
    tap(page, "Who won?")
    shows(page, "Ann wins!")
    tap(page, "Play again with the same people")
    shows(page, "Ann, round 1: still missing")
    assert f"/game/{place.code}" not in page.url
    again = house.hub.enter(re.search(r"/game/(\w+)", page.url).group(1), house.host)  # type: ignore[union-attr]
    assert [player.name for player in again.game.players] == ["Ann", "Bob"]


def test_an_old_score_is_corrected_with_a_reason_and_taken_back(
    house: RunningHouse, phone: Callable[..., Page]
) -> None:
    place = seat_down(house, "Ann", "Bob")
    place.commit(place.propose(propose_out, 0))
    place.commit(place.propose(propose_total, 1, 52, 1))
    page = phone(f"/game/{place.code}", host=True)
    tap(page, "Bob, round 1: 52 points")
    shows(page, "Host entered 52")
    tap(page, "Correct")
    tap(page, "Total")
    for digit in "25":
        tap(page, digit)
    tap(page, "Accept")
    shows(page, "Give a reason first.")
    write(page, "Reason", "counted again")
    tap(page, "Accept")
    shows(page, "Bob, round 1: 25 points, corrected")
    assert place.game.rounds[0].scores[1].why == "counted again"
    tap(page, "Undo")
    shows(page, "Bob, round 1: 52 points")
    tap(page, "Redo")
    shows(page, "Bob, round 1: 25 points, corrected")


def test_a_number_that_is_odd_is_asked_about(house: RunningHouse, phone: Callable[..., Page]) -> None:
    place = seat_down(house, "Ann", "Bob")
    page = phone(f"/game/{place.code}/count/1/0/total", host=True)
    for digit in "9999":
        tap(page, digit)
    tap(page, "Accept")
    shows(page, "Is that right?")
    tap(page, "Look again")
    assert place.game.rounds[0].scores == (None, None)


def test_two_phones_on_one_game(house: RunningHouse, phone: Callable[..., Page]) -> None:
    place = seat_down(house, "Ann", "Bob")
    ann, bob = phone(f"/game/{place.code}/people"), phone(f"/game/{place.code}/people")
    tap(ann, "I am Ann")
    shows(ann, "that is you")
    shows(bob, "has a phone")
    tap(bob, "I am Bob")
    shows(bob, "that is you")
    tap(ann, "Sheet")
    tap(bob, "Sheet")
    tap(ann, "Ann, round 1: still missing")
    tap(ann, "Total")
    tap(ann, "7")
    tap(ann, "Accept")
    shows(bob, "Ann, round 1: 7 points")
    tap(bob, "Ann, round 1: 7 points")
    shows(bob, "Only Ann’s own phone or the host can enter this score.")
    assert str(place.entries()[-1].source) == "seat-0"


def test_two_who_enter_the_same_score_are_both_told(house: RunningHouse, phone: Callable[..., Page]) -> None:
    place = seat_down(house, "Ann", "Bob")
    bob = phone(f"/game/{place.code}/people")
    tap(bob, "I am Bob")
    shows(bob, "that is you")
    host = phone(f"/game/{place.code}/count/1/1/total", host=True)
    bobs_own = house.hub.enter(place.code, house.visitor(bob))
    tap(bob, "Sheet")
    shows(bob, "Bob, round 1: still missing")
    seen = bobs_own.propose(propose_total, 1, 40, 1)  # what Bob's phone is about to send
    for digit in "35":
        tap(host, digit)
    tap(host, "Accept")
    shows(bob, "Bob, round 1: 35 points")
    assert bobs_own.commit(seen) is Outcome.BOTH
    words = "Two people entered the score of Bob in round 1: Host 35, then Bob 40. Both are kept; 40 counts."
    shows(bob, words)
    shows(bob, "Bob, round 1: 40 points")
    tap(host, "Back")
    shows(host, words)
    tap(host, "Understood")
    expect(host.get_by_text(words)).to_have_count(0, timeout=WAIT_MS)
    shows(bob, words)  # each reads it for themselves
    tap(bob, "Bob, round 1: 40 points")
    shows(bob, "Host entered 35")
    shows(bob, "Bob entered 40")


@pytest.mark.parametrize("lang", Language)
def test_every_language(house: RunningHouse, phone: Callable[..., Page], lang: Language) -> None:
    place = seat_down(house, "Ann", "Bob")
    page = phone(f"/game/{place.code}", host=True, locale={"en": "en-GB", "fr": "fr-FR", "ru": "ru-RU"}[lang])
    shows(page, say("ui_card_round", lang, number=1, rounds=2))
    tap(page, say("ui_count_hands", lang))
    shows(page, say("ui_entered", lang, n=0, all=2))


def test_settings_hold_for_the_browser_and_survive_a_reload(phone: Callable[..., Page]) -> None:
    page = phone("/settings")
    tap(page, "Русский")
    shows(page, say("ui_settings", Language.RU))
    page.wait_for_timeout(500)
    page.reload()
    page.wait_for_selector("flt-semantics-placeholder", state="attached", timeout=WAIT_MS)
    page.eval_on_selector("flt-semantics-placeholder", "element => element.click()")
    shows(page, say("ui_settings", Language.RU))


def test_live_camera(house: RunningHouse, phone: Callable[..., Page]) -> None:
    place = seat_down(house, "Ann", "Bob")
    house.reader.next(hand("1-2", "5-5"))
    page = phone(f"/game/{place.code}/count/1/0", host=True, permissions=["camera"])
    tap(page, "Live camera")
    shoot = see(page, "Take the picture")
    expect(shoot).to_be_enabled(timeout=WAIT_MS)
    tap(page, "Take the picture")
    shows(page, "13 points")
    assert house.reader.photos[-1].width >= 320


@pytest.mark.parametrize("cameras", [1, 2])
def test_the_webcam_of_the_hosts_own_machine(
    house: RunningHouse, phone: Callable[..., Page], monkeypatch: pytest.MonkeyPatch, cameras: int
) -> None:
    found = tuple(Camera(n, "the same name") for n in range(cameras))
    asked: list[int] = []

    def still(number: int) -> bytes:
        asked.append(number)
        return photo()

    monkeypatch.setattr(webcam, "cameras", lambda: found)
    monkeypatch.setattr(webcam, "still", still)
    house.reader.next(hand("1-2", "5-5"))
    place = seat_down(house, "Ann", "Bob")
    page = phone(f"/game/{place.code}/count/1/0", host=True)
    tap(page, "Webcam")
    if cameras > 1:
        page.get_by_role("button", name="the same name").nth(1).click(force=True, timeout=WAIT_MS)
    shows(page, "13 points")
    assert asked == [cameras - 1]


def test_a_webcam_that_is_not_there_is_a_sentence(
    house: RunningHouse, phone: Callable[..., Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webcam, "cameras", lambda: ())
    place = seat_down(house, "Ann", "Bob")
    page = phone(f"/game/{place.code}/count/1/0", host=True)
    tap(page, "Webcam")
    shows(page, say("camera_none", Language.EN))


def test_a_players_phone_is_not_offered_the_hosts_webcam(house: RunningHouse, phone: Callable[..., Page]) -> None:
    place = seat_down(house, "Ann", "Bob")
    page = phone("/join")
    house.seat(page, place, 0)
    page.goto(f"{house.url}/game/{place.code}/count/1/0")
    make_usable(page)
    shows(page, "Live camera")
    expect(page.get_by_role("button", name="Webcam")).to_have_count(0)


def test_two_entries_are_told_while_the_next_hand_is_counted(house: RunningHouse, phone: Callable[..., Page]) -> None:
    place = seat_down(house, "Ann", "Bob")
    page = phone(f"/game/{place.code}/count/1/1/total", host=True)
    shows(page, "Points left in the hand")
    other = house.hub.enter(place.code, house.visitor(phone("/join")))
    other.sit(0)
    seen = other.propose(propose_total, 0, 40, 1)
    place.commit(place.propose(propose_total, 0, 35, 1))
    assert other.commit(seen) is Outcome.BOTH
    words = "Two people entered the score of Ann in round 1: Host 35, then Ann 40. Both are kept; 40 counts."
    shows(page, words)
    tap(page, "7")
    tap(page, "Understood")
    expect(page.get_by_text(words)).to_have_count(0, timeout=WAIT_MS)
    shows(page, "7 points")


def test_a_photo_that_fails_is_no_dead_end(house: RunningHouse, phone: Callable[..., Page]) -> None:
    place = seat_down(house, "Ann", "Bob")
    page = phone(f"/game/{place.code}/count/1/0", host=True)
    place.scan(b"no picture at all", 0, 1)
    shows(page, "Take another one, tap the tiles, or type the total.")
    tap(page, "Total")
    tap(page, "5")
    tap(page, "Accept")
    shows(page, "Bob")
    assert place.game.rounds[0].scores[0].points == 5


def test_a_wrong_code_is_a_sentence(phone: Callable[..., Page]) -> None:
    page = phone("/join")
    write(page, "Code of the game", "NOSUCH")
    tap(page, "Join")
    shows(page, "NOSUCH")


def test_an_address_with_another_way_to_count_is_followed(tmp_path: Path, phone: Callable[..., Page]) -> None:
    """The last of this file: when its own server stops, the framework lets go of what the shared one needs, too."""
    pages: list[ft.Page] = []

    def show(page: ft.Page, *more: Any) -> None:
        pages.append(page)
        open_page(page, *more)

    own = RunningHouse(tmp_path / "data", show)
    try:
        place = seat_down(own, "Ann", "Bob")
        page = phone("/join", base=own.url)
        own.seat(page, place, 0)
        page.goto(f"{own.url}/game/{place.code}/count/1/0/total")
        make_usable(page)
        tap(page, "Photo")
        shows(page, "Take or choose a photo")

        async def follow() -> None:
            pages[-1].navigate(f"/game/{place.code}/count/1/0/tiles")

        pages[-1].run_task(follow).result(WAIT_MS / 1000)
        shows(page, "Tap the tiles that are left in the hand.")
        tap(page, "Total")
        shows(page, "Points left in the hand")
    finally:
        own.close()
