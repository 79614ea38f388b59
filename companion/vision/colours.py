"""Colour against number: in a coloured set each number has pips of one colour, so a photo's tiles vouch for each other.

Nothing is known beforehand of any maker's colours. The halves that were read surely show which colour each number has
in this photo; a half that could be two numbers is then the one whose colour it has. Where pips are all of one colour,
or where too few halves are sure, nothing is said. Nor is a sure reading ever doubted for its colour: on rendered hands
all of 14 such alarms were false.
"""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.consistency import Candidate
from companion.vision.pips import evenly_bright

Array = NDArray[np.float64]

_SURE = 0.97
"""Halves read with at least this probability show the colour of their number."""
_INNER = slice(9, 53)
"""Rows and columns of a crop that belong to the half whatever its corners: no rim, no divider, no neighbour."""
_FAR = 18.0
"""Pips are at least this far (CIE Lab) from the body's colour."""
_FEWEST_PIXELS = 12
LIGHTNESS = 0.4
"""How much of a difference in lightness counts: light falls unevenly, and small pips blend with the body."""

_LEAST_SPREAD = 14.0
"""Numbers whose colours differ less than this, on the median, are not told apart by colour."""
_TIMES_NOISE = 3.0
"""... and they must differ this many times as much as halves of one number do."""
_FEWEST_NUMBERS, _FEWEST_TRIALS, _SUCCESS = 4, 4, 0.8
"""Sure halves are tried against the others: so many at least, and this share must have their own number's colour."""
_FLOOR = 3.0
"""Colours of one number differ at least this much from half to half."""
_STRAY = 0.05
"""Share of halves whose colour says nothing: a reflection, a coloured shadow."""
_STRONGEST = 3.0
"""Colour multiplies or divides a probability by at most this, so that it never overrules pips that are clear: of two
numbers, one is made at most nine times as likely against the other."""


def by_colour(candidates: list[Candidate], halves: Sequence[NDArray[np.float32]]) -> list[Candidate]:
    """A photo's candidates as their colours make them likely; `halves` are from `cut_halves`, one a candidate."""
    if not candidates:
        return candidates
    colours = pip_colours(np.array([evenly_bright(tile) for tile in halves]))
    factors = weigh(np.array([candidate.chances for candidate in candidates]), colours)
    return [candidate.weighed(each) for candidate, each in zip(candidates, factors, strict=True)]


def pip_colours(crops: NDArray[np.uint8]) -> Array:
    """The colour of the pips of halves (..., 64, 64, 3) uint8 RGB: (..., 3) lightness and two chromas, NaN if none.

    White balance comes from the body, where it is light enough to show the colour of the light.
    """
    shape = crops.shape[:-3]
    flat = crops.reshape(-1, *crops.shape[-3:])
    return np.array([_pip_colour(crop[_INNER, _INNER]) for crop in flat], np.float64).reshape(*shape, 3)


def _pip_colour(inner: NDArray[np.uint8]) -> Array:
    rgb = inner.reshape(-1, 3).astype(np.float32)
    body = np.median(rgb, 0)
    if body.min() > 90:
        rgb = np.clip(rgb * (235 / body), 0, 255)
    lab = cv2.cvtColor((rgb[None] / 255).astype(np.float32), cv2.COLOR_RGB2LAB)[0].astype(np.float64)
    away = np.linalg.norm(lab - np.median(lab, 0), axis=1)
    pips = away > max(_FAR, 0.5 * float(np.quantile(away, 0.97)))  # pixels at the edge of a pip are half body
    if np.count_nonzero(pips) < _FEWEST_PIXELS:
        return np.full(3, np.nan)
    colour = np.median(lab[pips], 0)
    colour[0] *= LIGHTNESS
    return np.asarray(colour, np.float64)


def weigh(chances: NDArray[np.floating], colours: Array) -> Array:
    """What the colours (n, 2, 3) of a photo's halves say about their numbers, given their chances (n, 2, numbers).

    Returns factors for the chances, (n, 2, numbers), each between 1 / 3 and 3; 1 where nothing is said.
    """
    factors = np.ones(chances.shape)
    read = chances.argmax(2)
    seen = np.isfinite(colours).all(2)
    sure = seen & (chances.max(2) >= _SURE) & (read > 0)
    palette = _Palette(colours[sure], read[sure])
    if palette.is_coloured:
        for k, half in zip(*map(np.ndarray.tolist, np.nonzero(seen)), strict=True):
            others = palette.without(colours[k, half], int(read[k, half])) if sure[k, half] else palette
            fits = others.fits(colours[k, half], chances.shape[2])
            factors[k, half] = np.maximum(fits / fits.max() * _STRONGEST, 1 / _STRONGEST)
    return factors


class _Palette:
    """The colours of numbers, by the halves that show them."""

    def __init__(self, colours: Array, numbers: NDArray[np.intp]) -> None:
        self._colours, self._numbers = colours, numbers
        self._middles = {int(n): np.median(colours[numbers == n], 0) for n in np.unique(numbers)}
        middles = np.array(list(self._middles.values())).reshape(-1, 3)
        self._centre = np.median(middles, 0) if len(middles) else np.zeros(3)
        self._spread = float(np.median(_norms(middles - self._centre))) if len(middles) else 0.0

    def without(self, colour: Array, number: int) -> "_Palette":
        """The same without one half, because nobody vouches for himself."""
        (same,) = np.nonzero((self._numbers == number) & (self._colours == colour).all(1))
        keep = np.arange(len(self._numbers)) != same[0]
        return _Palette(self._colours[keep], self._numbers[keep])

    @property
    def noise(self) -> float:
        """How far halves of one number are from each other."""
        off = [
            _norms(c - np.median(c, 0)) * np.sqrt(len(c) / (len(c) - 1))
            for n in self._middles
            if len(c := self._colours[self._numbers == n]) > 1
        ]
        return max(_FLOOR, float(np.median(np.concatenate(off)))) if off else _FLOOR

    @property
    def is_coloured(self) -> bool:
        """Do numbers have colours of their own? So the sure halves must show, tried one against the others."""
        if len(self._middles) < _FEWEST_NUMBERS or self._spread < max(_LEAST_SPREAD, _TIMES_NOISE * self.noise):
            return False
        trials = []
        for colour, number in zip(self._colours, self._numbers.tolist(), strict=True):
            others = self.without(colour, number)
            if number in others._middles:
                away = {n: float(np.linalg.norm(colour - middle)) for n, middle in others._middles.items()}
                trials.append(away[number] <= min(away.values()) + self.noise)
        return len(trials) >= _FEWEST_TRIALS and float(np.mean(trials)) >= _SUCCESS

    def fits(self, colour: Array, numbers: int) -> Array:
        """(numbers,) how well a half's colour fits each number: densities, up to one factor."""
        stray = density(colour - self._centre, max(self._spread, _LEAST_SPREAD))
        noise = self.noise
        fits = np.full(numbers, stray)
        for n, middle in self._middles.items():
            one = density(colour - middle, noise * np.sqrt(1 + 1 / int((self._numbers == n).sum())))
            fits[n] = (1 - _STRAY) * one + _STRAY * stray
        fits[0] = fits.max()  # a blank has no pips: whatever was seen there, its colour tells nothing against it
        return fits


def _norms(vectors: Array) -> Array:
    return np.asarray(np.linalg.norm(vectors, axis=1), np.float64)


def density(away: Array, scale: float) -> Array:
    """(...) of differences (..., 3) of colours, up to a factor: Student's distribution with two degrees of freedom.

    Colours stray farther than normal.
    """
    return np.asarray((1 + (away**2).sum(-1) / (2 * scale**2)) ** -2.5 / scale**3)
