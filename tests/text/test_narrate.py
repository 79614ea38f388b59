"""Every event can be told in every language."""

import json
from pathlib import Path

import pytest

from companion.rules.events import (
    EVENTS,
    HandCounted,
    HandSeen,
    Retracted,
    RoundStarted,
    Ruling,
    ScoreCorrected,
    TilePlayed,
)
from companion.rules.moves import ViolationCode
from companion.rules.tiles import Tile
from companion.storage.records import CODEC
from companion.text import Language
from companion.text.narrate import event_sentence

NAMES = ("Zoé", "Иван", "Bob", "Marie-Ève")
SAMPLES = Path(__file__).parents[1] / "storage" / "samples" / "first.jsonl"
RECORDS = [CODEC.record(line, json.loads(line)["seq"]) for line in SAMPLES.read_text("utf-8").splitlines()]


@pytest.mark.parametrize("lang", Language)
@pytest.mark.parametrize("record", RECORDS, ids=lambda record: f"{record.seq}-{type(record.event).__name__}")
def test_every_event_is_a_sentence(record: object, lang: Language) -> None:
    event = record.event  # type: ignore[attr-defined]
    sentence = event_sentence(event, NAMES, lang, [each.event for each in RECORDS])
    assert sentence.endswith(".")
    assert ".." not in sentence
    assert "None" not in sentence
    if hasattr(event, "seat"):
        assert NAMES[event.seat] in sentence
    if getattr(event, "ruling", None):
        assert "the table agreed" in sentence


def test_every_kind_of_event_was_told() -> None:
    assert {type(record.event) for record in RECORDS} == set(EVENTS)


@pytest.mark.parametrize(
    ("lang", "sentence"),
    [
        (Language.EN, "Zoé plays 3-12 on the Mexican Train."),
        (Language.FR, "Zoé joue le 3-12 sur le train mexicain."),
        (Language.RU, "Zoé выкладывает 3-12 (общая ветка)."),
    ],
)
def test_a_play(lang: Language, sentence: str) -> None:
    assert event_sentence(TilePlayed(0, Tile(3, 12), None, 3), NAMES, lang) == sentence


def test_a_round_names_its_engine_and_who_starts() -> None:
    assert event_sentence(RoundStarted(2, Tile(11, 11), 2), NAMES, Language.EN) == (
        "Round 2 begins with 11-11. Bob starts."
    )
    assert event_sentence(RoundStarted(2), NAMES, Language.FR) == "La manche 2 commence."


def test_what_was_taken_back_is_told() -> None:
    log = [HandCounted(1, 0, 12, (Tile(3, 9),)), HandCounted(1, 2, 900, None, "he kept them all.")]
    assert event_sentence(Retracted((1, 2), "both wrong."), NAMES, Language.EN, log) == (
        "Taken back: Round 1: Zoé scores 12 (3-9). Round 1: Bob scores 900. Reason: he kept them all. "
        "Reason: both wrong."
    )


def test_the_zero_for_the_lowest_hand_has_its_reason() -> None:
    assert event_sentence(ScoreCorrected(1, 0, 0, "R-SCORE-3"), NAMES, Language.EN) == (
        "Round 1: Zoé now has 0; the lowest hand of a blocked round counts nothing."
    )


@pytest.mark.parametrize("lang", Language)
def test_nobody_insists_on_a_hand_that_was_only_counted(lang: Language) -> None:
    counted = HandSeen(1, (), 4, Ruling((ViolationCode.HAND_SIZE,)))
    said = event_sentence(counted, NAMES, lang, [])
    assert "Иван" in said
    assert "—" not in said
    assert event_sentence(HandSeen(1, (), 4, Ruling((ViolationCode.HAND_SIZE,), "agreed")), NAMES, lang, []) > said
