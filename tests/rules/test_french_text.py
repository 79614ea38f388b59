"""F1..F15: the French rules, sentence by sentence, under the preset `train-mexicain`."""

import pytest

from companion.errors import IllegalMoveError
from companion.rules import counting, scoring, seating
from companion.rules.fold import apply_all
from companion.rules.house_rules import HouseRules, Preset
from companion.rules.inference import outlook
from companion.rules.moves import Draw, Pass
from companion.rules.moves import ViolationCode as Code
from companion.rules.state import EndReason, Game
from companion.rules.table import end_round
from companion.rules.tiles import Tile, TileSet
from tests.rules.scene import codes, hand, kinds, lay, play, plays, scene, t, table

RULES = HouseRules.preset(Preset.TRAIN_MEXICAIN)


def seated(players, rules=RULES):
    return apply_all(Game(), seating.start_game(rules, list("ABCDEFGHIJ"[:players]), Preset.TRAIN_MEXICAIN))


def dealt(players):
    game = seated(players)
    game = apply_all(game, seating.start_round(game, 0))
    return apply_all(game, seating.deal(game))


def french(*hands, **kwargs):
    return scene(*hands, rules=RULES, **kwargs)


def test_F1_two_to_eight_players():
    for players in range(2, 9):
        assert len(seated(players).players) == players
    with pytest.raises(IllegalMoveError):
        seated(1)


def test_F2_a_set_of_91_or_55_tiles():
    assert (len(RULES.tile_set), len(TileSet(9))) == (91, 55)
    assert seated(2, RULES.replace(max_pip=9)).engines[0] == t("9-9")


def test_F3_a_station_and_a_marker_for_each_player():
    state = table(dealt(4))
    assert state.engine == t("12-12")
    assert [(train.owner, train.marker) for train in state.trains[:4]] == [(seat, False) for seat in range(4)]


def test_F4_equal_numbers_join():
    game = french("12-5 5-7 3-4", "1-1")
    assert plays(game) == {("5-12", 0), ("5-12", None)}
    assert codes(game, lay(0, "3-4", 0)) == [Code.DOES_NOT_MATCH]


def test_F5_the_double_twelve_in_the_station_starts_all_trains():
    game = dealt(3)
    assert all(train.tail(table(game).engine) == 12 for train in table(game).trains)


@pytest.mark.parametrize(("players", "size"), [(2, 15), (3, 15), (4, 15), (5, 12), (6, 12), (7, 10), (8, 10)])
def test_F6_hands_and_boneyard(players, size):
    state = table(dealt(players))
    assert [held.count for held in state.hands] == [size] * players
    assert state.boneyard == 91 - 1 - players * size


@pytest.mark.parametrize("n", [12, 9])
def test_F7_rounds_go_down_to_the_double_blank(n):
    game = seated(2, RULES.replace(max_pip=n))
    for pips in range(n, -1, -1):
        assert not game.ended
        game = apply_all(game, seating.start_round(game))
        assert table(game).engine == Tile(pips, pips)
        game = apply_all(game, end_round(game, EndReason.CALLED))
        for seat in (0, 1):
            game = apply_all(game, counting.count_hand(game, seat, 1))
    assert game.ended


def test_F8_clockwise():
    game = french("12-1 0-0", "12-2 0-1", "12-3 0-2")
    order = []
    for seat, tile in enumerate(("12-1", "12-2", "12-3")):
        order.append(table(game).to_act)
        game = play(game, lay(seat, tile, seat))
    assert [*order, table(game).to_act] == [0, 1, 2, 0]


def test_F9_own_train_mexican_train_or_an_open_one():
    game = french("12-1 0-0", "12-2", "12-3", markers=[2])
    assert {train for _, train in plays(game)} == {0, 2, None}
    assert codes(game, lay(0, "12-1", 1)) == [Code.TRAIN_CLOSED]


def test_F10_who_cannot_draws():
    game = french("1-2", "12-2 0-0")
    assert kinds(game) == {"Draw"}
    fits = play(game, Draw(0, t("12-4")))
    assert (kinds(fits), codes(fits, Pass(0))) == ({"Play"}, [Code.MUST_PLAY_DRAWN])
    kept = play(game, Draw(0, t("1-1")), Pass(0))
    assert (hand(kept, 0).count, table(kept).trains[0].marker) == (2, True)
    assert ("2-12", 0) in plays(kept)


def test_F11_the_marker_comes_off_on_the_own_train():
    game = french("12-1 0-0", "12-2", markers=[0])
    assert not table(play(game, lay(0, "12-1", 0))).trains[0].marker
    assert table(play(game, lay(0, "12-1", None))).trains[0].marker


def test_F12_a_double_asks_for_a_second_tile_anywhere_and_a_second_double_for_a_third():
    game = french("5-5 8-8 5-1 8-2 0-0", "3-4", trains={0: "12-5", None: "12-8"})
    game = play(game, lay(0, "5-5", 0))
    assert plays(game) == {("1-5", 0), ("8-8", None), ("2-8", None)}
    assert outlook(game).cover == ()  # nothing must be covered first
    game = play(game, lay(0, "8-8", None))
    assert (table(game).to_act, plays(game)) == (0, {("1-5", 0), ("2-8", None)})
    game = play(game, lay(0, "5-1", 0))
    assert (table(game).to_act, table(game).open_doubles) == (1, ())


def test_F13_the_next_player_must_play_on_the_double():
    game = french("5-5 1-1", "12-3 4-6", "5-9 0-0", trains={0: "12-5"})
    game = play(game, lay(0, "5-5", 0), Draw(0, t("1-2")), Pass(0))
    assert (kinds(game), Code.MUST_COVER_OPEN_DOUBLE in codes(game, lay(1, "12-3", 1))) == ({"Draw"}, True)
    laid = play(game, Draw(1, t("5-6")))
    assert plays(laid) == {("5-6", 0)}
    game = play(game, Draw(1, t("2-2")), Pass(1))
    assert (table(game).trains[1].marker, plays(game)) == (True, {("5-9", 0)})


def test_F14_out_or_blocked():
    out = play(french("12-1", "3-4"), lay(0, "12-1", 0))
    out = apply_all(out, counting.count_known_hands(out))
    assert scoring.sheet(out)[0].points == (0, 7)
    blocked = play(french("1-2", "3-4", boneyard="", markers=[0, 1]), Pass(0), Pass(1))
    blocked = apply_all(blocked, counting.count_known_hands(blocked))
    assert blocked.round.ended is EndReason.BLOCKED
    assert (scoring.sheet(blocked)[0].points, scoring.sheet(blocked)[0].winners) == ((3, 7), (0,))


def test_F15_both_numbers_of_all_tiles_added_to_earlier_rounds():
    game = seated(2, RULES.replace(rounds=2))
    for left in (((), ("12-11", "0-3")), (("1-1",), ())):
        game = apply_all(game, seating.start_round(game))
        game = apply_all(game, end_round(game, EndReason.CALLED))
        for seat, tiles in enumerate(left):
            game = apply_all(game, counting.count_hand(game, seat, tiles=[t(tile) for tile in tiles]))
    assert [row.total for row in scoring.standings(game)] == [2, 26]
    assert scoring.winners(game) == (0,)
