"""`companion simulate`: whole games played by simple strategies."""

from pathlib import Path
from random import Random

from companion.app.session import GameSession
from companion.app.simulation import Simulator, Strategy, as_onlooker
from companion.cli.desk import Voice, data_option, desk, explaining, json_option
from companion.cli.localized import Command, Option, current_language
from companion.cli.new import chosen_rules, rule_options
from companion.cli.parameters import Integer
from companion.cli.sheet import progress, sheet_text
from companion.errors import UsageError
from companion.rules.scoring import standings, winners
from companion.rules.tiles import TileSet

MAX_GAMES = 100_000


def run(
    players: int,
    games: int,
    seed: int,
    strategies: tuple[str, ...],
    save: bool,
    preset: str,
    tile_set: TileSet | None,
    hand: int | None,
    blank_points: int | None,
    rounds: int | None,
    changes: tuple[str, ...],
    data: Path | None,
    as_json: bool,
) -> None:
    """Play games and show the sheet of each; the same seed plays the same games."""
    rules = chosen_rules(preset, tile_set, hand, blank_points, rounds, changes)
    if unanswered := rules.unanswered(players):
        raise UsageError("simulate_unanswered", options=unanswered)
    seats = [_strategy(strategies[seat % len(strategies)]) for seat in range(players)]
    names = [f"{strategy} {seat + 1}" for seat, strategy in enumerate(seats)]
    at = Voice(current_language(), as_json)
    with explaining(at, names, "hint_new"):
        for number in range(games):
            played = Simulator(rules, names, seats, Random(f"{seed}-{number}"))
            played.play_game()
            code = _saved(played, data, as_json) if save else None
            tell(at, played, number, code)


def _strategy(name: str) -> Strategy:
    try:
        return Strategy(name)
    except ValueError as error:
        expected = UsageError("expected_choice", choices=tuple(Strategy))
        raise UsageError("usage_value", value=name, option="--strategy", expected=expected) from error


def _saved(played: Simulator, data: Path | None, as_json: bool) -> str:
    """Keep a game among the others, as somebody at the table would have followed it."""
    with desk(data, as_json) as at:
        return GameSession.create(at.store, as_onlooker(played.events)).game_id


def tell(at: Voice, played: Simulator, number: int, code: str | None) -> None:
    """Show how a game went."""
    game = played.game
    at.print(sheet_text(game, at.lang))
    at.print(progress(game, at.lang))
    if code is not None:
        at.say("simulate_saved", game=code)
    at.data(
        {
            "number": number,
            "game": code,
            "events": len(played.events),
            "rounds": len(game.rounds),
            "totals": {game.players[row.seat].name: row.total for row in standings(game)},
            "winners": [game.players[seat].name for seat in winners(game)],
        }
    )


command = Command(
    "simulate",
    callback=run,
    params=[
        Option(["--players"], type=Integer(2, 14), default=4, metavar="N", help="help_simulate_players"),
        Option(["--games"], type=Integer(1, MAX_GAMES), default=1, metavar="N", help="help_simulate_games"),
        Option(["--seed"], type=Integer(0, 2**63), default=1, metavar="N", help="help_seed"),
        Option(
            ["strategies", "--strategy"],
            multiple=True,
            default=tuple(Strategy),
            metavar="|".join(Strategy),
            help="help_strategy",
        ),
        Option(["--save"], is_flag=True, help="help_simulate_save"),
        *rule_options(),
        data_option(),
        json_option(),
    ],
)
