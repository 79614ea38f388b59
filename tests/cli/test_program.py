"""The program as a whole: version, help in three languages, the doctor, the table."""

import json
import subprocess
import sys
from pathlib import Path

import click
import pytest

from companion import __main__, __version__
from companion.app import doctor
from companion.app.doctor import Finding, Status
from companion.cli import COMMANDS, main, program
from companion.cli.terminal import plain_letters, table
from companion.text import Language, say, sentences


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"companion {__version__}\n"


def test_as_a_module() -> None:
    done = subprocess.run([sys.executable, "-m", "companion", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"companion {__version__}\n"


def test_help_does_not_load_the_networks() -> None:
    heavy = "{'onnxruntime', 'cv2', 'numpy'}"
    code = f"import sys; from companion.cli import main; main(['--help']); sys.exit(bool({heavy} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize("lang", Language)
def test_help_names_every_command(lang: Language, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["--lang", lang], ["--help", "--lang", lang]):
        assert main(words) == 0
        out = capsys.readouterr().out
        for command in COMMANDS:
            assert f"  {command} " in out


@pytest.mark.parametrize("lang", Language)
@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_every_command(name: str, lang: Language, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([name, "--help", "--lang", lang]) == 0
    out = capsys.readouterr().out
    assert say("help_examples", lang) in out
    assert f"companion {name}" in out
    assert "help_" not in out
    if lang is not Language.EN:
        assert "Show this" not in out


def test_every_help_sentence_is_of_a_command_or_option() -> None:
    used = {"usage", "options", "commands", "examples", "help", "version", "lang", "json", "companion"}
    used |= set(COMMANDS)
    used |= {f"{name}_examples" for name in used}
    for name in COMMANDS:
        command = program.get_command(click.Context(program), name)
        assert command is not None
        used |= {str(getattr(param, "help", "")).removeprefix("help_") for param in command.params}
    assert {key.removeprefix("help_") for key in sentences(Language.EN) if key.startswith("help_")} <= used


def test_the_doctor_here(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "games"))
    assert main(["doctor", "--lang", "en"]) == 0
    out = capsys.readouterr().out
    assert f"Companion {__version__}" in out
    assert "onnxruntime" in out
    assert "The model reads a photo in" in out
    assert str(tmp_path / "games") in out
    assert not (tmp_path / "games").exists(), "looking leaves nothing behind"


@pytest.mark.parametrize("lang", Language)
def test_the_doctor_tells_what_to_mend(
    lang: Language, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    findings = [
        Finding(Status.OK, "doctor_package", {"package": "numpy", "version": "2"}),
        Finding(Status.NOTE, "doctor_no_camera"),
        Finding(Status.PROBLEM, "weights_missing", {"file": "detector.onnx"}),
    ]
    monkeypatch.setattr("companion.cli.doctor.examine", lambda: iter(findings))
    assert main(["doctor", "--lang", lang]) == 2
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 4
    assert "detector.onnx" in lines[2]
    assert lines[3] == say("doctor_problems", lang, n=1)
    assert main(["doctor", "--json", "--lang", lang]) == 2
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["status"] for row in rows] == ["ok", "note", "problem"]


@pytest.mark.parametrize(
    ("message", "key"),
    [
        ("libGL.so.1: cannot open shared object file", "doctor_libgl"),
        ("No module named 'cv2'", "doctor_package_missing"),
    ],
)
def test_the_doctor_without_opencv(message: str, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def without(name: str) -> object:
        if name == "cv2":
            raise ImportError(message)
        return sys.modules.get(name)

    monkeypatch.setattr(doctor, "import_module", without)
    findings = list(doctor.examine())
    assert [finding.key for finding in findings if finding.status is Status.PROBLEM] == [key]
    for lang in Language:
        for finding in findings:
            say(finding.key, lang, **finding.params)


def test_the_doctor_without_heif(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.vision.photo.HEIF", False)
    assert Finding(Status.NOTE, "doctor_no_heif") in list(doctor.examine())


def test_the_doctor_sees_altered_and_missing_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    from companion.vision import weights

    for sha256, key in (("0" * 64, "weights_altered"), ("", "weights_missing")):
        check = weights.WeightsCheck("detector.onnx", "1", sha256, ok=False)
        monkeypatch.setattr(weights, "check_weights", lambda check=check: [check])
        assert Finding(Status.PROBLEM, key, {"file": "detector.onnx"}) in list(doctor.examine())


def test_the_doctor_finds_cameras(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    (finding,) = doctor._cameras(tmp_path, tmp_path)
    assert finding.key == "doctor_no_camera"
    (tmp_path / "video0").mkdir()
    (tmp_path / "video0" / "name").write_text("Desk camera\n", encoding="utf-8")
    (finding,) = doctor._cameras(tmp_path, tmp_path)
    assert (finding.key, finding.params["name"]) == ("doctor_camera", "Desk camera")
    monkeypatch.setattr("os.access", lambda *args: False)
    (finding,) = doctor._cameras(tmp_path, tmp_path)
    assert (finding.status, finding.key) == (Status.NOTE, "doctor_camera_forbidden")
    monkeypatch.setattr(sys, "platform", "darwin")
    (finding,) = doctor._cameras(tmp_path, tmp_path)
    assert finding.key == "doctor_cameras_unknown"


def test_the_doctor_looks_at_the_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (finding,) = doctor._data_folder(tmp_path / "a" / "b")
    assert finding.key in ("doctor_space", "doctor_little_space")
    monkeypatch.setattr(doctor, "ENOUGH_SPACE_MB", 10**12)
    (finding,) = doctor._data_folder(tmp_path)
    assert (finding.status, finding.key) == (Status.NOTE, "doctor_little_space")
    (tmp_path / "file").touch()
    (finding,) = doctor._data_folder(tmp_path / "file" / "games")
    assert (finding.status, finding.key) == (Status.PROBLEM, "doctor_data_forbidden")


def test_table_is_set_by_columns_that_are_seen() -> None:
    rows = [["Фото", "Очки"], ["é\u0301té.jpg", "7"], ["写真", "12"]]
    assert table(rows, numbers=(1,)).splitlines() == [
        "Фото     Очки",
        "-------  ----",
        "é\u0301té.jpg     7",
        "写真       12",
    ]


def test_plain_letters() -> None:
    def plain(text: str) -> str:
        return plain_letters(UnicodeEncodeError("ascii", text, 0, len(text), ""))[0]

    assert plain("été — “là” × 3") == 'ete - "la" x 3'
    assert plain("\udcff写") == "??"
    with pytest.raises(UnicodeDecodeError):
        plain_letters(UnicodeDecodeError("ascii", b"", 0, 0, ""))


@pytest.mark.parametrize(
    ("words", "run"),
    [
        ([], ["serve"]),
        (["--lang", "ru"], ["serve", "--lang", "ru"]),
        (["--lang=fr"], ["serve", "--lang=fr"]),
        (["--help"], ["--help"]),
        (["games", "--lang", "ru"], ["games", "--lang", "ru"]),
    ],
)
def test_without_a_command_the_app_starts(words: list[str], run: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[list[str]] = []

    def noted(arguments: list[str]) -> int:
        ran.append(arguments)
        return 0

    monkeypatch.setattr("companion.cli.main", noted)
    assert __main__.main(words) == 0
    assert ran == [run]
