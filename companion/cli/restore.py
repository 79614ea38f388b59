"""`companion restore`: games from a backup or from an exported game."""

from pathlib import Path

import click

from companion.app.backup import restore
from companion.cli.desk import data_option, desk, json_option
from companion.cli.localized import Command


def run(file: Path, data: Path | None, as_json: bool) -> None:
    """Bring games back; nothing that is here is overwritten."""
    with desk(data, as_json) as at:
        results = restore(at.store, at.photos, file)
        for one in results:
            at.say(f"restored_{one.outcome}", game=one.game_id, lines=one.lines)
            at.data({"game": one.game_id, "outcome": one.outcome, "lines": one.lines})
        if not results:
            at.say("restored_nothing", path=file)


command = Command(
    "restore",
    callback=run,
    params=[click.Argument(["file"], type=click.Path(path_type=Path), metavar="FILE"), data_option(), json_option()],
)
