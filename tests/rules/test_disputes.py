"""What a table could quarrel about: positions where several rules meet, each settled by its clauses."""

import pytest

from companion.errors import IllegalMoveError
from companion.rules import counting, seating
from companion.rules.events import MarkerSet, TableObserved
from companion.rules.fold import apply_all
from companion.rules.inference import provably_blocked
from companion.rules.moves import Draw, EndTurn, Pass, Play
from companion.rules.moves import ViolationCode as Code
from companion.rules.state import EndReason, LeavingHand, Train
from companion.rules.table import end_round
from tests.rules.scene import chain, codes, lay, play, plays, scene, t, table, ts
from tests.rules.test_clauses_setup import scored, seated, violations


def test_R_END_2_no_block_is_proved_while_a_pass_would_open_a_train():
    game = scene("9-10", "5-6", trains={0: "12-5", 1: "12-3"}, boneyard="")
    assert not provably_blocked(game)  # A must pass and put the marker on: then B plays on that train
    assert plays(play(game, Pass(0))) == {("5-6", 0)}
    dead_end = scene("9-10", "7-8", trains={0: "12-5", 1: "12-3"}, boneyard="")
    assert provably_blocked(dead_end)


@pytest.mark.parametrize("rule", ["after_first_turn", "after_own_train"])
def test_R_END_2_no_block_is_proved_while_a_pass_would_end_a_first_turn(rule):
    game = scene("9-1", "3-4", trains={None: "12-9"}, boneyard="", mexican_train_from=rule)
    assert provably_blocked(game) == (rule == "after_own_train")  # a pass is a turn, but lays no tile


def test_R_PLAYER_1_the_double_of_somebody_who_left_is_nobodys_follow_up():
    options = {"opening": "long_train", "doubles_per_turn": "any", "boneyard": "0-0 0-2 0-3 5-8"}
    game = scene("12-5 5-5 1-2", "12-7 7-7 7-8 1-1", "1-3", **options)
    game = play(game, lay(0, "12-5", 0), lay(0, "5-5", 0))
    game = apply_all(game, seating.leave(game, 0, LeavingHand.COUNTED))
    game = play(game, lay(1, "12-7", 1), lay(1, "7-7", 1))
    assert plays(game) == {("7-8", 1)}  # B follows on B's own double; A's waits until the first turns are over


def test_R_DBL_1_a_turn_taken_over_by_ruling_has_doubles_of_its_own():
    options = {"doubles_per_turn": "any", "opening": "long_train"}
    game = scene("12-5 5-5 5-9", "12-7 7-7 7-8 1-1", **options)
    game = play(play(game, lay(0, "12-5", 0), lay(0, "5-5", 0)), lay(1, "12-7", 1), ruling="A is on the telephone")
    assert plays(play(game, lay(1, "7-7", 1))) == {("7-8", 1)}


def test_R_TURN_1_a_move_out_of_turn_names_what_else_it_breaks():
    game = scene("12-1 2-3", "12-4 5-6", boneyard="0-0")
    assert codes(game, Pass(1)) == [Code.OUT_OF_TURN, Code.MUST_PLAY, Code.MUST_DRAW]
    assert codes(game, Draw(1)) == [Code.OUT_OF_TURN, Code.MUST_PLAY]
    assert codes(game, EndTurn(1)) == [Code.OUT_OF_TURN, Code.NOTHING_TO_STOP]
    # what the player to act has done says nothing about anybody else
    drawn = play(scene("1-2", "5-6", boneyard="0-0 0-1"), Draw(0, t("0-0")))
    assert codes(drawn, Draw(1)) == [Code.OUT_OF_TURN]
    assert codes(drawn, Pass(1)) == [Code.OUT_OF_TURN, Code.MUST_DRAW]


@pytest.mark.parametrize("rule", ["own_train", "any_own_play"])
def test_R_RULING_1_a_marker_stays_where_the_table_insists(rule):
    game = scene("12-1 2-3", "12-4 5-6", markers=[0], marker_off=rule)
    move = Play(0, t("12-1"), 0, keep_marker=True)
    assert codes(game, move) == [Code.MARKER_COMES_OFF]
    assert table(play(game, move, ruling="leave it")).trains[0].marker


def test_R_PLAY_3_a_table_that_was_looked_at_shows_who_has_had_a_first_turn():
    options = {"mexican_train_from": "after_first_turn"}
    everybody = scene(5, 6, 6, trains={0: "12-1 1-2", 1: "12-3", 2: "12-4"}, **options)
    assert codes(everybody, lay(0, "12-7", None)) == []
    # A began and C is to act: A has had a turn, and B, who laid the tile elsewhere
    begun = scene(5, 6, 6, to_act=0, **options)
    train = Train(0, chain(12, "12-1 1-2"), True)
    begun = apply_all(begun, [TableObserved(t("12-12"), (train,), open_doubles=(), to_act=2)])
    assert [turns > 0 for turns in table(begun).turns] == [True, True, False]
    assert codes(begun, lay(2, "12-7", None)) == [Code.MEXICAN_TRAIN_TOO_EARLY]
    assert codes(scene(5, 6, 6, **options), lay(0, "12-7", None)) == [Code.MEXICAN_TRAIN_TOO_EARLY]


def test_R_TURN_2_the_double_of_a_long_train_on_a_table_that_was_looked_at():
    options = {"opening": "long_train", "open_doubles": [0]}
    early = scene(5, "12-1 5-6", "12-2", trains={0: "12-5 5-5"}, markers=[0], to_act=1, **options)
    assert ("1-12", 1) in plays(early)  # B and C have not played: A's double binds nobody yet
    late = scene(5, "1-3 5-6", "12-2", trains={0: "12-5 5-5", 1: "12-1", 2: "12-7"}, markers=[0], to_act=1, **options)
    assert plays(late) == {("5-6", 0)}


def test_R_ENG_1_after_a_wrong_engine_the_game_goes_on_with_those_that_are_left():
    game = seated(2, max_pip=6, hand_size=5)
    game = apply_all(game, seating.start_round(game, 0, t("5-5"), ruling="it lay there already"))
    order = []
    while not game.ended:
        if game.round.finished:
            game = apply_all(game, seating.start_round(game))
        order.append(str(game.table.engine))
        for seat in (0, 1):
            game = apply_all(game, counting.count_hand(game, seat, 5))
    assert order == ["5-5", "6-6", "4-4", "3-3", "2-2", "1-1", "0-0"]


def test_R_DEAL_1_late_joiners_for_whom_there_is_no_hand_size_need_a_new_one():
    game = scored(seated(8), *([5] * 8))
    same = game.rules.replace(hand_size=9)
    with pytest.raises(IllegalMoveError) as error:  # eight know what to deal
        seating.agree(game, same)
    assert set(violations(error)) == {Code.RULES_FIXED}
    game = apply_all(game, seating.join(game, "I"))
    with pytest.raises(IllegalMoveError) as error:
        seating.start_round(game)
    assert set(violations(error)) == {Code.UNANSWERED}
    with pytest.raises(IllegalMoveError) as error:  # nothing but the hand is open
        seating.agree(game, same.replace(double_blank_points=50))
    assert set(violations(error)) == {Code.RULES_FIXED}
    with pytest.raises(IllegalMoveError) as error:
        seating.agree(game, same.replace(hand_size=11))
    assert violations(error)[Code.DEAL_TOO_LARGE]["largest"] == 10
    game = apply_all(game, seating.agree(game, same))
    assert apply_all(game, seating.start_round(game)).round.number == 2


def test_R_DEAL_2_late_joiners_for_whom_the_hand_is_too_large_need_a_smaller_one():
    game = seated(2, max_pip=6, hand_size=13)
    game = apply_all(scored(game, 5, 5), seating.join(scored(game, 5, 5), "C"))
    game = apply_all(game, seating.agree(game, game.rules.replace(hand_size=9)))
    assert apply_all(game, seating.start_round(game)).round.number == 2


def test_R_PLAYER_1_nobody_joins_a_game_that_is_over():
    game = scored(seated(2, rounds=1), 0, 5)
    assert game.ended
    with pytest.raises(IllegalMoveError) as error:
        seating.join(game, "C")
    assert set(violations(error)) == {Code.NOT_NOW}


def test_R_SCORE_1_who_went_out_has_no_tiles_left_also_where_only_the_score_is_kept():
    game = apply_all(seated(2), seating.start_round(seated(2), 0))
    game = apply_all(game, end_round(game, EndReason.OUT, 0))
    with pytest.raises(IllegalMoveError) as error:
        counting.count_hand(game, 0, tiles=ts("3-12"))
    assert violations(error)[Code.HAND_SIZE] == {"seat": 0, "count": 1, "expected": 0}
    assert counting.count_hand(game, 0)[0].points == 0
    assert counting.count_hand(game, 1, tiles=ts("3-12"))[0].points == 15


def test_R_END_2_a_pass_in_the_first_turn_proves_nothing_where_later_turns_offer_more():
    game = scene("9-1", "3-4", trains={None: "12-9"}, boneyard="", mexican_train_from="after_first_turn")
    game = apply_all(game, [MarkerSet(0, True), MarkerSet(1, True)])
    game = play(game, Pass(0), Pass(1))
    assert game.round.ended is None
    assert codes(game, lay(0, "9-1", None)) == []
