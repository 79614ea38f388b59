"""Further exposures of a picture keep what it shows, where it is, and enough light to see it."""

import json
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest
import reexpose


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    """Five pictures, light to nearly black, with sidecars."""
    folder = tmp_path / "pictures"
    for part in ("images", "truth"):
        (folder / part).mkdir(parents=True)
    for index, tone in enumerate((250, 160, 90, 50, 25)):
        pixels = np.full((120, 160, 3), tone // 4, np.uint8)
        cv2.rectangle(pixels, (40, 30), (80, 100), (tone,) * 3, -1)
        cv2.imwrite(str(folder / "images" / f"some-{index:07d}.jpg"), pixels)
        (folder / "truth" / f"some-{index:07d}.json").write_text(json.dumps({"index": index}), encoding="utf-8")
    return folder


def exposed(pictures: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, bytes]:
    monkeypatch.setattr(sys, "argv", ["reexpose.py", str(pictures), str(out), "--times", "4"])
    reexpose.main()
    return {path.name: path.read_bytes() for path in sorted((out / "images").iterdir())}


def test_every_picture_is_exposed_again_and_keeps_its_truth(
    pictures: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = exposed(pictures, tmp_path / "out", monkeypatch)
    assert len(made) == 20
    assert made == exposed(pictures, tmp_path / "again", monkeypatch)
    means = []
    for name in made:
        truth = json.loads((tmp_path / "out" / "truth" / name.replace(".jpg", ".json")).read_text(encoding="utf-8"))
        assert name.endswith(f"-{truth['index']:07d}.jpg")
        pixels = cv2.imread(str(tmp_path / "out" / "images" / name))
        assert pixels is not None
        assert pixels.shape == (120, 160, 3)
        tile = float(pixels[40:90, 50:70].mean())
        assert tile > 15, "what lies there can still be seen"
        assert tile > 1.5 * float(pixels[:20].mean())
        means.append(tile)
    assert min(means) < 45
    assert max(means) > 200


def test_exposures_are_dark_or_burnt() -> None:
    rng = np.random.default_rng(1)
    factors = np.array([reexpose.exposure(200.0, rng)[0].exposure for _ in range(200)])
    assert 0.5 < (factors < 0.75).mean() < 0.9
    assert ((factors < 0.75) | (factors > 1.25)).all()
    assert factors.min() * 200 >= 27
