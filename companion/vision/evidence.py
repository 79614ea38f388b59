"""What the networks say of each box of a photo, and what that is worth: probabilities, fitted on held-out renders.

Three networks see a box: the detector, the corner refiner, the pip reader. None alone knows how sure to be. Two small
logistic models put their words together (`models/calibrate.py` fits them): what lies there, and whether the value is
right.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.vision.pips import half_sizes_px

FACE, BACK, NONE = 0, 1, 2
"""The columns of `Judge.kinds`."""

UNCOUNTABLE, UNCLEAR = 0.9, 0.5
"""A tile whose worse half is junk to this degree is pointed out and not counted, or counted with a doubt: a blank half
without a divider looks much like a back."""

_LEAST = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """What the networks say of n boxes."""

    corners: NDArray[np.float32]
    """(n, 4, 2) refined corners in pixels of the photo; they may lie beyond its edge."""
    scores: NDArray[np.float32]
    """(n, 2) the detector's scores for tile and back."""
    kinds: NDArray[np.float32]
    """(n, 3) the refiner's probabilities of face, back, none."""
    chances: NDArray[np.float32]
    """(n, 2, classes) the pip reader's probabilities for both halves; the last class is 'unreadable'."""

    def __len__(self) -> int:
        return len(self.corners)

    def take(self, keep: list[int]) -> "Evidence":
        """Only these boxes, in this order."""
        return Evidence(self.corners[keep], self.scores[keep], self.kinds[keep], self.chances[keep])

    def joined(self, *others: "Evidence") -> "Evidence":
        """These boxes, then the others."""
        parts = zip(*(each._arrays() for each in (self, *others)), strict=True)
        return Evidence(*(np.concatenate(part) for part in parts))

    def _arrays(self) -> tuple[NDArray[np.float32], ...]:
        return self.corners, self.scores, self.kinds, self.chances

    def junk(self) -> NDArray[np.float64]:
        """(n,) how probably the worse half of each box is no half that can be read.

        A blank half without a divider is like a back; beside a half with pips it is a blank, if not a sure one.
        """
        halves = np.asarray(self.chances[:, :, -1], np.float64)
        blank = (self.chances[:, :, 0] > (1 - halves) / 2) & (halves[:, ::-1] < UNCLEAR)
        return np.asarray(np.where(blank, np.minimum(halves, UNCOUNTABLE), halves).max(1))

    def kind_features(self) -> NDArray[np.float64]:
        """(n, 10): what tells a face from a back from nothing. Backs show no pips, whatever their colour."""
        readable = 1.0 - np.asarray(self.chances[:, :, -1], np.float64)
        pips = readable - self.chances[:, :, 0]
        kinds = np.log(np.maximum(self.kinds.astype(np.float64), _LEAST))
        return np.column_stack(
            [
                np.ones(len(self)),
                _logit(self.scores[:, 0]),
                _logit(self.scores[:, 1]),
                kinds[:, FACE] - kinds[:, NONE],
                kinds[:, BACK] - kinds[:, NONE],
                _logit(readable.min(1)) if len(self) else np.zeros(0),
                _logit(readable.max(1)) if len(self) else np.zeros(0),
                _logit(pips.min(1)) if len(self) else np.zeros(0),
                _logit(pips.max(1)) if len(self) else np.zeros(0),
                np.log(self._sizes()),
            ]
        )

    def value_features(self, sure: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
        """(n, 4): what tells a right value from a wrong one; `sure` (n, 2) are the probabilities of the numbers."""
        return np.column_stack(
            [
                np.ones(len(self)),
                _logit(sure.min(1)) if len(self) else np.zeros(0),
                _logit(sure.max(1)) if len(self) else np.zeros(0),
                np.log(self._sizes()),
            ]
        )

    def _sizes(self) -> NDArray[np.float64]:
        return np.array([max(1.0, min(half_sizes_px(c))) for c in self.corners], np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Judge:
    """The two logistic models, and the probabilities at which doubt begins."""

    kind_weights: NDArray[np.float64]
    """(10, 3) for face, back, none."""
    value_weights: NDArray[np.float64]
    """(4,) for 'the value is right, given that a face is there'."""
    accept: float = 0.5
    """From this probability of a face on, a tile is counted."""
    notice: float = 0.15
    """From this probability on, a place that is not counted is pointed out."""
    sure: float = 0.98
    """From this probability on that a tile is there and its value right, there is no doubt."""
    sure_back: float = 0.9
    """Backs that may be a face (`no_face` is less) are a doubt: a blank tile may look like one."""

    def kinds(self, evidence: Evidence) -> NDArray[np.float64]:
        """(n, 3) probabilities of face, back, nothing."""
        z = evidence.kind_features() @ self.kind_weights
        z -= z.max(1, keepdims=True) if len(z) else 0.0
        chances = np.exp(z)
        return np.asarray(chances / chances.sum(1, keepdims=True))

    def values(self, evidence: Evidence, sure: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
        """(n,) probability that the value is right where a face is; `sure` (n, 2) as in `value_features`."""
        return np.asarray(1 / (1 + np.exp(-(evidence.value_features(sure) @ self.value_weights))))

    @classmethod
    def from_contract(cls, table: dict[str, Any]) -> "Judge":
        """The table [judge] of `model.toml`. Raises KeyError, TypeError, ValueError."""
        kind = np.array(table["kind_weights"], np.float64)
        value = np.array(table["value_weights"], np.float64)
        limits = {name: float(table[name]) for name in ("accept", "notice", "sure", "sure_back")}
        if kind.shape != (10, 3) or value.shape != (4,) or not all(0 < limit < 1 for limit in limits.values()):
            raise ValueError("a judge of another shape")
        if not (np.isfinite(kind).all() and np.isfinite(value).all()):
            raise ValueError("a weight that is no number")
        return cls(kind, value, **limits)


def no_face(kinds: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n,) how probably what is called a back is no face; `kinds` (n, 3) as `Judge.kinds` gives them."""
    return np.asarray(kinds[:, BACK] / np.maximum(kinds[:, BACK] + kinds[:, FACE], _LEAST))


def _logit(p: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
    q = np.clip(np.asarray(p, np.float64), _LEAST, 1 - _LEAST)
    return np.asarray(np.log(q / (1 - q)))
