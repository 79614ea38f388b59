"""What the tests of `app` share: a store in a folder, a clock that ticks, a game with scores."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from companion.app.session import GameSession
from companion.rules.events import GameStarted, HandCounted, HandDealt, RoundEnded, RoundStarted
from companion.rules.house_rules import HouseRules
from companion.rules.state import EndReason
from companion.rules.tiles import Tile
from companion.storage.sqlite_store import SqliteStore


class Clock:
    """Starts on a summer evening and moves on by a second at each look."""

    def __init__(self) -> None:
        self.time = datetime(2026, 7, 30, 19, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.time += timedelta(seconds=1)
        return self.time


def open_store(folder: Path) -> SqliteStore:
    return SqliteStore(folder / "games.sqlite3")


def started(store: SqliteStore, *players: str) -> GameSession:
    """A game at the end of its first round, without a score."""
    names = players or ("Zoé", "Иван", "Bob")
    session = GameSession.create(store, [GameStarted(HouseRules(), names)], clock=Clock())
    deal = [HandDealt(seat, 15) for seat in range(len(names))]
    session.commit(session.draft(RoundStarted(1, Tile(12, 12), 0), *deal))
    session.commit(session.draft(RoundEnded(1, EndReason.CALLED)))
    return session


def counted(session: GameSession, seat: int, points: int) -> HandCounted:
    current = session.game.round
    assert current is not None
    return HandCounted(current.number, seat, points)
