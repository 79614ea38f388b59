"""`companion rules`: what can be agreed on, what a game plays by, and changes before round one."""

from pathlib import Path

import click

from companion.app.table_words import player_names
from companion.cli.desk import Voice, data_option, desk, explaining, json_option, source_of, who_option
from companion.cli.localized import Command, Option, current_language
from companion.cli.new import parse_change
from companion.errors import UsageError
from companion.rules.house_rules import OPTIONS, HouseRules, Preset
from companion.rules.seating import agree
from companion.text import Language, say
from companion.text.describe import option_label, option_question, preset_name, value_label, value_meaning


def run(
    option: str | None, code: str | None, changes: tuple[str, ...], who: str | None, data: Path | None, as_json: bool
) -> None:
    """Show every house rule, one of them with its values, or those of a game."""
    if code is None:
        if changes:
            raise UsageError("changes_need_game")
        show(option, current_language(), as_json)
        return
    with desk(data, as_json) as at:
        session = at.session(code)
        if changes:
            rules = session.game.rules.replace(**dict(parse_change(change) for change in changes))
            with explaining(at, player_names(session.game), "hint_none"):
                at.commit(session, session.draft(*agree(session.game, rules)), source_of(session.game, who))
        else:
            show_game(at, session.game.rules, session.game.preset)


def show(option: str | None, lang: Language, as_json: bool) -> None:
    """What can be agreed on."""
    at = Voice(lang, as_json)
    if option is None and not as_json:
        for preset in Preset:
            at.print(f"{preset:20}  {preset_name(preset, lang)}")
        at.print("")
    names = list(OPTIONS) if option is None else [option.replace("-", "_")]
    for name in names:
        if name not in OPTIONS:
            raise UsageError("house_rule_unknown", option=option)
        known = OPTIONS[name]
        at.data(
            {
                "option": name,
                "label": option_label(name, lang),
                "default": known.default,
                "values": [
                    {"value": value, "label": value_label(name, value, lang), "means": value_meaning(name, value, lang)}
                    for value in known.choices
                ],
            }
        )
        if option is None:
            at.print(f"{name:28}  {option_question(name, lang)}")
            continue
        at.print(f"{option_label(name, lang)} - {option_question(name, lang)}")
        for value in known.choices or (known.default,):
            mark = "*" if value == known.default else " "
            at.print(f" {mark} {typed(value):18}  {value_meaning(name, value, lang)}")
        if not known.choices:
            at.print("   " + say("house_rule_range", lang, least=known.least, most=known.most))


def show_game(at: Voice, rules: HouseRules, preset: Preset) -> None:
    """What a game plays by; what differs from its preset has a star."""
    differing = rules.differences(preset)
    at.print(f"{preset}: {preset_name(preset, at.lang)}")
    for name in OPTIONS:
        value = getattr(rules, name)
        at.print(f" {'*' if name in differing else ' '} {name:28}  {value_meaning(name, value, at.lang)}")
    at.data({"preset": preset, "house_rules": rules.to_dict(), "differing": list(differing)})


def typed(value: object) -> str:
    """A value as it is written on the command line."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return "none" if value is None else str(value)


command = Command(
    "rules",
    callback=run,
    params=[
        click.Argument(["option"], required=False, metavar="[RULE]"),
        Option(["code", "--game"], metavar="GAME", help="help_rules_game"),
        Option(["changes", "--change"], multiple=True, metavar="RULE=VALUE", help="help_change"),
        who_option(),
        data_option(),
        json_option(),
    ],
)
