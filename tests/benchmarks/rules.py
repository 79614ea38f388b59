"""How fast the rules are: `python -m tests.benchmarks.rules`.

Prints what was measured and its ratio to the aim (above 1: met). No test, because a busy machine is no bug.
"""

import time
from collections.abc import Callable
from random import Random

from companion.app.simulation import Simulator, Strategy
from companion.rules.fold import advance, replay
from companion.rules.house_rules import HouseRules
from companion.rules.legality import check, legal_moves
from companion.rules.planner import plan
from companion.rules.tiles import Tile, TileSet
from tests.rules.invariants import all_moves

REPEAT = 5


def best(work: Callable[[], object]) -> float:
    """The shortest of a few runs, in seconds of processor time."""
    times = []
    for _ in range(REPEAT):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def report(what: str, measured: float, aim: float, unit: str, more_is_better: bool = False) -> None:
    ratio = measured / aim if more_is_better else aim / measured
    print(f"{what:<44} {measured:>12,.1f} {unit:<10} {ratio:6.2f} x the aim")


def main() -> None:
    """Measure all of it."""
    rules = HouseRules()
    simulator = Simulator(rules, list("ABCD"), [Strategy.HEAVIEST] * 4, Random(1))
    for number, _ in enumerate(simulator.moves()):
        if number == 40:
            break
    game = simulator.game
    own = [move for move in all_moves(game) if move.seat == game.table.to_act]
    every = list(all_moves(game))
    likely = list(legal_moves(game)) * 200
    for what, moves in (
        ("all moves of the player to act", own),
        ("every move there is", every),
        ("legal moves", likely),
    ):
        seconds = best(lambda moves=moves: [check(game, move) for move in moves])
        report(f"check: {what}", len(moves) / seconds, 100_000, "checks/s", more_is_better=True)

    seconds = best(lambda: [legal_moves(game) for _ in range(200)]) / 200
    print(f"{'legal_moves':<44} {seconds * 1e6:>12,.1f} us")
    move = next(iter(legal_moves(game)))
    seconds = best(lambda: [advance(game, move) for _ in range(200)]) / 200
    print(f"{'advance':<44} {seconds * 1e6:>12,.1f} us")

    log = []
    seed = 0
    while len(log) < 3_000:
        players = Simulator(rules.replace(rounds=None), list("ABCDEFGH"), [Strategy.RANDOM] * 8, Random(seed))
        players.play_game()
        log, seed = max(log, players.events, key=len), seed + 1
        if seed == 8:
            break
    seconds = best(lambda: replay(log)) / len(log) * 3_000
    report(f"replay of 3,000 events (from {len(log):,})", seconds * 1_000, 20, "ms")

    random = Random(2)
    hands = [random.sample(TileSet(12).tiles, 15) for _ in range(50)]
    crowded = [Tile(low, high) for high in range(6) for low in range(high)]
    for what, cases in (("50 random hands, the mean", hands), ("the most tangled hand", [crowded])):
        seconds = best(lambda cases=cases: [plan(hand, {0: 5, None: 3}) for hand in cases]) / len(cases)
        report(f"planner, 15 tiles: {what}", seconds * 1_000, 1_000, "ms")


if __name__ == "__main__":
    main()
