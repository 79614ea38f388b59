"""`companion new`: players sit down, and agree on the rules."""

from pathlib import Path

import click

from companion.app.session import GameSession
from companion.cli.desk import data_option, desk, explaining, json_option
from companion.cli.localized import Command, Option
from companion.cli.parameters import Integer, SetSize, Tiles
from companion.errors import UsageError
from companion.rules.house_rules import OPTIONS, HouseRules, Preset, Value
from companion.rules.seating import start_game
from companion.rules.tiles import Tile, TileSet
from companion.text.describe import differing_rules, option_label, preset_name

MAX_HAND = 94
MAX_ROUNDS = 19


def chosen_rules(
    preset: str,
    tile_set: TileSet | None,
    hand: int | None,
    blank_points: int | None,
    rounds: int | None,
    changes: tuple[str, ...],
) -> HouseRules:
    """The house rules of a preset with the table's changes. Raises HouseRulesError."""
    values: dict[str, Value] = dict(parse_change(change) for change in changes)
    if tile_set is not None:
        values["max_pip"] = tile_set.max_pip
    for name, value in (("hand_size", hand), ("double_blank_points", blank_points), ("rounds", rounds)):
        if value is not None:
            values[name] = OPTIONS[name].check(value)
    return HouseRules.preset(preset).replace(**values)


def parse_change(text: str) -> tuple[str, Value]:
    """Read `option=value`. Raises UsageError or HouseRulesError."""
    name, equals, value = text.partition("=")
    name = name.strip().lower().replace("-", "_")
    if not equals:
        raise UsageError("house_rule_syntax", text=text)
    if name not in OPTIONS:
        raise UsageError("house_rule_unknown", option=name)
    return name, OPTIONS[name].parse(value)


def run(
    players: tuple[str, ...],
    preset: str,
    tile_set: TileSet | None,
    hand: int | None,
    blank_points: int | None,
    rounds: int | None,
    changes: tuple[str, ...],
    missing: frozenset[Tile],
    data: Path | None,
    as_json: bool,
) -> None:
    """Start a game and tell its code."""
    rules = chosen_rules(preset, tile_set, hand, blank_points, rounds, changes)
    with desk(data, as_json) as at, explaining(at, players, "hint_new"):
        session = GameSession.create(at.store, start_game(rules, players, Preset(preset), missing))
        names = tuple(player.name for player in session.game.players)
        at.say("new_game", game=session.game_id, players=names)
        at.print(preset_name(Preset(preset), at.lang))
        for sentence in differing_rules(rules, Preset(preset), at.lang):
            at.print(f"  {sentence}")
        if missing:
            at.say("new_missing", tiles=tuple(sorted(missing)))
        unanswered = rules.unanswered(len(names))
        if unanswered:
            options = tuple(option_label(name, at.lang) for name in unanswered)
            changed = " ".join(f"--change {name}=…" for name in unanswered)
            at.say("new_unanswered", options=options, game=session.game_id, changes=changed)
        at.data({"game": session.game_id, "seq": session.seq, "players": names, "unanswered": list(unanswered)})


def rule_options() -> list[click.Parameter]:
    """The options with which a table chooses its rules."""
    return [
        Option(["--preset"], default=Preset.CUSTOM.value, metavar="NAME", help="help_preset"),
        Option(["tile_set", "--set"], type=SetSize(), metavar="6|9|12|15|18", help="help_set"),
        Option(["--hand"], type=Integer(1, MAX_HAND), metavar="N", help="help_hand"),
        Option(["--blank-points"], type=Integer(0, 50), metavar="0|25|50", help="help_blank_points"),
        Option(["--rounds"], type=Integer(1, MAX_ROUNDS), metavar="N", help="help_rounds"),
        Option(["changes", "--change"], multiple=True, metavar="RULE=VALUE", help="help_change"),
    ]


command = Command(
    "new",
    callback=run,
    params=[
        click.Argument(["players"], nargs=-1, required=True, metavar="PLAYER..."),
        *rule_options(),
        Option(["--missing"], type=Tiles(), default=frozenset(), metavar="3-12,0-0", help="help_missing"),
        data_option(),
        json_option(),
    ],
)
