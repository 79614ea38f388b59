"""How many chains are read exactly on tables of simulated rounds: python -m tests.benchmarks.layout [--rounds 4].

Needs `datasets` on the path (`PYTHONPATH=datasets`). No picture is drawn: readings are perfect, or as bad as said.
"""

import argparse
import time
from collections import Counter
from collections.abc import Sequence

from synth.scene import Scene

from companion.rules.state import TableState
from companion.rules.tiles import TileSet
from companion.vision.layout import read_layout
from companion.vision.readings import KnownChain, TableReading
from tests.vision.tables import known_chains, lay_rounds, read_chains, readings, tilted, true_chains

TWELVE = TileSet(12)
TILTS = (0.0, 0.3, 0.6)


def variants(
    scene: Scene, state: TableState, before: Sequence[KnownChain], look: int
) -> dict[str, tuple[TableReading, float]]:
    """The same table under every condition: what was read, and the seconds it took."""
    slanted = tilted(scene, TILTS[look % 3])
    noisy = readings(slanted, noise=0.03, seed=look)[0]
    cases = {
        "true corners": (readings(scene)[0], state.engine, ()),
        "noise 3 %, tilt to 0.6": (noisy, state.engine, ()),
        "the same, rectangles": (readings(slanted, noise=0.03, seed=look, upright=True)[0], state.engine, ()),
        "the same, engine unnamed": (noisy, None, ()),
        "the same, 1 % misread, last table known": (
            readings(slanted, noise=0.03, seed=look, misread=0.01)[0],
            state.engine,
            before,
        ),
    }
    found = {}
    for name, (tiles, engine, known) in cases.items():
        began = time.process_time()
        table = read_layout(tiles, TWELVE, engine, known)
        found[name] = table, time.process_time() - began
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=4, help="for each number of players, 2 to 8")
    parser.add_argument("--first", type=int, default=0, help="number of the first round, for other games")
    parser.add_argument("--every", type=int, default=12, help="look after every so many moves")
    args = parser.parse_args()
    counts: dict[str, Counter[str]] = {}
    tables = 0
    for players in range(2, 9):
        for number in range(args.first, args.first + args.rounds):
            last: tuple[KnownChain, ...] = ()
            for look, (state, table) in enumerate(lay_rounds(players, 100 * number + players, args.every)):
                want = true_chains(state)
                for name, (found, seconds) in variants(table.scene(look)[0], state, last, look).items():
                    count = counts.setdefault(name, Counter())
                    got = read_chains(found)
                    doubtful = found.is_doubtful or any(tile.doubts for tile in found.loose)
                    count["chains"] += len(want)
                    count["right"] += len(want & got)
                    count["exact"] += want == got
                    count["fuss"] += want == got and doubtful
                    count["silent"] += want != got and not doubtful
                    count["us"] += round(seconds * 1e6)
                last = known_chains(state)
                tables += 1
        print(f"{players} players done, {tables} tables", flush=True)
    for name, count in counts.items():
        print(
            f"{name}: chains {count['right']}/{count['chains']}, tables exact {count['exact']}/{tables}, "
            f"with a doubt though exact {count['fuss']}, silent {count['silent']}, {count['us'] / tables / 1000:.0f} ms"
        )


if __name__ == "__main__":
    main()
