#!/usr/bin/env python3
"""From a fresh clone to a scanned hand, or to the tests, in one command.

    python3 quickstart.py         make a virtual environment in .venv, install the companion there, scan a sample hand
    python3 quickstart.py test    install what the tests need, too, and run them; further words go to pytest

Nothing outside this folder is changed. Needs Python 3.11 or newer with its venv module, and a package index.
"""

# An old Python must be able to read this file in order to say that it is too old: no newer syntax here.
import hashlib
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
VENV = HERE / ".venv"
PROGRAMS = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = PROGRAMS / ("python.exe" if os.name == "nt" else "python")
INSTALLED = VENV / "installed.txt"
SAMPLE = Path("docs", "samples", "hand-1.jpg")
SCANNED = Path("build", "scanned")
NEEDED = (3, 11)


def main(words):
    """Do what the first word says; returns the exit code."""
    testing = words[:1] == ["test"]
    problem = (
        unsuitable_python() if testing or not words else "Say 'python3 quickstart.py' or 'python3 quickstart.py test'."
    )
    problem = problem or install("[dev]" if testing else "")
    if problem:
        print(problem, file=sys.stderr)
        return 2
    if testing:
        return run("-m", "pytest", *words[1:])
    code = run("-m", "companion", "scan", str(SAMPLE), "--annotate", str(SCANNED))
    if code == 0:
        program = (PROGRAMS / "companion").relative_to(HERE)
        print(f"\nThe copy in {SCANNED} shows what was read. Now a photo of your own:\n  {program} scan PHOTO")
    return code


def unsuitable_python():
    """What this Python lacks, in a sentence; empty if nothing."""
    if sys.version_info < NEEDED:
        needed, here = (".".join(map(str, version[:2])) for version in (NEEDED, sys.version_info))
        return (
            f"Python {needed} or newer is needed and this is {here}: install a newer one and start this file with it."
        )
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError:
        return "Python's venv module is missing: sudo apt install python3-venv (Debian, Ubuntu), then try again."
    return ""


def install(extra):
    """Make .venv and install there, unless that was done already; returns what went wrong, or nothing."""
    wanted = hashlib.sha256((HERE / "pyproject.toml").read_bytes()).hexdigest() + extra
    if PYTHON.exists() and INSTALLED.exists() and INSTALLED.read_text().startswith(wanted):
        return ""
    print("Installing into .venv, which takes a minute or two ...", flush=True)
    fresh = [] if INSTALLED.exists() else ["--clear"]  # an interrupted first try is begun again
    if subprocess.call([sys.executable, "-m", "venv", *fresh, str(VENV)]) != 0:
        return "The virtual environment .venv could not be made, see above: can this folder be written to?"
    if run("-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--editable", "." + extra) != 0:
        return "The packages could not be installed, see above: check the network and the free space, then try again."
    INSTALLED.write_text(wanted)
    return ""


def run(*arguments):
    """Run Python from .venv in this folder; returns the exit code."""
    return subprocess.call([str(PYTHON), *arguments], cwd=str(HERE))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
