"""Every house rule and every value has its words in every language."""

import pytest

from companion.rules.house_rules import OPTIONS, HouseRules, Preset, Value
from companion.text import Language
from companion.text.describe import (
    differing_rules,
    option_label,
    option_question,
    preset_name,
    value_label,
    value_meaning,
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
