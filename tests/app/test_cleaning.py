"""Deleting on purpose: photos go with the last game that mentions them."""

from pathlib import Path

import pytest

from companion.app.cleaning import delete_game, delete_photos
from companion.app.session import GameSession
from companion.errors import LogCorruptError
from companion.storage.photo_store import PhotoStore
from tests.app.helpers import counted, open_store, started


def test_photos_go_with_the_last_game_that_mentions_them_also_beside_a_damaged_game(tmp_path: Path) -> None:
    store, photos = open_store(tmp_path), PhotoStore(tmp_path / "photos")
    shared, own = photos.put(b"shared"), photos.put(b"own")
    first, second, damaged = started(store), started(store), started(store)
    first.commit(first.draft(counted(first, 0, 12), photo=shared))
    first.commit(first.draft(counted(first, 1, 7), photo=own))
    second.commit(second.draft(counted(second, 0, 12), photo=shared))
    store.append(damaged.game_id, damaged.seq, ["{"])
    with pytest.raises(LogCorruptError):
        GameSession(store, damaged.game_id)
    assert delete_game(store, photos, first) == 1
    assert photos.hashes() == {shared}
    assert delete_photos(store, photos, second) == 1
    assert photos.hashes() == frozenset()
    assert GameSession(store, second.game_id).photos() == {shared}  # the log still tells which photo it was
    store.close()
