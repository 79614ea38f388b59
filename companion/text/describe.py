"""What the values of the rules are called: house rules, presets, trains, violations."""

import unicodedata
from collections.abc import Sequence
from typing import Any

from companion.rules.house_rules import OPTIONS, HouseRules, Option, Preset, Value
from companion.rules.moves import Violation, ViolationCode
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


def train_name(owner: int | None, names: Sequence[str], lang: Language) -> str:
    """What a train is called: by its owner, or the Mexican Train. `names` are the players', by seat."""
    if owner is None:
        return say("train_mexican", lang)
    return say("train_of", lang, owner=_possessive(player_name(owner, names), lang))


def violation_sentence(violation: Violation, names: Sequence[str], lang: Language) -> str:
    """What is wrong with a move or a decision; the clause is `violation.clause`. `names` are the players', by seat."""
    words: dict[str, Any] = dict(violation.params)
    for param in ("seat", "to_act"):
        if param in words:
            words[param] = player_name(words[param], names) if words[param] is not None else say("nobody", lang)
    if "train" in words:
        words["train"] = train_name(words["train"], names, lang)
    key = f"violation_{violation.code}"
    match violation.code:
        case ViolationCode.WRONG_ENGINE if words["due"] is None:
            key += "_any"
        case ViolationCode.WRONG_STARTER if words["due"] is None:
            key += "_any"
        case ViolationCode.WRONG_STARTER:
            words["due"] = player_name(words["due"], names)
        case ViolationCode.DEAL_TOO_LARGE if words["hand"] is None or words["largest"] < 1:
            key += "_any"
        case ViolationCode.NOT_BLOCKED if words["tiles"]:
            key += "_able"
        case ViolationCode.TOO_MANY_TILES if "most" in words:
            key += "_counted"
        case ViolationCode.UNANSWERED:
            words["options"] = ", ".join(option_label(name, lang) for name in words["options"])
    sentence = say(key, lang, **words)
    return sentence[:1].upper() + sentence[1:]


def player_name(seat: int, names: Sequence[str]) -> str:
    """A player's name; a seat that nobody has is called by its number."""
    return names[seat] if 0 <= seat < len(names) else f"№ {seat + 1}"


def _possessive(name: str, lang: Language) -> str:
    """A name as an owner: `Anna’s`, `d’Anna`, `de Bob`; in Russian it stands in quotation marks as it is."""
    if lang is Language.EN:
        return f"{name}’s"
    if lang is Language.FR:
        plain = unicodedata.normalize("NFKD", name.casefold())
        elided = plain[:1] in "aeiouhœæаиоуэы" or (plain[:1] == "y" and plain[1:2] not in "aeiou")
        return f"d’{name}" if plain and elided else f"de {name}"
    return name


_COUNTS = ("max_pip", "hand_size", "rounds", "last_tile_call")
"""The options whose numbers are no points."""


def _is_off(option: Option, value: int) -> bool:
    """Is this the number 0 of an option that can be switched on?"""
    return value == 0 and option.name != "double_blank_points"


def _word(value: str | None) -> str:
    return "none" if value is None else str(value)
