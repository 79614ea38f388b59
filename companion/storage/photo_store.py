"""Photos in a folder, each under the sha256 of its bytes.

Keeping photos is off unless the table asks for it: only `put` writes. A photo can be deleted at any time; the lines of
the log that name its hash stay as they are.
"""

import contextlib
import hashlib
import os
import re
import tempfile
from pathlib import Path

from companion.errors import LogCorruptError, StorageError

_SHA256 = re.compile(r"[0-9a-f]{64}", re.ASCII)


class PhotoStore:
    """The photos under one folder; the folder is made with the first photo."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(self, data: bytes) -> str:
        """Keep the bytes of a photo; returns their sha256 as 64 hexadecimal digits.

        The file appears whole or not at all. Raises StorageError when it cannot be written.
        """
        name = hashlib.sha256(data).hexdigest()
        path = self.folder / name
        try:
            if path.is_file() and path.read_bytes() == data:
                return name
            self.folder.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=self.folder, prefix=".part-")
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
                Path(temporary).replace(path)
            except BaseException:
                with contextlib.suppress(OSError):
                    Path(temporary).unlink()
                raise
        except OSError as error:
            raise StorageError("photo_not_kept", path=str(self.folder), reason=error.strerror or str(error)) from error
        return name

    def get(self, sha256: str) -> bytes | None:
        """The bytes of a photo; None when it was not kept or has been deleted.

        Raises LogCorruptError when the file is no longer what its name says.
        """
        try:
            data = self._path(sha256).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StorageError("photo_unreadable", path=str(self._path(sha256)), reason=error.strerror) from error
        if hashlib.sha256(data).hexdigest() != sha256:
            raise LogCorruptError("photo_changed", path=str(self._path(sha256)))
        return data

    def delete(self, sha256: str) -> bool:
        """Remove a photo; False when there was none."""
        try:
            self._path(sha256).unlink()
        except FileNotFoundError:
            return False
        except OSError as error:
            raise StorageError("photo_not_deleted", path=str(self._path(sha256)), reason=error.strerror) from error
        return True

    def hashes(self) -> frozenset[str]:
        """The sha256 of every photo that is kept."""
        if not self.folder.is_dir():
            return frozenset()
        return frozenset(file.name for file in self.folder.iterdir() if _SHA256.fullmatch(file.name))

    def _path(self, sha256: str) -> Path:
        if not _SHA256.fullmatch(sha256):  # a name from outside must not lead anywhere else
            raise ValueError(f"{sha256!r} is no sha256")
        return self.folder / sha256
