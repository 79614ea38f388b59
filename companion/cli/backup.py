"""`companion backup`: all games in one file."""

from pathlib import Path

import click

from companion.app.backup import backup
from companion.cli.desk import data_option, desk, json_option
from companion.cli.localized import Command, Option


def run(file: Path, force: bool, data: Path | None, as_json: bool) -> None:
    """Write all games, and the photos that were kept, into one file."""
    with desk(data, as_json) as at:
        held = backup(at.store, at.photos, file, overwrite=force)
        at.say("backup_done", games=held.games, photos=held.photos, path=file)
        at.data({"path": str(file), "games": held.games, "photos": held.photos})


command = Command(
    "backup",
    callback=run,
    params=[
        click.Argument(["file"], type=click.Path(path_type=Path), metavar="FILE"),
        Option(["--force"], is_flag=True, help="help_force"),
        data_option(),
        json_option(),
    ],
)
