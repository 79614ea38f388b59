"""The networks that are shipped: their contract, and hands of our own renderer that were never trained on."""

import json
import re
import shutil
from pathlib import Path

import numpy as np
import pytest

from companion.errors import ModelMismatchError, ModelMissingError
from companion.rules.tiles import Tile, TileSet
from companion.vision import weights
from companion.vision.photo import Photo
from companion.vision.reader import Reader
from companion.vision.readings import Doubt

SAMPLES = Path(__file__).parents[2] / "docs" / "samples"
TRUTH = json.loads((SAMPLES / "truth.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader.load()


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for path in (*weights.FOLDER.glob("*.onnx"), weights.FOLDER / "model.toml"):
        shutil.copy(path, tmp_path)
    return tmp_path


def test_the_weights_are_what_their_contract_says() -> None:
    checks = weights.check_weights()
    assert {c.name for c in checks} == {"detector.onnx", "corners.onnx", "halves.onnx"}
    assert all(c.ok for c in checks)


@pytest.mark.parametrize("name", ["model.toml", "detector.onnx", "corners.onnx", "halves.onnx"])
def test_missing_weights_are_named(copy: Path, name: str) -> None:
    (copy / name).unlink()
    with pytest.raises(ModelMissingError) as caught:
        Reader.load(copy)
    assert caught.value.params == {"file": name}


@pytest.mark.parametrize("name", ["detector.onnx", "corners.onnx", "halves.onnx"])
def test_altered_weights_are_refused_before_they_run(copy: Path, name: str) -> None:
    data = bytearray((copy / name).read_bytes())
    data[len(data) // 2] ^= 1
    (copy / name).write_bytes(data)
    with pytest.raises(ModelMismatchError) as caught:
        Reader.load(copy)
    assert caught.value.params == {"file": name}
    assert [c.name for c in weights.check_weights(copy) if not c.ok] == [name]


def test_a_file_that_is_another_network_is_refused_though_its_checksum_fits(copy: Path) -> None:
    shutil.copy(copy / "halves.onnx", copy / "detector.onnx")
    contract = (copy / "model.toml").read_text(encoding="utf-8")
    sums = {name: weights.file_sha256(weights.FOLDER / f"{name}.onnx") for name in ("detector", "halves")}
    (copy / "model.toml").write_text(contract.replace(sums["detector"], sums["halves"]), encoding="utf-8")
    with pytest.raises(ModelMismatchError):
        Reader.load(copy)


@pytest.mark.parametrize("text", ["", "version = 1", "[detector", "version = '1'\n[detector]\nfile = 3\n"])
def test_a_contract_that_says_too_little_is_refused(copy: Path, text: str) -> None:
    (copy / "model.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ModelMismatchError):
        Reader.load(copy)


@pytest.mark.parametrize("value", ["0", "-0.9", "nan", "inf", '"high"', "[0.9]"])
def test_a_setting_that_makes_no_sense_is_refused(copy: Path, value: str) -> None:
    """Else every photo fails, or, worse, is read without a doubt."""
    contract = copy / "model.toml"
    text, changed = re.subn(r"(?m)^temperature = .*$", f"temperature = {value}", contract.read_text(encoding="utf-8"))
    assert changed == 1
    contract.write_text(text, encoding="utf-8")
    with pytest.raises(ModelMismatchError):
        Reader.load(copy)


@pytest.mark.parametrize("name", sorted(TRUTH))
def test_sample_hands_are_read_exactly(reader: Reader, name: str) -> None:
    hand = reader.read_hand(Photo.from_path(SAMPLES / f"{name}.jpg"), TileSet(TRUTH[name]["set"]))
    assert sorted(hand.values) == [Tile(*t) for t in TRUTH[name]["tiles"]]
    assert len(hand.face_down) == TRUTH[name]["face_down"]
    assert Doubt.FACE_DOWN_NEARBY not in hand.doubts, "clearly backs: told, not doubted"


def test_the_same_photo_gives_the_same_reading(reader: Reader) -> None:
    photo = Photo.from_path(SAMPLES / "hand-1.jpg")
    first, again = (reader.read_hand(photo, TileSet(12)) for _ in range(2))
    assert first.values == again.values
    assert [t.confidence for t in first.tiles] == [t.confidence for t in again.tiles]
    assert all((a.box.corners == b.box.corners).all() for a, b in zip(first.tiles, again.tiles, strict=True))


def test_red_and_blue_are_not_mixed_up(reader: Reader) -> None:
    """A canary: with its channels swapped the same photo is another one, and confidence falls."""
    photo = Photo.from_path(SAMPLES / "hand-1.jpg")
    swapped = Photo(np.ascontiguousarray(photo.pixels[..., ::-1]), "0" * 64)
    scores = [sum(t.box.score for t in reader.read_hand(p, TileSet(12)).tiles) for p in (photo, swapped)]
    assert scores[0] > scores[1]


def test_a_hand_turned_upside_down_or_on_its_side_is_the_same_hand(reader: Reader) -> None:
    photo = Photo.from_path(SAMPLES / "hand-1.jpg")
    for quarter_turns in (1, 2, 3):
        turned = Photo(np.ascontiguousarray(np.rot90(photo.pixels, quarter_turns)), str(quarter_turns) * 64)
        assert sorted(reader.read_hand(turned, TileSet(12)).values) == [Tile(*t) for t in TRUTH["hand-1"]["tiles"]]


def test_an_empty_table_has_no_tiles(reader: Reader) -> None:
    rng = np.random.default_rng(1)
    cloth = np.clip(rng.normal(120, 10, (600, 800, 3)), 0, 255).astype(np.uint8)
    assert reader.read_hand(Photo(cloth, "0" * 64), TileSet(12)).tiles == ()
