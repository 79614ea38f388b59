import cv2
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.rules.tiles import Tile
from companion.vision.merge import Merged, Sight, merge, merge_hands, together
from companion.vision.readings import Doubt, HandReading, TileBox
from tests.hands import box, hand, tile

LOW, CUT, TWICE = Doubt.LOW_CONFIDENCE, Doubt.CUT_OFF, Doubt.DUPLICATE

TABLE = ["0-5", "1-6", "2-7", "3-12", "4-9", "5-11"]
CAMERA = np.array([[0.9, 0.2, 40], [-0.25, 0.8, 300], [2e-4, 1e-4, 1]])
"""Where the second photo sees what the first one sees."""


def places(count: int) -> list[TileBox]:
    return [box(50 + 110 * (n % 4), 60 + 190 * (n // 4)) for n in range(count)]


def seen_by(camera: np.ndarray, where: TileBox) -> TileBox:
    corners = cv2.perspectiveTransform(where.corners[None].astype(np.float64), camera)[0]
    return TileBox(corners.astype(np.float32), 0.9)


def photo(names: dict[int, str], camera: np.ndarray | None = None, shift: float = 0.0) -> HandReading:
    """Tiles by their place on the table; `3-12?` is hard to read."""
    boxes = places(12)
    tiles = []
    for n, name in names.items():
        where = boxes[n] if camera is None else seen_by(camera, boxes[n])
        tiles.append(
            tile(name.rstrip("?"), TileBox(where.corners + np.float32(shift), 0.9), *([LOW] if "?" in name else []))
        )
    return HandReading(tuple(tiles))


def values(*readings: HandReading) -> list[str]:
    return sorted(str(t.tile) + "?" * bool(t.doubts) for t in together(merge_hands(readings)).tiles)


def test_a_tile_that_is_seen_twice_counts_once() -> None:
    one, two = photo(dict(enumerate(TABLE))), photo(dict(enumerate(TABLE)), CAMERA)
    assert values(one, two) == sorted(TABLE)
    assert values(one, two, one) == sorted(TABLE)
    assert values(one) == sorted(TABLE)


def test_photos_of_two_parts_of_a_hand_are_put_together() -> None:
    left, right = photo({0: "0-5", 1: "1-6", 2: "2-7?"}), photo({3: "3-12", 4: "4-9"})
    assert values(left, right) == ["0-5", "1-6", "2-7?", "3-12", "4-9"]


def test_tiles_that_were_moved_are_known_again_by_their_value() -> None:
    one, two = hand("0-5", "1-6?", "2-7"), hand("2-7", "0-5", "1-6")
    assert values(one, two) == ["0-5", "1-6", "2-7"]


def test_the_surer_view_settles_a_doubtful_one_also_where_it_was_read_otherwise() -> None:
    names = dict(enumerate(TABLE))
    doubtful = photo(names | {3: "3-11?"})
    assert values(doubtful, photo(names, CAMERA)) == sorted(TABLE)
    assert values(photo(names, CAMERA), doubtful) == sorted(TABLE)


def test_two_clear_views_that_differ_are_a_doubt() -> None:
    names = dict(enumerate(TABLE))
    merged = values(photo(names | {3: "3-11"}), photo(names, CAMERA))
    assert merged in (sorted([*TABLE[:3], "3-11?", *TABLE[4:]]), sorted([*TABLE[:3], "3-12?", *TABLE[4:]]))


def test_a_doubtful_tile_that_the_other_photo_does_not_show_keeps_its_doubt() -> None:
    names = dict(enumerate(TABLE))
    assert values(photo(names | {7: "6-6?"}), photo(names, CAMERA)) == sorted([*TABLE, "6-6?"])
    assert values(hand("0-5", "6-6?"), hand("0-5")) == ["0-5", "6-6?"]


def test_a_tile_twice_in_one_photo_stays_twice_until_another_photo_tells_better() -> None:
    same = HandReading((tile("3-11", box(10, 10), TWICE), tile("3-11", box(200, 10), TWICE)))
    assert values(same, hand("0-5")) == ["0-5", "3-11?", "3-11?"]
    names = dict(enumerate(TABLE))
    wrong = photo(names | {6: "3-12"})
    wrong = HandReading(
        tuple(tile(str(t.tile), t.box, *([TWICE] if t.tile == Tile(3, 12) else [])) for t in wrong.tiles)
    )
    right = photo(names | {6: "3-10"}, CAMERA)
    assert values(wrong, right) == sorted([*TABLE, "3-10"])


def test_one_value_at_two_places_in_two_photos_counts_once_and_is_a_doubt() -> None:
    names = dict(enumerate(TABLE))
    one, two = photo(names | {6: "8-8"}), photo(names | {7: "8-8"}, CAMERA)
    assert values(one, two) == sorted([*TABLE, "8-8?"])


def test_each_tile_stays_with_the_photo_that_shows_it_best() -> None:
    names = dict(enumerate(TABLE))
    one, two = merge_hands([photo(names | {3: "3-12?"}), photo(names, CAMERA)])
    assert Tile(3, 12) not in one.values
    assert Tile(3, 12) in two.values
    (kept,) = (t for t in two.tiles if t.tile == Tile(3, 12))
    assert np.allclose(kept.box.corners, seen_by(CAMERA, places(12)[3]).corners)


def test_a_place_that_another_photo_could_read_is_settled() -> None:
    names = dict(enumerate(TABLE[:5]))
    read = photo(dict(enumerate(TABLE)), CAMERA)
    unread = HandReading(photo(names).tiles, (), (places(12)[5], places(12)[8]), frozenset({Doubt.UNREADABLE}))
    first, _ = merge_hands([unread, read])
    assert [b.corners.tolist() for b in first.unreadable] == [places(12)[8].corners.tolist()]
    assert first.doubts == {Doubt.UNREADABLE}
    settled, _ = merge_hands([HandReading(unread.tiles, (), unread.unreadable[:1], unread.doubts), read])
    assert settled.unreadable == ()
    assert not settled.is_doubtful


def test_a_back_is_told_once() -> None:
    names = dict(enumerate(TABLE))
    one = HandReading(photo(names).tiles, (places(12)[8],))
    two = HandReading(photo(names, CAMERA).tiles, (seen_by(CAMERA, places(12)[8]), seen_by(CAMERA, places(12)[9])))
    assert len(together(merge_hands([one, two])).face_down) == 2
    assert len(together(merge_hands([one, hand("0-5")])).face_down) == 1


def test_tiles_entered_by_hand_have_no_place() -> None:
    by_hand = [Sight(Tile(0, 5), 1.0), Sight(Tile(9, 9), 1.0)]
    in_photo = [Sight(Tile(0, 5), 0.9, frozenset({LOW}), places(1)[0].corners.astype(np.float64))]
    once, alone = merge([by_hand, in_photo])
    assert once == Merged(((0, 0), (1, 0)), frozenset())
    assert alone == Merged(((0, 1),), frozenset())


tiles_of_a_set = st.tuples(st.integers(0, 6), st.integers(0, 6)).map(lambda t: Tile(*t))
sights = st.builds(
    Sight, tiles_of_a_set, st.floats(0.1, 1.0), st.frozensets(st.sampled_from([LOW, CUT])),
)  # fmt: skip


@settings(deadline=None, max_examples=60)
@given(st.lists(st.lists(sights, max_size=5, unique_by=lambda s: s.tile), min_size=1, max_size=4))
def test_by_value_every_tile_that_was_seen_is_there_once(photos: list[list[Sight]]) -> None:
    merged = merge(photos)
    shown = sorted(place for tile in merged for place in tile.sights)
    assert shown == [(i, k) for i, photo in enumerate(photos) for k in range(len(photo))], (
        "every sight belongs to one tile"
    )
    values = [{photos[i][k].tile for i, k in tile.sights} for tile in merged]
    assert all(len(value) == 1 for value in values)
    assert len(values) == len({sight.tile for photo in photos for sight in photo})
    for one in merged:
        assert bool(one.doubts) == all(photos[i][k].doubts for i, k in one.sights)
