"""How many ways a fixed deal can be played to a given depth: the whole of legality in one number.

The counts are data (`perft/*.json`), made by `python -m tests.rules.test_perft` and reviewed when they
change. A draw takes the lowest tile that nobody has, so that the tree is the same for everybody.
"""

import json
from pathlib import Path
from random import Random

import pytest

from companion.rules import seating
from companion.rules.fold import advance, apply_all
from companion.rules.house_rules import HouseRules, Preset
from companion.rules.legality import check, legal_moves, unseen
from companion.rules.moves import Draw
from companion.rules.state import Game
from tests.rules.invariants import all_moves
from tests.rules.scene import ts

FOLDER = Path(__file__).parent / "perft"
DEALS = sorted(path.stem for path in FOLDER.glob("*.json"))


def opening(data: dict) -> Game:
    """The game at the first turn of a stored deal."""
    rules = HouseRules.from_dict(data["rules"])
    hands = {seat: ts(hand) for seat, hand in enumerate(data["hands"])}
    game = apply_all(Game(), seating.start_game(rules, list("ABCDEFGH"[: len(hands)])))
    starter = None if rules.starter == "engine_holder" else 0
    game = apply_all(game, seating.start_round(game, starter))
    return apply_all(game, seating.deal(game, hands, {seat: len(hand) for seat, hand in hands.items()}))


def perft(game: Game, depth: int, slow: bool = False) -> int:
    """Positions after `depth` moves; `slow` asks `check` about every move there is instead of the list."""
    if not depth:
        return 1
    moves = [move for move in all_moves(game) if not check(game, move)] if slow else legal_moves(game)
    count = 0
    for move in moves:
        if isinstance(move, Draw):
            move = Draw(move.seat, min(unseen(game, game.table)))
        count += perft(advance(game, move)[1], depth - 1, slow)
    return count


@pytest.mark.parametrize("name", DEALS)
def test_counts(name):
    data = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    game = opening(data)
    assert [perft(game, depth) for depth in range(1, len(data["counts"]) + 1)] == data["counts"]
    assert perft(game, 1, slow=True) == data["counts"][0]


def test_every_preset_and_every_kind_of_double_is_counted():
    rules = [json.loads((FOLDER / f"{name}.json").read_text("utf-8")) for name in DEALS]
    assert {data["preset"] for data in rules} == set(Preset)
    for option in ("double_followup", "doubles_per_turn", "double_order", "opening", "marker_off", "engine_source"):
        assert len({data["rules"][option] for data in rules}) > 1, option


MORE = {
    "any-order": {"doubles_per_turn": "any", "double_order": "any", "draws_per_turn": "after_each_double"},
    "free-markers": {"marker_off": "owner_choice", "voluntary_marker": True, "mexican_train_from": "after_own_train"},
    "long-and-strict": {
        "opening": "long_train", "double_followup": "next_player", "dead_double": "binds",
        "finish_on_double": "must_cover", "marker_off": "any_own_play",
    },
}  # fmt: skip


def main() -> None:
    """Count again and write the files."""
    FOLDER.mkdir(exist_ok=True)
    variants = [(str(preset), preset, HouseRules.preset(preset)) for preset in Preset]
    variants += [(name, Preset.CUSTOM, HouseRules().replace(**options)) for name, options in MORE.items()]
    for number, (name, preset, rules) in enumerate(variants):
        if rules.double_blank_points is None:
            rules = rules.replace(double_blank_points=50)
        small = number % 2
        rules = rules.replace(max_pip=4 + 2 * small, hand_size=4 + 2 * small)
        tiles = list(rules.tile_set)
        random = Random(number)
        random.shuffle(tiles)
        if rules.engine_source == "set_aside":
            tiles.remove(rules.tile_set.engines[0])
        players = 2 + number % 3 if small else 2 + number % 2
        size = rules.hand_size or 0
        hands = [" ".join(str(tile) for tile in sorted(tiles.pop() for _ in range(size))) for _ in range(players)]
        data = {"preset": preset, "rules": rules.to_dict(), "hands": hands}
        game = opening(data)
        counts: list[int] = []
        while len(counts) < 13 and (not counts or counts[-1] < 1_500):
            counts.append(perft(game, len(counts) + 1))
        data["counts"] = counts
        text = json.dumps(data, indent=2, ensure_ascii=False)
        (FOLDER / f"{name}.json").write_text(text + "\n", "utf-8")
        print(name, counts)


if __name__ == "__main__":
    main()
