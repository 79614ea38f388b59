"""Fit what the networks' words are worth on held-out renders: python models/calibrate.py FOLDER... [--write].

The FOLDERs were made by datasets/generate.py from recipes that no network was trained on. Real photos play no part.
Fitted are the temperature of the pip reader, the two logistic models of `companion.vision.evidence.Judge`, and the
probabilities at which doubt begins: the lowest from which tiles without a doubt are wrong at most `--wrong` of the
time. --write puts them into model.toml; --plot draws how often readings of each confidence were right.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from contract import read_contract, write_contract
from evaluate import WELL_SEEN

from companion.vision.boxes import overlap
from companion.vision.evidence import BACK, FACE, NONE, UNCLEAR, UNCOUNTABLE, Evidence, Judge, no_face
from companion.vision.photo import Photo
from companion.vision.reader import Reader
from companion.vision.weights import FOLDER

MATCHED = 0.5
"""Overlap (IoU) from which a box is taken for a tile."""

NEARLY_BEST = 0.002
"""Of thresholds with nearly the same F1 the middle one is taken; what is not counted is pointed out all the same."""

UNTRUE_NOTICES = 0.06
"""Share of pictures that may point out a place where there is nothing: a tile missed in silence is worse."""


@dataclass(frozen=True, slots=True, eq=False)
class Collected:
    """All boxes of the pictures, and what they really are."""

    evidence: Evidence
    truth: np.ndarray
    """(n,) FACE, BACK or NONE."""
    values: np.ndarray
    """(n, 2) the halves' numbers in the order of the box, -1 where there is no face."""
    largest: np.ndarray
    """(n,) the largest number of the picture's set."""
    picture: np.ndarray
    """(n,) number of the picture."""
    tiles: int
    """How many well seen tiles there are."""


def collect(reader: Reader, folders: list[Path]) -> Collected:
    """Examine every picture and match its boxes to the truth."""
    parts: list[Evidence] = []
    truths, values, largest, pictures = [], [], [], []
    tiles = 0
    paths = [path for folder in folders for path in sorted((folder / "truth").glob("*.json"))]
    for number, path in enumerate(paths):
        sidecar = json.loads(path.read_text(encoding="utf-8"))
        photo = Photo.from_path(path.parent.parent / "images" / f"{path.stem}.jpg")
        evidence = reader.examine(photo, table="round" in sidecar)
        keep = []
        used: set[int] = set()
        for k in np.argsort(-evidence.scores.max(1), kind="stable") if len(evidence) else ():
            shares = [
                0.0 if i in used else overlap(evidence.corners[k], np.array(t["corners"], np.float32)).union
                for i, t in enumerate(sidecar["tiles"])
            ]
            best = int(np.argmax(shares)) if shares else -1
            kind, value = NONE, (-1, -1)
            if best >= 0 and shares[best] >= MATCHED:
                used.add(best)
                tile = sidecar["tiles"][best]
                if min(tile["visible"]) < WELL_SEEN:
                    continue
                kind = FACE if tile["face_up"] else BACK
                box, quad = evidence.corners[k], np.array(tile["corners"])
                same = np.abs(box - quad).sum() <= np.abs(box[[2, 3, 0, 1]] - quad).sum()
                if kind == FACE:
                    value = (tile["a"], tile["b"]) if same else (tile["b"], tile["a"])
            keep.append(int(k))
            truths.append(kind)
            values.append(value)
            largest.append(sidecar["scene"]["style"]["max_pip"])
            pictures.append(number)
        parts.append(evidence.take(keep))
        tiles += sum(t["face_up"] and min(t["visible"]) >= WELL_SEEN for t in sidecar["tiles"])
        print(f"\r{number + 1}/{len(paths)} pictures ", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    joined = parts[0].joined(*parts[1:])
    return Collected(joined, np.array(truths), np.array(values), np.array(largest), np.array(pictures), tiles)


def read_values(data: Collected, temperature: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """The most likely numbers (n, 2) among those of the set, and their probabilities (n, 2)."""
    numbers = np.log(np.maximum(data.evidence.chances[:, :, :-1], 1e-12)) / temperature
    outside = np.arange(numbers.shape[2])[None] > data.largest[:, None]
    numbers = np.where(outside[:, None], -np.inf, numbers)
    chances = np.exp(numbers - numbers.max(2, keepdims=True))
    chances /= chances.sum(2, keepdims=True)
    return chances.argmax(2), chances.max(2)


def fit_temperature(data: Collected) -> float:
    """The temperature with the smallest log loss on the halves of true tiles."""
    faces = data.truth == FACE
    logs = np.log(np.maximum(data.evidence.chances[faces], 1e-12)).reshape(-1, data.evidence.chances.shape[2])
    values = data.values[faces].ravel()

    def loss(t: float) -> float:
        z = logs / t
        z = z - z.max(1, keepdims=True)
        z = z - np.log(np.exp(z).sum(1, keepdims=True))
        return float(-np.clip(z[np.arange(len(values)), values], -12, 0).mean())

    return float(min(np.arange(0.5, 3.01, 0.05), key=loss))


def fit_logistic(features: np.ndarray, classes: np.ndarray, count: int, calm: float = 1e-3) -> np.ndarray:
    """Multinomial logistic regression by Newton steps: weights (features, count); `calm` keeps them small."""
    spread = features.std(0)
    scale = np.where(spread > 1e-6, spread, np.maximum(np.abs(features).max(0), 1e-6))
    x = features / scale
    n, f = x.shape
    w = np.zeros((f, count))
    wanted = np.eye(count)[classes]
    for _ in range(60):
        z = x @ w
        p = np.exp(z - z.max(1, keepdims=True))
        p /= p.sum(1, keepdims=True)
        gradient = x.T @ (p - wanted) / n + calm * w
        hessian = np.zeros((f * count, f * count))
        for a in range(count):
            for b in range(count):
                weight = p[:, a] * ((a == b) - p[:, b])
                hessian[a * f : (a + 1) * f, b * f : (b + 1) * f] = (x * weight[:, None]).T @ x / n
        hessian += calm * np.eye(f * count)
        step = np.linalg.solve(hessian, gradient.T.ravel()).reshape(count, f).T
        w -= step / max(1.0, float(np.abs(step).max()) / 2)  # where classes lie apart, whole steps would overshoot
        if np.abs(step).max() < 1e-6:
            break
    return np.asarray(w / scale[:, None])


def fit_judge(data: Collected, temperature: float, wrong: float) -> Judge:
    """Both logistic models, then the thresholds."""
    kind_weights = fit_logistic(data.evidence.kind_features(), data.truth, 3)
    best, sure = read_values(data, temperature)
    faces = np.flatnonzero(data.truth == FACE)
    right = (best == data.values).all(1)
    pair = fit_logistic(data.evidence.take(list(faces)).value_features(sure[faces]), right[faces].astype(int), 2)
    judge = Judge(kind_weights, pair[:, 1] - pair[:, 0])
    kinds = judge.kinds(data.evidence)
    is_face = data.truth == FACE
    countable = data.evidence.junk() <= UNCOUNTABLE

    def f1(limit: float) -> float:
        kept = countable & (kinds[:, FACE] >= limit)
        return float(2 * (kept & is_face).sum() / max(1, kept.sum() + data.tiles))

    limits = np.arange(0.1, 0.91, 0.05)
    top = max(f1(limit) for limit in limits)
    accept = float(np.median([limit for limit in limits if f1(limit) >= top - NEARLY_BEST]))
    counted = countable & (kinds[:, FACE] >= accept)
    chance = np.where(data.evidence.junk() <= UNCLEAR, kinds[:, FACE] * judge.values(data.evidence, sure), 0.0)
    steps = 1 - np.geomspace(0.3, 0.0005, 60)
    calm = [s for s in steps if (k := counted & (chance >= s)).any() and 1 - right[k].mean() <= wrong]
    surest = float(min(calm)) if calm else float(steps[-1])
    backs = ~counted & (kinds[:, BACK] >= accept)
    places = ~counted & ~backs
    pictures = max(1, int(data.picture.max()) + 1)
    quiet = [
        limit
        for limit in np.arange(0.02, accept, 0.01)
        if len(set(data.picture[places & (kinds[:, FACE] >= limit) & ~is_face])) <= UNTRUE_NOTICES * pictures
    ]
    notice = float(min(quiet)) if quiet else accept
    honest = [s for s in steps if not (is_face & backs & (no_face(kinds) >= s)).any()]
    sure_back = float(max(0.8, min(honest))) if honest else float(steps[-1])
    kept = counted & (chance >= surest)
    missed = is_face & ~counted
    print(
        f"tiles {data.tiles}, boxes {len(data.truth)}, F1 {f1(accept):.4f} at {accept:.2f}; without a doubt "
        f"{int((~right[kept]).sum())} of {int(kept.sum())} are wrong, doubted {int(counted.sum() - kept.sum())}; "
        f"boxed and not counted {int(missed.sum())}, pointed out "
        f"{int((missed & places & (kinds[:, FACE] >= notice)).sum())}"
    )
    return Judge(kind_weights, pair[:, 1] - pair[:, 0], accept, notice, surest, sure_back)


def plot(data: Collected, judge: Judge, temperature: float, path: Path) -> None:
    """Confidence against how often it was right; both axes show the chance of being WRONG, logarithmically."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    best, sure = read_values(data, temperature)
    kinds = judge.kinds(data.evidence)
    shown = (kinds[:, FACE] >= judge.accept) & (data.evidence.junk() <= UNCLEAR)
    chance = (kinds[:, FACE] * judge.values(data.evidence, sure))[shown]
    right = (best == data.values).all(1)[shown]
    edges = np.unique(np.quantile(chance, np.linspace(0, 1, 13)))
    places = np.clip(np.searchsorted(edges, chance, side="right") - 1, 0, len(edges) - 2)
    figure, axes = plt.subplots(figsize=(5.2, 4.6), dpi=130)
    for k in range(len(edges) - 1):
        inside = places == k
        n, errors = int(inside.sum()), int((~right[inside]).sum())
        if not n:
            continue
        low, high = _wilson(errors, n)
        x = max(1e-4, 1 - float(chance[inside].mean()))
        axes.plot([x, x], [max(low, 1e-4), max(high, 1e-4)], color="#789", linewidth=2)
        axes.plot(x, max(errors / n, 1e-4), "o", color="#14507a")
    axes.plot([1e-4, 1], [1e-4, 1], "--", color="#aaa")
    axes.axvline(1 - judge.sure, color="#b33", linewidth=1)
    axes.set(xscale="log", yscale="log", xlim=(1e-4, 1), ylim=(1e-4, 1))
    axes.set(xlabel="chance of being wrong, as told", ylabel="share that was wrong (95 % interval)")
    axes.set_title(f"{len(chance)} tiles of held-out renders; red: doubt begins", fontsize=9)
    figure.tight_layout()
    figure.savefig(path)


def _wilson(errors: int, n: int, z: float = 1.96) -> tuple[float, float]:
    """95 % interval of a share (Wilson)."""
    p = errors / n
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    reach = z / (1 + z * z / n) * np.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return float(max(0.0, middle - reach)), float(min(1.0, middle + reach))


def as_table(judge: Judge) -> dict[str, Any]:
    """The table [judge] of model.toml."""
    limits = {name: round(getattr(judge, name), 4) for name in ("accept", "notice", "sure", "sure_back")}
    return limits | {
        "kind_weights": [[round(float(v), 4) for v in row] for row in judge.kind_weights],
        "value_weights": [round(float(v), 4) for v in judge.value_weights],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--weights", type=Path, default=FOLDER)
    parser.add_argument("--wrong", type=float, default=0.003)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--plot", type=Path, help="a PNG with the reliability of the confidences")
    args = parser.parse_args()
    contract = read_contract(args.weights)
    data = collect(Reader.load(args.weights).with_temperature(1.0), args.folders)
    temperature = fit_temperature(data)
    judge = fit_judge(data, temperature, args.wrong)
    print({"temperature": round(temperature, 2), **as_table(judge)})
    if args.plot:
        plot(data, judge, temperature, args.plot)
    if args.write:
        contract["halves"]["settings"] = {"temperature": round(temperature, 2)}
        contract["detector"].pop("settings", None)
        contract["judge"] = as_table(judge)
        write_contract(args.weights, contract)


if __name__ == "__main__":
    main()
