"""The planner against brute force, and its honesty when it stops early."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.rules.house_rules import HouseRules
from companion.rules.planner import plan
from companion.rules.scoring import tile_points
from companion.rules.tiles import Tile, TileSet
from tests.rules.scene import ts


def brute_force(hand: frozenset[Tile], number: int) -> tuple[int, int]:
    """The least (pips, tiles) that any train leaves."""
    best = (sum(tile.pips for tile in hand), len(hand))
    for tile in hand:
        if tile.has(number):
            best = min(best, brute_force(hand - {tile}, tile.other(number)))
    return best


def check_plan(found, hand, tails):
    number = tails[found.train]
    for placed in found.tiles:
        assert placed.inner == number
        assert placed.tile.other(placed.inner) == placed.outer
        number = placed.outer
    laid = [placed.tile for placed in found.tiles]
    assert sorted([*laid, *found.left]) == sorted(hand)


@given(st.sets(st.sampled_from(TileSet(5).tiles), max_size=8), st.integers(0, 5), st.integers(0, 5))
@settings(max_examples=150, deadline=None)
def test_no_train_leaves_less(hand, own, mexican):
    tails = {0: own, None: mexican}
    found = plan(hand, tails)
    check_plan(found, hand, tails)
    best = min(brute_force(frozenset(hand), number) for number in tails.values())
    assert (found.points_left, len(found.left)) == best
    assert found.exact


def test_fifteen_tiles_are_exact_even_when_everything_fits_everything():
    crowded = [tile for tile in TileSet(5) if not tile.is_double]
    assert len(crowded) == 15
    assert plan(crowded, {0: 0}).exact
    random = Random(1)
    for _ in range(50):
        hand = random.sample(TileSet(12).tiles, 15)
        assert plan(hand, {0: 12, None: 6}).exact


def test_it_says_so_when_it_stopped_early():
    hand = Random(3).sample(TileSet(12).tiles, 40)
    found = plan(hand, {0: 12}, positions=500)
    assert not found.exact
    check_plan(found, hand, {0: 12})
    assert plan(ts("1-2 2-3"), {0: 1}, positions=500).exact


def test_points_as_the_house_counts_them():
    hand = ts("12-0 12-5 0-0")
    assert plan(hand, {0: 12}).points_left == 12  # 12-5 is dearer than 12-0 by pips alone
    rules = HouseRules(double_blank_points=50)
    found = plan(hand, {0: 12}, lambda tile: tile_points(rules, tile))
    assert [placed.tile for placed in found.tiles] == list(ts("12-0 0-0"))
    assert found.ends_on_double


@pytest.mark.parametrize("tails", [{}, {0: 3}])
def test_nothing_to_plan(tails):
    found = plan(ts("1-2"), tails)
    assert found is None if not tails else (found.tiles, found.left) == ((), ts("1-2"))
