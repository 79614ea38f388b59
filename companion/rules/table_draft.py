"""The fold of one round: a mutable draft of its table that believes every event."""

from collections.abc import Callable, Iterable
from typing import Any

from companion.rules import events as ev
from companion.rules.house_rules import (
    DeadDouble,
    DoubleFollowup,
    DrawsPerTurn,
    FinishOnDouble,
    HouseRules,
    MarkerOff,
    MexicanTrainFrom,
    Opening,
)
from companion.rules.knowledge import forget, give, identify, prove, take
from companion.rules.state import Hand, LeavingHand, OpenDouble, Phase, PlacedTile, TableState, Train
from companion.rules.tiles import Tile
from companion.rules.turn import binding, can_bind, is_dead, next_seat, reach, tails


class TableDraft:
    """A `TableState` under construction; fields mean the same."""

    __slots__ = (
        "boneyard",
        "drawn",
        "drew_this_turn",
        "engine",
        "engine_draws",
        "extending",
        "follow_up",
        "hands",
        "holds_drawn",
        "laid_this_turn",
        "missing",
        "numbers_on_table",
        "on_table",
        "open_doubles",
        "participants",
        "passes_in_row",
        "phase",
        "rules",
        "seats",
        "starter",
        "to_act",
        "trains",
        "turn",
        "turns",
    )

    def __init__(self, state: TableState, rules: HouseRules, missing: frozenset[Tile], starter: int | None) -> None:
        self.rules = rules
        self.missing = missing
        self.starter = starter
        self.phase = state.phase
        self.participants = state.participants
        self.seats = state.seats
        self.trains = list(state.trains)
        self.hands = list(state.hands)
        self.boneyard = state.boneyard
        self.engine = state.engine
        self.open_doubles = list(state.open_doubles)
        self.to_act = state.to_act
        self.turn = state.turn
        self.turns = list(state.turns)
        self.follow_up = state.follow_up
        self.laid_this_turn = state.laid_this_turn
        self.extending = state.extending
        self.drew_this_turn = state.drew_this_turn
        self.holds_drawn = state.holds_drawn
        self.drawn = state.drawn
        self.engine_draws = state.engine_draws
        self.passes_in_row = state.passes_in_row
        self.on_table = set(state.on_table)
        self.numbers_on_table = list(state.numbers_on_table)

    def freeze(self) -> TableState:
        """The finished value."""
        return TableState(
            self.phase,
            self.participants,
            self.seats,
            tuple(self.trains),
            tuple(self.hands),
            self.boneyard,
            self.engine,
            tuple(self.open_doubles),
            self.to_act,
            self.turn,
            tuple(self.turns),
            self.follow_up,
            self.laid_this_turn,
            self.extending,
            self.drew_this_turn,
            self.holds_drawn,
            self.drawn,
            self.engine_draws,
            self.passes_in_row,
            frozenset(self.on_table),
            tuple(self.numbers_on_table),
        )

    def take(self, event: ev.Event) -> None:
        """Add one event of the round."""
        _HANDLERS[type(event)](self, event)

    def put_on_table(self, tile: Tile) -> None:
        """Count a tile that now lies face up."""
        self.on_table.add(tile)
        self.numbers_on_table[tile.low] += 1
        if tile.high != tile.low:
            self.numbers_on_table[tile.high] += 1

    def take_from(self, seat: int, tile: Tile) -> None:
        """A seat laid a tile; whoever was believed to hold it does not."""
        hand = self.hands[seat]
        if tile not in hand.known:
            for other, held in enumerate(self.hands):
                if held.known and tile in held.known:
                    self.hands[other] = forget(held, frozenset((tile,)))
        self.hands[seat] = take(hand, tile)

    def disbelieve(self, tiles: frozenset[Tile], but: int | None = None) -> None:
        """No seat other than `but` holds these tiles, whatever was believed."""
        for seat, hand in enumerate(self.hands):
            if seat != but and hand.known and not tiles.isdisjoint(hand.known):
                self.hands[seat] = forget(hand, tiles)

    def clear_turn(self) -> None:
        """Nothing has been done in this turn."""
        self.follow_up = self.extending = self.drew_this_turn = self.holds_drawn = False
        self.laid_this_turn = 0
        self.drawn = None

    def end_turn(self, seat: int) -> None:
        """The turn of a seat is over; the next one is to act."""
        self.clear_turn()
        self.turns[seat] += 1
        self.turn += 1
        self.to_act = next_seat(self, seat)

    def act_as(self, seat: int) -> None:
        """A seat acts; out of turn (a ruling) it takes the turn over."""
        if seat != self.to_act:
            self.clear_turn()
            self.turn += 1
            self.to_act = seat

    def player_left(self, seat: int, hand: LeavingHand) -> None:
        """A player left during the round; the train stays as it is (R-PLAYER-1)."""
        if self.to_act == seat:
            self.clear_turn()
            self.turn += 1
            self.to_act = next_seat(self, seat)
        self.seats = tuple(other for other in self.seats if other != seat)
        if hand is LeavingHand.TO_BONEYARD:
            self.boneyard += self.hands[seat].count
            self.hands[seat] = Hand()
        self.passes_in_row = 0

    def end(self) -> None:
        """The round is over."""
        self.phase = Phase.ENDED
        self.clear_turn()
        self.to_act = None

    def _hand_dealt(self, event: ev.HandDealt) -> None:
        self.boneyard += self.hands[event.seat].count - event.count
        tiles = frozenset(event.tiles)
        self.disbelieve(tiles, event.seat)
        self.hands[event.seat] = Hand(event.count, tiles)
        if self.phase is Phase.DEALING and all(self.hands[seat].count for seat in self.seats):
            starter = self.starter
            self.phase = Phase.ENGINE if self.engine is None else Phase.PLAYING
            self.to_act = self.seats[0] if starter is None else starter

    def _hand_seen(self, event: ev.HandSeen) -> None:
        hand, tiles = self.hands[event.seat], frozenset(event.tiles)
        count = hand.count if event.count is None else event.count
        known, lacks, unknown = hand.known | tiles, hand.lacks, hand.unknown
        if count != hand.count or len(known) > count:
            known, lacks = tiles, ()  # an earlier reading was wrong: the newest one holds
        for tile in tiles - hand.known:
            lacks = identify(lacks, unknown, tile) if lacks else ()
            unknown -= 1
        self.boneyard += hand.count - count
        self.disbelieve(tiles, event.seat)
        self.hands[event.seat] = Hand(count, known, lacks if len(known) < count else ())

    def _engine_laid(self, event: ev.EngineLaid) -> None:
        self.take_from(event.seat, event.tile)
        self.engine = event.tile
        self.put_on_table(event.tile)
        self.phase = Phase.PLAYING
        if self.starter is None:
            self.starter = event.seat
        self.to_act = self.starter if self.starter in self.seats else next_seat(self, self.starter)

    def _tile_played(self, event: ev.TilePlayed) -> None:
        rules, seat, tile, key = self.rules, event.seat, event.tile, event.train
        self.act_as(seat)
        followed = self.follow_up and rules.double_followup is DoubleFollowup.ANYWHERE
        self.take_from(seat, tile)
        self.put_on_table(tile)
        index = -1 if key is None else key
        train = self.trains[index]
        marker = train.marker
        if marker and key == seat and not event.keep_marker:
            marker = False
        placed = PlacedTile(tile, tile.other(event.outer), event.outer)
        self.trains[index] = Train(train.owner, (*train.tiles, placed), marker)
        if rules.marker_off is MarkerOff.ANY_OWN_PLAY and self.trains[seat].marker and not event.keep_marker:
            self.trains[seat] = Train(seat, self.trains[seat].tiles)
        long_train = (
            rules.opening is Opening.LONG_TRAIN
            and key == seat
            and not self.turns[seat]
            and (self.extending or not self.laid_this_turn)
        )
        double = tile.low == tile.high
        if self.open_doubles:
            self.open_doubles = [
                other
                for other in self.open_doubles
                if other.train != key and not (followed and other.turn == self.turn)
            ]
        self.follow_up = False
        if double:
            self.open_doubles.append(OpenDouble(key, tile, self.turn, long_train))
            self.follow_up = self._owes_another(seat, tile)
        self.passes_in_row = 0
        self.laid_this_turn += 1
        self.extending = long_train
        self.holds_drawn, self.drawn = False, None
        if double and rules.draws_per_turn is DrawsPerTurn.AFTER_EACH_DOUBLE:
            self.drew_this_turn = False
        if not (self.follow_up or (long_train and self.hands[seat].count)):
            self.end_turn(seat)

    def _owes_another(self, seat: int, tile: Tile) -> bool:
        """Does the double just laid ask its player for another tile (R-DBL-1, R-DBL-5, R-DBL-6)?"""
        rules, missing = self.rules, self.missing
        if not self.hands[seat].count:
            # The last tile: it must be covered only where that can be, and a draw gives the means.
            return (
                rules.finish_on_double is FinishOnDouble.MUST_COVER
                and self.boneyard > 0
                and (rules.dead_double is DeadDouble.BINDS or not is_dead(tile.high, rules, missing, self))
            )
        if rules.double_followup is DoubleFollowup.NEXT_PLAYER:
            return False
        if rules.double_followup is DoubleFollowup.ANYWHERE:
            return True
        return any(can_bind(double, rules, missing, self) for double in self.open_doubles if double.turn == self.turn)

    def _proved(self, seat: int) -> None:
        """The seat could not play: its unknown tiles show no number within reach."""
        hand = self.hands[seat]
        if not hand.unknown or self.engine is None:
            return
        place = reach(self.rules, self.missing, self, seat)
        numbers = tails(self, place.trains)
        if place.double_trains != place.trains:
            # A double may be barred where other tiles are not, so it may still be in the hand.
            free = tails(self, place.double_trains)
            numbers = {n for n in numbers if n in free or Tile(n, n) in self.on_table}
        self.hands[seat] = prove(hand, frozenset(numbers))

    def _tile_drawn(self, event: ev.TileDrawn) -> None:
        seat = event.seat
        if self.phase is Phase.ENGINE:
            self.engine_draws += 1
            self.to_act = next_seat(self, seat)
        else:
            self.act_as(seat)
            if event.ruling is None:
                self._proved(seat)
            self.drew_this_turn = self.holds_drawn = True
            self.drawn = event.tile
        self._from_boneyard(seat, 1, () if event.tile is None else (event.tile,))

    def _from_boneyard(self, seat: int, count: int, tiles: Iterable[Tile]) -> None:
        shown = frozenset(tiles)
        if shown:
            self.disbelieve(shown, seat)
        self.hands[seat] = give(self.hands[seat], count, shown)
        self.boneyard -= count

    def _turn_passed(self, event: ev.TurnPassed) -> None:
        seat = event.seat
        self.act_as(seat)
        if event.ruling is None:
            self._proved(seat)
        train = self.trains[seat]
        self.passes_in_row = self._passes(seat, event.ruling is None)
        if not train.marker:
            self.trains[seat] = Train(seat, train.tiles, True)
        self.end_turn(seat)

    def _passes(self, seat: int, proof: bool) -> int:
        """Passes in a row that prove that nobody can play, this one included (R-END-2)."""
        rules = self.rules
        if not proof or self.boneyard or self.laid_this_turn:
            return 0
        restricted = (
            rules.opening is Opening.LONG_TRAIN or rules.mexican_train_from is MexicanTrainFrom.AFTER_FIRST_TURN
        )
        if restricted and not self.turns[seat]:
            return 0  # the next turn offers more than this one did
        if not self.trains[seat].marker and not binding(rules, self.missing, self):
            return 1  # this pass opens a train, so the passes before it prove nothing any more
        return self.passes_in_row + 1

    def _turn_ended(self, event: ev.TurnEnded) -> None:
        self.act_as(event.seat)
        self.end_turn(event.seat)

    def _marker_set(self, event: ev.MarkerSet) -> None:
        self.trains[event.seat] = Train(event.seat, self.trains[event.seat].tiles, event.on)
        self.passes_in_row = 0

    def _call_missed(self, event: ev.CallMissed) -> None:
        self._from_boneyard(event.seat, event.count, event.tiles)

    def _table_observed(self, event: ev.TableObserved) -> None:
        self.engine = event.engine
        self.trains = [Train(train.owner) for train in self.trains]
        self.on_table.clear()
        self.numbers_on_table = [0] * len(self.numbers_on_table)
        if event.engine is not None:
            self.put_on_table(event.engine)
        for train in event.trains:
            self.trains[-1 if train.owner is None else train.owner] = train
            for placed in train.tiles:
                self.put_on_table(placed.tile)
        counts = event.hands or tuple(hand.count for hand in self.hands)
        self.hands = [
            Hand(count, hand.known - self.on_table if len(hand.known - self.on_table) <= count else frozenset())
            for hand, count in zip(self.hands, counts, strict=True)
        ]
        tiles = len(self.rules.tile_set) - len(self.missing)
        self.boneyard = tiles - len(self.on_table) - sum(counts)
        self.passes_in_row = 0
        if event.to_act is not None:
            self.to_act = event.to_act
        if event.engine is not None and self.phase is not Phase.ENDED:
            self.phase = Phase.PLAYING
            if self.to_act is None:
                starter = self.starter
                self.to_act = self.seats[0] if starter is None else starter
            self._first_turns()
        self.open_doubles = [
            OpenDouble(
                key,
                self.trains[-1 if key is None else key].tiles[-1].tile,
                self.turn,
                # In the first turns such a double is the end of a long train (R-TURN-2).
                opening=self.rules.opening is Opening.LONG_TRAIN and key is not None,
            )
            for key in event.open_doubles
        ]
        self.clear_turn()
        self.turn += 1

    def _first_turns(self) -> None:
        """Who has had a turn already, as far as the observed table shows it (R-TURN-2, R-PLAY-3).

        A first turn leaves a tile or a marker on the own train, unless the tile went elsewhere. So once the player
        to act has had one, everybody has; before that, those from the starter on.
        """
        acted = [seat for seat in self.seats if self.trains[seat].tiles or self.trains[seat].marker]
        if self.to_act in acted:
            acted = list(self.seats)
        elif acted or self.trains[-1].tiles:
            seat = self.starter
            while seat in self.seats and seat != self.to_act:
                acted.append(seat)
                seat = next_seat(self, seat)
        for seat in acted:
            self.turns[seat] = max(self.turns[seat], 1)


_HANDLERS: dict[type[Any], Callable[[TableDraft, Any], None]] = {
    ev.HandDealt: TableDraft._hand_dealt,
    ev.HandSeen: TableDraft._hand_seen,
    ev.EngineLaid: TableDraft._engine_laid,
    ev.TilePlayed: TableDraft._tile_played,
    ev.TileDrawn: TableDraft._tile_drawn,
    ev.TurnPassed: TableDraft._turn_passed,
    ev.TurnEnded: TableDraft._turn_ended,
    ev.MarkerSet: TableDraft._marker_set,
    ev.CallMissed: TableDraft._call_missed,
    ev.TableObserved: TableDraft._table_observed,
}
