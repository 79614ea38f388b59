"""`companion history`: who entered what, when, and from which photo."""

import json
from datetime import datetime
from pathlib import Path

from companion.app.table_words import player_names
from companion.cli.desk import Desk, data_option, desk, game_argument, json_option
from companion.cli.localized import Command
from companion.storage.records import CODEC, Source
from companion.text import say
from companion.text.describe import player_name
from companion.text.narrate import event_sentence


def run(code: str, data: Path | None, as_json: bool) -> None:
    """Tell everything that was recorded, oldest first; what was taken back has a minus."""
    with desk(data, as_json) as at:
        session = at.session(code)
        names = player_names(session.game)
        for entry in session.entries():
            local = datetime.fromisoformat(entry.at).astimezone()
            photo = f" [{say('history_photo', at.lang, photo=entry.photo[:8])}]" if entry.photo else ""
            at.print(
                f"{'-' if not entry.effective else ' '} {local:%Y-%m-%d %H:%M}  {_who(at, entry.source, names)}{photo}"
            )
            for record in entry.records:
                at.print(f"      {event_sentence(record.event, names, at.lang, session.events)}")
            for record in entry.records:
                at.data(json.loads(CODEC.line(record)) | {"effective": entry.effective})


def _who(at: Desk, source: Source, names: tuple[str, ...]) -> str:
    return say("history_host", at.lang) if source.seat is None else player_name(source.seat, names)


command = Command("history", callback=run, params=[game_argument(), data_option(), json_option()])
