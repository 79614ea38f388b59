import tomllib
from pathlib import Path

import pytest

from companion.app import doctor
from companion.app.doctor import Status, declared


def test_every_declared_package_is_looked_at() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = {line.split(">=")[0].split("==")[0].split("[")[0] for line in project["dependencies"]}
    assert declared() == names
    found = {f.params["package"] for f in doctor.examine() if f.key == "doctor_package"}
    assert found == names


def test_a_missing_package_of_the_screens_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    installed = doctor._installed
    monkeypatch.setattr(doctor, "_installed", lambda package: None if package == "segno" else installed(package))
    problems = [f for f in doctor._other_packages() if f.status is Status.PROBLEM]
    assert [(f.key, f.params["package"]) for f in problems] == [("doctor_package_missing", "segno")]
