"""Three short rounds, drawn after every move, read by the networks and followed; see `benchmarks/closed_loop.py`."""

from collections import Counter
from pathlib import Path

import pytest

from tests.benchmarks.closed_loop import watcher


@pytest.fixture(scope="module")
def album(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("album")


@pytest.fixture(scope="module")
def figures(album: Path) -> Counter[str]:
    total: Counter[str] = Counter()
    for seed in (42, 15, 63):  # 2, 3 and 2 players, hands that stand and hands that lie, 35 tiles laid in all
        who = watcher(seed, max_pip=6, albums=album).play(1)
        who.keep()
        total += who.figures
    return total


def test_what_was_recognised_can_be_followed_again(figures: Counter[str], album: Path) -> None:
    again = watcher(42, max_pip=6, albums=album)
    again.reader = None  # nothing is drawn or read
    again.play(1)
    assert again.figures["plays"] == again.figures["recovered"] > 0
    assert again.figures["ms to draw"] > 0, "as it was the first time"


def test_the_log_is_recovered_from_pictures(figures: Counter[str]) -> None:
    assert figures["plays"] > 30
    assert figures["recovered"] >= 0.98 * figures["plays"]
    assert figures["extra"] == figures["wrong accepted"] == 0
    assert figures["questions"] <= 0.2 * figures["plays"], "hands that stand leave it open who has passed"


def test_every_table_is_read_exactly(figures: Counter[str]) -> None:
    assert figures["photos"] >= 40
    assert figures["tables exact"] >= 0.96 * figures["photos"]
    assert figures["backs seen"] >= 0.75 * figures["backs"]
