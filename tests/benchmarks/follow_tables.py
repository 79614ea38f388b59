"""Follow many simulated tables by readings and write a line of figures for each game.

`python -m tests.benchmarks.follow_tables FILE.csv 100` follows 100 games (two rounds each) with faultless readings,
`... FILE.csv 100 --faults` with misread halves, tiles taken back, missing photos, hands over trains, a camera that is
pushed, and plays against the rules. `--blind hands,boneyard,markers` takes evidence away. Games that the file has
already are left out, so that a run can be stopped and gone on with. `... FILE.csv 0` sums a file up.
"""

import argparse
import csv
from collections import Counter
from pathlib import Path
from random import Random

from companion.app.simulation import Simulator, Strategy
from companion.app.table_intake import Caution
from companion.rules.house_rules import HouseRules, Preset
from tests.app.table_follower import SOON, Follower, Trouble
from tests.app.table_readings import Faults

FIGURES = (
    "rounds", "plays", "recovered", "extra", "wrong accepted", "questions", "waits", "illegal", "named",
    "illegal unseen", "taken back", "behind", "late", "late after a fault", "looks", "us", "over 50 ms",
    "true TileDrawn", "same TileDrawn", "extra TileDrawn", "true TurnPassed", "same TurnPassed", "extra TurnPassed",
)  # fmt: skip
TROUBLE = Trouble(illegal=0.02, taken_back=0.02, skipped=0.1, covered=0.03, turned=0.02)


def simulator(seed: int, max_pip: int = 12) -> Simulator:
    """A game with 2 to 8 players under one of the presets, all from the seed."""
    random = Random(seed)
    players = 2 + seed % 7
    rules = HouseRules.preset(list(Preset)[seed % len(Preset)]).replace(max_pip=max_pip)
    if rules.hand_for(players) is None or max_pip < 12:
        rules = rules.replace(hand_size=10 if max_pip == 12 else 5)
    if rules.double_blank_points is None:
        rules = rules.replace(double_blank_points=0)
    cheap = (Strategy.RANDOM, Strategy.HEAVIEST, Strategy.CLOSER)
    strategies = [random.choice(cheap) for _ in range(players)]
    return Simulator(rules, [f"P{seat}" for seat in range(players)], strategies, random)


def follower(seed: int, faults: bool = False, blind: str = "", max_pip: int = 12) -> Follower:
    """A follower of such a game."""
    seen = Faults(
        misread=0.01 if faults else 0.0,
        markers="markers" not in blind,
        boneyard="boneyard" not in blind,
        hands="hands" not in blind,
        max_pip=max_pip,
    )
    return Follower(simulator(seed, max_pip), seen, TROUBLE if faults else Trouble(), Caution(2 if faults else 1))


def summary(rows: list[dict[str, str]]) -> str:
    """The figures of all games together."""
    total = Counter({key: sum(int(row[key]) for row in rows) for key in FIGURES})
    plays, looks = max(total["plays"], 1), max(total["looks"], 1)
    named = f", {naming(total)}" if total["illegal"] else ""
    hidden = ", ".join(
        f"{kind} {total[f'same {kind}']}/{total[f'true {kind}']} (+{total[f'extra {kind}']})"
        for kind in ("TileDrawn", "TurnPassed")
    )
    return (
        f"{total['rounds']} rounds, {plays} plays: recovered {total['recovered'] / plays:.2%}, extra {total['extra']}, "
        f"wrong without a question {total['wrong accepted'] / plays:.2%}, "
        f"questions {100 * total['questions'] / plays:.2f} per 100{named}; {hidden}; "
        f"{lateness(total)}; "
        f"{total['us'] / looks / 1000:.1f} ms a look, {total['over 50 ms']} of {looks} over 50 ms"
    )


def naming(total: Counter[str]) -> str:
    """The words for how many plays against the rules were named."""
    return (
        f"illegal {total['illegal']}, named {total['named']}, "
        f"of the others {total['illegal unseen']} with no photo before the next move"
    )


def lateness(total: Counter[str]) -> str:
    """How often the log was not what was laid, and for how long."""
    return (
        f"{total['behind']} times behind what was laid, {total['late']} of them for more than {SOON} photos, "
        f"{total['late after a fault']} of those after a fault"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("games", type=int)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--faults", action="store_true")
    parser.add_argument("--blind", default="")
    given = parser.parse_args()
    rows: list[dict[str, str]] = []
    if given.file.exists():
        with given.file.open(newline="") as old:
            rows = list(csv.DictReader(old))
    done = {int(row["seed"]) for row in rows}
    for seed in range(given.first, given.first + given.games):
        if seed in done:
            continue
        figures = follower(seed, given.faults, given.blind).play(2).figures
        row = {"seed": str(seed), **{key: str(figures[key]) for key in FIGURES}}
        fresh = not given.file.exists()
        with given.file.open("a", newline="") as new:
            writer = csv.DictWriter(new, ["seed", *FIGURES])
            if fresh:
                writer.writeheader()
            writer.writerow(row)
        rows.append(row)
        print(seed, summary([row]), flush=True)
    print(summary(rows))


if __name__ == "__main__":
    main()
