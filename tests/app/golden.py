"""Golden games: one evening per preset, as JSON Lines, and what a person should see in it.

    python -m tests.app.golden --write

writes them anew; then read the stories in `golden/*.txt` before committing them.
"""

import argparse
from pathlib import Path
from random import Random

from companion.app.intake import propose_correction, propose_move
from companion.app.session import GameSession
from companion.app.simulation import Simulator, Strategy, as_onlooker
from companion.cli.sheet import sheet_text
from companion.rules import events as ev
from companion.rules.house_rules import HouseRules, Preset
from companion.rules.moves import Pass
from companion.storage.records import HOST, Source
from companion.text import Language
from companion.text.narrate import event_sentence
from tests.app.evening import propose
from tests.app.helpers import Clock
from tests.app.memory_store import MemoryStore

FOLDER = Path(__file__).parent / "golden"
NAMES = ("Anna", "Борис", "Zoé")
RULES: dict[Preset, dict[str, int]] = {
    Preset.MEKSIKANSKIJ_POEZD: {"hand_size": 12, "double_blank_points": 50},
    Preset.CUSTOM: {"max_pip": 9, "last_tile_call": 1, "marker_penalty": 5},
}
LANGUAGES = {Preset.TRAIN_MEXICAIN: Language.FR, Preset.MEKSIKANSKIJ_POEZD: Language.RU}


def evening(preset: Preset) -> GameSession:
    """Two rounds, entered by the host and the players, with a slip, a ruling that is taken back, and a correction."""
    rules = HouseRules.preset(preset).replace(rounds=2, **RULES.get(preset, {}))
    played = Simulator(rules, NAMES, [Strategy.HEAVIEST, Strategy.CLOSER, Strategy.PLANNER], Random(f"golden {preset}"))
    played.play_game()
    events = as_onlooker(played.events, knows=(2,))
    start = ev.GameStarted(rules, NAMES, preset)
    session = GameSession.create(MemoryStore(), [start], clock=Clock())
    slipped = False
    at = 1
    while at < len(events):
        event = events[at]
        seat = getattr(event, "seat", None)
        source = Source(seat) if isinstance(event, ev.TilePlayed) and seat is not None else HOST
        before = session.seq
        session.commit(propose(session, event, events[at + 1 :]), source)
        at += session.seq - before
        if isinstance(event, ev.TilePlayed) and not slipped:
            slipped = True
            session.undo(source, "the wrong tile")
            session.redo(source)
            session.commit(propose_move(session, Pass(_not_to_act(session)), "she is on the phone"))
            session.undo(why="she is back")
    session.commit(propose_correction(session, 0, 7, "a tile lay under the table", 1))
    return session


def _not_to_act(session: GameSession) -> int:
    """Somebody whose turn it is not: only a ruling lets such a seat pass."""
    table_now = session.game.table
    assert table_now is not None
    return next(seat for seat in table_now.seats if seat != table_now.to_act)


def story(session: GameSession, lang: Language) -> str:
    """The evening as a person reads it: every event in words, then the sheet."""
    lines = []
    for entry in session.entries():
        mark = " " if entry.effective else "-"
        for record in entry.records:
            words = event_sentence(record.event, NAMES, lang, session.events)
            lines.append(f"{mark}{record.seq:4} {entry.source!s:7} {words}")
    return "\n".join([*lines, "", sheet_text(session.game, lang), ""])


def jsonl(session: GameSession) -> str:
    """The log as it is exported."""
    return "".join(f"{line}\n" for line in session._store.read(session.game_id))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Golden games, one per preset.")
    parser.add_argument("--write", action="store_true", required=True)
    parser.parse_args()
    FOLDER.mkdir(exist_ok=True)
    for chosen in Preset:
        written = evening(chosen)
        (FOLDER / f"{chosen}.jsonl").write_text(jsonl(written), encoding="utf-8")
        text = story(written, LANGUAGES.get(chosen, Language.EN))
        (FOLDER / f"{chosen}.txt").write_text(text, encoding="utf-8")
        print(f"{chosen}: {written.seq} lines")
