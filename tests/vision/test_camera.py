"""Webcams, with a stand-in for OpenCV's."""

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.errors import CaptureError
from companion.text import Language, error_sentence
from companion.vision import camera
from companion.vision.camera import Camera, cameras, still
from companion.vision.photo import Photo


class StandIn:
    """A `cv2.VideoCapture` that gives pictures in the size that was asked for, up to its own; dark at first."""

    plugged = frozenset({0})
    most = (1920, 1080)
    lasts = 1000
    """Pictures until it goes away."""
    made: list["StandIn"]

    def __init__(self, number: int) -> None:
        self.open = number in self.plugged
        self.size = [640, 480]
        self.given = 0
        self.made.append(self)

    def isOpened(self) -> bool:
        return self.open

    def set(self, what: int, value: float) -> bool:
        for n, side in enumerate((cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT)):
            if what == side:
                self.size[n] = int(min(value, self.most[n]))
        return True

    def read(self) -> tuple[bool, Any]:
        if self.given >= self.lasts:
            return False, None
        self.given += 1
        width, height = self.size
        return True, np.full((height, width, 3), min(self.given, 9) * 20, np.uint8)

    def release(self) -> None:
        self.open = False


@pytest.fixture
def device(monkeypatch: pytest.MonkeyPatch) -> type[StandIn]:
    kind = type("Device", (StandIn,), {"made": []})
    monkeypatch.setattr(cv2, "VideoCapture", kind)
    return kind


def test_a_still_is_as_large_as_the_camera_can_and_well_exposed(device: type[StandIn]) -> None:
    photo = Photo.from_bytes(still(0))
    assert (photo.width, photo.height) == (1920, 1080)
    assert abs(float(photo.pixels.mean()) - 180) < 4
    assert not device.made[0].open


@pytest.mark.parametrize(
    ("number", "lasts", "key"), [(3, 1000, "camera_none"), (0, 0, "camera_gone"), (0, 4, "camera_gone")]
)
def test_a_camera_that_is_not_there_or_goes_away(device: type[StandIn], number: int, lasts: int, key: str) -> None:
    device.lasts = lasts
    with pytest.raises(CaptureError) as caught:
        still(number)
    assert caught.value.key == key
    assert not device.made[0].open  # the next one who asks can have it
    for lang in Language:
        assert error_sentence(caught.value, lang).endswith(".")


def test_a_camera_that_fails_inside_opencv(device: type[StandIn], monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: StandIn) -> tuple[bool, Any]:
        raise cv2.error("unplugged")

    monkeypatch.setattr(device, "read", fail)
    with pytest.raises(CaptureError) as caught:
        still(0)
    assert caught.value.key == "camera_gone"
    assert not device.made[0].open


def test_the_list_of_linux(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(camera.sys, "platform", "linux")
    for number, index, name in ((10, "0", "USB camera"), (0, "0", "Built-in"), (1, "1", "Built-in metadata")):
        folder = tmp_path / f"video{number}"
        folder.mkdir()
        (folder / "index").write_text(f"{index}\n")
        (folder / "name").write_text(f"{name}\n")
    (tmp_path / "video2").mkdir()  # says nothing of itself
    assert cameras(tmp_path) == (Camera(0, "Built-in"), Camera(2, ""), Camera(10, "USB camera"))
    assert cameras(tmp_path / "none") == ()


def test_elsewhere_numbers_are_tried(monkeypatch: pytest.MonkeyPatch, device: type[StandIn]) -> None:
    monkeypatch.setattr(camera.sys, "platform", "win32")
    device.plugged = frozenset({0, 2})
    assert cameras() == (Camera(0, ""), Camera(2, ""))
    assert not any(one.open for one in device.made)
