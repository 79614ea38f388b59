"""The whole error tree.

CompanionError
├── UsageError            a value typed by the user that cannot be understood
├── RulesError
│   ├── TileSyntaxError   text that is no tile
│   ├── HouseRulesError   options that contradict each other
│   └── IllegalMoveError  carries every violation
├── VisionError
│   ├── PhotoError        a photo that cannot be read
│   ├── ModelMissingError weights that are not there
│   └── ModelMismatchError weights that are not what their contract says
├── StorageError
│   ├── LogConflictError  somebody else wrote first
│   ├── LogCorruptError   a file that is no log, or a damaged one
│   └── EventVersionError written by a newer version
└── CaptureError          no camera, or a camera that went away

Errors carry a key and parameters; `companion.text` holds the sentences, `cli` and `ui` show them.
Expected outcomes are values, not errors: no tile in a photo is an empty reading, an illegal idea is
a tuple of violations, a low confidence is a doubt.
"""

from typing import Any


class CompanionError(Exception):
    """Anything the companion tells its user in one sentence.

    `key` names the sentence in `companion.text`, `params` fill it in.
    """

    def __init__(self, key: str, **params: Any) -> None:
        self.key = key
        self.params = params
        details = ", ".join(f"{name}={value!r}" for name, value in params.items())
        super().__init__(f"{key}({details})")


class UsageError(CompanionError):
    """A value typed by the user that cannot be understood."""


class RulesError(CompanionError):
    """Something that the rules of the game do not know."""


class TileSyntaxError(RulesError):
    """Text that is no tile, or a tile that is not in the set."""


class HouseRulesError(RulesError):
    """House rules that contradict each other, or a value that an option does not have."""


class IllegalMoveError(RulesError):
    """A move that breaks at least one clause; `violations` names them all."""

    def __init__(self, key: str, violations: tuple[Any, ...] = (), **params: Any) -> None:
        self.violations = violations
        super().__init__(key, **params)


class VisionError(CompanionError):
    """A photo or a model that cannot be used."""


class PhotoError(VisionError):
    """A photo that cannot be read."""


class ModelMissingError(VisionError):
    """Weights that are not where they belong."""


class ModelMismatchError(VisionError):
    """Weights that are not what their contract (`model.toml`) says."""


class StorageError(CompanionError):
    """The game log cannot be read or written."""


class LogConflictError(StorageError):
    """Somebody else appended to the game first."""


class LogCorruptError(StorageError):
    """A file that is no game log, or a damaged one."""


class EventVersionError(StorageError):
    """An event that a newer version of the companion has written."""


class CaptureError(CompanionError):
    """No camera, or a camera that went away."""
