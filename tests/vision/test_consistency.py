import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from companion.rules.tiles import Tile, TileSet
from companion.vision.consistency import Candidate, settle
from companion.vision.readings import Doubt, TileBox

SET = TileSet(12)


def candidate(*halves: dict[int, float], score: float = 0.9) -> Candidate:
    chances = np.zeros((2, 13), np.float32)
    for row, half in zip(chances, halves, strict=True):
        row[:] = (1 - sum(half.values())) / 13
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
