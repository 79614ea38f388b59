"""What the table decides during a round besides moves: show a hand, look at the trains, end the round.

Every function checks and returns the events that record the decision; it raises IllegalMoveError with
all violations. Where a `ruling` is taken, the table may insist (R-RULING-1).
"""

from collections.abc import Sequence
from dataclasses import replace

from companion.rules import events as ev
from companion.rules.fold import overrule, refuse
from companion.rules.inference import provably_able, surely_playable
from companion.rules.legality import misnamed
from companion.rules.moves import Violation
from companion.rules.moves import ViolationCode as Code
from companion.rules.state import EndReason, Game, Phase, TableState
from companion.rules.tiles import Tile


def see_hand(
    game: Game, seat: int, tiles: Sequence[Tile], count: int | None = None, ruling: str | None = None
) -> tuple[ev.Event, ...]:
    """A hand, or a part of it, is shown; `count` where it was counted anew. Insisting corrects the log."""
    table = _table(game, Phase.ENGINE, Phase.PLAYING, Phase.ENDED)
    violations = misnamed(game.rules, game.missing_tiles, table.on_table, tiles)
    if seat not in table.participants:
        refuse(*violations, Violation.of(Code.NOT_AT_TABLE, seat=seat))
    hand = table.hands[seat]
    size = hand.count if count is None else count
    if size < len(tiles) or size - hand.count > table.boneyard:
        most = min(size, hand.count + table.boneyard)
        violations.append(Violation.of(Code.TOO_MANY_TILES, count=max(size, len(tiles)), most=most))
    elif size != hand.count:
        violations.append(Violation.of(Code.HAND_SIZE, seat=seat, count=size, expected=hand.count))
    for other, held in enumerate(table.hands):
        violations += [
            Violation.of(Code.IN_OTHER_HAND, seat=other, tile=tile)
            for tile in sorted(held.known.intersection(tiles))
            if other != seat
        ]
    if not hand.unknown:
        violations += [Violation.of(Code.NOT_IN_HAND, seat=seat, tile=tile) for tile in sorted(set(tiles) - hand.known)]
    return (ev.HandSeen(seat, tuple(sorted(tiles)), count, overrule(violations, ruling)),)


def observe(game: Game, seen: ev.TableObserved, ruling: str | None = None) -> tuple[ev.Event, ...]:
    """The table is looked at; what was seen replaces what the log says (R-RULING-1)."""
    table = _table(game, Phase.DEALING, Phase.ENGINE, Phase.PLAYING)
    placed = [tile for train in seen.trains for tile in train.tiles]
    engine = [] if seen.engine is None else [seen.engine]
    violations = misnamed(game.rules, game.missing_tiles, frozenset(), [*engine, *(p.tile for p in placed)])
    owners = [train.owner for train in seen.trains]
    violations += [
        Violation.of(Code.NO_SUCH_TRAIN, train=owner)
        for owner in owners
        if owners.count(owner) > 1 or (owner is not None and owner not in table.participants)
    ]
    hands = seen.hands or tuple(hand.count for hand in table.hands)
    most = game.tile_count - len(engine) - len(placed)
    if len(hands) != len(table.hands) or min(hands, default=0) < 0 or sum(hands) > most:
        violations.append(Violation.of(Code.TOO_MANY_TILES, count=sum(hands), most=most))
    ends = {train.owner: train.tiles[-1].tile for train in seen.trains if train.tiles}
    violations += [
        Violation.of(Code.NO_OPEN_DOUBLE, train=owner)
        for owner in seen.open_doubles
        if owner not in ends or not ends[owner].is_double
    ]
    if seen.to_act is not None and seen.to_act not in table.seats:
        violations.append(Violation.of(Code.NOT_AT_TABLE, seat=seen.to_act))
    if seen.engine is None and placed:
        violations.append(Violation.of(Code.NOT_NOW, phase=Phase.ENGINE))
    elif seen.engine is not None:
        for train in seen.trains:
            pips = seen.engine.high
            for tile in train.tiles:
                if not tile.tile.has(tile.inner) or tile.tile.other(tile.inner) != tile.outer:
                    violations.append(Violation.of(Code.NO_SUCH_HALF, tile=tile.tile, pips=tile.outer))
                elif tile.inner != pips:
                    violations.append(Violation.of(Code.DOES_NOT_MATCH, tile=tile.tile, pips=pips, train=train.owner))
                pips = tile.outer
    return (replace(seen, ruling=overrule(violations, ruling)),)


def miss_call(game: Game, seat: int, tiles: Sequence[Tile] = ()) -> tuple[ev.Event, ...]:
    """A player with one tile left did not say so and draws (`last_tile_call`); `tiles`: what was shown."""
    table = _table(game, Phase.PLAYING)
    violations = misnamed(game.rules, game.missing_tiles, table.on_table, tiles)
    count = min(game.rules.last_tile_call, table.boneyard)
    if seat not in table.seats:
        violations.append(Violation.of(Code.NOT_AT_TABLE, seat=seat))
    elif not game.rules.last_tile_call or table.hands[seat].count != 1:
        violations.append(Violation.of(Code.NO_CALL_DUE, seat=seat))
    elif not count:
        violations.append(Violation.of(Code.BONEYARD_EMPTY))
    elif len(tiles) > count:
        violations.append(Violation.of(Code.TOO_MANY_TILES, count=len(tiles), most=count))
    violations += [
        Violation.of(Code.IN_OTHER_HAND, seat=other, tile=tile)
        for other, held in enumerate(table.hands)
        for tile in sorted(held.known.intersection(tiles))
    ]
    overrule(violations, None)
    return (ev.CallMissed(seat, count, tuple(sorted(tiles))),)


def end_round(
    game: Game, reason: EndReason, went_out: int | None = None, ruling: str | None = None
) -> tuple[ev.Event, ...]:
    """The table says that the round is over (R-END-1, R-END-2, R-END-3); `went_out` with the reason `out`."""
    table = _table(game, Phase.DEALING, Phase.ENGINE, Phase.PLAYING)
    violations = []
    if reason is EndReason.OUT:
        if went_out not in table.seats:
            refuse(Violation.of(Code.NOT_AT_TABLE, seat=went_out))
        elif table.phase is not Phase.DEALING and table.hands[went_out].count:
            violations.append(Violation.of(Code.NOT_OUT, seat=went_out, count=table.hands[went_out].count))
    elif reason is EndReason.BLOCKED and table.phase is not Phase.DEALING:
        able = provably_able(game)
        if table.boneyard or able:
            seat = able[0] if able else None
            tiles = tuple(sorted(surely_playable(game, table, able[0]))) if able else ()
            violations.append(Violation.of(Code.NOT_BLOCKED, boneyard=table.boneyard, seat=seat, tiles=tiles))
    ended = went_out if reason is EndReason.OUT else None
    return (ev.RoundEnded(len(game.rounds), reason, ended, overrule(violations, ruling)),)


def _table(game: Game, *phases: Phase) -> TableState:
    current = game.round
    if current is None or current.table.phase not in phases or (current.ended and Phase.ENDED not in phases):
        refuse(Violation.of(Code.NOT_NOW))
    return current.table
