"""Who is meant by what is typed."""

import pytest

from companion.cli.desk import seat_of
from companion.errors import UsageError
from companion.rules.fold import apply_all
from companion.rules.house_rules import HouseRules
from companion.rules.seating import start_game
from companion.rules.state import Game


@pytest.mark.parametrize(
    ("players", "word", "seat"),
    [
        (("Zoé", "Anna"), "zoe", 0),
        (("Zoé", "Anna"), "ZOÉ", 0),
        (("Zoé", "Zoe"), "Zoe", 1),
        (("Zoé", "Zoe"), "zoé", 0),
        (("Андрей", "Алёна"), "Алена", 1),
        (("Андрей", "Алёна"), "анд", 0),
        (("Élodie", "Emma"), "el", 0),
        (("Anna", "Annabel"), "anna", 0),
        (("Anna", "Annabel"), "2", 1),
    ],
)
def test_a_player_is_found_by_name_beginning_or_number(players: tuple[str, ...], word: str, seat: int) -> None:
    game = apply_all(Game(), start_game(HouseRules(), players))
    assert seat_of(game, word) == seat


@pytest.mark.parametrize("word", ["", "An", "x", "0", "3"])
def test_who_is_not_told_apart_is_asked_for(word: str) -> None:
    game = apply_all(Game(), start_game(HouseRules(), ("Anna", "Annabel")))
    with pytest.raises(UsageError):
        seat_of(game, word)
