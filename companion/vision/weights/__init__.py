"""The networks' files and their contract, `model.toml`: what is loaded is what was measured."""

import hashlib
import json
import math
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.errors import ModelMismatchError, ModelMissingError

FOLDER = Path(__file__).parent
"""Where the files lie in an installed companion."""

PARTS = ("detector", "corners", "halves")


@dataclass(frozen=True, slots=True)
class WeightsPart:
    """The contract of one network."""

    name: str
    """detector | corners | halves"""
    path: Path
    sha256: str
    """Of the file, hexadecimal."""
    classes: tuple[str, ...]
    """In the order of the network's outputs."""
    settings: dict[str, float]
    """Thresholds and temperatures, found on held-out renders."""


@dataclass(frozen=True, slots=True)
class Contract:
    """Everything `model.toml` says that reading needs."""

    version: str
    parts: dict[str, WeightsPart]
    judge: dict[str, Any]
    """What the networks' words are worth; `companion.vision.evidence.Judge`."""


@dataclass(frozen=True, slots=True)
class WeightsCheck:
    """How one file stands to its contract; for `companion doctor`."""

    name: str
    version: str
    sha256: str
    """Of the file as it is now, empty if it is missing."""
    ok: bool


def load_contract(folder: Path = FOLDER) -> Contract:
    """Read `model.toml`. Raises ModelMissingError, ModelMismatchError."""
    path = folder / "model.toml"
    try:
        values: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ModelMissingError("weights_missing", file=path.name) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ModelMismatchError("weights_altered", file=path.name) from error
    try:
        parts = {
            name: WeightsPart(
                name,
                folder / values[name]["file"],
                values[name]["sha256"],
                tuple(values[name]["classes"]),
                {key: float(value) for key, value in values[name].get("settings", {}).items()},
            )
            for name in PARTS
        }
        if not all(0 < value < math.inf for part in parts.values() for value in part.settings.values()):
            raise ValueError("a setting that is no positive number")
        return Contract(str(values["version"]), parts, dict(values["judge"]))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ModelMismatchError("weights_altered", file=path.name) from error


def file_sha256(path: Path) -> str:
    """Hexadecimal SHA-256 of a file; empty if it cannot be read."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""


def verify(part: WeightsPart) -> None:
    """Is this the very file that was measured? Raises ModelMissingError, ModelMismatchError."""
    if not part.path.is_file():
        raise ModelMissingError("weights_missing", file=part.path.name)
    if file_sha256(part.path) != part.sha256:
        raise ModelMismatchError("weights_altered", file=part.path.name)


def verify_metadata(part: WeightsPart, metadata: dict[str, str]) -> None:
    """Does the file itself say the same? Raises ModelMismatchError."""
    try:
        classes = tuple(json.loads(metadata.get("classes", "[]")))
    except ValueError:
        classes = ()
    if metadata.get("part") != part.name or classes != part.classes:
        raise ModelMismatchError("weights_altered", file=part.path.name)


def check_weights(folder: Path = FOLDER) -> list[WeightsCheck]:
    """How every file stands. Raises ModelMissingError or ModelMismatchError if there is no contract to check by."""
    contract = load_contract(folder)
    found = []
    for part in contract.parts.values():
        actual = file_sha256(part.path)
        found.append(WeightsCheck(part.path.name, contract.version, actual, actual == part.sha256))
    return found
