"""States of the log that a look may speak for instead of the present one: a tile taken back, or misread earlier.

Nothing is erased: what did not happen is retracted, and what came after it is recorded again (R-RULING-3).
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import StrEnum

from companion.app.following import Place
from companion.app.session import GameSession
from companion.rules.events import (
    Event,
    HandSeen,
    Retracted,
    RoundEnded,
    RoundStarted,
    Ruling,
    TileDrawn,
    TilePlayed,
    TurnEnded,
    TurnPassed,
)
from companion.rules.fold import apply_all, replay
from companion.rules.history import effective, effective_seqs
from companion.rules.legality import check
from companion.rules.moves import Draw, Move, Pass, Play
from companion.rules.state import EndReason, Game, Phase
from companion.rules.tiles import Tile
from companion.rules.turn import TrainKey

_UNSEEN = (TileDrawn, TurnPassed, TurnEnded)


class Change(StrEnum):
    """What is thought to be wrong with the log."""

    NONE = "none"
    """Nothing: the table went on from it."""
    TAKEN_BACK = "taken_back"
    """The last tile was taken back."""
    MISREAD = "misread"
    """A tile is another one than was recorded."""
    OTHERWISE = "otherwise"
    """Somebody else laid the last tile, or other draws and passes came before it."""
    NOT_PASSED = "not_passed"
    """The last pass was none: the player, who may have drawn, has played."""
    GOES_ON = "goes_on"
    """The round is not over: the player still had a tile."""


@dataclass(frozen=True, slots=True, eq=False)
class Base:
    """A state that new tiles may be explained from."""

    game: Game
    events: tuple[Event, ...] = ()
    """What must be recorded to get there."""
    change: Change = Change.NONE
    tile: Tile | None = None
    """The tile that was taken back, or was misread."""
    right: Tile | None = None
    """What the misread tile is."""
    cost: float = 0.0
    """What speaks against it from the outset."""
    asks: bool = False
    """Must the table be asked, however likely it is?"""


def last_play(session: GameSession) -> tuple[TilePlayed, tuple[int, ...]] | None:
    """The tile that was laid last, and the lines that recorded it, with the draws and passes that led to it.

    None where something other than moves came after it.
    """
    alive = effective_seqs(session.events)
    records = [record for entry in session.entries() for record in entry.records]
    seqs: list[int] = []
    found: TilePlayed | None = None
    at = ""
    for seq in reversed(alive):
        event = session.events[seq - 1]
        if found is None:
            if isinstance(event, TilePlayed):
                found, at = event, records[seq - 1].at
            elif not isinstance(event, (*_UNSEEN, RoundEnded)):
                return None
        elif not isinstance(event, _UNSEEN) or records[seq - 1].at != at:
            break
        seqs.append(seq)
    return None if found is None else (found, tuple(reversed(seqs)))


def taken_back(session: GameSession, missed: Collection[Tile | None]) -> Base | None:
    """The game without the tile that was laid last; None where that is none of those that are `missed`."""
    newest = next((event for event in reversed(effective(session.events)) if isinstance(event, TilePlayed)), None)
    last = last_play(session) if newest is not None and newest.tile in missed else None
    if last is None:
        return None
    play, seqs = last
    return _without(session, seqs, Change.TAKEN_BACK, play.tile, asks=play.ruling is not None)


def otherwise(session: GameSession) -> tuple[Base, TilePlayed] | None:
    """The game without the tile that was laid last, and that play: the tile lies there, and is to be explained anew.

    None where the table insisted on it, or where something other than moves came after it.
    """
    last = last_play(session)
    if last is None or last[0].ruling is not None:
        return None
    play, seqs = last
    return _without(session, seqs, Change.OTHERWISE, play.tile, asks=True), play


def not_passed(session: GameSession) -> Base | None:
    """The game without the pass that was recorded last; None where something else was, or the table insisted on it.

    What looks like a marker, or a tile that was drawn and is laid only now, can have been taken for a pass.
    """
    last = effective_seqs(session.events)[-1]
    event = session.events[last - 1]
    if not isinstance(event, TurnPassed) or event.ruling is not None:
        return None
    return _without(session, (last,), Change.NOT_PASSED, asks=True)


def _without(
    session: GameSession, seqs: tuple[int, ...], change: Change, tile: Tile | None = None, *, asks: bool
) -> Base:
    """The game without some lines; `tile`: the one that they laid."""
    retracted = Retracted(seqs)
    game = replay((*session.events, retracted))
    return Base(game, (retracted,), change, tile, cost=1.0, asks=asks)


def played_at(game: Game, place: Place) -> Tile | None:
    """The tile of the log at a place."""
    table = game.table
    tiles = table.train(place[0]).tiles if table is not None else ()
    return tiles[place[1]].tile if place[1] < len(tiles) else None


def misread(session: GameSession, place: Place, inner: int, outer: int) -> Base | None:
    """The game with another tile at a place: the play is recorded again as it was, and what came after it too.

    None where that cannot be: the tile lies elsewhere, does not fit the tiles beside it, or no play of this round
    recorded the place.
    """
    key, index = place
    table, game = session.game.table, session.game
    right = Tile(inner, outer)
    wrong = played_at(game, place)
    if table is None or wrong is None or right in table.on_table or right not in game.rules.tile_set:
        return None
    tiles = table.train(key).tiles
    before = tiles[index - 1].outer if index else (table.engine.high if table.engine is not None else None)
    if inner != before or (index + 1 < len(tiles) and tiles[index + 1].inner not in (outer, tiles[index].outer)):
        return None
    alive = effective_seqs(session.events)
    found = _play_of(session, alive, wrong, key)
    if found is None:
        return None
    later = tuple(seq for seq in alive if seq >= found)
    events = tuple(session.events[seq - 1] for seq in later)
    play = events[0]
    assert isinstance(play, TilePlayed)
    again = (replace(play, tile=right, outer=outer), *events[1:])
    retracted = Retracted(later)
    lawful = _by_the_rules(replay((*session.events, retracted)), again)
    if lawful is None:
        return None
    return Base(lawful, (retracted, *again), Change.MISREAD, wrong, right, cost=1.0)


def _by_the_rules(game: Game, events: Collection[Event]) -> Game | None:
    """The game after these events; None where a move among them is now against the rules and no ruling says so."""
    for event in events:
        move: Move | None = None
        match event:
            case TilePlayed(ruling=None):
                move = Play(event.seat, event.tile, event.train, event.outer, event.keep_marker)
            case TileDrawn(ruling=None):
                move = Draw(event.seat, event.tile)
            case TurnPassed(ruling=None):
                move = Pass(event.seat)
        if move is not None and check(game, move):
            return None
        game = apply_all(game, (event,))
    return game


def _play_of(session: GameSession, alive: tuple[int, ...], tile: Tile, key: TrainKey) -> int | None:
    """The line that recorded a tile in this round."""
    for seq in reversed(alive):
        event = session.events[seq - 1]
        if isinstance(event, RoundStarted):
            return None
        if isinstance(event, TilePlayed) and event.tile == tile and event.train == key:
            return seq
    return None


def goes_on(session: GameSession) -> Base | None:
    """The game as if who seemed to have gone out still had a tile; None where the round did not end so, or is counted.

    The log counts too few tiles when draws were not seen (R-RULING-2).
    """
    current = session.game.round
    if current is None or current.ended is not EndReason.OUT or any(current.scores) or current.went_out is None:
        return None
    alive = effective_seqs(session.events)
    if len(alive) < 2 or not isinstance(session.events[alive[-1] - 1], RoundEnded):
        return None
    last = session.events[alive[-2] - 1]
    if isinstance(last, TilePlayed) and last.seat == current.went_out:
        # counted before it was laid: who still has a tile must follow a double
        retracted = Retracted(alive[-2:])
        seat, count, after = last.seat, 2, last
    else:
        retracted = Retracted((alive[-1],))
        seat, count, after = current.went_out, 1, None
    before = replay((*session.events, retracted))
    seen = counted_anew(before, seat, count)
    if not seen:
        return None
    again: tuple[Event, ...] = seen if after is None else (*seen, after)
    game = apply_all(before, again)
    if game.table is None or game.table.phase is not Phase.PLAYING:
        return None
    return Base(game, (retracted, *again), Change.GOES_ON, cost=1.0, asks=True)


def counted_anew(game: Game, seat: int, count: int, ruling: Ruling | None = None) -> tuple[Event, ...]:
    """A hand has so many tiles. Where the boneyard has too few for it, the log gave them to others: the fullest hands.

    Empty where no other hand can have had them.
    """
    table = game.table
    assert table is not None
    others = {other: table.hands[other].count for other in table.participants if other != seat}
    short = count - table.hands[seat].count - table.boneyard
    for _ in range(short):
        fullest = max(others, key=lambda other: (others[other], -other))
        if others[fullest] <= max(1, len(table.hands[fullest].known)):
            return ()
        others[fullest] -= 1
    seen = [HandSeen(other, (), left, ruling) for other, left in others.items() if left != table.hands[other].count]
    return (*seen, HandSeen(seat, (), count, ruling))
