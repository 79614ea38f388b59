"""Whole games under random house rules, from a seed."""

from random import Random

import pytest

from companion.app.simulation import Simulator, Strategy
from companion.rules.fold import replay
from companion.rules.house_rules import HouseRules
from companion.rules.scoring import standings
from tests.benchmarks.play_many import simulated
from tests.rules.invariants import check_state


@pytest.mark.parametrize("seeds", [range(first, first + 20) for first in range(0, 100, 20)], ids=str)
def test_a_hundred_whole_games(seeds):
    for seed in seeds:
        # every fifth with a set that is sold, the others small and quick
        simulator = simulated(seed, sets=(9, 12) if seed % 5 == 0 else (3, 4, 5, 6))
        for number, _ in enumerate(simulator.moves()):
            if number % 10 == 0:
                check_state(simulator.game)
        game = simulator.game
        check_state(game)
        assert game.ended
        assert len(game.rounds) == game.planned_rounds
        assert not any(each.missing for each in game.rounds)
        assert replay(simulator.events) == game


def test_the_seed_decides_everything():
    first, again, other = (simulated(seed, sets=(5,)) for seed in (7, 7, 8))
    for simulator in (first, again, other):
        simulator.play_game()
    assert first.events == again.events
    assert first.events != other.events


def test_thought_beats_chance():
    totals = dict.fromkeys(Strategy, 0)
    for seed in range(6):
        simulator = Simulator(HouseRules(max_pip=9, rounds=4), list("ABCD"), list(Strategy), Random(seed))
        for row in standings(simulator.play_game()):
            totals[simulator.strategies[row.seat]] += row.total
    assert max(totals, key=lambda strategy: totals[strategy]) is Strategy.RANDOM
