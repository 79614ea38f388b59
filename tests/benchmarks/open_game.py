"""How long a game of about 3,000 events takes to open: `python -m tests.benchmarks.open_game`.

Prints the best of many tries, in milliseconds of processor time, for the whole and for its parts. Not part of the test
suite; the aim is 20 ms for 3,000 events.
"""

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

from companion.app.session import GameSession
from companion.app.simulation import Simulator, Strategy, as_onlooker
from companion.rules.fold import replay
from companion.rules.house_rules import HouseRules
from companion.storage.records import CODEC
from companion.storage.sqlite_store import SqliteStore

TRIES = 40


def best_ms(action: Callable[[], object]) -> float:
    """The fastest of many tries; whatever else the machine does makes the others slower."""
    times = []
    for _ in range(TRIES):
        began = time.process_time()
        action()
        times.append(time.process_time() - began)
    return min(times) * 1000


def main() -> None:
    """Play a long game (eighteen pips, eight players), keep it, and open it."""
    rules = HouseRules(max_pip=18)
    played = Simulator(rules, [f"P{n}" for n in range(8)], [Strategy.HEAVIEST, Strategy.CLOSER] * 4, Random(3))
    played.play_game()
    events = as_onlooker(played.events)[:3000]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.sqlite3"
        store = SqliteStore(path)
        code = GameSession.create(store, events).game_id
        lines = store.read(code)

        def open_it() -> None:
            fresh = SqliteStore(path)
            GameSession(fresh, code)
            fresh.close()

        print(f"{len(events)} events, {sum(map(len, lines))} bytes")
        print(f"open, read, decode and fold  {best_ms(open_it):6.1f} ms")
        print(f"  read                       {best_ms(lambda: store.read(code)):6.1f} ms")
        print(f"  decode                     {best_ms(lambda: CODEC.events(lines)):6.1f} ms")
        print(f"  fold                       {best_ms(lambda: replay(events)):6.1f} ms")
        store.close()


if __name__ == "__main__":
    main()
