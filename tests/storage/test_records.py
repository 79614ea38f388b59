"""Lines of the log: canonical, strict, and old versions still read."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from companion.errors import EventVersionError, LogCorruptError
from companion.rules.events import EVENTS, GameStarted, TilePlayed, TurnPassed
from companion.rules.tiles import Tile
from companion.storage.records import CODEC, HOST, VERSIONS, RecordCodec, Recorded, Source

SAMPLES = Path(__file__).parent / "samples"
AT = "2026-07-30T19:04:05.120Z"


def sample_lines() -> list[str]:
    return [line for file in sorted(SAMPLES.glob("*.jsonl")) for line in file.read_text("utf-8").splitlines()]


@pytest.mark.parametrize("line", sample_lines())
def test_a_stored_sample_of_every_version_is_still_read(line: str) -> None:
    data = json.loads(line)
    record = CODEC.record(line, data["seq"])
    if data["v"] == VERSIONS.get(data["event"], 1):
        assert type(record.event).__name__ == data["event"]
        assert CODEC.line(record) == line


def test_there_is_a_sample_of_every_version_of_every_event() -> None:
    there = {(data["event"], data["v"]) for data in map(json.loads, sample_lines())}
    wanted = {
        (event.__name__, version) for event in EVENTS for version in range(1, VERSIONS.get(event.__name__, 1) + 1)
    }
    assert wanted <= there


def test_a_line_is_readable() -> None:
    record = Recorded(7, AT, Source(1), "ab" * 32, TilePlayed(1, Tile(12, 3), None, 3))
    assert CODEC.line(record) == (
        f'{{"seq":7,"at":"{AT}","by":"seat-1","photo":"{"ab" * 32}","event":"TilePlayed","v":1,'
        '"data":{"seat":1,"tile":"3-12","train":null,"outer":3,"keep_marker":false}}'
    )
    assert CODEC.record(CODEC.line(record), 7) == record


def test_every_house_rule_is_written_out_so_that_a_new_default_changes_no_old_game() -> None:
    lines = [line for line in sample_lines() if '"GameStarted"' in line]
    rules = json.loads(lines[0])["data"]["rules"]
    assert {"tie_break", "voluntary_marker", "double_blank_points", "max_pip"} <= rules.keys()


@pytest.mark.parametrize("text", ["", "Host", "seat-", "seat-123", "seat-1 ", "seat--1"])
def test_what_is_no_source(text: str) -> None:
    with pytest.raises(ValueError, match="no source"):
        Source.parse(text)


@pytest.mark.parametrize("source", [HOST, Source(0), Source(13)])
def test_a_source_comes_back(source: Source) -> None:
    assert Source.parse(str(source)) == source
    assert source.is_host == (source == HOST)


GOOD = {"seq": 3, "at": AT, "by": "host", "event": "TurnPassed", "v": 1, "data": {"seat": 1}}


@pytest.mark.parametrize(
    "wrong",
    [
        {"seq": 4},
        {"seq": "3"},
        {"at": "yesterday"},
        {"at": "2026-07-30T19:04:05Z"},
        {"at": None},
        {"by": "nobody"},
        {"by": 3},
        {"photo": "short"},
        {"photo": 3},
        {"event": ["TurnPassed"]},
        {"v": "1"},
        {"data": {}},
        {"data": {"seat": 1, "tile": "0-0"}},
        {"data": None},
        {"extra": 1},
    ],
)
def test_nothing_wrong_is_believed(wrong: dict[str, Any]) -> None:
    assert CODEC.record(json.dumps(GOOD), 3).event == TurnPassed(1)
    with pytest.raises((LogCorruptError, EventVersionError)) as caught:
        CODEC.record(json.dumps(GOOD | wrong), 3)
    assert caught.value.params["seq"] == 3


@pytest.mark.parametrize("line", ["", "{", "null", "[]", "3", '"text"', "{}", json.dumps(GOOD)[:-1]])
def test_what_is_no_line(line: str) -> None:
    with pytest.raises(LogCorruptError):
        CODEC.record(line, 3)
    with pytest.raises(LogCorruptError):
        CODEC.events([line])


@pytest.mark.parametrize("newer", [{"event": "TileFlipped"}, {"v": 2}])
def test_a_newer_version_is_named(newer: dict[str, Any]) -> None:
    line = json.dumps(GOOD | newer)
    with pytest.raises(EventVersionError) as caught:
        CODEC.record(line, 3)
    assert caught.value.params["seq"] == 3
    with pytest.raises(EventVersionError):
        CODEC.events([json.dumps(GOOD | {"seq": 1}), json.dumps(GOOD | newer | {"seq": 2})])


def test_the_bad_line_of_a_game_is_named() -> None:
    lines = [json.dumps(GOOD | {"seq": seq}) for seq in range(1, 6)]
    assert CODEC.events(lines) == [TurnPassed(1)] * 5
    for bad in ("{}", lines[1], lines[3] + "," + lines[3]):
        with pytest.raises(LogCorruptError) as caught:
            CODEC.events([*lines[:3], bad, lines[4]])
        assert caught.value.params["seq"] == 4


def test_events_are_those_of_the_records() -> None:
    lines = [json.dumps(json.loads(line) | {"seq": seq}) for seq, line in enumerate(sample_lines(), start=1)]
    assert CODEC.events(lines) == [record.event for record in CODEC.records(lines)]
    assert isinstance(CODEC.events(lines)[0], GameStarted)
    assert CODEC.records(lines[4:], after=4) == CODEC.records(lines)[4:]


@dataclass(frozen=True, slots=True)
class PointsAgreed:
    """An event at version 3: it was renamed, and got a field, on the way."""

    number: int
    points: int
    unit: str


TOY: RecordCodec = RecordCodec(
    [PointsAgreed],
    {"PointsAgreed": 3},
    {
        ("ScoreSaid", 1): lambda data: ("PointsAgreed", {"number": data["round"], "points": data["score"]}),
        ("PointsAgreed", 2): lambda data: ("PointsAgreed", data | {"unit": "pips"}),
    },
)


@pytest.mark.parametrize(
    ("event", "version", "data"),
    [
        ("ScoreSaid", 1, {"round": 2, "score": 40}),
        ("PointsAgreed", 2, {"number": 2, "points": 40}),
        ("PointsAgreed", 3, {"number": 2, "points": 40, "unit": "pips"}),
    ],
)
def test_old_versions_are_brought_up_to_date(event: str, version: int, data: dict[str, Any]) -> None:
    line = json.dumps(GOOD | {"seq": 1, "event": event, "v": version, "data": data})
    assert TOY.record(line, 1).event == PointsAgreed(2, 40, "pips")
    assert TOY.events([line]) == [PointsAgreed(2, 40, "pips")]


@pytest.mark.parametrize(("event", "version"), [("ScoreSaid", 2), ("PointsAgreed", 1), ("PointsAgreed", 4)])
def test_a_version_without_a_way_up_is_refused(event: str, version: int) -> None:
    line = json.dumps(GOOD | {"seq": 1, "event": event, "v": version, "data": {}})
    with pytest.raises(EventVersionError):
        TOY.events([line])


def test_an_old_line_whose_data_is_wrong_is_a_damaged_one() -> None:
    line = json.dumps(GOOD | {"seq": 1, "event": "ScoreSaid", "v": 1, "data": {"round": 2}})
    with pytest.raises(LogCorruptError):
        TOY.record(line, 1)
