"""Table, hands, boneyard and lost tiles are the set."""

import pytest

from companion.app.inventory import Inventory, round_inventory, take_inventory
from companion.app.table_talk import inventory_lines
from companion.rules.events import GameStarted, HandCounted, HandDealt, RoundEnded, RoundStarted, TilePlayed
from companion.rules.fold import apply_all
from companion.rules.house_rules import HouseRules
from companion.rules.state import EndReason, Game
from companion.rules.tiles import Tile
from companion.text import Language

T = Tile.parse
RULES = HouseRules(max_pip=2, hand_size=2)
"""Six tiles: 0-0 0-1 0-2 1-1 1-2 2-2."""


def ended(*counted, missing=()):
    events = [
        GameStarted(RULES, ("A", "B"), missing_tiles=missing),
        RoundStarted(1, T("2-2"), 0),
        HandDealt(0, 2),
        HandDealt(1, 2),
        TilePlayed(0, T("1-2"), 0, 1),
        RoundEnded(1, EndReason.CALLED),
    ]
    scores = [HandCounted(1, seat, sum(t.pips for t in tiles), tiles) for seat, tiles in enumerate(counted)]
    return apply_all(Game(), [*events, *scores])


def test_R_SET_2_everything_in_its_place():
    game = ended((T("0-0"),), (T("0-1"), T("1-1")))
    assert take_inventory(game).is_right
    assert take_inventory(game, boneyard=[T("0-2")]) == Inventory(6)


def test_R_SET_2_a_tile_that_nobody_has_is_named():
    game = ended((T("0-0"),), (T("0-1"), T("1-1")))
    inventory = take_inventory(game, boneyard=[])
    assert inventory.lost == 1
    assert inventory.lost_among == (T("0-2"),)


def test_with_backs_only_the_lost_tile_is_among_several():
    game = ended((T("0-0"),), (T("0-1"),))
    inventory = take_inventory(game, backs=1)
    assert inventory.lost == 1
    assert inventory.lost_among == (T("0-2"), T("1-1"))


def test_R_SET_2_a_tile_in_two_places():
    assert take_inventory(ended((T("0-0"),), (T("0-0"), T("1-1")))).twice == (T("0-0"),)
    assert take_inventory(ended((T("1-2"),), (T("0-0"), T("1-1")))).twice == (T("1-2"),)


def test_more_tiles_than_there_are():
    assert take_inventory(ended((T("0-0"),), (T("0-1"), T("1-1"))), backs=3).too_many == 2


def test_R_SET_4_lost_tiles_are_allowed_for_and_noticed_when_found():
    game = ended((T("0-0"),), (T("0-1"), T("1-1")), missing=(T("0-2"),))
    assert take_inventory(game).is_right
    assert take_inventory(game, boneyard=[T("0-2")]).found == (T("0-2"),)


def test_a_round_has_an_inventory_once_everybody_is_counted_and_only_where_it_was_followed():
    whole = ended((T("0-0"),), (T("0-1"), T("1-1")))
    assert round_inventory(whole) == take_inventory(whole)
    assert round_inventory(ended((T("0-0"),))) is None
    assert round_inventory(Game()) is None
    points = [
        GameStarted(RULES, ("A", "B")),
        RoundStarted(1, T("2-2"), 0),
        RoundEnded(1, EndReason.CALLED),
        HandCounted(1, 0, 4),
        HandCounted(1, 1, 0),
    ]
    assert round_inventory(apply_all(Game(), points)) is None


@pytest.mark.parametrize("lang", Language)
def test_it_is_told(lang):
    right = take_inventory(ended((T("0-0"),), (T("0-1"), T("1-1"))))
    assert len(inventory_lines(right, lang)) == 1
    wrong = Inventory(6, 2, (T("0-1"), T("0-2"), T("1-1")), 1, (T("0-0"),), (T("1-2"),))
    assert len(inventory_lines(wrong, lang)) == 4
    assert "0-2" in inventory_lines(wrong, lang)[0]
