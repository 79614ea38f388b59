"""Watches a table through a camera: is it still, and where has it changed since it was read?

Nothing is read here. Every picture is shrunk to `SMALL_PX`, so that a look takes a few milliseconds whatever the camera
gives; regions and pushes are told in pixels of the whole picture.

    tracker = Tracker()
    look = tracker.look(time_s, pixels)
    if look.view is View.STILL and look.regions:
        ...                                   # read these regions at full resolution
        tracker.accept()                      # from now on compare with this picture
"""

from collections import deque
from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.boxes import Region
from companion.vision.pushes import Push, find_push, reach_px

Grey = NDArray[np.float32]

SMALL_PX = 480
"""Longer side of what is looked at; the smallest tile that can be read is 10 pixels long in it."""
SETTLE_S = 0.45
"""A table is still when nothing has moved for so long."""

_BLUR = 0.8
_CHANGED = 13.0
"""Difference of brightness (of 255) that noise, compression and a lamp do not make."""
_SLACK_PX = 0.7
"""Of an edge that much may be out of place: a stand shakes, a lens breathes."""
_WHITE = 244.0
_LIGHT_PX = 41
"""Light changes evenly over such an area; tiles are smaller."""
_LEAST_PX = 6
"""A change of fewer pixels of the small picture is none,"""
_MOVING_PX = 9
"""and nor is a movement."""
_JOIN_PX = 9
"""Changes nearer to each other than this are one region."""
_GROW_PX = 2
_MANY = 0.06
"""Where more than this share of the picture differs, or regions are many, the camera may have been pushed."""
_MANY_REGIONS = 5
_OTHER = 0.5
"""Where changes cover more than this share of the picture, it is another view."""
_DARK = 26.0
"""Of a picture with light at least one pixel in a hundred is brighter."""
_EVEN = 9.0
"""Of a picture that shows anything at least one pixel in a hundred lies on a steeper edge."""


class View(StrEnum):
    """What a look sees."""

    DARK = "dark"
    """Nothing but black."""
    COVERED = "covered"
    """One even tone: something is before the lens."""
    MOVING = "moving"
    """Something moves: a hand, or the camera."""
    SETTLING = "settling"
    """Nothing moves, but not for long yet."""
    STILL = "still"
    """The table may be read."""


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """One look at the table."""

    time_s: float
    """When."""
    view: View
    """What is seen."""
    regions: tuple[Region, ...] = ()
    """Where a still table differs from what was read last: left, top, right, bottom in pixels of the whole picture.
    All of it where nothing was read yet or the camera was pushed."""
    whole: bool = False
    """Is it to be read anew as a whole?"""
    push: Push | None = None
    """How the camera was pushed since the last reading; None: it was not."""


class Tracker:
    """Compares each picture with those before it, and with the one that was read last."""

    def __init__(self) -> None:
        self._recent: deque[tuple[float, Grey]] = deque()
        """The pictures since the last movement, no more than SETTLE_S old but for the first."""
        self._still_since: float | None = None
        self._read: Grey | None = None
        self._now: Grey | None = None
        self._scale = 1.0

    def look(self, time_s: float, pixels: NDArray[np.uint8]) -> Look:
        """Look at a picture (H, W, 3) uint8 RGB; `time_s` grows from look to look."""
        small = self._small(pixels)
        view = _bad_view(small)
        if view is not None:
            self._recent.clear()
            self._still_since = self._now = None
            return Look(time_s, view)
        if self._recent and self._recent[0][1].shape != small.shape:
            self._recent.clear()
            self._read = None
        if self._recent and self._moves(small):
            self._recent.clear()
            self._still_since = None
        moved = not self._recent and self._now is not None
        self._remember(time_s, small)
        assert self._still_since is not None
        if moved:
            return Look(time_s, View.MOVING)
        if time_s - self._still_since < SETTLE_S:
            return Look(time_s, View.SETTLING)
        return self._still(time_s, small, pixels)

    def accept(self) -> None:
        """The picture of the last look was read: from now on compare with it."""
        self._read = self._now

    def forget(self) -> None:
        """What was read no longer counts: the next still table is read as a whole."""
        self._read = None

    def _small(self, pixels: NDArray[np.uint8]) -> Grey:
        h, w = pixels.shape[:2]
        self._scale = min(1.0, SMALL_PX / max(h, w))
        size = max(1, round(w * self._scale)), max(1, round(h * self._scale))
        grey = cv2.cvtColor(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), cv2.COLOR_RGB2GRAY)
        return np.asarray(cv2.GaussianBlur(grey.astype(np.float32), (0, 0), _BLUR))

    def _remember(self, time_s: float, small: Grey) -> None:
        if self._still_since is None:
            self._still_since = time_s
        self._recent.append((time_s, small))
        while len(self._recent) > 2 and time_s - self._recent[1][0] >= SETTLE_S:
            self._recent.popleft()
        self._now = small

    def _moves(self, small: Grey) -> bool:
        """Does it differ from the last picture, or by slow steps from the oldest one?"""
        pictures = [self._recent[-1][1]]
        if len(self._recent) > 1:
            pictures.append(self._recent[0][1])
        return any(int(_opened(changed(old, small)).sum()) >= _MOVING_PX for old in pictures)

    def _still(self, time_s: float, small: Grey, pixels: NDArray[np.uint8]) -> Look:
        everything: tuple[Region, ...] = ((0, 0, pixels.shape[1], pixels.shape[0]),)
        if self._read is None or self._read.shape != small.shape:
            return Look(time_s, View.STILL, everything, whole=True)
        mask = changed(self._read, small)
        found = _regions(mask)
        if not found:
            return Look(time_s, View.STILL)
        if len(found) > _MANY_REGIONS or mask.mean() > _MANY:
            push = find_push(self._read, small)
            if push is None:
                if sum((right - left) * (bottom - top) for left, top, right, bottom in found) > _OTHER * mask.size:
                    return Look(time_s, View.STILL, everything, whole=True)
            elif reach_px(push, small.shape) > _SLACK_PX:
                return Look(time_s, View.STILL, everything, whole=True, push=push.scaled(1 / self._scale))
        return Look(time_s, View.STILL, tuple(self._in_picture(box, pixels) for box in found))

    def _in_picture(self, box: tuple[int, int, int, int], pixels: NDArray[np.uint8]) -> Region:
        left, top, right, bottom = (value / self._scale for value in box)
        h, w = pixels.shape[:2]
        return max(0, int(left)), max(0, int(top)), min(w, int(np.ceil(right))), min(h, int(np.ceil(bottom)))


def changed(before: Grey, now: Grey) -> NDArray[np.bool_]:
    """Where two pictures of one place differ, (h, w): more than by noise, by light, or by a hair's shift."""
    off = np.abs(now - before)
    if float(off.max()) < _CHANGED:  # the usual case, in a tenth of the time
        return np.zeros(now.shape, np.bool_)
    same = np.ones_like(now)
    slack = _SLACK_PX * np.minimum(_steepness(before), _steepness(now)) + _CHANGED
    for _ in range(2):
        light = cv2.blur(now * same, (_LIGHT_PX, _LIGHT_PX)) / np.maximum(
            cv2.blur(before * same, (_LIGHT_PX, _LIGHT_PX)), 1e-3
        )
        covered = cv2.blur(same, (_LIGHT_PX, _LIGHT_PX)) < 0.2  # too little is left to tell the light by
        evenly = float((now * same).sum() / max(float((before * same).sum()), 1e-3))
        light = np.where(covered, evenly, light).astype(np.float32)
        wanted = light * before
        off = np.abs(now - wanted)
        # of what is clipped to white only that much is known
        off[((now >= _WHITE) & (wanted > now)) | ((before >= _WHITE) & (wanted < now))] = 0
        same = (off < slack).astype(np.float32)
    return np.asarray(off >= slack)


def _steepness(grey: Grey) -> Grey:
    """Change of brightness per pixel."""
    dx, dy = cv2.Sobel(grey, cv2.CV_32F, 1, 0, scale=1 / 8), cv2.Sobel(grey, cv2.CV_32F, 0, 1, scale=1 / 8)
    return np.asarray(cv2.magnitude(dx, dy))


def _opened(mask: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Without single pixels and thin lines."""
    return np.asarray(cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)))


def _regions(mask: NDArray[np.bool_]) -> list[tuple[int, int, int, int]]:
    """Boxes around what has changed: left, top, right, bottom."""
    opened = _opened(mask)
    joined = cv2.dilate(opened, np.ones((_JOIN_PX, _JOIN_PX), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(joined)
    sizes = np.bincount(labels[opened > 0], minlength=count)
    spread = _JOIN_PX // 2 - _GROW_PX
    boxes = []
    for label in range(1, count):
        x, y, w, h = (int(v) for v in stats[label, :4])
        if sizes[label] >= _LEAST_PX:
            boxes.append((x + spread, y + spread, x + w - spread, y + h - spread))
    return boxes


def _bad_view(small: Grey) -> View | None:
    if float(np.percentile(small, 99)) < _DARK:
        return View.DARK
    if float(np.percentile(_steepness(small), 99)) < _EVEN / 4:
        return View.COVERED
    return None
