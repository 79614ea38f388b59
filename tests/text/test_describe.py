"""Every house rule and every value has its words in every language."""

import re
from pathlib import Path

import pytest

from companion.rules import moves
from companion.rules.house_rules import OPTIONS, HouseRules, Preset, Value
from companion.rules.moves import Detail, Violation
from companion.rules.moves import ViolationCode as Code
from companion.rules.tiles import Tile
from companion.text import Language, sentences
from companion.text.describe import (
    differing_rules,
    option_label,
    option_question,
    preset_name,
    train_name,
    value_label,
    value_meaning,
    violation_sentence,
)

NUMBERS = {"max_pip": (6, 9, 12, 15, 18), "hand_size": (None, 1, 2, 15), "rounds": (None, 1, 7, 13)}
EVERY_VALUE = [(name, value) for name, option in OPTIONS.items() for value in option.choices or NUMBERS[name]]


@pytest.mark.parametrize("lang", Language)
@pytest.mark.parametrize("name", OPTIONS)
def test_every_house_rule_has_a_label_and_a_question(name: str, lang: Language) -> None:
    assert 2 <= len(option_label(name, lang)) <= 40
    assert option_question(name, lang).endswith("?")


@pytest.mark.parametrize("lang", Language)
@pytest.mark.parametrize(("name", "value"), EVERY_VALUE)
def test_every_value_has_a_label_and_a_meaning(name: str, value: Value, lang: Language) -> None:
    label, meaning = value_label(name, value, lang), value_meaning(name, value, lang)
    assert 2 <= len(label) <= 45
    assert not label.endswith(".")
    assert meaning.endswith(".")
    assert len(meaning) > len(label)


@pytest.mark.parametrize("lang", Language)
@pytest.mark.parametrize("name", OPTIONS)
def test_the_values_of_a_house_rule_can_be_told_apart(name: str, lang: Language) -> None:
    values = OPTIONS[name].choices or NUMBERS[name]
    assert len({value_label(name, value, lang) for value in values}) == len(values)
    assert len({value_meaning(name, value, lang) for value in values}) == len(values)


@pytest.mark.parametrize("lang", Language)
def test_every_preset_has_a_line(lang: Language) -> None:
    assert len({preset_name(preset, lang) for preset in Preset}) == len(Preset)


def test_what_differs_from_a_preset_is_said_in_sentences() -> None:
    rules = HouseRules.preset("pagat").replace(rounds=7, marker_penalty=25)
    assert differing_rules(rules, Preset.PAGAT, Language.EN) == [
        "The game ends after 7 rounds.",
        "A marker on the own train at the end of a round costs 25 points.",
    ]
    assert differing_rules(HouseRules.preset("pagat"), Preset.PAGAT, Language.FR) == []


@pytest.mark.parametrize(
    ("lang", "sentence"),
    [
        (Language.EN, "The game ends after 1 round."),
        (Language.FR, "La partie s’arrête après 1 manche."),
        (Language.RU, "Игра заканчивается через 1 раунд."),
    ],
)
def test_numbers_take_the_right_form(lang: Language, sentence: str) -> None:
    assert value_meaning("rounds", 1, lang) == sentence


NAMES = ("Anna", "Bob", "Zoé")
DETAILS: dict[Code, list[dict[str, Detail]]] = {
    Code.NOT_IN_SET: [{"tile": Tile(3, 13), "max_pip": 12}],
    Code.NO_SUCH_HALF: [{"tile": Tile(3, 12), "pips": 4}],
    Code.TOO_MANY_TILES: [{}, {"count": 1, "most": 0}, {"count": 16, "most": 15}],
    Code.PLAYER_COUNT: [{"players": 1, "least": 2, "most": 14}],
    Code.DEAL_TOO_LARGE: [
        {"hand": 15, "players": 8, "tiles": 91, "largest": 11},
        {"hand": None, "players": 14, "tiles": 3, "largest": 0},
    ],
    Code.UNANSWERED: [{"options": ("hand_size", "double_blank_points")}],
    Code.NO_SUCH_ROUND: [{"number": 14}],
    Code.ALREADY_COUNTED: [{"seat": 0, "points": 21, "number": 3}],
    Code.HAND_SIZE: [{"seat": 0, "count": 4, "expected": 5}],
    Code.OUT_OF_TURN: [{"seat": 0, "to_act": 1}, {"seat": 0, "to_act": None}],
    Code.DOES_NOT_MATCH: [
        {"tile": Tile(3, 12), "pips": 5, "train": 0},
        {"tile": Tile(3, 12), "pips": 5, "train": None},
    ],
    Code.MUST_PLAY: [{"tiles": (Tile(0, 5), Tile(5, 9))}],
    Code.WRONG_DOUBLE_FIRST: [{"tile": Tile(5, 5), "train": 1, "order": "oldest_first"}],
    Code.MUST_COVER_OPEN_DOUBLE: [{"trains": (1, None), "doubles": (Tile(5, 5), Tile(7, 7))}],
    Code.MUST_FOLLOW_DOUBLE: [{"trains": (1,), "doubles": (Tile(5, 5),)}],
    Code.WRONG_ENGINE: [{"tile": Tile(9, 9), "due": Tile(11, 11)}, {"tile": Tile(9, 9), "due": None}],
    Code.ENGINE_HELD: [{"seat": 2, "tile": Tile(9, 9)}],
    Code.WRONG_STARTER: [{"seat": 0, "due": 2}, {"seat": 0, "due": None}],
    Code.NOT_BLOCKED: [
        {"boneyard": 3, "seat": None, "tiles": ()},
        {"boneyard": 0, "seat": 1, "tiles": (Tile(0, 5),)},
    ],
    Code.NOT_OUT: [{"seat": 0, "count": 1}],
    Code.SCORE_ODD: [{"seat": 0, "points": -3, "least": 0, "most": 120}],
    Code.SCORE_DIFFERS: [{"seat": 0, "points": 20, "expected": 21}],
    Code.ROUND_UNFINISHED: [{"number": 2}],
    Code.NO_ROUND_LEFT: [{"rounds": 13}],
}
USUAL: dict[str, Detail] = {"seat": 0, "tile": Tile(3, 12), "train": 0}
"""What the other violations say, or a part of it."""


@pytest.mark.parametrize("lang", Language)
@pytest.mark.parametrize("code", Code)
def test_every_violation_is_a_sentence(code: Code, lang: Language) -> None:
    for detail in DETAILS.get(code, [USUAL]):
        sentence = violation_sentence(Violation.of(code, **detail), NAMES, lang)
        assert not sentence[0].islower()
        assert sentence.endswith(".")
        assert "None" not in sentence
        if "{seat}" in sentences(lang)[f"violation_{code}"] and code not in (Code.NOT_BLOCKED, Code.WRONG_STARTER):
            assert "Anna" in sentence or "Zoé" in sentence


def test_every_detail_that_the_rules_give_is_tried() -> None:
    """The details above have the names that the rules use: each is found beside its code in the source."""
    source = "".join(path.read_text("utf-8") for path in Path(moves.__file__).parent.glob("*.py"))
    for code, details in DETAILS.items():
        calls = re.findall(rf"Code\.{code.name}\b[^\n]*", source)
        assert calls, code
        for name in details[-1]:
            assert any(f"{name}=" in call for call in calls), (code, name)


@pytest.mark.parametrize(
    ("lang", "names"),
    [
        (Language.EN, ["the Mexican Train", "Anna’s train", "Bob’s train", "№ 9’s train"]),
        (Language.FR, ["le train mexicain", "le train d’Anna", "le train de Bob", "le train de № 9"]),
        (Language.RU, ["общая ветка", "ветка «Anna»", "ветка «Bob»", "ветка «№ 9»"]),
    ],
)
def test_trains_are_called_by_their_owners(lang: Language, names: list[str]) -> None:
    assert [train_name(owner, NAMES, lang) for owner in (None, 0, 1, 8)] == names


@pytest.mark.parametrize(
    ("name", "train"),
    [
        ("Élise", "d’Élise"),
        ("Hugo", "d’Hugo"),
        ("Yves", "d’Yves"),
        ("Yann", "de Yann"),
        ("Œdipe", "d’Œdipe"),
        ("Анна", "d’Анна"),
        ("Ева", "de Ева"),
    ],
)
def test_french_elision(name: str, train: str) -> None:
    assert train_name(0, [name], Language.FR) == f"le train {train}"
