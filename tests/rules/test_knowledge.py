"""What follows from passes: sound, even when hidden tiles are laid."""

from random import Random

import pytest

from companion.rules.knowledge import identify, prove, take
from companion.rules.state import Hand, Lack
from tests.benchmarks.play_many import simulated
from tests.rules.onlooker import follow
from tests.rules.scene import t


def lack(count, *numbers):
    return Lack(count, frozenset(numbers))


def test_a_pass_proves_something_of_every_unknown_tile():
    hand = prove(Hand(3, frozenset({t("1-2")})), frozenset({5}))
    assert hand.lacks == (lack(2, 5),)
    hand = prove(Hand(hand.count + 1, hand.known, hand.lacks), frozenset({7}))
    assert sorted(hand.lacks, key=lambda group: group.count) == [lack(1, 7), lack(2, 5, 7)]


def test_a_tile_that_was_laid_is_taken_from_where_it_can_have_been():
    lacks = (lack(2, 5), lack(1, 7))
    assert take(Hand(3, lacks=lacks), t("5-6")).lacks == (lack(2, 5),)
    assert take(Hand(3, lacks=lacks), t("6-7")).lacks == (lack(1, 7), lack(1, 5))
    assert take(Hand(3, lacks=(lack(2, 5, 1), lack(1, 7, 1))), t("6-6")).lacks == (lack(1, 5, 1),)
    assert identify((lack(2, 5),), 3, t("5-5")) == (lack(2, 5),)
    assert identify((lack(2, 5),), 3, t("6-6")) == (lack(1, 5),)


def test_a_play_that_contradicts_a_pass_ends_the_claims():
    assert take(Hand(2, lacks=(lack(2, 5),)), t("5-6")) == Hand(1)


def test_a_misread_hand_is_forgotten():
    assert take(Hand(2, frozenset({t("1-2"), t("3-4")})), t("5-6")) == Hand(1)


@pytest.mark.parametrize("seeds", [range(first, first + 6) for first in range(0, 24, 6)], ids=str)
def test_all_claims_of_an_onlooker_are_true(seeds):
    claims = 0
    for seed in seeds:
        simulator = simulated(seed, sets=(4, 5, 6))
        simulator.play_game()
        claims += follow(simulator.events, Random(seed).sample(range(len(simulator.names)), seed % 2))
    assert claims > 100
