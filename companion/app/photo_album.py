"""Photos that the table wants to keep: as they came, and a copy with outlines to look at."""

import contextlib
import io
import re
from pathlib import Path

from PIL import Image

from companion.errors import PhotoError
from companion.storage.photo_store import PhotoStore
from companion.vision.annotate import annotate
from companion.vision.photo import Photo
from companion.vision.readings import HandReading

_QUALITY = 88
_SHA256 = re.compile(r"[0-9a-f]{64}", re.ASCII)


class PhotoAlbum:
    """Kept photos by their sha256. A copy with outlines that is lost does no harm: the photo itself is shown."""

    def __init__(self, photos: PhotoStore, outlined: Path) -> None:
        self._photos = photos
        self._outlined = outlined

    def keep(self, data: bytes, reading: HandReading | None = None) -> None:
        """Keep a photo, and the copy with what was read. Raises StorageError."""
        sha256 = self._photos.put(data)
        if reading is None:
            return
        file = io.BytesIO()
        Image.fromarray(annotate(Photo.from_bytes(data), reading, ())).save(file, "JPEG", quality=_QUALITY)
        with contextlib.suppress(OSError):
            self._outlined.mkdir(parents=True, exist_ok=True)
            self._copy(sha256).write_bytes(file.getvalue())

    def show(self, sha256: str) -> bytes | None:
        """The copy with outlines as JPEG, else the photo as JPEG, else None."""
        with contextlib.suppress(OSError):
            return self._copy(sha256).read_bytes()
        data = self._photos.get(sha256)
        if data is None:
            return None
        file = io.BytesIO()
        try:
            Image.fromarray(Photo.from_bytes(data).pixels).save(file, "JPEG", quality=_QUALITY)
        except PhotoError:
            return None
        return file.getvalue()

    def delete(self, sha256: str) -> None:
        """Remove a photo and its copy. Raises StorageError."""
        with contextlib.suppress(OSError):
            self._copy(sha256).unlink()
        self._photos.delete(sha256)

    def _copy(self, sha256: str) -> Path:
        if not _SHA256.fullmatch(sha256):  # a name from outside must not lead anywhere else
            raise ValueError(f"{sha256!r} is no sha256")
        return self._outlined / f"{sha256}.jpg"
