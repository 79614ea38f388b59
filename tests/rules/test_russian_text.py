"""M1..M15: the Russian rules, sentence by sentence, under the preset `meksikanskij-poezd`."""

import pytest

from companion.errors import IllegalMoveError
from companion.rules import counting, scoring, seating
from companion.rules.fold import apply_all
from companion.rules.house_rules import HouseRules, Preset
from companion.rules.moves import Draw, Pass
from companion.rules.moves import ViolationCode as Code
from companion.rules.state import EndReason, Game
from companion.rules.table import end_round
from companion.rules.tiles import Tile
from tests.rules.scene import codes, kinds, lay, play, plays, scene, t, table

RULES = HouseRules.preset(Preset.MEKSIKANSKIJ_POEZD)
ANSWERED = RULES.replace(hand_size=12, double_blank_points=50)


def seated(players, rules=ANSWERED):
    return apply_all(Game(), seating.start_game(rules, list("ABCDEFGH"[:players]), Preset.MEKSIKANSKIJ_POEZD))


def russian(*hands, **kwargs):
    return scene(*hands, rules=ANSWERED, **kwargs)


def test_M1_as_many_ends_as_players_and_a_common_one():
    for players in range(2, 9):
        game = seated(players, ANSWERED.replace(hand_size=9))
        game = apply_all(game, seating.start_round(game, 0))
        assert [train.owner for train in table(game).trains] == [*range(players), None]


def test_M2_thirteen_rounds_from_twelve_to_blank():
    game = seated(2)
    assert game.planned_rounds == 13
    assert game.engines == tuple(Tile(n, n) for n in range(12, -1, -1))


def test_M3_all_trains_grow_from_the_double_in_the_centre():
    game = russian("12-1 5-6", "3-4")
    assert plays(game) == {("1-12", 0), ("1-12", None)}


def test_M4_the_rest_is_a_closed_reserve():
    game = seated(4)
    game = apply_all(game, seating.start_round(game, 0))
    game = apply_all(game, seating.deal(game))
    assert table(game).boneyard == 91 - 1 - 4 * 12
    assert all(held.known == frozenset() for held in table(game).hands)


def test_M5_a_personal_train_each_and_a_common_one():
    game = russian("12-1 12-2", "12-3 12-4")
    game = play(game, lay(0, "12-1", None))
    assert {train for tile, train in plays(game)} == {1}  # the common train goes on with 1
    assert ("1-5", None) in plays(play(russian("12-1 1-1", "1-5 2-2"), lay(0, "12-1", None)))


def test_M6_a_turn_lays_one_tile_on_the_own_the_common_or_an_open_train():
    game = russian("12-1 1-2", "12-3 5-5", "1-1", markers=[2])
    assert plays(game) == {("1-12", 0), ("1-12", 2), ("1-12", None)}
    assert table(play(game, lay(0, "12-1", 0))).to_act == 1


def test_M7_who_cannot_takes_one_tile_and_lays_it_if_it_fits():
    game = russian("1-2", "12-3")
    assert kinds(game) == {"Draw"}
    assert kinds(play(game, Draw(0, t("12-2")))) == {"Play"}
    assert kinds(play(game, Draw(0, t("2-2")))) == {"Pass"}


def test_M8_the_marker_opens_the_train_to_everybody():
    game = play(russian("1-2", "12-3 0-0"), Draw(0, t("2-2")), Pass(0))
    assert table(game).trains[0].marker
    assert ("3-12", 0) in plays(game)


def test_M9_playing_on_that_very_train_closes_it():
    game = russian("12-1 5-6", "1-3", "0-0", markers=[0])
    game = play(game, lay(0, "12-1", 0))
    assert not table(game).trains[0].marker
    assert codes(game, lay(1, "1-3", 0)) == [Code.TRAIN_CLOSED]
    assert table(play(russian("12-1 5-6", "1-3", markers=[0]), lay(0, "12-1", None))).trains[0].marker


def test_M10_a_double_is_covered_by_the_next_fitting_tile():
    game = play(russian("5-5 5-6", "5-3 12-3", trains={0: "12-5"}), lay(0, "5-5", 0))
    assert table(game).to_act == 1
    game = play(game, lay(1, "5-3", 0))
    assert [str(placed.tile) for placed in table(game).trains[0].tiles] == ["5-12", "5-5", "3-5"]


def test_M11_an_uncovered_double_blocks_the_other_trains():
    game = play(russian("5-5 5-6 12-8", "12-3 1-1", "5-9 12-4", trains={0: "12-5"}), lay(0, "5-5", 0))
    assert kinds(game) == {"Draw"}
    assert Code.MUST_COVER_OPEN_DOUBLE in codes(game, lay(1, "12-3", 1))
    game = play(game, Draw(1, t("0-0")), Pass(1))
    assert plays(game) == {("5-9", 0)}
    game = play(game, lay(2, "5-9", 0))
    assert ("8-12", 0) not in plays(game)
    assert ("8-12", None) in plays(game)  # play goes on as usual


def test_M12_the_round_ends_when_somebody_is_out_or_nobody_can_move():
    assert play(russian("12-1", "3-4"), lay(0, "12-1", 0)).round.ended is EndReason.OUT
    blocked = play(russian("1-2", "3-4", boneyard="", markers=[0, 1]), Pass(0), Pass(1))
    assert blocked.round.ended is EndReason.BLOCKED


def test_M13_zero_for_who_went_out_and_the_sum_of_pips_for_the_others():
    game = play(russian("12-1", "3-4 0-0 11-12"), lay(0, "12-1", 0))
    game = apply_all(game, counting.count_known_hands(game))
    assert scoring.sheet(game)[0].points == (0, 7 + 50 + 23)


def test_M14_after_the_thirteenth_round_the_lowest_sum_wins():
    game = seated(2)
    for number in range(1, 14):
        assert not game.ended
        game = apply_all(game, seating.start_round(game))
        game = apply_all(game, end_round(game, EndReason.CALLED))
        for seat, points in enumerate((number, 6)):
            game = apply_all(game, counting.count_hand(game, seat, points))
    assert scoring.winners(game) == (1,)
    assert [row.total for row in scoring.standings(game)] == [78, 91]


@pytest.mark.parametrize("size", range(9, 17))
@pytest.mark.parametrize("blank", [0, 50])
def test_M15_the_table_agrees_on_the_hand_and_the_double_blank(size, blank):
    game = seated(2, RULES)
    assert RULES.unanswered(2) == ("hand_size", "double_blank_points")
    with pytest.raises(IllegalMoveError):
        seating.start_round(game, 0)
    game = apply_all(game, seating.agree(game, RULES.replace(hand_size=size, double_blank_points=blank)))
    game = apply_all(game, seating.start_round(game, 0))
    game = apply_all(game, seating.deal(game))
    assert [held.count for held in table(game).hands] == [size, size]
    assert scoring.tile_points(game.rules, t("0-0")) == blank
