"""What backs and markers tell: whose they are, and what is not believed."""

from dataclasses import replace
from math import cos, sin

import pytest

from companion.app.following import Tally, known_engine
from companion.app.session import GameSession
from companion.app.table_counts import Counts, count
from companion.app.table_evidence import evidence, settled, unsettled
from companion.app.table_match import sight
from companion.app.table_proposal import Standing
from companion.app.table_repair import counted_anew
from companion.rules.events import EngineLaid, GameStarted, HandDealt, HandSeen, RoundStarted, TileDrawn, TurnPassed
from companion.rules.fold import advance, apply_all
from companion.rules.house_rules import EngineOrder, EngineSource, HouseRules, Starter
from companion.rules.moves import Draw, LayEngine, Pass
from companion.rules.state import Game
from companion.vision.readings import TableReading, TileBox
from tests.app.memory_store import MemoryStore
from tests.app.table_readings import Faults, box
from tests.app.table_scene import Scene, t


def counted(scene: Scene, reading: TableReading) -> Counts:
    table = scene.session.game.table
    assert table is not None
    return count(scene.session.game, sight(table, scene.following.sides, reading), reading, scene.following)


def at(scene: Scene, angle: float, radius: float, size: float = 20.0) -> TileBox:
    return box(1000 + radius * cos(angle), 800 + radius * sin(angle), angle, size, size)


def test_a_part_of_the_boneyard_before_a_player_whose_hand_stands_is_no_hand() -> None:
    scene = Scene()
    scene.painter.faults = Faults(markers=False)
    table = scene.truth.table
    assert table is not None
    whole = scene.reading()
    boneyard = whole.face_down[: table.boneyard - 11]
    before_1 = scene.painter._pile(scene.painter.sides[1], 1300.0, 11)
    lying = [each for seat in (0, 2) for each in scene.painter._pile(scene.painter.sides[seat], 1300.0, 12)]
    seen = counted(scene, replace(whole, face_down=(*boneyard, *before_1, *lying)))
    assert dict(seen.hands) == {0: 12, 2: 12}
    assert seen.boneyard == table.boneyard


def test_a_hand_that_lay_there_lies_there_after_many_draws_that_nobody_recorded() -> None:
    scene = Scene()
    for _ in range(4):
        scene.settle()
    for seat in (0, 1, 2, 0, 1, 2):
        scene.out_of_hand(seat)
    seen = counted(scene, scene.reading())
    assert dict(seen.hands) == {0: 14, 1: 14, 2: 14}


def without_hand_of_0(scene: Scene) -> TableReading:
    """What is seen while the hand of player 0 stands, and those of 1 and 2 lie."""
    table, whole = scene.truth.table, scene.reading()
    assert table is not None
    piles = (scene.painter._pile(scene.painter.sides[seat], 1300.0, table.hands[seat].count) for seat in (1, 2))
    return replace(whole, face_down=(*whole.face_down[: table.boneyard], *(each for pile in piles for each in pile)))


def test_what_lies_where_a_hand_lay_is_that_hand_though_the_log_would_have_it_in_the_boneyard() -> None:
    scene = Scene(hands=3)
    for seat, tile in enumerate(("12-5", "12-6", "12-7")):
        scene.settle(without_hand_of_0(scene))
        scene.play(seat, tile, seat)
    for seat, tile in enumerate(("5-1", "6-1", "7-1")):
        scene.play(seat, tile, seat)
        scene.settle(without_hand_of_0(scene))
    assert [hand.count for hand in scene.session.game.table.hands] == [1, 1, 1]
    scene.out_of_hand(0)
    scene.out_of_hand(1)
    reading = without_hand_of_0(scene)
    seen = counted(scene, reading)
    assert dict(seen.hands) == {1: 2, 2: 1}
    scene.following = replace(scene.following, hand_places=((1, (0.0, 90.0)), (2, (1.0, 90.0))))
    assert counted(scene, reading).boneyard is not None, "the camera was moved: hands are told by the counts again"


@pytest.mark.parametrize("radius", [110.0, 180.0, 260.0])
def test_a_marker_on_the_way_of_a_train_without_tiles_is_its_owners(radius: float) -> None:
    scene = Scene()
    scene.play(0, "12-5", 0)
    reading = scene.reading()
    seen = counted(scene, replace(reading, markers=(at(scene, scene.painter.sides[1] + 0.05, radius),)))
    assert seen.markers == {1}
    assert not seen.markers_blind


def test_a_marker_between_two_trains_is_nobodys_for_sure() -> None:
    scene = Scene()
    scene.play(0, "12-5", 0)
    between = (scene.painter.sides[0] + scene.painter.sides[1]) / 2
    reading = replace(scene.reading(), markers=(at(scene, between, 160.0),))
    seen = counted(scene, reading)
    assert seen.markers == frozenset()
    assert {0, 1} <= seen.markers_blind
    table = scene.session.game.table
    assert table is not None
    told = evidence(seen, scene.following, table)
    assert not {seat for seat, _ in told.markers} & {0, 1}
    assert told.marker_total == 1


def test_what_may_be_a_marker_tells_neither_that_it_is_on_nor_that_it_is_off() -> None:
    scene = Scene()
    scene.play(0, "12-5", 0)
    maybe = at(scene, scene.painter.sides[1], 160.0)
    sure = at(scene, scene.painter.sides[2], 160.0)
    seen = counted(scene, replace(scene.reading(), markers=(sure,), faint=(maybe,)))
    assert seen.markers == {2}
    table = scene.session.game.table
    assert table is not None
    told = evidence(seen, scene.following, table)
    assert dict(told.markers) == {0: False, 2: True}
    assert told.marker_total is None


def test_what_the_boneyard_lacks_and_a_hand_has_more_was_drawn_though_neither_was_counted_before() -> None:
    scene = Scene()
    scene.painter.faults.hands = False
    scene.out_of_hand(0)
    reading = scene.reading()
    table = scene.truth.table
    assert table is not None
    lying = scene.painter._pile(scene.painter.sides[0], 1300.0, 13)
    scene.following = replace(scene.following, boneyard=Tally(-2, 1, 1, shaken=True))
    seen = counted(scene, replace(reading, face_down=(*reading.face_down, *lying)))
    assert seen.balanced
    assert not seen.complete
    logged = scene.session.game.table
    assert logged is not None
    told = evidence(seen, scene.following, logged)
    assert told.boneyard == table.boneyard == logged.boneyard - 1
    assert dict(told.hands) == {0: 13}


def test_many_who_draw_and_pass_are_believed_and_not_taken_for_a_count_that_is_off() -> None:
    scene = Scene(players=5)
    scene.painter.faults.hands = False
    scene.settle()
    for seat in range(4):
        for move in (Draw(seat), Pass(seat)):
            _, scene.truth = advance(scene.truth, move)
            scene.settle()
    scene.settle()  # twice the same: how the table is seen from here, if nothing explained it
    scene.play(4, "12-3", 2)
    assert scene.settle().standing is Standing.SAME
    assert scene.plays() == [(4, "3-12", 2)]


@pytest.mark.parametrize("draws", range(5))
def test_R_ENG_2_hands_that_lie_tell_how_many_drew_for_the_engine_and_who_laid_it(draws: int) -> None:
    rules = HouseRules(engine_source=EngineSource.HOLDER_LAYS, starter=Starter.ENGINE_HOLDER)
    dealt = [HandDealt(seat, 12) for seat in range(3)]
    opening = [GameStarted(rules, ("A", "B", "C")), RoundStarted(1), *dealt]
    scene = Scene(looks=2)
    scene.session, scene.truth = GameSession.create(MemoryStore(), opening), apply_all(Game(), opening)
    table = scene.truth.table
    assert table is not None
    assert table.to_act is not None
    layer = (table.to_act + draws - 1) % 3 if draws else 2
    for k in range(draws):
        _, scene.truth = advance(scene.truth, Draw((table.to_act + k) % 3))
    _, scene.truth = advance(scene.truth, LayEngine(layer, t("12-12")))
    found = scene.settle()
    best = found.question.alternatives[0].draft if found.question else None  # he may have laid it before he drew
    told = scene.session.events[len(opening) :] if best is None else best.events
    kinds = [type(event) for event in told]
    assert kinds == [TileDrawn] * draws + [EngineLaid]
    assert told[-1].seat == layer


def test_a_play_that_the_players_own_hand_contradicts_is_asked_about() -> None:
    scene = Scene(looks=2)
    for _ in range(3):
        scene.settle(without_hand_of_0(scene))
    scene.play(0, "12-3", 0)
    scene.settle(without_hand_of_0(scene))
    scene.play(0, "12-4", None, "house")  # it is the turn of 1, whose hand lies there as before
    asked = scene.settle(without_hand_of_0(scene)).question
    assert asked is not None
    assert [(play.seat, str(play.tile)) for play in asked.alternatives[0].plays] == [(1, "4-12")]
    scene.following = asked.alternatives[-1].following
    scene.settle(without_hand_of_0(scene))
    assert scene.plays() == [(0, "3-12", 0)], "after a no nothing odd is recorded without a question"


def test_a_boneyard_that_grows_is_a_tile_that_stands() -> None:
    scene = Scene()
    table = scene.session.game.table
    assert table is not None
    following = replace(scene.following, boneyard=Tally(0, 5, 1))
    more = Counts(boneyard=table.boneyard + 1)
    assert evidence(more, following, table).boneyard is None
    assert settled(following, table, more).boneyard == Tally(0, 5, 1)


def test_the_engine_that_is_due_is_known_before_it_lies() -> None:
    def begun(rules: HouseRules) -> Game:
        return apply_all(Game(), [GameStarted(rules, ("A", "B")), RoundStarted(1), HandDealt(0, 15), HandDealt(1, 15)])

    assert known_engine(Game()) is None
    descending = HouseRules(engine_source=EngineSource.HOLDER_LAYS, starter=Starter.ENGINE_HOLDER)
    assert known_engine(begun(descending)) == t("12-12")
    assert known_engine(begun(replace(descending, engine=EngineOrder.HIGHEST_DOUBLE))) is None
    assert known_engine(Scene().session.game) == t("12-12")


def test_a_boneyard_that_is_always_off_by_one_is_not_right_all_at_once() -> None:
    scene = Scene()
    table = scene.session.game.table
    assert table is not None
    following = replace(scene.following, boneyard=Tally(1, 8, 1, shaken=True))
    hands = tuple((seat, 12) for seat in table.participants)
    drawn = Counts(boneyard=table.boneyard, hands=hands, balanced=True)
    assert evidence(drawn, following, table).boneyard == table.boneyard - 1


def test_no_hand_has_fewer_tiles_than_none() -> None:
    scene = Scene()
    table = scene.session.game.table
    assert table is not None
    few = replace(table, hands=tuple(replace(hand, count=1) for hand in table.hands))
    following = replace(scene.following, hands=((1, Tally(1, 8, 1)),))
    assert evidence(Counts(hands=((2, 1),)), following, few).hand(1) == 0


def test_a_marker_that_was_missed_before_is_no_sign_when_it_is_missed_again() -> None:
    """A small or dark one is missed for long."""
    scene = Scene()
    scene.out_of_hand(0)
    scene.session.commit(scene.session.draft(TileDrawn(0), TurnPassed(0)))
    table = scene.session.game.table
    assert table is not None
    assert table.trains[0].marker
    unseen = Counts(markers=frozenset())
    assert dict(evidence(unseen, scene.following, table).markers)[0] is False
    missed = unsettled(scene.following, table, unseen)
    hidden = settled(missed, table, Counts(markers=frozenset(), markers_blind=frozenset({0})))
    for memory in (missed, hidden):
        assert 0 not in dict(evidence(unseen, memory, table).markers)
        assert dict(evidence(Counts(markers=frozenset({0})), memory, table).markers)[0]
    seen = settled(missed, table, Counts(markers=frozenset({0})))
    assert dict(evidence(unseen, seen, table).markers)[0] is False


def test_what_a_hand_has_more_than_an_empty_boneyard_can_give_the_log_gave_to_the_fullest_hand() -> None:
    scene = Scene()
    empty = apply_all(scene.session.game, (HandSeen(0, (), 66), HandSeen(1, (), 1), HandSeen(2, (), 12 + 11)))
    assert empty.table is not None
    assert empty.table.boneyard == 0
    after = apply_all(empty, counted_anew(empty, 1, 4)).table
    assert after is not None
    assert (after.boneyard, [hand.count for hand in after.hands]) == (0, [63, 4, 23])
    few = apply_all(empty, (HandSeen(0, (), 1), HandSeen(2, (), 1)))
    assert few.table is not None
    none = replace(few, rounds=(replace(few.round, table=replace(few.table, boneyard=0)),))
    assert counted_anew(none, 1, 2) == ()
