"""`companion score`: what a hand costs, as a total or by its tiles."""

import re
from pathlib import Path

import click

from companion.app.intake import is_counted, propose_correction, propose_tiles, propose_total
from companion.app.session import Draft, GameSession
from companion.app.table_words import player_names
from companion.cli.desk import (
    data_option,
    desk,
    explaining,
    game_argument,
    json_option,
    player_argument,
    seat_of,
    source_of,
    who_option,
)
from companion.cli.localized import Command, Option
from companion.cli.parameters import Integer
from companion.cli.sheet import progress
from companion.errors import IllegalMoveError, UsageError
from companion.rules.counting import count_hand
from companion.rules.moves import ViolationCode
from companion.rules.tiles import Tile

MAX_ROUND = 19
_NUMBER = re.compile(r"[+-]?\d{1,9}", re.ASCII)


def parse_score(words: tuple[str, ...]) -> int | tuple[Tile, ...] | None:
    """A total, the tiles that are left, or nothing. Raises TileSyntaxError and UsageError."""
    text = " ".join(words).replace(",", " ").replace(";", " ").split()
    if not text:
        return None
    if not _NUMBER.fullmatch(text[0]):
        return tuple(Tile.parse(word) for word in text)
    if len(text) > 1:
        raise UsageError("score_one_number", text=" ".join(text))
    return int(text[0])


def propose(
    session: GameSession, seat: int, score: int | tuple[Tile, ...] | None, number: int | None, why: str | None
) -> Draft:
    """The draft of a score, or of its correction when there is one already and a reason is given."""
    if score is None:  # what follows from the log: who went out, a hand that is known
        try:
            return session.draft(*count_hand(session.game, seat, number=number, why=why))
        except IllegalMoveError as error:
            if any(violation.code is ViolationCode.NOT_COUNTED for violation in error.violations):
                raise UsageError("score_needed", name=player_names(session.game)[seat]) from error
            raise
    if why is not None and is_counted(session.game, seat, number):
        return propose_correction(session, seat, score, why, number)
    if isinstance(score, int):
        return propose_total(session, seat, score, number, why)
    return propose_tiles(session, seat, score, number, why)


def run(
    code: str,
    player: str,
    words: tuple[str, ...],
    number: int | None,
    why: str | None,
    who: str | None,
    data: Path | None,
    as_json: bool,
) -> None:
    """Write a score down; begins the next round when the last one is complete."""
    score = parse_score(words)
    with desk(data, as_json) as at:
        session = at.session(code)
        seat = seat_of(session.game, player)
        with explaining(at, player_names(session.game), "hint_why"):
            game = at.commit(session, propose(session, seat, score, number, why), source_of(session.game, who))
        at.print(progress(game, at.lang))


command = Command(
    "score",
    callback=run,
    params=[
        game_argument(),
        player_argument(),
        click.Argument(["words"], nargs=-1, metavar="[POINTS | TILE...]"),
        Option(["number", "--round"], type=Integer(1, MAX_ROUND), metavar="N", help="help_score_round"),
        Option(["--why"], metavar="REASON", help="help_score_why"),
        who_option(),
        data_option(),
        json_option(),
    ],
)
command.context_settings["ignore_unknown_options"] = True  # a total below zero is no option
