"""The round's table in a real browser: a round followed by hand on two phones, and a photo accepted with one tap."""

import io
import re
from collections.abc import Callable, Iterator, Sequence
from random import Random

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from companion.app.evening import propose_round
from companion.app.place import Place
from companion.app.table_play import propose_deal, propose_turn
from companion.rules.events import TilePlayed
from companion.rules.fold import advance
from companion.rules.house_rules import HouseRules
from companion.rules.moves import Draw, Pass, Play
from companion.rules.state import EndReason, Phase, TableState
from companion.rules.tiles import Tile, TileSet
from companion.text import Language, say
from companion.ui.screens.app import open_page
from companion.vision.photo import Photo
from companion.vision.readings import KnownChain, TableReading
from tests.app.table_readings import Painter
from tests.ui.conftest import RunningHouse, StandInReader, make_usable, type_into

OpenPhone = Callable[..., Page]
WAIT_MS = 45_000
SMALL = {"width": 360, "height": 740}


class TableReader(StandInReader):
    """Reads every photo as the table that was set last."""

    table: TableReading | None = None
    before: Sequence[KnownChain] = ()

    def read_table(
        self, photo: Photo, tile_set: TileSet, engine: Tile | None = None, before: Sequence[KnownChain] = ()
    ) -> TableReading:
        assert (photo.width, tile_set.max_pip, engine) == (2000, 12, Tile(12, 12))
        self.before = before
        assert self.table is not None
        return self.table


@pytest.fixture(scope="module")
def one_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningHouse]:
    """One server for all: every test has a game and browsers of its own."""
    running = RunningHouse(tmp_path_factory.mktemp("table") / "data", open_page, TableReader())
    yield running
    running.close()


@pytest.fixture
def house(one_house: RunningHouse) -> RunningHouse:
    return one_house


def tap(page: Page, name: str, exact: bool = False) -> None:
    """Tap a control by its name."""
    pattern = re.escape(name)
    control = page.get_by_role("button", name=re.compile(f"^{pattern}$" if exact else pattern)).first
    expect(control).to_be_attached(timeout=WAIT_MS)
    control.click(force=True, timeout=WAIT_MS)


def shows(page: Page, words: str) -> None:
    """The words are on the screen, or are said."""
    pattern = re.compile(re.escape(words))
    expect(page.get_by_text(pattern).or_(page.get_by_label(pattern)).first).to_be_attached(timeout=WAIT_MS)


def wait_for(page: Page, done: Callable[[], bool]) -> None:
    """Until the server has heard of it."""
    for _ in range(WAIT_MS // 100):
        if done():
            return
        page.wait_for_timeout(100)
    raise AssertionError("it did not happen")


def played(place: Place) -> list[tuple[int, str, int | None]]:
    """Every tile that was laid: by whom, which, on whose train."""
    return place.look(
        lambda session: [(e.seat, str(e.tile), e.train) for e in session.events if isinstance(e, TilePlayed)]
    )


def seat_down(house: RunningHouse, hand: int = 3) -> Place:
    return house.game("Ann", "Bob", rules=HouseRules(rounds=2, hand_size=hand))


def own_phone(house: RunningHouse, phone: OpenPhone, place: Place, seat: int) -> Page:
    """A player's phone on the screen of the table."""
    page = phone("/join", viewport=SMALL)
    house.seat(page, place, seat)
    page.goto(f"{house.url}/game/{place.code}/table")
    return make_usable(page)


def test_a_short_round_is_followed_by_hand_on_two_phones(house: RunningHouse, phone: OpenPhone) -> None:
    place = seat_down(house)
    place.commit(place.propose(propose_round))
    host = phone(f"/game/{place.code}/table", host=True)
    shows(host, "Follow the moves?")
    house.seat(host, place, 0)  # the host is Ann
    tap(host, "Who starts?: Ann")
    tap(host, "Follow this round")
    shows(host, "Ann’s turn")
    bob = own_phone(house, phone, place, 1)
    shows(bob, "Ann’s turn")
    shows(bob, "Ann’s train, tail 12, 3 in hand, to play")

    tap(host, "9-12", exact=True)  # fits three trains, of which two are open to Ann
    tap(host, "9-12 onto Ann’s train")
    shows(bob, "Bob’s turn")  # changes appear by themselves
    shows(bob, "Ann’s train, tail 9, 2 in hand")
    assert played(place) == [(0, "9-12", 0)]

    tap(bob, "Ann’s train, tail 9")  # closed: why, before anything is done
    shows(bob, "R-MARK-3: Ann’s train is closed: only its owner may play there.")
    shows(bob, "Onto Ann’s train: a tile with 9")
    tap(bob, "9-11", exact=True)
    shows(bob, "The rules do not allow this.")
    type_into(bob, bob.get_by_label("Reason").first, "her first game")
    tap(bob, "The table insists")
    shows(host, "Ann’s train, tail 11, 2 in hand, to play")
    rulings = place.look(lambda session: [e.ruling for e in session.events if isinstance(e, TilePlayed)])
    assert [ruling.why for ruling in rulings if ruling] == ["her first game"]

    tap(host, "11-11", exact=True)  # a double, on the only train that it fits: one tap
    shows(host, "Ann’s train, tail 11, cover 11-11, 1 in hand, to play")
    shows(bob, "To be covered first: 11-11 (Ann’s train).")
    tap(host, "Draw", exact=True)
    shows(host, "Ann has drawn. Lay the tile if it fits, else pass.")
    tap(host, "Pass", exact=True)
    shows(bob, "Ann’s train, tail 11, marker on, cover 11-11, 2 in hand")
    shows(bob, "Bob’s turn")
    tap(bob, "8-11", exact=True)  # Bob covers it
    shows(host, "Ann’s train, tail 8, marker on, 2 in hand, to play")

    tap(host, "Undo", exact=True)
    shows(host, "Bob’s turn")
    tap(host, "Redo", exact=True)
    shows(host, "Ann’s turn")
    tap(host, "Ann’s train, tail 8")  # the other way round: the train, then the tile
    shows(host, "Onto Ann’s train: a tile with 8")
    tap(host, "6-8", exact=True)
    shows(bob, "Ann’s train, tail 6, 1 in hand")  # the marker is off
    tap(bob, "7-12", exact=True)
    tap(bob, "7-12 onto the Mexican Train")
    shows(bob, "Round 1 is over")
    current = place.game.rounds[0]
    assert (current.ended, current.went_out) == (EndReason.OUT, 1)
    assert current.scores[1] is not None
    assert current.scores[1].points == 0
    tap(host, "Count hands")
    shows(host, "1 of 2 entered")


def test_onlookers_look_and_nobody_moves_for_others(house: RunningHouse, phone: OpenPhone) -> None:
    place = followed(house)
    page = phone(f"/game/{place.code}/table", viewport=SMALL)
    shows(page, "Ann’s turn")
    shows(page, "You are looking on.")
    expect(page.get_by_role("button", name="Draw", exact=True)).to_have_count(0)
    expect(page.get_by_role("button", name="Undo", exact=True)).to_have_count(0)
    bob = own_phone(house, phone, place, 1)
    tap(bob, "Draw", exact=True)
    shows(bob, "It is Ann’s turn, not Bob’s.")
    assert place.game.table is not None
    assert place.game.table.to_act == 0


def test_a_hand_that_is_shown_stays_with_its_player(house: RunningHouse, phone: OpenPhone) -> None:
    place = followed(house)
    bob = own_phone(house, phone, place, 1)
    tap(bob, "More")
    tap(bob, "Show the hand of Bob")
    for name in ("11-12", "10-12", "9-12"):
        tap(bob, name, exact=True)
    shows(bob, "Tap the tiles in the hand of Bob: 3 of 3")
    tap(bob, "That is the hand")
    wait_for(bob, lambda: len(place.game.table.hands[1].known) == 3)  # type: ignore[union-attr]
    shows(bob, "Ann’s turn")
    for page, others in ((bob, 0), (own_phone(house, phone, place, 0), 1)):  # Ann’s knows nothing of it
        expect(page.get_by_role("button", name="11-12", exact=True)).to_have_count(1, timeout=WAIT_MS)
        expect(page.get_by_role("button", name="8-12", exact=True)).to_have_count(others, timeout=WAIT_MS)


def test_what_the_photo_shows_is_recorded_with_one_tap(house: RunningHouse, phone: OpenPhone) -> None:
    place = followed(house, hand=6)
    painter = Painter(Random(3), (0, 1))
    page = phone(f"/game/{place.code}/table", host=True, viewport=SMALL)
    shows(page, "Ann’s turn")

    send_photo(page, house, place, painter.reading(table_after(place, Play(0, Tile(3, 12), 0))))
    shows(page, "What happened?")  # nobody knows yet who sits where
    shows(page, "New tile 1: 3-12")
    tap(page, "Ann laid 3-12 on Ann’s train")
    wait_for(page, lambda: played(place) == [(0, "3-12", 0)])
    shows(page, "Bob’s turn")

    send_photo(page, house, place, painter.reading(table_after(place, Play(1, Tile(7, 12), 1), Play(0, Tile(2, 3), 0))))
    shows(page, "1 · Bob plays 7-12 on Bob’s train.")
    shows(page, "2 · Ann plays 2-3 on Ann’s train.")
    shows(page, "New tile 2: 2-3")
    tap(page, "Accept")
    wait_for(page, lambda: played(place)[1:] == [(1, "7-12", 1), (0, "2-3", 0)])
    assert [chain.values for chain in house.reader.before] == [((12, 3),)]  # the log helps to read the next photo
    shows(page, "Bob’s train, tail 7")
    expect(page.get_by_role("button", name="Accept")).to_have_count(0, timeout=WAIT_MS)
    assert place.table.scan is None

    send_photo(page, house, place, painter.reading(place.game.table))  # type: ignore[arg-type]
    shows(page, "Nothing is new: the table lies as it is recorded.")
    tap(page, "Throw this photo away")
    wait_for(page, lambda: place.table.scan is None)

    send_photo(page, house, place, painter.reading(table_after(place, Play(1, Tile(2, 9), 0), ruling="as it was laid")))
    shows(page, "Was 2-9 really laid like this?")
    shows(page, "R-MARK-3: Ann’s train is closed: only its owner may play there.")
    tap(page, "Bob laid 2-9 on Ann’s train; the table insists (R-MARK-3)")
    wait_for(page, lambda: played(place)[3:] == [(1, "2-9", 0)])


def test_only_who_may_move_takes_and_accepts_a_photo(house: RunningHouse, phone: OpenPhone) -> None:
    place = followed(house, hand=6)
    reading = Painter(Random(3), (0, 1)).reading(table_after(place, Play(0, Tile(3, 12), 0)))
    onlooker = phone(f"/game/{place.code}/table")
    shows(onlooker, "You are looking on.")
    send_photo(onlooker, house, place, reading, status=400)
    bob = own_phone(house, phone, place, 1)
    send_photo(bob, house, place, reading)
    tap(bob, "Ann laid 3-12 on Ann’s train")
    shows(bob, "Ann")
    wait_for(bob, lambda: place.table.scan is not None)
    assert not played(place)


def table_after(place: Place, *moves: Play, ruling: str | None = None) -> TableState:
    """The table as it will lie."""
    game = place.game
    for move in moves:
        game = advance(game, move, ruling)[1]
    assert game.table is not None
    return game.table


def followed(house: RunningHouse, hand: int = 3) -> Place:
    """A game of two, its first round followed; Ann starts."""
    place = seat_down(house, hand)
    place.commit(place.propose(propose_round, 0))
    place.commit(place.propose(propose_deal))
    assert place.game.table is not None
    assert place.game.table.phase is Phase.PLAYING
    return place


def send_photo(page: Page, house: RunningHouse, place: Place, reading: TableReading, status: int = 202) -> None:
    """As the capture page sends it, with the cookie of this very browser."""
    house.reader.table = reading
    file = io.BytesIO()
    Image.new("RGB", (2000, 1600), (40, 80, 60)).save(file, "JPEG")
    headers = {"Origin": house.url, "Content-Type": "image/jpeg"}
    address = f"{house.url}/game/{place.code}/capture/table"
    assert page.request.post(address, data=file.getvalue(), headers=headers).status == status


@pytest.mark.parametrize("lang", Language)
def test_every_language_and_large_text(house: RunningHouse, phone: OpenPhone, lang: Language) -> None:
    place = followed(house)
    place.commit(place.propose(propose_turn, Draw(0)))
    place.commit(place.propose(propose_turn, Pass(0)))
    page = phone(
        "/health",
        framework=False,
        viewport=SMALL,
        host=True,
        locale={"en": "en-GB", "fr": "fr-FR", "ru": "ru-RU"}[lang],
    )
    page.evaluate("look => localStorage.setItem('flutter.companion.look', look)", f'"{lang}/light/2/sleep"')
    page.goto(f"{house.url}/game/{place.code}/table")
    make_usable(page)
    shows(page, say("ui_table_turn", lang, name="Bob"))
    shows(page, say("ui_table_marker", lang))
    for key in ("ui_table_draw", "ui_table_pass", "ui_table_photo", "ui_table_more"):
        button = page.get_by_role("button", name=say(key, lang), exact=True).first
        expect(button).to_be_attached(timeout=WAIT_MS)
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 44
        assert box["width"] >= 44
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= SMALL["width"]
