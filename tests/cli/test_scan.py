"""`companion scan`: what it prints, what it says about mistakes, and its exit codes."""

import dataclasses
import io
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from companion.cli import main
from companion.cli import scan as module
from companion.errors import ModelMissingError
from companion.rules.tiles import Tile, TileSet
from companion.vision import weights
from companion.vision.readings import HandReading, Hint
from tests.hands import FakeReader, box, grey_photo, hand, tile

Install = Callable[..., FakeReader]


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Install:
    def put(*readings: HandReading | Exception) -> FakeReader:
        reader = FakeReader(*readings)
        monkeypatch.setattr(module, "load_reader", lambda: reader)
        return reader

    return put


def one_sentence(text: str) -> str:
    """The only line of a text, which is no traceback."""
    (line,) = text.splitlines()
    assert "Traceback" not in line
    assert not re.search(r"[A-Za-z]Error\b", line)
    return line


# --- what it prints ---------------------------------------------------------------------------------------------------


def test_one_photo(install: Install, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    install(hand("3-12", "0-0?", "7-7"))
    path = grey_photo(tmp_path / "hand.png")
    assert main(["scan", str(path)]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines() == [
        f"{path}: 3 tiles, 29 points",
        "  3-12  0-0?  7-7",
        "  Please check:",
        "    ? 0-0: hard to read",
    ]
    assert err == ""


def test_options_reach_the_reader(install: Install, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    reader = install(hand("0-0"))
    words = ["scan", "--set", "9", "--taken", "3-9, 9/9;0-1", "--blank-points", "50"]
    assert main([*words, str(grey_photo(tmp_path / "a.png"))]) == 0
    assert reader.asked == [(TileSet(9), frozenset({Tile(3, 9), Tile(9, 9), Tile(0, 1)}))]
    assert "1 tile, 50 points" in capsys.readouterr().out


def test_several_photos_end_in_a_table(install: Install, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    install(hand("3-12", "0-1?"), HandReading(()))
    photos = [grey_photo(tmp_path / "ann.png"), tmp_path / "none.png", grey_photo(tmp_path / "bob.png")]
    assert main(["scan", *map(str, photos)]) == 2
    out, err = capsys.readouterr()
    assert out.splitlines()[-6:] == [
        "Photo         Tiles  Points  Check",
        "------------  -----  ------  --------",
        "ann.png           2      16  1 doubt",
        "none.png                     not read",
        "bob.png           0       0",
        "All together      2      16",
    ]
    assert f"{photos[2]}: No tile found." in out
    assert one_sentence(err) == f"{photos[1]}: There is no such file; check the name."


def test_no_tile_is_no_error(install: Install, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    install(HandReading(()), HandReading(()))
    path = str(grey_photo(tmp_path / "a.png"))
    assert main(["scan", path]) == 0
    assert capsys.readouterr().out == f"{path}: No tile found.\n"
    assert main(["scan", "--json", path]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["tiles"], data["points"], data["error"]) == ([], 0, None)


def test_a_model_that_fails_is_an_error(install: Install, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    install(RuntimeError("bad node"), hand("1-1"))
    photos = [str(grey_photo(tmp_path / name)) for name in ("a.png", "b.png")]
    assert main(["scan", "--json", *photos]) == 2
    out, err = capsys.readouterr()
    first, second = map(json.loads, out.splitlines())
    assert first["error"].startswith("The model failed on this photo")
    assert (second["error"], second["points"]) == (None, 2)
    assert err.startswith(f"{photos[0]}: The model failed")


def test_json_is_one_line_for_each_photo_in_order(
    install: Install, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    install(hand("3-12?"), hand("0-0"))
    photos = [str(grey_photo(tmp_path / "b.png")), str(tmp_path), str(grey_photo(tmp_path / "a.png"))]
    assert main(["scan", "--json", *photos]) == 2
    out, err = capsys.readouterr()
    lines = [json.loads(line) for line in out.splitlines()]
    assert [line["photo"] for line in lines] == photos
    assert [line["points"] for line in lines] == [15, None, 0]
    assert lines[0]["tiles"][0]["doubts"] == ["LOW_CONFIDENCE"]
    assert one_sentence(err).endswith(lines[1]["error"])


def test_annotated_copies(install: Install, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    install(HandReading((tile("3-12", box(300, 200)),)))
    path, folder = grey_photo(tmp_path / "a.png"), tmp_path / "checked"
    assert main(["scan", "--annotate", str(folder), str(path)]) == 0
    assert str(folder / "a-read.jpg") in capsys.readouterr().out
    with Image.open(folder / "a-read.jpg") as copy:
        assert copy.width == 1000
        assert copy.height > 750


@pytest.mark.parametrize(
    ("lang", "sentence"), [("fr", "1 domino, 15 points"), ("ru", "1 костяшка, 15 очков"), ("en", "1 tile, 15 points")]
)
def test_languages(
    lang: str, sentence: str, install: Install, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    install(hand("3-12"), hand("3-12"))
    path = str(grey_photo(tmp_path / "a.png"))
    assert main(["scan", path, "--lang", lang]) == 0
    monkeypatch.setenv("LANG", f"{lang}_XX.UTF-8")
    assert main(["scan", path]) == 0
    assert capsys.readouterr().out.count(sentence) == 2


# --- bad input --------------------------------------------------------------------------------------------------------


def jpeg() -> bytes:
    buffer = io.BytesIO()
    Image.effect_noise((200, 150), 60).save(buffer, "JPEG")
    return buffer.getvalue()


def gif() -> bytes:
    buffer = io.BytesIO()
    frames = [Image.new("P", (50, 50), n) for n in range(3)]
    frames[0].save(buffer, "GIF", save_all=True, append_images=frames[1:])
    return buffer.getvalue()


def one_pixel() -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (1, 1)).save(buffer, "PNG")
    return buffer.getvalue()


def bomb() -> bytes:
    header = b"IHDR" + struct.pack(">IIBBBBB", 30_000, 30_000, 8, 2, 0, 0, 0)
    body = zlib.compress(bytes(10_000_000))
    data = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + header + struct.pack(">I", zlib.crc32(header))
    return data + struct.pack(">I", len(body)) + b"IDAT" + body + struct.pack(">I", zlib.crc32(b"IDAT" + body))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "This file is empty"),
        (b"3-12 0-0\n", "no picture"),
        (jpeg()[:2000], "damaged or cut short"),
        (one_pixel(), "only 1 × 1 pixels"),
        (bomb(), "30000 × 30000 pixels"),
        (gif(), "GIF"),
    ],
    ids=["empty", "text", "truncated", "1x1", "bomb", "gif"],
)
def test_bad_file(
    data: bytes, words: str, install: Install, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One sentence and exit code 2; the other photo is read all the same."""
    install(hand("3-12"))
    bad, good = tmp_path / "bad.jpg", grey_photo(tmp_path / "good.png")
    bad.write_bytes(data)
    assert main(["scan", str(bad), str(good)]) == 2
    out, err = capsys.readouterr()
    assert words in one_sentence(err)
    assert "1 tile, 15 points" in out


def test_folder_and_missing_file(install: Install, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    install()
    assert main(["scan", str(tmp_path)]) == 2
    assert "This is a folder" in one_sentence(capsys.readouterr().err)
    assert main(["scan", str(tmp_path / "none.jpg")]) == 2
    assert "no such file" in one_sentence(capsys.readouterr().err)


def test_no_permission(
    install: Install, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    install()
    path = grey_photo(tmp_path / "a.png")
    path.chmod(0)
    if os.access(path, os.R_OK):  # root may read everything

        def refuse(*args: object, **options: object) -> None:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(Path, "open", refuse)
    assert main(["scan", str(path)]) == 2
    assert "may not read this file" in one_sentence(capsys.readouterr().err)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--set", "7"], "There is no set with 7 as its highest double"),
        (["--set", "twelve"], "There is no set with twelve"),
        (["--set", ""], "There is no set with"),
        (["--taken", "3-"], "“3-” is no tile"),
        (["--taken", "3-12,zero"], "“zero” is no tile"),
        (["--taken", "3-99"], "no set has more than 18 pips"),
        (["--set", "9", "--taken", "3-12"], "3-12 is not in the set up to 9-9"),
        (["--blank-points", "many"], "“many” does not fit --blank-points"),
        (["--blank-points", "-1"], "a whole number from 0 to 1000"),
        (["--sett", "9"], "did you mean --set?"),
        (["--xyz"], "There is no option --xyz"),
        (["--lang", "de"], "“de” does not fit --lang"),
        (["--set"], "--set needs a value"),
    ],
)
def test_bad_options(
    words: list[str], sentence: str, install: Install, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    install(hand())
    assert main(["scan", str(grey_photo(tmp_path / "a.png")), *words]) == 2
    out, err = capsys.readouterr()
    assert sentence in one_sentence(err)
    assert out == ""


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["scan"], "PHOTO is missing"),
        (["scna", "x.jpg"], "There is no command scna; did you mean scan?"),
        (["qqq"], "There is no command qqq"),
        (["doctor", "now"], "more than the command understands: now"),
        (["--nothing"], "There is no option --nothing"),
    ],
)
def test_bad_commands(words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    assert sentence in one_sentence(capsys.readouterr().err)


def test_mistakes_are_told_in_the_users_language(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["scan", "--lang", "ru", "--set", "7", "x.jpg"]) == 2
    assert "Набора со старшим дублем 7 не бывает" in one_sentence(capsys.readouterr().err)
    assert main(["--lang=fr", "scna"]) == 2
    assert "vouliez-vous dire scan" in one_sentence(capsys.readouterr().err)


@pytest.mark.parametrize("as_json", [False, True])
def test_weights_missing(
    as_json: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(weights, "FOLDER", tmp_path)
    photos = [str(grey_photo(tmp_path / name)) for name in ("a.png", "b.png")]
    assert main(["scan", *(["--json"] if as_json else []), *photos]) == 2
    out, err = capsys.readouterr()
    assert "is missing; install the companion again" in one_sentence(err)
    lines = [json.loads(line) for line in out.splitlines()]
    assert [line["photo"] for line in lines] == (photos if as_json else [])
    assert all(line["error"] and line["points"] is None for line in lines)


def test_weights_altered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "weights"
    shutil.copytree(weights.FOLDER, folder)
    network = next(folder.glob("*.onnx"))
    data = bytearray(network.read_bytes())
    data[len(data) // 2] ^= 1
    network.write_bytes(data)
    monkeypatch.setattr(weights, "FOLDER", folder)
    assert main(["scan", str(grey_photo(tmp_path / "a.png"))]) == 2
    assert f"The model {network.name} is not the one that was tested" in one_sentence(capsys.readouterr().err)


def test_errors_of_loading_are_not_hidden(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing() -> FakeReader:
        raise ModelMissingError("weights_missing", file="detector.onnx")

    monkeypatch.setattr(module, "load_reader", missing)
    assert main(["scan", str(grey_photo(tmp_path / "a.png"))]) == 2
    assert "detector.onnx" in one_sentence(capsys.readouterr().err)


def test_an_annotation_folder_that_cannot_be_made(
    install: Install, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reader = install(hand())
    (tmp_path / "file").touch()
    assert main(["scan", "--annotate", str(tmp_path / "file"), str(grey_photo(tmp_path / "a.png"))]) == 2
    assert "Nothing can be written to" in one_sentence(capsys.readouterr().err)
    assert reader.asked == [], "told before any work is done"


# --- terminals and pipes ----------------------------------------------------------------------------------------------


def companion(*words: str, encoding: str | None = None, code: str = "") -> subprocess.CompletedProcess[bytes]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG"))}
    if encoding:
        environment["PYTHONIOENCODING"] = encoding
    command = [sys.executable, "-c", code] if code else [sys.executable, "-m", "companion", *words]
    return subprocess.run(command, env=environment, capture_output=True, check=False)


@pytest.mark.parametrize("encoding", ["utf-8", "koi8-r", "cp1251", "cp866", "ascii", "latin-1"])
def test_cyrillic_on_every_terminal(encoding: str) -> None:
    done = companion("scan", "--lang", "ru", "--set", "7", "x.jpg", encoding=encoding)
    assert done.returncode == 2
    shown = encoding if encoding not in ("ascii", "latin-1") else "utf-8"
    assert "Набора со старшим дублем 7 не бывает" in done.stderr.decode(shown)


def test_french_loses_accents_rather_than_words_where_they_cannot_be_written() -> None:
    done = companion("scan", "--lang", "fr", "--set", "7", "x.jpg", encoding="koi8-r")
    shown = done.stderr.decode("koi8-r").replace("\u00a0", " ")
    assert "soit 7 : choisissez 6, 9, 12, 15 ou 18" in shown
    assert "There is no" not in shown


def test_a_reader_that_has_seen_enough(tmp_path: Path) -> None:
    """`companion scan ... | head -1` ends without a word."""
    code = (
        "import sys, pathlib; from tests.hands import *; from companion.cli import main, scan; "
        f"p = str(grey_photo(pathlib.Path({str(tmp_path)!r}) / 'a.png')); "
        "scan.load_reader = lambda: FakeReader(*[hand('3-12')] * 2000); "
        "sys.exit(main(['scan', '--json', *[p] * 2000]))"
    )
    command = f'"{sys.executable}" -c "{code}" | head -1'
    done = subprocess.run(["bash", "-c", command], capture_output=True, check=False, cwd=Path(__file__).parents[2])
    assert done.stderr == b""
    assert json.loads(done.stdout)["points"] == 15


def test_ctrl_c_ends_quietly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted() -> FakeReader:
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "load_reader", interrupted)
    assert main(["scan", str(grey_photo(tmp_path / "a.png"))]) == 130
    assert capsys.readouterr().err.strip() == ""


def test_progress_is_for_terminals_only(
    install: Install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    photos = [str(grey_photo(tmp_path / name)) for name in ("a.png", "b.png")]
    install(hand("1-1"), hand("1-1"), hand("1-1"), hand("1-1"), hand("1-1"))
    assert main(["scan", "--json", *photos]) == 0
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    assert main(["scan", "--json", *photos]) == 0
    out, err = capsys.readouterr()
    assert "Reading photo 2 of 2: b.png" in err
    assert err.endswith("\r\x1b[K"), "the line is taken away again"
    assert "Reading" not in out
    assert main(["scan", photos[0]]) == 0
    assert "Reading" not in capsys.readouterr().err


# --- what nobody should have to know about --------------------------------------------------------------------------


def test_nothing_is_sent_or_kept_by_the_runtime(tmp_path: Path) -> None:
    """onnxruntime would report its use to its maker, and leaves an identifier in the home folder when it means to."""
    for code in (
        "from companion import Reader; Reader.load()",
        "from companion.app.doctor import examine; [*examine()]",
    ):
        environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "LOCALAPPDATA": str(tmp_path)}
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=False, cwd=ROOT)
        assert (done.returncode, done.stderr) == (0, b"")
        assert list(tmp_path.rglob("*")) == []


ROOT = Path(__file__).parents[2]
FAKE = (
    "import sys, pathlib; from tests.hands import *; from companion.cli import main, scan; "
    "p = str(grey_photo(pathlib.Path({folder!r}) / 'a.png')); "
    "scan.load_reader = lambda: FakeReader(*[hand('3-12')] * 9); sys.exit(main({words} + [p]))"
)


@pytest.mark.skipif(sys.platform != "linux", reason="/dev/full is Linux's")
@pytest.mark.parametrize(
    ("words", "redirected", "code", "out", "err"),
    [
        (["scan"], ">/dev/full", 2, "", "could not be written (No space left on device)"),
        (["scan", "--json"], ">/dev/full", 2, "", "could not be written (No space left on device)"),
        (["scan"], ">/dev/full 2>/dev/full", 2, "", ""),
        (["scan"], ">&-", 0, "", ""),
        (["scan", "none.jpg"], "2>&-", 2, "1 tile, 15 points", ""),
        (["scan", "none.jpg"], "2>/dev/full", 2, "1 tile, 15 points", ""),
        (["scan", "none.jpg"], ">&- 2>&-", 2, "", ""),
        (["scan"], "<&-", 0, "1 tile, 15 points", ""),
    ],
)
def test_streams_that_are_closed_or_full(
    words: list[str], redirected: str, code: int, out: str, err: str, tmp_path: Path
) -> None:
    program = FAKE.format(folder=str(tmp_path), words=words)
    command = ["bash", "-c", f'"$@" {redirected}', "bash", sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, check=False, cwd=ROOT, text=True)
    assert done.returncode == code
    assert out in done.stdout
    assert err in done.stderr
    assert len(done.stderr.splitlines()) == (1 if err else 0)


def test_ctrl_c_while_the_program_is_being_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    from companion import __main__

    class Interrupted:
        def find_spec(self, name: str, *_: object) -> None:
            if name == "companion.cli.serve":
                raise KeyboardInterrupt

    monkeypatch.setattr(sys, "meta_path", [Interrupted(), *sys.meta_path])
    monkeypatch.delitem(sys.modules, "companion.cli.serve", raising=False)
    assert __main__.main(["doctor"]) == 130


@pytest.mark.skipif(os.name == "nt", reason="names that Windows does not allow")
@pytest.mark.parametrize("name", ["two\nlines.png", "red\x1b[31m.png", "back\u202ewards.png", "bell\x07.png"])
def test_a_name_cannot_break_lines_or_command_the_terminal(
    name: str, install: Install, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    install(*[hand("3-12")] * 3)
    path = grey_photo(tmp_path / name)
    assert main(["scan", "--annotate", str(tmp_path), str(path), str(path), str(tmp_path / f"no-{name}")]) == 2
    out, err = capsys.readouterr()
    assert all(letter.isprintable() or letter == "\n" for letter in out + err)
    assert one_sentence(err)
    assert len(out.splitlines()) == 2 * 3 + 1 + 6
    assert main(["scan", "--json", str(path)]) == 0
    assert json.loads(capsys.readouterr().out)["photo"] == str(path)


@pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")
def test_links_that_go_in_a_circle(install: Install, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    install(hand("3-12"))
    (tmp_path / "loop.png").symlink_to("loop.png")
    photos = [str(tmp_path / "loop.png"), str(grey_photo(tmp_path / "a.png"))]
    assert main(["scan", "--annotate", str(tmp_path), *photos]) == 2
    out, err = capsys.readouterr()
    assert "could not be read" in one_sentence(err)
    assert "1 tile, 15 points" in out


@pytest.mark.parametrize("as_json", [False, True])
def test_a_copy_that_cannot_be_saved_stops_nothing(
    as_json: bool, install: Install, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    install(hand("3-12"), hand("0-1"))
    folder = tmp_path / "copies"
    photos = [grey_photo(tmp_path / f"{'n' * 248}.png"), grey_photo(tmp_path / "b.png")]
    words = ["scan", "--annotate", str(folder), *(["--json"] if as_json else []), *map(str, photos)]
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert "Nothing can be written to" in one_sentence(err)
    assert [path.name for path in folder.iterdir()] == ["b-read.jpg"]
    if as_json:
        assert [json.loads(line)["points"] for line in out.splitlines()] == [15, 1]
    else:
        assert "1 tile, 15 points" in out
        assert "1 tile, 1 point" in out


# --- several photos of one hand ---------------------------------------------------------------------------------------


def test_photos_of_one_hand_are_merged(install: Install, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    install(hand("3-12", "0-5?", "7-7?"), hand("7-7", "1-1"))
    left, right = grey_photo(tmp_path / "left.png"), grey_photo(tmp_path / "right.png")
    assert main(["scan", "--merge", str(left), str(right)]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines() == [
        f"{left} + {right}: 4 tiles, 36 points",
        "  3-12  0-5?  7-7  1-1",
        "  Please check:",
        "    ? 0-5: hard to read",
    ]
    assert err == ""


def test_merged_photos_are_one_line_of_json(
    install: Install, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    install(hand("3-12", "0-0"), hand("0-0", "1-1"), hand("1-1"))
    photos = [str(grey_photo(tmp_path / name)) for name in ("a.png", "b.png", "c.png")]
    assert main(["scan", "--json", "--merge", "--blank-points", "50", *photos]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    data = json.loads(line)
    assert [one["photo"] for one in data["photos"]] == photos
    assert {one["width"] for one in data["photos"]} == {640}
    assert [(tile["photo"], tile["low"], tile["high"]) for tile in data["tiles"]] == [(0, 3, 12), (0, 0, 0), (1, 1, 1)]
    assert (data["points"], data["error"], data["doubts"], data["model"]) == (67, None, [], "fake-1")


def test_a_hand_of_which_a_photo_cannot_be_read_is_not_counted(
    install: Install, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    install(hand("3-12"))
    photos = [str(grey_photo(tmp_path / "a.png")), str(tmp_path / "none.png")]
    assert main(["scan", "--json", "--merge", *photos]) == 2
    out, err = capsys.readouterr()
    data = json.loads(out)
    assert (data["points"], data["tiles"]) == (None, [])
    assert one_sentence(err).endswith(data["error"])
    install(hand("3-12"))
    assert main(["scan", "--merge", *photos]) == 2
    assert capsys.readouterr().out == ""


def test_a_merged_hand_without_a_model_is_one_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing() -> FakeReader:
        raise ModelMissingError("weights_missing", file="x")

    monkeypatch.setattr(module, "load_reader", missing)
    photos = [str(grey_photo(tmp_path / name)) for name in ("a.png", "b.png")]
    assert main(["scan", "--json", "--merge", *photos]) == 2
    (line,) = capsys.readouterr().out.splitlines()
    assert json.loads(line)["points"] is None


@pytest.mark.parametrize(("lang", "words"), [("en", "go nearer"), ("fr", "approchez-vous"), ("ru", "подойдите ближе")])
def test_what_would_make_a_better_photo_is_said(
    lang: str, words: str, install: Install, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reading = dataclasses.replace(hand("3-12?"), hints=frozenset({Hint.TOO_FAR, Hint.GLARE}))
    install(reading, reading)
    path = str(grey_photo(tmp_path / "a.png"))
    assert main(["scan", path, "--lang", lang]) == 0
    assert words in capsys.readouterr().out.splitlines()[-1]
    assert main(["scan", "--json", path]) == 0
    assert json.loads(capsys.readouterr().out)["hints"] == ["GLARE", "TOO_FAR"]
