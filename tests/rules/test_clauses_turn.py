"""R-TURN, R-PLAY, R-DRAW, R-MARK: a turn."""

import pytest

from companion.rules.fold import apply_all
from companion.rules.moves import Draw, EndTurn, Mark, Pass, Play
from companion.rules.moves import ViolationCode as Code
from companion.rules.state import OpenDouble
from companion.rules.table import see_hand
from tests.rules.scene import codes, hand, kinds, lay, play, plays, scene, t, table


def marker(game, seat):
    return table(game).trains[seat].marker


def test_R_TURN_1_turns_go_clockwise_one_tile_each():
    game = scene("12-1 12-2", "12-3 12-4", "12-5 12-6")
    assert codes(game, lay(1, "12-3", 1)) == [Code.OUT_OF_TURN]
    assert codes(game, Draw(2))[0] is codes(game, Pass(2))[0] is Code.OUT_OF_TURN
    game = play(game, lay(0, "12-1", 0))
    assert codes(game, lay(0, "12-2", None)) == [Code.OUT_OF_TURN]
    game = play(game, lay(1, "12-3", 1), lay(2, "12-5", 2))
    assert table(game).to_act == 0


def test_R_TURN_2_one_tile_by_default():
    game = play(scene("12-1 1-2", "12-3 5-5"), lay(0, "12-1", 0))
    assert table(game).to_act == 1


def test_R_TURN_2_a_long_train_in_the_first_turn():
    game = scene("12-1 1-2 2-3 12-9", "12-3 5-6", opening="long_train")
    assert codes(game, EndTurn(0)) == [Code.NOTHING_TO_STOP]
    game = play(game, lay(0, "12-1", 0), lay(0, "1-2", 0))
    assert (table(game).to_act, kinds(game)) == (0, {"Play", "EndTurn"})
    assert codes(game, lay(0, "12-9", None)) == [Code.LONG_TRAIN_OWN_ONLY]
    assert codes(game, Pass(0)) == codes(game, Draw(0)) == [Code.LONG_TRAIN_JUST_STOP]
    game = play(game, EndTurn(0))
    assert (table(game).to_act, marker(game, 0)) == (1, False)
    game = play(game, lay(1, "12-3", 1), EndTurn(1), lay(0, "2-3", 0))
    assert table(game).to_act == 1  # the second turn is one tile again


def test_R_TURN_2_a_first_tile_elsewhere_is_no_long_train():
    game = play(scene("12-1 1-2 12-3", "12-4 5-5", opening="long_train"), lay(0, "12-1", None))
    assert table(game).to_act == 1


def test_R_TURN_2_a_follow_up_on_the_own_train_is_no_long_train():
    options = {"opening": "long_train", "double_followup": "anywhere"}
    game = scene("5-5 12-1 1-2", "12-4 5-6", trains={None: "12-5"}, **options)
    game = play(game, lay(0, "5-5", None), lay(0, "12-1", 0))
    assert table(game).to_act == 1


def test_R_TURN_2_an_open_double_binds_only_after_everybodys_first_turn():
    game = scene("12-1 1-1 0-0", "12-2 2-3 5-5", "12-4 4-4 9-9", opening="long_train", boneyard="0-5 8-8 1-9")
    game = play(game, lay(0, "12-1", 0), lay(0, "1-1", 0), Draw(0, t("0-5")), Pass(0))
    assert [(double.tile, double.opening) for double in table(game).open_doubles] == [(t("1-1"), True)]
    assert plays(game) == {("2-12", 1), ("2-12", None)}
    game = play(game, lay(1, "12-2", 1), EndTurn(1), lay(2, "12-4", 2), EndTurn(2))
    assert table(game).to_act == 0
    assert codes(game, lay(0, "0-5", 0)) == [Code.DOES_NOT_MATCH]
    assert codes(game, lay(0, "0-0", None)) == [Code.DOES_NOT_MATCH, Code.MUST_COVER_OPEN_DOUBLE]


def test_R_TURN_2_no_draw_for_the_double_of_a_long_train_when_the_next_player_covers():
    game = scene("12-1 1-1 5-6", "12-2 3-3", opening="long_train", double_followup="next_player")
    game = play(game, lay(0, "12-1", 0), lay(0, "1-1", 0))
    assert kinds(game) == {"EndTurn"}
    assert plays(play(game, EndTurn(0))) == {("2-12", 1), ("2-12", None)}


def test_R_PLAY_1_own_train_mexican_train_or_a_train_with_its_marker_on():
    game = scene("12-1 12-2", "3-4", "5-6", markers=[2])
    assert plays(game) == {(tile, train) for tile in ("1-12", "2-12") for train in (0, 2, None)}
    assert codes(game, lay(0, "12-1", 1)) == [Code.TRAIN_CLOSED]
    assert codes(game, lay(0, "12-1", 7)) == [Code.NO_SUCH_TRAIN]


def test_R_PLAY_2_touching_halves_are_alike():
    game = scene("12-3 3-5 5-9", "1-2", trains={0: "12-4 4-5"})
    assert plays(game) == {("3-5", 0), ("5-9", 0), ("3-12", None)}
    assert codes(game, lay(0, "12-3", 0)) == [Code.DOES_NOT_MATCH]
    placed = table(play(game, lay(0, "5-9", 0))).trains[0].tiles[-1]
    assert (placed.inner, placed.outer) == (5, 9)
    assert codes(game, Play(0, t("5-9"), 0, outer=5)) == [Code.DOES_NOT_MATCH]
    assert codes(game, Play(0, t("5-9"), 0, outer=7)) == [Code.NO_SUCH_HALF]


def test_R_PLAY_3_the_mexican_train_is_open_to_all():
    game = play(scene("12-1 5-5", "1-4 5-6"), lay(0, "12-1", None))
    assert ("1-4", None) in plays(game)
    assert sum(train.owner is None for train in table(game).trains) == 1


def test_R_PLAY_3_mexican_train_after_the_first_turn():
    game = scene("12-1 12-2 9-9", "12-3 12-4 9-8", mexican_train_from="after_first_turn")
    assert codes(game, lay(0, "12-1", None)) == [Code.MEXICAN_TRAIN_TOO_EARLY]
    game = play(game, lay(0, "12-1", 0))
    assert codes(game, lay(1, "12-3", None)) == [Code.MEXICAN_TRAIN_TOO_EARLY]
    assert codes(play(game, lay(1, "12-3", 1)), lay(0, "12-2", None)) == []


def test_R_PLAY_3_mexican_train_after_the_own_train():
    game = scene("12-1 12-2 9-9", "3-4 12-4", mexican_train_from="after_own_train", boneyard="5-6 7-7")
    assert codes(game, lay(0, "12-1", None)) == [Code.MEXICAN_TRAIN_TOO_EARLY]
    game = play(game, lay(0, "12-1", 0), lay(1, "12-4", 1))
    assert codes(game, lay(0, "12-2", None)) == []
    bound = scene(
        "2-9 3-3", "7-7", trains={None: "12-2 2-2"}, open_doubles=[None], mexican_train_from="after_own_train"
    )
    assert plays(bound) == {("2-9", None)}  # an open double must be covered on whosever train it lies


def test_R_PLAY_4_who_can_play_must_play():
    game = scene("12-1 5-6", "3-4")
    assert codes(game, Draw(0)) == [Code.MUST_PLAY]
    assert codes(game, Pass(0)) == [Code.MUST_PLAY, Code.MUST_DRAW]
    assert codes(scene(7, "3-4"), Draw(0)) == []  # nothing is known that could be played


def test_R_DRAW_1_who_cannot_play_draws_and_plays_what_fits():
    game = scene("5-6 7-8", "3-4")
    assert kinds(game) == {"Draw"}
    assert codes(game, Pass(0)) == [Code.MUST_DRAW]
    game = play(game, Draw(0, t("12-1")))
    assert plays(game) == {("1-12", 0), ("1-12", None)}
    assert codes(game, Pass(0)) == [Code.MUST_PLAY_DRAWN]
    assert table(play(game, lay(0, "12-1", None))).to_act == 1
    hidden = play(scene(7, "3-4"), Draw(0))
    assert {"Play", "Pass"} <= kinds(hidden)


def test_R_DRAW_1_only_the_drawn_tile_may_be_played():
    game = play(scene("5-6 12-8", "3-4"), Draw(0, t("12-1")), ruling="too quick")
    assert codes(game, lay(0, "12-8", 0)) == [Code.MUST_PLAY_DRAWN]
    assert codes(game, lay(0, "12-1", 0)) == []


def test_R_DRAW_1_a_hidden_draw_is_none_of_the_tiles_that_were_known():
    game = scene(3, "3-4")
    game = apply_all(game, see_hand(game, 0, [t("12-1")]))
    game = play(game, Draw(0), ruling="too quick")
    assert codes(game, lay(0, "12-1", 0)) == [Code.MUST_PLAY_DRAWN]
    assert codes(game, lay(0, "12-2", 0)) == codes(game, Pass(0)) == []


def test_R_DRAW_2_what_does_not_fit_stays_and_the_marker_goes_on():
    game = play(scene("5-6", "12-4 3-4"), Draw(0, t("1-1")))
    assert kinds(game) == {"Pass"}
    assert codes(game, Draw(0)) == [Code.ALREADY_DREW]
    game = play(game, Pass(0))
    assert (marker(game, 0), hand(game, 0).count, table(game).to_act) == (True, 2, 1)


def test_R_DRAW_3_an_empty_boneyard_means_passing():
    game = scene("5-6", "12-4 3-4", boneyard="")
    assert table(game).boneyard == 0
    assert kinds(game) == {"Pass"}
    assert codes(game, Draw(0)) == [Code.BONEYARD_EMPTY]
    assert marker(play(game, Pass(0)), 0)


@pytest.mark.parametrize(("rule", "left"), [("one", {"Pass"}), ("after_each_double", {"Draw"})])
def test_R_DRAW_4_a_second_draw_after_a_drawn_double(rule, left):
    game = scene("7-8", "12-4 3-4", trains={0: "12-5"}, draws_per_turn=rule)
    game = play(game, Draw(0, t("5-5")), lay(0, "5-5", 0))
    assert kinds(game) == left
    assert codes(game, Draw(0)) == ([Code.NO_SECOND_DRAW] if rule == "one" else [])
    game = scene("5-5 7-8", "12-4 3-4", trains={0: "12-5"}, draws_per_turn=rule)
    game = play(game, lay(0, "5-5", 0))
    assert kinds(game) == {"Draw"}  # nothing has been drawn in this turn yet


def test_R_MARK_1_the_marker_goes_on_only_for_who_could_not_play():
    game = scene("12-1 5-6", "3-4 12-9")
    assert codes(game, Mark(0)) == [Code.MARKER_NOT_VOLUNTARY]
    assert not marker(play(game, lay(0, "12-1", 0)), 0)
    free = scene("12-1 5-6", "3-4 12-9", voluntary_marker=True)
    assert codes(free, Mark(1)) == [Code.OUT_OF_TURN]
    free = play(free, Mark(0))
    assert (marker(free, 0), table(free).to_act) == (True, 0)
    assert codes(free, Mark(0)) == [Code.MARKER_ALREADY_SO]
    assert ("9-12", 0) in plays(play(free, lay(0, "12-1", None)))


def test_R_MARK_2_it_comes_off_on_the_own_train():
    game = scene("12-1 5-6", "3-4 12-9", markers=[0])
    assert codes(game, Mark(0, on=False)) == [Code.MARKER_STAYS_ON]
    assert codes(game, Play(0, t("12-1"), 0, keep_marker=True)) == [Code.MARKER_COMES_OFF]
    assert not marker(play(game, lay(0, "12-1", 0)), 0)
    assert marker(play(game, lay(0, "12-1", None)), 0)


def test_R_MARK_2_as_the_owner_likes():
    game = scene("12-1 5-6", "3-4 12-9", markers=[0], marker_off="owner_choice")
    assert marker(play(game, Play(0, t("12-1"), 0, keep_marker=True)), 0)
    assert not marker(play(game, lay(0, "12-1", 0)), 0)
    assert codes(game, Play(0, t("12-1"), None, keep_marker=True)) == [Code.MARKER_COMES_OFF]


def test_R_MARK_2_on_any_own_play():
    game = scene("12-1 5-6", "3-4 12-9", markers=[0, 1], marker_off="any_own_play")
    for train in (0, 1, None):
        after = play(game, lay(0, "12-1", train))
        assert (marker(after, 0), marker(after, 1)) == (False, True)


def test_R_MARK_3_a_closed_train_is_its_owners_and_no_play_moves_anothers_marker():
    game = scene("12-1 5-6", "3-4 12-9", "1-1", markers=[1])
    assert codes(game, lay(0, "12-1", 2)) == [Code.TRAIN_CLOSED]
    after = play(game, lay(0, "12-1", 1))
    assert [marker(after, seat) for seat in range(3)] == [False, True, False]
    covered = scene("5-1 9-9", "3-4", trains={1: "12-5 5-5"}, open_doubles=[1])
    assert not marker(play(covered, lay(0, "5-1", 1)), 1)
    assert table(covered).open_doubles == (OpenDouble(1, t("5-5"), 0),)
