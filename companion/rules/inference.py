"""What can honestly be said while hands are hidden (R-RULING-2).

Everything here follows from what lies on the table, from tiles that were shown, and from draws and
passes, as far as the players kept to the rules. Where nothing follows, nothing is said.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from companion.rules.house_rules import DoubleFollowup
from companion.rules.legality import check, known_playable, unseen
from companion.rules.moves import Draw
from companion.rules.state import Game, Hand, OpenDouble, Phase, TableState
from companion.rules.tiles import Tile
from companion.rules.turn import Duty, in_order, is_dead, playable, reach


class Must(StrEnum):
    """What the player to act must do, where that is proved."""

    PLAY = "play"
    """Holds a tile that fits."""
    DRAW = "draw"
    """Holds none, and may draw."""
    PASS = "pass"
    """Holds none, and may not draw."""
    STOP_OR_PLAY = "stop_or_play"
    """Is laying a long train and may stop."""
    LAY_ENGINE = "lay_engine"
    """Holds the engine."""
    UNKNOWN = "unknown"
    """Depends on tiles nobody has shown."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What is proved about the turn of the player to act."""

    seat: int
    must: Must
    tiles: tuple[Tile, ...]
    """Known tiles that fit."""
    cover: tuple[OpenDouble, ...]
    """Doubles of which one must be covered now; empty: no duty."""


@dataclass(frozen=True, slots=True)
class Holding:
    """What is proved about a hand."""

    count: int
    known: frozenset[Tile]
    """Tiles it was seen to hold, or that it can only hold."""
    possible: frozenset[Tile]
    """What the other tiles can be."""
    lacking: frozenset[int]
    """Numbers that no tile shows which nobody has seen."""


def outlook(game: Game) -> Outlook | None:
    """What the player to act must do; None: nobody is to act."""
    table = game.table
    if table is None or table.to_act is None:
        return None
    seat = table.to_act
    if table.phase is Phase.ENGINE:
        held = check(game, Draw(seat))
        tiles = tuple(tile for violation in held if isinstance(tile := violation.params.get("tile"), Tile))
        return Outlook(seat, Must.LAY_ENGINE if tiles else Must.UNKNOWN, tiles, ())
    place = reach(game.rules, game.missing_tiles, table, seat)
    cover = tuple(in_order(place.bound, game.rules)) if place.duty is Duty.COVER else ()
    if place.duty is Duty.FOLLOW and game.rules.double_followup is not DoubleFollowup.ANYWHERE:
        cover = tuple(double for double in place.bound if double.train in place.trains)
    tiles = tuple(sorted(surely_playable(game, table, seat)))
    if table.extending and not table.follow_up:
        return Outlook(seat, Must.STOP_OR_PLAY, tiles, cover)
    if tiles:
        return Outlook(seat, Must.PLAY, tiles, cover)
    if can_possibly_play(game, table, seat):
        return Outlook(seat, Must.UNKNOWN, (), cover)
    return Outlook(seat, Must.PASS if check(game, Draw(seat)) else Must.DRAW, (), cover)


def holding(game: Game, seat: int) -> Holding:
    """What is proved about the hand of a seat. There must be a round."""
    table = game.table
    assert table is not None
    hand = table.hands[seat]
    hidden = unseen(game, table)
    possible = frozenset(tile for tile in hidden if _can_be(hand, tile)) if hand.unknown else frozenset()
    numbers = range(game.rules.max_pip + 1)
    lacking = frozenset(n for n in numbers if hand.unknown and not any(tile.has(n) for tile in possible))
    if hand.unknown and len(possible) == hand.unknown:
        return Holding(hand.count, hand.known | possible, frozenset(), lacking)
    return Holding(hand.count, hand.known, possible, lacking)


def _can_be(hand: Hand, tile: Tile) -> bool:
    """Can one of the unknown tiles of this hand be that tile?"""
    if sum(lack.count for lack in hand.lacks) < hand.unknown:
        return True
    return any(tile.low not in lack.numbers and tile.high not in lack.numbers for lack in hand.lacks)


def can_possibly_play(game: Game, table: TableState, seat: int) -> bool:
    """Is it open whether the seat can play, were it to act? False is a proof that it cannot."""
    if surely_playable(game, table, seat):
        return True
    place = reach(game.rules, game.missing_tiles, table, seat)
    if table.holds_drawn and seat == table.to_act:
        return table.drawn is None and bool(playable(unseen(game, table), place, table))
    return bool(playable(holding(game, seat).possible, place, table))


def surely_playable(game: Game, table: TableState, seat: int) -> list[Tile]:
    """Tiles that the seat was seen to hold, or can only hold, and could lay."""
    if not table.hands[seat].unknown or (table.holds_drawn and seat == table.to_act):
        return known_playable(game, table, seat)
    return playable(holding(game, seat).known, reach(game.rules, game.missing_tiles, table, seat), table)


def number_is_dead(game: Game, number: int) -> bool:
    """Do all tiles of a number lie on the table, so that nobody can ever play on it (R-DBL-5)?"""
    table = game.table
    return table is not None and is_dead(number, game.rules, game.missing_tiles, table)


def provably_able(game: Game) -> tuple[int, ...]:
    """Seats that are proved to hold a tile they could lay, were they to act."""
    table = game.table
    if table is None or table.phase is not Phase.PLAYING:
        return ()
    return tuple(seat for seat in table.seats if surely_playable(game, table, seat))


def provably_blocked(game: Game) -> bool:
    """Is it proved that the round is blocked (R-END-2), perhaps before everybody has passed?"""
    table = game.table
    if table is None or table.phase is not Phase.PLAYING or table.boneyard or table.to_act is None:
        return False
    if can_possibly_play(game, table, table.to_act):
        return False
    # Passes open trains and end first turns, which may give others a play: look at the table after them too.
    trains = tuple(replace(train, marker=True) if train.owner in table.seats else train for train in table.trains)
    passing = replace(table, trains=trains, follow_up=False, extending=False, holds_drawn=False, drawn=None)
    passed = replace(passing, turns=tuple(max(turns, 1) for turns in table.turns))
    return not any(can_possibly_play(game, later, seat) for later in (passing, passed) for seat in table.seats)
