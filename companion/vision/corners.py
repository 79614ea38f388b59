"""The true corners of a tile inside its oriented box, and whether a tile lies there at all.

Under perspective a tile is no rectangle: an oriented box misses its corners by 11 % of its width at 30 degrees of
tilt. A small network looks at each box, cut out upright with some of its surroundings, and tells where the corners
are and what it sees: a face, a back, or no tile. Training cuts its pictures with `upright` too.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray

from companion.vision.runtime import open_session

TILE_W, TILE_H, PAD = 48, 96, 16
"""A box as the network sees it, and how much of its surroundings, in pixels of the network's picture."""

WIDTH, HEIGHT = TILE_W + 2 * PAD, TILE_H + 2 * PAD

_OUTSIDE = (114, 114, 114)
"""What lies beyond the edge of the photo."""

_BRIGHT = 225.0


@dataclass(frozen=True, slots=True, eq=False)
class Refined:
    """What the network says of n boxes."""

    corners: NDArray[np.float32]
    """(n, 4, 2) pixels of the photo, in the order of the boxes' corners; they may lie beyond the photo's edge."""
    kinds: NDArray[np.float32]
    """(n, classes) probabilities; the classes are those of the network: face, back, none."""


def canonical(pad: float = PAD) -> NDArray[np.float32]:
    """Corners (4, 2) of the box in the network's picture with `pad` pixels around it."""
    right, bottom = pad + TILE_W, pad + TILE_H
    return np.array([[pad, pad], [right, pad], [right, bottom], [pad, bottom]], np.float32)


def upright(pixels: NDArray[np.uint8], corners: NDArray[np.floating[Any]], pad: int = PAD) -> NDArray[np.uint8]:
    """Cut a box (4, 2) out of a photo (H, W, 3) uint8 RGB: (TILE_H + 2 pad, TILE_W + 2 pad, 3) uint8 RGB."""
    box = np.asarray(corners, np.float32)
    size = (TILE_W + 2 * pad, TILE_H + 2 * pad)
    finer = int(np.clip(np.linalg.norm(box[1] - box[0]) // TILE_W, 1, 8))  # averaged down, so that nothing aliases
    target = (canonical(pad) + 0.5) * finer - 0.5
    matrix = cv2.getAffineTransform(box[:3], target[:3])
    cut = cv2.warpAffine(
        pixels,
        matrix,
        (size[0] * finer, size[1] * finer),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=_OUTSIDE,
    )
    return np.asarray(cut if finer == 1 else cv2.resize(cut, size, interpolation=cv2.INTER_AREA), np.uint8)


def as_input(crops: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Crops (n, HEIGHT, WIDTH, 3) uint8 RGB -> the network's input (n, 3, HEIGHT, WIDTH) float32, evenly bright."""
    x = crops.astype(np.float32)
    inner = x[:, PAD:-PAD, PAD:-PAD] @ np.array([0.299, 0.587, 0.114], np.float32)
    bright = np.percentile(inner.reshape(len(x), -1), 97, axis=1)
    gain = np.clip(_BRIGHT / np.maximum(bright, 1.0), 0.8, 6.0).astype(np.float32)
    x = np.minimum(x * gain[:, None, None, None], 255.0) / 255.0
    return np.ascontiguousarray(x.transpose(0, 3, 1, 2))


class CornerRefiner:
    """The network that finds the corners."""

    def __init__(self, session: ort.InferenceSession, classes: tuple[str, ...]) -> None:
        self._session = session
        self._input = session.get_inputs()[0].name
        self.metadata: dict[str, str] = dict(session.get_modelmeta().custom_metadata_map)
        self.classes = classes

    @classmethod
    def load(cls, path: Path, classes: tuple[str, ...]) -> "CornerRefiner":
        """Open the network's file."""
        return cls(open_session(path), classes)

    def refine(self, pixels: NDArray[np.uint8], corners: NDArray[np.float32]) -> Refined:
        """Look at boxes (n, 4, 2) of a photo (H, W, 3) uint8 RGB."""
        if not len(corners):
            return Refined(np.zeros((0, 4, 2), np.float32), np.zeros((0, len(self.classes)), np.float32))
        batch = as_input(np.stack([upright(pixels, box) for box in corners]))
        moved, logits = (
            np.concatenate(part)
            for part in zip(
                *(
                    self._session.run(None, {self._input: chunk})
                    for chunk in np.array_split(batch, len(batch) // 64 + 1)
                ),
                strict=True,
            )
        )
        chances = np.exp(logits - logits.max(1, keepdims=True))
        return Refined(
            to_photo(np.asarray(moved).reshape(-1, 4, 2), corners),
            np.asarray(chances / chances.sum(1, keepdims=True), np.float32),
        )


def to_photo(moved: NDArray[np.float32], boxes: NDArray[np.float32]) -> NDArray[np.float32]:
    """Corners as the network gives them, in widths and lengths of the box from its first corner, to the photo."""
    across, along = boxes[:, 1] - boxes[:, 0], boxes[:, 3] - boxes[:, 0]
    places = boxes[:, :1] + moved[..., :1] * across[:, None] + moved[..., 1:] * along[:, None]
    return np.asarray(places, np.float32)
