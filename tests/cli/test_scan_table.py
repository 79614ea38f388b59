"""`companion scan --table`: what it prints, what it draws, and its mistakes."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from companion.cli import main
from companion.cli import scan as module
from companion.rules.tiles import Tile, TileSet
from companion.text import Language
from companion.vision.layout import read_layout
from companion.vision.photo import Photo
from companion.vision.readings import Doubt, KnownChain, TableReading, TileBox, TileReading
from tests.cli.test_scan import english, one_sentence  # noqa: F401
from tests.hands import box, grey_photo, tile


def lying(name: str, x: float, y: float) -> TileReading:
    """A tile that lies lengthwise, its lower number on the left."""
    upright = box(0, 0).corners
    return tile(name, TileBox(np.stack([upright[:, 1] + x, 60 - upright[:, 0] + y], 1), 0.9))


TILES = [tile("12-12", box(300, 200)), lying("3-12", 170, 230), lying("3-5", 45, 230), lying("0-1", 450, 20)]


class FakeTables:
    version = "fake-1"

    def __init__(self, reading: TableReading | Exception) -> None:
        self.reading = reading
        self.asked: list[tuple[TileSet, Tile | None]] = []

    def read_table(
        self, photo: Photo, tile_set: TileSet, engine: Tile | None = None, before: Sequence[KnownChain] = ()
    ) -> TableReading:
        self.asked.append((tile_set, engine))
        if isinstance(self.reading, Exception):
            raise self.reading
        return self.reading


@pytest.fixture
def tables(monkeypatch: pytest.MonkeyPatch) -> FakeTables:
    # 3-12 lies with its 12 towards the engine, 3-5 with its 3
    turned = [TILES[0], TILES[1], tile_turned(TILES[2]), TILES[3]]
    fake = FakeTables(read_layout(turned, TileSet(12), Tile(12, 12), face_down=[box(500, 300)]))
    monkeypatch.setattr(module, "load_reader", lambda: fake)
    return fake


def tile_turned(reading: TileReading) -> TileReading:
    return TileReading(
        reading.tile, reading.confidence, TileBox(reading.box.corners[[2, 3, 0, 1]], 0.9), reading.halves
    )


def test_a_table_is_told_train_by_train(tables: FakeTables, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = grey_photo(tmp_path / "table.png")
    assert main(["scan", "--table", "--engine", "12-12", str(path)]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines() == [
        f"{path}: engine 12-12, 1 train with 2 tiles",
        "  1: 12-3 3-5",
        "  in no train: 0-1",
        "  1 tile face down",
    ]
    assert err == ""
    assert tables.asked == [(TileSet(12), Tile(12, 12))]


@pytest.mark.parametrize("lang", Language)
def test_every_language_tells_the_same_numbers(
    lang: Language, tables: FakeTables, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--lang", lang, "scan", "--table", str(grey_photo(tmp_path / "table.png"))]) == 0
    out = capsys.readouterr().out
    for words in ("12-12", "12-3 3-5", "0-1"):
        assert words in out


def test_json_names_the_halves_of_every_tile(
    tables: FakeTables, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["scan", "--table", "--json", str(grey_photo(tmp_path / "table.png"))]) == 0
    data = json.loads(capsys.readouterr().out)
    (chain,) = data["chains"]
    assert [(t["inner"], t["outer"]) for t in chain["tiles"]] == [(12, 3), (3, 5)]
    assert chain["attached"] is True
    assert (data["engine"]["low"], data["engine"]["high"]) == (12, 12)
    assert [(t["low"], t["high"]) for t in data["loose"]] == [(0, 1)]
    assert data["error"] is None


def test_the_annotated_copy_shows_the_links(
    tables: FakeTables, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = grey_photo(tmp_path / "table.png")
    assert main(["scan", "--table", "--annotate", str(tmp_path / "out"), str(path)]) == 0
    with Image.open(tmp_path / "out" / "table-read.jpg") as picture:
        pixels = np.asarray(picture.convert("RGB")).astype(int)
    scale = 1000 / 640
    joint = (np.array([168.0, 260.0]) * scale).astype(int)  # between 3-12 and 3-5
    around = pixels[joint[1] - 4 : joint[1] + 5, joint[0] - 4 : joint[0] + 5].reshape(-1, 3)
    assert (np.abs(around - (0, 200, 170)).max(1) < 40).any()
    assert pixels.shape[0] > 750, "the lines stand below"


def test_doubts_are_told_with_their_reasons(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reading = read_layout([tile("3-12", box(100, 100)), tile("4-9", box(104, 222))], TileSet(12))
    assert Doubt.NO_ENGINE in reading.doubts
    monkeypatch.setattr(module, "load_reader", lambda: FakeTables(reading))
    assert main(["scan", "--table", str(grey_photo(tmp_path / "table.png"))]) == 0
    out = capsys.readouterr().out
    assert "    ? the whole photo: the engine cannot be found" in out.splitlines()


def test_what_goes_wrong_inside_the_model_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(module, "load_reader", lambda: FakeTables(ValueError("inside")))
    assert main(["scan", "--table", str(grey_photo(tmp_path / "table.png"))]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    (line,) = err.splitlines()
    assert "The model failed on this photo" in line


@pytest.mark.parametrize(
    "words",
    [
        ["--table", "--taken", "1-2"],
        ["--table", "--merge"],
        ["--table", "--blank-points", "50"],
        ["--table", "--save", "last", "Anna"],
        ["--table", "--engine", "3-12"],
        ["--table", "--engine", "12-12,11-11"],
        ["--table", "--set", "9", "--engine", "12-12"],
        ["--engine", "12-12"],
    ],
)
def test_options_that_do_not_fit_are_a_mistake_told_in_one_sentence(
    words: list[str], tables: FakeTables, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["scan", *words, str(grey_photo(tmp_path / "table.png"))]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    one_sentence(err)
    assert tables.asked == []
