"""Keeping score and following moves from the terminal, command by command."""

import json
import re
import subprocess
import sys
import zipfile
from io import StringIO
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from PIL import Image

from companion.rules.house_rules import OPTIONS, Preset
from companion.text import Language
from tests.cli.conftest import Companion


@pytest.fixture
def game(companion: Companion) -> str:
    """The code of a new game of three."""
    (started,) = companion("new", "Anna", "Bob", "Zoé", "--json").objects
    return str(started["game"])


@pytest.fixture
def followed(companion: Companion, game: str) -> str:
    """The code of a game whose first round is followed; Anna starts."""
    assert companion("round", game, "start", "--starter", "Anna").code == 0
    return game


def test_a_game_begins_with_players_and_rules(companion: Companion) -> None:
    answer = companion("new", "--preset", "pagat", "--rounds", "7", "--change", "marker-penalty=5", "Anna", "Bob")
    assert answer.code == 0
    assert re.match(r"Game [A-Z0-9]{6}: Anna, Bob\.\n", answer.out)
    assert "The game ends after 7 rounds." in answer.out
    assert "costs 5 points" in answer.out


def test_names_are_shown_on_one_line(companion: Companion) -> None:
    assert ": Anna Maria, Bob." in companion("new", " Anna\n\tMaria\x1b ", "Bob").out


def test_what_is_not_agreed_is_asked_for(companion: Companion) -> None:
    answer = companion("new", "--preset", "meksikanskij-poezd", "Anna", "Bob")
    assert answer.code == 0
    code = answer.out.split()[1].rstrip(":")
    assert f"companion rules --game {code} --change hand_size=… --change double_blank_points=…" in answer.out
    refused = companion("score", code, "Anna", "4")
    assert refused.code == 2
    assert "R-DEAL-1" in refused.err
    assert (
        companion("rules", "--game", code, "--change", "hand_size=12", "--change", "double_blank_points=50").code == 0
    )
    assert companion("score", code, "Anna", "0-0").out.splitlines()[1] == "Round 1: Anna scores 50 (0-0)."


def test_scores_as_totals_and_as_tiles(companion: Companion, game: str) -> None:
    assert companion("score", game, "Anna", "42").out.splitlines() == [
        "Round 1 begins with 12-12.",
        "Round 1: Anna scores 42.",
        "Round 1 of 13; 2 scores are still missing.",
    ]
    assert "Bob scores 15 (0-0, 3-12)" in companion("score", game, "2", "3-12", "0-0").out
    assert "Zoé scores 0" in companion("score", game, "zo", "0").out
    sheet = companion("sheet", game)
    assert sheet.out.splitlines() == [
        "Round  Engine  Anna  Bob  Zoé",
        "-----  ------  ----  ---  ---",
        "1      12-12     42   15    0",
        "Total            42   15    0",
        "Place             3    2    1",
        "Round 1 of 13; all scores are in.",
    ]
    assert "Round 2 begins with 11-11." in companion("score", game, "Anna", "7").out


def test_a_score_is_corrected_with_a_reason(companion: Companion, game: str) -> None:
    companion("score", game, "Anna", "42")
    refused = companion("score", game, "Anna", "45")
    assert refused.code == 2
    assert "a correction needs a reason" in refused.err
    corrected = companion("score", game, "Anna", "45", "--why", "a tile lay under the table")
    assert corrected.out.splitlines()[0] == "Round 1: Anna now has 45; a tile lay under the table."
    for player in ("Bob", "Zoé"):
        companion("score", game, player, "1")
    assert "Anna now has 9" in companion("score", game, "Anna", "4-5", "--round", "1", "--why", "counted wrong").out
    assert companion("sheet", game, "--json").objects[0]["rounds"][0]["scores"] == [9, 1, 1]


def test_last_is_the_game_changed_last_and_the_beginning_of_a_code_will_do(companion: Companion, game: str) -> None:
    (second,) = companion("new", "Carl", "Dora", "--json").objects
    companion("score", game, "Anna", "1")
    assert companion("sheet", "last", "--json").objects[0]["game"] == game
    assert companion("sheet", second["game"][:5].lower(), "--json").objects[0]["game"] == second["game"]


def test_games_are_listed_with_who_leads(companion: Companion, game: str) -> None:
    companion("score", game, "Anna", "1")
    companion("score", game, "Bob", "2")
    assert companion("games").out.endswith("Anna, Bob, Zoé\n"), "Zoé’s score may be lower"
    companion("score", game, "Zoé", "3")
    answer = companion("games")
    assert re.search(rf"{game}  \d{{4}}-\d\d-\d\d \d\d:\d\d  1/13   Anna\*, Bob, Zoé", answer.out)
    (listed,) = companion("games", "--json").objects
    assert listed["totals"] == {"Anna": 1, "Bob": 2, "Zoé": 3}


def test_before_the_first_game(companion: Companion, data: Path) -> None:
    assert companion("games").out == "There is no game yet; begin one with companion new Anna Bob.\n"
    assert companion("games", "--json").out == ""
    assert companion("sheet", "last").err == "There is no game yet; begin one with companion new Anna Bob.\n"
    assert data.is_dir()


def test_typing_a_score_loads_no_networks_and_no_arrays() -> None:
    code = "import sys, companion.cli.score, companion.cli.sheet; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_undo_and_redo_tell_what_they_did(companion: Companion, game: str) -> None:
    companion("score", game, "Anna", "42")
    undone = companion("undo", game, "--why", "wrong player")
    assert undone.out == ("Taken back: Round 1 begins with 12-12. Round 1: Anna scores 42. Reason: wrong player.\n")
    assert companion("sheet", game).out.splitlines()[-1] == "No round has begun yet."
    assert companion("redo", game).out.splitlines() == ["Round 1 begins with 12-12.", "Round 1: Anna scores 42."]


def test_one_takes_back_ones_own(companion: Companion, game: str) -> None:
    companion("score", game, "Anna", "1", "--as", "Anna")
    companion("score", game, "Bob", "2", "--as", "Bob")
    assert companion("undo", game, "--as", "Zoé").code == 2
    assert companion("undo", game, "--as", "Bob").code == 0
    history = companion("history", game).out.splitlines()
    assert [line[2:] for line in history if re.match(r"- \d{4}.*  Bob$", line)]
    assert any(line.startswith("      Taken back: Round 1: Bob scores 2.") for line in history)
    rows = companion("history", game, "--json").objects
    assert [(row["by"], row["event"], row["effective"]) for row in rows[2:]] == [
        ("seat-0", "HandCounted", True),
        ("seat-1", "HandCounted", False),
        ("seat-1", "Retracted", False),
    ]


def test_a_round_is_followed_move_by_move(companion: Companion, followed: str) -> None:
    assert "Anna plays 3-12 on Anna’s train." in companion("move", followed, "Anna", "12-3").out
    assert "Bob plays 5-12 on the Mexican Train." in companion("move", followed, "Bob", "5-12", "mexican").out
    assert "Zoé plays 5-5 on the Mexican Train." in companion("move", followed, "Zoé", "5-5", "mexican").out
    assert "Zoé draws a tile." in companion("move", followed, "Zoé", "draw").out
    assert "To be covered first: 5-5 (the Mexican Train)." in companion("move", followed, "Zoé", "pass").out
    state = companion("state", followed, "--legal").out
    assert "Zoé’s train: tail 12, marker on" in state
    assert "Open double: 5-5 on the Mexican Train." in state
    assert "the Mexican Train: a tile with 5" in state
    (data,) = companion("state", followed, "--json").objects
    assert data["to_act"] == 1
    assert data["boneyard"] == 44
    assert data["open_doubles"] == [{"seat": None, "tile": "5-5"}]
    assert data["trains"][-1]["tiles"] == ["12-5", "5-5"]


def test_a_move_against_the_rules_is_explained_and_not_recorded(companion: Companion, followed: str) -> None:
    companion("move", followed, "Anna", "3-12")
    before = companion("history", followed, "--json").objects
    refused = companion("move", followed, "Anna", "5-9", "Bob")
    assert refused.code == 2
    assert refused.out == ""
    lines = refused.err.splitlines()
    assert lines[0] == "The rules do not allow this."
    assert sorted(lines[1:4]) == [
        "  R-MARK-3  Bob’s train is closed: only its owner may play there.",
        "  R-PLAY-2  5-9 does not fit: Bob’s train ends in 12.",
        "  R-TURN-1  It is Bob’s turn, not Anna’s.",
    ]
    assert lines[4:] == [
        "Bob may do this:",
        "  Bob’s train: a tile with 12",
        "  the Mexican Train: a tile with 12",
        "  or: draw",
        "If the table insists, say so: --ruling REASON.",
    ]
    assert companion("history", followed, "--json").objects == before
    (told,) = companion("move", followed, "Anna", "5-9", "Bob", "--json").objects
    assert {v["clause"] for v in told["violations"]} == {"R-PLAY-2", "R-TURN-1", "R-MARK-3"}


def test_the_table_may_insist(companion: Companion, followed: str) -> None:
    assert companion("move", followed, "Anna", "5-9", "--ruling", " ").code == 2, "without a reason nobody insists"
    answer = companion("move", followed, "Anna", "5-9", "--ruling", "Grandma says so")
    assert answer.code == 0
    assert "The table insisted: Grandma says so." in answer.out
    (row,) = [row for row in companion("history", followed, "--json").objects if row["event"] == "TilePlayed"]
    assert row["data"]["ruling"] == {"overruled": ["does_not_match"], "why": "Grandma says so"}


def test_what_cannot_be_is_not_overruled(companion: Companion, followed: str) -> None:
    companion("move", followed, "Anna", "3-12")
    refused = companion("move", followed, "Bob", "3-12", "mexican", "--ruling", "we like it")
    assert refused.code == 2
    assert "3-12 already lies on the table" in refused.err
    assert "--ruling" not in refused.err


def test_every_kind_of_move_has_its_words(companion: Companion) -> None:
    (started,) = companion("new", "--preset", "pagat", "--change", "last_tile_call=1", "Anna", "Bob", "--json").objects
    code = started["game"]
    assert companion("round", code, "start").code == 0
    assert "Bob lays the engine 12-12." in companion("move", code, "Bob", "engine", "12-12").out
    assert "Bob plays 3-12" in companion("move", code, "Bob", "3-12", "own").out
    assert "Bob plays 3-5" in companion("move", code, "Bob", "3-5").out
    assert "Bob ends the turn." in companion("move", code, "Bob", "stop").out
    assert "Anna draws 0-1." in companion("move", code, "Anna", "draw", "0-1").out
    assert companion("move", code, "Anna", "pass").code == 0
    assert "R-MARK-1" in companion("move", code, "Bob", "marker", "on").err
    assert "R-SCORE-4" in companion("move", code, "Bob", "call").err


def test_a_hand_is_shown_and_planned(companion: Companion, followed: str) -> None:
    shown = companion("round", followed, "hand", "--player", "Anna", "--tiles", "3-12,3-5,5-5,0-9")
    assert "Anna shows 0-9, 3-5, 3-12, 5-5." in shown.out
    assert "Can play, so must: 3-12." in shown.out
    planned = companion("plan", "--game", followed, "--player", "Anna")
    assert planned.out.splitlines() == [
        "Best on Anna’s train: 12-3 3-5 5-5",
        "1 tile is left with 9 points: 0-9.",
    ]


def test_a_plan_without_a_game(companion: Companion) -> None:
    answer = companion("plan", "--start", "12", "3-12", "3-5 5-5", "0-9")
    assert answer.out.splitlines()[0] == "12-3 3-5 5-5"
    assert companion("plan", "--start", "12", "3-12,0-9", "--json").objects == [
        {"tiles": ["12-3"], "left": ["0-9"], "points_left": 9, "exact": True}
    ]


def test_a_round_ends_and_is_counted(companion: Companion, followed: str) -> None:
    assert "The table ends round 1." in companion("round", followed, "end").out
    assert "Still to be counted: Anna, Bob, Zoé." in companion("state", followed).out
    refused = companion("score", followed, "Anna")
    assert (refused.code, refused.out) == (2, "")
    assert "write a number, or the tiles" in refused.err
    insisted = companion("score", followed, "Anna", "3-12", "--why", "we lost count")
    assert "Reason: we lost count." in insisted.out


def test_who_went_out_needs_no_number(companion: Companion, followed: str) -> None:
    assert companion("round", followed, "end", "--out", "Bob", "--ruling", "he is out").code == 0
    assert "Bob scores 0." in companion("score", followed, "Bob").out


def test_exports(companion: Companion, game: str, tmp_path: Path) -> None:
    companion("score", game, "Anna", "42")
    csv = companion("export", game)
    assert csv.out.splitlines()[:2] == ["Round,Engine,Anna,Bob,Zoé", "1,12-12,42,?,?"]
    assert json.loads(companion("export", game, "--format", "json").out)["game"] == game
    link = companion("export", game, "--format", "bgstats").out.strip()
    assert json.loads(parse_qs(urlsplit(link).query)["data"][0])["players"][0]["score"] == 0
    lines = companion("export", game, "--format", "jsonl").out.splitlines()
    assert [json.loads(line)["seq"] for line in lines] == [1, 2, 3]
    picture = tmp_path / "sheet.png"
    assert companion("export", game, "--format", "png", "--output", str(picture)).code == 0
    with Image.open(picture) as image:
        assert image.format == "PNG"
    again = companion("export", game, "--format", "png", "--output", str(picture))
    assert (again.code, "--force" in again.err) == (2, True)
    assert companion("export", game, "--format", "png", "--output", str(picture), "--force").code == 0


def test_a_game_travels_as_json_lines(companion: Companion, game: str, tmp_path: Path) -> None:
    companion("score", game, "Anna", "42")
    file, elsewhere = tmp_path / "evening.jsonl", str(tmp_path / "elsewhere")
    companion("export", game, "--format", "jsonl", "--output", str(file))
    (restored,) = companion("restore", str(file), "--data", elsewhere, "--json").objects
    assert restored["outcome"] == "new"
    copy = tmp_path / "copy.jsonl"
    companion("export", "last", "--format", "jsonl", "--output", str(copy), "--data", elsewhere)
    assert copy.read_bytes() == file.read_bytes()


def test_backup_and_restore(companion: Companion, game: str, tmp_path: Path) -> None:
    file = tmp_path / "games.zip"
    assert companion("backup", str(file)).out == f"1 game and 0 photos are in {file}.\n"
    assert zipfile.is_zipfile(file)
    assert companion("backup", str(file)).code == 2
    assert companion("backup", str(file), "--force").code == 0
    assert companion("restore", str(file)).out == f"Game {game}: is here already.\n"
    assert companion("delete", game, "--yes").code == 0
    assert "was deleted" in companion("sheet", game).err
    assert companion("restore", str(file)).out == f"Game {game}: was deleted and is back.\n"
    assert companion("sheet", game).code == 0


@pytest.mark.parametrize(("answer", "deleted"), [("y\n", True), ("n\n", False), ("\n", False)])
def test_deleting_asks_first(
    companion: Companion, game: str, monkeypatch: pytest.MonkeyPatch, answer: str, deleted: bool
) -> None:
    keyboard = StringIO(answer)
    monkeypatch.setattr(keyboard, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stdin", keyboard)
    asked = companion("delete", game)
    assert f"Delete game {game} (Anna, Bob, Zoé) for good? [y/N]" in asked.err
    assert (companion("sheet", game).code == 2) == deleted


def test_deleting_with_nobody_to_ask(companion: Companion, game: str) -> None:
    refused = companion("delete", game)
    assert (refused.code, "--yes" in refused.err) == (2, True)
    assert companion("sheet", game).code == 0


def test_house_rules_are_listed(companion: Companion) -> None:
    listed = companion("rules").out
    for name in OPTIONS:
        assert f"{name} " in listed
    for preset in Preset:
        assert preset in listed
    one = companion("rules", "double-followup").out
    assert " * on_the_double " in one
    assert companion("rules", "rounds").out.splitlines()[-1].strip() == "any number from 1 to 19"
    assert len(companion("rules", "--json").objects) == len(OPTIONS)


def test_the_house_rules_of_a_game(companion: Companion) -> None:
    (started,) = companion("new", "--preset", "tournament", "--rounds", "7", "Anna", "Bob", "--json").objects
    shown = companion("rules", "--game", started["game"]).out
    assert " * rounds                        The game ends after 7 rounds." in shown
    (data,) = companion("rules", "--game", started["game"], "--json").objects
    assert data["differing"] == ["rounds"]
    companion("score", started["game"], "Anna", "1")
    refused = companion("rules", "--game", started["game"], "--change", "rounds=8")
    assert (refused.code, "round one has begun" in refused.err) == (2, True)


def test_somebody_joins_and_somebody_leaves(companion: Companion, game: str) -> None:
    for player, points in (("Anna", "30"), ("Bob", "1"), ("Zoé", "2")):
        companion("score", game, player, points)
    assert "Marie joins with 30 points." in companion("join", game, "Marie", "--after", "Anna").out
    assert "Bob leaves the table." in companion("leave", game, "Bob", "--unranked").out
    (sheet,) = companion("sheet", game, "--json").objects
    assert [(p["name"], p["rank"]) for p in sheet["players"]] == [("Anna", 2), ("Bob", None), ("Zoé", 1), ("Marie", 2)]
    assert companion("score", game, "Bob", "4").code == 2  # no part of round two
    assert companion("score", game, "Marie", "4").code == 0


def test_simulated_games_are_the_same_for_the_same_seed(companion: Companion) -> None:
    first = companion("simulate", "--rounds", "2", "--players", "3", "--games", "2", "--seed", "9", "--json")
    assert first.code == 0
    assert [game["number"] for game in first.objects] == [0, 1]
    assert first.objects[0]["totals"] != first.objects[1]["totals"]
    again = companion("simulate", "--rounds", "2", "--players", "3", "--games", "2", "--seed", "9", "--json")
    assert again.out == first.out
    saved = companion("simulate", "--rounds", "1", "--players", "2", "--strategy", "closer", "--save")
    assert "Kept as game" in saved.out
    assert "The game is over." in companion("sheet", "last").out


@pytest.mark.parametrize("lang", Language)
def test_a_whole_round_in_every_language(companion: Companion, lang: Language) -> None:
    (started,) = companion("new", "Анна", "Éva", "--json").objects
    code = started["game"]
    for words in (
        ("round", code, "start", "--starter", "1"),
        ("state", code, "--legal"),
        ("move", code, "1", "3-12"),
        ("move", code, "2", "draw"),
        ("move", code, "2", "pass"),
        ("round", code, "end"),
        ("score", code, "1", "20", "--why", "ok"),
        ("undo", code),
        ("redo", code),
        ("sheet", code),
        ("history", code),
        ("games",),
        ("rules",),
        ("rules", "--game", code),
        ("plan", "--start", "12", "3-12"),
        ("join", code, "Zoé"),
        ("leave", code, "2"),
        ("export", code),
    ):
        answer = companion(*words, "--lang", lang)
        assert answer.code == 0, (words, answer.err)
        assert answer.out.strip()
        assert "None" not in answer.out
    assert companion("move", code, "1", "3-12", "--lang", lang).code == 2
