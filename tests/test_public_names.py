"""The public names are those that are promised, in order, each at its home."""

import subprocess
import sys
from importlib import import_module

import pytest

import companion


def test_public_names_are_sorted_and_there() -> None:
    assert companion.__all__ == sorted(companion.__all__)
    assert sorted(name for names in companion._HOMES.values() for name in names) == companion.__all__
    for home, names in companion._HOMES.items():
        for name in names:
            assert getattr(companion, name) is getattr(import_module(home), name)
    assert set(companion.__all__) <= set(dir(companion))


def test_other_names_are_not() -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = companion.no_such_name


def test_importing_the_package_is_cheap() -> None:
    code = "import sys, companion; sys.exit(bool({'cv2', 'numpy', 'onnxruntime', 'PIL'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
