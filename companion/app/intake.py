"""From what somebody typed or photographed to a draft for the session.

Nothing here records anything. A draft made from a photo carries the doubts about it; somebody confirms them, or
corrects the tiles, before `GameSession.commit` takes it.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from companion.app.session import Draft, DraftDoubt, GameSession
from companion.errors import IllegalMoveError, UsageError
from companion.rules.counting import correct_score, count_hand
from companion.rules.events import Event
from companion.rules.fold import apply_all, decide
from companion.rules.moves import Move
from companion.rules.scoring import score_for
from companion.rules.seating import start_round
from companion.rules.state import Game
from companion.rules.tiles import Tile

if TYPE_CHECKING:  # vision brings numpy along, which a typed score can do without
    from companion.vision.readings import HandReading


def propose_move(session: GameSession, move: Move, ruling: str | None = None) -> Draft:
    """A move; `ruling` is why the table insists. Raises IllegalMoveError with every violation."""
    return session.draft(*decide(session.game, move, ruling))


def propose_total(
    session: GameSession, seat: int, points: int, number: int | None = None, why: str | None = None
) -> Draft:
    """A score said as a number, of round `number` (None: the current one, or the next if all are counted).

    Raises IllegalMoveError for a number that is unusual, until `why` gives a reason.
    """
    return session.draft(*_counted(session.game, seat, points, None, number, why))


def propose_tiles(
    session: GameSession,
    seat: int,
    tiles: Sequence[Tile],
    number: int | None = None,
    why: str | None = None,
    photo: str | None = None,
) -> Draft:
    """A score by the tiles that are left, typed or corrected by a person. Raises IllegalMoveError."""
    return session.draft(*_counted(session.game, seat, None, tiles, number, why), photo=photo)


def propose_count(
    session: GameSession,
    seat: int,
    reading: "HandReading",
    photo: str,
    number: int | None = None,
    why: str | None = None,
) -> Draft:
    """A score by the tiles that were read from a photo (`photo`: its sha256).

    The draft carries every doubt. Tiles that cannot be are told in `violations`; then there are no events yet, and
    the tiles must be corrected: `propose_tiles`.
    """
    doubts = _doubts(reading)
    try:
        events = _counted(session.game, seat, None, reading.values, number, why)
    except IllegalMoveError as error:
        return Draft(session.game_id, session.seq, (), doubts, photo, tuple(error.violations))
    return session.draft(*events, doubts=doubts, photo=photo)


def propose_correction(
    session: GameSession, seat: int, score: int | Sequence[Tile], why: str, number: int | None = None
) -> Draft:
    """Another score than was agreed, as a number or by the tiles, with the reason. Raises IllegalMoveError."""
    number = number or len(session.game.rounds)
    if not isinstance(score, int):
        current = next((each for each in session.game.rounds if each.number == number), None)
        score = 0 if current is None else score_for(session.game, current, seat, score)
    return session.draft(*correct_score(session.game, number, seat, score, why))


def is_counted(game: Game, seat: int, number: int | None = None) -> bool:
    """Does the seat have a score in a round (None: the current one) that only a correction can change?"""
    current = next((r for r in game.rounds if r.number == number), None) if number else game.round
    if current is None or (number is None and not current.missing):
        return False
    return current.score(seat) is not None


def taken_tiles(game: Game, seat: int) -> frozenset[Tile]:
    """Tiles that cannot be in the hand of `seat`: lost, on the table, or counted for somebody else."""
    current = game.round
    if current is None or (current.finished and not current.missing):
        return game.missing_tiles
    counted = (score.tiles or () for other, score in enumerate(current.scores) if score and other != seat)
    return game.missing_tiles | current.table.on_table | frozenset(tile for tiles in counted for tile in tiles)


def fixed_tiles(read: Iterable[Tile], fixes: Iterable[tuple[Tile | None, Tile | None]]) -> tuple[Tile, ...]:
    """The tiles of a reading with corrections (was, is): another value, None for 'not there'.

    Raises UsageError for a correction of a tile that was not read.
    """
    tiles = list(read)
    for was, right in fixes:
        if was is not None:
            if was not in tiles:
                raise UsageError("fix_not_read", tile=was)
            tiles.remove(was)
        if right is not None:
            tiles.append(right)
    return tuple(tiles)


def _counted(
    game: Game, seat: int, points: int | None, tiles: Sequence[Tile] | None, number: int | None, why: str | None
) -> tuple[Event, ...]:
    """The count, after the start of the next round where one is due."""
    opening: tuple[Event, ...] = ()
    if number is None and (game.round is None or (game.round.finished and not game.round.missing)):
        opening = start_round(game)
        game = apply_all(game, opening)
    return (*opening, *count_hand(game, seat, points, tiles, number, why))


def _doubts(reading: "HandReading") -> tuple[DraftDoubt, ...]:
    """Every doubt of a reading: about tiles in their order, then about the photo."""
    from companion.vision.readings import Doubt

    by_tile = [DraftDoubt(doubt, tile.tile) for tile in reading.tiles for doubt in sorted(tile.doubts)]
    photo = set(reading.doubts)
    if reading.face_down:
        photo.add(Doubt.FACE_DOWN_NEARBY)
    if reading.unreadable:
        photo.add(Doubt.UNREADABLE)
    return (*by_tile, *(DraftDoubt(doubt) for doubt in sorted(photo)))
