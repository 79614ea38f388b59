"""The webcams of this machine: which there are, and one still picture at full resolution.

    from companion.vision.camera import cameras, still

    [camera, *_] = cameras()
    photo = still(camera.number)          # JPEG, for `companion.vision.photo.Photo.from_bytes` or a scan queue

Nothing is kept open: a lamp that shines beside the lens only while somebody takes a picture worries nobody.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2

from companion.errors import CaptureError

PROBED = 4
"""How many numbers are tried where the system has no list."""
MOST_PX = 10_000
"""Asked for as width and height: the driver gives its largest picture."""
WARM_UP = 8
"""Pictures that are thrown away while exposure and focus settle."""
QUALITY = 95
"""Of the JPEG."""

_LISTED = Path("/sys/class/video4linux")


@dataclass(frozen=True, slots=True)
class Camera:
    """A webcam."""

    number: int
    """What OpenCV calls it."""
    name: str
    """What its maker calls it; empty where the system does not say."""


def cameras(listed: Path = _LISTED) -> tuple[Camera, ...]:
    """The webcams of this machine, in the system's order. `listed` is Linux's own list; elsewhere numbers are tried."""
    if sys.platform != "linux":
        return tuple(Camera(number, "") for number in range(PROBED) if _there(number))
    found = []
    for folder in listed.glob("video*"):
        number = folder.name.removeprefix("video")
        # a camera has further entries for its metadata, with an index of their own
        if number.isdigit() and _line(folder / "index") in ("", "0"):
            found.append(Camera(int(number), _line(folder / "name")))
    return tuple(sorted(found, key=lambda camera: camera.number))


def still(number: int) -> bytes:
    """One picture as JPEG, as large as the camera can.

    Raises CaptureError: `camera_none` when there is no such camera or somebody else has it, `camera_gone` when it
    gives no picture.
    """
    device = opened(number)
    try:
        if not device.isOpened():
            raise CaptureError("camera_none")
        ask_for_largest(device)
        frame: Any = None
        for _ in range(WARM_UP + 1):
            good, frame = device.read()
            if not good or frame is None:
                raise CaptureError("camera_gone")
        good, coded = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        if not good:
            raise CaptureError("camera_gone")
        return coded.tobytes()
    except cv2.error as error:
        raise CaptureError("camera_gone") from error
    finally:
        device.release()


@contextmanager
def without_words() -> Iterator[None]:
    """OpenCV keeps to itself what it thinks of a device or a file: that is said in one sentence."""
    loud = cv2.utils.logging.getLogLevel()
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    try:
        yield
    finally:
        cv2.utils.logging.setLogLevel(loud)


def opened(number: int) -> cv2.VideoCapture:
    """A webcam, which may not be there."""
    with without_words():
        return cv2.VideoCapture(number)


def ask_for_largest(device: cv2.VideoCapture) -> None:
    """Have an open camera give its largest pictures; uncompressed, most webcams give only small ones."""
    device.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    device.set(cv2.CAP_PROP_FRAME_WIDTH, MOST_PX)
    device.set(cv2.CAP_PROP_FRAME_HEIGHT, MOST_PX)


def _there(number: int) -> bool:
    device = opened(number)
    try:
        return bool(device.isOpened())
    finally:
        device.release()


def _line(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""
