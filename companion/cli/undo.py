"""`companion undo`: take the last entry back."""

from pathlib import Path

from companion.cli.desk import data_option, desk, game_argument, json_option, source_of, who_option
from companion.cli.localized import Command, Option


def run(code: str, why: str, who: str | None, data: Path | None, as_json: bool) -> None:
    """Take the last entry back."""
    with desk(data, as_json) as at:
        session = at.session(code)
        before = session.seq
        session.undo(source_of(session.game, who), why)
        at.tell(session, before)


command = Command(
    "undo",
    callback=run,
    params=[
        game_argument(),
        Option(["--why"], default="", metavar="REASON", help="help_undo_why"),
        who_option(),
        data_option(),
        json_option(),
    ],
)
