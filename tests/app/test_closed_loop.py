"""Three short rounds, drawn after every move, read by the networks and followed; see `benchmarks/closed_loop.py`."""

from collections import Counter

import pytest

from tests.benchmarks.closed_loop import watcher


@pytest.fixture(scope="module")
def figures() -> Counter[str]:
    total: Counter[str] = Counter()
    for seed in (42, 15, 63):  # 2, 3 and 2 players, hands that stand and hands that lie, 35 tiles laid in all
        total += watcher(seed, max_pip=6).play(1).figures
    return total


def test_the_log_is_recovered_from_pictures(figures: Counter[str]) -> None:
    assert figures["plays"] > 30
    assert figures["recovered"] >= 0.98 * figures["plays"]
    assert figures["extra"] == figures["wrong accepted"] == 0
    assert figures["questions"] <= 0.2 * figures["plays"], "hands that stand leave it open who has passed"


def test_every_table_is_read_exactly(figures: Counter[str]) -> None:
    assert figures["photos"] >= 40
    assert figures["tables exact"] >= 0.96 * figures["photos"]
    assert figures["backs seen"] >= 0.75 * figures["backs"]
