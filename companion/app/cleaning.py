"""Deleting on purpose: a whole game, or the photos that were kept for it."""

import re

from companion.app.session import GameSession
from companion.storage.event_store import EventStore
from companion.storage.photo_store import PhotoStore

_MENTIONED = re.compile(r'"photo":"([0-9a-f]{64})"', re.ASCII)


def delete_game(store: EventStore, photos: PhotoStore, session: GameSession) -> int:
    """Delete a game for good, with the photos that no other game mentions; returns how many photos went.

    Raises LogConflictError when somebody has written to the game since it was read; then nothing is deleted.
    """
    only_here = session.photos() - _mentioned_elsewhere(store, session.game_id)
    session.delete()
    return _delete(only_here, photos)


def delete_photos(store: EventStore, photos: PhotoStore, session: GameSession) -> int:
    """Delete the photos of a game that no other game mentions; the scores read from them stay."""
    return _delete(session.photos() - _mentioned_elsewhere(store, session.game_id), photos)


def _mentioned_elsewhere(store: EventStore, game_id: str) -> frozenset[str]:
    # Looked for in the bare lines: a damaged game keeps its photos, and stops nobody from deleting others.
    others = [entry.game_id for entry in store.games() if entry.game_id != game_id]
    return frozenset(photo for other in others for line in store.read(other) for photo in _MENTIONED.findall(line))


def _delete(hashes: frozenset[str], photos: PhotoStore) -> int:
    return sum(photos.delete(name) for name in sorted(hashes))
