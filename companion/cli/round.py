"""`companion round`: begin a round whose moves are followed, show hands, end it."""

from collections.abc import Callable
from pathlib import Path

import click

from companion.app.session import GameSession
from companion.app.table_words import player_names, turn_lines
from companion.cli.desk import (
    data_option,
    desk,
    explaining,
    game_argument,
    json_option,
    ruling_option,
    seat_of,
    source_of,
    who_option,
)
from companion.cli.localized import Command, Option
from companion.cli.parameters import Tiles
from companion.errors import UsageError
from companion.rules.events import Event
from companion.rules.fold import apply_all
from companion.rules.seating import deal, start_round
from companion.rules.state import EndReason
from companion.rules.table import end_round, see_hand
from companion.rules.tiles import Tile

Events = tuple[Event, ...]


def _start(session: GameSession, starter: str | None, engine: frozenset[Tile], ruling: str | None) -> Events:
    game = session.game
    seat = None if starter is None else seat_of(game, starter)
    opening = start_round(game, seat, next(iter(engine), None), ruling)
    return (*opening, *deal(apply_all(game, opening), ruling=ruling))


def _hand(session: GameSession, player: str | None, tiles: frozenset[Tile], ruling: str | None) -> Events:
    if player is None or not tiles:
        raise UsageError("round_hand_syntax")
    return see_hand(session.game, seat_of(session.game, player), sorted(tiles), ruling=ruling)


def _end(session: GameSession, out: str | None, blocked: bool, ruling: str | None) -> Events:
    if out is not None:
        return end_round(session.game, EndReason.OUT, seat_of(session.game, out), ruling)
    return end_round(session.game, EndReason.BLOCKED if blocked else EndReason.CALLED, ruling=ruling)


def run(
    code: str,
    what: str,
    starter: str | None,
    engine: frozenset[Tile],
    player: str | None,
    tiles: frozenset[Tile],
    out: str | None,
    blocked: bool,
    ruling: str | None,
    who: str | None,
    data: Path | None,
    as_json: bool,
) -> None:
    """Begin a round and deal, show a hand, or end the round."""
    with desk(data, as_json) as at:
        session = at.session(code)
        steps: dict[str, Callable[[], Events]] = {
            "start": lambda: _start(session, starter, engine, ruling),
            "hand": lambda: _hand(session, player, tiles, ruling),
            "end": lambda: _end(session, out, blocked, ruling),
        }
        if what not in steps:
            expected = UsageError("expected_choice", choices=tuple(steps))
            raise UsageError("usage_value", value=what, option="start|hand|end", expected=expected)
        with explaining(at, player_names(session.game), "hint_ruling"):
            game = at.commit(session, session.draft(*steps[what]()), source_of(session.game, who))
        for line in turn_lines(game, at.lang):
            at.print(line)
        if what == "end" and game.round is not None and game.round.missing:
            at.say("round_count_now", number=game.round.number, game=session.game_id)


command = Command(
    "round",
    callback=run,
    params=[
        game_argument(),
        click.Argument(["what"], metavar="start|hand|end"),
        Option(["--starter"], metavar="PLAYER", help="help_starter"),
        Option(["--engine"], type=Tiles(), default=frozenset(), metavar="12-12", help="help_round_engine"),
        Option(["--player"], metavar="PLAYER", help="help_round_player"),
        Option(["--tiles"], type=Tiles(), default=frozenset(), metavar="3-12,0-0", help="help_round_tiles"),
        Option(["--out"], metavar="PLAYER", help="help_round_out"),
        Option(["--blocked"], is_flag=True, help="help_round_blocked"),
        ruling_option(),
        who_option(),
        data_option(),
        json_option(),
    ],
)
