"""Names and reasons as people enter them, and as they are stored."""

import pytest

from companion.errors import UsageError
from companion.rules.seating import LONGEST_NAME, start_game
from companion.rules.words import one_line
from tests.rules.test_clauses_setup import seated


@pytest.mark.parametrize(
    ("entered", "stored"),
    [
        ("  Anna\tMaria \n", "Anna Maria"),
        ("a\x1b[31mb\x00c", "a [31mb c"),
        ("\udcff Bob \ud800", "Bob"),
        ("Zoe\u0308", "Zo\u00eb"),
        ("\u202eAnna", "Anna"),
        ("\U0001f469\u200d\U0001f467", "\U0001f469\u200d\U0001f467"),
        ("Борис 🚂", "Борис 🚂"),
    ],
)
def test_text_is_stored_on_one_line_without_what_cannot_be_shown(entered, stored):
    assert one_line(entered) == stored
    assert one_line(stored) == stored


def test_names_that_look_alike_are_alike():
    rules = seated().rules
    with pytest.raises(UsageError) as error:
        start_game(rules, ["Zoe\u0308", "ZO\u00cb"])
    assert error.value.key == "player_name_taken"
    with pytest.raises(UsageError) as error:
        start_game(rules, ["\x1b\x00", "B"])
    assert error.value.key == "player_name_empty"
    start_game(rules, ["x" * LONGEST_NAME, "B"])
    with pytest.raises(UsageError) as error:
        start_game(rules, ["x" * (LONGEST_NAME + 1), "B"])
    assert error.value.key == "player_name_long"
