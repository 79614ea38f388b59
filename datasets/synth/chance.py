"""Draws by chance that several samplers share."""

from __future__ import annotations

import colorsys

import numpy as np

from .scene import Rgb

Rng = np.random.Generator


def pick(rng: Rng, weights: dict[str, float]) -> str:
    names = list(weights)
    p = np.array([weights[n] for n in names], float)
    return str(names[int(rng.choice(len(names), p=p / p.sum()))])


def rgb_of(values: np.ndarray | tuple[float, ...] | list[float]) -> Rgb:
    r, g, b = (float(v) for v in np.clip(np.asarray(values, float), 0, 255))
    return (r, g, b)


def vivid(rng: Rng, low: float = 0.25, high: float = 0.95) -> Rgb:
    r, g, b = colorsys.hsv_to_rgb(rng.random(), rng.uniform(0.45, 1.0), rng.uniform(low, high))
    return rgb_of((r * 255, g * 255, b * 255))
