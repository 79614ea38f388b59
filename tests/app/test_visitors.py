"""Roles, and how guessing is slowed down."""

import pytest

from companion.app.visitors import FREE_GUESSES, LONGEST_WAIT_S, Guesses, Role, Visitor
from companion.errors import UsageError
from companion.rules.counting import ZERO_FOR_LOWEST
from companion.rules.events import (
    GameEnded,
    HandCounted,
    HandDealt,
    HandSeen,
    HouseRulesAgreed,
    PlayerJoined,
    PlayerLeft,
    RoundEnded,
    RoundStarted,
    ScoreCorrected,
    TilePlayed,
)
from companion.rules.house_rules import HouseRules
from companion.rules.state import EndReason
from companion.rules.tiles import Tile
from companion.storage.records import HOST, Source

ANN = Role(seats=frozenset({1}))
OWN = HandCounted(1, 1, 20)


class Time:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize(
    "events",
    [
        (OWN,),
        (RoundStarted(1), HandDealt(0, 15), HandDealt(1, 15), OWN),
        (OWN, ScoreCorrected(1, 0, 0, ZERO_FOR_LOWEST), GameEnded()),
        (ScoreCorrected(1, 1, 3, "counted again"),),
        (HandSeen(1, (Tile(1, 2),)),),
        (RoundEnded(1, EndReason.OUT, 1),),
        (TilePlayed(1, Tile(1, 2), 1, 2), RoundEnded(1, EndReason.OUT, 1)),
    ],
)
def test_a_player_may_record_the_own_things_and_what_follows(events: tuple[object, ...]) -> None:
    assert ANN.may_record(events)  # type: ignore[arg-type]
    assert Role(host=True).may_record(events)  # type: ignore[arg-type]
    assert not Role().may_record(events)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "events",
    [
        (),
        (HandCounted(1, 0, 20),),
        (OWN, HandCounted(1, 0, 20)),
        (OWN, ScoreCorrected(1, 0, 0, "because")),
        (RoundStarted(2), HandDealt(1, 15)),
        (GameEnded(),),
        (RoundEnded(1, EndReason.CALLED),),
        (PlayerLeft(0),),
        (OWN, PlayerJoined(3, "Eve", 0)),
        (HouseRulesAgreed(HouseRules()),),
        (TilePlayed(0, Tile(1, 2), 0, 2),),
    ],
)
def test_a_player_may_not_record_what_concerns_others(events: tuple[object, ...]) -> None:
    assert not ANN.may_record(events)  # type: ignore[arg-type]


def test_the_log_names_the_seat_or_the_host() -> None:
    assert ANN.source() == ANN.source(1) == Source(1)
    assert Role(seats=frozenset({1, 3})).source(3) == Source(3)
    assert Role(host=True, seats=frozenset({1})).source(1) == HOST


def test_waiting_doubles_up_to_a_minute_and_is_forgotten() -> None:
    time = Time()
    guesses = Guesses(time)
    waits = []
    for _ in range(FREE_GUESSES + 9):
        try:
            guesses.check("a")
        except UsageError as error:
            waits.append(error.params["seconds"])
            time.now += error.params["seconds"]
            guesses.check("a")
        guesses.wrong("a")
    assert waits == [1, 2, 4, 8, 16, 32, LONGEST_WAIT_S, LONGEST_WAIT_S, LONGEST_WAIT_S][: len(waits)]
    assert LONGEST_WAIT_S in waits
    guesses.check("b")
    time.now += 3600
    guesses.check("a")
    guesses.wrong("a")
    guesses.check("a")


def test_who_guesses_for_days_waits_a_minute_still() -> None:
    time = Time()
    guesses = Guesses(time)
    for _ in range(1200):
        guesses.wrong("a")
        time.now += 1
    with pytest.raises(UsageError, match="code_wait"):
        guesses.check("a")
    time.now += LONGEST_WAIT_S
    guesses.check("a")


def test_very_many_addresses_share_one_account() -> None:
    time = Time()
    guesses = Guesses(time)
    for n in range(5000):
        guesses.wrong(f"address {n}")
    with pytest.raises(UsageError, match="code_wait"):
        guesses.check("one more")
    time.now += 3600
    guesses.check("one more")


def test_a_visitor_is_known_by_the_hash_of_its_secret() -> None:
    assert Visitor.of("secret").key == Visitor.of("secret").key != Visitor.of("secrets").key
    assert "secret" not in Visitor.of("secret").key
