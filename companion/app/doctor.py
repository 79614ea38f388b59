"""Is everything here that the companion needs, and what is to be done if not?"""

import os
import platform
import re
import shutil
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from importlib import import_module
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Any

from companion import __version__
from companion.errors import CompanionError
from companion.storage.places import default_folder

ENOUGH_SPACE_MB = 200
"""Below this a season of games with photos may not fit."""

NEEDED = {"numpy": "numpy", "cv2": "opencv-python-headless", "onnxruntime": "onnxruntime", "PIL": "pillow"}
"""The packages nothing can be read without: what is imported, and what is installed."""


class Status(StrEnum):
    """How a finding is to be taken."""

    OK = "ok"
    """As it should be."""
    NOTE = "note"
    """Something is not there that one can do without."""
    PROBLEM = "problem"
    """Photos or games cannot be read before this is mended."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at, with the key of its sentence."""

    status: Status
    """How it is to be taken."""
    key: str
    """Of the sentence, which tells what to do where something is missing."""
    params: dict[str, Any] = field(default_factory=dict)
    """What fills the sentence in."""


def examine() -> Iterator[Finding]:
    """Look at everything, from what is needed most; yields as it goes, because loading the model takes a moment."""
    system = {"python": platform.python_version(), "system": f"{platform.system()} {platform.machine()}"}
    yield Finding(Status.OK, "doctor_program", {"version": __version__} | system)
    packages = list(_packages())
    yield from packages
    if all(finding.status is Status.OK for finding in packages):
        yield _heif()
        yield from _weights()
    yield from _other_packages()
    yield from _cameras()
    yield from _data_folder(default_folder())


def _installed(package: str) -> str | None:
    """The version of an installed package."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _packages() -> Iterator[Finding]:
    for module, package in NEEDED.items():
        try:
            import_module(module)
        except ImportError as error:
            if "libGL" in str(error):
                yield Finding(Status.PROBLEM, "doctor_libgl")
            else:
                yield Finding(Status.PROBLEM, "doctor_package_missing", {"package": package})
        else:
            known = _installed(package) or getattr(import_module(module), "__version__", "?")
            yield Finding(Status.OK, "doctor_package", {"package": package, "version": known})


def _other_packages() -> Iterator[Finding]:
    """What the commands and the screens need besides; not imported, because the front ends are none of ours."""
    for package in sorted(declared() - set(NEEDED.values()) - {"pi-heif"}):
        known = _installed(package)
        if known is None:
            yield Finding(Status.PROBLEM, "doctor_package_missing", {"package": package})
        else:
            yield Finding(Status.OK, "doctor_package", {"package": package, "version": known})


def declared() -> frozenset[str]:
    """The packages that the companion's own metadata asks for, without extras; empty where it is not installed."""
    try:
        lines = requires("mexican-train-companion") or []
    except PackageNotFoundError:
        return frozenset()
    names = (re.match(r"[A-Za-z0-9._-]+", line) for line in lines if "extra ==" not in line)
    return frozenset(name[0] for name in names if name)


def _heif() -> Finding:
    from companion.vision.photo import HEIF

    if not HEIF:
        return Finding(Status.NOTE, "doctor_no_heif")
    return Finding(Status.OK, "doctor_package", {"package": "pi-heif", "version": _installed("pi-heif") or "?"})


def _weights() -> Iterator[Finding]:
    """Every file against its contract, then one reading, which proves that the networks run on this processor."""
    import numpy as np

    from companion.rules.tiles import TileSet
    from companion.vision.photo import Photo
    from companion.vision.reader import Reader
    from companion.vision.weights import check_weights

    try:
        for check in check_weights():
            if check.ok:
                params = {"name": check.name, "version": check.version, "sha256": check.sha256[:12]}
                yield Finding(Status.OK, "doctor_weights", params)
            else:
                key = "weights_altered" if check.sha256 else "weights_missing"
                yield Finding(Status.PROBLEM, key, {"file": check.name})
                return
        reader = Reader.load()
    except CompanionError as error:
        yield Finding(Status.PROBLEM, error.key, error.params)
        return
    began = time.perf_counter()
    try:
        reader.read_hand(Photo(np.full((480, 640, 3), 128, dtype=np.uint8), ""), TileSet(12))
    except Exception as error:  # whatever the runtime has to say, it cannot read
        yield Finding(Status.PROBLEM, "doctor_model_fails", {"reason": type(error).__name__})
    else:
        milliseconds = round(1000 * (time.perf_counter() - began))
        yield Finding(Status.OK, "doctor_model_runs", {"milliseconds": milliseconds})


def _cameras(devices: Path = Path("/dev"), names: Path = Path("/sys/class/video4linux")) -> Iterator[Finding]:
    """The webcams of a Linux machine; other systems show theirs only by opening them, which is left to the user."""
    if sys.platform != "linux":
        yield Finding(Status.NOTE, "doctor_cameras_unknown")
        return
    cameras = sorted(devices.glob("video*"))
    if not cameras:
        yield Finding(Status.NOTE, "doctor_no_camera")
    for camera in cameras:
        try:
            name = (names / camera.name / "name").read_text(encoding="utf-8").strip()
        except OSError:
            name = camera.name
        usable = os.access(camera, os.R_OK | os.W_OK)
        key = "doctor_camera" if usable else "doctor_camera_forbidden"
        yield Finding(Status.OK if usable else Status.NOTE, key, {"name": name, "device": str(camera)})


def _data_folder(folder: Path) -> Iterator[Finding]:
    """Can games be kept, and is there room for them?"""
    existing = next(parent for parent in (folder, *folder.absolute().parents) if parent.exists())
    if not existing.is_dir() or not os.access(existing, os.W_OK | os.X_OK):
        yield Finding(Status.PROBLEM, "doctor_data_forbidden", {"folder": str(folder)})
        return
    free_mb = shutil.disk_usage(existing).free // 1_000_000
    key, status = ("doctor_space", Status.OK) if free_mb >= ENOUGH_SPACE_MB else ("doctor_little_space", Status.NOTE)
    yield Finding(status, key, {"folder": str(folder), "megabytes": free_mb})
