"""`companion games`: every game, the one changed last first."""

from datetime import datetime
from pathlib import Path

from companion.app.session import GameSession
from companion.app.table_words import player_names
from companion.cli.codes import FAILED
from companion.cli.desk import Desk, data_option, desk, json_option
from companion.cli.localized import Command
from companion.cli.terminal import print_error, table
from companion.errors import CompanionError
from companion.rules.scoring import standings
from companion.storage.records import CODEC
from companion.text import error_sentence, say


def run(data: Path | None, as_json: bool) -> int:
    """List the games; a game that cannot be read is named, and the others are listed all the same."""
    with desk(data, as_json) as at:
        rows, failed = [], 0
        for entry in at.store.games():
            try:
                changed = CODEC.record(entry.last, entry.last_seq).at
                rows.append((changed, GameSession(at.store, entry.game_id)))
            except CompanionError as error:
                print_error(f"{entry.game_id}: {error_sentence(error, at.lang)}")
                failed = FAILED
        rows.sort(key=lambda row: row[0], reverse=True)
        if rows:
            at.print(table([_header(at), *(_row(at, changed, session) for changed, session in rows)]))
        elif not failed:
            at.say("games_none")
        for changed, session in rows:
            at.data(_data(changed, session))
        return failed


def _header(at: Desk) -> list[str]:
    return [say(f"games_column_{name}", at.lang) for name in ("game", "changed", "round", "players")]


def _row(at: Desk, changed: str, session: GameSession) -> list[str]:
    game = session.game
    local = datetime.fromisoformat(changed).astimezone()
    number = say("games_over", at.lang) if game.ended else f"{len(game.rounds)}/{game.planned_rounds}"
    counted = {player.seat for player in game.players if any(current.score(player.seat) for current in game.rounds)}
    leaders = {row.seat for row in standings(game) if row.rank == 1} & counted  # without a score nobody leads
    players = ", ".join(f"{name}*" if seat in leaders else name for seat, name in enumerate(player_names(game)))
    return [session.game_id, f"{local:%Y-%m-%d %H:%M}", number, players]


def _data(changed: str, session: GameSession) -> dict[str, object]:
    game = session.game
    return {
        "game": session.game_id,
        "changed": changed,
        "players": list(player_names(game)),
        "rounds": len(game.rounds),
        "planned_rounds": game.planned_rounds,
        "ended": game.ended,
        "totals": {game.players[row.seat].name: row.total for row in standings(game)},
    }


command = Command("games", callback=run, params=[data_option(), json_option()])
