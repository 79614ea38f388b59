"""The sheet for others: every format read back as its reader would."""

import csv
import io
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from PIL import Image

from companion.app.session import GameSession
from companion.app.sharing import bg_stats_link, sheet_csv, sheet_data, sheet_picture
from companion.app.sheet import NOT_YET, sheet_table
from companion.rules.events import PlayerJoined, RoundStarted
from companion.rules.tiles import Tile
from companion.storage.sqlite_store import SqliteStore
from companion.text import Language
from tests.app.helpers import counted, open_store, started


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    store = open_store(tmp_path)
    yield store
    store.close()


@pytest.fixture
def session(store: SqliteStore) -> GameSession:
    """One round is counted, the second has one score of three."""
    session = started(store, "Zoé", "Иван", "=Bob, the 'train'")
    session.commit(session.draft(*(counted(session, seat, points) for seat, points in enumerate((12, 0, 51)))))
    session.commit(session.draft(RoundStarted(2, Tile(11, 11), 1)))
    session.commit(session.draft(counted(session, 1, 40)))
    return session


def test_the_sheet_in_words(session: GameSession) -> None:
    table = sheet_table(session.game, Language.FR)
    assert table.header.label == "Manche"
    assert [(line.label, line.engine, line.cells, line.best) for line in table.rounds] == [
        ("1", "12-12", ("12", "0", "51"), (1,)),
        ("2", "11-11", (NOT_YET, "40", NOT_YET), ()),
    ]
    assert table.total.cells == ("12", "40", "51")
    assert table.rank.cells == ("1", "2", "3")
    assert table.total.best == (0,)


def test_before_the_first_score_nobody_leads(store: SqliteStore) -> None:
    table = sheet_table(started(store).game, Language.EN)
    assert table.rank.cells == ("", "", "")
    assert table.header.best == ()


def test_a_late_joiner_has_a_line_for_the_start(session: GameSession) -> None:
    session.commit(session.draft(PlayerJoined(3, "Late", 2, 51)))
    table = sheet_table(session.game, Language.EN)
    assert table.rounds[0].label == "Start"
    assert table.rounds[0].cells == ("", "", "", "51")
    assert table.rounds[1].cells == ("12", "0", "51", "")


def test_csv_is_read_back_by_a_table_calculation(session: GameSession) -> None:
    rows = list(csv.reader(io.StringIO(sheet_csv(session.game, Language.EN))))
    assert rows == [
        ["Round", "Engine", "Zoé", "Иван", "'=Bob, the 'train'"],  # no formula
        ["1", "12-12", "12", "0", "51"],
        ["2", "11-11", "?", "40", "?"],
        ["Total", "", "12", "40", "51"],
        ["Place", "", "1", "2", "3"],
    ]
    assert sheet_csv(session.game, Language.EN).count("\r\n") == 5


def test_data_has_numbers_and_nulls(session: GameSession) -> None:
    data = json.loads(json.dumps(sheet_data(session)))
    assert data["game"] == session.game_id
    assert data["rounds"][1] == {
        "number": 2, "engine": "11-11", "ended": None, "scores": [None, 40, None], "missing": [1, 3], "winners": [],
    }  # fmt: skip
    assert [(player["name"], player["total"], player["rank"]) for player in data["players"]] == [
        ("Zoé", 12, 1), ("Иван", 40, 2), ("=Bob, the 'train'", 51, 3),
    ]  # fmt: skip
    assert data["planned_rounds"] == 13
    assert data["house_rules"]["max_pip"] == 12


@pytest.fixture
def set_clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Puts this machine into another time zone, as POSIX writes them."""
    if not hasattr(time, "tzset"):
        pytest.skip("only POSIX can change the zone of a process")

    def change(zone: str) -> None:
        monkeypatch.setenv("TZ", zone)
        time.tzset()

    yield change
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize(("zone", "date"), [("UTC0", "2026-07-30 19:00:01"), ("IST-5:30", "2026-07-31 00:30:01")])
def test_bg_stats_gets_the_evening_as_the_clock_in_the_house_told_it(
    session: GameSession, set_clock: Callable[[str], None], zone: str, date: str
) -> None:
    set_clock(zone)
    (data,) = parse_qs(urlsplit(bg_stats_link(session)).query)["data"]
    assert json.loads(data)["playDate"] == date


def test_bg_stats_gets_the_play_the_players_and_the_lowest_wins(session: GameSession) -> None:
    link = bg_stats_link(session)
    parts = urlsplit(link)
    assert (parts.scheme, parts.netloc, parts.path) == ("https", "app.bgstatsapp.com", "/createPlay.html")
    assert link.isascii()
    play = json.loads(parse_qs(parts.query, strict_parsing=True)["data"][0])
    assert play["sourcePlayId"].startswith(session.game_id)
    assert play["game"] == {
        "name": "Mexican Train", "sourceGameId": "mexican-train", "highestWins": False, "noPoints": False,
    }  # fmt: skip
    assert play["players"][0] == {
        "name": "Zoé", "sourcePlayerId": "zoé", "startPlayer": True, "score": 12, "rank": 1, "winner": True,
    }  # fmt: skip
    assert [player["winner"] for player in play["players"]] == [True, False, False]
    assert bg_stats_link(session) == link  # the same play is recognized when it is sent again


@pytest.mark.parametrize("lang", Language)
def test_the_picture_shows_every_player_and_round(session: GameSession, lang: Language) -> None:
    png = sheet_picture(session.game, "Partie d’été — Игра №7", lang)
    with Image.open(io.BytesIO(png)) as picture:
        picture.load()
        assert picture.format == "PNG"
        assert picture.width > 500
        assert picture.height > 7 * 46
        colours = picture.convert("RGB").getcolors(1 << 24)
        assert colours is not None
        assert (16, 110, 60) in {colour for _, colour in colours}  # the leader is marked
    session.commit(session.draft(counted(session, 0, 7)))
    assert sheet_picture(session.game, "Partie d’été — Игра №7", lang) != png


def test_the_picture_of_a_large_table_stays_a_picture(store: SqliteStore) -> None:
    names = [f"Maximiliane-Alexandrine von und zu Hohenzollern {n}" for n in range(8)]
    session = started(store, *names)
    for number in range(1, 14):
        if number > 1:
            session.commit(session.draft(RoundStarted(number, Tile(13 - number, 13 - number), 0)))
        session.commit(session.draft(*(counted(session, seat, 100 + seat) for seat in range(8))))
    with Image.open(io.BytesIO(sheet_picture(session.game, "A long evening", Language.EN))) as picture:
        assert picture.width < 3200
        assert picture.height < 1000
