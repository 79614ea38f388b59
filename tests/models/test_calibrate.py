"""Calibration finds what made-up networks are worth, and never trusts them more than their errors allow."""

import numpy as np
import pytest
from calibrate import Collected, fit_judge, fit_logistic, fit_temperature, read_values

from companion.vision.evidence import BACK, FACE, NONE, Evidence, Judge


def collected(rng: np.random.Generator, count: int = 1500, sharpness: float = 1.0, wrong: float = 0.0) -> Collected:
    """Boxes of which 80 % are faces; stated probabilities are too sure by the factor `sharpness`."""
    truth = rng.choice([FACE, BACK, NONE], count, p=[0.8, 0.1, 0.1])
    kinds = np.full((count, 3), 0.05)
    said = np.where(rng.random(count) < 0.97, truth, rng.integers(0, 3, count))
    kinds[np.arange(count), said] = 0.9
    scores = np.clip(np.eye(3)[truth][:, :2] * 0.8 + rng.normal(0.1, 0.05, (count, 2)), 0.01, 0.99)
    logits = rng.normal(0, 1.6, (count, 2, 14)) * 2
    logits[truth == FACE, :, -1] -= 9
    logits[truth != FACE, :, -1] += 12
    honest = np.exp(logits)
    honest /= honest.sum(2, keepdims=True)
    values = np.full((count, 2), -1)
    for k in np.flatnonzero(truth == FACE):
        values[k] = [rng.choice(13, p=p[:13] / p[:13].sum()) for p in honest[k]]
        if rng.random() < wrong:
            values[k, 0] = (values[k, 0] + 1) % 13
    stated = np.exp(logits * sharpness)
    stated /= stated.sum(2, keepdims=True)
    corners = np.tile(np.array([[0, 0], [60, 0], [60, 120], [0, 120]], np.float32), (count, 1, 1))
    evidence = Evidence(corners, scores.astype(np.float32), kinds.astype(np.float32), stated.astype(np.float32))
    return Collected(evidence, truth, values, np.full(count, 12), np.arange(count) // 10, int((truth == FACE).sum()))


def test_temperature_makes_overconfident_halves_honest() -> None:
    rng = np.random.default_rng(3)
    assert fit_temperature(collected(rng, sharpness=1.0)) == pytest.approx(1.0, abs=0.15)
    assert fit_temperature(collected(rng, sharpness=2.0)) == pytest.approx(2.0, abs=0.25)


def test_logistic_regression_finds_the_weights_that_made_the_data() -> None:
    rng = np.random.default_rng(4)
    x = np.column_stack([np.ones(20_000), rng.normal(0, 2, 20_000), rng.normal(0, 1, 20_000)])
    wanted = np.array([0.5, 1.2, -0.7])
    classes = (rng.random(20_000) < 1 / (1 + np.exp(-x @ wanted))).astype(int)
    found = fit_logistic(x, classes, 2, calm=1e-6)
    assert found[:, 1] - found[:, 0] == pytest.approx(wanted, abs=0.08)


@pytest.mark.parametrize("wrong", [0.0, 0.05])
def test_tiles_without_a_doubt_are_wrong_no_more_than_asked(wrong: float) -> None:
    data = collected(np.random.default_rng(5), wrong=wrong)
    judge = fit_judge(data, 1.0, wrong=0.01)
    best, sure = read_values(data)
    kinds = judge.kinds(data.evidence)
    counted = (kinds[:, FACE] >= judge.accept) & (data.evidence.chances[:, :, -1].max(1) <= 0.5)
    calm = counted & (kinds[:, FACE] * judge.values(data.evidence, sure) >= judge.sure)
    right = (best == data.values).all(1)
    assert calm.sum() == 0 or 1 - right[calm].mean() <= 0.01
    assert counted[data.truth == FACE].mean() > 0.9
    assert counted[data.truth != FACE].mean() < 0.05


def test_confidence_means_what_it_says() -> None:
    data = collected(np.random.default_rng(6), count=6000, sharpness=1.5)
    judge = fit_judge(data, 1.5, wrong=0.01)
    best, sure = read_values(data, 1.5)
    faces = data.truth == FACE
    chance = judge.values(data.evidence, sure)[faces]
    right = (best == data.values).all(1)[faces]
    for low, high in ((0.3, 0.6), (0.6, 0.8), (0.8, 0.95)):
        inside = (chance >= low) & (chance < high)
        assert inside.sum() > 50
        assert right[inside].mean() == pytest.approx(chance[inside].mean(), abs=0.08)


def test_numbers_that_a_set_does_not_have_are_not_read() -> None:
    data = collected(np.random.default_rng(7), count=50)
    best, sure = read_values(
        Collected(data.evidence, data.truth, data.values, np.full(50, 6), data.picture, data.tiles)
    )
    assert best.max() <= 6
    assert (sure > 0).all()


def test_a_judge_survives_its_own_table() -> None:
    from calibrate import as_table

    judge = fit_judge(collected(np.random.default_rng(8), count=400), 1.0, wrong=0.01)
    again = Judge.from_contract(as_table(judge))
    assert again.kind_weights == pytest.approx(judge.kind_weights, abs=1e-3)
    assert again.sure == pytest.approx(judge.sure, abs=1e-3)
