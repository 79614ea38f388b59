"""Where the games lie on this machine."""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

APP_NAME = "mexican-train-companion"

DATA_VARIABLE = "COMPANION_DATA"
"""The environment variable that names another data folder."""


@dataclass(frozen=True, slots=True)
class Places:
    """The files under one data folder."""

    folder: Path
    """The data folder."""

    @property
    def log(self) -> Path:
        """The game log."""
        return self.folder / "games.sqlite3"

    @property
    def photos(self) -> Path:
        """The folder with photos that were kept."""
        return self.folder / "photos"


def default_folder(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """The data folder: `COMPANION_DATA` if set, else where the platform keeps a user's data."""
    named = environ.get(DATA_VARIABLE)
    if named:
        return Path(named).expanduser()
    home = Path.home()
    if platform == "win32":
        base = Path(environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif platform == "darwin":
        base = home / "Library" / "Application Support"
    else:
        base = Path(environ.get("XDG_DATA_HOME") or home / ".local" / "share")
    return base / APP_NAME
