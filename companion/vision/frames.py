"""Pictures one after the other: of a webcam that stays open, or of a video.

    with open_frames("0") as frames:              # a number is a webcam, everything else a file
        for frame in frames:
            ...                                   # about ten a second

A webcam gives its newest picture at each step, however long the last one took. A video is stepped through in its own
time, so that nothing in it is missed and the same video always gives the same pictures.
"""

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import CaptureError
from companion.vision.camera import ask_for_largest, opened, without_words

# Read by OpenCV when it opens its first video: what is wrong with a file is said in one sentence, and not by FFmpeg.
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")

STEP_S = 0.1
"""Between two pictures."""
PATIENCE_S = 120.0
"""So long a webcam that gives no picture is waited for."""
_AGAIN_S = 1.0
"""A webcam that gives no picture is opened anew so often."""
_BUFFERED, _BUFFERED_S = 6, 0.004
"""A driver keeps some pictures, which come at once; the newest one is waited for."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture."""

    time_s: float
    """Of the video, or since the webcam was opened."""
    pixels: NDArray[np.uint8] | None
    """(H, W, 3) uint8 RGB; None: the webcam gives no picture at the moment."""


def open_frames(source: str) -> "Webcam | Video":
    """A webcam by its number, or a video by its path. Raises CaptureError."""
    return Webcam(int(source)) if source.isdecimal() and len(source) < 4 else Video(Path(source))


class Video:
    """A video, in steps of `STEP_S` of its own time."""

    def __init__(self, path: Path) -> None:
        """Raises CaptureError `video_missing`, `video_is_folder`, `video_is_picture`, `video_unreadable`."""
        if os.path.isdir(path):  # noqa: PTH112  as below
            raise CaptureError("video_is_folder", path=str(path))
        if not os.path.isfile(path):  # noqa: PTH113  Path.is_file raises for names that no system would take
            raise CaptureError("video_missing", path=str(path))
        with without_words():
            if cv2.haveImageReader(str(path)):
                raise CaptureError("video_is_picture", path=str(path))
            self._device = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
        self._at_s = -1.0
        self._first = self._grab()
        if self._first is None:
            self.close()
            raise CaptureError("video_unreadable", path=str(path))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[Frame]:
        """The pictures to the end, or to where the file is damaged."""
        due, frame = 0.0, self._first
        self._first = None
        while frame is not None:
            yield frame
            due = max(due + STEP_S, frame.time_s)
            frame = self._grab(due)

    def close(self) -> None:
        """Let go of the file."""
        self._device.release()

    def _grab(self, due: float = 0.0) -> Frame | None:
        """The first picture that is not before `due`; half a step too early is on time."""
        while self._device.isOpened() and self._device.grab():
            at = float(self._device.get(cv2.CAP_PROP_POS_MSEC)) / 1000
            if at <= self._at_s:  # some files tell no times
                at = self._at_s + 1 / max(float(self._device.get(cv2.CAP_PROP_FPS)), 1.0)
            self._at_s = at
            if at < due - STEP_S / 4:
                continue
            good, picture = self._device.retrieve()
            if good and picture is not None:
                return Frame(at, _rgb(picture))
        return None


class Webcam:
    """A webcam, its newest picture every `STEP_S`."""

    def __init__(
        self,
        number: int,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Raises CaptureError `camera_none`."""
        self._number, self._clock, self._sleep = number, clock, sleep
        self._began = clock()
        self._device: Any = self._opened()
        if self._device is None:
            raise CaptureError("camera_none")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[Frame]:
        """The pictures for ever. Raises CaptureError `watch_camera_lost` when there was none for `PATIENCE_S`."""
        seen = self._clock()
        while True:
            began = self._clock()
            picture = self._newest()
            yield Frame(self._clock() - self._began, picture)
            if picture is not None:
                seen = self._clock()
                wait = STEP_S - (seen - began)
            elif self._clock() - seen >= PATIENCE_S:
                raise CaptureError("watch_camera_lost")
            else:
                wait = _AGAIN_S
            if wait > 0:
                self._sleep(wait)

    def close(self) -> None:
        """Let others have it."""
        if self._device is not None:
            self._device.release()
            self._device = None

    def _opened(self) -> Any:
        """The device, asked for its largest pictures; None: nobody answers."""
        device = opened(self._number)
        try:
            if device.isOpened():
                ask_for_largest(device)
                return device
        except cv2.error:
            pass
        device.release()
        return None

    def _newest(self) -> NDArray[np.uint8] | None:
        if self._device is None:
            self._device = self._opened()
        if self._device is None:
            return None
        try:
            good = False
            for _ in range(_BUFFERED):
                began = self._clock()
                good = bool(self._device.grab())
                if not good or self._clock() - began > _BUFFERED_S:
                    break
            got, picture = self._device.retrieve() if good else (False, None)
        except cv2.error:
            got, picture = False, None
        if not got or picture is None:
            self.close()
            return None
        return _rgb(picture)


def _rgb(picture: NDArray[Any]) -> NDArray[np.uint8]:
    code = cv2.COLOR_GRAY2RGB if picture.ndim == 2 else cv2.COLOR_BGR2RGB
    return np.asarray(cv2.cvtColor(picture, code), np.uint8)
