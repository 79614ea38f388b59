"""Videos and webcams that stay open, the latter with a stand-in for OpenCV's."""

from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.errors import CaptureError
from companion.text import Language, error_sentence
from companion.vision.camera import still
from companion.vision.frames import PATIENCE_S, STEP_S, Video, Webcam, open_frames


def video(path: Path, fps: float, frames: int) -> Path:
    """Each picture is as bright as its number."""
    writer = cv2.VideoWriter(str(path), cv2.CAP_FFMPEG, cv2.VideoWriter.fourcc(*"mp4v"), fps, (64, 48))
    for number in range(frames):
        writer.write(np.full((48, 64, 3), (0, 0, 4 * number), np.uint8))
    writer.release()
    return path


@pytest.mark.parametrize(("fps", "frames", "looks"), [(30, 60, 20), (10, 12, 12), (5, 6, 6), (25, 50, 20)])
def test_a_video_is_stepped_through_in_its_own_time(tmp_path: Path, fps: float, frames: int, looks: int) -> None:
    with open_frames(str(video(tmp_path / "round.mp4", fps, frames))) as found:
        seen = list(found)
    assert len(seen) == looks
    steps = np.diff([frame.time_s for frame in seen])
    assert np.all(steps > 0.79 * max(STEP_S, 1 / fps))
    assert np.all(steps < 1.21 * max(STEP_S, 1 / fps))
    for frame in seen:
        assert frame.pixels is not None
        assert frame.pixels.shape == (48, 64, 3)
        assert abs(float(frame.pixels[..., 0].mean()) - 4 * round(frame.time_s * fps)) < 5, "red comes first"


def test_a_video_without_times_is_stepped_through_by_its_rate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = cv2.VideoCapture

    class Timeless:
        def __init__(self, *words: object) -> None:
            self._device = real(*words)

        def __getattr__(self, name: str) -> Any:
            return getattr(self._device, name)

        def get(self, what: int) -> float:
            return 0.0 if what == cv2.CAP_PROP_POS_MSEC else self._device.get(what)

    monkeypatch.setattr(cv2, "VideoCapture", Timeless)
    assert len(list(Video(video(tmp_path / "round.mp4", 30, 60)))) == 20


def test_the_same_video_gives_the_same_pictures(tmp_path: Path) -> None:
    path = video(tmp_path / "round.mp4", 30, 30)
    once, again = ([(frame.time_s, frame.pixels) for frame in Video(path)] for _ in range(2))
    assert all(a[0] == b[0] and np.array_equal(a[1], b[1]) for a, b in zip(once, again, strict=True))


@pytest.mark.parametrize(
    ("name", "content", "key"),
    [
        ("none.mp4", None, "video_missing"),
        ("text.mp4", b"no video at all", "video_unreadable"),
        ("empty.mp4", b"", "video_unreadable"),
    ],
)
def test_a_file_that_is_no_video(
    tmp_path: Path, name: str, content: bytes | None, key: str, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(CaptureError) as caught:
        open_frames(str(path))
    assert caught.value.key == key
    for lang in Language:
        assert error_sentence(caught.value, lang).endswith(".")
    assert capfd.readouterr().err == "", "one sentence is enough"


class Clock:
    """Time that passes while somebody sleeps."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


class Device:
    """A `cv2.VideoCapture` that takes a picture every 30 ms and keeps the last four."""

    clock: Clock
    plugged = True
    made = 0

    def __init__(self, number: int) -> None:
        self.open = self.plugged and number == 0
        self.size = [640, 480]
        self.given = -1
        type(self).made += 1

    def isOpened(self) -> bool:
        return self.open

    def set(self, what: int, value: float) -> bool:
        for n, side in enumerate((cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT)):
            if what == side:
                self.size[n] = int(min(value, (1920, 1080)[n]))
        return True

    def grab(self) -> bool:
        if not type(self).plugged:
            return False
        newest = int(self.clock.now / 0.03)
        oldest = newest - 3
        if self.given >= newest:
            self.given += 1
            self.clock.now = self.given * 0.03 + 1e-6
        else:
            self.given = max(self.given + 1, oldest)
        return True

    def retrieve(self) -> tuple[bool, Any]:
        width, height = self.size
        return True, np.full((height, width, 3), self.given % 250, np.uint8)

    def release(self) -> None:
        self.open = False


@pytest.fixture
def device(monkeypatch: pytest.MonkeyPatch) -> type[Device]:
    kind = type("Plugged", (Device,), {"clock": Clock()})
    monkeypatch.setattr(cv2, "VideoCapture", kind)
    return kind


def test_a_webcam_gives_its_newest_picture_ten_times_a_second(device: type[Device]) -> None:
    clock = device.clock
    cam = Webcam(0, clock, clock.sleep)
    times = []
    for frame in islice(cam, 20):
        assert frame.pixels is not None
        assert frame.pixels.shape == (1080, 1920, 3)
        assert abs(int(frame.pixels[0, 0, 0]) - int(clock.now / 0.03) % 250) <= 1
        times.append(frame.time_s)
        clock.sleep(0.7 if len(times) == 10 else 0.0)  # a table was read
    steps = np.delete(np.diff(times), 9)
    assert np.all(steps < STEP_S + 0.04)
    assert np.all(steps > STEP_S - 0.04)


def test_a_webcam_that_goes_away_is_waited_for(device: type[Device]) -> None:
    clock = device.clock
    cam = Webcam(0, clock, clock.sleep)
    frames = iter(cam)
    assert next(frames).pixels is not None
    device.plugged = False
    assert [next(frames).pixels for _ in range(5)] == [None] * 5
    device.plugged = True
    assert next(frames).pixels is not None
    device.plugged = False
    with pytest.raises(CaptureError) as caught:
        list(frames)
    assert caught.value.key == "watch_camera_lost"
    assert PATIENCE_S - 2 < clock.now - 100 < PATIENCE_S + 15


def test_no_webcam(device: type[Device]) -> None:
    with pytest.raises(CaptureError) as caught:
        open_frames("3")
    assert caught.value.key == "camera_none"


@pytest.mark.parametrize("use", [open_frames, lambda number: still(int(number))])
def test_opencv_keeps_to_itself_that_a_webcam_is_not_there(
    use: Callable[[str], object], capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(CaptureError):
        use("98")
    assert capfd.readouterr() == ("", "")


def test_a_folder_is_no_video(tmp_path: Path) -> None:
    with pytest.raises(CaptureError) as caught:
        Video(tmp_path)
    assert caught.value.key == "video_is_folder"
