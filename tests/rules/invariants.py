"""What must hold for every state of a game, and every move one could think of."""

from collections.abc import Iterator

from companion.rules.legality import check, legal_moves
from companion.rules.moves import Draw, EndTurn, LayEngine, Mark, Move, Pass, Play
from companion.rules.state import Game, Phase


def all_moves(game: Game) -> Iterator[Move]:
    """Every move that can be named at this table, sensible or not."""
    table = game.table
    assert table is not None
    trains = (*table.participants, None)
    for seat in range(len(game.players)):
        for tile in game.rules.tile_set:
            for train in trains:
                yield Play(seat, tile, train)
                yield Play(seat, tile, train, keep_marker=True)
            yield LayEngine(seat, tile)
        yield Draw(seat)
        yield Pass(seat)
        yield EndTurn(seat)
        yield Mark(seat)
        yield Mark(seat, on=False)


def check_state(game: Game, ruled: bool = False) -> None:
    """Tiles are conserved, neighbours match (unless a ruling laid them), open doubles are where they are said to be."""
    table = game.table
    if table is None:
        return
    placed = [placed for train in table.trains for placed in train.tiles]
    on_table = [placed.tile for placed in placed] + ([table.engine] if table.engine else [])
    assert len(on_table) == len(set(on_table))
    assert set(on_table) == table.on_table
    assert not table.on_table & game.missing_tiles
    assert all(tile in game.rules.tile_set for tile in on_table)
    for number, count in enumerate(table.numbers_on_table):
        assert count == sum(tile.has(number) for tile in on_table)
    known = [tile for hand in table.hands for tile in hand.known]
    assert len(known) == len(set(known))
    assert not set(known) & (table.on_table | game.missing_tiles)
    for hand in table.hands:
        assert 0 <= len(hand.known) <= hand.count
        assert sum(lack.count for lack in hand.lacks) <= hand.unknown
    assert table.boneyard >= 0
    assert table.boneyard + len(on_table) + sum(hand.count for hand in table.hands) == game.tile_count
    for train in table.trains:
        pips = table.engine.high if table.engine else None
        for tile in train.tiles:
            assert {tile.inner, tile.outer} == {tile.tile.low, tile.tile.high}
            assert ruled or tile.inner == pips
            pips = tile.outer
    for double in table.open_doubles:
        assert table.train(double.train).tiles[-1].tile == double.tile
        assert double.tile.is_double
    assert len({double.train for double in table.open_doubles}) == len(table.open_doubles)
    assert table.seats == tuple(seat for seat in table.participants if seat in table.seats)
    if table.phase in (Phase.ENGINE, Phase.PLAYING):
        assert table.to_act in table.seats
    else:
        assert table.to_act is None


def check_moves(game: Game) -> tuple[Move, ...]:
    """`legal_moves` lists exactly the moves without a violation, and there always is one."""
    moves = legal_moves(game)
    assert len(moves) == len(set(moves))
    assert set(moves) == {move for move in all_moves(game) if not check(game, move)}
    table = game.table
    assert table is not None
    assert bool(moves) == (table.phase in (Phase.ENGINE, Phase.PLAYING))
    return moves
