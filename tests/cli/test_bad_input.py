"""Whatever goes wrong: one sentence, exit code 2, no traceback, and nothing that was recorded is lost."""

import os
import re
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from companion.storage.sqlite_store import SqliteStore
from companion.text import Language
from tests.cli.conftest import Answer, Companion

FULL_DISK_KB = 96


@pytest.fixture
def game(companion: Companion) -> str:
    """The code of a game with one score."""
    (started,) = companion("new", "Anna", "Bob", "Zoé", "--json").objects
    companion("score", started["game"], "Anna", "42")
    return str(started["game"])


def log(data: Path, game: str) -> list[str]:
    """What is in the log, read past the program."""
    db = sqlite3.connect(data / "games.sqlite3")
    try:
        return [line for (line,) in db.execute("SELECT line FROM record WHERE game_id = ? ORDER BY seq", (game,))]
    finally:
        db.close()


def refused(answer: Answer, lines: int | None = 1) -> str:
    """The sentence of a command that failed as it should."""
    assert answer.code == 2
    assert answer.out == ""
    assert "Traceback" not in answer.err
    assert "Error(" not in answer.err
    assert lines is None or len(answer.err.splitlines()) == lines, answer.err
    return answer.err.strip()


WRONG: list[tuple[list[str], str]] = [
    (["sheet", "NOGAME"], "There is no game NOGAME"),
    (["sheet", ""], "There is no game"),
    (["score", "{game}", "Carl", "4"], "“Carl” is nobody at this table, or more than one; players: Anna, Bob, Zoé."),
    (["score", "{game}", "4", "4"], "“4” is nobody"),
    (["score", "{game}", "0", "4"], "“0” is nobody"),
    (["score", "{game}", "", "4"], "“” is nobody"),
    (["score", "{game}", "Bob", "twelve"], "“twelve” is no tile"),
    (["score", "{game}", "Bob", "4_2"], "“4_2” is no tile"),
    (["score", "{game}", "Bob", "٤٢"], "“٤٢” is no tile"),
    (["score", "{game}", "Bob", "12", "13"], "“12 13” is more than one score"),
    (["score", "{game}", "Bob", "3-12", "4"], "“4” is no tile"),
    (["score", "{game}", "Bob", "3-19"], "3-19 is no tile"),
    (["score", "{game}", "Bob", "--rond", "1"], "no tile"),
    (["score", "{game}", "Bob", "4", "--round", "x"], "“x” does not fit --round"),
    (["score", "{game}"], "PLAYER is missing"),
    (["score", "{game}", "Bob", "4", "--as", "Carl"], "“Carl” is nobody"),
    (["new"], "PLAYER is missing"),
    (["new", "Anna", "anna"], "two players called anna"),
    (["new", "Anna", " \n\x1b "], "A player needs a name."),
    (["new", "Anna", "Bob", "--preset", "chess"], "There is no preset “chess”"),
    (["new", "Anna", "Bob", "--set", "7"], "There is no set with 7"),
    (["new", "Anna", "Bob", "--change", "colour=red"], "There is no house rule “colour”"),
    (["new", "Anna", "Bob", "--change", "tie_break"], "“tie_break” is no change of a house rule"),
    (["new", "Anna", "Bob", "--change", "tie_break=coin"], "The house rule tie_break has no value “coin”"),
    (["new", "Anna", "Bob", "--blank-points", "30"], "The house rule double_blank_points has no value “30”"),
    (["new", "Anna", "Bob", "--change", "engine=highest_double"], "exclude each other"),
    (["new", "Anna", "Bob", "--rounds", "15"], "exclude each other"),
    (["undo", "{game}", "--as", "Bob"], "There is nothing of yours to take back."),
    (["redo", "{game}"], "There is nothing to bring back."),
    (["move", "{game}", "Anna", "jump"], "“jump” is no move"),
    (["move", "{game}", "Anna", "3-99"], "3-99 is no tile"),
    (["move", "{game}", "Anna", "3-12", "Carl"], "“Carl” is nobody"),
    (["round", "{game}", "middle"], "“middle” does not fit"),
    (["round", "{game}", "hand"], "Say whose hand it is"),
    (["plan"], "Write the tiles and the number"),
    (["plan", "--start", "12", "3-12", "12-3"], "3-12 is named twice"),
    (["plan", "--game", "{game}"], "Say whose train"),
    (["plan", "--game", "{game}", "--player", "Anna"], "The tiles of Anna are not known"),
    (["export", "{game}", "--format", "pdf"], "“pdf” does not fit --format"),
    (["export", "{game}", "--format", "png"], "A picture needs a file"),
    (["export", "{game}", "--output", "{folder}/no/where.csv"], "cannot be written"),
    (["backup", "{folder}/no/where.zip"], "cannot be written"),
    (["restore", "{folder}/nowhere.zip"], "There is no file"),
    (["restore", "{folder}"], "cannot be read"),
    (["delete", "{game}"], "Nobody is here to be asked"),
    (["rules", "colour"], "There is no house rule “colour”"),
    (["rules", "--change", "rounds=7"], "Say which game"),
    (["simulate", "--strategy", "cheat"], "“cheat” does not fit --strategy"),
    (["simulate", "--preset", "meksikanskij-poezd"], "These rules leave something open"),
    (["simulate", "--players", "1"], "“1” does not fit --players"),
]


@pytest.mark.parametrize(
    ("words", "sentence"), WRONG, ids=lambda value: " ".join(value) if isinstance(value, list) else ""
)
def test_a_mistake_is_one_sentence(
    companion: Companion, data: Path, tmp_path: Path, game: str, words: list[str], sentence: str
) -> None:
    before = log(data, game)
    filled = [word.format(game=game, folder=tmp_path) for word in words]
    assert sentence in refused(companion(*filled, "--lang", "en"))
    assert log(data, game) == before
    for lang in (Language.FR, Language.RU):
        assert sentence not in refused(companion(*filled, "--lang", lang))


FORBIDDEN: list[tuple[list[str], str]] = [
    (["score", "{game}", "Bob", "3-13"], "R-SET-1    3-13 is not in a double-12 set."),
    (["score", "{game}", "Bob", "3-12", "12-3"], "R-SET-2    3-12 is named twice or lies elsewhere; "),
    (["score", "{game}", "Bob", "12-12"], "R-SET-2    12-12 already lies on the table."),
    (["score", "{game}", "Anna", "1"], "R-SCORE-6  Anna already has 42 points in round 1"),
    (["score", "{game}", "Bob", "1", "--round", "9"], "R-ROUND-1  There is no round 9 in this game."),
    (["round", "{game}", "start"], "R-ROUND-1"),
    (["move", "{game}", "Anna", "3-12"], "R-TURN-1   This is not possible at this point of the game."),
    (["new", "Anna"], "R-SET-3  1 player cannot play this: from 2 to 14 can."),
    (["new", "--set", "6", "--hand", "10", "Anna", "Bob", "Zoé"], "R-DEAL-2   10 tiles for each of 3 players"),
]


@pytest.mark.parametrize(("words", "sentence"), FORBIDDEN)
def test_what_the_rules_do_not_know_is_explained(
    companion: Companion, data: Path, game: str, words: list[str], sentence: str
) -> None:
    before = log(data, game)
    told = refused(companion(*(word.format(game=game) for word in words)), lines=None)
    assert told.startswith("The rules do not allow this.")
    assert " ".join(sentence.split()) in " ".join(told.split())
    assert log(data, game) == before


@pytest.mark.parametrize("points", ["-5", "1000000", "-0001"])
def test_an_unusual_score_asks_for_a_reason_and_is_then_accepted(
    companion: Companion, data: Path, game: str, points: str
) -> None:
    before = log(data, game)
    told = refused(companion("score", game, "Bob", points), lines=3)
    assert "R-SCORE-1" in told
    assert "--why REASON" in told
    assert log(data, game) == before
    accepted = companion("score", game, "Bob", points, "--why", "we play it like this")
    assert accepted.code == 0
    assert f"Bob scores {int(points)}. Reason: we play it like this." in accepted.out


def test_a_hand_that_does_not_fit_the_game(companion: Companion) -> None:
    (started,) = companion("new", "Anna", "Bob", "--hand", "5", "--json").objects
    code = started["game"]
    companion("round", code, "start", "--starter", "Anna")
    companion("move", code, "Anna", "3-12")
    companion("round", code, "end")
    told = refused(companion("score", code, "Anna", "1-2", "3-4"), lines=None)
    assert "Anna should have 4 tiles, not 2." in told
    assert "R-SET-2" in refused(companion("score", code, "Anna", "3-12", "1-2", "3-4", "5-6"), lines=None)
    assert companion("score", code, "Anna", "1-2", "3-4", "5-6", "7-8").code == 0


@pytest.mark.parametrize("command", [["sheet"], ["score", "Bob", "4"], ["undo"], ["history"], ["export"], ["state"]])
def test_a_damaged_database(companion: Companion, data: Path, game: str, command: list[str]) -> None:
    path = data / "games.sqlite3"
    path.write_bytes(b"not a database any more " * 400)
    before = path.read_bytes()
    told = refused(companion(command[0], game, *command[1:]))
    assert "is damaged; nothing was changed in it" in told
    assert path.read_bytes() == before


def test_a_damaged_line_names_its_game_and_the_others_are_listed(companion: Companion, data: Path, game: str) -> None:
    (other,) = companion("new", "Carl", "Dora", "--json").objects
    db = sqlite3.connect(data / "games.sqlite3")
    db.execute("DROP TRIGGER record_no_update")
    db.execute("UPDATE record SET line = '{' WHERE game_id = ? AND seq = 2", (game,))
    db.execute(
        "CREATE TRIGGER record_no_update BEFORE UPDATE ON record BEGIN SELECT RAISE(ABORT, 'a line never changes'); END"
    )
    db.commit()
    db.close()
    answer = companion("games")
    assert answer.code == 2
    assert other["game"] in answer.out
    assert f"{game}: Line 2 is cut off or damaged" in answer.err
    assert "Line 2 is cut off or damaged" in refused(companion("sheet", game))


def test_a_database_of_a_newer_version(companion: Companion, data: Path, game: str) -> None:
    db = sqlite3.connect(data / "games.sqlite3")
    db.execute("PRAGMA user_version = 99")
    db.close()
    assert "was written by a newer version of the companion (format 99" in refused(companion("sheet", game))


def test_an_event_of_a_newer_version(companion: Companion, data: Path, game: str) -> None:
    store = SqliteStore(data / "games.sqlite3")
    lines = store.read(game)
    store.append(game, 3, [lines[2].replace('"seq":3', '"seq":4').replace("HandCounted", "HandWeighed")])
    store.close()
    assert "Line 4 holds “HandWeighed”, version 1, which only a newer companion knows" in refused(
        companion("score", game, "Bob", "3")
    )


def test_another_programs_database(companion: Companion, tmp_path: Path) -> None:
    folder = tmp_path / "recipes"
    folder.mkdir()
    db = sqlite3.connect(folder / "games.sqlite3")
    db.execute("CREATE TABLE recipe (name TEXT)")
    db.close()
    assert "belongs to another program" in refused(companion("new", "Anna", "Bob", "--data", str(folder)))


def test_a_folder_that_is_a_file(companion: Companion, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    assert "cannot be made" in refused(companion("new", "Anna", "Bob", "--data", str(tmp_path / "file")))


AS_NOBODY = """
import os, sys
from companion.cli import main
from companion.cli import score, sheet
if os.getuid() == 0:  # root may write anywhere: give that up
    os.setgid(65534)
    os.setuid(65534)
print(main(["sheet", "last", "--data", sys.argv[1]]))
print(main(["score", "last", "Bob", "4", "--data", sys.argv[1]]))
"""


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX permissions")
def test_a_read_only_disk(companion: Companion, data: Path, game: str) -> None:
    before = log(data, game)
    for parent in [*data.parents][:3]:
        parent.chmod(0o755)
    for file in data.iterdir():
        file.chmod(0o444)
    data.chmod(0o555)
    try:
        done = subprocess.run([sys.executable, "-c", AS_NOBODY, str(data)], capture_output=True, text=True, check=True)
    finally:
        data.chmod(0o755)
    sheet, score = done.stdout.splitlines()[:-1], done.stdout.splitlines()[-1]
    assert "1      12-12     42    ?    ?" in sheet
    assert sheet[-1] == "0"
    assert score == "2"
    assert "can only be read; nothing was saved" in done.stderr
    assert log(data, game) == before


def test_a_full_disk(companion: Companion, data: Path, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite reports a full disk: here because the file may grow no more, which takes the same way."""
    before = log(data, game)

    class Full(SqliteStore):
        def __init__(self, path: Path) -> None:
            super().__init__(path)
            pages = self._db.execute("PRAGMA page_count").fetchone()[0]
            self._db.execute(f"PRAGMA max_page_count = {pages}").fetchone()

    with monkeypatch.context() as patched:
        patched.setattr("companion.cli.desk.SqliteStore", Full)
        told = refused(companion("score", game, "Bob", "4", "--why", "long " * 2000))
    assert "is full; nothing was saved and nothing is lost" in told
    assert log(data, game) == before
    assert companion("score", game, "Bob", "4").code == 0


FILL = """
from companion.cli import main
assert main(["new", "Anna", "Bob"]) == 0
told = 0
while main(["score", "last", "Anna", "4", "--why", "x" * 4000]) == 0:
    told += 1
    if main(["undo", "last"]) != 0:
        break
main(["history", "last"])
print("told", told)
"""


@pytest.mark.skipif(
    sys.platform != "linux" or not shutil.which("unshare"),
    reason="mounts a small disk, which only Linux lets a test do",
)
def test_a_small_disk_that_really_fills_up(tmp_path: Path) -> None:
    """Play on a disk of a few kilobytes until it is full: a sentence, and every score that was told is there."""
    script = f'mount -t tmpfs -o size={FULL_DISK_KB}k tmpfs "{tmp_path}" || exit 77; exec "$0" -c "$1"'
    environment = os.environ | {"COMPANION_DATA": str(tmp_path), "LC_ALL": "C.UTF-8"}
    done = subprocess.run(
        ["unshare", "-rm", "sh", "-c", script, sys.executable, FILL],
        capture_output=True, text=True, check=False, env=environment,
    )  # fmt: skip
    if "told" not in done.stdout and done.returncode in (1, 77):
        pytest.skip(f"no right to mount a disk here: {done.stderr.strip()}")
    assert "is full; nothing was saved and nothing is lost" in done.stderr, done.stderr
    told = int(done.stdout.split()[-1])
    assert told > 0
    assert len(re.findall("^      Round.*Anna scores 4", done.stdout, re.MULTILINE)) >= told


def test_two_commands_at_once(companion: Companion, data: Path, game: str) -> None:
    """Six phones write at the same moment: each is acknowledged or told why not, and what is told is there."""
    environment = os.environ | {"COMPANION_DATA": str(data), "LC_ALL": "C.UTF-8"}
    words = [sys.executable, "-m", "companion", "join", game]
    running = [
        subprocess.Popen(
            [*words, f"Guest{n}"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
        )
        for n in range(5)
    ]
    answers = [(*process.communicate(timeout=60), process.returncode) for process in running]
    joined = {p["name"] for p in companion("sheet", game, "--json").objects[0]["players"]} - {"Anna", "Bob", "Zoé"}
    for n, (out, err, code) in enumerate(answers):
        assert code in (0, 2)
        assert (f"Guest{n}" in joined) == (code == 0)
        assert (f"Guest{n} joins" in out) == (code == 0)
        if code == 2:
            assert f"Somebody else has just written to game {game}; nothing of yours was saved." in err
    assert joined


@pytest.mark.parametrize("why", ["\udcff\udcfe oops", "oo\x1b[31mps\nnext line"])
def test_a_reason_with_letters_that_are_none_is_kept_without_them(companion: Companion, game: str, why: str) -> None:
    answer = companion("score", game, "Anna", "43", "--why", why)
    assert answer.code == 0
    assert "\x1b" not in answer.out
    assert "\n" not in log_reason(companion, game)


def log_reason(companion: Companion, game: str) -> str:
    (last,) = companion("export", game, "--format", "jsonl").objects[-1:]
    return str(last["data"]["why"])


def test_an_empty_reason_is_none(companion: Companion, game: str) -> None:
    assert companion("score", game, "Bob", "99999", "--why", " ").code == 2
    assert companion("score", game, "Bob", "99999", "--why", "honest").code == 0


def test_a_log_from_elsewhere_does_not_steer_the_terminal(companion: Companion, game: str, tmp_path: Path) -> None:
    text = companion("export", game, "--format", "jsonl").out.replace("Anna", "\\u001b[2JAnna")
    path = tmp_path / "evil.jsonl"
    path.write_text(text, "utf-8")
    (back,) = companion("restore", str(path), "--json").objects
    for command in ("sheet", "history", "state"):
        answer = companion(command, str(back["game"] if "game" in back else back["games"][0]["game"]))
        assert answer.code == 0
        assert "\x1b" not in answer.out + answer.err


@pytest.mark.parametrize("lang", list(Language))
def test_what_the_table_must_agree_on_comes_with_the_way_to_do_it(companion: Companion, lang: Language) -> None:
    (started,) = companion("new", *"ABCDEFGH", "--json").objects
    game = started["game"]
    for player in "ABCDEFGH":
        assert companion("score", game, player, "5").code == 0
    assert companion("join", game, "I").code == 0
    answer = companion("score", game, "A", "4", "--lang", str(lang))
    assert answer.code == 2
    assert "--change hand_size=…" in answer.err
    assert companion("rules", "--game", game, "--change", "hand_size=9").code == 0
    assert companion("score", game, "A", "4").code == 0
