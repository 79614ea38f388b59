"""Chains on tables that are laid by hand here, tile by tile, each way in which people lay them."""

from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.rules.tiles import Tile, TileSet
from companion.vision.layout import read_layout
from companion.vision.readings import Doubt, HalfReading, KnownChain, TableReading, TileBox, TileReading

TWELVE = TileSet(12)
ENGINE = Tile(12, 12)
PX = 40.0
EAST, SOUTH, WEST, NORTH = 0.0, 90.0, 180.0, 270.0
"""Directions in a photo: x to the right, y down."""


@dataclass(frozen=True)
class Put:
    """A tile on the table: where its middle lies, in tile widths, and where its second number points (degrees)."""

    a: int
    b: int
    x: float
    y: float
    towards: float
    sure: tuple[float, float] = (0.99, 0.99)
    second: tuple[int | None, int | None] = (None, None)

    def corners(self) -> np.ndarray:
        turn = np.radians(self.towards)
        along, across = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
        middle = np.array([self.x, self.y])
        # clockwise as seen where y points down, half A first
        return np.array(
            [middle - along + s * across * 0.5 for s in (1, -1)] + [middle + along + s * across * 0.5 for s in (-1, 1)]
        )

    def read(self, scale: float = PX, turn: float = 0.0, shift: tuple[float, float] = (600.0, 500.0)) -> TileReading:
        c, s = np.cos(turn), np.sin(turn)
        corners = (self.corners() @ np.array([[c, s], [-s, c]]) * scale + shift).astype(np.float32)
        halves = [
            HalfReading(pips, sure, (pips + 1) % 13 if second is None else second)
            for pips, sure, second in zip((self.a, self.b), self.sure, self.second, strict=True)
        ]
        return TileReading(
            Tile(self.a, self.b), self.sure[0] * self.sure[1], TileBox(corners, 0.9), (halves[0], halves[1])
        )


CENTRE = Put(12, 12, 0, 0, NORTH)
STRAIGHT = (Put(12, 5, 1.6, 0, EAST), Put(5, 3, 3.65, 0, EAST), Put(3, 8, 5.7, 0.05, EAST + 3))


def look(*puts: Put, engine: Tile | None = ENGINE, before: tuple[KnownChain, ...] = (), **how: object) -> TableReading:
    return read_layout([put.read() for put in puts], TWELVE, engine, before, **how)  # type: ignore[arg-type]


def values(reading: TableReading) -> list[tuple[tuple[int, int], ...]]:
    return [chain.values for chain in reading.chains]


def test_a_straight_train_is_read_from_the_engine_outwards_without_a_doubt() -> None:
    table = look(*STRAIGHT[::-1], CENTRE)
    assert values(table) == [((12, 5), (5, 3), (3, 8))]
    assert table.engine is not None
    assert table.engine.tile == ENGINE
    (chain,) = table.chains
    assert chain.attached
    assert chain.start == pytest.approx((600 + 0.6 * PX, 500), abs=0.01)
    assert chain.heading == pytest.approx(0)
    assert not table.is_doubtful
    assert table.loose == ()


def test_a_half_knows_its_side_whichever_way_round_its_box_is() -> None:
    turned = [Put(p.b, p.a, p.x, p.y, p.towards + 180) for p in STRAIGHT]
    assert values(look(CENTRE, *turned)) == values(look(CENTRE, *STRAIGHT))


def test_chains_are_told_clockwise_by_their_heading() -> None:
    around = [
        Put(12, n, 1.6 * np.cos(t), 1.6 * np.sin(t), float(np.degrees(t))) for n, t in enumerate((2.5, -0.9, 0.8))
    ]
    table = look(CENTRE, *around)
    assert values(table) == [((12, 1),), ((12, 2),), ((12, 0),)]
    assert [chain.heading for chain in table.chains] == pytest.approx([-0.9, 0.8, 2.5], abs=1e-6)


def test_a_train_that_begins_with_another_number_is_seen() -> None:
    wrong = Put(4, 6, 1.6, 0, EAST)
    across = Put(4, 4, 1.05, 0, NORTH)
    for row in ([wrong], [wrong, Put(6, 9, 3.65, 0, EAST)], [across], [across, Put(4, 9, 2.6, 0, EAST)]):
        (chain,) = look(CENTRE, *row).chains
        assert chain.values == tuple((put.a, put.b) for put in row)
        assert chain.attached
        assert Doubt.NUMBERS_DIFFER in chain.doubts
    aside = look(CENTRE, Put(4, 6, 1.6, 2.5, EAST))
    assert not aside.chains


def test_doubles_lie_across_and_the_train_goes_on_at_their_far_edge() -> None:
    table = look(
        CENTRE, Put(12, 5, 1.6, 0, EAST), Put(5, 5, 3.15, 0, NORTH), Put(5, 8, 4.7, 0, EAST), Put(8, 8, 6.25, 0, SOUTH)
    )
    assert values(table) == [((12, 5), (5, 5), (5, 8), (8, 8))]
    assert not table.is_doubtful


def test_doubles_may_lie_lengthwise() -> None:
    table = look(CENTRE, Put(12, 5, 1.6, 0, EAST), Put(5, 5, 3.65, 0, EAST), Put(5, 8, 5.7, 0, EAST))
    assert values(table) == [((12, 5), (5, 5), (5, 8))]


@pytest.mark.parametrize("way", [1, -1])
def test_a_train_bends_where_a_tile_lies_at_the_side_of_the_outer_half(way: int) -> None:
    table = look(
        CENTRE, Put(12, 5, 1.6, 0, EAST), Put(5, 8, 2.1, 1.55 * way, way * SOUTH), Put(8, 1, 2.1, 3.6 * way, way * 90)
    )
    assert values(table) == [((12, 5), (5, 8), (8, 1))]
    assert not table.is_doubtful


@pytest.mark.parametrize("way", [1, -1])
def test_a_train_bends_where_a_tile_lies_with_its_side_before_the_end(way: int) -> None:
    table = look(
        CENTRE, Put(12, 5, 1.6, 0, EAST), Put(5, 8, 3.15, 0.5 * way, way * 90), Put(8, 1, 3.15, 2.55 * way, way * 90)
    )
    assert values(table) == [((12, 5), (5, 8), (8, 1))]


def test_a_train_leaves_a_double_at_its_short_edge_where_the_table_ends() -> None:
    table = look(CENTRE, Put(12, 5, 1.6, 0, EAST), Put(5, 5, 3.15, 0, NORTH), Put(5, 8, 3.15, 2.05, SOUTH))
    assert values(table) == [((12, 5), (5, 5), (5, 8))]


def test_a_train_turns_back_by_two_bends() -> None:
    table = look(
        CENTRE,
        Put(12, 5, 1.6, 0, EAST),
        Put(5, 8, 3.65, 0, EAST),
        Put(8, 2, 4.15, 1.55, SOUTH),
        Put(2, 9, 2.6, 2.05, WEST),
        Put(9, 1, 0.55, 2.05, WEST),
    )
    assert values(table) == [((12, 5), (5, 8), (8, 2), (2, 9), (9, 1))]


def test_a_train_turns_back_beside_itself() -> None:
    table = look(
        CENTRE,
        Put(12, 5, 1.6, 0, EAST),
        Put(5, 8, 3.65, 0, EAST),
        Put(8, 2, 3.65, 1.05, WEST),
        Put(2, 9, 1.6, 1.1, WEST),
    )
    assert values(table) == [((12, 5), (5, 8), (8, 2), (2, 9))]


def test_gaps_of_four_tenths_and_turns_of_fifteen_degrees_do_not_break_a_train() -> None:
    table = look(CENTRE, Put(12, 5, 1.9, 0, EAST + 14), Put(5, 3, 4.25, 0.25, EAST - 1), Put(3, 8, 6.6, 0.3, EAST + 13))
    assert values(table) == [((12, 5), (5, 3), (3, 8))]


def test_a_bend_beside_another_train_is_told_by_the_numbers() -> None:
    """The first train's tail points at the side of the second one's tail, as near as its own continuation would."""
    second = (Put(12, 7, 0.4, 2.1, SOUTH), Put(7, 4, 0.4, 4.15, SOUTH))
    first = (
        Put(12, 5, 1.9, 0.2, EAST),
        Put(5, 9, 2.4, 1.75, SOUTH),
        Put(9, 6, 2.4, 3.8, SOUTH),
        Put(6, 2, 1.9, 5.4, WEST),
    )
    table = look(CENTRE, *second, *first)
    assert set(values(table)) == {((12, 7), (7, 4)), ((12, 5), (5, 9), (9, 6), (6, 2))}


def test_two_trains_side_by_side_stay_two() -> None:
    rows = [(Put(12, a, 2.2, y, EAST + t), Put(a, b, 4.25, y, EAST), Put(b, c, 6.3, y, EAST)) for a, b, c, y, t in
            ((5, 3, 8, -0.52, -10), (7, 3, 1, 0.52, 10))]  # fmt: skip
    assert set(values(look(CENTRE, *rows[0], *rows[1]))) == {((12, 5), (5, 3), (3, 8)), ((12, 7), (7, 3), (3, 1))}


def test_tails_that_meet_do_not_join_two_trains() -> None:
    left = (Put(12, 5, 1.6, 0, EAST), Put(5, 3, 3.65, 0, EAST))
    right = (
        Put(12, 4, 0, 2.1, SOUTH),
        Put(4, 6, 0.5, 3.65, EAST),
        Put(6, 3, 2.55, 3.65, EAST),
        Put(3, 1, 4.1, 3.15, NORTH),
    )
    assert set(values(look(CENTRE, *left, *right, Put(1, 3, 4.1, 1.05, NORTH)))) == {
        ((12, 5), (5, 3)),
        ((12, 4), (4, 6), (6, 3), (3, 1), (1, 3)),
    }


def test_a_tile_that_does_not_match_stays_in_its_train_with_a_doubt() -> None:
    table = look(CENTRE, Put(12, 5, 1.6, 0, EAST, (0.999, 0.999)), Put(6, 3, 3.6, 0, EAST, (0.999, 0.999), (9, 9)))
    assert values(table) == [((12, 5), (6, 3))]
    assert Doubt.NUMBERS_DIFFER in table.chains[0].doubts
    assert Doubt.NUMBERS_DIFFER in table.chains[0].tiles[1].reading.doubts
    assert Doubt.CORRECTED not in table.chains[0].tiles[1].reading.doubts


def test_a_doubtful_half_is_corrected_by_the_half_that_it_touches() -> None:
    table = look(CENTRE, STRAIGHT[0], replace(STRAIGHT[1], a=6, sure=(0.6, 0.99), second=(5, None)), STRAIGHT[2])
    assert values(table) == [((12, 5), (5, 3), (3, 8))]
    changed = table.chains[0].tiles[1].reading
    assert changed.tile == Tile(3, 5)
    assert changed.halves[0].pips == 5
    assert Doubt.CORRECTED in changed.doubts
    assert Doubt.CORRECTED not in table.chains[0].tiles[0].reading.doubts


def test_a_double_that_was_misread_is_known_by_lying_across() -> None:
    misread = Put(5, 6, 3.15, 0, NORTH, (0.99, 0.6), (None, 5))
    table = look(CENTRE, Put(12, 5, 1.6, 0, EAST), misread, Put(5, 8, 4.7, 0, EAST))
    assert values(table) == [((12, 5), (5, 5), (5, 8))]
    assert Doubt.CORRECTED in table.chains[0].tiles[1].reading.doubts


@pytest.mark.parametrize("sure", [0.98, 0.9999])
def test_what_is_surely_no_double_does_not_lie_across(sure: float) -> None:
    """A bend whose tile lies nearly as a double would: it is the side of a half, not the middle of a double."""
    table = look(
        CENTRE,
        Put(12, 5, 1.6, 0, EAST, (sure, sure)),
        Put(5, 8, 3.15, 0.17, SOUTH, (sure, sure)),
        Put(8, 3, 3.15, 2.22, SOUTH, (sure, sure)),
    )
    assert values(table) == [((12, 5), (5, 8), (8, 3))]
    assert not any(Doubt.CORRECTED in laid.reading.doubts for laid in table.chains[0].tiles)


def test_tiles_side_by_side_that_share_no_number_there_become_no_doubles() -> None:
    hand = [Put(a, b, 1.05 * k, 8, SOUTH, (0.9999, 0.9999)) for k, (a, b) in enumerate([(8, 11), (9, 10), (10, 12)])]
    table = look(CENTRE, Put(12, 5, 1.6, 0, EAST), *hand)
    assert values(table) == [((12, 5),)]
    assert [tile.tile for tile in table.loose] == [Tile(8, 11), Tile(9, 10), Tile(10, 12)]


@pytest.mark.parametrize("tile", [Put(0, 12, 2.1, 0, EAST), Put(0, 12, 1.05, 0, SOUTH)])
def test_a_train_does_not_begin_with_an_end_that_looks_away_from_the_engine(tile: Put) -> None:
    assert (12, 0) not in [chain.values[0] for chain in look(CENTRE, tile).chains]


def test_no_tile_is_corrected_to_one_that_lies_elsewhere() -> None:
    doubtful = Put(6, 3, 3.65, 0, EAST, (0.55, 0.99), (5, None))
    table = look(CENTRE, STRAIGHT[0], doubtful, Put(5, 3, -8, -8, EAST))
    assert values(table) == [((12, 5), (6, 3))]
    assert Doubt.NUMBERS_DIFFER in table.chains[0].doubts


def test_the_last_state_corrects_a_tail() -> None:
    tail = replace(STRAIGHT[2], b=9, sure=(0.99, 0.7), second=(None, 8))
    known = KnownChain(((12, 5), (5, 3), (3, 8)))
    assert values(look(CENTRE, *STRAIGHT[:2], tail)) == [((12, 5), (5, 3), (3, 9))]
    table = look(CENTRE, *STRAIGHT[:2], tail, before=(known,))
    assert values(table) == [known.values]
    assert Doubt.CORRECTED in table.chains[0].tiles[2].reading.doubts


def test_a_new_tile_in_place_of_the_last_one_is_not_corrected_away() -> None:
    known = KnownChain(((12, 5), (5, 3), (3, 9)))
    table = look(CENTRE, *STRAIGHT, before=(known,))
    assert values(table) == [((12, 5), (5, 3), (3, 8))]
    assert not table.is_doubtful


def test_what_lay_in_a_train_before_is_believed_against_one_look() -> None:
    known = KnownChain(((12, 5), (5, 3), (3, 8)))
    misread = replace(STRAIGHT[1], a=7, b=7, sure=(0.97, 0.97), second=(1, 1))
    table = look(CENTRE, STRAIGHT[0], misread, STRAIGHT[2], before=(known,))
    assert values(table) == [known.values]
    assert Doubt.CORRECTED in table.chains[0].tiles[1].reading.doubts


def test_an_unreadable_place_inside_a_train_is_what_fits_there_and_a_doubt() -> None:
    table = look(CENTRE, STRAIGHT[0], STRAIGHT[2], unreadable=(STRAIGHT[1].read().box,))
    assert values(table) == [((12, 5), (5, 3), (3, 8))]
    assert Doubt.UNREADABLE in table.chains[0].tiles[1].reading.doubts
    assert table.unreadable == ()


def test_an_unreadable_tail_is_told_and_not_guessed() -> None:
    table = look(CENTRE, *STRAIGHT[:2], unreadable=(STRAIGHT[2].read().box,))
    assert values(table) == [((12, 5), (5, 3))]
    assert len(table.unreadable) == 1
    assert Doubt.UNREADABLE in table.doubts


def test_loose_tiles_far_off_are_no_doubt_and_near_a_train_they_are() -> None:
    table = look(CENTRE, *STRAIGHT, Put(1, 9, -6, 5, 40), Put(4, 6, 5.7, 1.7, EAST))
    assert values(table) == [((12, 5), (5, 3), (3, 8))]
    assert [(loose.tile, loose.doubts) for loose in table.loose] == [
        (Tile(1, 9), frozenset()),
        (Tile(4, 6), {Doubt.CHAIN_UNCERTAIN}),
    ]


def test_a_hidden_tile_leaves_the_rest_of_its_train_as_a_chain_that_is_not_attached() -> None:
    table = look(CENTRE, *STRAIGHT[:1], *STRAIGHT[2:], Put(8, 1, 7.75, 0.1, EAST))
    chains = {chain.values: chain for chain in table.chains}
    assert set(chains) == {((12, 5),), ((3, 8), (8, 1))}
    assert not chains[(3, 8), (8, 1)].attached
    assert Doubt.CHAIN_UNCERTAIN in chains[(3, 8), (8, 1)].doubts


def test_a_train_may_begin_apart_and_is_no_doubt_once_it_is_known() -> None:
    apart = (Put(12, 4, 2, 8, EAST), Put(4, 6, 4.05, 8, EAST))
    first = look(CENTRE, *STRAIGHT, *apart)
    again = look(CENTRE, *STRAIGHT, *apart, before=(KnownChain(((12, 4), (4, 6))),))
    for table in (first, again):
        assert ((12, 4), (4, 6)) in values(table)
    assert first.is_doubtful
    assert not again.is_doubtful


def test_a_grid_of_tiles_is_no_train() -> None:
    hand = [Put(n, n + 2, 8 + 1.05 * n, 6, NORTH) for n in range(5)]
    table = look(CENTRE, *STRAIGHT, *hand)
    assert values(table) == [((12, 5), (5, 3), (3, 8))]
    assert len(table.loose) == 5


def test_without_an_engine_in_view_there_are_chains_and_a_doubt() -> None:
    table = look(*STRAIGHT)
    assert table.engine is None
    assert Doubt.NO_ENGINE in table.doubts
    assert values(table) == [((12, 5), (5, 3), (3, 8))]
    assert not table.chains[0].attached


def test_a_station_stands_for_the_engine() -> None:
    table = look(*STRAIGHT, station=TileBox(replace(CENTRE).read().box.corners, 0.8))
    assert table.chains[0].attached
    assert table.chains[0].heading == pytest.approx(0)
    assert Doubt.NO_ENGINE in table.doubts
    assert table.station is not None


def test_trains_begin_up_to_three_widths_from_the_engine() -> None:
    away = [replace(put, x=put.x + 2.4) for put in STRAIGHT]
    assert look(CENTRE, *away).chains[0].attached


def test_the_engine_is_found_where_nobody_said_which_it_is() -> None:
    around = [Put(9, n, 1.6 * np.cos(n), 1.6 * np.sin(n), float(np.degrees(n))) for n in range(1, 6)]
    table = look(
        Put(9, 9, 0, 0, NORTH),
        *around,
        Put(3, 3, 3.15 * np.cos(3), 3.15 * np.sin(3), float(np.degrees(3) + 90)),
        engine=None,
    )
    assert table.engine is not None
    assert table.engine.tile == Tile(9, 9)
    assert ((9, 3), (3, 3)) in values(table)


def test_an_engine_that_was_misread_is_known_by_its_place() -> None:
    misread = Put(12, 11, 0, 0, NORTH, (0.99, 0.7), (None, 12))
    table = look(misread, *STRAIGHT, Put(12, 1, -1.6, 0, WEST))
    assert table.engine is not None
    assert table.engine.tile == ENGINE
    assert Doubt.CORRECTED in table.engine.doubts
    assert len(table.chains) == 2


def test_an_empty_photo_is_a_reading_without_an_engine() -> None:
    table = look()
    assert table.chains == ()
    assert table.doubts == {Doubt.NO_ENGINE}


def test_an_engine_alone() -> None:
    table = look(CENTRE)
    assert table.engine is not None
    assert table.chains == ()
    assert not table.is_doubtful


def test_a_double_alone_is_the_engine_that_nobody_named_though_hands_stand_around_it() -> None:
    rim = (Put(0, 0, 6, 0, NORTH).read().box, Put(0, 0, -6, 0, NORTH).read().box)
    table = look(Put(8, 8, 0, 0, NORTH), unreadable=rim, engine=None)
    assert table.engine is not None
    assert table.engine.tile == Tile(8, 8)


def test_a_tile_that_stands_joins_nothing() -> None:
    standing = STRAIGHT[2].read()
    corners = standing.box.corners.copy()
    corners[[1, 2]] = corners[[0, 3]] + (corners[[1, 2]] - corners[[0, 3]]) * 0.35  # seen nearly from its edge
    flat = [put.read() for put in (CENTRE, *STRAIGHT[:2], Put(12, 1, -1.6, 0, WEST), Put(1, 4, -3.65, 0, WEST))]
    table = read_layout([*flat, replace(standing, box=TileBox(corners, 0.9))], TWELVE, ENGINE)
    assert ((12, 5), (5, 3)) in values(table)
    assert len(table.loose) == 1


TABLE = (
    CENTRE,
    *STRAIGHT,
    Put(12, 1, -1.6, 0.1, WEST),
    Put(1, 1, -3.2, 0.1, NORTH),
    Put(1, 7, -4.75, 0.15, WEST),
    Put(7, 2, -5.25, 1.7, SOUTH),
    Put(12, 9, 0.1, 2.1, SOUTH - 8),
    Put(9, 0, 0.4, 4.15, SOUTH),
)
CHAINS = {((12, 5), (5, 3), (3, 8)), ((12, 1), (1, 1), (1, 7), (7, 2)), ((12, 9), (9, 0))}


@settings(max_examples=40, deadline=None)
@given(st.floats(-np.pi, np.pi), st.floats(8, 300), st.permutations(range(len(TABLE))), st.floats(-500, 500))
def test_turned_grown_and_shuffled_a_table_is_the_same(
    turn: float, scale: float, order: list[int], shift: float
) -> None:
    tiles = [TABLE[k].read(scale, turn, (shift, -shift)) for k in order]
    table = read_layout(tiles, TWELVE, ENGINE)
    assert set(values(table)) == CHAINS
    assert not table.is_doubtful
    start = next(chain for chain in table.chains if chain.values[0] == (12, 5))
    assert np.cos(start.heading - turn) == pytest.approx(1, abs=1e-3)


SPARE = [tile for tile in TWELVE if tile not in {Tile(put.a, put.b) for put in TABLE}]


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.sampled_from(SPARE), unique=True, max_size=8),
    st.lists(st.tuples(st.floats(9, 12), st.floats(-0.25, 0.25), st.floats(0, 360)), min_size=8, max_size=8),
)
def test_tiles_that_lie_elsewhere_change_no_chain(tiles: list[Tile], places: list[tuple[float, float, float]]) -> None:
    loose = [
        Put(t.low, t.high, r * np.cos(k * np.pi / 4 + turn), r * np.sin(k * np.pi / 4 + turn), towards)
        for k, (t, (r, turn, towards)) in enumerate(zip(tiles, places, strict=False))
    ]
    table = look(*TABLE, *loose)
    assert set(values(table)) == CHAINS
    assert sorted(reading.tile for reading in table.loose) == sorted(tiles)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(*[st.floats(-0.06, 0.06)] * 2, st.floats(-5, 5)), min_size=len(TABLE), max_size=len(TABLE)))
def test_small_pushes_change_no_chain(pushes: list[tuple[float, float, float]]) -> None:
    pushed = [
        replace(put, x=put.x + dx, y=put.y + dy, towards=put.towards + turn)
        for put, (dx, dy, turn) in zip(TABLE, pushes, strict=True)
    ]
    assert set(values(look(*pushed))) == CHAINS


def test_mirrored_the_order_turns_round() -> None:
    """Clockwise stays clockwise: mirrored corners are those of no photo, so headings and order mirror too."""
    mirrored = [replace(put, y=-put.y, towards=-put.towards) for put in TABLE]
    as_laid, seen = look(*TABLE), look(*mirrored)
    assert set(values(seen)) == CHAINS
    assert [c.values for c in seen.chains] != [c.values for c in as_laid.chains]


def test_no_double_in_a_hand_is_taken_for_the_engine_that_is_due() -> None:
    tiles = (Put(9, 9, 0, 0, NORTH), Put(9, 5, 1.6, 0, EAST), Put(5, 3, 3.65, 0, EAST))
    assert look(*tiles, engine=ENGINE).engine is None
    alone = look(*tiles, engine=None).engine
    assert alone is not None
    assert alone.tile == Tile(9, 9)
