"""The video in docs, followed by `companion watch`: the log is what was played."""

import json
from pathlib import Path
from typing import Any

import pytest

from companion.app.watching import Asked
from companion.cli import watch as module
from companion.rules.events import TileDrawn, TilePlayed, TurnPassed
from companion.storage.records import CODEC
from tests.cli.conftest import Companion

VIDEO = Path(__file__).parents[2] / "docs" / "video" / "round.mp4"
TRUTH = json.loads(VIDEO.with_suffix(".json").read_text("utf-8"))
MOST_S = 1.0
"""From the first still frame to the frame in which a move is told; what is left of 1.5 s is for the networks."""

MOST_QUESTIONS = 0
"""Boris passes three times; his marker, a bead of half a tile's width, and the order of looks tell it."""


def as_truth(event: object) -> dict[str, Any]:
    """One event as `docs/make_video.py` tells it."""
    assert isinstance(event, TilePlayed | TileDrawn | TurnPassed)
    names = TRUTH["players"]
    told: dict[str, Any] = {"player": names[event.seat], "what": type(event).__name__}
    if isinstance(event, TilePlayed):
        train = None if event.train is None else names[event.train]
        told |= {"tile": str(event.tile), "train": train, "outer": event.outer}
    return told


class Somebody:
    """Sits at the terminal and answers questions truthfully."""

    def __init__(self) -> None:
        self.asked = 0
        self._typed: list[str] = []

    def hears(self, watch: Any, happenings: Any) -> None:
        for happening in happenings:
            if isinstance(happening, Asked):
                self.asked += 1
                known = len([e for e in watch._session.events if isinstance(e, TilePlayed)])
                laid = [move for move in TRUTH["moves"] if move["what"] == "TilePlayed"][known:]
                true = [(move["player"], move["tile"], move["train"]) for move in laid]
                for number, answer in enumerate(happening.question.alternatives, start=1):
                    told = [as_truth(play) for play in answer.plays]
                    plays = [(play["player"], play["tile"], play["train"]) for play in told]
                    if plays and plays == true[: len(plays)]:
                        self._typed.append(f"{number}\n")
                        break

    def empty(self) -> bool:
        return not self._typed

    def get(self) -> str:
        return self._typed.pop(0)


def test_the_beginning_of_a_round_is_followed(companion: Companion, monkeypatch: pytest.MonkeyPatch) -> None:
    somebody = Somebody()
    tell = module._Watch.tell

    def heard(watch: Any, happenings: Any) -> None:
        happenings = tuple(happenings)
        tell(watch, happenings)
        somebody.hears(watch, happenings)

    monkeypatch.setattr(module._Watch, "tell", heard)
    monkeypatch.setattr(module, "_typed_lines", lambda: somebody)
    assert VIDEO.stat().st_size < 1_600_000
    assert companion("new", *TRUTH["players"]).code == 0
    assert companion("round", "last", "start", "--starter", TRUTH["moves"][0]["player"]).code == 0
    sides = [word for name, hour in TRUTH["sides"].items() for word in ("--side", f"{name}={hour}")]
    answer = companion("watch", str(VIDEO), "--game", "last", *sides, "--json")
    assert answer.code == 0, answer.err
    happenings = answer.objects
    recorded = [
        (happening["time_s"], CODEC.record(json.dumps(line), line["seq"]).event)
        for happening in happenings
        if happening["happening"] == "recorded"
        for line in happening["recorded"]
    ]
    moves = TRUTH["moves"]
    assert [as_truth(event) for _, event in recorded] == [
        {key: value for key, value in move.items() if key != "still_from_s"} for move in moves
    ]
    assert somebody.asked <= MOST_QUESTIONS
    for (told_s, event), move in zip(recorded, moves, strict=True):
        if isinstance(event, TilePlayed):
            assert 0 <= told_s - move["still_from_s"] <= MOST_S, move
    assert [each["key"] for each in happenings if each["happening"] == "notice"] == ["watch_pushed"]
    readings = [each for each in happenings if each["happening"] == "read"]
    parts = [each["boxes"] for each in readings if not each["whole"]]
    wholes = [each["boxes"] for each in readings if each["whole"]]
    assert len(parts) > 3 * len(wholes)
    assert sum(parts) / len(parts) < 0.4 * sum(wholes) / len(wholes)
