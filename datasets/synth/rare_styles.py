"""Boxes of tiles that few people have: toys, coloured plastic, numbers to eighteen, digits instead of pips."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from .chance import Rng, pick, rgb_of, vivid
from .faces import ARRANGEMENTS
from .numerals import FONTS
from .scene import SetStyle

if TYPE_CHECKING:
    from .sampling import Recipe

_BODIES = ((240, 95, 190), (250, 150, 200), (150, 225, 200), (165, 200, 245), (205, 170, 240), (250, 225, 120),
           (20, 120, 90), (25, 90, 60), (30, 60, 130), (150, 25, 35), (120, 60, 30), (250, 150, 60))  # fmt: skip


def widen_style(style: SetStyle, recipe: Recipe, rng: Rng) -> SetStyle:
    """The same box of tiles, or one that no shop of `sample_style` has."""
    if rng.random() < recipe.breadth * 0.15:
        style = _toy(style, rng)
    if recipe.coloured and rng.random() < recipe.coloured:
        style = _coloured(style, rng)
    if not style.holes and rng.random() < recipe.big:
        style = _higher(style, int(rng.choice([15, 18])), rng)
    if not style.holes and rng.random() < recipe.numerals:
        style = replace(
            style,
            numerals=True,
            mark=pick(rng, {"line": 0.45, "dot": 0.25, "": 0.3}),
            font=int(rng.integers(len(FONTS))),
            numeral_up=pick(rng, {"outer": 0.45, "inner": 0.2, "side": 0.15, "sides": 0.2}),
            zero=bool(rng.random() < 0.6),
            spread=rng.uniform(0.8, 1.1),
        )
    return style


def _higher(style: SetStyle, most: int, rng: Rng) -> SetStyle:
    """A double-fifteen or double-eighteen set in the colours of the given one."""
    pips = list(style.pips)
    one = len(set(pips[1:])) == 1
    light = float(np.mean(style.body)) > 120
    while len(pips) <= most:
        pips.append(pips[1] if one else vivid(rng, 0.15, 0.85) if light else vivid(rng, 0.7, 1.0))
    patterns = [*style.patterns[: most + 1]]
    patterns += [int(rng.integers(len(ARRANGEMENTS[n]))) for n in range(len(patterns), most + 1)]
    return replace(
        style, max_pip=most, pips=tuple(pips), patterns=tuple(patterns), dense_radius=min(style.dense_radius, 0.075)
    )


def _toy(style: SetStyle, rng: Rng) -> SetStyle:
    """Pastel or dark plastic with pips in a colour that stands out, thick rounded bricks, boards with pegs."""
    kind = pick(rng, {"pastel": 0.5, "holes": 0.25, "chunky": 0.25})
    body = np.array(_BODIES[int(rng.integers(len(_BODIES)))] if rng.random() < 0.7 else vivid(rng, 0.3, 1.0))
    body = np.clip(body + rng.normal(0, 14, 3), 4, 252)
    if kind == "holes":
        body = rng.uniform(6, 40) + rng.uniform(0, 8, 3) if rng.random() < 0.65 else body
    ink = _apart(body, rng)
    style = replace(
        style,
        body=rgb_of(body),
        side=rgb_of(body * rng.uniform(0.8, 1.0)),
        back=rgb_of(body),
        pips=(rgb_of(ink),) * len(style.pips),
        divider_rgb=rgb_of(ink if rng.random() < 0.6 else body * 0.6),
        texture="plain",
        gloss=rng.uniform(0.2, 1.0),
    )
    if kind == "holes":
        divider = pick(rng, {"groove": 0.6, "none": 0.2, "line": 0.2})
        return replace(
            style,
            max_pip=6,
            pips=style.pips[:7],
            patterns=style.patterns[:7],
            holes=True,
            pip_kind="flat" if rng.random() < 0.5 else "domed",
            divider=divider,
            corner=0.06,
            pip_radius=rng.uniform(0.085, 0.11),
            bevel=0.03,
            thickness=rng.uniform(0.2, 0.6),
        )
    if kind == "chunky":
        return replace(
            style,
            corner=rng.uniform(0.16, 0.27),
            bevel=rng.uniform(0.06, 0.11),
            thickness=rng.uniform(0.4, 0.75),
            pip_radius=rng.uniform(0.09, 0.125),
            pip_kind="domed",
        )
    return style


def _coloured(style: SetStyle, rng: Rng) -> SetStyle:
    """Plastic in any colour, faces and mostly backs too, with pips in one colour or in many."""
    kind = pick(rng, {"vivid": 0.6, "wood": 0.14, "middle": 0.14, "dark": 0.12})
    body = {
        "vivid": np.array(vivid(rng, 0.2, 1.0)),
        "wood": np.array([rng.uniform(90, 225), rng.uniform(60, 170), rng.uniform(30, 115)]),
        "middle": np.full(3, rng.uniform(60, 200)) + rng.normal(0, 10, 3),
        "dark": rng.uniform(8, 70, 3),
    }[kind]
    inks = [_apart(body, rng) for _ in range(len(style.pips))]
    if rng.random() < 0.55:
        inks = inks[:1] * len(inks)
    back = body if rng.random() < 0.7 else np.array(vivid(rng))
    return replace(
        style,
        body=rgb_of(body),
        side=rgb_of(body * rng.uniform(0.75, 1.0)),
        back=rgb_of(back),
        pips=tuple(rgb_of(ink) for ink in inks),
        divider_rgb=rgb_of(inks[0] if rng.random() < 0.5 else body * 0.5),
        texture="wood" if kind == "wood" else style.texture,
    )


def _apart(body: np.ndarray, rng: Rng) -> np.ndarray:
    """A colour for pips that can be told from the body by tone or by hue."""
    for _ in range(30):
        ink = np.array(vivid(rng, 0.1, 1.0)) if rng.random() < 0.7 else np.full(3, float(rng.choice([20, 245])))
        if np.abs(ink - body).sum() > 170:
            return ink
    return np.full(3, 20.0 if body.mean() > 128 else 245.0)
