from pathlib import Path

import numpy as np
from evaluate import Case, measure, summary

from companion.rules.tiles import Tile
from companion.vision.readings import Doubt, HalfReading, HandReading, TileBox, TileReading


def reading(*tiles: str, doubt: bool = False) -> HandReading:
    box = TileBox(np.zeros((4, 2), np.float32), 0.9)
    doubts = frozenset({Doubt.LOW_CONFIDENCE} if doubt else ())
    halves = (HalfReading(0, 0.9, 1), HalfReading(0, 0.9, 1))
    return HandReading(tuple(TileReading(Tile.parse(t), 0.9, box, halves, doubts) for t in tiles))


def case(*tiles: str, optional: tuple[str, ...] = (), complete: bool = True) -> Case:
    parsed = tuple(Tile.parse(t) for t in tiles)
    return Case(Path("x"), "x", "test", parsed, tuple(Tile.parse(t) for t in optional), complete, True, 12)


def test_a_tile_read_twice_is_right_once() -> None:
    row = measure(case("1-2", "3-4"), reading("1-2", "1-2"), 0.1)
    assert (row.right, row.extra, row.exact) == (1, 1, False)


def test_a_wrong_total_without_a_doubt_is_silent_and_a_doubt_on_an_exact_hand_is_fuss() -> None:
    wrong, right = measure(case("1-2"), reading("1-3"), 0), measure(case("1-2"), reading("1-2"), 0)
    assert wrong.silent
    assert not measure(case("1-2"), reading("1-3", doubt=True), 0).silent
    assert not right.silent
    assert not right.fuss
    assert measure(case("1-2"), reading("1-2", doubt=True), 0).fuss
    same_total = measure(case("1-2"), reading("0-3"), 0)
    assert not same_total.silent, "a wrong tile with the right total"
    assert not same_total.exact


def test_hardly_seen_tiles_are_neither_right_nor_wrong_and_their_hand_does_not_count() -> None:
    row = measure(case("1-2", optional=("5-5",), complete=False), reading("1-2", "5-5"), 0)
    assert (row.right, row.extra, row.exact) == (1, 0, False)
    assert summary([row])["hands"] == 0
