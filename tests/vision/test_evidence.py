import numpy as np
import pytest

from companion.vision.evidence import BACK, FACE, NONE, UNCOUNTABLE, Evidence, Judge

TABLE = {
    "accept": 0.5,
    "notice": 0.1,
    "sure": 0.98,
    "sure_back": 0.9,
    "kind_weights": [[0.0, 0.0, 0.0]] * 10,
    "value_weights": [0.0, 1.0, 0.5, 0.1],
}


def evidence(n: int = 2) -> Evidence:
    corners = np.tile(np.array([[0, 0], [60, 0], [60, 120], [0, 120]], np.float32), (n, 1, 1))
    chances = np.full((n, 2, 14), 1e-3, np.float32)
    chances[:, :, 3] = 1 - 13e-3
    return Evidence(corners, np.full((n, 2), 0.5, np.float32), np.full((n, 3), 1 / 3, np.float32), chances)


def test_without_weights_all_kinds_are_alike() -> None:
    assert Judge.from_contract(TABLE).kinds(evidence()) == pytest.approx(np.full((2, 3), 1 / 3))


def test_features_are_finite_even_for_networks_that_are_certain() -> None:
    sure = Evidence(
        evidence(1).corners,
        np.array([[1.0, 0.0]], np.float32),
        np.array([[1.0, 0.0, 0.0]], np.float32),
        np.eye(14, dtype=np.float32)[[[3, 13]]],
    )
    assert np.isfinite(sure.kind_features()).all()
    assert np.isfinite(sure.value_features(np.array([[1.0, 0.0]]))).all()


def test_a_photo_without_boxes_is_judged_too() -> None:
    judge = Judge.from_contract(TABLE)
    assert judge.kinds(evidence(0)).shape == (0, 3)
    assert judge.values(evidence(0), np.zeros((0, 2))).shape == (0,)


def test_a_value_is_as_sure_as_its_less_sure_half() -> None:
    judge = Judge.from_contract(TABLE)
    worse, better = judge.values(evidence(), np.array([[0.6, 0.999], [0.99, 0.99]]))
    assert worse < better


def test_a_plain_half_beside_pips_is_a_blank_that_can_be_counted_and_nothing_else_is() -> None:
    halves = evidence(3)
    halves.chances[:, 1] = 0
    halves.chances[0, 1, [0, 13]] = 0.03, 0.97  # like a back, and a blank if anything
    halves.chances[1, 1, [4, 13]] = 0.03, 0.97
    halves.chances[2] = 0
    halves.chances[2, :, 0], halves.chances[2, :, 13] = 0.03, 0.97  # both halves: a back
    assert halves.junk() == pytest.approx([UNCOUNTABLE, 0.97, 0.97])


def test_boxes_are_taken_with_all_that_is_known_of_them() -> None:
    both = evidence(3)
    both.scores[2] = 0.9
    (taken,) = both.take([2]).scores
    assert taken == pytest.approx([0.9, 0.9])


def test_the_columns_are_told_apart() -> None:
    assert len({FACE, BACK, NONE}) == 3


@pytest.mark.parametrize(
    "change",
    [
        {"accept": 0.0},
        {"sure": 1.0},
        {"sure": float("nan")},
        {"notice": "low"},
        {"kind_weights": [[0.0] * 3] * 7},
        {"kind_weights": [[float("inf")] * 3] * 8},
        {"value_weights": [1.0]},
    ],
)
def test_a_judge_that_makes_no_sense_is_refused(change: dict[str, object]) -> None:
    with pytest.raises((ValueError, TypeError, KeyError)):
        Judge.from_contract(TABLE | change)


def test_a_judge_that_is_not_whole_is_refused() -> None:
    for name in TABLE:
        with pytest.raises(KeyError):
            Judge.from_contract({k: v for k, v in TABLE.items() if k != name})
