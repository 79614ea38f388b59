"""The table in words: every phase, in every language, and nothing claimed that is not proved."""

import pytest

from companion.app.table_words import legal_lines, table_lines, turn_lines
from companion.rules.events import Event
from companion.rules.fold import apply_all, decide
from companion.rules.house_rules import HouseRules
from companion.rules.moves import Draw, EndTurn, LayEngine, Move, Pass, Play
from companion.rules.seating import deal, start_game, start_round
from companion.rules.state import EndReason, Game
from companion.rules.table import end_round, see_hand
from companion.rules.tiles import Tile
from companion.text import Language

EN = Language.EN


def begun(rules: HouseRules, starter: int | None = 0, **hands: str) -> Game:
    """A game of Anna and Bob whose first round is dealt; `anna="3-12 0-0"` shows a hand."""
    seats = {"anna": 0, "bob": 1}
    shown = {seats[name]: [Tile.parse(word) for word in text.split()] for name, text in hands.items()}
    game = apply_all(Game(), start_game(rules, ["Anna", "Bob"]))
    game = apply_all(game, start_round(game, starter))
    return apply_all(game, deal(game, shown))


def after(game: Game, *moves: Move) -> Game:
    for move in moves:
        game = apply_all(game, decide(game, move))
    return game


def test_before_the_first_round() -> None:
    rules = HouseRules.preset("meksikanskij-poezd")
    game = apply_all(Game(), start_game(rules, ["Anna", "Bob"]))
    assert table_lines(game, EN) == [
        "No round has begun yet.",
        "The table must first agree on: Hand, Double blank.",
    ]
    assert turn_lines(game, EN) == legal_lines(game, EN) == []


def test_with_unknown_hands_nothing_is_claimed() -> None:
    game = begun(HouseRules(hand_size=3))
    assert turn_lines(game, EN) == ["It is Anna’s turn."]
    assert legal_lines(game, EN) == [
        "Anna may do this:",
        "  Anna’s train: a tile with 12",
        "  the Mexican Train: a tile with 12",
        "  or: draw",
    ]


def test_with_a_known_hand_what_must_be_done_is_said() -> None:
    game = begun(HouseRules(hand_size=2), anna="3-12 0-1", bob="1-2 3-4")
    assert turn_lines(game, EN) == ["It is Anna’s turn.", "Can play, so must: 3-12."]
    assert legal_lines(game, EN)[1] == "  Anna’s train: 3-12"
    game = after(game, Play(0, Tile(3, 12), 0))
    assert turn_lines(game, EN) == ["It is Bob’s turn.", "Cannot play and must draw."]
    game = after(game, Draw(1, Tile(0, 0)))
    assert turn_lines(game, EN)[-1] == "Cannot play and must pass."
    game = after(game, Pass(1))
    lines = table_lines(game, EN)
    assert lines == [
        "Round 1 of 13, engine 12-12.",
        "  the Mexican Train: tail 12   –",
        "  Anna’s train: tail 3   12-3",
        "  Bob’s train: tail 12, marker on   –",
        "Tiles in hand: Anna 1, Bob 3. Boneyard: 85.",
        "It is Anna’s turn.",
        "Cannot play and must draw.",
    ]


def test_what_must_be_done_and_what_may_be_done_agree() -> None:
    game = begun(HouseRules(hand_size=2))
    game = after(game, Draw(0), Pass(0), Draw(1), Pass(1))
    assert turn_lines(game, EN) == ["It is Anna’s turn.", "Cannot play and must draw."]
    assert legal_lines(game, EN) == ["Anna may do this:", "  draw"]


def test_an_open_double_is_named_with_its_train() -> None:
    game = begun(HouseRules(hand_size=3), anna="3-12 3-3 0-1")
    game = after(game, Play(0, Tile(3, 12), 0), Play(1, Tile(5, 12), 1), Play(0, Tile(3, 3), 0), Draw(0, Tile(0, 2)))
    assert "To be covered first: 3-3 (Anna’s train)." in turn_lines(game, EN)
    game = after(game, Pass(0))
    assert "Open double: 3-3 on Anna’s train." in table_lines(game, EN)
    assert "Double ouvert\u00a0: 3-3, le train d’Anna." in table_lines(game, Language.FR)
    assert legal_lines(game, Language.FR)[1:] == ["  le train d’Anna\u00a0: un domino avec 3", "  ou\u00a0: piocher"]


def test_a_long_train_may_be_stopped() -> None:
    game = begun(HouseRules(hand_size=4, opening="long_train"), anna="3-12 3-4 4-5 0-0")  # type: ignore[arg-type]
    game = after(game, Play(0, Tile(3, 12), 0))
    assert turn_lines(game, EN)[-1] == "May lay more tiles or stop."
    assert "stop" in legal_lines(game, EN)[-1]
    assert turn_lines(after(game, EndTurn(0)), EN) == ["It is Bob’s turn."]


def test_the_engine_is_laid_by_its_holder() -> None:
    game = begun(HouseRules.preset("pagat").replace(hand_size=2), None, anna="0-1 0-2", bob="12-12 3-4")
    assert table_lines(game, EN)[0] == "Round 1 of 13; the engine is still to be laid."
    assert "Must lay the engine: 12-12." in turn_lines(game, EN)
    assert "lay the engine 12-12" in legal_lines(game, EN)[-1]
    game = after(game, LayEngine(1, Tile(12, 12)))
    assert table_lines(game, EN)[0] == "Round 1 of 13, engine 12-12."


def test_a_round_that_is_over_names_who_is_to_be_counted() -> None:
    game = begun(HouseRules(hand_size=3))
    game = apply_all(game, end_round(game, EndReason.CALLED))
    assert table_lines(game, EN)[-2:] == ["The round is over.", "Still to be counted: Anna, Bob."]


@pytest.mark.parametrize("lang", Language)
def test_every_language_says_every_phase(lang: Language) -> None:
    game = begun(HouseRules(hand_size=3, voluntary_marker=True), anna="3-12 3-3 0-1")
    seen: tuple[Event, ...] = see_hand(game, 1, [Tile(0, 3), Tile(1, 1)])
    game = apply_all(game, seen)
    for move in (
        Play(0, Tile(3, 12), 0),
        Play(1, Tile(5, 12), 1),
        Play(0, Tile(3, 3), 0),
        Draw(0, Tile(0, 2)),
        Pass(0),
    ):
        for line in [*table_lines(game, lang), *legal_lines(game, lang)]:
            assert "None" not in line
            assert line.strip()
        game = after(game, move)
