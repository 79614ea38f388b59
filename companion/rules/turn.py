"""Where a tile may be laid right now: open trains, the duty to cover, the follow-up of a double.

The one place where the house rules about doubles meet; `legality` judges with it, `fold` uses it to see
what a pass has proved.
"""

from collections.abc import Sequence, Set
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from companion.rules.house_rules import (
    DeadDouble,
    DoubleFollowup,
    DoubleOrder,
    DoublesPerTurn,
    HouseRules,
    MexicanTrainFrom,
)
from companion.rules.state import OpenDouble, Train
from companion.rules.tiles import Tile

# ruff: noqa: D102  # the fields of TableView are explained in `TableState`

TrainKey = int | None


class TableView(Protocol):
    """What `TableState` and its draft in `fold` have in common."""

    @property
    def engine(self) -> Tile | None: ...
    @property
    def seats(self) -> Sequence[int]: ...
    @property
    def participants(self) -> Sequence[int]: ...
    @property
    def trains(self) -> Sequence[Train]: ...
    @property
    def open_doubles(self) -> Sequence[OpenDouble]: ...
    @property
    def to_act(self) -> int | None: ...
    @property
    def turn(self) -> int: ...
    @property
    def turns(self) -> Sequence[int]: ...
    @property
    def follow_up(self) -> bool: ...
    @property
    def extending(self) -> bool: ...
    @property
    def numbers_on_table(self) -> Sequence[int]: ...
    @property
    def on_table(self) -> Set[Tile]: ...


def next_seat(table: TableView, seat: int) -> int:
    """The seat that is next clockwise among those still playing (R-TURN-1)."""
    participants, seats = table.participants, table.seats
    place, count = participants.index(seat), len(participants)
    for _ in range(count):
        place = (place + 1) % count
        if participants[place] in seats:
            return participants[place]
    return seat


class Duty(StrEnum):
    """Why a player may lay tiles only in some places."""

    NONE = "none"
    COVER = "cover"
    """Doubles left open by an earlier turn bind everybody (R-DBL-3)."""
    FOLLOW = "follow"
    """The player's own double asks for another tile (R-DBL-1)."""
    LONG_TRAIN = "long_train"
    """A long train may only be continued (R-TURN-2)."""


@dataclass(frozen=True, slots=True)
class Reach:
    """The trains a player may lay on, before pips are compared."""

    duty: Duty
    trains: tuple[TrainKey, ...]
    """For a tile that is no double."""
    double_trains: tuple[TrainKey, ...]
    """For a double."""
    bound: tuple[OpenDouble, ...] = ()
    """The doubles behind the duty, oldest first."""

    def for_tile(self, tile: Tile) -> tuple[TrainKey, ...]:
        """The trains for this kind of tile."""
        return self.double_trains if tile.low == tile.high else self.trains


def is_dead(number: int, rules: HouseRules, missing: Set[Tile], table: TableView) -> bool:
    """Do all tiles of a number lie on the table, so that its double can never be covered (R-DBL-5)?"""
    existing = rules.max_pip + 1
    if missing:
        existing -= sum(tile.has(number) for tile in missing)
    return table.numbers_on_table[number] >= existing


def can_bind(double: OpenDouble, rules: HouseRules, missing: Set[Tile], table: TableView) -> bool:
    """Could this double be asked to be covered: is it alive, or does the table let dead doubles bind?"""
    return rules.dead_double is DeadDouble.BINDS or not is_dead(double.tile.high, rules, missing, table)


def binding(rules: HouseRules, missing: Set[Tile], table: TableView) -> list[OpenDouble]:
    """The open doubles that bind whoever is next, oldest first (R-DBL-3, R-DBL-5, R-TURN-2)."""
    bound = []
    for double in table.open_doubles:
        if double.opening and not all(table.turns[seat] for seat in table.seats):
            continue
        if can_bind(double, rules, missing, table):
            bound.append(double)
    return bound


def in_order(doubles: Sequence[OpenDouble], rules: HouseRules) -> Sequence[OpenDouble]:
    """Those of several open doubles that may be covered first (R-DBL-4)."""
    if rules.double_order is DoubleOrder.OLDEST_FIRST:
        return doubles[:1]
    if rules.double_order is DoubleOrder.NEWEST_FIRST:
        return doubles[-1:]
    return doubles


def mexican_train_usable(rules: HouseRules, table: TableView, seat: int) -> bool:
    """May this seat use the Mexican Train yet (R-PLAY-3)?"""
    if rules.mexican_train_from is MexicanTrainFrom.AFTER_FIRST_TURN:
        return table.turns[seat] > 0
    if rules.mexican_train_from is MexicanTrainFrom.AFTER_OWN_TRAIN:
        return bool(table.trains[seat].tiles)
    return True


def open_trains(rules: HouseRules, table: TableView, seat: int) -> tuple[TrainKey, ...]:
    """The trains open to a seat that is under no duty (R-PLAY-1, R-PLAY-3)."""
    trains = table.trains
    keys: list[TrainKey] = [other for other in table.participants if other == seat or trains[other].marker]
    if mexican_train_usable(rules, table, seat):
        keys.append(None)
    return tuple(keys)


def reach(rules: HouseRules, missing: Set[Tile], table: TableView, seat: int) -> Reach:
    """Where `seat` may lay a tile if it is (or were) to act."""
    acting = seat == table.to_act
    if table.open_doubles:
        if table.follow_up and acting:
            return _follow(rules, missing, table, seat)
        bound = binding(rules, missing, table)
        if bound:
            covers = tuple(double.train for double in in_order(bound, rules))
            return Reach(Duty.COVER, covers, covers, tuple(bound))
    if table.extending and acting:
        return Reach(Duty.LONG_TRAIN, (seat,), (seat,))
    keys = open_trains(rules, table, seat)
    return Reach(Duty.NONE, keys, keys)


def _follow(rules: HouseRules, missing: Set[Tile], table: TableView, seat: int) -> Reach:
    several = rules.doubles_per_turn is DoublesPerTurn.ANY
    fresh = [double for double in table.open_doubles if double.turn == table.turn]
    keys = open_trains(rules, table, seat)
    if rules.double_followup is DoubleFollowup.ANYWHERE:
        # The rules of the first tile hold for the second: an older duty stays a duty.
        older = [double for double in binding(rules, missing, table) if double.turn != table.turn]
        if older:
            covers = tuple(double.train for double in in_order(older, rules))
            return Reach(Duty.COVER, covers, covers, tuple(older))
        keys += tuple(double.train for double in fresh if double.train not in keys)
        return Reach(Duty.FOLLOW, keys, keys if several else (), tuple(fresh))
    fresh = [double for double in fresh if can_bind(double, rules, missing, table)]
    first = in_order(fresh, rules) if several else fresh[-1:]
    covers = tuple(double.train for double in first)
    return Reach(Duty.FOLLOW, covers, keys if several else covers, tuple(fresh))


def tail(table: TableView, key: TrainKey) -> int:
    """Pips at the open end of a train; the engine must lie."""
    train = table.trains[-1 if key is None else key]
    if train.tiles:
        return train.tiles[-1].outer
    assert table.engine is not None
    return table.engine.high


def tails(table: TableView, keys: Sequence[TrainKey]) -> set[int]:
    """The numbers at the tails of these trains."""
    return {tail(table, key) for key in keys}


def playable(tiles: Set[Tile], place: Reach, table: TableView) -> list[Tile]:
    """Those of the tiles that fit somewhere within reach (R-PLAY-2), in no special order."""
    numbers = tails(table, place.trains)
    double_numbers = numbers if place.double_trains == place.trains else tails(table, place.double_trains)
    found = []
    for tile in tiles:
        low = tile.low
        if low == tile.high:
            if low in double_numbers:
                found.append(tile)
        elif low in numbers or tile.high in numbers:
            found.append(tile)
    return found
