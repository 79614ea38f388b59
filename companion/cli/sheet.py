"""`companion sheet`: rounds, totals, places."""

from pathlib import Path

from companion.app.sheet import sheet_table
from companion.app.table_words import player_names
from companion.cli.desk import data_option, desk, game_argument, json_option
from companion.cli.localized import Command
from companion.cli.terminal import table
from companion.rules.scoring import winners
from companion.rules.state import Game
from companion.text import Language, say


def progress(game: Game, lang: Language) -> str:
    """Where the game stands, in a sentence."""
    if game.ended:
        names = tuple(player_names(game)[seat] for seat in winners(game))
        if not names:
            return say("sheet_over", lang)
        return say("sheet_over_one" if len(names) == 1 else "sheet_over_many", lang, names=names)
    if not game.rounds:
        return say("sheet_not_begun", lang)
    current = game.rounds[-1]
    missing = sum(len(each.missing) for each in game.rounds)
    key = "sheet_progress" if missing else "sheet_complete"
    return say(key, lang, round=current.number, rounds=game.planned_rounds, missing=missing)


def sheet_text(game: Game, lang: Language) -> str:
    """The sheet as a table in text."""
    lines = [(line.label, line.engine, *line.cells) for line in sheet_table(game, lang).lines]
    return table(lines, numbers=range(2, len(lines[0])))


def run(code: str, data: Path | None, as_json: bool) -> None:
    """Print the score sheet; `?` is a score that is still to be entered."""
    with desk(data, as_json) as at:
        session = at.session(code)
        if as_json:
            from companion.app.sharing import sheet_data  # here, because drawing takes a while to import

            at.data(sheet_data(session))
            return
        at.print(sheet_text(session.game, at.lang))
        at.print(progress(session.game, at.lang))


command = Command("sheet", callback=run, params=[game_argument(), data_option(), json_option()])
