"""`companion move`: check a move, name the clauses it breaks, record it."""

from pathlib import Path

import click

from companion.app.intake import propose_move
from companion.app.table_words import legal_lines, player_names, turn_lines
from companion.cli.desk import (
    data_option,
    desk,
    explaining,
    game_argument,
    json_option,
    player_argument,
    ruling_option,
    seat_of,
    source_of,
    who_option,
)
from companion.cli.localized import Command, Option
from companion.cli.parameters import Integer
from companion.errors import TileSyntaxError, UsageError
from companion.rules.moves import Draw, EndTurn, LayEngine, Mark, Move, Pass, Play
from companion.rules.state import Game
from companion.rules.table import miss_call
from companion.rules.tiles import MAX_PIPS, Tile

MEXICAN = "mexican"
OWN = "own"
CALL = "call"


def parse_move(game: Game, seat: int, words: tuple[str, ...], keep_marker: bool, outer: int | None) -> Move:
    """Read what a player does: `3-12 own`, `3-12 mexican`, `3-12 Anna`, `draw`, `pass`, and so on.

    Raises UsageError for words that are no move.
    """
    match [word.lower() for word in words]:
        case ["draw"]:
            return Draw(seat)
        case ["draw", tile]:
            return Draw(seat, Tile.parse(tile))
        case ["pass"]:
            return Pass(seat)
        case ["stop"]:
            return EndTurn(seat)
        case ["engine", tile]:
            return LayEngine(seat, Tile.parse(tile))
        case ["marker", "on" | "off" as switch]:
            return Mark(seat, switch == "on")
        case [tile]:
            return Play(seat, _tile(tile), seat, outer, keep_marker)
        case [tile, _]:
            return Play(seat, _tile(tile), _train(game, seat, words[1]), outer, keep_marker)
        case _:
            raise UsageError("move_syntax", text=" ".join(words))


def _tile(text: str) -> Tile:
    try:
        return Tile.parse(text)
    except TileSyntaxError as error:
        if any(letter.isdigit() for letter in text):
            raise
        raise UsageError("move_syntax", text=text) from error


def _train(game: Game, seat: int, word: str) -> int | None:
    """The owner of a train. Raises UsageError."""
    if word.lower() == MEXICAN:
        return None
    return seat if word.lower() == OWN else seat_of(game, word)


def run(
    code: str,
    player: str,
    words: tuple[str, ...],
    ruling: str | None,
    keep_marker: bool,
    outer: int | None,
    who: str | None,
    data: Path | None,
    as_json: bool,
) -> None:
    """Check a move and record it; one that is against the rules is explained and not recorded."""
    with desk(data, as_json) as at:
        session = at.session(code)
        seat = seat_of(session.game, player)
        names = player_names(session.game)
        with explaining(at, names, "hint_ruling", lambda: legal_lines(session.game, at.lang)):
            if [word.lower() for word in words[:1]] == [CALL]:
                draft = session.draft(*miss_call(session.game, seat, [Tile.parse(word) for word in words[1:]]))
            else:
                draft = propose_move(session, parse_move(session.game, seat, words, keep_marker, outer), ruling)
            game = at.commit(session, draft, source_of(session.game, who))
        for line in turn_lines(game, at.lang):
            at.print(line)


command = Command(
    "move",
    callback=run,
    params=[
        game_argument(),
        player_argument(),
        click.Argument(["words"], nargs=-1, required=True, metavar="MOVE..."),
        ruling_option(),
        Option(["--keep-marker"], is_flag=True, help="help_keep_marker"),
        Option(["--outer"], type=Integer(0, MAX_PIPS), metavar="PIPS", help="help_outer"),
        who_option(),
        data_option(),
        json_option(),
    ],
)
