"""The table taken as it lies, where nobody can say in which order it came so (`TableObserved`)."""

from companion.app.table_counts import Counts
from companion.app.table_match import sight
from companion.app.table_sides import Sides
from companion.errors import IllegalMoveError
from companion.rules.events import Event, TableObserved
from companion.rules.state import Game, PlacedTile, TableState, Train
from companion.rules.table import observe
from companion.rules.tiles import Tile
from companion.rules.turn import TrainKey, next_seat
from companion.vision.readings import TableReading


def observed(
    game: Game,
    reading: TableReading,
    sides: Sides,
    counts: Counts,
    to_act: int | None = None,
    without: Tile | None = None,
) -> tuple[Event, ...]:
    """The event that makes the log as the table lies, `without` a tile that was taken back; () where that cannot be.

    Tiles that are hidden stay; each chain that is new is told to the train that starts nearest to it. Hands that are
    not counted give up the tiles that are new, one a turn (R-TURN-1).
    """
    table = game.table
    if table is None:
        return ()
    laid = {train.owner: [placed for placed in train.tiles if placed.tile != without] for train in table.trains}
    rows = sight(table, sides, reading).rows
    taken: set[TrainKey] = set()
    for row in sorted(rows, key=lambda row: min(cost for _, cost in row.keys)):
        keys = [(cost, place, key) for place, (key, cost) in enumerate(row.keys) if key not in taken]
        if not keys:
            continue
        key = min(keys)[2]
        taken.add(key)
        laid[key] += [PlacedTile(tile.reading.tile, tile.inner, tile.outer) for tile in row.tiles]
    markers = counts.markers
    trains = tuple(
        Train(
            train.owner,
            tuple(laid[train.owner]),
            train.marker if markers is None or train.owner is None else train.owner in markers,
        )
        for train in table.trains
    )
    engine = table.engine if table.engine is not None or reading.engine is None else reading.engine.tile
    before = {double.train for double in table.open_doubles}
    doubles = tuple(
        train.owner
        for train in trains
        if train.tiles
        and train.tiles[-1].tile.is_double
        and (train.owner in before or train.tiles[-1].tile not in table.on_table)
    )
    new = sum(len(row.tiles) for row in rows)
    hands = _hands(table, counts, 0 if without is not None else new, without is not None)
    seen = TableObserved(engine, trains, hands, doubles, to_act)
    try:
        return observe(game, seen, ruling="")
    except IllegalMoveError:
        return ()


def _hands(table: TableState, counts: Counts, new: int, back: bool) -> tuple[int, ...]:
    hands = [hand.count for hand in table.hands]
    seat = table.to_act if table.to_act is not None else table.seats[0]
    for _ in range(new):
        hands[seat] = max(hands[seat] - 1, 1)
        seat = next_seat(table, seat)
    if back:
        return tuple(hands)
    for seat, seen in counts.hands:
        hands[seat] = seen
    return tuple(hands)
