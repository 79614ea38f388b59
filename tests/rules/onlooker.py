"""Is everything true that somebody claims who does not see the hands?"""

from collections.abc import Sequence

from companion.app.simulation import as_onlooker
from companion.rules.events import Event
from companion.rules.fold import apply
from companion.rules.inference import Must, holding, outlook, provably_able, provably_blocked
from companion.rules.legality import check, known_playable, legal_moves
from companion.rules.moves import Draw, EndTurn, LayEngine, Pass, Play
from companion.rules.state import Game


def check_claims(seen: Game, truth: Game) -> int:
    """Compare what follows for an onlooker with what is so; returns how many claims were more than 'unknown'."""
    table, real = seen.table, truth.table
    if table is None or real is None:
        return 0
    claims = 0
    for seat in real.seats:
        claim, tiles = holding(seen, seat), real.hands[seat].known
        assert claim.count == len(tiles)
        assert claim.known <= tiles
        assert tiles - claim.known <= claim.possible
        shown = table.hands[seat].known
        assert not any(tile.has(number) for tile in tiles - shown for number in claim.lacking)
        claims += bool(claim.lacking)
    said = outlook(seen)
    if said is not None:
        moves = legal_moves(truth)
        kinds = {type(move) for move in moves}
        assert set(said.tiles) <= real.hands[said.seat].known or said.must is Must.LAY_ENGINE
        expected = {
            Must.PLAY: Play, Must.DRAW: Draw, Must.PASS: Pass, Must.STOP_OR_PLAY: EndTurn, Must.LAY_ENGINE: LayEngine,
        }.get(said.must)  # fmt: skip
        assert expected is None or expected in kinds
        assert said.must not in (Must.DRAW, Must.PASS) or Play not in kinds
        claims += said.must is not Must.UNKNOWN
        # what the referee allows, the onlooker allows too
        for move in moves:
            assert not check(seen, move), move
    if provably_blocked(seen):
        assert not any(known_playable(truth, real, seat) for seat in real.seats)
        claims += 1
    for seat in provably_able(seen):
        assert known_playable(truth, real, seat)
    return claims


def follow(events: Sequence[Event], knows: Sequence[int] = ()) -> int:
    """Follow a whole log as an onlooker who knows some hands; returns how much could be claimed."""
    truth = seen = Game()
    claims = 0
    for event, hidden in zip(events, as_onlooker(events, knows), strict=True):
        truth, seen = apply(truth, event), apply(seen, hidden)
        claims += check_claims(seen, truth)
    assert [train.tiles for train in seen.table.trains] == [train.tiles for train in truth.table.trains]
    return claims
