"""`companion delete`: a whole game for good, or only its photos."""

from pathlib import Path

from companion.app.cleaning import delete_game, delete_photos
from companion.app.table_words import player_names
from companion.cli.desk import ask, data_option, desk, game_argument, json_option
from companion.cli.localized import Command, Option
from companion.errors import UsageError
from companion.text import say


def run(code: str, photos: bool, yes: bool, data: Path | None, as_json: bool) -> None:
    """Delete, after asking."""
    with desk(data, as_json) as at:
        session = at.session(code)
        names = player_names(session.game)
        key = "delete_photos_ask" if photos else "delete_ask"
        answer = True if yes else ask(say(key, at.lang, game=session.game_id, players=names), at.lang)
        if answer is None:
            raise UsageError("delete_needs_yes")
        if not answer:
            at.say("delete_kept", game=session.game_id)
            at.data({"game": session.game_id, "deleted": False, "photos": 0})
            return
        gone = delete_photos(at.store, at.photos, session) if photos else delete_game(at.store, at.photos, session)
        at.say("delete_photos_done" if photos else "delete_done", game=session.game_id, n=gone)
        at.data({"game": session.game_id, "deleted": not photos, "photos": gone})


command = Command(
    "delete",
    callback=run,
    params=[
        game_argument(),
        Option(["--photos"], is_flag=True, help="help_delete_photos"),
        Option(["--yes"], is_flag=True, help="help_yes"),
        data_option(),
        json_option(),
    ],
)
