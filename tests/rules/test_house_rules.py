"""House rules as a value: validation, presets, text and dictionaries."""

from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import HouseRulesError
from companion.rules.house_rules import OPTIONS, HouseRules, Preset


def test_every_field_is_an_option_with_its_default():
    assert list(OPTIONS) == [field.name for field in fields(HouseRules)]
    assert all(getattr(HouseRules(), name) == option.default for name, option in OPTIONS.items())


@pytest.mark.parametrize("name", Preset)
def test_every_preset_is_valid_and_round_trips(name):
    rules = HouseRules.preset(name)
    assert HouseRules.from_dict(rules.to_dict()) == rules
    assert all(type(value) in (int, bool, str, type(None)) for value in rules.to_dict().values())


@pytest.mark.parametrize(
    ("name", "differs"),
    [
        ("train-mexicain", {"double_followup", "doubles_per_turn"}),
        ("meksikanskij-poezd", {"double_followup", "hand_table", "double_blank_points"}),
        ("pagat", {"hand_table", "engine_source", "starter", "opening", "doubles_per_turn", "double_order"}),
        ("cardinal", {"hand_table", "opening", "double_followup", "mexican_train_from"}),
        ("tournament", {"finish_on_double", "tie_break"}),
        ("box-15-11-8", {"hand_table", "engine", "engine_source", "starter"}),
        ("custom", set()),
    ],
)
def test_presets_differ_from_the_defaults_only_as_listed(name, differs):
    assert set(HouseRules.preset(name).differences()) == differs
    assert HouseRules.preset(name).differences(name) == {}


@pytest.mark.parametrize(
    "values",
    [
        {"engine": "highest_double", "engine_source": "set_aside"},
        {"starter": "engine_holder", "engine_source": "set_aside"},
        {"doubles_per_turn": "any", "double_followup": "next_player"},
        {"rounds": 11, "max_pip": 9},
        {"hand_size": 28, "max_pip": 9},
    ],
)
def test_contradictions_name_both_options(values):
    with pytest.raises(HouseRulesError) as error:
        HouseRules.from_dict(values)
    assert error.value.key == "house_rules_contradict"
    assert {error.value.params["first"], error.value.params["second"]} == set(values)
    assert all(HouseRules.from_dict({name: value} if name != "hand_size" else {}) is not None
               for name, value in values.items() if name not in ("starter", "engine", "rounds"))  # fmt: skip


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("engine", "ascending"), ("rounds", 0), ("rounds", True), ("max_pip", 19), ("hand_size", -1),
        ("double_blank_points", 10), ("voluntary_marker", 1), ("blank_half_points", True), ("max_pip", None),
        ("starter", None), ("going_out_bonus", 5), ("max_pip", "12"),
    ],
)  # fmt: skip
def test_a_value_that_an_option_does_not_have(name, value):
    with pytest.raises(HouseRulesError) as error:
        HouseRules.from_dict({name: value})
    assert (error.value.key, error.value.params["option"]) == ("house_rule_value", name)


def test_unknown_options_and_presets():
    for call in (lambda: HouseRules.from_dict({"speed": 1}), lambda: HouseRules().replace(speed=1)):
        with pytest.raises(HouseRulesError) as error:
            call()
        assert error.value.key == "house_rule_unknown"
    with pytest.raises(HouseRulesError) as error:
        HouseRules.preset("chicken-foot")
    assert error.value.key == "preset_unknown"


def values_of(option):
    return option.choices or (option.least, option.most, *([None] if option.optional else []))


@pytest.mark.parametrize("option", OPTIONS.values(), ids=OPTIONS)
def test_every_value_can_be_typed(option):
    for value in values_of(option):
        text = {None: "none", True: "on", False: "off"}.get(value if type(value) in (bool, type(None)) else 0.5)
        assert option.parse(f" {str(value) if text is None else text} ") == value
    for text in ("", "maybe", "1.5", "99"):
        with pytest.raises(HouseRulesError):
            option.parse(text)


@given(st.fixed_dictionaries({name: st.sampled_from(values_of(option)) for name, option in OPTIONS.items()}))
def test_any_combination_is_a_rule_set_or_is_refused(values):
    refusal = None
    try:
        rules = HouseRules.from_dict(values)
    except HouseRulesError as error:
        refusal = error
    if refusal is not None:
        assert refusal.key == "house_rules_contradict"
        assert refusal.params["first_value"] == values[refusal.params["first"]]
        return
    assert rules == HouseRules.from_dict(rules.to_dict())
    assert hash(rules) == hash(HouseRules(**values))
    assert rules.replace(**{name: pair[0] for name, pair in rules.differences().items()}) == HouseRules()
