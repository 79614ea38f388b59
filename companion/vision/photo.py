"""From bytes to an upright picture in RGB, whatever a phone, a scanner or a drawing program has written.

Every decoder is Pillow's (with pi-heif for HEIC), because it refuses a file that is cut short; OpenCV 4 fills
the rest with grey and says nothing. Sizes are checked on the header, before a pixel is decoded.
"""

import io
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageCms, TiffImagePlugin, WebPImagePlugin  # noqa: F401  (the last two register themselves)

from companion.errors import PhotoError

try:
    import pi_heif
except ImportError:  # pragma: no cover - the companion doctor tells how to get it
    HEIF = False
else:
    pi_heif.register_heif_opener()
    HEIF = True
    """Can HEIC be read?"""

# This module looks at the size itself, and Pillow's own limit would warn about the pictures of today's phones.
Image.MAX_IMAGE_PIXELS = None
# Odd metadata is Pillow's to remark on, and no news to somebody who wants a hand counted.
warnings.filterwarnings("ignore", module=r"PIL\.")

FORMATS = ("JPEG", "PNG", "WEBP", "TIFF", "BMP") + (("HEIF",) if HEIF else ())
"""What is tried, in this order."""

MAX_BYTES = 256 * 1024**2
"""Largest file that is read."""
MAX_CODED_PX = 220_000_000
"""Most pixels a JPEG may have that is decoded at a reduced size (phones go to 200 million)."""
MAX_DECODED_PX = 64_000_000
"""Most pixels that are ever held in memory."""
MAX_PX = 16_000_000
"""Most pixels that are delivered: enough to count twelve pips on each of thirty tiles."""
MAX_SIDE_PX = 6000
"""Longest side that is delivered."""
MIN_SIDE_PX = 16
"""Shortest side on which a tile could be made out."""

GROUND_RGB = (164, 152, 134)
"""What shows through a transparent picture: a mid tone, on which both ivory and black tiles stand out."""

_HEIC_BRANDS = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1")
"""What a HEIC file calls itself; films and AVIF have the same beginning and other names."""
_STRIP_PX = 64
_ORIENTATION_TAG = 0x0112
_UPRIGHT: Mapping[int, Callable[[Any], Any]] = MappingProxyType(
    {
        2: lambda a: cv2.flip(a, 1),
        3: lambda a: cv2.rotate(a, cv2.ROTATE_180),
        4: lambda a: cv2.flip(a, 0),
        5: cv2.transpose,
        6: lambda a: cv2.rotate(a, cv2.ROTATE_90_CLOCKWISE),
        7: lambda a: cv2.flip(cv2.transpose(a), -1),
        8: lambda a: cv2.rotate(a, cv2.ROTATE_90_COUNTERCLOCKWISE),
    }
)
"""What turns a picture upright, by its EXIF orientation."""


@dataclass(frozen=True, slots=True, eq=False)
class Photo:
    """A picture as it should be looked at. Two photos are equal if they were made from the same bytes."""

    pixels: NDArray[np.uint8]
    """(H, W, 3) uint8, RGB, upright, read-only; large pictures come reduced to `MAX_PX` and `MAX_SIDE_PX`."""
    sha256: str
    """Of the bytes that were decoded, 64 hexadecimal digits."""

    def __post_init__(self) -> None:
        if self.pixels.dtype != np.uint8 or self.pixels.ndim != 3 or self.pixels.shape[2] != 3:
            raise ValueError(f"expected uint8 (H, W, 3), got {self.pixels.dtype} {self.pixels.shape}")
        pixels = self.pixels.view()
        pixels.setflags(write=False)
        object.__setattr__(self, "pixels", pixels)

    def __eq__(self, other: object) -> bool:
        return self.sha256 == other.sha256 if isinstance(other, Photo) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.sha256)

    @property
    def width(self) -> int:
        """Pixels across."""
        return int(self.pixels.shape[1])

    @property
    def height(self) -> int:
        """Pixels down."""
        return int(self.pixels.shape[0])

    @classmethod
    def from_bytes(cls, data: bytes) -> "Photo":
        """Decode JPEG, PNG, WebP, HEIC, TIFF or BMP (of an animation the first picture). Raises PhotoError."""
        if not data:
            raise PhotoError("photo_empty")
        if len(data) > MAX_BYTES:
            raise PhotoError("photo_file_too_big", megabytes=MAX_BYTES // 1024**2)
        try:
            image = Image.open(io.BytesIO(data), formats=FORMATS)
        except Exception as error:
            raise _unknown(data) from error
        width, height = image.size
        if min(_capped(width, height)) < MIN_SIDE_PX:
            raise PhotoError("photo_too_small", width=width, height=height)
        _reduce(image)
        try:
            pixels = _rgb(image)
            orientation = _orientation(image)
        except Exception as error:  # decoders raise anything at all on damaged data
            raise PhotoError("photo_damaged") from error
        del image
        size = _capped(pixels.shape[1], pixels.shape[0])
        if size != (pixels.shape[1], pixels.shape[0]):
            pixels = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)
        if orientation in _UPRIGHT:
            pixels = _UPRIGHT[orientation](pixels)
        return cls(np.ascontiguousarray(pixels, dtype=np.uint8), sha256(data).hexdigest())

    @classmethod
    def from_path(cls, path: Path) -> "Photo":
        """Read and decode a file. Raises PhotoError."""
        try:
            with path.open("rb") as file:
                data = file.read(MAX_BYTES + 1)
        except (FileNotFoundError, NotADirectoryError, ValueError) as error:
            raise PhotoError("photo_missing") from error
        except (IsADirectoryError, PermissionError) as error:  # Windows says the latter of a folder, too
            raise PhotoError("photo_is_folder" if path.is_dir() else "photo_no_permission") from error
        except OSError as error:
            raise PhotoError("photo_unreachable", reason=error.strerror or type(error).__name__) from error
        return cls.from_bytes(data)


def _unknown(data: bytes) -> PhotoError:
    """Why no decoder took the data."""
    heic = data[4:8] == b"ftyp" and data[8:12] in _HEIC_BRANDS
    if heic and not HEIF:
        return PhotoError("photo_needs_heif")
    if data.startswith(b"GIF8"):
        return PhotoError("photo_is_gif")
    webp = data.startswith(b"RIFF") and data[8:12] in (b"WEBP", b"")
    if heic or webp or data.startswith((b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"II*\0", b"MM\0*")):
        return PhotoError("photo_damaged")
    return PhotoError("photo_not_a_picture")


def _capped(width: int, height: int) -> tuple[int, int]:
    """The size that is delivered for a picture of this size."""
    scale = min(1.0, MAX_SIDE_PX / max(width, height), (MAX_PX / (width * height)) ** 0.5)
    return (width, height) if scale == 1.0 else (round(width * scale), round(height * scale))


def _reduce(image: Image.Image) -> None:
    """Have a large JPEG decoded at 1/2, 1/4 or 1/8, and refuse what would still be too large."""
    width, height = image.size
    target_width, target_height = _capped(width, height)
    for factor in (8, 4, 2):
        # a little below the target is welcome: it spares decoding four times as many pixels
        if (width // factor) * (height // factor) >= 0.6 * target_width * target_height:
            image.draft(None, (width // factor, height // factor))
            break
    # a progressive JPEG is held in full as coefficients, however small it comes out
    coded_limit = MAX_DECODED_PX if "progressive" in image.info else MAX_CODED_PX
    if width * height > coded_limit or image.width * image.height > MAX_DECODED_PX:
        raise PhotoError("photo_too_large", width=width, height=height)


def _orientation(image: Image.Image) -> int:
    """The EXIF orientation, 1..8; 1 where there is none or it cannot be read."""
    try:
        value = image.getexif().get(_ORIENTATION_TAG, 1)
    except Exception:  # a damaged EXIF block does not spoil the picture
        return 1
    return value if isinstance(value, int) else 1


def _rgb(image: Image.Image) -> NDArray[np.uint8]:
    """Decode to (H, W, 3) uint8 RGB.

    Converts strip by strip: faster than Pillow's own way to numpy, and no second full-size copy is made.
    """
    image.load()
    pixels = np.empty((image.height, image.width, 3), dtype=np.uint8)
    transparent = image.has_transparency_data and not _is_blank(image)
    top = _white(image)
    for y in range(0, image.height, _STRIP_PX):
        strip = image.crop((0, y, image.width, min(y + _STRIP_PX, image.height)))
        rows = pixels[y : y + strip.height]
        if top is not None:
            grey = np.nan_to_num(np.asarray(strip, dtype=np.float64), posinf=top, neginf=0.0) * (255 / top)
            rows[:] = grey.round().clip(0, 255).astype(np.uint8)[:, :, np.newaxis]
        elif transparent:
            ground = Image.new("RGBA", strip.size, (*GROUND_RGB, 255))
            rows[:] = np.asarray(Image.alpha_composite(ground, strip.convert("RGBA")).convert("RGB"))
        elif strip.mode == "LAB":
            lab, srgb = ImageCms.createProfile("LAB"), ImageCms.createProfile("sRGB")
            rows[:] = np.asarray(ImageCms.profileToProfile(strip, lab, srgb, outputMode="RGB"))
        elif strip.mode in ("RGBA", "PA"):
            rows[:] = np.asarray(strip.convert("RGBA"))[:, :, :3]
        else:
            rows[:] = np.asarray(strip.convert("RGB"))
    return pixels


def _is_blank(image: Image.Image) -> bool:
    """Is every pixel fully transparent? Some programs leave the alpha channel empty and mean an opaque picture."""
    return image.mode in ("RGBA", "LA") and image.getchannel("A").getextrema() == (0, 0)


def _white(image: Image.Image) -> float | None:
    """The value that means white in a grey picture of 16 or 32 bits or of fractions; None for all others."""
    if image.mode.startswith("I;16"):
        return 65535.0
    if image.mode not in ("I", "F"):
        return None
    highest = 0.0
    for y in range(0, image.height, _STRIP_PX):  # not at once: that would be a second copy in memory
        values = np.asarray(image.crop((0, y, image.width, min(y + _STRIP_PX, image.height))))
        highest = max(highest, float(values.max(initial=0, where=np.isfinite(values))))
    return next((white for white in (1.0, 255.0, 65535.0) if highest <= white), highest)
