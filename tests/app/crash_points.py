"""Kill a writer at random moments, again and again, and see whether anything that it was told is lost.

    python -m tests.app.crash_points --points 300

A child keeps score and says `seq` after every entry that is on disk; it is killed with SIGKILL at a random moment,
mostly in the middle of a commit. After each kill the log must open, hold everything that was acknowledged, nothing
that was not entered, and the game must go on.
"""

import argparse
import dataclasses
import json
import os
import random
import signal
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from companion.app.session import GameSession
from companion.rules.events import HandCounted, Retracted
from companion.rules.fold import replay
from companion.rules.house_rules import HouseRules
from companion.rules.seating import start_game, start_round
from companion.storage.sqlite_store import SqliteStore


@dataclass
class Findings:
    """What a run of kills has shown."""

    kills: int = 0
    """Children killed after their first acknowledgement."""
    acknowledged: int = 0
    """Lines that some child was told are on disk."""
    beyond: int = 0
    """Kills after which the log held one entry more than was acknowledged: committed, and not yet said."""


def write_for_ever(path: Path, game_id: str, out: int) -> None:
    """What the child does until it is killed."""
    session = GameSession(SqliteStore(path), game_id)
    os.write(out, f"{session.seq}\n".encode())
    while True:
        n = session.seq
        session.commit(session.draft(HandCounted(1, n % 2, n), HandCounted(1, n % 2, n + 1)))
        os.write(out, f"{session.seq}\n".encode())
        if n % 3 == 0:
            session.undo()
            os.write(out, f"{session.seq}\n".encode())


def kill_once(path: Path, game_id: str, chance: random.Random, findings: Findings) -> None:
    """Let a child write, kill it, and check the log."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            write_for_ever(path, game_id, writing)
        finally:
            os._exit(1)
    os.close(writing)
    with open(reading, encoding="ascii") as pipe:  # noqa: PTH123  (a file descriptor)
        first = int(pipe.readline())
        time.sleep(chance.uniform(0, 0.06))
        os.kill(child, signal.SIGKILL)
        said = [line for line in pipe.read().split("\n")[:-1] if line]
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), "the child failed by itself"
    told = int(said[-1]) if said else first

    store = SqliteStore(path)
    session = GameSession(store, game_id)
    lines = session.seq
    assert lines >= told, f"{told - lines} acknowledged lines are lost"
    assert lines - told <= 2, "the log holds entries that nobody made"
    for n, event in enumerate(session.events[2:], start=3):
        assert isinstance(event, HandCounted | Retracted), f"line {n} is nothing that a child writes"
    batches = [len(entry.records) for entry in session.entries()[2:]]
    assert set(batches) <= {1, 2}, "half an entry"
    assert replay(session.events) == session.game
    before = session.game
    session.commit(session.draft(HandCounted(1, 0, 7), HandCounted(1, 0, 8)))
    assert session.undo() == before, "the game does not go on"
    store.close()
    findings.kills += 1
    findings.acknowledged += told - first
    findings.beyond += lines > told


def run(folder: Path, points: int, seed: int) -> Findings:
    """Kill a writer of one game `points` times."""
    path = folder / "games.sqlite3"
    store = SqliteStore(path)
    events = start_game(HouseRules(), ["A", "B"])
    session = GameSession.create(store, events)
    session.commit(session.draft(*start_round(session.game)))
    store.close()
    findings, chance = Findings(), random.Random(seed)
    for _ in range(points):
        kill_once(path, session.game_id, chance, findings)
    return findings


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--points", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        print(json.dumps(dataclasses.asdict(run(Path(name), chosen.points, chosen.seed))))
