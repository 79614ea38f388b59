"""A followed round between the moves: it begins, begins again with who starts, ends with the score of who is out."""

import pytest

from companion.app.evening import propose_out, propose_round
from companion.app.intake import propose_total
from companion.app.session import GameSession
from companion.app.table_play import (
    asks_starter,
    can_be_followed,
    is_followed,
    propose_deal,
    propose_end,
    propose_followed_round,
    propose_missed_call,
    propose_shown,
    propose_turn,
)
from companion.errors import IllegalMoveError
from companion.rules.house_rules import HouseRules, Preset
from companion.rules.moves import Play, ViolationCode
from companion.rules.seating import start_game
from companion.rules.state import EndReason, Phase
from companion.rules.tiles import Tile
from tests.app.memory_store import MemoryStore


def session(hand: int = 2, **rules: object) -> GameSession:
    house = HouseRules(rounds=2, hand_size=hand).replace(**rules)
    return GameSession.create(MemoryStore(), start_game(house, ("Ann", "Bob"), Preset.CUSTOM))


def test_a_round_that_is_only_counted_is_not_followed_until_somebody_says_so() -> None:
    at = session()
    assert (is_followed(at.game), can_be_followed(at.game)) == (False, False)
    at.commit(propose_round(at, 1))
    assert (is_followed(at.game), can_be_followed(at.game), asks_starter(at.game)) == (False, True, False)
    at.commit(propose_deal(at))
    assert (is_followed(at.game), can_be_followed(at.game)) == (True, False)
    assert at.game.table is not None
    assert (at.game.table.phase, at.game.table.to_act) == (Phase.PLAYING, 1)


def test_who_starts_is_said_when_following_begins() -> None:
    at = session()
    at.commit(propose_round(at))
    assert asks_starter(at.game)
    with pytest.raises(IllegalMoveError) as caught:
        propose_deal(at)
    assert [one.code for one in caught.value.violations] == [ViolationCode.STARTER_NEEDED]
    at.commit(propose_deal(at, 1))
    assert len(at.game.rounds) == 1
    assert at.game.rounds[0].starter == 1
    assert at.game.rounds[0].table.to_act == 1


def test_what_is_counted_already_is_not_followed() -> None:
    at = session()
    at.commit(propose_round(at, 0))
    at.commit(propose_out(at, 0))
    assert not can_be_followed(at.game)


def test_who_lays_the_last_tile_has_the_score_and_the_next_round_is_followed() -> None:
    at = session(1, going_out_bonus=-5)
    at.commit(propose_round(at, 0))
    at.commit(propose_deal(at))
    at.commit(propose_turn(at, Play(0, Tile(3, 12), 0)))
    first = at.game.rounds[0]
    assert (first.ended, first.went_out, first.missing) == (EndReason.OUT, 0, (1,))
    assert first.scores[0] is not None
    assert first.scores[0].points == -5
    at.commit(propose_shown(at, 1, (Tile(0, 1),)))
    at.undo()
    at.undo()  # the tile and the score come back together
    assert at.game.rounds[0].scores == (None, None)
    at.redo()
    at.commit(propose_total(at, 1, 12))
    at.commit(propose_followed_round(at))
    assert at.game.table is not None
    assert (len(at.game.rounds), at.game.table.phase, at.game.table.to_act) == (2, Phase.PLAYING, 1)


def test_the_table_may_end_a_round_whose_log_has_missed_a_move() -> None:
    for propose in (
        lambda at: propose_out(at, 1),
        lambda at: propose_end(at, EndReason.OUT, 1, "we know"),
    ):
        at = session(5)
        at.commit(propose_round(at, 0))
        at.commit(propose_deal(at))
        with pytest.raises(IllegalMoveError):
            propose_end(at, EndReason.OUT, 1)
        at.commit(propose(at))
        current = at.game.rounds[0]
        assert (current.went_out, current.missing) == (1, (0,))


def test_a_last_tile_that_was_not_called() -> None:
    at = session(2, last_tile_call=2)
    at.commit(propose_round(at, 0))
    at.commit(propose_deal(at))
    at.commit(propose_turn(at, Play(0, Tile(3, 12), 0)))
    at.commit(propose_missed_call(at, 0))
    assert at.game.table is not None
    assert at.game.table.hands[0].count == 3
