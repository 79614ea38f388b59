"""R-SET, R-PLAYER, R-ENG, R-ROUND, R-DEAL, R-START: before a tile is laid."""

from random import Random

import pytest

from companion.app.simulation import Simulator, Strategy
from companion.errors import IllegalMoveError, UsageError
from companion.rules import counting, seating
from companion.rules.events import HandDealt, PlayerLeft, RoundStarted
from companion.rules.fold import apply_all, replay
from companion.rules.house_rules import HouseRules, Preset
from companion.rules.moves import Draw, LayEngine, Pass
from companion.rules.moves import ViolationCode as Code
from companion.rules.scoring import standings, total
from companion.rules.state import EndReason, Game, LeavingHand, Phase
from companion.rules.table import end_round
from companion.rules.tiles import Tile, TileSet
from tests.rules.scene import codes, hand, kinds, lay, play, refused, scene, t, table, ts


def seated(players: int = 3, missing: str = "", **options: object) -> Game:
    rules = HouseRules.from_dict(options)
    return apply_all(
        Game(), seating.start_game(rules, list("ABCDEFGHIJKLMNOPQRS"[:players]), missing_tiles=ts(missing))
    )


def violations(error: pytest.ExceptionInfo[IllegalMoveError]) -> dict[Code, dict[str, object]]:
    return {violation.code: violation.params for violation in error.value.violations}


def scored(game: Game, *points: int | None, reason: EndReason = EndReason.CALLED) -> Game:
    """One more round of a game of which only the score is kept."""
    game = apply_all(game, seating.start_round(game))
    game = apply_all(game, end_round(game, reason))
    for seat, value in enumerate(points):
        if value is not None:
            game = apply_all(game, counting.count_hand(game, seat, value))
    return game


@pytest.mark.parametrize(("n", "count"), [(6, 28), (9, 55), (12, 91), (15, 136), (18, 190)])
def test_R_SET_1_a_set_holds_every_pair_once(n, count):
    tiles = TileSet(n).tiles
    assert len(tiles) == len(set(tiles)) == count == len(TileSet(n))
    assert {(tile.low, tile.high) for tile in tiles} == {(a, b) for a in range(n + 1) for b in range(a, n + 1)}
    assert codes(scene("3-4", "5-6", max_pip=9, engine="9-9"), lay(0, "9-10", 0))[0] is Code.NOT_IN_SET


def test_R_SET_2_a_tile_is_in_one_place():
    game = scene("12-3 4-5", "12-7 1-1", trains={None: "12-8"})
    assert Code.TILE_ON_TABLE in codes(game, lay(0, "12-8", 0))
    assert codes(game, lay(0, "12-7", 0)) == [Code.NOT_IN_HAND, Code.IN_OTHER_HAND]
    assert codes(game, lay(0, "12-9", 0)) == [Code.NOT_IN_HAND]
    with pytest.raises(IllegalMoveError) as error:
        seating.deal(apply_all(seated(), seating.start_round(seated(), 0)), {0: ts("3-4"), 1: ts("3-4")})
    assert Code.TILE_TWICE in violations(error)


def test_R_SET_3_two_to_fourteen_players_as_long_as_the_deal_fits():
    for players in (1, 15):
        with pytest.raises(IllegalMoveError) as error:
            seated(players)
        assert violations(error) == {Code.PLAYER_COUNT: {"players": players, "least": 2, "most": 14}}
    assert len(seated(14, hand_size=6).players) == 14
    with pytest.raises(IllegalMoveError) as error:
        seated(14, hand_size=7)
    assert violations(error)[Code.DEAL_TOO_LARGE]["largest"] == 6
    assert seated(8).order == tuple(range(8))
    with pytest.raises(UsageError):
        seating.start_game(HouseRules(), ["Ann", " ann "])


def test_R_SET_4_lost_tiles_are_nowhere_and_every_count_allows_for_them():
    game = seated(2, missing="3-5 12-12 0-1")
    assert game.tile_count == 88
    assert game.engines[0] == t("11-11")
    assert game.planned_rounds == 12
    game = apply_all(game, seating.start_round(game, 0))
    assert table(game).engine == t("11-11")
    game = apply_all(game, seating.deal(game))
    assert table(game).boneyard == 88 - 1 - 30
    assert Code.TILE_LOST in codes(game, lay(0, "3-5", 0))
    with pytest.raises(IllegalMoveError) as error:
        seated(2, missing="3-5 3-5")
    assert Code.TILE_TWICE in violations(error)


def test_R_PLAYER_1_leaving_between_rounds_keeps_the_scores():
    game = scored(scored(seated(3, starter="chosen"), 10, 20, 30), 5, 5, 5)
    game = apply_all(game, seating.leave(game, 1, ranked=False))
    assert (game.order, game.players[1].left) == ((0, 2), 3)
    assert [(row.seat, row.rank, row.total) for row in standings(game)] == [(0, 1, 15), (2, 2, 35), (1, None, 25)]
    ranked = apply_all(scored(seated(3), 1, 2, 3), [PlayerLeft(0)])
    assert [row.rank for row in standings(ranked)] == [1, 2, 3]
    game = apply_all(game, seating.start_round(game))
    assert table(game).participants == (0, 2)


def test_R_PLAYER_1_leaving_during_a_round():
    game = scene("12-3 4-5", "1-1 2-2", "7-8 12-5", to_act=1)
    before = table(game).boneyard
    gone = apply_all(game, seating.leave(game, 1))
    assert table(gone).boneyard == before + 2
    assert (table(gone).to_act, table(gone).seats, gone.order) == (2, (0, 2), (0, 2))
    assert gone.round.missing == (0, 2)
    counted = apply_all(game, seating.leave(game, 1, LeavingHand.COUNTED))
    assert table(counted).boneyard == before
    assert counted.round.score(1).points == 6
    hidden = scene("12-3", 4, to_act=1)
    open_score = apply_all(hidden, seating.leave(hidden, 1, LeavingHand.COUNTED))
    assert 1 in open_score.round.missing


def test_R_PLAYER_1_leaving_before_the_engine_lies():
    game = seated(3, engine_source="holder_lays", hand_size=2)
    game = apply_all(game, seating.start_round(game, 1))
    game = apply_all(game, seating.deal(game, {0: ts("0-1 0-2"), 1: ts("12-12 3-4"), 2: ts("5-5 5-6")}))
    game = apply_all(game, seating.leave(game, 1, LeavingHand.COUNTED))
    assert hand(game, 1).count == 0  # the engine was in that hand, so it went back to the boneyard
    assert table(game).to_act == 2
    game = play(game, Draw(2, t("12-12")), LayEngine(2, t("12-12")))
    assert table(game).to_act == 2  # the starter has left: the next one begins


@pytest.mark.parametrize(("rule", "points"), [("highest", 35), ("zero", 0)])
def test_R_PLAYER_1_a_late_joiner_starts_high_or_at_zero(rule, points):
    game = scored(scored(seated(3, late_joiner=rule), 10, 20, 30), 5, 5, 5)
    game = apply_all(game, seating.join(game, "Zoe", after=0))
    assert game.order == (0, 3, 1, 2)
    assert total(game, 3) == points
    game = apply_all(game, seating.start_round(game))
    assert table(game).participants == (0, 3, 1, 2)
    assert 3 not in game.rounds[0].missing


def test_R_ENG_1_engines_descend_from_the_highest_double():
    game = seated(2, max_pip=9)
    for pips in range(9, -1, -1):
        game = apply_all(game, seating.start_round(game, 0 if game.round is None else None))
        assert table(game).engine == Tile(pips, pips)
        game = apply_all(game, end_round(game, EndReason.CALLED))
        for seat in (0, 1):
            game = apply_all(game, counting.count_hand(game, seat, 3))
    assert game.ended
    with pytest.raises(IllegalMoveError) as error:
        seating.start_round(seated(2), 0, t("9-9"))
    assert violations(error) == {Code.WRONG_ENGINE: {"tile": t("9-9"), "due": t("12-12")}}


def highest_double(**options: object) -> Game:
    options = {"engine": "highest_double", "engine_source": "holder_lays", "starter": "engine_holder"} | options
    game = seated(2, hand_size=2, **options)
    return apply_all(game, seating.start_round(game))


def test_R_ENG_1_highest_double_that_anybody_holds():
    game = highest_double()
    game = apply_all(game, seating.deal(game, {0: ts("9-9 11-12"), 1: ts("10-10 3-4")}))
    assert table(game).phase is Phase.ENGINE
    assert codes(game, LayEngine(0, t("9-9"))) == [Code.WRONG_ENGINE]
    assert codes(game, LayEngine(0, t("11-12"))) == [Code.WRONG_ENGINE]
    game = play(game, LayEngine(1, t("10-10")))
    assert (table(game).engine, table(game).to_act, game.round.starter) == (t("10-10"), 1, 1)
    game = apply_all(game, end_round(game, EndReason.CALLED))
    for seat in (0, 1):
        game = apply_all(game, counting.count_hand(game, seat, tiles=sorted(hand(game, seat).known)))
    game = apply_all(game, seating.start_round(game))
    game = apply_all(game, seating.deal(game, {0: ts("9-9 11-12"), 1: ts("10-10 3-4")}))
    assert codes(game, LayEngine(1, t("10-10"))) == [Code.ENGINE_USED]
    assert codes(game, LayEngine(0, t("9-9"))) == []


def test_R_ENG_2_set_aside_or_laid_by_its_holder():
    aside = apply_all(seated(2), seating.start_round(seated(2), 0))
    assert table(aside).engine == t("12-12")
    game = seated(2, engine_source="holder_lays", hand_size=2)
    game = apply_all(game, seating.start_round(game, 0))
    assert table(game).engine is None
    game = apply_all(game, seating.deal(game, {0: ts("9-9 11-12"), 1: ts("12-12 3-4")}))
    assert codes(game, Draw(0)) == [Code.ENGINE_HELD]
    assert codes(game, LayEngine(0, t("9-9"))) == [Code.WRONG_ENGINE]
    assert codes(game, lay(0, "11-12", 0)) == [Code.NOT_NOW]
    game = play(game, LayEngine(1, t("12-12")))
    assert (table(game).phase, table(game).to_act, hand(game, 1).count) == (Phase.PLAYING, 0, 1)


def test_R_ENG_2_nobody_holds_it_draw_in_turn():
    game = seated(3, engine_source="holder_lays", hand_size=1)
    game = apply_all(game, seating.start_round(game, 1))
    game = apply_all(game, seating.deal(game, {0: ts("0-1"), 1: ts("0-2"), 2: ts("0-3")}))
    game = play(game, Draw(1, t("5-6")))
    assert table(game).to_act == 2
    game = play(game, Draw(2, t("12-12")))
    assert kinds(game) == {"LayEngine"}
    assert table(play(game, LayEngine(2, t("12-12")))).to_act == 1


def test_R_ENG_2_nobody_holds_it_draw_all_at_once():
    game = seated(3, engine_source="holder_lays", engine_draw="all_at_once", hand_size=1)
    game = apply_all(game, seating.start_round(game, 0))
    game = apply_all(game, seating.deal(game, {0: ts("0-1"), 1: ts("0-2"), 2: ts("0-3")}))
    game = play(game, Draw(0, t("12-12")))
    assert codes(game, LayEngine(0, t("12-12"))) == [Code.ENGINE_WAVE]
    game = play(game, Draw(1, t("5-6")), Draw(2, t("5-7")))
    assert codes(game, Draw(0)) == [Code.ENGINE_HELD]
    assert codes(game, LayEngine(0, t("12-12"))) == []


@pytest.mark.parametrize(("n", "rounds"), [(6, 7), (9, 10), (12, 13), (15, 16), (18, 19)])
def test_R_ROUND_1_one_round_for_each_double(n, rounds):
    assert seated(2, max_pip=n, hand_size=3).planned_rounds == rounds


def test_R_ROUND_1_a_shorter_game_is_over_after_its_rounds():
    game = seated(2, rounds=2, starter="chosen")
    game = scored(scored(game, 4, 0), 0, 9)
    assert game.ended
    assert [(row.seat, row.rank) for row in standings(game)] == [(0, 1), (1, 2)]
    with pytest.raises(IllegalMoveError) as error:
        seating.start_round(game, 0)
    assert Code.NO_ROUND_LEFT in violations(error)


@pytest.mark.parametrize(
    ("table_name", "max_pip", "sizes"),
    [
        ("standard", 12, {2: 15, 4: 15, 5: 12, 6: 12, 7: 10, 8: 10, 9: None}),
        ("standard", 9, {2: 12, 3: 11, 4: 10, 5: 8, 6: 8, 7: 7, 8: 6, 9: None}),
        ("standard", 15, {2: 15, 4: 15, 5: 12, 6: 12, 7: 11, 8: 11}),
        ("standard", 18, {2: 16, 4: 16, 5: 14, 6: 14, 7: 12, 8: 12}),
        ("standard", 6, {2: None}),
        ("pagat", 12, {4: 15, 6: 12, 8: 10, 9: 8, 10: 8, 11: None}),
        ("cardinal", 12, {4: 15, 6: 12, 8: 11}),
        ("box", 12, {4: 15, 6: 11, 8: 8}),
        ("idaho", 12, {2: 16, 3: 15, 4: 14, 5: 13, 6: 12, 7: 11, 8: 10}),
        ("ask", 12, {2: None, 8: None}),
    ],
)
def test_R_DEAL_1_hand_sizes(table_name, max_pip, sizes):
    rules = HouseRules.from_dict({"hand_table": table_name, "max_pip": max_pip})
    assert {players: rules.hand_for(players) for players in sizes} == sizes
    for players, size in sizes.items():
        if size is not None:
            assert players * size + 1 <= len(rules.tile_set)
    assert all(rules.replace(hand_size=size).hand_for(4) == size for size in range(1, 14))


def test_R_DEAL_1_the_size_must_be_agreed_before_round_one():
    game = apply_all(Game(), seating.start_game(HouseRules.preset("meksikanskij-poezd"), ["A", "B"]))
    with pytest.raises(IllegalMoveError) as error:
        seating.start_round(game, 0)
    assert violations(error)[Code.UNANSWERED]["options"] == ("hand_size", "double_blank_points")
    game = apply_all(game, seating.agree(game, game.rules.replace(hand_size=9, double_blank_points=50)))
    game = apply_all(game, seating.start_round(game, 0))
    assert [event.count for event in seating.deal(game) if isinstance(event, HandDealt)] == [9, 9]
    with pytest.raises(IllegalMoveError) as error:
        seating.agree(game, game.rules.replace(hand_size=10))
    assert Code.RULES_FIXED in violations(error)
    with pytest.raises(IllegalMoveError) as error:
        seating.deal(game, counts={0: 8})
    assert violations(error)[Code.HAND_SIZE] == {"seat": 0, "count": 8, "expected": 9}
    assert seating.deal(game, counts={0: 8}, ruling="she miscounted")[0].ruling.overruled == (Code.HAND_SIZE,)


def test_R_DEAL_2_a_deal_that_does_not_fit_names_the_largest_hand():
    with pytest.raises(IllegalMoveError) as error:
        seating.start_game(HouseRules(max_pip=9, hand_size=15), list("ABCD"))
    expected = {"hand": 15, "players": 4, "tiles": 55, "largest": 13}
    assert violations(error) == {Code.DEAL_TOO_LARGE: expected}
    with pytest.raises(IllegalMoveError) as error:
        seating.start_game(HouseRules(hand_size=11), list("ABCDEFGH"), missing_tiles=ts("0-1 0-2 0-3"))
    assert violations(error)[Code.DEAL_TOO_LARGE]["largest"] == 10
    assert seating.start_game(HouseRules(hand_size=11), list("ABCDEFGH"))


def starters(game: Game, *points: tuple[int, ...], first: int | None = 1) -> list[int | None]:
    """Who starts each round, when these are the scores of the rounds before."""
    found = []
    for scores in points:
        (event,) = seating.start_round(game, first if not game.rounds else None)
        assert isinstance(event, RoundStarted)
        found.append(event.starter)
        game = apply_all(apply_all(game, [event]), end_round(apply_all(game, [event]), EndReason.CALLED))
        for seat, value in enumerate(scores):
            game = apply_all(game, counting.count_hand(game, seat, value))
    return found


def test_R_START_1_who_starts():
    rounds = ((5, 6, 0), (5, 0, 9), (5, 5, 5), (1, 2, 3))
    assert starters(seated(3, starter="rotate"), *rounds) == [1, 2, 0, 1]
    assert starters(seated(3, starter="round_winner"), *rounds) == [1, 2, 1, None]
    assert starters(seated(3, starter="chosen"), *rounds) == [1, None, None, None]
    holder = seated(3, starter="engine_holder", engine_source="holder_lays")
    assert starters(holder, *rounds, first=None) == [None] * 4


def test_R_START_1_the_table_says_who_starts_where_the_rules_do_not():
    game = seated(3)
    game = apply_all(game, seating.start_round(game))
    with pytest.raises(IllegalMoveError) as error:
        seating.deal(game)
    assert Code.STARTER_NEEDED in violations(error)
    game = scored(seated(3), 1, 2, 3)
    second = apply_all(seated(3), seating.start_round(seated(3), 0))
    second = apply_all(second, end_round(second, EndReason.CALLED))
    for seat in range(3):
        second = apply_all(second, counting.count_hand(second, seat, 4))
    with pytest.raises(IllegalMoveError) as error:
        seating.start_round(second, 0)
    assert violations(error) == {Code.WRONG_STARTER: {"seat": 0, "due": 1}}
    (event,) = seating.start_round(second, 0, ruling="B is in the kitchen")
    assert (event.starter, event.ruling.overruled) == (0, (Code.WRONG_STARTER,))


def test_R_START_1_rotation_skips_those_who_left():
    game = seated(4)
    game = apply_all(game, seating.start_round(game, 1))
    game = apply_all(game, end_round(game, EndReason.CALLED))
    for seat in range(4):
        game = apply_all(game, counting.count_hand(game, seat, 4))
    game = apply_all(game, [PlayerLeft(1), PlayerLeft(2)])
    assert seating.due_starter(game) == 3


def test_presets_play_a_whole_game():
    for preset in Preset:
        rules = HouseRules.preset(preset)
        if rules.unanswered(3):
            rules = rules.replace(hand_size=9, double_blank_points=50)
        simulator = Simulator(rules.replace(rounds=2), list("ABC"), [Strategy.HEAVIEST] * 3, Random(1))
        game = simulator.play_game()
        assert game.ended
        assert game == replay(simulator.events)


def test_a_round_cannot_start_before_the_last_is_over():
    game = scene("12-3", "4-5")
    assert refused(game, Pass(0)) == [Code.MUST_PLAY, Code.MUST_DRAW]
    with pytest.raises(IllegalMoveError) as error:
        seating.start_round(game)
    assert Code.ROUND_UNFINISHED in violations(error)
