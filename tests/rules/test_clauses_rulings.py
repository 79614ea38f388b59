"""R-RULING: the table is right, hands are hidden, nothing is erased."""

import pytest

from companion.errors import IllegalMoveError
from companion.rules.events import Retracted, Ruling, TableObserved, TilePlayed
from companion.rules.fold import apply_all, decide, replay
from companion.rules.history import actions, effective, redoable
from companion.rules.inference import Must, holding, outlook, provably_blocked
from companion.rules.moves import Draw, Pass, Play
from companion.rules.moves import ViolationCode as Code
from companion.rules.seating import deal, start_game, start_round
from companion.rules.state import Game, PlacedTile, Train
from companion.rules.table import observe, see_hand
from tests.rules.scene import chain, codes, hand, lay, play, refused, scene, t, table, ts
from tests.rules.test_clauses_setup import violations


def test_R_RULING_1_an_illegal_play_names_everything_and_the_table_may_insist():
    game = scene("12-1 5-6", "3-4", trains={1: "12-9"})
    move = lay(0, "5-6", 1)
    assert refused(game, move) == [Code.DOES_NOT_MATCH, Code.TRAIN_CLOSED]
    (event,) = decide(game, move, "grandmother says so")
    assert event == TilePlayed(
        0, t("5-6"), 1, 6, ruling=Ruling((Code.DOES_NOT_MATCH, Code.TRAIN_CLOSED), "grandmother says so")
    )
    game = apply_all(game, [event])
    assert (table(game).trains[1].tiles[-1].outer, table(game).to_act) == (6, 1)
    (turned,) = decide(scene("12-1 5-6", "3-4"), Play(0, t("5-6"), 0, outer=5), "turned")
    assert turned.outer == 5
    (fine,) = decide(scene("12-1", "3-4"), lay(0, "12-1", 0), "no need to insist")[:1]
    assert fine.ruling is None


def test_R_RULING_1_what_cannot_be_cannot_be_overruled():
    game = scene("12-1 5-6", "3-4", trains={1: "12-9"}, missing="8-8")
    for move, code in (
        (lay(0, "12-9", 0), Code.TILE_ON_TABLE),
        (Play(0, t("12-13"), 0), Code.NOT_IN_SET),
        (lay(0, "8-8", 0), Code.TILE_LOST),
        (lay(0, "12-1", 9), Code.NO_SUCH_TRAIN),
    ):
        assert code in refused(game, move, "we insist")
    assert refused(game, Pass(5), "we insist") == [Code.NOT_AT_TABLE]
    no_tiles = scene("", "3-4")
    assert Code.HAND_EMPTY in refused(no_tiles, lay(0, "12-1", 0), "we insist")
    empty = scene("1-2", "3-4", boneyard="")
    assert refused(empty, Draw(0), "we insist") == [Code.BONEYARD_EMPTY]


def test_R_RULING_1_a_ruling_corrects_what_the_log_believed():
    game = scene("12-1 5-6", "3-4 12-8")
    game = play(game, lay(0, "12-8", 0), ruling="the photo was blurred")
    assert (hand(game, 0).count, hand(game, 0).known) == (1, frozenset())
    assert (hand(game, 1).count, hand(game, 1).known) == (2, {t("3-4")})
    out_of_turn = play(scene("12-1 5-6", "12-2 1-1", "12-3"), lay(1, "12-2", 1), ruling="A is on the phone")
    assert table(out_of_turn).to_act == 2


def test_R_RULING_1_a_looked_at_table_replaces_the_log():
    game = scene("12-1 5-6", "3-4 12-8", 2)
    trains = (Train(1, chain(12, "12-3 3-3"), True), Train(None, chain(12, "12-1")))
    seen = TableObserved(t("12-12"), trains, (1, 2, 2), (1,), 1)
    game = apply_all(game, observe(game, seen))
    assert (table(game).to_act, hand(game, 0).known, table(game).boneyard) == (1, {t("5-6")}, 91 - 4 - 5)
    assert codes(game, lay(1, "12-8", None)) == [Code.DOES_NOT_MATCH, Code.MUST_COVER_OPEN_DOUBLE]
    bad = (Train(0, (PlacedTile(t("12-3"), 12, 3), PlacedTile(t("4-5"), 4, 5))), Train(1, chain(12, "12-3")))
    with pytest.raises(IllegalMoveError) as error:
        observe(game, TableObserved(t("12-12"), bad, open_doubles=(None,)))
    assert set(violations(error)) == {Code.TILE_TWICE, Code.DOES_NOT_MATCH, Code.NO_OPEN_DOUBLE}
    odd = TableObserved(t("12-12"), (Train(0, (PlacedTile(t("4-5"), 4, 5),)),))
    assert observe(game, odd, "it lies like that")[0].ruling.overruled == (Code.DOES_NOT_MATCH,)


def test_R_RULING_2_hidden_hands_claim_nothing():
    game = scene(5, 5, trains={None: "12-7"})
    assert outlook(game).must is Must.UNKNOWN
    assert codes(game, lay(0, "7-3", None)) == codes(game, Draw(0)) == []
    assert codes(game, Pass(0)) == [Code.MUST_DRAW]


def test_R_RULING_2_what_passes_and_draws_prove():
    game = play(scene(5, "5-5 9-9", trains={None: "12-7"}), Draw(0))
    proved = holding(game, 0)
    assert proved.lacking == frozenset()  # the drawn tile can be anything
    game = play(game, Pass(0))
    assert holding(game, 0).lacking == {12, 7}
    assert not any(tile.has(12) or tile.has(7) for tile in holding(game, 0).possible)
    later = play(game, Draw(1, t("7-9")), lay(1, "7-9", None))
    assert outlook(later).must is Must.UNKNOWN
    back = scene(4, "12-9 1-1", trains={None: "12-7"})
    back = play(back, Draw(0), Pass(0), lay(1, "12-9", 1))
    # only 12 and 7 are within reach again, apart from A's own tail: it is proved that A must draw
    assert (outlook(back).must, outlook(back).tiles) == (Must.DRAW, ())


def test_R_RULING_2_a_draw_or_pass_by_ruling_proves_nothing():
    game = scene(5, "5-5 9-9", trains={None: "12-7"})
    game = play(game, Pass(0), ruling="A is out of the room")
    assert holding(game, 0).lacking == frozenset()
    known = scene(2, "5-5 9-9", trains={None: "12-7"})
    known = apply_all(known, see_hand(known, 0, ts("12-1")))
    known = play(known, Draw(0), ruling="too quick")
    assert hand(known, 0).lacks == ()


def test_R_RULING_2_partly_known_hands():
    game = scene(3, "5-5 9-9")
    game = apply_all(game, see_hand(game, 0, ts("12-1")))
    assert (hand(game, 0).count, hand(game, 0).unknown) == (3, 2)
    assert codes(game, Draw(0)) == [Code.MUST_PLAY]
    assert outlook(game).must is Must.PLAY
    with pytest.raises(IllegalMoveError) as error:
        see_hand(game, 0, ts("5-5 1-2 1-3 1-4"))
    assert set(violations(error)) == {Code.TOO_MANY_TILES, Code.IN_OTHER_HAND}
    more = apply_all(game, see_hand(game, 0, ts("5-5 1-2 1-3 1-4"), count=4, ruling="counted twice"))
    assert hand(more, 0).known == set(ts("5-5 1-2 1-3 1-4"))  # 12-1 was misread
    assert (hand(more, 0).count, hand(more, 1).known, table(more).boneyard) == (4, {t("9-9")}, table(game).boneyard - 1)


def test_R_RULING_2_the_only_place_left_is_proved():
    small = scene(2, "1-1 0-1", max_pip=2, engine="2-2", missing="0-2")
    assert holding(small, 0).known == {t("0-0"), t("1-2")}
    assert (outlook(small).must, outlook(small).tiles) == (Must.PLAY, ts("1-2"))
    hidden = scene(2, "3-4", boneyard="7-8 5-6")
    assert table(hidden).boneyard == 0
    assert provably_blocked(hidden)
    assert outlook(hidden).must is Must.PASS
    assert not provably_blocked(scene(2, "3-4", boneyard="12-8 5-6"))


def test_R_RULING_3_undo_and_redo_erase_nothing():
    log = list(start_game(scene("1-2", "3-4").rules, ["A", "B"]))
    log += start_round(replay(log), 0)
    log += deal(replay(log), {0: ts("12-1 5-6")}, {0: 2, 1: 2}, "a short round")
    states = [replay(log)]
    for move in (lay(0, "12-1", 0), Draw(1), Pass(1)):
        log += decide(states[-1], move)
        states.append(replay(log))
    length = len(log)
    for steps_back in (1, 2, 3):
        log.append(Retracted(actions(log)[-1]))
        assert replay(log) == states[-1 - steps_back]
    assert len(log) == length + 3
    for state in states[1:]:
        again = redoable(log)
        assert again
        log += again
        assert replay(log) == state
    assert redoable(log) == ()
    assert len(effective(log)) == length


def test_R_RULING_3_a_new_action_ends_redo():
    log = list(start_game(scene("1-2", "3-4").rules, ["A", "B"]))
    log += start_round(replay(log), 0)
    log.append(Retracted(actions(log)[-1]))
    assert len(redoable(log)) == 1
    log += start_round(replay(log), 1)
    assert redoable(log) == ()
    assert replay(log).round.starter == 1
    assert replay([]) == Game()
