"""Weights between two checkpoints."""

import numpy as np
import pytest
from average import between


def test_weights_lie_between_and_counters_are_the_later_ones() -> None:
    before = {"conv": np.array([0.0, 2.0]), "seen": np.array(10)}
    after = {"conv": np.array([1.0, 0.0]), "seen": np.array(30)}
    half = between(before, after, 0.5)
    assert half["conv"].tolist() == [0.5, 1.0]
    assert half["seen"] == 30
    assert between(before, after, 0.0)["conv"].tolist() == [0.0, 2.0]
    assert between(before, after, 1.0)["conv"].tolist() == [1.0, 0.0]


def test_other_networks_are_refused() -> None:
    with pytest.raises(ValueError, match="different networks"):
        between({"a": np.zeros(2)}, {"b": np.zeros(2)}, 0.5)
    with pytest.raises(ValueError, match="different networks"):
        between({"a": np.zeros(2)}, {"a": np.zeros(3)}, 0.5)
