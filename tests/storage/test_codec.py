"""The codec: every rule there and back, canonical bytes, and nothing wrong believed."""

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules.tiles import Tile
from companion.storage.codec import CodecError, decoder, dumps, encoder


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True, slots=True)
class Part:
    tile: Tile
    count: int = 1


@dataclass(frozen=True, slots=True)
class Whole:
    name: str
    parts: tuple[Part, ...]
    pair: tuple[int, str]
    tiles: frozenset[Tile] = frozenset()
    colour: Colour = Colour.RED
    why: str | None = None
    known: tuple[Tile, ...] | None = None
    sure: bool = False

    def __post_init__(self) -> None:
        if self.name == "nobody":
            raise ValueError("nobody is no name")


tiles = st.builds(Tile, st.integers(0, 18), st.integers(0, 18))
wholes = st.builds(
    Whole,
    name=st.text().filter(lambda name: name != "nobody"),
    parts=st.lists(st.builds(Part, tiles, st.integers())).map(tuple),
    pair=st.tuples(st.integers(), st.text()),
    tiles=st.frozensets(tiles),
    colour=st.sampled_from(Colour),
    why=st.none() | st.text(),
    known=st.none() | st.lists(tiles).map(tuple),
    sure=st.booleans(),
)


@given(wholes)
def test_every_value_comes_back_and_has_one_spelling(value: Whole) -> None:
    line = dumps(encoder(Whole)(value))
    assert "\n" not in line
    assert decoder(Whole)(json.loads(line)) == value
    assert dumps(encoder(Whole)(decoder(Whole)(json.loads(line)))) == line


def test_the_bytes_are_canonical() -> None:
    value = Whole("Zoë №1", (Part(Tile(12, 3)), Part(Tile(0, 0), 2)), (7, "x"), frozenset({Tile(9, 9), Tile(0, 1)}))
    assert dumps(encoder(Whole)(value)) == (
        '{"name":"Zoë №1","parts":[{"tile":"3-12","count":1},{"tile":"0-0","count":2}],"pair":[7,"x"],'
        '"tiles":["0-1","9-9"],"colour":"red","sure":false}'
    )


GOOD: dict[str, Any] = {"name": "a", "parts": [], "pair": [1, "b"]}


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": 3},
        {"name": "nobody"},
        {"name": None},
        {"parts": {}},
        {"parts": [3]},
        {"parts": [{}]},
        {"parts": [{"tile": "3-12", "count": "2"}]},
        {"parts": [{"tile": "3-12", "count": True}]},
        {"parts": [{"tile": "3-12", "count": 1.0}]},
        {"parts": [{"tile": "12-3"}]},
        {"parts": [{"tile": "3-19"}]},
        {"parts": [{"tile": 3}]},
        {"parts": [{"tile": ["3-12"]}]},
        {"parts": [{"tile": "3-12", "weight": 1}]},
        {"pair": [1]},
        {"pair": [1, "b", 2]},
        {"pair": ["b", 1]},
        {"pair": None},
        {"tiles": ["0-1", "0-1"]},
        {"tiles": "0-1"},
        {"colour": "green"},
        {"colour": ["red"]},
        {"sure": 1},
        {"why": 0},
        {"unheard": 1},
    ],
)
def test_nothing_wrong_is_believed(wrong: dict[str, Any]) -> None:
    decoder(Whole)(dict(GOOD))
    with pytest.raises(CodecError):
        decoder(Whole)(GOOD | wrong)


@pytest.mark.parametrize("data", [None, [], "text", 3, {}, {"parts": [], "pair": [1, "b"]}])
def test_what_is_no_object_or_lacks_a_field(data: Any) -> None:
    with pytest.raises(CodecError):
        decoder(Whole)(data)


@pytest.mark.parametrize("kind", [float, dict[str, int], int | str, list[int], object])
def test_a_type_without_a_rule_is_a_mistake_of_ours(kind: Any) -> None:
    with pytest.raises(TypeError):
        encoder(kind)
    with pytest.raises(TypeError):
        decoder(kind)


def test_a_value_of_another_class_is_a_mistake_of_ours() -> None:
    with pytest.raises(TypeError):
        encoder(Whole)(Part(Tile(0, 0)))
