"""A power cut, as far as a program can play it: kill -9 while committing."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
POINTS = 20


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL is a thing of POSIX")
def test_nothing_acknowledged_is_lost_when_a_writer_is_killed() -> None:
    """In a process of its own, because a test run has threads and they do not survive a fork."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.app.crash_points", "--points", str(POINTS), "--seed", "7"],
        cwd=ROOT, capture_output=True, text=True, env=os.environ | {"OPENBLAS_NUM_THREADS": "1"}, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    findings = json.loads(done.stdout)
    assert findings["kills"] == POINTS
    assert findings["acknowledged"] > POINTS, "the children hardly wrote anything: the kills came too early"
