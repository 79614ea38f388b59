"""What the screens are made of, without a browser."""

import ast
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

import companion.ui
from companion.app.evening import propose_out, propose_round
from companion.app.intake import propose_correction, propose_tiles, propose_total
from companion.app.session import GameSession
from companion.errors import HouseRulesError, UsageError
from companion.rules.house_rules import OPTIONS, HouseRules, Preset
from companion.rules.seating import start_game
from companion.rules.tiles import Tile
from companion.storage.sqlite_store import SqliteStore
from companion.text import Language, sentences
from companion.ui.drafts import MOST, Drafts
from companion.ui.env import Look, Mode
from companion.ui.form import Form, same_again
from companion.ui.model import (
    Counting,
    Elsewhere,
    badge_letters,
    house_time,
    next_missing,
    places,
    round_to_start,
    running_totals,
    score_history,
    sheet_lines,
    still_missing,
    tiles_elsewhere,
)
from companion.ui.theme import DARK, LIGHT, LINE_ON, SIZES, TARGET, TEXT_ON, TRAIN_COLOURS, contrast
from companion.ui.widgets.photo import lie
from companion.ui.widgets.tile import IVORY, PIP_COLOURS, pip_places
from tests.hands import hand
from tests.syntax import tree_of

PACKAGE = Path(companion.ui.__file__).parent


@pytest.fixture
def session(tmp_path: Path) -> Iterator[GameSession]:
    """A game of three, nothing played yet."""
    store = SqliteStore(tmp_path / "games.sqlite3")
    yield GameSession.create(store, start_game(HouseRules(rounds=2), ("Ann", "Bob", "Cleo"), Preset.CUSTOM))
    store.close()


# The look


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), TEXT_ON)
def test_text_can_be_read(palette: dict[str, str], text: str, ground: str) -> None:
    assert contrast(palette[text], palette[ground]) >= 4.5


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("line", "ground"), LINE_ON)
def test_frames_can_be_seen(palette: dict[str, str], line: str, ground: str) -> None:
    assert contrast(palette[line], palette[ground]) >= 3


def test_contrast_is_the_one_of_wcag() -> None:
    assert contrast("#FFFFFF", "#000000") == pytest.approx(21)
    assert contrast("#767676", "#FFFFFF") == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize("colour", TRAIN_COLOURS, ids=lambda colour: colour.key)
def test_the_letter_on_a_train_can_be_read(colour: object) -> None:
    assert contrast(colour.ink, colour.ground) >= 4.2  # type: ignore[attr-defined]
    for lang in Language:
        assert f"train_colour_{colour.key}" in sentences(lang)  # type: ignore[attr-defined]


def test_trains_differ_by_more_than_colour() -> None:
    assert len({colour.dashes for colour in TRAIN_COLOURS}) == len(TRAIN_COLOURS)
    assert badge_letters(["Ann", "Bob", "Béa", "Boris"]) == ("A", "B1", "Bé", "B2")
    for names in (["Anna", "Anton"], ["Anna", "Anja", "Bob"], ["Ann", "Ann-Marie"], ["1", "2"], ["Ёлка", "Егор"]):
        assert len(set(badge_letters(names))) == len(names)


def test_targets_are_large_enough_for_a_thumb() -> None:
    assert TARGET >= 44
    assert min(SIZES.values()) >= 12


@pytest.mark.parametrize("pips", range(19))
def test_a_half_shows_its_pips_apart_from_each_other_and_inside(pips: int) -> None:
    shown = pip_places(pips)
    assert len(shown) == pips
    assert all(0.1 <= x <= 0.9 and 0.1 <= y <= 0.9 for x, y in shown)
    gaps = [(a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 for n, a in enumerate(shown) for b in shown[:n]]
    assert min(gaps, default=1) > 0.13**2
    assert (
        sorted(shown) == sorted((round(1 - x, 9), round(1 - y, 9)) for x, y in shown)
        or pips == 0
        or all(any(abs(1 - x - a) < 1e-6 and abs(1 - y - b) < 1e-6 for a, b in shown) for x, y in shown)
    )  # a half looks the same upside down
    assert contrast(PIP_COLOURS[pips], IVORY) >= 4


@pytest.mark.parametrize(
    ("text", "look"),
    [
        ("fr/dark/1.5/awake", Look(Language.FR, Mode.DARK, 1.5, True)),
        ("xx/dark/9/", Look(Language.RU, Mode.DARK, 2.0, False)),
        ("", Look(Language.RU)),
        ("ru/light", Look(Language.RU, Mode.LIGHT)),
    ],
)
def test_a_browser_remembers_its_settings(text: str, look: Look) -> None:
    assert Look.from_text(text, Look(Language.RU)) == look
    assert Look.from_text(look.to_text(), Look()) == look


# The sheet


def test_the_sheet_shows_what_is_missing_as_missing(session: GameSession) -> None:
    assert [line.cells for line in sheet_lines(session.game)] == [(), ()]
    assert round_to_start(session.game) == 1
    session.commit(propose_round(session, 1))
    first, second = sheet_lines(session.game)
    assert first.current
    assert first.engine == Tile(12, 12)
    assert second.engine == Tile(11, 11)
    assert all(cell.missing and cell.points is None for cell in first.cells)
    assert still_missing(session.game) == (0, 1, 2)
    session.commit(propose_out(session, 1))
    cells = sheet_lines(session.game)[0].cells
    assert [cell.points for cell in cells] == [None, 0, None]
    assert [cell.missing for cell in cells] == [True, False, True]
    assert next_missing(session.game, 0) == 2
    assert next_missing(session.game, 2) == 0
    assert round_to_start(session.game) is None


def test_places_totals_and_history(session: GameSession) -> None:
    assert [place.rank for place in places(session.game)] == [None, None, None]
    session.commit(propose_round(session))
    session.commit(propose_out(session, 2))
    session.commit(propose_tiles(session, 0, (Tile(3, 12), Tile(0, 5)), 1))
    session.commit(propose_total(session, 1, 44, 1))
    session.commit(propose_correction(session, 1, 40, "counted again", 1))
    assert [(place.seat, place.rank, place.total) for place in places(session.game)] == [
        (2, 1, 0),
        (0, 2, 20),
        (1, 3, 40),
    ]
    assert running_totals(session.game) == ((0, 20), (0, 40), (0, 0))
    assert sheet_lines(session.game)[0].cells[1].corrected
    assert sheet_lines(session.game)[0].cells[2].won
    assert [type(event).__name__ for _, event in score_history(session.entries(), 1, 1)] == [
        "HandCounted",
        "ScoreCorrected",
    ]
    session.undo()
    assert len(score_history(session.entries(), 1, 1)) == 1


def test_a_tile_that_is_elsewhere_is_known(session: GameSession) -> None:
    session.commit(propose_round(session))
    session.commit(propose_tiles(session, 0, (Tile(3, 12),), 1))
    assert tiles_elsewhere(session.game, 1, 1) == {Tile(12, 12): Elsewhere.TABLE, Tile(3, 12): 0}
    assert tiles_elsewhere(session.game, 1, 0) == {Tile(12, 12): Elsewhere.TABLE}


# A hand


def test_a_photo_is_read_once_and_can_be_corrected() -> None:
    counting = Counting(taken=frozenset({Tile(7, 7)})).read(hand("3-12", "0-5?", "7-7", "3-12"), "a")
    assert counting.read(hand("1-1"), "a") == counting
    assert counting.impossible == (0, 2, 3)
    assert counting.doubtful == (0, 2, 3, 1)
    counting = counting.change(2, 7, 8).remove(3).confirm(1)
    assert counting.tiles == (Tile(3, 12), Tile(0, 5), Tile(7, 8))
    assert counting.doubtful == ()
    assert counting.add(Tile(1, 1)).toggle(Tile(3, 12)).tiles == (Tile(0, 5), Tile(7, 8), Tile(1, 1))
    assert counting.read(hand("2-2"), "b").without_photo("a").tiles == (Tile(2, 2),)


def test_a_tile_that_two_photos_show_counts_once_and_stays_when_one_is_thrown_away() -> None:
    one = Counting().read(hand("3-12?", "0-5"), "a")
    both = one.read(hand("1-1", "3-12"), "b")
    assert both.tiles == (Tile(3, 12), Tile(0, 5), Tile(1, 1)), "every tile stays where it stood"
    assert both.doubtful == (), "the other photo shows it clearly"
    assert [view.photo for view in (both.found[0], *both.found[0].views)] == ["b", "a"]
    assert both.without_photo("a").tiles == (Tile(3, 12), Tile(1, 1))
    back = both.without_photo("b")
    assert back.tiles == (Tile(3, 12), Tile(0, 5))
    assert back.doubtful == (0,), "what is left shows it no better than before"
    right = one.change(0, 3, 11).add(Tile(2, 2))
    assert right.read(hand("3-11?", "2-2"), "b").tiles == (Tile(3, 11), Tile(0, 5), Tile(2, 2))
    assert right.read(hand("3-11?", "2-2"), "b").doubtful == ()


def test_how_a_tile_lies() -> None:
    upright = lie(((10, 20), (70, 20), (70, 140), (10, 140)))
    assert (upright.x, upright.y, upright.along, upright.across) == (40, 80, 120, 60)
    assert upright.angle == pytest.approx(1.5708, abs=1e-4)


def test_half_counted_hands_are_kept_and_the_oldest_make_room() -> None:
    drafts = Drafts()
    for n in range(MOST + 1):
        drafts.put(("browser", "GAME", 1, n), Counting(photos=(str(n),)))
    assert drafts.get(("browser", "GAME", 1, 0)) == Counting()
    assert drafts.get(("browser", "GAME", 1, MOST)).photos == (str(MOST),)
    drafts.drop(("browser", "GAME", 1, MOST))
    assert drafts.get(("browser", "GAME", 1, MOST)) == Counting()


# The form


def test_players_are_added_moved_and_painted() -> None:
    form = Form().add("  Ann ").add("Bob").add("ann").add("").add("Cleo", "red")
    assert form.names == ("Ann", "Bob", "Cleo")
    assert form.colours == ("blue", "orange", "red")
    assert form.up("Cleo").names == ("Ann", "Cleo", "Bob")
    assert form.up("Ann").names == ("Bob", "Cleo", "Ann")
    assert form.paint(0, "red").colours == ("red", "orange", "blue")
    seated = replace(form, starter=2)
    assert seated.up("Cleo").starter == 1
    assert seated.remove("Ann").starter == 1
    assert seated.remove("Cleo").starter is None
    assert seated.remove("Ann").remove("Ann").names == ("Bob", "Cleo")  # a second tap takes nobody else
    assert seated.remove("Ann").up("Ann").names == ("Bob", "Cleo")


@pytest.mark.parametrize("preset", Preset)
@pytest.mark.parametrize("name", OPTIONS)
def test_every_value_of_every_house_rule_can_be_chosen(preset: Preset, name: str) -> None:
    form = Form(("Ann", "Bob")).choose(preset)
    for value in OPTIONS[name].choices:
        assert getattr(form.set(name, value).rules, name) == value


def test_a_form_makes_a_game_and_a_game_makes_a_form(session: GameSession) -> None:
    form = Form().add("Ann").add("Bob")
    assert [type(event).__name__ for event in form.events()] == ["GameStarted", "RoundStarted"]
    with pytest.raises(UsageError):
        Form(("Ann", "")).events()
    with pytest.raises(HouseRulesError):
        form.set("hand_size", 200)
    again = same_again(session.game, ("red", "blue", "green"))
    assert again.names == ("Ann", "Bob", "Cleo")
    assert again.rules == session.game.rules
    assert Form(("A", "B")).choose(Preset.MEKSIKANSKIJ_POEZD).unanswered == ("hand_size", "double_blank_points")


# The code


def test_no_sentence_stands_outside_of_text() -> None:
    """A literal with words in it belongs into `companion.text`; docstrings and lines of the log may stay."""
    for path in sorted(PACKAGE.rglob("*.py")):
        if path.parent.name not in ("screens", "widgets"):
            continue
        tree = tree_of(path)
        allowed = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                allowed.add(id(node.value))
            if isinstance(node, ast.Raise):  # for who calls, not for who plays
                allowed |= {id(one) for one in ast.walk(node)}
            if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("log."):
                allowed |= {id(one) for one in ast.walk(node)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in allowed:
                words = [word for word in node.value.split() if word.strip(".,:;!?").isalpha() and len(word) > 1]
                assert len(words) < 2, f"{path.name}:{node.lineno}: {node.value!r}"


def test_the_screens_know_neither_sql_nor_vision_nor_the_judge() -> None:
    forbidden = (
        "sqlite3",
        "cv2",
        "companion.storage.sqlite_store",
        "companion.vision.reader",
        "companion.rules.legality",
    )
    for path in sorted(PACKAGE.rglob("*.py")):
        if path.parent.name not in ("screens", "widgets"):
            continue
        for node in ast.walk(tree_of(path)):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not [name for name in names if name.startswith(forbidden)], path


def test_every_sentence_of_the_screens_is_used() -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py"))
    families = ("ui_help_", "ui_how_", "ui_mode_", "ui_elsewhere_", "train_colour_")
    for key in sentences(Language.EN):
        if key.startswith(("ui_", "train_colour_")) and not key.startswith(families):
            assert f'"{key}"' in code or f"'{key}'" in code, key


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="only POSIX can change the zone of a process")
def test_times_are_those_of_the_clock_in_the_house(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "EST5")
    time.tzset()
    try:
        evening = datetime(2026, 7, 31, 2, 30, tzinfo=UTC)  # half past nine the day before
        assert house_time("2026-07-31T01:15:00.000Z", evening) == "20:15"
        assert house_time("2026-07-30T01:15:00.000Z", evening) == "2026-07-29 20:15"
    finally:
        monkeypatch.undo()
        time.tzset()


def test_a_name_that_looks_the_same_is_the_same_in_the_form_already() -> None:
    form = Form().add("Zo\u00e9").add("Zoe\u0301").add(" zo\u00c9\u202e ")
    assert form.names == ("Zo\u00e9",)
