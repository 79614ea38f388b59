"""Play many whole games under random house rules and check them: `python -m tests.benchmarks.play_many 10000`.

Not part of the test suite. Every 20th move is checked for a sound state, some games also for what the list of
legal moves and an onlooker claim (every 100th). Prints figures as it goes; a broken invariant stops it with its seed.
"""

import sys
import time
from collections import Counter
from random import Random

from companion.app.simulation import Simulator, Strategy
from companion.rules.fold import replay
from companion.rules.scoring import standings
from tests.rules.invariants import check_moves, check_state
from tests.rules.onlooker import follow
from tests.rules.random_rules import random_rules

SETS = (4, 5, 6, 6, 6, 6, 9, 9, 12, 15)
"""Mostly small sets: the rules are the same, and there is more of the rare at their ends."""


def simulated(seed: int, sets: tuple[int, ...] = SETS) -> Simulator:
    """A simulator with random rules, 2-8 players, strategies and sometimes lost tiles, all from the seed."""
    random = Random(seed)
    players = random.randint(2, 8)
    rules = random_rules(random, players, 3, sets)
    lost = tuple(random.sample(rules.tile_set.tiles, random.choice((0, 0, 0, 3))))
    strategies = [random.choice(list(Strategy)) for _ in range(players)]
    return Simulator(rules, [f"P{seat}" for seat in range(players)], strategies, random, lost)


def play(seed: int, figures: Counter[str]) -> None:
    simulator = simulated(seed)
    asked = 150 + seed % 50
    for number, _ in enumerate(simulator.moves()):
        figures["moves"] += 1
        if number % 20 == 0:
            check_state(simulator.game)
        if number == asked and seed % 5 == 0:
            check_moves(simulator.game)
    game = simulator.game
    check_state(game)
    assert game.ended
    assert len(game.rounds) == game.planned_rounds
    assert not any(each.missing for each in game.rounds)
    assert min(row.rank for row in standings(game) if row.rank) == 1
    assert replay(simulator.events) == game
    if seed % 100 == 0:
        figures["claims of onlookers"] += follow(simulator.events, range(seed % 3))
    figures["games"] += 1
    figures["events"] += len(simulator.events)
    for each in game.rounds:
        figures[f"rounds {each.ended}"] += 1


def main() -> None:
    """Play as many games as the first argument says, from the seed in the second on."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    figures: Counter[str] = Counter()
    start = time.perf_counter()
    for seed in range(first, first + games):
        try:
            play(seed, figures)
        except BaseException:
            print(f"seed {seed}", flush=True)
            raise
        if (seed + 1 - first) % 250 == 0:
            print(f"{time.perf_counter() - start:.0f} s", dict(figures), flush=True)
    print(f"done in {time.perf_counter() - start:.0f} s", dict(figures), flush=True)


if __name__ == "__main__":
    main()
