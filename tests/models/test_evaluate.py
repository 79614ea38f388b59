from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from calibrate import Box, fit_temperature, fit_thresholds
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


def boxes(rng: np.random.Generator, count: int, sharpness: float) -> list[Box]:
    """Halves whose stated probabilities are too sure by the factor `sharpness`."""
    made = []
    for _ in range(count):
        logits = rng.normal(0, 1.2, (2, 14))
        honest = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
        truth = tuple(int(rng.choice(14, p=p / p.sum())) for p in honest)
        stated = logits * sharpness
        logs = stated - np.log(np.exp(stated).sum(1, keepdims=True))
        made.append(Box(0.9, False, logs, (truth[0], truth[1]), False))
    return made


@pytest.mark.parametrize("sharpness", [1.0, 2.0])
def test_the_temperature_undoes_overconfidence(sharpness: float) -> None:
    found = fit_temperature(boxes(np.random.default_rng(3), 2500, sharpness))
    assert found == pytest.approx(sharpness, abs=0.2)


def test_thresholds_keep_silent_errors_rare_and_doubts_few() -> None:
    rng = np.random.default_rng(4)
    made = []
    for k in range(2000):
        sure = 0.999 if k % 4 else 0.7
        logs = np.full((2, 14), (1 - sure) / 13)
        value = [int(v) for v in rng.integers(0, 13, 2)]
        for half, v in enumerate(value):
            logs[half, v] = sure
        wrong = sure < 0.9 and rng.random() < 0.5
        truth = ((value[0] + 1) % 13, value[1]) if wrong else (value[0], value[1])
        made.append(Box(0.95, False, np.log(logs), truth, False))
    phantoms = [Box(0.3, False, np.log(np.full((2, 14), 1 / 14)), None, False) for _ in range(200)]
    found = fit_thresholds(made + phantoms, 2000, 1.0, wrong=0.003)
    assert found["accept"] > 0.3, "phantoms stay out"
    assert 0.7 < found["sure_half"] < 0.999
    counts = Counter(np.exp(b.logs).max(1).min() >= found["sure_half"] for b in made)
    assert counts[True] == 1500
