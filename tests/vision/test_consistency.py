from itertools import permutations, product
from math import inf, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.rules.tiles import Tile, TileSet
from companion.vision.consistency import REPEAT, Candidate, assign, settle
from companion.vision.readings import Doubt, TileBox

SET = TileSet(12)


def candidate(*halves: dict[int, float], score: float = 0.9, numbers: int = 13) -> Candidate:
    chances = np.zeros((2, numbers), np.float32)
    for row, half in zip(chances, halves, strict=True):
        row[:] = (1 - sum(half.values())) / numbers
        for pips, chance in half.items():
            row[pips] += chance
    return Candidate(TileBox(np.zeros((4, 2), np.float32), score), chances, 0.0)


def test_tiles_read_clearly_stay_as_they_are() -> None:
    settled = settle([candidate({3: 0.99}, {12: 0.99}), candidate({0: 0.99}, {0: 0.99})], SET, frozenset())
    assert settled == [((3, 12), set()), ((0, 0), set())]


def test_the_less_sure_of_two_alike_takes_its_next_best_and_says_so() -> None:
    sure, unsure = candidate({10: 0.99}, {4: 0.99}), candidate({10: 0.55, 11: 0.42}, {4: 0.97})
    assert settle([unsure, sure], SET, frozenset()) == [((11, 4), {Doubt.CORRECTED}), ((10, 4), set())]


def test_two_that_are_both_clear_stay_and_both_are_doubted() -> None:
    same = candidate({5: 0.999}, {6: 0.999})
    other_way_round = candidate({6: 0.999}, {5: 0.999})
    assert settle([same, other_way_round], SET, frozenset()) == [
        ((5, 6), {Doubt.DUPLICATE}),
        ((6, 5), {Doubt.DUPLICATE}),
    ]


def test_a_tile_that_is_elsewhere_gives_way_or_is_doubted() -> None:
    taken = frozenset({Tile(4, 10)})
    unsure, clear = candidate({10: 0.55, 11: 0.42}, {4: 0.97}), candidate({10: 0.999}, {4: 0.999})
    assert settle([unsure], SET, taken) == [((11, 4), {Doubt.CORRECTED})]
    assert settle([clear], SET, taken) == [((10, 4), {Doubt.ALREADY_ON_TABLE})]


def test_nothing_is_made_up_where_no_other_tile_was_likely() -> None:
    a, b = candidate({1: 0.9}, {1: 0.98}), candidate({1: 0.999}, {1: 0.999})
    (value, doubts), _ = settle([a, b], SET, frozenset())
    assert value == (1, 1)
    assert doubts == {Doubt.DUPLICATE}


def test_the_joint_reading_moves_a_third_tile_where_that_is_likelier() -> None:
    """One by one, the second would be stuck: the only other tile it may be is held by the third."""
    first = candidate({10: 0.995}, {4: 0.995})
    second = candidate({10: 0.6, 11: 0.38}, {4: 0.99})
    third = candidate({11: 0.55, 12: 0.43}, {4: 0.99})
    settled = settle([first, second, third], SET, frozenset())
    assert [value for value, _ in settled] == [(10, 4), (11, 4), (12, 4)]
    assert [doubts for _, doubts in settled] == [set(), {Doubt.CORRECTED}, {Doubt.CORRECTED}]


def test_where_either_of_two_may_have_to_give_way_both_are_a_doubt() -> None:
    a, b = candidate({10: 0.9, 11: 0.09}, {4: 0.99}), candidate({10: 0.88, 11: 0.11}, {4: 0.99})
    settled = settle([a, b], SET, frozenset())
    assert settled == [((10, 4), {Doubt.LOW_CONFIDENCE}), ((11, 4), {Doubt.CORRECTED})]


def test_a_doubt_stays_where_the_clash_is() -> None:
    clash = [candidate({1: 0.9, 2: 0.09}, {1: 0.99}), candidate({1: 0.88, 2: 0.11}, {1: 0.99})]
    aside = candidate({7: 0.6, 9: 0.39}, {8: 0.99})
    assert settle([*clash, aside], SET, frozenset())[2] == ((7, 8), set())


halves = st.lists(st.floats(0.001, 1.0), min_size=3, max_size=3).map(lambda w: [x / sum(w) for x in w])
small_tiles = st.frozensets(st.tuples(st.integers(0, 2), st.integers(0, 2)).map(lambda t: Tile(*t)), max_size=4)


def score(candidates: list[Candidate], values: tuple[tuple[int, int], ...], taken: frozenset[Tile]) -> float:
    """Logarithm of the probability of a joint reading, with a price for every tile too many."""
    tiles = [Tile(*value) for value in values]
    surplus = sum(1 for k, tile in enumerate(tiles) if tile in taken or tile in tiles[:k])
    return sum(log(c.chance(v)) for c, v in zip(candidates, values, strict=True)) + surplus * log(REPEAT)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(halves, halves), min_size=1, max_size=3), small_tiles)
def test_no_joint_reading_is_better(pairs: list[tuple[list[float], list[float]]], taken: frozenset[Tile]) -> None:
    candidates = [
        Candidate(TileBox(np.zeros((4, 2), np.float32), 0.9), np.array(pair, np.float32), 0.0) for pair in pairs
    ]
    found = tuple(value for value, _ in settle(candidates, TileSet(2), taken))
    every = product(list(product(range(3), repeat=2)), repeat=len(candidates))
    best = max(score(candidates, values, taken) for values in every)
    assert score(candidates, found, taken) == pytest.approx(best, abs=1e-5)


@settings(deadline=None)
@given(st.data())
def test_no_assignment_is_cheaper(data: st.DataObject) -> None:
    rows = data.draw(st.integers(1, 5))
    columns = data.draw(st.integers(rows, 6))
    cost = st.one_of(st.integers(0, 9).map(float), st.just(inf))
    costs = np.array([[data.draw(cost) for _ in range(columns)] for _ in range(rows)])
    costs[:, :rows][np.eye(rows, dtype=bool)] = 20.0  # so that there is one
    chosen = assign(costs)
    assert len(set(chosen)) == rows
    best = min(sum(costs[k, c] for k, c in enumerate(p)) for p in permutations(range(columns), rows))
    assert costs[np.arange(rows), chosen].sum() == pytest.approx(best)


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12), st.floats(0.3, 0.999)), max_size=12))
def test_every_clash_is_a_doubt_and_every_change_too(tiles: list[tuple[int, int, float]]) -> None:
    candidates = [candidate({a: p}, {b: p}) for a, b, p in tiles]
    settled = settle(candidates, SET, frozenset())
    values = [Tile(*value) for value, _ in settled]
    for k, (value, doubts) in enumerate(settled):
        if values.count(values[k]) > 1:
            assert Doubt.DUPLICATE in doubts
        if value != candidates[k].likeliest:
            assert Doubt.CORRECTED in doubts
