"""House rules drawn at random, every option and value of them."""

from random import Random

from companion.errors import HouseRulesError
from companion.rules.house_rules import OPTIONS, HouseRules, largest_hand


def random_rules(random: Random, players: int, missing: int, sets: tuple[int, ...]) -> HouseRules:
    """Any valid rules with every question answered, for so many players and a set without `missing` tiles."""
    while True:
        values = {option.name: random.choice(option.choices) for option in OPTIONS.values() if option.choices}
        max_pip = random.choice(sets)
        values["max_pip"] = max_pip
        values["rounds"] = random.choice((None, random.randint(1, max_pip + 1)))
        try:
            rules = HouseRules.from_dict(values)
        except HouseRulesError:
            continue
        largest = largest_hand(len(rules.tile_set) - missing, players)
        if not largest:
            continue
        hand = rules.hand_for(players)
        if hand is None or hand > largest or random.random() < 0.3:
            rules = rules.replace(hand_size=random.randint(1, min(16, largest)))
        if rules.double_blank_points is None:
            rules = rules.replace(double_blank_points=50)
        return rules
