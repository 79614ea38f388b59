"""`companion state`: the table as it is now."""

from pathlib import Path

from companion.app.inventory import round_inventory
from companion.app.table_talk import inventory_lines
from companion.app.table_words import legal_lines, player_names, table_lines
from companion.cli.desk import data_option, desk, game_argument, json_option
from companion.cli.localized import Command, Option
from companion.rules.inference import outlook
from companion.rules.state import Game


def run(code: str, legal: bool, data: Path | None, as_json: bool) -> None:
    """Show engine, trains, markers, open doubles, and whose turn it is."""
    with desk(data, as_json) as at:
        session = at.session(code)
        for line in table_lines(session.game, at.lang):
            at.print(line)
        inventory = round_inventory(session.game)
        for line in inventory_lines(inventory, at.lang) if inventory else ():
            at.print(line)
        if legal:
            for line in legal_lines(session.game, at.lang):
                at.print(line)
        at.data({"game": session.game_id, "seq": session.seq} | state_data(session.game))


def state_data(game: Game) -> dict[str, object]:
    """The table as plain data; seats are counted from 1, the Mexican Train has none."""
    current = game.round
    if current is None:
        return {"round": None}
    table, view = current.table, outlook(game)
    return {
        "round": current.number,
        "phase": table.phase,
        "ended": current.ended,
        "engine": None if table.engine is None else str(table.engine),
        "players": list(player_names(game)),
        "trains": [
            {
                "seat": None if train.owner is None else train.owner + 1,
                "tail": None if table.engine is None else train.tail(table.engine),
                "marker": train.marker,
                "tiles": [f"{placed.inner}-{placed.outer}" for placed in train.tiles],
            }
            for train in table.trains
        ],
        "hands": [
            {"seat": seat + 1, "count": hand.count, "known": [str(tile) for tile in sorted(hand.known)]}
            for seat, hand in enumerate(table.hands)
        ],
        "boneyard": table.boneyard,
        "open_doubles": [
            {"seat": None if double.train is None else double.train + 1, "tile": str(double.tile)}
            for double in table.open_doubles
        ],
        "to_act": None if table.to_act is None else table.to_act + 1,
        "must": None if view is None else view.must,
    }


command = Command(
    "state",
    callback=run,
    params=[game_argument(), Option(["--legal"], is_flag=True, help="help_legal"), data_option(), json_option()],
)
