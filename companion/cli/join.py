"""`companion join`: somebody joins a game that has begun."""

from pathlib import Path

import click

from companion.app.table_words import player_names
from companion.cli.desk import (
    data_option,
    desk,
    explaining,
    game_argument,
    json_option,
    seat_of,
    source_of,
    who_option,
)
from companion.cli.localized import Command, Option
from companion.rules.seating import join


def run(code: str, name: str, after: str | None, who: str | None, data: Path | None, as_json: bool) -> None:
    """Seat a late joiner, who is dealt into the next round."""
    with desk(data, as_json) as at:
        session = at.session(code)
        left = None if after is None else seat_of(session.game, after)
        with explaining(at, (*player_names(session.game), name), "hint_none"):
            at.commit(session, session.draft(*join(session.game, name, left)), source_of(session.game, who))


command = Command(
    "join",
    callback=run,
    params=[
        game_argument(),
        click.Argument(["name"], metavar="NAME"),
        Option(["--after"], metavar="PLAYER", help="help_after"),
        who_option(),
        data_option(),
        json_option(),
    ],
)
