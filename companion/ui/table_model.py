"""What the screen of the table is busy with, and what it shows of the game: values, no controls."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from companion.app.visitors import Role
from companion.rules.house_rules import MarkerOff
from companion.rules.legality import check, fitting_engine, legal_moves
from companion.rules.moves import Move, Play, Violation, ViolationCode
from companion.rules.state import Game, Phase
from companion.rules.tiles import Tile
from companion.rules.turn import TrainKey, reach, tail

ANY = "any"
"""No train was tapped."""

ABOUT_THE_TILE = frozenset(
    {
        ViolationCode.DOES_NOT_MATCH,
        ViolationCode.NOT_IN_HAND,
        ViolationCode.IN_OTHER_HAND,
        ViolationCode.SECOND_DOUBLE,
        ViolationCode.MUST_PLAY_DRAWN,
        ViolationCode.TILE_ON_TABLE,
        ViolationCode.HAND_EMPTY,
    }
)
"""What is wrong with a tile rather than with the train that was tapped."""


class Mode(StrEnum):
    """What a tap on a tile does."""

    PLAY = "play"
    """Lay it."""
    DRAWN = "drawn"
    """It is the tile that was drawn."""
    HAND = "hand"
    """It is in the hand that is shown."""


class More(StrEnum):
    """What is asked over the screen."""

    CLOSED = "closed"
    MENU = "menu"
    """What is done less often."""
    END = "end"
    """How the round ended."""


@dataclass(frozen=True, slots=True)
class Doing:
    """What this screen is busy with."""

    mode: Mode = Mode.PLAY
    tile: Tile | None = None
    """The tile that was tapped and can go to several trains, or to none."""
    train: TrainKey | str = ANY
    """The train that was tapped."""
    only: int | None = None
    """Tiles with this number are shown."""
    every: bool = False
    """All tiles are shown; else those that fit."""
    hand: frozenset[Tile] = frozenset()
    """The tiles of a hand that is shown."""
    mover: int | None = None
    """Who moves, where the host says that it is somebody else than whose turn it is."""
    asked: tuple[Violation, ...] = ()
    """What the rules object to."""
    move: Move | None = None
    """The move they object to."""
    outer: int | None = None
    """The half that becomes the tail, where the table insists."""
    why: str = ""
    more: More = More.CLOSED
    unfolded: frozenset[TrainKey] = frozenset()
    """Trains that are shown whole."""
    last: tuple[Move, int] | None = None
    """What was recorded last from here, and the line of the log after it: a second tap does nothing."""
    starter: int | None = None
    problem: str = ""


def mover(game: Game, role: Role, chosen: int | None) -> int | None:
    """For whom this visitor moves now; None: for nobody."""
    table = game.table
    if table is None or table.phase not in (Phase.ENGINE, Phase.PLAYING):
        return None
    if chosen in table.seats and role.may_score(chosen):
        return chosen
    if role.host or table.to_act in role.seats:
        return table.to_act
    return next((seat for seat in table.seats if seat in role.seats), None)


def sees_hand(role: Role, taken_seats: frozenset[int], seat: int) -> bool:
    """May this visitor see the tiles that a player has shown? The player, and the host where nobody sits there."""
    return seat in role.seats or (role.host and seat not in taken_seats)


def possible_tiles(game: Game, seat: int, sees: bool) -> tuple[Tile, ...]:
    """Tiles that the seat can still lay or draw, in the order of the set.

    Who sees the whole hand gets its tiles. Else a tile may be anywhere but on the table or among the lost ones: what
    others have shown to the companion is not given away.
    """
    table = game.table
    assert table is not None
    if sees:
        hand = table.hands[seat]
        if table.holds_drawn and seat == table.to_act and table.drawn is not None:
            return (table.drawn,)
        if not hand.unknown:
            return tuple(sorted(hand.known))
    gone = table.on_table | game.missing_tiles
    return tuple(tile for tile in game.rules.tile_set.tiles if tile not in gone)


def fitting(game: Game, seat: int, tiles: Iterable[Tile]) -> dict[Tile, tuple[TrainKey, ...]]:
    """Where the tiles can be laid by the rules, were it the seat's turn; those that fit nowhere are left out."""
    table = game.table
    assert table is not None
    if table.phase is Phase.ENGINE:
        current = game.rounds[-1]
        return {tile: () for tile in tiles if fitting_engine(game, current, tile)}
    place = reach(game.rules, game.missing_tiles, table, seat)
    found = {}
    for tile in tiles:
        keys = tuple(key for key in place.for_tile(tile) if tile.has(tail(table, key)))
        if keys:
            found[tile] = keys
    return found


def may_keep_marker(game: Game, seat: int, key: TrainKey) -> bool:
    """May the player leave the own marker on when laying here (R-MARK-2)?"""
    table = game.table
    return (
        table is not None
        and game.rules.marker_off is MarkerOff.OWNER_CHOICE
        and key == seat
        and table.trains[seat].marker
    )


def in_order(game: Game, seat: int, fits: Mapping[Tile, tuple[TrainKey, ...]]) -> tuple[Tile, ...]:
    """The tiles that fit: those for the own train, for the Mexican Train, for the others; high halves first."""
    table = game.table
    assert table is not None
    if table.phase is Phase.ENGINE:
        return tuple(sorted(fits, reverse=True))

    def place(tile: Tile) -> tuple[int, int, int]:
        ranks = [(0 if key == seat else 1 if key is None else 2, tail(table, key)) for key in fits[tile]]
        rank, number = min(ranks, key=lambda one: one[0])
        return rank, -number, -tile.other(number)

    return tuple(sorted(fits, key=place))


def allowed(game: Game, seat: int) -> frozenset[type]:
    """The kinds of moves that the seat may make now, as far as is known; none when it is not its turn."""
    return frozenset(type(move) for move in legal_moves(game) if move.seat == seat)


def objections(game: Game, seat: int, key: TrainKey) -> tuple[Violation, ...]:
    """What speaks against laying any tile on a train."""
    table = game.table
    if table is None or table.engine is None:
        return ()
    number = tail(table, key)
    tile = next((one for one in possible_tiles(game, seat, sees=False) if one.has(number) and not one.is_double), None)
    if tile is None:
        return ()
    return tuple(one for one in check(game, Play(seat, tile, key)) if one.code not in ABOUT_THE_TILE)
