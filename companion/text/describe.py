"""What the values of the rules are called: house rules and presets."""

from companion.rules.house_rules import OPTIONS, HouseRules, Option, Preset, Value
from companion.rules.tiles import TileSet
from companion.text import Language, say


def option_label(name: str, lang: Language) -> str:
    """What a house rule is called: a word or two."""
    return say(f"rule_{name}", lang)


def option_question(name: str, lang: Language) -> str:
    """What the table is asked about a house rule."""
    return say(f"rule_{name}_question", lang)


def value_label(name: str, value: Value, lang: Language) -> str:
    """What a value of a house rule is called: a word or two."""
    if isinstance(value, bool):
        return say("rule_yes" if value else "rule_no", lang)
    if isinstance(value, int):
        if _is_off(OPTIONS[name], value):
            return say("rule_off", lang)
        if name in _COUNTS:
            return say(f"rule_{name}_n", lang, n=value)
        return say("rule_points", lang, n=value)
    return say(f"rule_{name}_{_word(value)}", lang)


def value_meaning(name: str, value: Value, lang: Language) -> str:
    """What a value of a house rule means at the table: a sentence."""
    if isinstance(value, bool):
        return say(f"rule_{name}_{'on' if value else 'off'}_means", lang)
    if isinstance(value, int):
        if _is_off(OPTIONS[name], value):
            return say(f"rule_{name}_off_means", lang)
        if name == "max_pip":
            return say("rule_max_pip_n_means", lang, n=value, tiles=len(TileSet(value)))
        return say(f"rule_{name}_n_means", lang, n=value)
    return say(f"rule_{name}_{_word(value)}_means", lang)


def preset_name(preset: Preset, lang: Language) -> str:
    """What a preset is, in a line."""
    return say(f"preset_{preset}", lang)


def differing_rules(rules: HouseRules, preset: Preset, lang: Language) -> list[str]:
    """A sentence for each house rule in which a game differs from its preset."""
    return [value_meaning(name, value, lang) for name, (_, value) in rules.differences(preset).items()]


_COUNTS = ("max_pip", "hand_size", "rounds", "last_tile_call")
"""The options whose numbers are no points."""


def _is_off(option: Option, value: int) -> bool:
    """Is this the number 0 of an option that can be switched on?"""
    return value == 0 and option.name != "double_blank_points"


def _word(value: str | None) -> str:
    return "none" if value is None else str(value)
