"""`companion export`: a game for other programs and other people."""

import json
from pathlib import Path

import click

from companion.app.backup import game_jsonl, writing
from companion.app.session import GameSession
from companion.app.sharing import bg_stats_link, sheet_csv, sheet_data, sheet_picture
from companion.cli.desk import Desk, data_option, desk, game_argument, json_option
from companion.cli.localized import Command, Option
from companion.errors import UsageError
from companion.text import say

FORMATS = ("csv", "json", "jsonl", "bgstats", "png")


def exported(at: Desk, session: GameSession, kind: str) -> bytes:
    """A game in one of the formats."""
    match kind:
        case "csv":
            return sheet_csv(session.game, at.lang).encode()
        case "json":
            return (json.dumps(sheet_data(session), ensure_ascii=False, indent=2) + "\n").encode()
        case "jsonl":
            return game_jsonl(at.store, session.game_id).encode()
        case "bgstats":
            return (bg_stats_link(session) + "\n").encode()
        case _:
            return sheet_picture(session.game, say("sheet_title", at.lang, game=session.game_id), at.lang)


def run(code: str, kind: str, output: Path | None, force: bool, data: Path | None, as_json: bool) -> None:
    """Write a game in a format, to a file or to stdout."""
    if kind not in FORMATS:
        expected = UsageError("expected_choice", choices=FORMATS)
        raise UsageError("usage_value", value=kind, option="--format", expected=expected)
    with desk(data, as_json) as at:
        session = at.session(code)
        content = exported(at, session, kind)
        if output is None:
            if kind == "png":
                raise UsageError("export_needs_file")
            click.echo(content, nl=False)  # as bytes: JSON Lines come out as they are stored
            return
        if output.exists() and not force:
            raise UsageError("file_exists", path=str(output))
        with writing(output) as file:
            file.write(content)
        at.say("export_done", game=session.game_id, path=output)
        at.data({"game": session.game_id, "format": kind, "path": str(output), "bytes": len(content)})


command = Command(
    "export",
    callback=run,
    params=[
        game_argument(),
        Option(["kind", "--format"], default="csv", metavar="|".join(FORMATS), help="help_export_format"),
        Option(["--output"], type=click.Path(path_type=Path), metavar="FILE", help="help_export_output"),
        Option(["--force"], is_flag=True, help="help_force"),
        data_option(),
        json_option(),
    ],
)
