"""What was seen in a picture of a table, kept for those parts of the next picture that have not changed."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.vision.boxes import Region, suppress
from companion.vision.detector import Found, joined
from companion.vision.evidence import Evidence
from companion.vision.pips import half_sizes_px

_NEAR = 0.3
"""A change so near to a tile, in widths of a tile, may have moved it."""
_AROUND = 2.5
"""So much around a change is looked at, in widths of a tile, so that every tile it touches is seen as a whole."""
_MOST = 0.4
"""Where more than this share of the picture would be looked at, all of it is."""


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """What the networks say of one picture; of parts of it that had not changed, what they said of an earlier one."""

    shape: tuple[int, int]
    """Height and width of the picture."""
    evidence: Evidence
    """Of every box that may be a tile, n of them."""
    cut: NDArray[np.float32]
    """(n, 2, CROP_PX, CROP_PX, 3) their halves, as bright as in the picture."""
    things: Found
    """Boxes of markers and stations."""
    looked: int
    """Boxes that the networks have looked at in this very picture,"""
    whole: bool = True
    """which are all there are, or only those near what had changed."""

    @property
    def width_px(self) -> float | None:
        """Usual width of a tile; None: there is no tile."""
        widths = [half_sizes_px(corners)[0] for corners in self.evidence.corners]
        return float(np.median(widths)) if widths else None

    def windows(self, changed: Sequence[Region]) -> tuple[Region, ...] | None:
        """Where to look in the next picture if only `changed` differs; None: at all of it."""
        width = self.width_px
        if width is None:
            return None
        h, w = self.shape
        windows = _united([_grown(region, _AROUND * width, w, h) for region in changed])
        size = sum((right - left) * (bottom - top) for left, top, right, bottom in windows)
        return windows if size <= _MOST * w * h else None

    def middle(self, faces: NDArray[np.bool_]) -> tuple[Region, ...]:
        """The part of the table where trains lie, if there are any; `faces` (n,) says which boxes are tiles of them."""
        corners, width = self.evidence.corners[faces], self.width_px
        if width is None or not len(corners):
            return ()
        (left, top), (right, bottom) = corners.min((0, 1)).astype(int), corners.max((0, 1)).astype(int)
        h, w = self.shape
        return (_grown((int(left), int(top), int(right), int(bottom)), 2 * width, w, h),)

    def touched(
        self, corners: NDArray[np.float32], changed: Sequence[Region], near: float = _NEAR
    ) -> NDArray[np.bool_]:
        """Which of these boxes (n, 4, 2) a change may have moved, (n,): those less than `near` tile widths away."""
        near *= self.width_px or 0.0
        low, high = corners.min(1), corners.max(1)
        hit = np.zeros(len(corners), np.bool_)
        for left, top, right, bottom in changed:
            hit |= (
                (low[:, 0] < right + near)
                & (high[:, 0] > left - near)
                & (low[:, 1] < bottom + near)
                & (high[:, 1] > top - near)
            )
        return hit

    def merged(
        self,
        changed: Sequence[Region],
        evidence: Evidence,
        cut: NDArray[np.float32],
        things: Found,
        middle: Sequence[Region],
        limits: tuple[float, float],
    ) -> "Seen":
        """With what was seen anew where the picture has changed; `limits` as for `boxes.suppress`.

        Of things all in the `middle` were looked for, too.
        """
        old = np.flatnonzero(~self.touched(self.evidence.corners, changed)).tolist()
        # A box may have come out a little farther off than it was: rather twice, one of the two is dropped, than never.
        new = np.flatnonzero(self.touched(evidence.corners, changed, 2 * _NEAR)).tolist()
        both = self.evidence.take(old).joined(evidence.take(new))
        cuts = np.concatenate([self.cut[old], cut[new]])
        kept = suppress(both.corners, both.scores.max(1), *limits) if len(both) else []
        places = (*changed, *middle)
        still = np.flatnonzero(~self.touched(self.things.corners, places, 0.0)).tolist()
        there = np.flatnonzero(self.touched(things.corners, places, 0.0)).tolist()
        all_things = joined(self.things.take(still), things.take(there))
        single = suppress(all_things.corners, all_things.scores.max(1), *limits) if len(all_things) else []
        return Seen(self.shape, both.take(kept), cuts[kept], all_things.take(single), len(evidence), whole=False)


def _grown(region: Region, by: float, w: int, h: int) -> Region:
    left, top, right, bottom = region
    return max(0, int(left - by)), max(0, int(top - by)), min(w, int(right + by) + 1), min(h, int(bottom + by) + 1)


def _united(regions: Sequence[Region]) -> tuple[Region, ...]:
    """Those that overlap as one, until none does."""
    united: list[Region] = []
    for region in regions:
        left, top, right, bottom = region
        while near := [o for o in united if o[0] < right and left < o[2] and o[1] < bottom and top < o[3]]:
            for other in near:
                united.remove(other)
                left, top = min(left, other[0]), min(top, other[1])
                right, bottom = max(right, other[2]), max(bottom, other[3])
        united.append((left, top, right, bottom))
    return tuple(united)
