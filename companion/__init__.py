"""A companion for Mexican Train, the domino game: it reads tiles by camera and keeps the score.

    from companion import Photo, Reader, TileSet

    hand = Reader.load().read_hand(Photo.from_path(path), TileSet(12))

The names in `__all__` are public; each is imported from its home when it is first used, so that
importing the package costs nothing.
"""

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from companion.app.scanning import ScanResult, hand_points, scan
    from companion.errors import CompanionError
    from companion.rules.tiles import Tile, TileSet
    from companion.text import Language, error_sentence, say
    from companion.vision.annotate import annotate
    from companion.vision.photo import Photo
    from companion.vision.reader import Reader
    from companion.vision.readings import Doubt, HandReading, TileReading

# onnxruntime reports its use to its maker and keeps an identifier in the home folder, unless told not to before it is
# first imported, wherever that is. We promise that nothing is sent anywhere.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

__version__ = "0.1.0"
"""The version of the companion."""

__all__ = [
    "CompanionError",
    "Doubt",
    "HandReading",
    "Language",
    "Photo",
    "Reader",
    "ScanResult",
    "Tile",
    "TileReading",
    "TileSet",
    "annotate",
    "error_sentence",
    "hand_points",
    "say",
    "scan",
]

_HOMES = {
    "companion.app.scanning": ("ScanResult", "hand_points", "scan"),
    "companion.errors": ("CompanionError",),
    "companion.rules.tiles": ("Tile", "TileSet"),
    "companion.text": ("Language", "error_sentence", "say"),
    "companion.vision.annotate": ("annotate",),
    "companion.vision.photo": ("Photo",),
    "companion.vision.reader": ("Reader",),
    "companion.vision.readings": ("Doubt", "HandReading", "TileReading"),
}


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(home), name)
    raise AttributeError(f"module 'companion' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
