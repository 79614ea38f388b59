"""Tables drawn with a few strokes, for what looks at pictures without reading them."""

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
WIDTH, HEIGHT = 1280, 720


def table(seed: int = 1, tiles: int = 14) -> Image:
    """A table with some tiles, in no order."""
    rng = np.random.default_rng(seed)
    image = np.full((HEIGHT, WIDTH, 3), (96, 62, 40), np.float32)
    grain = cv2.resize(rng.normal(0, 9, (90, 30)).astype(np.float32), (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC)
    image = np.clip(image + grain[..., None], 0, 255).astype(np.uint8)
    for _ in range(tiles):
        place = rng.uniform([220, 140], [WIDTH - 80, HEIGHT - 80])
        lay(image, place[0], place[1], rng.uniform(0, 180), int(rng.integers(1000)))
    return image


def lay(image: Image, x: float, y: float, turn: float, seed: int = 0, width: float = 28) -> None:
    """Draw one tile."""
    rng = np.random.default_rng(seed)
    box = cv2.boxPoints(((x, y), (width, 2 * width), turn))
    cv2.fillConvexPoly(image, np.round(box).astype(np.int32), (232, 226, 208), cv2.LINE_AA)
    across, along = (box[1] - box[0]) / 4, (box[3] - box[0]) / 8
    for column, row in rng.permutation([(c, r) for c in (1, 2, 3) for r in (1, 2, 3, 5, 6, 7)])[:8]:
        at = box[0] + across * column + along * row
        cv2.circle(image, (round(float(at[0])), round(float(at[1]))), 3, (30, 30, 34), -1, cv2.LINE_AA)


def noisy(image: Image, rng: np.random.Generator, sigma: float = 4.0) -> Image:
    """As a webcam gives it."""
    small = rng.normal(0, sigma, image.shape[:2]).astype(np.float32)[..., None]
    return np.asarray(np.clip(image + small, 0, 255), np.uint8)
