"""Boxes of tiles by chance: bodies, pips, dividers and backs as the shops sell them."""

from __future__ import annotations

import numpy as np

from .chance import Rng, pick, rgb_of, vivid
from .faces import ARRANGEMENTS
from .scene import Rgb, SetStyle

COLOUR_CODES: tuple[dict[int, Rgb], ...] = (
    {
        1: (70, 165, 205), 2: (50, 130, 60), 3: (200, 30, 50), 4: (150, 85, 55), 5: (25, 85, 190),
        6: (245, 160, 30), 7: (175, 45, 140), 8: (25, 150, 140), 9: (75, 45, 120), 10: (230, 95, 30),
        11: (110, 30, 60), 12: (130, 130, 135),
    },
    {
        1: (90, 170, 220), 2: (20, 120, 80), 3: (190, 20, 40), 4: (150, 140, 120), 5: (80, 140, 215),
        6: (240, 200, 30), 7: (235, 120, 170), 8: (35, 85, 45), 9: (120, 90, 180), 10: (245, 165, 30),
        11: (30, 30, 35), 12: (150, 150, 160),
    },
    {
        1: (30, 60, 150), 2: (200, 40, 40), 3: (30, 110, 60), 4: (90, 60, 40), 5: (20, 20, 25),
        6: (230, 180, 40), 7: (110, 50, 120), 8: (60, 160, 220), 9: (200, 90, 130), 10: (100, 150, 40),
        11: (170, 110, 60), 12: (90, 95, 105),
    },
)  # fmt: skip
"""Colour codes of sets in the shops, number -> RGB; makers differ, so they are starting points."""


def sample_style(rng: Rng, ordinary: bool = False) -> SetStyle:
    """A box of tiles: most are ivory or white, as in the shops; some black, coloured or wooden."""
    max_pip = int(rng.choice([6, 9, 12], p=[0.3, 0.1, 0.6]))
    kinds = {"ivory": 0.3, "white": 0.32, "black": 0.11, "vivid": 0.15, "wood": 0.06, "grey": 0.06}
    kind = pick(rng, {"ivory": 0.5, "white": 0.42, "black": 0.08} if ordinary else kinds)
    white = rng.uniform(215, 255)
    body = {
        "ivory": np.array([white, white - rng.uniform(2, 22), white - rng.uniform(15, 80)]),
        "white": np.full(3, white) - rng.uniform(0, 10, 3),
        "black": rng.uniform(8, 55, 3) * 0.4 + rng.uniform(5, 40),
        "vivid": np.array(vivid(rng)),
        "wood": np.array([rng.uniform(140, 225), rng.uniform(95, 170), rng.uniform(50, 115)]),
        "grey": np.full(3, rng.uniform(90, 200)) + rng.normal(0, 8, 3),
    }[kind]
    light_body = body @ [0.3, 0.59, 0.11] > 120
    pips = _sample_pips(rng, kind, bool(light_body), body)
    small = kind == "vivid" and rng.random() < 0.4
    radius = rng.uniform(0.045, 0.075) if small else rng.uniform(0.072, 0.12)
    divider = pick(rng, {"line": 0.22, "bar": 0.33, "groove": 0.12, "pin": 0.07, "line+pin": 0.2, "none": 0.06})
    if rng.random() < 0.6:
        ink = np.full(3, rng.uniform(5, 60)) if light_body else np.full(3, rng.uniform(190, 255))
    else:
        ink = np.array(pips[int(rng.integers(1, max_pip + 1))])
    layered = rng.random() < 0.3
    side = (
        body * rng.uniform(0.75, 1.0) if not layered else np.array(vivid(rng) if rng.random() < 0.5 else (25, 22, 20))
    )
    back = side if layered else body
    if rng.random() < 0.12:
        back = np.array(vivid(rng))
    return SetStyle(
        max_pip=max_pip,
        body=rgb_of(body),
        side=rgb_of(side),
        back=rgb_of(back),
        back_kind=pick(rng, {"plain": 0.62, "logo": 0.18, "pattern": 0.1, "frame": 0.1}),
        pips=pips,
        pip_kind=pick(rng, {"flat": 0.27, "engraved": 0.43, "ringed": 0.08, "domed": 0.12, "socket": 0.1}),
        pip_radius=radius,
        dense_radius=min(radius, rng.uniform(0.058, 0.092)),
        spread=rng.uniform(0.88, 1.08),
        patterns=tuple(int(rng.integers(len(ARRANGEMENTS[n]))) for n in range(max_pip + 1)),
        divider=divider,
        divider_rgb=rgb_of(ink),
        corner=rng.uniform(0.03, 0.2),
        bevel=rng.uniform(0.02, 0.09),
        length=float(np.clip(rng.normal(1.98, 0.07), 1.75, 2.2)),
        thickness=rng.uniform(0.16, 0.52),
        texture="wood" if kind == "wood" else pick(rng, {"plain": 0.86, "marbled": 0.1, "speckled": 0.04}),
        gloss=rng.uniform(0, 1) ** 1.5,
    )


def _sample_pips(rng: Rng, kind: str, light_body: bool, body: np.ndarray) -> tuple[Rgb, ...]:
    if light_body and kind in ("ivory", "white", "grey", "wood"):
        plan = pick(rng, {"code": 0.38, "black": 0.37, "random": 0.18, "one": 0.07})
    elif light_body:
        plan = pick(rng, {"black": 0.3, "white": 0.25, "one": 0.3, "random": 0.15})
    else:
        plan = pick(rng, {"white": 0.66, "one": 0.16, "random": 0.18})
    spread = rng.uniform(0, 16)
    if plan == "code":
        code = COLOUR_CODES[int(rng.choice(len(COLOUR_CODES), p=[0.5, 0.3, 0.2]))]
        gain = rng.uniform(0.8, 1.15)
        return (rgb_of((0, 0, 0)), *(rgb_of(np.array(code[n]) * gain + rng.normal(0, spread, 3)) for n in range(1, 13)))
    if plan == "black":
        return (rgb_of(rng.uniform(5, 55, 3) * 0.5 + rng.uniform(0, 25)),) * 13
    if plan == "white":
        return (rgb_of(np.full(3, rng.uniform(200, 255)) - rng.uniform(0, 25, 3)),) * 13
    if plan == "one":
        for _ in range(20):
            ink = np.array(vivid(rng, 0.2, 1.0))
            if np.abs(ink - body).sum() > 90:
                break
        return (rgb_of(ink),) * 13
    low, high = (0.15, 0.85) if light_body else (0.7, 1.0)
    return tuple(vivid(rng, low, high) for _ in range(13))
