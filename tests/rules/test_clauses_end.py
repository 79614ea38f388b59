"""R-END and R-SCORE: the end of a round, points, the sheet."""

import pytest

from companion.errors import IllegalMoveError
from companion.rules import counting, scoring, seating
from companion.rules.events import GameEnded, HandCounted, ScoreCorrected
from companion.rules.fold import apply_all
from companion.rules.house_rules import HouseRules
from companion.rules.moves import Draw, Pass, ViolationCode
from companion.rules.moves import ViolationCode as Code
from companion.rules.state import EndReason, Game
from companion.rules.table import end_round, miss_call
from tests.rules.scene import codes, hand, lay, play, scene, t, table, ts
from tests.rules.test_clauses_setup import scored, seated, violations


def counted(game: Game, *hands: str | int) -> Game:
    """The latest round with every hand counted, by tiles or by a total."""
    for seat, held in enumerate(hands):
        tiles = ts(held) if isinstance(held, str) else None
        points = held if isinstance(held, int) else None
        game = apply_all(game, counting.count_hand(game, seat, points, tiles))
    return game


def points(game: Game) -> tuple[int | None, ...]:
    return scoring.sheet(game)[-1].points


def test_R_END_1_the_last_tile_ends_the_round():
    game = play(scene("12-1", "3-4"), lay(0, "12-1", None))
    assert (game.round.ended, game.round.went_out, table(game).to_act) == (EndReason.OUT, 0, None)
    assert codes(game, lay(1, "3-4", 1)) == [Code.NOT_NOW]
    said = scene(3, 4)
    with pytest.raises(IllegalMoveError) as error:
        end_round(said, EndReason.OUT, 1)
    assert violations(error) == {Code.NOT_OUT: {"seat": 1, "count": 4}}
    assert apply_all(said, end_round(said, EndReason.OUT, 1, "we miscounted")).round.went_out == 1


def test_R_END_2_blocked_when_every_seat_has_passed_in_a_row():
    game = scene("1-2", "3-4", "5-6", boneyard="", markers=[0, 1, 2])
    game = play(game, Pass(0), Pass(1))
    assert game.round.ended is None
    assert play(game, Pass(2)).round.ended is EndReason.BLOCKED


def test_R_END_2_only_passes_in_a_row_count():
    game = scene("1-2", "3-4", "12-6 0-0", boneyard="", markers=[0, 1, 2])
    game = play(game, Pass(0), Pass(1), lay(2, "12-6", 2), Pass(0))
    assert game.round.ended is None
    game = play(game, Pass(1))
    assert game.round.ended is None
    assert play(game, Pass(2)).round.ended is None  # this pass opened the train again
    assert play(game, Pass(2), Pass(0), Pass(1)).round.ended is EndReason.BLOCKED


def test_R_END_2_a_turn_that_drew_the_last_tile_counts():
    game = scene("1-2", "3-4", boneyard="7-8", markers=[0, 1])
    game = play(game, Draw(0, t("7-8")), Pass(0), Pass(1))
    assert game.round.ended is EndReason.BLOCKED


def test_R_END_2_a_pass_that_opens_a_train_is_no_block_yet():
    game = scene("1-2", "4-5", boneyard="", trains={0: "12-6", 1: "12-1", None: "12-8"})
    game = play(game, Pass(0), Pass(1))  # the second pass opened the train that ends in 1
    assert game.round.ended is None
    assert codes(game, lay(0, "1-2", 1)) == []
    stuck = scene("1-2", "4-5", boneyard="", trains={0: "12-6", 1: "12-7", None: "12-8"})
    stuck = play(stuck, Pass(0), Pass(1))
    assert stuck.round.ended is None
    assert play(stuck, Pass(0)).round.ended is EndReason.BLOCKED


def test_R_END_2_a_turn_in_which_a_tile_was_laid_is_no_pass():
    trains = {0: "12-5", 1: "12-7", None: "12-9"}
    options = {"double_followup": "anywhere", "boneyard": "", "markers": [0, 1]}
    game = scene("5-5 9-9", "3-4", trains=trains, **options)
    game = play(game, lay(0, "5-5", 0), Pass(0), Pass(1))  # 9-9 was barred as a second double only
    assert game.round.ended is None
    assert codes(game, lay(0, "9-9", None)) == []


def test_R_END_2_the_table_may_not_say_so_while_it_is_known_to_be_wrong():
    game = scene("12-2", "3-4", boneyard="7-8")
    with pytest.raises(IllegalMoveError) as error:
        end_round(game, EndReason.BLOCKED)
    assert violations(error)[Code.NOT_BLOCKED] == {"boneyard": 1, "seat": 0, "tiles": ts("12-2")}
    hidden = scene(3, 3, boneyard="0-1 0-2 0-3 0-4 0-5 0-6")  # these six are in the hands
    assert end_round(hidden, EndReason.BLOCKED)


def test_R_END_3_the_table_may_end_a_round():
    game = apply_all(scene("12-2", "3-4"), end_round(scene("12-2", "3-4"), EndReason.CALLED))
    assert game.round.ended is EndReason.CALLED
    game = apply_all(game, counting.count_known_hands(game))
    assert points(game) == (14, 7)
    assert scoring.round_winners(game, game.round) == (1,)


def test_R_SCORE_1_pips_of_both_halves_and_zero_for_going_out():
    game = play(scene("12-1", "3-4 9-9 0-5"), lay(0, "12-1", 0))
    game = counted(game, "", "3-4 9-9 0-5")
    assert points(game) == (0, 30)
    other = play(scene("12-1", "3-4 9-9 0-5"), lay(0, "12-1", 0))
    with pytest.raises(IllegalMoveError) as error:
        counting.count_hand(other, 1, 29)
    assert violations(error) == {Code.SCORE_DIFFERS: {"seat": 1, "points": 29, "expected": 30}}
    assert counting.count_hand(other, 1, 29, why="agreed")[0].why == "agreed"


@pytest.mark.parametrize("value", [-1, 100_000])
def test_R_SCORE_1_an_absurd_score_asks_for_a_reason(value):
    game = apply_all(scene(3, 4), end_round(scene(3, 4), EndReason.CALLED))
    with pytest.raises(IllegalMoveError) as error:
        counting.count_hand(game, 0, value)
    assert set(violations(error)) == {Code.SCORE_ODD}
    assert counting.count_hand(game, 0, value, why="a fine")[0] == HandCounted(1, 0, value, None, "a fine")


@pytest.mark.parametrize("value", [0, 25, 50])
def test_R_SCORE_2_the_double_blank(value):
    rules = HouseRules(double_blank_points=value)
    assert scoring.hand_points(rules, ts("0-0 0-1")) == value + 1


@pytest.mark.parametrize(("rule", "expected"), [(False, (7, 3, 3)), (True, (7, 0, 0))])
def test_R_SCORE_3_in_a_blocked_round_everybody_scores(rule, expected):
    game = scene("3-4", "1-2", "0-3", boneyard="", markers=[0, 1, 2], blocked_lowest_scores_zero=rule)
    game = play(game, Pass(0), Pass(1), Pass(2))
    events = counting.count_known_hands(game)
    game = apply_all(game, events)
    assert points(game) == expected
    assert [event.why for event in events if isinstance(event, ScoreCorrected)] == ["R-SCORE-3"] * (2 * rule)
    assert scoring.round_winners(game, game.round) == (1, 2)


def left(*tiles: str, **options: int | bool) -> list[int]:
    return [scoring.tile_points(HouseRules().replace(**options), t(tile)) for tile in tiles]


def test_R_SCORE_4_tiles():
    assert left("5-5", "0-0", "0-6", doubles_count_twice=True) == [20, 0, 6]
    assert left("5-5", "0-0", "0-6", blank_half_points=5) == [10, 0, 11]
    everything = {"doubles_count_twice": True, "blank_half_points": 5, "double_blank_points": 25}
    assert left("5-5", "0-0", "0-6", **everything) == [20, 25, 11]


@pytest.mark.parametrize("bonus", [-5, -10])
def test_R_SCORE_4_going_out_bonus(bonus):
    game = counted(play(scene("12-1", "3-4", going_out_bonus=bonus), lay(0, "12-1", 0)), "", "3-4")
    assert points(game) == (bonus, 7)
    assert scoring.total(game, 0) == bonus


def test_R_SCORE_4_penalties_for_the_own_train():
    options = {"open_double_penalty": 10, "marker_penalty": 25}
    trains = {0: "12-5 5-5", 1: "12-7 7-7", None: "12-8 8-8"}
    game = scene("5-1", "3-4", "1-1", trains=trains, open_doubles=[0, 1, None], markers=[1, 2], **options)
    called = apply_all(game, end_round(game, EndReason.CALLED))
    called = apply_all(called, counting.count_known_hands(called))
    assert points(called) == (6 + 10, 7 + 10 + 25, 2 + 25)
    out = play(scene("12-1", "3-4", markers=[0, 1], **options), lay(0, "12-1", None))
    assert points(apply_all(out, counting.count_known_hands(out))) == (0, 7 + 25)


@pytest.mark.parametrize("tiles", [1, 2])
def test_R_SCORE_4_a_missed_call_of_the_last_tile(tiles):
    game = play(scene("12-1 5-6", "3-4 1-1", last_tile_call=tiles), lay(0, "12-1", None))
    before = table(game).boneyard
    game = apply_all(game, miss_call(game, 0, ts("2-2 2-3"[: 4 * tiles - 1])))
    assert (hand(game, 0).count, table(game).boneyard) == (1 + tiles, before - tiles)
    for rules, seat in (({"last_tile_call": tiles}, 1), ({}, 0)):
        other = play(scene("12-1 5-6", "3-4 1-1", **rules), lay(0, "12-1", None))
        with pytest.raises(IllegalMoveError) as error:
            miss_call(other, seat)
        assert Code.NO_CALL_DUE in violations(error)


def ranks(game: Game) -> list[tuple[int, int | None]]:
    return [(row.seat, row.rank) for row in scoring.standings(game)]


def test_R_SCORE_5_totals_add_up_and_the_lowest_wins():
    game = scored(scored(scored(seated(3, rounds=3, starter="chosen"), 9, 0, 5), 9, 20, 5), 9, 20, 5)
    assert [row.total for row in scoring.standings(game)] == [15, 27, 40]
    assert ranks(game) == [(2, 1), (0, 2), (1, 3)]
    assert scoring.winners(game) == (2,)


@pytest.mark.parametrize(
    ("rule", "expected"),
    [("shared", [(0, 1), (1, 1), (2, 1), (3, 4)]), ("most_zero_rounds", [(1, 1), (2, 2), (0, 3), (3, 4)])],
)
def test_R_SCORE_5_ties(rule, expected):
    game = seated(4, rounds=3, tie_break=rule, starter="chosen")
    # 0: no zero round; 1 and 2: one, and 1 has the lower other round
    game = scored(scored(scored(game, 10, 0, 15, 50), 10, 10, 0, 0), 10, 20, 15, 0)
    assert ranks(game) == expected


def test_R_SCORE_5_what_is_missing_is_not_zero():
    game = scored(seated(3, starter="chosen"), 10, None, 30)
    (row,) = scoring.sheet(game)
    assert (row.points, row.missing) == ((10, None, 30), (1,))
    assert [(s.seat, s.missing) for s in scoring.standings(game)] == [(1, 1), (0, 0), (2, 0)]
    assert scoring.round_winners(game, game.round) == ()
    assert not game.ended


def test_R_SCORE_6_an_agreed_score_stays():
    game = scored(seated(2, rounds=2, starter="chosen"), 10, 20)
    assert game.round.score(0).points == 10
    # other rules for scoring change nothing that was agreed
    changed = Game(
        game.rules.replace(double_blank_points=50), game.preset, game.players, game.order, rounds=game.rounds
    )
    assert scoring.sheet(changed) == scoring.sheet(game)
    with pytest.raises(IllegalMoveError) as error:
        counting.count_hand(game, 0, 11)
    assert violations(error) == {Code.ALREADY_COUNTED: {"seat": 0, "points": 10, "number": 1}}
    with pytest.raises(IllegalMoveError) as error:
        counting.correct_score(game, 1, 0, 12, " ")
    assert set(violations(error)) == {Code.REASON_NEEDED}
    game = apply_all(game, counting.correct_score(game, 1, 0, 12, "a tile under the box"))
    score = game.round.score(0)
    assert (score.points, score.agreed, score.why) == (12, 10, "a tile under the box")
    assert game.round.score(1).points == 20


def test_the_last_count_ends_the_game():
    game = scored(seated(2, rounds=1), 10)
    assert counting.count_hand(game, 1, 5)[-1] == GameEnded()
    game = apply_all(game, counting.count_hand(game, 1, 5))
    game = apply_all(game, counting.correct_score(game, 1, 1, 6, "recounted"))
    assert (game.ended, scoring.winners(game)) == (True, (1,))


def test_counting_what_is_not_there():
    game = scored(seated(2, rounds=2), 10)
    for call, code in (
        (lambda: counting.count_hand(game, 1, 5, number=7), Code.NO_SUCH_ROUND),
        (lambda: counting.count_hand(game, 3, 5), Code.NOT_AT_TABLE),
        (lambda: counting.count_hand(game, 1), Code.NOT_COUNTED),
        (lambda: counting.correct_score(game, 1, 1, 5, "why not"), Code.NOT_COUNTED),
        (lambda: counting.correct_score(game, 2, 1, 5, "why not"), Code.NO_SUCH_ROUND),
        (lambda: counting.count_hand(scene("12-1", "3-4"), 0, 13), Code.ROUND_UNFINISHED),
    ):
        with pytest.raises(IllegalMoveError) as error:
            call()
        assert code in violations(error)


def test_counting_tiles_that_cannot_be():
    game = scene("1-2 3-4", "5-6 7-7", 3, trains={None: "12-8"})
    game = apply_all(game, end_round(game, EndReason.CALLED))

    def wrong(seat: int, tiles: str) -> set[ViolationCode]:
        with pytest.raises(IllegalMoveError) as error:
            counting.count_hand(game, seat, tiles=ts(tiles))
        return set(violations(error))

    assert wrong(2, "1-1 1-1 0-0") == {Code.TILE_TWICE}
    assert wrong(2, "1-1 12-8 0-0") == {Code.TILE_ON_TABLE}
    assert wrong(2, "1-1 0-0") == {Code.HAND_SIZE}
    assert wrong(2, "1-1 0-0 13-13") == {Code.NOT_IN_SET}
    assert wrong(0, "1-2 0-0") == {Code.IN_OTHER_HAND}
    game = apply_all(game, counting.count_hand(game, 0, tiles=ts("1-2 3-4")))
    assert wrong(2, "1-2 0-0 0-1") == {Code.TILE_TWICE}
    assert wrong(0, "1-2 3-4") == {Code.ALREADY_COUNTED}


def test_a_score_only_game_needs_no_deal():
    game = seated(2, rounds=1)
    game = apply_all(game, seating.start_round(game))
    for seat, value in ((0, 0), (1, 33)):
        game = apply_all(game, counting.count_hand(game, seat, value))
    assert game.ended
    assert scoring.sheet(game)[0].winners == (0,)


def test_R_SCORE_4_a_dead_double_is_not_open():
    trains = {0: "6-5 5-5", 1: "6-0 0-5 5-1", None: "6-2 2-5 5-3 3-4 4-5"}
    for rule, penalty in (("released", 0), ("binds", 10)):
        options = {"open_double_penalty": 10, "dead_double": rule, "max_pip": 6, "engine": "6-6"}
        game = scene("1-1", "2-2", trains=trains, open_doubles=[0], **options)
        game = apply_all(game, end_round(game, EndReason.CALLED))
        game = apply_all(game, counting.count_known_hands(game))
        assert points(game) == (2 + penalty, 4)


def test_R_SCORE_3_a_lowest_hand_of_zero_needs_no_correction():
    game = scene("0-0", "1-2", boneyard="", markers=[0, 1], blocked_lowest_scores_zero=True)
    game = play(game, Pass(0), Pass(1))
    assert not any(isinstance(event, ScoreCorrected) for event in counting.count_known_hands(game))
