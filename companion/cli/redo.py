"""`companion redo`: bring back what was taken back last."""

from pathlib import Path

from companion.cli.desk import data_option, desk, game_argument, json_option, source_of, who_option
from companion.cli.localized import Command


def run(code: str, who: str | None, data: Path | None, as_json: bool) -> None:
    """Record again what was taken back last."""
    with desk(data, as_json) as at:
        session = at.session(code)
        before = session.seq
        session.redo(source_of(session.game, who))
        at.tell(session, before)


command = Command("redo", callback=run, params=[game_argument(), who_option(), data_option(), json_option()])
