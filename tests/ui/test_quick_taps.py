"""A quick person loses no tap: what is done does not wait for the screen to be drawn again."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion.app.evening import propose_round
from companion.app.intake import propose_total
from companion.app.place import Place
from companion.rules.house_rules import HouseRules
from companion.rules.tiles import Tile
from companion.ui.screens.app import open_page
from tests.ui.conftest import RunningHouse

OpenPhone = Callable[..., Page]
WAIT_MS = 45_000


@pytest.fixture(scope="module")
def one_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningHouse]:
    running = RunningHouse(tmp_path_factory.mktemp("quick") / "data", open_page)
    yield running
    running.close()


@pytest.fixture
def house(one_house: RunningHouse) -> RunningHouse:
    """One server for all: every test has a game of its own."""
    return one_house


def seat_down(house: RunningHouse, *names: str) -> Place:
    place = house.game(*names, rules=HouseRules(rounds=2))
    place.commit(place.propose(propose_round))
    return place


def middle(page: Page, name: str) -> tuple[float, float]:
    """Where a button is: what a finger aims at, which knows nothing of what the server has heard so far."""
    button = page.get_by_role("button", name=name, exact=True).first
    expect(button).to_be_attached(timeout=WAIT_MS)
    box = button.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def points(place: Place) -> list[int | None]:
    return [score.points if score else None for score in place.game.rounds[0].scores]


def wait_for(page: Page, done: Callable[[], bool]) -> None:
    for _ in range(WAIT_MS // 100):
        if done():
            return
        page.wait_for_timeout(100)


@pytest.mark.parametrize("disturbed", [False, True], ids=["alone", "others enter meanwhile"])
def test_a_whole_round_as_fast_as_the_mouse_can_tap(house: RunningHouse, phone: OpenPhone, disturbed: bool) -> None:
    place = seat_down(house, "Ann", "Bob", "Cleo", "Dora")
    page = phone(f"/game/{place.code}/count/1/0/total", host=True)
    where = {name: middle(page, name) for name in (*"0123456789", "Accept")}
    if disturbed:
        dora = house.hub.enter(place.code, house.visitor(phone("/join")))
        dora.sit(3)
    for total in ("34", "7", "128"):
        for key in (*total, "Accept"):
            page.mouse.click(*where[key])
            if disturbed:  # her own entry and her own undo: the host's could take back what was tapped
                dora.commit(dora.propose(propose_total, 3, 50 + len(points(place)), 1))
                dora.undo()
    wait_for(page, lambda: points(place)[:3] == [34, 7, 128])
    assert points(place) == [34, 7, 128, None]


def test_a_second_tap_on_accept_enters_nothing_for_the_next_one(house: RunningHouse, phone: OpenPhone) -> None:
    place = seat_down(house, "Ann", "Bob")
    page = phone(f"/game/{place.code}/count/1/0/total", host=True)
    where = {name: middle(page, name) for name in ("5", "Accept")}
    for key in ("5", "Accept", "Accept", "Accept"):
        page.mouse.click(*where[key])
    expect(page.get_by_role("heading", name="Bob")).to_be_attached(timeout=WAIT_MS)
    page.wait_for_timeout(1000)
    assert points(place) == [5, None]


def test_accept_says_what_is_missing(house: RunningHouse, phone: OpenPhone) -> None:
    place = seat_down(house, "Ann", "Bob")
    page = phone(f"/game/{place.code}/count/1/0", host=True)
    for way, sentence in (
        ("Photo", "First take a photo, or tap the tiles."),
        ("Tiles", "First take a photo, or tap the tiles."),
        ("Total", "Type the points first."),
    ):
        page.get_by_role("button", name=f"How to count: {way}").click(force=True)
        page.get_by_role("button", name="Accept").click(force=True)
        expect(page.get_by_text(sentence).first).to_be_attached(timeout=WAIT_MS)
    assert points(place) == [None, None]


def test_both_halves_of_a_tile_in_one_breath(house: RunningHouse, phone: OpenPhone) -> None:
    from tests.hands import hand

    house.reader.next(hand("5-5"))
    place = seat_down(house, "Ann", "Bob")
    place.scan(_photo(), 0, 1)
    page = phone(f"/game/{place.code}/count/1/0", host=True, viewport={"width": 900, "height": 1400})
    page.get_by_role("button", name="Add a missed tile").click(force=True, timeout=WAIT_MS)
    where = [middle(page, name) for name in ("One half: 3", "The other half: 12", "Save")]
    page.wait_for_timeout(500)  # until the dialog lies still
    for place_on_screen in where:
        page.mouse.click(*place_on_screen)
    expect(page.get_by_role("button", name="Tile 2: 3 and 12").first).to_be_attached(timeout=WAIT_MS)
    page.get_by_role("button", name="Accept").click(force=True)
    wait_for(page, lambda: points(place)[0] is not None)
    score = place.game.rounds[0].scores[0]
    assert score is not None
    assert score.tiles == (Tile(3, 12), Tile(5, 5))


def test_a_tap_never_reaches_the_neighbour_that_moved_into_its_place(
    house: RunningHouse, phone: OpenPhone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tap on Ann is on its way while Ann's score, from elsewhere, takes her button away."""
    from flet.messaging.session import Session

    place = seat_down(house, "Ann", "Bob", "Cleo")
    page = phone(f"/game/{place.code}/round", host=True)
    where = middle(page, "Ann went out and scores nothing")
    dispatch, late = Session.dispatch_event, []

    async def slowly(self: Any, control: int, name: str, data: Any) -> None:
        if name == "click":
            late.append((self, control, name, data))  # as over a bad connection
        else:
            await dispatch(self, control, name, data)

    monkeypatch.setattr(Session, "dispatch_event", slowly)
    page.mouse.click(*where)
    wait_for(page, lambda: bool(late))
    place.commit(place.propose(propose_total, 0, 12, 1))
    expect(page.get_by_role("button", name="Ann went out")).to_have_count(0, timeout=WAIT_MS)
    session, control, name, data = late[0]
    monkeypatch.undo()

    async def arrive() -> None:
        await session.dispatch_event(control, name, data)

    session.page.run_task(arrive).result(WAIT_MS / 1000)
    page.wait_for_timeout(500)
    assert points(place) == [12, None, None]


def _photo() -> bytes:
    import io

    from PIL import Image

    file = io.BytesIO()
    Image.new("RGB", (640, 480), (40, 80, 60)).save(file, "JPEG")
    return file.getvalue()
