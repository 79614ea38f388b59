"""The checked door: every clause a move would break, and every move that breaks none.

`check` and `legal_moves` claim only what follows from what has been seen (R-RULING-2): with an unknown
hand a draw may be right, so it is no violation.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from companion.rules.house_rules import (
    DoubleFollowup,
    DoublesPerTurn,
    EngineDraw,
    EngineOrder,
    FinishOnDouble,
    HouseRules,
    MarkerOff,
)
from companion.rules.moves import Draw, EndTurn, LayEngine, Mark, Move, Pass, Play, Violation
from companion.rules.moves import ViolationCode as Code
from companion.rules.state import Game, Hand, Phase, Round, TableState
from companion.rules.tiles import Tile
from companion.rules.turn import (
    Duty,
    Reach,
    TrainKey,
    in_order,
    mexican_train_usable,
    playable,
    reach,
    tail,
)


def check(game: Game, move: Move) -> tuple[Violation, ...]:
    """All violations of a move, the physically impossible first; empty: the move is legal."""
    current = game.round
    if current is None:
        return (Violation.of(Code.NOT_NOW),)
    table = current.table
    engine_move = isinstance(move, LayEngine)
    if table.phase is not (Phase.ENGINE if engine_move else Phase.PLAYING) and not (
        isinstance(move, Draw) and table.phase is Phase.ENGINE
    ):
        return (Violation.of(Code.NOT_NOW, phase=table.phase),)
    if move.seat not in table.seats:
        return (Violation.of(Code.NOT_AT_TABLE, seat=move.seat),)
    if isinstance(move, Play):
        return tuple(_check_play(game, table, move))
    if isinstance(move, Draw):
        return tuple(_check_draw(game, current, move))
    if isinstance(move, Pass):
        return tuple(_check_pass(game, table, move))
    if isinstance(move, EndTurn):
        return tuple(_check_end_turn(table, move))
    if isinstance(move, Mark):
        return tuple(_check_mark(game.rules, table, move))
    return tuple(_check_engine(game, current, move))


def legal_moves(game: Game) -> tuple[Move, ...]:
    """Every move without a violation, in a fixed order; draws without saying which tile.

    With unknown tiles in a hand every tile that nobody has seen is a candidate.
    """
    current = game.round
    if current is None:
        return ()
    table = current.table
    seat = table.to_act
    if seat is None:
        return ()
    if table.phase is Phase.ENGINE:
        return tuple(_engine_moves(game, current))
    if table.phase is not Phase.PLAYING:
        return ()
    place = reach(game.rules, game.missing_tiles, table, seat)
    moves: list[Move] = []
    for tile in sorted(playable(_candidates(game, table, seat), place, table)):
        for key in place.for_tile(tile):
            if tile.has(tail(table, key)):
                moves.append(Play(seat, tile, key))
                if game.rules.marker_off is MarkerOff.OWNER_CHOICE and key == seat and table.trains[seat].marker:
                    moves.append(Play(seat, tile, key, keep_marker=True))
    others: tuple[Move, ...] = (Draw(seat), Pass(seat), EndTurn(seat), Mark(seat))
    moves += [move for move in others if not check(game, move)]
    return tuple(moves)


def unseen(game: Game, table: TableState) -> frozenset[Tile]:
    """Tiles that lie in the boneyard or in a hand, nobody has shown where."""
    tiles = frozenset(game.rules.tile_set.tiles) - table.on_table - game.missing_tiles
    return tiles.difference(*(hand.known for hand in table.hands))


def known_playable(game: Game, table: TableState, seat: int) -> list[Tile]:
    """Tiles that the seat is known to hold and could lay now; just after a draw only the drawn one counts."""
    return _known_playable(table, seat, reach(game.rules, game.missing_tiles, table, seat))


def fitting_engine(game: Game, current: Round, tile: Tile) -> bool:
    """May this tile start the round (R-ENG-1)?"""
    if game.rules.engine is EngineOrder.DESCENDING:
        return tile == due_engine(game, current.number)
    return tile.is_double and tile not in game.used_engines


def due_engine(game: Game, number: int) -> Tile | None:
    """The double that starts a round in descending order (R-ENG-1); None: there is none left.

    Where a ruling has used it already, the highest double that has started no round.
    """
    engines = game.engines
    if number > len(engines):
        return None
    used = game.used_engines
    return next((tile for tile in (engines[number - 1], *engines) if tile not in used), None)


def misnamed(
    rules: HouseRules, gone: frozenset[Tile], on_table: frozenset[Tile], tiles: Sequence[Tile]
) -> list[Violation]:
    """What is wrong with a list of tiles: not in the set, lost, on the table, or named twice (R-SET-1, R-SET-2)."""
    violations = []
    for tile, times in sorted(Counter(tiles).items()):
        if tile not in rules.tile_set:
            violations.append(Violation.of(Code.NOT_IN_SET, tile=tile, max_pip=rules.max_pip))
        if tile in gone:
            violations.append(Violation.of(Code.TILE_LOST, tile=tile))
        if tile in on_table:
            violations.append(Violation.of(Code.TILE_ON_TABLE, tile=tile))
        if times > 1:
            violations.append(Violation.of(Code.TILE_TWICE, tile=tile))
    return violations


def _candidates(game: Game, table: TableState, seat: int) -> frozenset[Tile]:
    hand = table.hands[seat]
    if table.holds_drawn:
        return frozenset((table.drawn,)) if table.drawn is not None else unseen(game, table)
    return hand.known | unseen(game, table) if hand.unknown else hand.known


def _known_playable(table: TableState, seat: int, place: Reach) -> list[Tile]:
    known = table.hands[seat].known
    if table.holds_drawn and seat == table.to_act:
        known = frozenset((table.drawn,)) if table.drawn is not None else frozenset()
    return playable(known, place, table) if known else []


def _check_tile(game: Game, table: TableState, seat: int | None, tile: Tile) -> Iterator[Violation]:
    """Is the tile where it must be: in the hand of `seat`, or (None) in the boneyard?"""
    if tile.high > game.rules.max_pip:
        yield Violation.of(Code.NOT_IN_SET, tile=tile, max_pip=game.rules.max_pip)
        return
    if tile in game.missing_tiles:
        yield Violation.of(Code.TILE_LOST, tile=tile)
    if tile in table.on_table:
        yield Violation.of(Code.TILE_ON_TABLE, tile=tile)
        return
    if seat is not None:
        hand = table.hands[seat]
        if tile in hand.known:
            return
        if hand.count <= 0:
            yield Violation.of(Code.HAND_EMPTY, seat=seat)
        elif hand.count == len(hand.known):
            yield Violation.of(Code.NOT_IN_HAND, seat=seat, tile=tile)
    for other, hand in enumerate(table.hands):
        if tile in hand.known:
            yield Violation.of(Code.IN_OTHER_HAND, seat=other, tile=tile)


def _check_play(game: Game, table: TableState, move: Play) -> Iterator[Violation]:
    rules, seat, tile, key = game.rules, move.seat, move.tile, move.train
    yield from _check_tile(game, table, seat, tile)
    if key is not None and key not in table.participants:
        yield Violation.of(Code.NO_SUCH_TRAIN, train=key)
        return
    number = tail(table, key)
    if move.outer is not None and not tile.has(move.outer):
        yield Violation.of(Code.NO_SUCH_HALF, tile=tile, pips=move.outer)
    if seat != table.to_act:
        yield Violation.of(Code.OUT_OF_TURN, seat=seat, to_act=table.to_act)
    if not tile.has(number) or (move.outer is not None and tile.has(move.outer) and tile.other(move.outer) != number):
        yield Violation.of(Code.DOES_NOT_MATCH, tile=tile, pips=number, train=key)
    if table.holds_drawn and seat == table.to_act:
        drawn = table.drawn
        if (drawn is not None and tile != drawn) or (drawn is None and tile in table.hands[seat].known):
            yield Violation.of(Code.MUST_PLAY_DRAWN, tile=drawn)
    if move.keep_marker and not (
        rules.marker_off is MarkerOff.OWNER_CHOICE and key == seat and table.trains[seat].marker
    ):
        yield Violation.of(Code.MARKER_COMES_OFF, seat=seat)
    place = reach(rules, game.missing_tiles, table, seat)
    if key not in place.for_tile(tile):
        yield from _misplaced(rules, table, move, place)


def _misplaced(rules: HouseRules, table: TableState, move: Play, place: Reach) -> Iterator[Violation]:
    """Every reason why a train is out of reach."""
    seat, key = move.seat, move.train
    double = move.tile.is_double
    bound: tuple[TrainKey, ...] = tuple(open_double.train for open_double in place.bound)
    if key not in bound:
        if key is not None and key != seat and not table.trains[key].marker:
            yield Violation.of(Code.TRAIN_CLOSED, train=key)
        if key is None and not mexican_train_usable(rules, table, seat):
            yield Violation.of(Code.MEXICAN_TRAIN_TOO_EARLY, seat=seat)
    if place.duty is Duty.LONG_TRAIN:
        yield Violation.of(Code.LONG_TRAIN_OWN_ONLY, seat=seat)
    elif place.duty is Duty.COVER:
        if key in bound:
            yield _wrong_order(rules, place)
        else:
            yield Violation.of(Code.MUST_COVER_OPEN_DOUBLE, trains=bound, doubles=_tiles(place))
    elif place.duty is Duty.FOLLOW:
        second = double and rules.doubles_per_turn is DoublesPerTurn.ONE
        if second:
            yield Violation.of(Code.SECOND_DOUBLE, tile=move.tile)
        if rules.double_followup is DoubleFollowup.ANYWHERE or (double and not second):
            return  # the train is free to choose, so only what was said above is wrong
        if key not in bound:
            yield Violation.of(Code.MUST_FOLLOW_DOUBLE, trains=bound, doubles=_tiles(place))
        elif key not in place.trains:
            yield _wrong_order(rules, place)


def _tiles(place: Reach) -> tuple[Tile, ...]:
    return tuple(double.tile for double in place.bound)


def _wrong_order(rules: HouseRules, place: Reach) -> Violation:
    first = in_order(place.bound, rules)[0]
    return Violation.of(Code.WRONG_DOUBLE_FIRST, tile=first.tile, train=first.train, order=rules.double_order)


def _must_cover_last(rules: HouseRules, table: TableState, seat: int) -> bool:
    """The last tile was a double and must be covered, so that the player draws (R-DBL-6)."""
    return table.follow_up and not table.hands[seat].count and rules.finish_on_double is FinishOnDouble.MUST_COVER


def _check_draw(game: Game, current: Round, move: Draw) -> Iterator[Violation]:
    table, seat = current.table, move.seat
    if not table.boneyard:
        yield Violation.of(Code.BONEYARD_EMPTY)
    if move.tile is not None:
        yield from _check_tile(game, table, None, move.tile)
    acting = seat == table.to_act
    if not acting:
        yield Violation.of(Code.OUT_OF_TURN, seat=seat, to_act=table.to_act)
    if table.phase is Phase.ENGINE:
        holder = _holder(game, current)
        if holder is not None and not _mid_wave(game.rules, table):
            yield Violation.of(Code.ENGINE_HELD, seat=holder[0], tile=holder[1])
    elif acting and table.extending and not table.follow_up:
        yield Violation.of(Code.LONG_TRAIN_JUST_STOP, seat=seat)
    elif acting and table.holds_drawn:
        yield Violation.of(Code.ALREADY_DREW, seat=seat)
    elif acting and table.drew_this_turn and not _must_cover_last(game.rules, table, seat):
        yield Violation.of(Code.NO_SECOND_DRAW, seat=seat)
    else:
        tiles = known_playable(game, table, seat)
        if tiles:
            yield Violation.of(Code.MUST_PLAY, tiles=tuple(sorted(tiles)))


def _check_pass(game: Game, table: TableState, move: Pass) -> Iterator[Violation]:
    rules, seat = game.rules, move.seat
    acting = seat == table.to_act
    if not acting:
        yield Violation.of(Code.OUT_OF_TURN, seat=seat, to_act=table.to_act)
    elif table.extending and not table.follow_up:
        yield Violation.of(Code.LONG_TRAIN_JUST_STOP, seat=seat)
        return
    holds_drawn = acting and table.holds_drawn
    tiles = known_playable(game, table, seat)
    if tiles:
        if holds_drawn:
            yield Violation.of(Code.MUST_PLAY_DRAWN, tile=table.drawn)
        else:
            yield Violation.of(Code.MUST_PLAY, tiles=tuple(sorted(tiles)))
    if table.boneyard and not holds_drawn:
        if acting and _must_cover_last(rules, table, seat):
            yield Violation.of(Code.MUST_DRAW_TO_COVER_LAST, seat=seat)
        elif not (acting and table.drew_this_turn):
            follow_up = acting and table.follow_up
            yield Violation.of(Code.MUST_DRAW_TO_FOLLOW if follow_up else Code.MUST_DRAW, seat=seat)


def _check_end_turn(table: TableState, move: EndTurn) -> Iterator[Violation]:
    acting = move.seat == table.to_act
    if not acting:
        yield Violation.of(Code.OUT_OF_TURN, seat=move.seat, to_act=table.to_act)
    if acting and table.follow_up:
        yield Violation.of(
            Code.MUST_FOLLOW_DOUBLE,
            trains=tuple(double.train for double in table.open_doubles),
            doubles=tuple(double.tile for double in table.open_doubles),
        )
    elif not (acting and table.extending):
        yield Violation.of(Code.NOTHING_TO_STOP, seat=move.seat)


def _check_mark(rules: HouseRules, table: TableState, move: Mark) -> Iterator[Violation]:
    if move.seat != table.to_act:
        yield Violation.of(Code.OUT_OF_TURN, seat=move.seat, to_act=table.to_act)
    if table.trains[move.seat].marker == move.on:
        yield Violation.of(Code.MARKER_ALREADY_SO, seat=move.seat)
    elif not move.on:
        yield Violation.of(Code.MARKER_STAYS_ON, seat=move.seat)
    elif not rules.voluntary_marker:
        yield Violation.of(Code.MARKER_NOT_VOLUNTARY, seat=move.seat)


def _mid_wave(rules: HouseRules, table: TableState) -> bool:
    """Everybody draws at once, and somebody has not drawn yet (R-ENG-2)."""
    return (
        rules.engine_draw is EngineDraw.ALL_AT_ONCE
        and table.engine_draws % len(table.seats) != 0
        and table.boneyard > 0
    )


def _holder(game: Game, current: Round) -> tuple[int, Tile] | None:
    """Who is known to hold the engine, or the highest double that can be it, and which."""
    held = [
        (tile, seat)
        for seat in current.table.seats
        for tile in current.table.hands[seat].known
        if fitting_engine(game, current, tile)
    ]
    return max(held)[::-1] if held else None


def _check_engine(game: Game, current: Round, move: LayEngine) -> Iterator[Violation]:
    table, tile = current.table, move.tile
    yield from _check_tile(game, table, move.seat, tile)
    if not fitting_engine(game, current, tile):
        if game.rules.engine is EngineOrder.HIGHEST_DOUBLE and tile in game.used_engines:
            yield Violation.of(Code.ENGINE_USED, tile=tile)
        else:
            yield Violation.of(Code.WRONG_ENGINE, tile=tile, due=_due(game, current))
    else:
        holder = _holder(game, current)
        if holder is not None and holder[1] > tile:
            yield Violation.of(Code.WRONG_ENGINE, tile=tile, due=holder[1])
    if _mid_wave(game.rules, table):
        yield Violation.of(Code.ENGINE_WAVE)


def _due(game: Game, current: Round) -> Tile | None:
    if game.rules.engine is EngineOrder.DESCENDING:
        return due_engine(game, current.number)
    holder = _holder(game, current)
    return holder[1] if holder else None


def _engine_moves(game: Game, current: Round) -> Iterator[Move]:
    table = current.table
    hidden = unseen(game, table)
    for seat in table.seats:
        hand: Hand = table.hands[seat]
        for tile in sorted(hand.known | hidden if hand.unknown else hand.known):
            if fitting_engine(game, current, tile) and not check(game, LayEngine(seat, tile)):
                yield LayEngine(seat, tile)
    draw = Draw(table.to_act if table.to_act is not None else table.seats[0])
    if not check(game, draw):
        yield draw
