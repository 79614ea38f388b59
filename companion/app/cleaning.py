"""Deleting on purpose: a whole game, or the photos that were kept for it."""

from companion.app.session import GameSession
from companion.storage.event_store import EventStore
from companion.storage.photo_store import PhotoStore


def delete_game(store: EventStore, photos: PhotoStore, session: GameSession) -> int:
    """Delete a game for good, with the photos that no other game mentions; returns how many photos went.

    Raises LogConflictError when somebody has written to the game since it was read; then nothing is deleted.
    """
    mentioned = session.photos()
    session.delete()
    return _delete(mentioned - _mentioned_elsewhere(store, session.game_id), photos)


def delete_photos(store: EventStore, photos: PhotoStore, session: GameSession) -> int:
    """Delete the photos of a game that no other game mentions; the scores read from them stay."""
    return _delete(session.photos() - _mentioned_elsewhere(store, session.game_id), photos)


def _mentioned_elsewhere(store: EventStore, game_id: str) -> frozenset[str]:
    others = [entry.game_id for entry in store.games() if entry.game_id != game_id]
    return frozenset(photo for other in others for photo in GameSession(store, other).photos())


def _delete(hashes: frozenset[str], photos: PhotoStore) -> int:
    return sum(photos.delete(name) for name in sorted(hashes))
