"""`companion plan`: the train that leaves the least."""

from pathlib import Path

import click

from companion.app.table_words import player_names
from companion.cli.desk import Desk, Voice, data_option, desk, json_option, seat_of
from companion.cli.localized import Command, Option, current_language
from companion.cli.parameters import Integer
from companion.errors import UsageError
from companion.rules.planner import Plan, plan
from companion.rules.scoring import tile_points
from companion.rules.state import Game
from companion.rules.tiles import MAX_PIPS, Tile
from companion.text import say
from companion.text.describe import train_name


def run(
    tiles: tuple[str, ...], start: int | None, code: str | None, player: str | None, data: Path | None, as_json: bool
) -> None:
    """Plan a train from tiles and a number, or from what a game knows of a hand."""
    hand = tuple(Tile.parse(word) for text in tiles for word in text.replace(",", " ").split())
    if code is not None:
        with desk(data, as_json) as at:
            _plan_in_game(at, at.session(code).game, player, hand)
        return
    if start is None or not hand:
        raise UsageError("plan_syntax")
    if len(set(hand)) != len(hand):
        twice = next(tile for tile in hand if hand.count(tile) > 1)
        raise UsageError("plan_twice", tile=twice)
    found = plan(hand, {None: start})
    assert found is not None
    _tell(Voice(current_language(), as_json), found, None)


def _plan_in_game(at: Desk, game: Game, player: str | None, hand: tuple[Tile, ...]) -> None:
    """Continue the own train or the Mexican Train with the tiles that are known."""
    if player is None:
        raise UsageError("plan_needs_player")
    seat, table = seat_of(game, player), game.table
    if table is None or table.engine is None:
        raise UsageError("plan_no_engine")
    tiles = hand or tuple(sorted(table.hands[seat].known))
    if not tiles:
        raise UsageError("plan_no_hand", name=player_names(game)[seat])
    tails = {owner: table.train(owner).tail(table.engine) for owner in (seat, None)}
    found = plan(tiles, tails, lambda tile: tile_points(game.rules, tile))
    assert found is not None
    _tell(at, found, train_name(found.train, player_names(game), at.lang))


def _tell(at: Voice, found: Plan, train: str | None) -> None:
    line = " ".join(f"{placed.inner}-{placed.outer}" for placed in found.tiles) or "–"
    at.print(line if train is None else say("plan_train", at.lang, train=train, tiles=line))
    at.say("plan_left", n=len(found.left), points=found.points_left, tiles=found.left or ("–",))
    if not found.exact:
        at.say("plan_not_exact")
    at.data(
        {
            "tiles": [f"{placed.inner}-{placed.outer}" for placed in found.tiles],
            "left": [str(tile) for tile in found.left],
            "points_left": found.points_left,
            "exact": found.exact,
        }
    )


command = Command(
    "plan",
    callback=run,
    params=[
        click.Argument(["tiles"], nargs=-1, metavar="[TILE...]"),
        Option(["--start"], type=Integer(0, MAX_PIPS), metavar="PIPS", help="help_plan_start"),
        Option(["code", "--game"], metavar="GAME", help="help_plan_game"),
        Option(["--player"], metavar="PLAYER", help="help_plan_player"),
        data_option(),
        json_option(),
    ],
)
