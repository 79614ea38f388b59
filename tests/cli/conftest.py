"""What the tests of the commands about games share: their own data folder, and a way to run a command."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from companion.storage.places import DATA_VARIABLE


@dataclass
class Answer:
    """How a command answered."""

    code: int
    out: str
    err: str

    @property
    def objects(self) -> list[Any]:
        """The lines of JSON."""
        return [json.loads(line) for line in self.out.splitlines()]


Companion = Callable[..., Answer]


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of the test's own."""
    folder = tmp_path / "companion-data"
    monkeypatch.setenv(DATA_VARIABLE, str(folder))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    return folder


@pytest.fixture
def companion(data: Path, capsys: pytest.CaptureFixture[str]) -> Companion:
    """Run a command."""

    def run(*words: str) -> Answer:
        capsys.readouterr()
        code = main(list(words))
        captured = capsys.readouterr()
        return Answer(code, captured.out, captured.err)

    return run
