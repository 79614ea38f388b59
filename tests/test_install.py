"""What a stranger does first works: the commands of README in a fresh clone, and a wheel in an empty environment."""

import json
import os
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SAMPLE = ROOT / "docs" / "samples" / "hand-1.jpg"


def clean_environment() -> dict[str, str]:
    """Without what points to this checkout."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV", "CI"))}


def checkout(target: Path) -> Path:
    """A copy of the files that git tracks or would track."""
    names = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, check=True, text=True,
    ).stdout.split("\0")  # fmt: skip
    for name in filter(None, names):
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name)
    return target


def program(environment: Path, name: str) -> str:
    return str(environment / ("Scripts" if os.name == "nt" else "bin") / name)


@pytest.mark.install
def test_the_first_command_of_readme_in_a_fresh_clone(tmp_path: Path) -> None:
    clone = checkout(tmp_path / "clone")
    command = [sys.executable, "quickstart.py"]
    done = subprocess.run(command, cwd=clone, env=clean_environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "points" in done.stdout
    assert (clone / "build" / "scanned" / "hand-1-read.jpg").stat().st_size > 10_000
    assert (clone / ".venv").is_dir()
    again = subprocess.run(command, cwd=clone, env=clean_environment(), capture_output=True, text=True, check=False)
    assert again.returncode == 0
    assert "Installing" not in again.stdout


@pytest.mark.install
def test_a_wheel_in_an_empty_environment_scans(tmp_path: Path) -> None:
    clone = checkout(tmp_path / "clone")
    subprocess.run([sys.executable, "-m", "build", "--wheel", "--outdir", tmp_path, clone], check=True)
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert all(name.startswith(("companion/", "mexican_train_companion-")) for name in names)
    for ending in (
        "/detector.onnx",
        "/corners.onnx",
        "/halves.onnx",
        "/model.toml",
        "/DejaVuSans-Bold.ttf",
        "/licenses/LICENSE",
    ):
        assert any(name.endswith(ending) for name in names), ending

    environment, elsewhere = tmp_path / "empty", tmp_path / "elsewhere"
    venv.create(environment, with_pip=True)
    elsewhere.mkdir()
    shutil.copy(SAMPLE, elsewhere / "hand.jpg")
    install = [program(environment, "python"), "-m", "pip", "install", "--quiet", str(wheel)]
    subprocess.run(install, env=clean_environment(), check=True)
    shutil.rmtree(clone)

    done = subprocess.run(
        [program(environment, "companion"), "scan", "--json", "--annotate", "out", "hand.jpg"],
        cwd=elsewhere, env=clean_environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    reading = json.loads(done.stdout)
    assert reading["tiles"]
    assert reading["error"] is None
    assert (elsewhere / "out" / "hand-read.jpg").exists()

    listed = subprocess.run(
        [program(environment, "python"), "-m", "pip", "list", "--format=json"],
        env=clean_environment(), capture_output=True, text=True, check=True,
    )  # fmt: skip
    installed = {package["name"].lower() for package in json.loads(listed.stdout)}
    assert not installed & {"torch", "torchvision", "ultralytics", "ultralytics-opencv-headless", "opencv-python"}


def quickstart(code: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Run quickstart.py after some lines of preparation."""
    lines = f"import runpy, sys; sys.argv = ['quickstart.py', *{list(words)!r}]; {code}"
    run = f"{lines}; runpy.run_path('quickstart.py', run_name='__main__')"
    return subprocess.run([sys.executable, "-c", run], cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("code", "words", "sentence"),
    [
        ("sys.version_info = (3, 9, 2)", (), "Python 3.11 or newer is needed and this is 3.9"),
        ("sys.modules['ensurepip'] = None", (), "sudo apt install python3-venv"),
        ("sys.modules['venv'] = None", ("test",), "sudo apt install python3-venv"),
        ("pass", ("tset",), "Say 'python3 quickstart.py'"),
    ],
)
def test_what_is_missing(code: str, words: tuple[str, ...], sentence: str) -> None:
    done = quickstart(code, *words)
    assert done.returncode == 2
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert sentence in line


def test_quickstart_can_be_read_by_an_old_python() -> None:
    """Else it could not say that Python is too old."""
    import ast

    ast.parse((ROOT / "quickstart.py").read_text(encoding="utf-8"), feature_version=(3, 6))
