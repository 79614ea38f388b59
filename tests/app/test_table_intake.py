"""What a reading of the table becomes, situation by situation."""

from dataclasses import replace
from math import pi

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.app.following import known_chains
from companion.app.session import GameSession
from companion.app.table_asking import which_question
from companion.app.table_counts import Counts
from companion.app.table_evidence import evidence
from companion.app.table_hypotheses import Hypothesis
from companion.app.table_intake import Answer, Ask, Caution, Standing, _Look
from companion.app.table_repair import Base
from companion.app.table_repair import misread as read_otherwise
from companion.app.table_search import Explanation
from companion.app.table_talk import answer_line, notice_line, question_lines
from companion.rules.events import GameStarted, HandDealt, Retracted, RoundStarted, TileDrawn, TilePlayed, TurnPassed
from companion.rules.fold import advance, apply_all
from companion.rules.history import effective
from companion.rules.house_rules import EngineSource, HouseRules, Starter
from companion.rules.legality import check
from companion.rules.moves import LayEngine, Play
from companion.rules.state import Game
from companion.rules.tiles import Tile
from companion.text import Language
from companion.vision.readings import Doubt, HalfReading, LaidTile, TableReading
from tests.app.memory_store import MemoryStore
from tests.app.table_readings import WIDTH, Faults, box
from tests.app.table_scene import Scene, t


def started(**how):
    scene = Scene(**how)
    scene.play(0, "3-12", 0)
    scene.play(1, "5-12", 1)
    scene.play(2, "7-12", 2)
    scene.settle()
    return scene


def test_tiles_are_told_to_their_players():
    assert started().plays() == [(0, "3-12", 0), (1, "5-12", 1), (2, "7-12", 2)]


def test_a_double_and_its_cover_in_one_photo():
    scene = started()
    scene.play(0, "3-3", 0)
    scene.play(0, "3-9", 0)
    scene.settle()
    assert scene.plays()[3:] == [(0, "3-3", 0), (0, "3-9", 0)]
    assert scene.session.game.table.to_act == 1


def test_several_turns_missed_with_a_pass_among_them():
    scene = started()
    scene.play(0, "3-9", 0)
    scene.out_of_hand(1)
    scene.play(2, "0-7", 2)
    scene.play(0, "9-10", 0)
    scene.settle()
    assert scene.plays()[3:] == [(0, "3-9", 0), (2, "0-7", 2), (0, "9-10", 0)]
    assert TurnPassed(1) in scene.session.events
    assert scene.session.game.table.trains[1].marker


def test_a_draw_that_was_played_is_seen_by_the_counts():
    scene = started()
    scene.draw(0, "3-8")
    scene.play(0, "3-8", 0)
    scene.settle()
    assert TileDrawn(0) in scene.session.events
    assert [hand.count for hand in scene.session.game.table.hands] == [hand.count for hand in scene.truth.table.hands]


def standing():
    """A round whose hands stand on racks: only the boneyard and the markers can be seen."""
    scene = Scene()
    scene.painter.faults.hands = False
    for seat, tile in ((0, "3-12"), (1, "5-12"), (2, "7-12"), (0, "3-9"), (1, "1-5"), (2, "0-7")):
        scene.play(seat, tile, seat)
        scene.settle()
    return scene


def test_hands_that_stand_and_a_boneyard_that_is_no_hand():
    scene = standing()
    assert scene.following.hands == ()
    assert scene.following.boneyard.offset == 0
    scene.draw(0, "3-8")
    scene.settle()
    assert TileDrawn(0) in scene.session.events, "it has always been counted right, and nobody else may draw (R-DRAW-1)"
    assert scene.session.game.table.hands[0].count == scene.truth.table.hands[0].count


def test_a_boneyard_that_is_miscounted_now_and_then_tells_no_draw():
    scene = standing()
    whole = scene.reading()
    for missed in (1, 0, 2, 0, 1, 0):
        found = scene.look(replace(whole, face_down=whole.face_down[: len(whole.face_down) - missed]))
        assert found.standing is not Standing.SURE
        assert not found.draft.events or found.standing is Standing.LOOK_AGAIN


def without_marker(scene):
    """A photo in which no marker was found."""
    return replace(scene.reading(), markers=())


def misled():
    """Anna passed, but her marker was not found: what Boris laid on her train went down as hers."""
    scene = standing()
    scene.following = replace(scene.following, sees_markers=True)
    scene.out_of_hand(0)
    scene.settle(without_marker(scene))
    scene.play(1, "9-10", 0)
    scene.settle(without_marker(scene))
    assert scene.plays()[-1] == (0, "9-10", 0), "nothing speaks against it yet"
    scene.play(2, "10-11", 0)
    return scene


def test_what_was_told_wrongly_comes_right_when_the_next_tile_contradicts_it():
    scene = misled()
    asked = scene.settle(without_marker(scene))
    assert asked.standing is Standing.ASK, "it is never changed without asking"
    instead = next(each for each in asked.question.alternatives if each.answer is Answer.INSTEAD)
    said = answer_line(instead, scene.session.game, Language.EN)
    assert said == "What was recorded last is wrong: Boris laid 9-10 on Anna’s train (passed before: Anna)"
    scene.session.commit(instead.draft)
    assert scene.plays()[-1] == (1, "9-10", 0)
    assert TurnPassed(0) in effective(scene.session.events)


def test_who_cannot_be_ruled_out_is_among_the_answers_with_the_clauses_of_each():
    scene = misled()
    asked = scene.settle(without_marker(scene))
    insists = [each for each in asked.question.alternatives if each.answer is Answer.INSIST]
    assert [each.plays[0].seat for each in insists] == [0, 1, 2], "nobody's hand is counted"
    said = answer_line(insists[2], scene.session.game, Language.EN)
    assert said == "Clara laid 10-11 on Anna’s train; the table insists (R-TURN-1, R-MARK-3)"
    scene.session.commit(insists[2].draft)
    assert scene.plays()[-1] == (2, "10-11", 0)


def test_after_no_it_is_asked_who_laid_the_tile():
    scene = started()
    scene.play(0, "5-9", 1, "house")
    scene.following = scene.settle().question.alternatives[-1].following
    asked = scene.settle()
    assert {each.plays[0].seat for each in asked.question.alternatives[:-1]} == {2}, "the others were denied"
    kinds = [each.answer for each in asked.question.alternatives]
    assert kinds == [Answer.PLAYED, Answer.INSIST, Answer.NO], "when others had passed, or out of turn"


def test_a_correction_names_every_play_that_it_changes():
    scene = misled()
    scene.play(0, "11-11", 0)
    asked = scene.settle(without_marker(scene))
    instead = [each for each in asked.question.alternatives if each.answer is Answer.INSTEAD]
    assert instead
    assert all(each.plays[0].tile == t("9-10") for each in instead)


def test_nobody_is_asked_twice_about_what_was_denied():
    scene = misled()
    told = []
    for _ in range(6):
        asked = scene.settle(without_marker(scene))
        if asked.question is None:
            break
        told.append([answer_line(each, scene.session.game, Language.EN) for each in asked.question.alternatives])
        scene.following = asked.question.alternatives[-1].following
    assert asked.question is None, "it ends"
    said = [line for lines in told for line in lines[:-1]]
    assert len(said) == len(set(said))


def test_a_no_about_another_tile_spoils_nothing():
    scene = started()
    scene.following = scene.following.without(("gone", t("7-12")), ("observe", ()))
    scene.play(0, "3-9", 0)
    scene.play(1, "5-8", 1)
    assert scene.settle().question is None
    assert scene.plays()[3:] == [(0, "3-9", 0), (1, "5-8", 1)]


def test_who_laid_a_tile_is_asked_after_another_one_was_taken_away():
    scene = standing()
    before = scene.truth
    scene.play(0, "9-11", 0)
    scene.look()
    scene.truth = before
    scene.play(2, "1-11", 1, "house")
    asked = []
    for _ in range(5):
        found = scene.settle()
        if found.question is None:
            break
        asked.append({(play.seat, str(play.tile)) for each in found.question.alternatives for play in each.plays})
        scene.following = found.question.alternatives[-1].following
    assert any((2, "1-11") in answers for answers in asked)


def go_out(scene, tile):
    """Player 0 lays a tile that is the last by the log, and the table says that it is."""
    scene.draw(0, tile)
    scene.play(0, tile, 0)
    out = scene.settle().question
    assert out.ask is Ask.OUT
    scene.session.commit(out.alternatives[0].draft)
    scene.following = out.alternatives[0].following
    assert scene.session.game.round.ended


def test_a_round_that_seemed_over_can_be_told_on_after_any_no():
    scene = Scene(hands=1, backs=False)
    go_out(scene, "3-12")
    scene.draw(1, "5-12")
    scene.play(1, "5-12", 1)
    found = scene.settle()
    assert found.question is not None
    scene.following = found.question.alternatives[-1].following
    found = scene.settle()
    assert found.question is not None, "nothing would be recorded any more"
    seats = {play.seat for each in found.question.alternatives for play in each.plays}
    assert seats, "who laid it"
    scene.session.commit(found.question.alternatives[0].draft)
    assert scene.plays()[-1][1] == "5-12"


def test_who_still_has_a_tile_after_a_double_covers_it():
    scene = Scene(hands=2, backs=False)
    for seat, tile in enumerate(("3-12", "5-12", "6-12")):
        scene.play(seat, tile, seat)
        scene.settle()
    go_out(scene, "3-3")
    scene.play(0, "3-9", 0)
    found = scene.settle()
    answers = [(each.answer, *((p.seat, str(p.tile)) for p in each.plays)) for each in found.question.alternatives]
    assert answers[0] == (Answer.PLAYED, (0, "3-9"))
    assert not found.question.violations


def test_a_tile_read_anew_makes_no_lawful_play_unlawful():
    scene = started()
    scene.play(0, "3-9", 0)
    scene.play(1, "5-5", 1)
    scene.play(1, "5-8", 1)
    scene.settle()
    assert read_otherwise(scene.session, (1, 1), 5, 4) is None, "what came after it does not fit"
    assert read_otherwise(scene.session, (0, 1), 3, 10) is not None


def test_markers_that_are_never_found_tell_less_and_less():
    scene = standing()
    scene.following = replace(scene.following, sees_markers=True)
    scene.out_of_hand(0)
    scene.settle()
    seen = [evidence(Counts(markers=frozenset()), scene.following, scene.session.game.table).marker_missed]
    for _ in range(4):
        scene.settle(without_marker(scene))
        seen.append(evidence(Counts(markers=frozenset()), scene.following, scene.session.game.table).marker_missed)
    assert seen == sorted(seen, reverse=True)
    assert seen[-1] < 1 < seen[0]


def test_R_DRAW_2_nothing_is_sure_where_somebody_may_have_passed_unseen():
    scene = Scene(backs=False)
    scene.play(0, "3-12", 0)
    scene.settle()
    scene.play(1, "5-12", None)
    found = scene.settle()
    assert found.standing is Standing.WAIT, "seat 1 may have drawn and passed, and seat 2 have laid it"
    assert {answer.plays[0].seat for answer in found.question.alternatives if answer.plays} >= {1, 2}


def test_without_sides_one_question_tells_them_all():
    scene = Scene(sides=False)
    scene.play(0, "3-12", 0)
    found = scene.settle()
    assert found.standing is Standing.ASK
    assert found.question.ask is Ask.WHICH
    own = next(a for a in found.question.alternatives if a.plays and a.plays[0].train == 0 and a.plays[0].seat == 0)
    scene.session.commit(own.draft)
    scene.following = own.following
    scene.play(1, "5-12", 1)
    scene.play(2, "7-12", None)
    assert scene.settle().question is None
    assert scene.plays() == [(0, "3-12", 0), (1, "5-12", 1), (2, "7-12", None)]


@pytest.mark.parametrize("turn", [pi, 0.4, -2.0])
def test_a_camera_that_was_turned_changes_nothing(turn):
    scene = started()
    scene.painter.turn, scene.painter.shift = turn, (300.0, -150.0)
    assert scene.settle().standing is Standing.SAME
    scene.play(0, "3-9", 0)
    scene.play(1, "4-12", None)
    scene.settle()
    assert scene.plays()[3:] == [(0, "3-9", 0), (1, "4-12", None)]


# what must not be believed


def nothing(scene, reading, key):
    before = scene.session.seq
    found = scene.settle(reading)
    assert found.standing is Standing.SAME
    assert [notice.key for notice in found.notices] == [key]
    assert scene.session.seq == before
    for lang in Language:
        assert notice_line(found.notices[0], scene.session.game, lang)
    scene.play(0, "3-9", 0)
    scene.settle()
    assert scene.plays()[-1] == (0, "3-9", 0), "it goes on when the view returns"


def test_black_frames():
    nothing(started(), TableReading(None, ()), "follow_empty")


def test_another_table():
    other = Scene()
    other.play(0, "2-12", 0)
    other.play(1, "6-12", 1)
    reading = other.reading()
    elsewhere = replace(reading, engine=None)
    nothing(started(), elsewhere, "follow_other_table")


def test_no_engine_in_view():
    scene = started()
    scene.play(0, "3-9", 0)
    found = scene.settle(scene.reading(engine=False))
    assert "follow_no_engine" in [notice.key for notice in found.notices]
    assert scene.plays()[-1] == (0, "3-9", 0)


def test_a_hand_over_a_train_retracts_nothing():
    scene = started()
    scene.play(0, "3-9", 0)
    scene.settle()
    before = scene.session.seq
    reading = scene.reading()
    covered = replace(reading, chains=tuple(c for c in reading.chains if len(c.tiles) == 1)[:1])
    for _ in range(12):
        found = scene.settle(covered)
        assert found.standing is Standing.SAME
    assert [n.key for n in found.notices] == ["follow_hidden"]
    assert scene.session.seq == before


def test_a_tile_taken_back_is_retracted_after_several_looks():
    scene = started(looks=2)
    scene.lift(2)
    looks = 0
    while scene.session.game.table.trains[2].tiles and looks < 6:
        found = scene.look()
        looks += 1
        if found.standing is Standing.SURE:
            scene.session.commit(found.draft)
    assert looks >= 3
    assert not scene.session.game.table.trains[2].tiles
    assert scene.session.game.table.to_act == 2
    assert isinstance(scene.session.events[-1], Retracted)


def test_a_tile_taken_back_and_laid_elsewhere():
    scene = started()
    scene.lift(2)
    scene.put(None, 12, 7)
    scene.settle()
    assert scene.plays() == [(0, "3-12", 0), (1, "5-12", 1), (2, "7-12", None)]


def misread(reading, tile, half_from, half_to, confidence, runner_up):
    """The same reading with one half of a tile read as another number."""
    chains = []
    for chain in reading.chains:
        tiles = []
        for laid in chain.tiles:
            if laid.reading.tile == tile:
                halves = tuple(
                    HalfReading(half_to, confidence, runner_up) if half.pips == half_from else half
                    for half in laid.reading.halves
                )
                inner, outer = (half_to if n == half_from else n for n in (laid.inner, laid.outer))
                read = replace(laid.reading, tile=Tile(inner, outer), halves=halves)
                laid = LaidTile(read, inner, outer)
            tiles.append(laid)
        chains.append(replace(chain, tiles=tuple(tiles)))
    return replace(reading, chains=tuple(chains))


def test_a_misread_half_is_corrected_and_a_doubt():
    scene = started()
    scene.play(0, "3-9", 0)
    found = scene.look(misread(scene.reading(), t("3-9"), 3, 8, 0.6, 3))
    assert [doubt.doubt for doubt in found.draft.doubts] == [Doubt.CORRECTED]
    assert [str(e.tile) for e in found.draft.events if isinstance(e, TilePlayed)] == ["3-9"]
    scene.settle()
    assert scene.plays()[-1] == (0, "3-9", 0)


def test_a_tile_recorded_wrongly_is_repaired_by_later_photos():
    scene = started()
    scene.play(0, "3-9", 0)
    scene.settle(misread(scene.reading(), t("3-9"), 9, 8, 0.99, 9))
    assert scene.plays()[-1] == (0, "3-8", 0)
    scene.play(1, "5-6", 1)
    scene.play(2, "0-7", 2)
    scene.play(0, "9-9", 0)
    scene.play(0, "1-9", 0)
    scene.settle()
    assert scene.plays()[3:] == [(0, "3-9", 0), (1, "5-6", 1), (2, "0-7", 2), (0, "9-9", 0), (0, "1-9", 0)]
    assert [train.tiles for train in scene.session.game.table.trains] == [
        train.tiles for train in scene.truth.table.trains
    ]


def test_an_odd_tile_elsewhere_does_not_stop_the_others():
    scene = started()
    scene.play(0, "3-9", 0)
    scene.settle(misread(scene.reading(), t("5-12"), 5, 2, 0.8, 5))
    assert scene.plays()[3:] == [(0, "3-9", 0)]


# against the rules


def test_a_closed_train_is_named_with_its_clause_and_the_table_may_insist():
    scene = started()
    scene.play(0, "5-9", 1, "house")
    found = scene.settle()
    assert found.standing is Standing.ASK
    assert found.question.ask is Ask.ILLEGAL
    assert [v.clause for v in found.question.violations] == ["R-MARK-3"]
    for lang in Language:
        assert any("R-MARK-3" in line for line in question_lines(found.question, scene.session.game, lang))
        for answer in found.question.alternatives:
            assert answer_line(answer, scene.session.game, lang)
    assert scene.plays() == [(0, "3-12", 0), (1, "5-12", 1), (2, "7-12", 2)], "nothing is recorded without an answer"
    insist = found.question.alternatives[0]
    assert insist.answer is Answer.INSIST
    scene.session.commit(insist.draft)
    assert scene.plays()[-1] == (0, "5-9", 1)
    assert scene.session.events[-1].ruling is not None


def test_no_is_remembered_until_the_table_changes():
    scene = started()
    scene.play(0, "5-9", 1, "house")
    no = scene.settle().question.alternatives[-1]
    assert no.answer is Answer.NO
    assert not no.draft.events
    scene.following = no.following
    scene.following = scene.settle().question.alternatives[-1].following  # was it the third, then?
    assert scene.settle().standing is not Standing.ASK


def against_the_tail(tile, ahead, aside, turn):
    """A photo in which the first player has laid a tile at the own train (tail 3) so: in widths, turned by so much."""
    scene = started()
    scene.play(0, tile, 0, "house")
    whole = scene.reading()
    train = next(chain for chain in whole.chains if chain.tiles[-1].reading.tile == t(tile))
    before, new = train.tiles
    middle, way = (laid.reading.box.corners.mean(0) for laid in (before, new))
    along = (way - middle) / np.linalg.norm(way - middle)
    across = np.array([-along[1], along[0]])
    x, y = middle + WIDTH * (ahead * along + aside * across)
    loose = replace(new.reading, box=box(float(x), float(y), float(np.arctan2(along[1], along[0])) + turn, 2 * WIDTH))
    chains = tuple(replace(chain, tiles=(before,)) if chain is train else chain for chain in whole.chains)
    return scene, replace(whole, chains=chains, loose=(loose,))


@pytest.mark.parametrize(
    ("tile", "ahead", "aside", "turn"),
    [
        ("1-2", 2.05, 0.1, 0),
        ("1-2", 2.05, 0.0, pi),
        ("1-2", 1.55, 0.5, pi / 2),  # round a corner, its side to the end of the train
        ("1-2", 1.55, -0.5, pi / 2),
        ("1-2", 0.5, 1.55, -pi / 2),  # or its end to the side of the last half
        ("1-1", 1.55, 0.0, pi / 2),
    ],
)
def test_what_touches_a_train_with_another_number_was_laid_there(tile, ahead, aside, turn):
    scene, photo = against_the_tail(tile, ahead, aside, turn)
    asked = scene.settle(photo)
    assert asked.question.ask is Ask.ILLEGAL
    insist = next(each for each in asked.question.alternatives if each.answer is Answer.INSIST)
    assert [(play.seat, play.tile, play.train) for play in insist.plays] == [(0, t(tile), 0)]
    scene.session.commit(insist.draft)
    assert scene.settle(photo).standing is Standing.SAME


@pytest.mark.parametrize(("ahead", "aside", "turn"), [(3.0, 0.0, 0), (2.0, 2.0, 0), (-0.5, 1.6, pi / 2)])
def test_what_only_lies_near_a_train_was_not(ahead, aside, turn):
    scene, photo = against_the_tail("1-2", ahead, aside, turn)
    assert scene.settle(photo).question is None
    assert scene.plays()[3:] == []


def test_hands_that_cannot_be_as_counted_are_not_counted_anew():
    scene = started()
    look = _Look(scene.session, scene.following, scene.reading(), None, Caution())
    table = scene.session.game.table
    assert not look._recounted(Counts(hands=((0, table.hands[0].count + table.boneyard + 1),)))
    assert look._recounted(Counts(hands=((0, table.hands[0].count + 1),)))


def test_R_DBL_3_an_uncovered_double_is_named():
    scene = started()
    scene.play(0, "3-3", 0)
    scene.out_of_hand(0)
    scene.settle()
    scene.play(1, "5-6", 1, "house")
    found = scene.settle()
    assert "R-DBL-3" in [v.clause for v in found.question.violations]


# markers


def test_a_marker_that_is_not_recorded_is_shown_and_not_adopted():
    scene = started()
    scene.painter.faults.hands = scene.painter.faults.boneyard = False
    table = scene.truth.table
    trains = tuple(replace(train, marker=train.owner == 1) for train in table.trains)
    scene._now(replace(table, trains=trains))
    found = scene.settle()
    assert "follow_marker_seen" in [notice.key for notice in found.notices]
    assert not scene.session.game.table.trains[1].marker


def test_a_camera_that_knows_no_markers_says_nothing():
    scene = Scene(backs=False)
    scene.play(0, "3-12", 0)
    scene.settle()
    scene.out_of_hand(1)
    scene.play(2, "7-12", 2)
    found = scene.settle()
    assert found.notices == ()
    assert scene.plays() == [(0, "3-12", 0), (2, "7-12", 2)]
    assert scene.session.game.table.trains[1].marker


def test_what_can_have_happened_in_two_ways_waits_for_what_comes_next():
    scene = Scene(backs=False)
    scene.play(0, "3-12", 0)
    scene.out_of_hand(1)
    scene.play(2, "7-12", 2)
    found = scene.settle()
    assert found.standing is Standing.WAIT, "seat 1 may have laid 3-12 on the train that seat 0 had to open"
    assert {answer.plays[0].seat for answer in found.question.alternatives if answer.plays} >= {0, 1}
    scene.play(0, "3-9", 0)
    scene.play(1, "5-12", 1)
    found = scene.settle()
    assert found.standing is Standing.ASK, "nothing has told it, so it is asked"
    anna = next(answer for answer in found.question.alternatives if answer.plays[0].seat == 0)
    scene.session.commit(anna.draft)
    scene.following = anna.following
    scene.settle()
    assert scene.plays() == [(0, "3-12", 0), (2, "7-12", 2), (0, "3-9", 0), (1, "5-12", 1)]
    assert scene.session.game.table.trains[1].marker is False


def test_a_question_does_not_wait_for_ever():
    scene = Scene(backs=False)
    scene.play(0, "3-12", 0)
    scene.settle()
    scene.play(1, "5-12", None)
    standings = [scene.settle().standing for _ in range(3)]
    assert standings == [Standing.WAIT, Standing.WAIT, Standing.ASK], "seat 2 may have laid it"


def test_R_ENG_2_who_laid_the_engine_is_asked_before_others_have_played():
    rules = HouseRules(engine_source=EngineSource.HOLDER_LAYS, starter=Starter.ENGINE_HOLDER)
    opening = [GameStarted(rules, ("A", "B", "C")), RoundStarted(1), *(HandDealt(seat, 12) for seat in range(3))]
    scene = Scene(backs=False)
    scene.session, scene.truth = GameSession.create(MemoryStore(), opening), apply_all(Game(), opening)
    _, scene.truth = advance(scene.truth, LayEngine(scene.truth.table.to_act, t("12-12")))
    assert [scene.settle().standing for _ in range(2)] == [Standing.WAIT, Standing.ASK]


def test_what_looked_otherwise_before_is_asked_about_where_nothing_was_counted():
    scene = Scene(backs=False)
    scene.painter.faults = Faults(boneyard=False, hands=False)
    scene.following = replace(scene.following, sees_markers=True)
    scene.play(0, "3-12", 0)
    scene.play(1, "5-12", 1)
    scene.out_of_hand(2)
    scene.play(0, "3-9", 0)
    scene.play(1, "5-8", 1)
    scene.settle()
    scene.play(2, "7-12", None)
    assert scene.settle().standing is Standing.WAIT
    scene.play(0, "8-9", 1, "house")  # as if 2 had passed, 0 had laid 7-12 and 1 this one
    found = scene.settle()
    assert found.standing in (Standing.WAIT, Standing.ASK)
    assert {answer.plays[0].seat for answer in found.question.alternatives if answer.plays} >= {0, 2}
    assert scene.plays()[-1] == (1, "5-8", 1)


def test_R_DBL_3_a_double_that_was_laid_ignored_and_passed_in_one_photo_is_named():
    scene = started(looks=2)
    scene.out_of_hand(0)
    scene.settle()
    scene.play(1, "4-12", None)
    scene.settle()
    scene.play(2, "4-4", None)
    scene.out_of_hand(2)
    scene.play(0, "3-10", 0, "house")
    hands = [hand.count for hand in scene.session.game.table.hands]
    question = scene.settle().question
    assert question.ask is Ask.ILLEGAL
    assert {violation.clause for violation in question.violations} == {"R-DBL-3"}
    assert [hand.count for hand in scene.session.game.table.hands] == hands, "no hand is counted anew to fit"
    assert scene.plays()[-1] == (1, "4-12", None)


def test_answers_that_are_equally_likely_are_all_given():
    scene = Scene(players=5, backs=False)
    scene.play(0, "3-12", 0)
    scene.settle()
    scene.play(4, "8-9", 0, "house")
    found = scene.settle()
    assert found.question.ask is Ask.ILLEGAL
    assert {answer.plays[0].seat for answer in found.question.alternatives if answer.plays} == set(range(5))


def test_a_pass_that_was_none_is_taken_back_with_one_question():
    scene = started()
    scene.session.commit(scene.session.draft(TileDrawn(0), TurnPassed(0)))
    scene.draw(0, "3-9")
    scene.settle()
    scene.play(0, "3-9", 0)
    found = scene.settle()
    assert found.question is not None
    played = next(answer for answer in found.question.alternatives if answer.answer is Answer.PLAYED)
    scene.session.commit(played.draft)
    assert scene.plays()[3:] == [(0, "3-9", 0)]
    assert not [event for event in effective(scene.session.events) if isinstance(event, TurnPassed)]
    assert [event.seat for event in effective(scene.session.events) if isinstance(event, TileDrawn)] == [0]


def test_a_tile_that_lies_by_the_engine_in_no_chain_may_begin_a_train():
    scene = Scene()
    scene.play(0, "3-12", 0)
    scene.play(1, "5-12", 1)
    scene.settle()
    scene.play(2, "4-4", 2, "house")
    reading = scene.reading()
    double = next(chain for chain in reading.chains if chain.tiles[0].reading.tile == t("4-4"))
    others = tuple(chain for chain in reading.chains if chain is not double)
    found = scene.settle(replace(reading, chains=others, loose=(double.tiles[0].reading,)))
    assert found.question.ask is Ask.ILLEGAL
    insisted = [answer.plays[0] for answer in found.question.alternatives if answer.answer is Answer.INSIST]
    assert (2, t("4-4"), 2) in [(play.seat, play.tile, play.train) for play in insisted]


def test_what_breaks_the_rules_is_asked_about_and_not_what_came_after_it():
    scene = started()
    before = scene.session.game
    insisted, _ = advance(before, Play(0, t("8-9"), 1), "house")
    lawful, after = advance(apply_all(before, insisted), Play(1, t("4-12"), None))
    violations = tuple(check(before, Play(0, t("8-9"), 1)))
    only = Hypothesis(Base(before), Explanation((*insisted, *lawful), after, 6.3, (), violations), 6.3)
    question = which_question(scene.session, scene.following, None, [only], [only])
    assert question.ask is Ask.ILLEGAL
    assert question.tile == t("8-9")
    assert question.alternatives[0].answer is Answer.INSIST
    assert question.alternatives[0].draft.events == tuple(insisted)


# the end


def test_R_END_1_without_counted_hands_the_table_says_whether_somebody_went_out():
    scene = Scene(hands=1, backs=False)
    scene.play(0, "3-12", 0)
    found = scene.settle()
    assert found.question.ask is Ask.OUT
    assert [answer.count for answer in found.question.alternatives] == [0, 1, 2, 3, 4, None]
    assert found.question.alternatives[-1].answer is Answer.NO
    scene.session.commit(found.question.alternatives[2].draft)
    assert scene.session.game.table.hands[0].count == 2
    assert scene.session.game.round.ended is None


def test_R_END_1_with_counted_hands_nobody_is_asked():
    scene = Scene(hands=1)
    scene.play(0, "3-12", 0)
    scene.settle()
    assert scene.session.game.round.went_out == 0


def test_many_tiles_at_once_are_taken_as_they_lie():
    scene = Scene(hands=20, backs=False)
    seat = 0
    tails = {0: 12, 1: 12, 2: 12}
    free = [tile for tile in scene.session.game.rules.tile_set if str(tile) != "12-12"]
    for _ in range(21):
        tile = next(tile for tile in free if tile.has(tails[seat]) and not tile.is_double)
        free.remove(tile)
        scene.play(seat, str(tile), seat)
        tails[seat] = tile.other(tails[seat])
        seat = (seat + 1) % 3
    found = scene.settle()
    assert found.question.ask is Ask.OBSERVE
    answer = next(a for a in found.question.alternatives if a.seat == 0)
    scene.session.commit(answer.draft)
    assert [train.tiles for train in scene.session.game.table.trains] == [
        train.tiles for train in scene.truth.table.trains
    ]
    assert scene.session.game.table.to_act == 0


def test_the_reading_of_the_next_photo_is_helped():
    scene = started()
    chains = known_chains(scene.session.game, scene.following)
    assert [chain.values for chain in chains] == [((12, 3),), ((12, 5),), ((12, 7),)]
    assert all(chain.heading is not None for chain in chains)


@settings(max_examples=12, deadline=None)
@given(st.floats(-pi, pi), st.floats(-400, 400), st.floats(-400, 400))
def test_wherever_the_camera_stands_the_same_moves_are_found(turn, x, y):
    scene = started()
    scene.painter.turn, scene.painter.shift = turn, (x, y)
    scene.play(0, "3-9", 0)
    scene.out_of_hand(1)
    scene.play(2, "7-8", 2)
    scene.settle()
    assert scene.plays()[3:] == [(0, "3-9", 0), (2, "7-8", 2)]
    assert [type(event) for event in effective(scene.session.events)[-4:]] == [
        TilePlayed,
        TileDrawn,
        TurnPassed,
        TilePlayed,
    ]


def test_tiles_of_a_larger_set_record_nothing():
    scene = Scene()
    scene.play(0, "12-5", 0)
    reading = scene.reading()
    assert reading.engine is not None
    strange = replace(reading.engine, doubts=frozenset({Doubt.NOT_IN_SET}))
    for _ in range(4):
        found = scene.look(replace(reading, engine=strange))
        assert found.standing is Standing.SAME
        assert [(n.key, n.params) for n in found.notices] == [("follow_other_set", {"max_pip": 12})]
    assert scene.settle().standing is Standing.SAME
    assert scene.plays() == [(0, "5-12", 0)]
