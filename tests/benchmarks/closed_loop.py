"""The closed loop: simulated rounds are laid, drawn after every move, read, followed, and compared with the truth.

`PYTHONPATH=datasets python -m tests.benchmarks.closed_loop FILE.csv 100` follows the first round of 100 games with 2
to 8 players, each by pictures in which halves are larger than 20 pixels. As when a table is watched, what is new has to
be seen twice, in pictures that are taken a little differently. `--faults` adds misread halves, tiles taken back, moves
without a photo, hands over trains, and plays against the rules. One line of figures a round; rounds that the file has
already are left out, so that a run can be stopped and gone on with; small sets come first. `... FILE.csv 0` sums a file
up. `--albums FOLDER` keeps what was recognised in every picture: a later run with the same weights only follows, and
draws a picture only where it looks once more than the earlier did.
"""

import argparse
import csv
import os
from collections import Counter
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path

import cv2

from companion.app.table_intake import Caution
from tests.app.table_follower import Trouble
from tests.app.table_pictures import Misreading, Watcher
from tests.app.table_readings import Faults
from tests.benchmarks.follow_tables import FIGURES, lateness, naming, simulator

SEEN = (
    "photos", "tables exact", "chains", "chains seen", "tiles", "tiles seen", "no tiles", "backs", "backs seen",
    "no backs", "markers", "markers seen", "no markers", "ms to draw", "ms to read",
)  # fmt: skip
COLUMNS = ("seed", "players", "set", *FIGURES, *SEEN, "seconds")
TROUBLE = Trouble(illegal=0.02, taken_back=0.02, skipped=0.1, covered=0.03)

_reader: Misreading | None = None


def watcher(seed: int, faults: bool = False, max_pip: int = 12, albums: Path | None = None) -> Watcher:
    """Who follows the game with this number by pictures."""
    global _reader
    if _reader is None:  # one a process: it takes a second to load
        cv2.setNumThreads(1)
        _reader = Misreading.load()
    seen = Faults(misread=0.01 if faults else 0.0, max_pip=max_pip)
    return Watcher(
        simulator(seed, max_pip),
        seen,
        TROUBLE if faults else Trouble(),
        Caution(),
        reader=_reader,
        seed=seed,
        album=albums and albums / f"{seed}-{max_pip}{'-faults' if faults else ''}.pickle",
    )


def set_for(seed: int) -> int:
    """The largest number of the set in this game: every tenth is a double-twelve, whose rounds take ten times as long.

    Four have a hand each of a double-six, eight need a double-nine.
    """
    if seed % 10 == 0:
        return 12
    return 6 if 2 + seed % 7 <= 4 else 9


def round_figures(job: tuple[int, bool, Path | None]) -> dict[str, str]:
    """A line of the file."""
    seed, faults, albums = job
    who = watcher(seed, faults, set_for(seed), albums)
    figures = who.play(1).figures
    who.keep()
    row = {name: str(figures[name]) for name in (*FIGURES, *SEEN)}
    players, largest = str(len(who.simulator.names)), str(set_for(seed))
    seconds = (figures["ms to draw"] + figures["ms to read"]) / 1e3 + figures["us"] / 1e6
    return {"seed": str(seed), "players": players, "set": largest, **row, "seconds": f"{seconds:.0f}"}


def summary(rows: list[dict[str, str]]) -> str:
    """The figures of all rounds together."""
    total = Counter({key: sum(int(row[key]) for row in rows) for key in (*FIGURES, *SEEN)})
    plays, photos = max(total["plays"], 1), max(total["photos"], 1)
    hidden = ("TileDrawn", "TurnPassed")
    moves = max(total["plays"] + sum(total[f"true {kind}"] for kind in hidden), 1)
    right = total["recovered"] + sum(total[f"same {kind}"] for kind in hidden)
    share = {name: total[f"{name} seen"] / max(total[name], 1) for name in ("chains", "tiles", "backs", "markers")}
    named = f"; {naming(total)}" if total["illegal"] else ""
    return (
        f"{total['rounds']} rounds, {plays} plays: recovered {total['recovered'] / plays:.2%}, extra {total['extra']}, "
        f"wrong without a question {total['wrong accepted'] / plays:.2%}, "
        f"questions {100 * total['questions'] / plays:.2f} per 100{named}\n"
        f"  with draws and passes {moves} moves: recovered {right / moves:.2%}, "
        f"questions {100 * total['questions'] / moves:.2f} per 100\n"
        f"  {lateness(total)}\n"
        f"  {photos} photos: {total['tables exact'] / photos:.1%} exact, chains {share['chains']:.2%}, "
        f"tiles {share['tiles']:.2%} (+{total['no tiles']}), "
        f"backs {share['backs']:.1%} ({total['no backs']} seen), markers {share['markers']:.1%} "
        f"({total['no markers']} seen); a photo takes {total['ms to draw'] / photos:.0f} ms to draw, "
        f"{total['ms to read'] / photos:.0f} to read, {total['us'] / photos / 1000:.0f} to understand"
    )


def _begin(cores: list[int]) -> None:
    """One core for each worker: two that share theirs wait for each other."""
    from multiprocessing import current_process

    number = current_process()._identity[0] - 1
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {cores[number % len(cores)]})


def _rows(jobs: list[tuple[int, bool, Path | None]], workers: int) -> Iterator[dict[str, str]]:
    if workers < 2:
        yield from map(round_figures, jobs)
        return
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [0]
    with get_context("spawn").Pool(workers, _begin, (cores,)) as pool:
        yield from pool.imap_unordered(round_figures, jobs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("rounds", type=int)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--faults", action="store_true")
    parser.add_argument("--albums", type=Path)
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args()
    rows: list[dict[str, str]] = []
    if given.file.exists():
        with given.file.open(newline="") as old:
            rows = list(csv.DictReader(old))
    done = {int(row["seed"]) for row in rows}
    seeds = sorted(range(given.first, given.first + given.rounds), key=lambda seed: (set_for(seed), seed))
    jobs = [(seed, given.faults, given.albums) for seed in seeds if seed not in done]
    for row in _rows(jobs, given.workers):
        fresh = not given.file.exists()
        with given.file.open("a", newline="") as new:
            writer = csv.DictWriter(new, COLUMNS)
            if fresh:
                writer.writeheader()
            writer.writerow(row)
        rows.append(row)
        print(row["seed"], f"{row['players']} players", summary([row]), flush=True)
    print(summary(rows))


if __name__ == "__main__":
    main()
