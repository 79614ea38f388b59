"""Several phones at one game, and phones that go away and come back: everybody sees the true state."""

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from companion.app.intake import propose_total
from companion.ui.screens.app import open_page
from tests.ui.conftest import RunningHouse, Wire, make_usable, type_into

OpenPhone = Callable[..., Page]


def test_what_one_enters_the_others_see(house: RunningHouse, phone: OpenPhone) -> None:
    place = house.game("Ann", "Bob")
    place.commit(place.propose(propose_total, 1, 30))
    pages = [phone(f"/game/{place.code}") for _ in range(2)]
    for page in pages:
        expect(page.get_by_role("button", name="Bob, round 1: 30")).to_be_attached()
    ann = house.seat(pages[0], place, 0)
    ann.commit(ann.propose(propose_total, 0, 47))
    for page in pages:
        expect(page.get_by_role("button", name="Ann, round 1: 47")).to_be_attached()
    ann.undo()
    for page in pages:
        expect(page.get_by_role("button", name=re.compile("Ann, round 1: still"))).to_be_attached()


def test_a_phone_that_was_away_shows_the_true_state(house: RunningHouse, phone: OpenPhone, wire: Wire) -> None:
    place = house.game("Ann", "Bob")
    place.commit(place.propose(propose_total, 1, 30))
    page = phone(f"/game/{place.code}", base=wire.url)
    expect(page.get_by_role("button", name="Bob, round 1: 30")).to_be_attached()
    wire.cut()
    page.wait_for_timeout(1000)
    place.commit(place.propose(propose_total, 0, 47))
    with page.expect_event("load", timeout=60_000):
        wire.mend()
    make_usable(page)
    expect(page.get_by_role("button", name="Ann, round 1: 47")).to_be_attached()
    assert page.url.endswith(f"/game/{place.code}")
    place.undo()
    expect(page.get_by_role("button", name=re.compile("Ann, round 1: still"))).to_be_attached()


def test_a_server_that_was_started_again_has_everything(
    house: RunningHouse, phone: OpenPhone, wire: Wire, tmp_path: Path
) -> None:
    place = house.game("Ann", "Bob")
    place.commit(place.propose(propose_total, 1, 30))
    page = phone(f"/game/{place.code}", base=wire.url)
    house.seat(page, place, 0)
    expect(page.get_by_role("button", name="Bob, round 1: 30")).to_be_attached()
    wire.cut()
    house.close()
    again = RunningHouse(tmp_path / "data", open_page)
    try:
        wire.lead_to(again.port)
        with page.expect_event("load", timeout=60_000):
            wire.mend()
        make_usable(page)
        expect(page.get_by_role("button", name="Bob, round 1: 30")).to_be_attached()
        assert again.hub.enter(place.code, again.visitor(page)).role.seats == {0}
    finally:
        again.close()


def test_wrong_codes_are_told_and_then_slowed_down(house: RunningHouse, phone: OpenPhone) -> None:
    place = house.game("Ann", "Bob")
    page = phone("/join")
    join = page.get_by_role("button", name="Join", exact=True)
    shown = page.locator("flt-semantics")
    slowed_down = shown.get_by_text("Too many wrong codes").last
    for n in range(12):  # the wait grows until it is longer than typing takes
        type_into(page, page.get_by_role("textbox"), f"WRONG{n}")
        join.click()
        expect(shown.get_by_text(f"no game with the code WRONG{n}").or_(slowed_down).last).to_be_visible()
        if slowed_down.is_visible():
            break
    expect(slowed_down).to_be_visible()
    assert n >= 5
    type_into(page, page.get_by_role("textbox"), place.code)
    for _ in range(30):
        join.click()
        page.wait_for_timeout(2000)
        if place.code in page.url:
            break
    assert f"/game/{place.code}" in page.url


def test_a_game_cannot_be_opened_by_guessing_its_address(house: RunningHouse, phone: OpenPhone) -> None:
    house.game("Ann", "Bob")
    page = phone("/game/WRONGG")
    expect(page.locator("flt-semantics").get_by_text("no game with the code WRONGG").last).to_be_visible()
