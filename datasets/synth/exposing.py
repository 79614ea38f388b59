"""From light to file: uneven light, glare, exposure, lens, noise, JPEG."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from .lighting import draw_shades
from .scene import Lens, Light

Image = NDArray[np.uint8]


def expose(image: Image, light: Light, lens: Lens, rng: np.random.Generator) -> Image:
    """The picture (h, w, 3) uint8 RGB that a camera makes of a scene drawn in even light."""
    h, w = image.shape[:2]
    field = cv2.resize(np.array(light.field, np.float32), (w, h), interpolation=cv2.INTER_CUBIC)
    if lens.vignette:
        yy, xx = np.mgrid[-1 : 1 : h * 1j, -1 : 1 : w * 1j].astype(np.float32)
        field = field * (1 - lens.vignette * (xx**2 + yy**2) / 2)
    if light.shades:
        field = field * draw_shades(light.shades, h, w)
    out = image.astype(np.float32) * field[..., None]
    if light.glare:
        spots = np.zeros((h // 4 + 1, w // 4 + 1), np.float32)
        for x, y, r, strength in light.glare:
            at = (int(x * w / 4), int(y * h / 4))
            axes = (max(1, int(r * max(h, w) / 4)), max(1, int(r * max(h, w) / 4 * rng.uniform(0.2, 1))))
            cv2.ellipse(spots, at, axes, rng.uniform(0, 180), 0, 360, float(strength), -1, cv2.LINE_AA)
        spots = cv2.GaussianBlur(spots, (0, 0), max(0.6, 0.3 * light.glare[0][2] * max(h, w) / 4))
        out += cv2.resize(spots, (w, h))[..., None]
    out *= np.array(light.tint, np.float32) * np.float32(light.exposure)
    if abs(light.gamma - 1) > 0.02:
        out = 255 * np.power(np.clip(out, 0, 255) / 255, np.float32(light.gamma))
    if lens.blur_px:
        out = cv2.GaussianBlur(out, (0, 0), lens.blur_px)
    if lens.defocus_px:
        yy, xx = np.mgrid[-1 : 1 : h * 1j, -1 : 1 : w * 1j].astype(np.float32)
        ramp = np.clip(xx * np.cos(lens.defocus_angle) + yy * np.sin(lens.defocus_angle), 0, 1)[..., None]
        out += (cv2.GaussianBlur(out, (0, 0), lens.defocus_px) - out) * ramp
    if lens.motion_px:
        k = int(lens.motion_px) | 1
        kernel = np.zeros((k, k), np.float32)
        kernel[k // 2] = 1
        kernel = cv2.warpAffine(
            kernel, cv2.getRotationMatrix2D((k / 2 - 0.5, k / 2 - 0.5), np.degrees(lens.motion_angle), 1), (k, k)
        )
        out = cv2.filter2D(out, -1, kernel / max(float(kernel.sum()), 1e-3))
    if lens.sharpen:
        out += (out - cv2.GaussianBlur(out, (0, 0), 1.2)) * lens.sharpen
    if lens.noise:
        grain = rng.standard_normal((int(h / lens.grain), int(w / lens.grain), 3), np.float32) * np.float32(lens.noise)
        out += cv2.resize(grain, (w, h), interpolation=cv2.INTER_LINEAR)
    pixels = np.clip(out, 0, 255).astype(np.uint8)
    packed = cv2.imencode(".jpg", pixels[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, lens.jpeg])[1]
    return np.ascontiguousarray(cv2.imdecode(packed, cv2.IMREAD_COLOR)[..., ::-1])
