"""Halves cut from the photo at full resolution, and the network that counts their pips.

Training cuts its halves with `half_crops` too, so that it sees what reading sees.
"""

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray

from companion.vision.runtime import open_session

CROP_PX = 64
"""Side of a half as the network sees it."""

MARGIN = 0.08
"""How much more than the half is cut out on every side, as a share of the tile's width."""

_BRIGHT = 225.0
"""Where the brightest parts of a tile are brought, so that a dim lamp does not matter."""


def half_quads(corners: NDArray[np.floating[Any]]) -> NDArray[np.float32]:
    """Split a tile (4, 2) into its halves: (2, 4, 2) float32, each from its outer short side to the divider.

    The corners of a half go clockwise from the outer side's left end, so that pips always stand the same way up.
    """
    c = np.asarray(corners, np.float32)
    left, right = (c[0] + c[3]) / 2, (c[1] + c[2]) / 2
    return np.array([[c[0], c[1], right, left], [c[2], c[3], left, right]], np.float32)


def half_sizes_px(corners: NDArray[np.floating[Any]]) -> tuple[float, float]:
    """Width and depth of a half in the photo, pixels."""
    c = np.asarray(corners, np.float64)
    width = (np.linalg.norm(c[1] - c[0]) + np.linalg.norm(c[2] - c[3])) / 2
    length = (np.linalg.norm(c[3] - c[0]) + np.linalg.norm(c[2] - c[1])) / 2
    return float(width), float(length) / 2


def half_crops(pixels: NDArray[np.uint8], corners: NDArray[np.floating[Any]]) -> NDArray[np.uint8]:
    """Cut both halves of a tile: (2, CROP_PX, CROP_PX, 3) uint8 RGB, evenly bright.

    `pixels` is (H, W, 3) uint8 RGB, `corners` (4, 2) in pixels of it, as in `TileBox`.
    """
    return evenly_bright(cut_halves(pixels, corners))


def cut_halves(pixels: NDArray[np.uint8], corners: NDArray[np.floating[Any]]) -> NDArray[np.float32]:
    """As `half_crops`, but as bright as in the photo: (2, CROP_PX, CROP_PX, 3) float32 RGB 0..255."""
    return np.stack([_cut(pixels, quad) for quad in half_quads(corners)])


def evenly_bright(crops: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Both halves of a tile, from `cut_halves`, with their lightest parts brought to one brightness."""
    luminance = crops @ np.array([0.299, 0.587, 0.114], np.float32)
    gain = float(np.clip(_BRIGHT / max(float(np.percentile(luminance, 97)), 1.0), 0.8, 6.0))
    return np.asarray(np.clip(crops * np.float32(gain), 0, 255), np.uint8)


def _cut(pixels: NDArray[np.uint8], quad: NDArray[np.float32]) -> NDArray[np.float32]:
    middle = quad.mean(0)
    grown = middle + (quad - middle) * (1 + 2 * MARGIN)
    side = float(max(np.linalg.norm(grown[1] - grown[0]), np.linalg.norm(grown[3] - grown[0])))
    finer = int(np.clip(side // CROP_PX, 1, 8))  # a large half is cut finely and averaged down, so that nothing aliases
    size = CROP_PX * finer
    target = np.array([[0, 0], [size, 0], [size, size], [0, size]], np.float32)
    matrix = cv2.getPerspectiveTransform(grown.astype(np.float32), target)
    cut = cv2.warpPerspective(pixels, matrix, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    if finer > 1:
        cut = cv2.resize(cut, (CROP_PX, CROP_PX), interpolation=cv2.INTER_AREA)
    return np.asarray(cut, np.float32)


class PipReader:
    """The network that counts the pips of a half."""

    def __init__(self, session: ort.InferenceSession, classes: tuple[str, ...], temperature: float) -> None:
        self._session = session
        self._input = self._session.get_inputs()[0].name
        self.metadata: dict[str, str] = dict(self._session.get_modelmeta().custom_metadata_map)
        self.classes = classes
        self._temperature = temperature

    @classmethod
    def load(cls, path: Path, classes: tuple[str, ...], temperature: float) -> "PipReader":
        """Open the network's file."""
        return cls(open_session(path), classes, temperature)

    def with_temperature(self, temperature: float) -> "PipReader":
        """The same network with its probabilities sharpened (< 1) or flattened (> 1)."""
        return PipReader(self._session, self.classes, temperature)

    def read(self, crops: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Crops (n, CROP_PX, CROP_PX, 3) uint8 RGB -> logarithms of probabilities (n, classes) float32."""
        if not len(crops):
            return np.zeros((0, len(self.classes)), np.float32)
        batch = np.ascontiguousarray(crops.transpose(0, 3, 1, 2), np.float32) / 255
        output = np.concatenate(
            [self._session.run(None, {self._input: part})[0] for part in np.array_split(batch, len(batch) // 64 + 1)]
        )
        logits = np.log(np.clip(output, 1e-9, 1.0)) / self._temperature
        logits -= logits.max(1, keepdims=True)
        return np.asarray(logits - np.log(np.exp(logits).sum(1, keepdims=True)), np.float32)
