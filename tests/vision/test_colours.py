"""Halves drawn in the colours of sets in the shops."""

from dataclasses import replace

import numpy as np
import pytest
from synth.faces import draw_face
from synth.sampling import COLOUR_CODES, sample_style
from synth.scene import SetStyle

from companion.vision.colours import pip_colours, weigh
from companion.vision.pips import half_crops

HAND = [(1, 6), (6, 10), (10, 4), (4, 1), (2, 6), (10, 2), (0, 4), (12, 6)]


def style(
    body: tuple[float, float, float], pips: dict[int, tuple[float, float, float]], kind: str = "flat"
) -> SetStyle:
    return replace(
        sample_style(np.random.default_rng(5)), body=body, pips=tuple(pips.get(n, (20, 20, 20)) for n in range(13)),
        max_pip=12, patterns=(0,) * 13, pip_kind=kind, divider="bar", texture="plain", pip_radius=0.09,
        dense_radius=0.07, spread=1.0, length=2.0,
    )  # fmt: skip


def crops(look: SetStyle, light: tuple[float, float, float] = (1, 1, 1)) -> np.ndarray:
    """(tiles, 2, 64, 64, 3): each tile under a light of its own, some darker."""
    rng = np.random.default_rng(8)
    cut = []
    for a, b in HAND:
        face = draw_face(look, a, b, 90, np.array([0.3, 0.2]), rng)
        lit = np.clip(face * (np.array(light) * rng.uniform(0.55, 1.0)) + rng.normal(0, 3, face.shape), 0, 255)
        h, w = face.shape[:2]
        cut.append(half_crops(lit.astype(np.uint8), np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)))
    return np.array(cut)


def chances(unsure: dict[tuple[int, int], dict[int, float]] | None = None) -> np.ndarray:
    """What a reader says: sure of all, except of the halves (tile, half) that are given."""
    rows = np.full((len(HAND), 2, 13), 0.001)
    for k, tile in enumerate(HAND):
        for half, n in enumerate(tile):
            for number, chance in (unsure or {}).get((k, half), {n: 0.99}).items():
                rows[k, half, number] = chance
    return rows / rows.sum(2, keepdims=True)


LIGHTS = [(1.0, 1.0, 1.0), (1.0, 0.85, 0.6)]
BODIES = [(250.0, 250.0, 250.0), (245.0, 235.0, 205.0), (25.0, 25.0, 28.0)]


@pytest.mark.parametrize("light", LIGHTS, ids=["day", "lamp"])
@pytest.mark.parametrize("body", BODIES, ids=["white", "ivory", "black"])
@pytest.mark.parametrize("code", COLOUR_CODES)
def test_a_half_that_could_be_two_numbers_is_the_one_whose_colour_it_has(
    code: dict[int, tuple[float, float, float]], body: tuple[float, float, float], light: tuple[float, float, float]
) -> None:
    if body[0] < 100:  # dark pips would not be seen on a black set
        code = {n: tuple(60 + 0.76 * v for v in rgb) for n, rgb in code.items()}  # type: ignore[misc]
    before = chances({(1, 1): {10: 0.45, 6: 0.5}})  # a bright ten, taken for a six
    after = before * weigh(before, pip_colours(crops(style(body, code), light)))
    assert after[1, 1].argmax() == 10


@pytest.mark.parametrize("kind", ["flat", "engraved", "domed", "ringed"])
@pytest.mark.parametrize("ink", [(15, 15, 18), (40, 60, 150), (200, 30, 30)], ids=["black", "blue", "red"])
def test_nothing_is_said_where_all_pips_have_one_colour(kind: str, ink: tuple[float, float, float]) -> None:
    look = style((245.0, 240.0, 225.0), dict.fromkeys(range(13), ink), kind)
    for light in LIGHTS:
        assert (weigh(chances(), pip_colours(crops(look, light))) == 1).all()


def test_white_pips_on_black_say_nothing_either() -> None:
    look = style((20.0, 20.0, 22.0), dict.fromkeys(range(13), (245, 245, 240)))
    assert (weigh(chances(), pip_colours(crops(look))) == 1).all()


def test_a_clear_reading_is_never_overruled_and_a_factor_is_bounded() -> None:
    before = chances({(1, 1): {6: 0.93, 10: 0.03}})  # read wrongly, and quite sure of it
    factors = weigh(before, pip_colours(crops(style(BODIES[0], COLOUR_CODES[0]))))
    assert factors.min() >= 1 / 3
    assert factors.max() <= 3
    assert (before * factors)[1, 1].argmax() == 6
    assert factors[1, 1, 10] > factors[1, 1, 6], "but it is less sure now"


def test_numbers_that_share_a_colour_are_not_told_apart() -> None:
    three = [(200, 30, 40), (30, 70, 190), (30, 130, 60)]
    look = style(BODIES[0], {n: three[n % 3] for n in range(13)})
    before = chances({(1, 1): {10: 0.45, 4: 0.5}})  # both of the same colour
    after = before * weigh(before, pip_colours(crops(look)))
    assert after[1, 1].argmax() == 4


def test_colour_says_nothing_against_a_blank() -> None:
    cut = crops(style(BODIES[0], COLOUR_CODES[0]))
    cut[6, 0, 20:30, 20:30] = (
        210,
        30,
        40,
    )  # something red lies in the blank half, as red as the threes and ones are not
    before = chances({(6, 0): {0: 0.55, 4: 0.43}})
    assert (before * weigh(before, pip_colours(cut)))[6, 0].argmax() == 0


def test_too_few_sure_halves_say_nothing() -> None:
    cut = crops(style(BODIES[0], COLOUR_CODES[0]))
    colours = pip_colours(cut)
    assert (weigh(chances()[:2], colours[:2]) == 1).all()
    unsure = np.full((len(HAND), 2, 13), 1 / 13)
    assert (weigh(unsure, colours) == 1).all()
    assert weigh(np.zeros((0, 2, 13)), np.zeros((0, 2, 3))).shape == (0, 2, 13)


def test_a_half_without_pips_has_no_colour() -> None:
    colours = pip_colours(crops(style(BODIES[0], COLOUR_CODES[0])))
    assert np.isnan(colours[6, 0]).all()
    assert np.isfinite(colours[0]).all()
