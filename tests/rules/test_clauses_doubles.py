"""R-DBL: doubles, the house rules about them, and how these meet."""

import pytest

from companion.rules.inference import number_is_dead
from companion.rules.moves import Draw, EndTurn, Pass
from companion.rules.moves import ViolationCode as Code
from companion.rules.state import EndReason
from tests.rules.scene import codes, hand, kinds, lay, play, plays, scene, t, table


def opened(game):
    return [str(double.tile) for double in table(game).open_doubles]


def test_R_DBL_1_the_player_follows_on_the_double():
    game = play(scene("5-5 5-9 12-1", "3-4 12-9", trains={0: "12-5"}), lay(0, "5-5", 0))
    assert (table(game).to_act, plays(game)) == (0, {("5-9", 0)})
    assert codes(game, lay(0, "12-1", None)) == [Code.MUST_FOLLOW_DOUBLE]
    game = play(game, lay(0, "5-9", 0))
    assert (table(game).to_act, opened(game)) == (1, [])


def test_R_DBL_1_anywhere_a_followed_double_binds_nobody():
    game = scene("5-5 5-9 12-1", "3-4 12-9", trains={0: "12-5"}, double_followup="anywhere")
    game = play(game, lay(0, "5-5", 0))
    assert plays(game) == {("5-9", 0), ("1-12", None)}
    game = play(game, lay(0, "12-1", None))
    assert (table(game).to_act, opened(game)) == (1, [])
    assert plays(game) == {("9-12", 1)}


def test_R_DBL_1_next_player_covers():
    game = scene("5-5 5-9 12-1", "5-4 12-9", trains={0: "12-5"}, double_followup="next_player")
    game = play(game, lay(0, "5-5", 0))
    assert (table(game).to_act, opened(game), plays(game)) == (1, ["5-5"], {("4-5", 0)})


def test_R_DBL_2_who_cannot_follow_draws_then_leaves_it_open():
    game = play(scene("5-5 7-8", "5-4 12-9", trains={0: "12-5"}), lay(0, "5-5", 0))
    assert kinds(game) == {"Draw"}
    assert codes(game, Pass(0)) == [Code.MUST_DRAW_TO_FOLLOW]
    fits = play(game, Draw(0, t("5-1")))
    assert plays(fits) == {("1-5", 0)}
    assert opened(play(fits, lay(0, "5-1", 0))) == []
    game = play(game, Draw(0, t("1-1")), Pass(0))
    assert (table(game).trains[0].marker, opened(game), table(game).to_act) == (True, ["5-5"], 1)


@pytest.mark.parametrize("owner", [0, 1, 2, None])
def test_R_DBL_3_everybody_must_cover_wherever_it_lies(owner):
    game = scene("12-1 7-8", "5-9 12-3", "1-2", trains={owner: "12-5 5-5"}, open_doubles=[owner])
    assert kinds(game) == {"Draw"}
    assert Code.MUST_COVER_OPEN_DOUBLE in codes(game, lay(0, "12-1", 2 if owner == 0 else 0))
    game = play(game, Draw(0, t("0-0")), Pass(0))
    assert table(game).trains[0].marker
    assert plays(game) == {("5-9", owner)}
    before = [train.marker for train in table(game).trains]
    game = play(game, lay(1, "5-9", owner))
    assert opened(game) == []
    assert [train.marker for train in table(game).trains] == before


def test_R_DBL_3_covering_ones_own_double_takes_the_own_marker_off():
    game = scene("5-9 1-1", "3-4", trains={0: "12-5 5-5"}, open_doubles=[0], markers=[0])
    assert not table(play(game, lay(0, "5-9", 0))).trains[0].marker


def test_R_DBL_3_a_drawn_tile_covers_too():
    game = scene("7-8", "3-4", trains={1: "12-5 5-5"}, open_doubles=[1])
    game = play(game, Draw(0, t("5-6")))
    assert plays(game) == {("5-6", 1)}


def test_R_DBL_4_one_double_a_turn():
    game = scene("5-5 9-9 5-9", "3-4", trains={0: "12-5", None: "12-9"}, double_followup="anywhere")
    game = play(game, lay(0, "5-5", 0))
    assert codes(game, lay(0, "9-9", None)) == [Code.SECOND_DOUBLE]
    assert plays(game) == {("5-9", 0), ("5-9", None)}
    strict = play(scene("5-5 9-9 5-9", "3-4", trains={0: "12-5", None: "12-9"}), lay(0, "5-5", 0))
    assert codes(strict, lay(0, "9-9", None)) == [Code.SECOND_DOUBLE, Code.MUST_FOLLOW_DOUBLE]


def test_R_DBL_4_several_doubles_in_a_row():
    game = scene("5-5 9-9 9-1 3-3", "3-4", trains={0: "12-5", None: "12-9"}, doubles_per_turn="any")
    game = play(game, lay(0, "5-5", 0))
    assert plays(game) == {("9-9", None)}
    game = play(game, lay(0, "9-9", None))
    assert opened(game) == ["5-5", "9-9"]
    # oldest first: 9-1 may not cover the younger double
    assert codes(game, lay(0, "9-1", None)) == [Code.WRONG_DOUBLE_FIRST]
    assert kinds(game) == {"Draw"}


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("oldest_first", {("1-5", 0), ("5-9", 0)}),
        ("newest_first", {("1-9", None), ("5-9", None)}),
        ("any", {("1-5", 0), ("5-9", 0), ("1-9", None), ("5-9", None)}),
    ],
)
@pytest.mark.parametrize("laid_now", [True, False])
def test_R_DBL_4_the_order_of_several_open_doubles(order, expected, laid_now):
    options = {"doubles_per_turn": "any", "double_order": order}
    held = "5-9 9-1 5-1 7-7"
    if laid_now:
        game = scene("5-5 9-9 " + held, "3-4", trains={0: "12-5", None: "12-9"}, **options)
        game = play(game, lay(0, "5-5", 0), lay(0, "9-9", None))
    else:
        trains = {0: "12-5 5-5", None: "12-9 9-9"}
        game = scene(held, "3-4", trains=trains, open_doubles=[0, None], **options)
    assert plays(game) == expected


def test_R_DBL_4_the_rest_of_several_doubles_stays_open():
    game = scene("5-5 9-9 9-1 0-0", "3-4", trains={0: "12-5", None: "12-9"}, doubles_per_turn="any", double_order="any")
    game = play(game, lay(0, "5-5", 0), lay(0, "9-9", None), lay(0, "9-1", None))
    assert (table(game).to_act, opened(game)) == (1, ["5-5"])


def test_R_DBL_4_anywhere_only_the_last_of_several_can_stay_open():
    options = {"doubles_per_turn": "any", "double_followup": "anywhere"}
    game = scene("5-5 9-9 0-0", "3-4", trains={0: "12-5", None: "12-9"}, boneyard="0-1 0-2", **options)
    game = play(game, lay(0, "5-5", 0), lay(0, "9-9", None))
    assert opened(game) == ["9-9"]
    game = play(game, Draw(0, t("0-1")), Pass(0))
    assert opened(game) == ["9-9"]


def test_R_DBL_4_after_long_trains_several_doubles_are_open():
    options = {"opening": "long_train", "double_followup": "next_player", "double_order": "newest_first"}
    game = scene("12-5 5-5 3-3 5-1", "12-9 9-9 4-4 9-5", boneyard="0-1 0-2", **options)
    for seat, tile, double in ((0, "12-5", "5-5"), (1, "12-9", "9-9")):
        game = play(game, lay(seat, tile, seat), lay(seat, double, seat), EndTurn(seat))
    assert opened(game) == ["5-5", "9-9"]
    assert kinds(game) == {"Draw"}  # 5-1 would cover the older double only
    assert plays(play(game, Draw(0, t("0-1")), Pass(0))) == {("5-9", 1)}


def dead_scene(rule, held="0-1 6-1"):
    """All tiles with a 5 of a double-six lie on the table, 5-5 last."""
    return scene(
        held, "1-1 2-2", trains={0: "6-5 5-5", 1: "6-0 0-5 5-1", None: "6-2 2-5 5-3 3-4 4-5"}, open_doubles=[0],
        dead_double=rule, max_pip=6, engine="6-6",
    )  # fmt: skip


def test_R_DBL_5_a_dead_double_is_released():
    game = dead_scene("released")
    assert number_is_dead(game, 5)
    assert plays(game) == set()
    free = dead_scene("released", "0-6 1-4")
    assert codes(free, lay(0, "1-4", 1)) == [Code.TRAIN_CLOSED]
    assert table(free).numbers_on_table[5] == 7


def test_R_DBL_5_or_binds():
    trains = {0: "6-5 5-5", 1: "6-0 0-5 5-1", None: "6-2 2-5 5-3 3-4 4-5"}
    games = {
        rule: scene(
            "3-6 1-2", "1-4 2-2", trains=trains, open_doubles=[0], dead_double=rule, to_act=1, max_pip=6, engine="6-6"
        )
        for rule in ("released", "binds")
    }
    assert plays(games["released"]) == {("1-4", 1)}
    assert plays(games["binds"]) == set()
    assert codes(games["binds"], lay(1, "1-4", 1)) == [Code.MUST_COVER_OPEN_DOUBLE]


def test_R_DBL_5_one_tile_in_a_hand_keeps_it_alive():
    trains = {0: "6-5 5-5", 1: "6-0 0-5 5-1", None: "6-2 2-5 5-3"}
    game = scene("4-5 1-2", "1-4 2-2", trains=trains, open_doubles=[0], to_act=1, max_pip=6, engine="6-6")
    assert not number_is_dead(game, 5)
    assert codes(game, lay(1, "1-4", 1)) == [Code.MUST_COVER_OPEN_DOUBLE]
    lost = scene("1-2", "1-4 2-2", trains=trains, open_doubles=[0], to_act=1, max_pip=6, engine="6-6", missing="4-5")
    assert number_is_dead(lost, 5)
    assert codes(lost, lay(1, "1-4", 1)) == []


def test_R_DBL_5_a_double_that_is_dead_when_laid_asks_for_nothing():
    trains = {0: "6-5", 1: "6-0 0-5 5-1", None: "6-2 2-5 5-3 3-4 4-5"}
    for rule, to_act in (("released", 1), ("binds", 0)):
        game = scene("5-5 1-2", "1-4 2-2", trains=trains, dead_double=rule, max_pip=6, engine="6-6")
        assert table(play(game, lay(0, "5-5", 0))).to_act == to_act


def test_R_DBL_6_going_out_on_a_double_is_allowed():
    game = play(scene("5-5", "3-4", trains={0: "12-5"}), lay(0, "5-5", 0))
    assert (game.round.ended, game.round.went_out) == (EndReason.OUT, 0)


@pytest.mark.parametrize("followup", ["on_the_double", "anywhere", "next_player"])
def test_R_DBL_6_or_it_must_be_covered(followup):
    rules = {"finish_on_double": "must_cover", "double_followup": followup}
    game = play(scene("5-5", "5-4 12-9", trains={0: "12-5"}, **rules), lay(0, "5-5", 0))
    assert (game.round.ended, table(game).to_act, kinds(game)) == (None, 0, {"Draw"})
    assert codes(game, Pass(0)) == [Code.MUST_DRAW_TO_COVER_LAST]
    covered = play(game, Draw(0, t("5-1")), lay(0, "5-1", 0))
    assert (covered.round.ended, covered.round.went_out) == (EndReason.OUT, 0)
    kept = play(game, Draw(0, t("1-1")), Pass(0))
    assert (kept.round.ended, hand(kept, 0).count, opened(kept), table(kept).to_act) == (None, 1, ["5-5"], 1)


def test_R_DBL_6_with_nothing_to_draw_the_player_is_out_after_all():
    game = scene("5-5", "5-4 12-9", trains={0: "12-5"}, finish_on_double="must_cover", boneyard="")
    assert play(game, lay(0, "5-5", 0)).round.went_out == 0


def test_R_DBL_6_a_dead_double_cannot_be_covered_so_the_player_is_out():
    trains = {0: "6-5", 1: "6-0 0-5 5-1", None: "6-2 2-5 5-3 3-4 4-5"}
    game = scene("5-5", "1-4 2-2", trains=trains, finish_on_double="must_cover", max_pip=6, engine="6-6")
    assert play(game, lay(0, "5-5", 0)).round.went_out == 0


def test_R_DBL_7_the_engine_binds_nobody():
    game = scene("12-1 5-6", "3-4")
    assert table(game).open_doubles == ()
    assert plays(game) == {("1-12", 0), ("1-12", None)}


def test_R_DBL_1_anywhere_a_double_ruled_onto_a_closed_train_may_be_followed_there():
    game = scene("5-5 5-9 7-7", "3-4", trains={1: "12-5"}, double_followup="anywhere")
    game = play(game, lay(0, "5-5", 1), ruling="nobody noticed")
    assert plays(game) == {("5-9", 1)}


def test_R_DBL_3_only_the_player_of_the_double_follows_it():
    game = play(scene("5-5 1-1", "5-9 12-3 3-4", trains={0: "12-5"}, opening="one_tile"), lay(0, "5-5", 0))
    assert codes(game, lay(1, "5-9", 0)) == [Code.OUT_OF_TURN]
    assert codes(game, lay(1, "12-3", 1)) == [Code.OUT_OF_TURN, Code.MUST_COVER_OPEN_DOUBLE]


def test_R_DBL_3_an_older_duty_stays_when_a_ruling_lays_another_double():
    trains = {1: "12-5 5-5", None: "12-8"}
    game = scene("8-8 8-9 5-1 0-0", "3-4", trains=trains, open_doubles=[1], double_followup="anywhere")
    game = play(game, lay(0, "8-8", None), ruling="she had not seen it")
    assert plays(game) == {("1-5", 1)}
    assert codes(game, lay(0, "8-9", None)) == [Code.MUST_COVER_OPEN_DOUBLE]
    game = play(game, lay(0, "5-1", 1))
    assert opened(game) == []


def test_R_DBL_6_a_last_double_must_be_covered_again_and_again():
    options = {"finish_on_double": "must_cover", "double_followup": "anywhere", "doubles_per_turn": "any"}
    game = scene("5-5", "3-4 5-1 8-1", trains={0: "12-5", None: "12-8"}, **options)
    game = play(game, lay(0, "5-5", 0), Draw(0, t("8-8")), lay(0, "8-8", None))
    assert (game.round.ended, hand(game, 0).count, kinds(game)) == (None, 0, {"Draw"})  # one draw a turn or not
