"""Train the corner refiner: python models/train_corners.py DATA... RUN [--minutes M].

DATA are folders of `datasets/derive_corners.py`, RUN a folder outside the checkout. The run can be stopped at any time
and is taken up with the same command; the learning rate comes down over the minutes given. Every 40th box is kept for
validation.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
import time
from pathlib import Path

CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
os.environ.setdefault("OMP_NUM_THREADS", str(CORES))

import cv2  # noqa: E402  the number of threads must be set before
import numpy as np  # noqa: E402
import torch  # noqa: E402
from corner_net import CornerNet  # noqa: E402
from torch.utils.data import ConcatDataset, DataLoader, Dataset  # noqa: E402

from companion.vision.corners import HEIGHT, PAD, TILE_H, TILE_W, WIDTH, as_input, canonical  # noqa: E402

HELD_OUT, BATCH = 40, 128
FACE, BACK, NONE = 0, 1, 2


class Boxes(Dataset):  # type: ignore[type-arg]
    """Boxes with corners and kinds; in training each is moved, turned, mirrored and lit anew every time."""

    def __init__(self, folder: Path, training: bool) -> None:
        self.crops = np.load(folder / "crops.npy", mmap_mode="r")
        kinds, corners = np.load(folder / "kinds.npy"), np.load(folder / "corners.npy")
        held = np.arange(len(kinds)) % HELD_OUT == 0
        self.index = np.flatnonzero(~held if training else held)
        self.kinds, self.quads, self.training = kinds, corners, training
        self.pad = (self.crops.shape[2] - TILE_W) // 2

    def __len__(self) -> int:
        return len(self.index)

    def __getitem__(self, number: int) -> tuple[np.ndarray, np.ndarray, int]:
        k = int(self.index[number])
        crop, quad, kind = self.crops[k], self.quads[k].copy(), int(self.kinds[k])
        rng = np.random.default_rng(None if self.training else k)
        matrix = self._view(rng, kind)
        view = cv2.warpAffine(crop, matrix, (WIDTH, HEIGHT), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        quad = quad @ matrix[:, :2].T + matrix[:, 2]
        if self.training:
            if rng.random() < 0.5:
                view, quad = view[:, ::-1], quad[[1, 0, 3, 2]] * [-1, 1] + [WIDTH - 1, 0]
            if rng.random() < 0.5:
                view, quad = view[::-1], quad[[3, 2, 1, 0]] * [1, -1] + [0, HEIGHT - 1]
            view = _lit(view, rng)
        target = (quad - canonical()[0]) / [TILE_W, TILE_H]
        return as_input(np.ascontiguousarray(view)[None])[0], target.astype(np.float32).ravel(), kind

    def _view(self, rng: np.random.Generator, kind: int) -> np.ndarray:
        """From the stored crop to the network's picture, with the error a box may have."""
        rough = (2.0 if rng.random() < 0.15 else 1.0) if self.training else 0.7
        turn, grow = rng.normal(0, 0.03 * rough), 1 + rng.normal(0, 0.04 * rough, 2)
        if kind == NONE and self.training:
            turn = rng.normal(0, 0.2)
        c, s = math.cos(turn), math.sin(turn)
        linear = np.array([[c, -s], [s, c]]) * grow[:, None]
        middle = np.array([self.pad + TILE_W / 2, self.pad + TILE_H / 2])
        to = np.array([PAD + TILE_W / 2, PAD + TILE_H / 2]) + rng.normal(0, 0.03 * rough, 2) * TILE_W
        return np.column_stack([linear, to - linear @ middle])


def _lit(view: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    x = view.astype(np.float32)
    x = x * (1 + rng.normal(0, 0.12, 3)) if rng.random() < 0.7 else x
    x = (x - 128) * rng.uniform(0.6, 1.3) + 128 + rng.normal(0, 14)
    if rng.random() < 0.1:
        x = x.mean(2, keepdims=True).repeat(3, 2)
    if rng.random() < 0.4:
        x = x + rng.normal(0, rng.uniform(1, 10), x.shape)
    if rng.random() < 0.25:
        x = cv2.GaussianBlur(x, (0, 0), rng.uniform(0.4, 1.6))
    return np.clip(x, 0, 255).astype(np.uint8)


def loss_of(moved: torch.Tensor, logits: torch.Tensor, quads: torch.Tensor, kinds: torch.Tensor) -> torch.Tensor:
    scale = torch.tensor([1.0, 2.0] * 4)  # lengths count as widths: a tile is twice as long as wide
    there = (kinds != NONE).float()
    off = torch.nn.functional.smooth_l1_loss(moved * scale, quads * scale, beta=0.02, reduction="none").mean(1)
    return (off * there).sum() / there.sum().clamp(min=1) * 10 + torch.nn.functional.cross_entropy(logits, kinds)


@torch.inference_mode()
def figures(net: CornerNet, loader: DataLoader) -> dict[str, float]:  # type: ignore[type-arg]
    """Mean and 95th percentile of the corners' error in tile widths, before and after; share of kinds told right."""
    net.eval()
    before, after, right, total = [], [], 0, 0
    for x, quads, kinds in loader:
        moved, logits = net(x)
        there = kinds != NONE
        scale = torch.tensor([1.0, 2.0])
        for places, out in ((net.canonical.expand_as(moved), before), (moved, after)):
            off = ((places - quads).reshape(-1, 4, 2) * scale).norm(dim=2).amax(1)
            out.append(off[there])
        right += int((logits.argmax(1) == kinds).sum())
        total += len(kinds)
    b, a = torch.cat(before), torch.cat(after)
    return {
        "worst corner before": round(float(b.mean()), 4),
        "after": round(float(a.mean()), 4),
        "95%": round(float(a.quantile(0.95)), 4),
        "kinds": round(right / total, 4),
    }


def train(data: list[Path], run: Path, minutes: float, start: Path | None, rate: float = 0.003) -> None:
    torch.set_num_threads(CORES)
    cv2.setNumThreads(1)
    run.mkdir(parents=True, exist_ok=True)
    loader = DataLoader(
        ConcatDataset([Boxes(folder, True) for folder in data]), BATCH, shuffle=True, num_workers=1, drop_last=True
    )
    held = DataLoader(ConcatDataset([Boxes(folder, False) for folder in data]), 256)
    net = CornerNet().to(memory_format=torch.channels_last)
    if start:
        net.load_state_dict({k: v.float() for k, v in torch.load(start, map_location="cpu").items()})
    mean = torch.optim.swa_utils.AveragedModel(
        net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.998), use_buffers=True
    )
    optimiser = torch.optim.AdamW(net.parameters(), rate, weight_decay=0.01)
    spent, last = 0.0, run / "last.pt"
    if last.exists():
        kept = torch.load(last, map_location="cpu")
        net.load_state_dict(kept["net"])
        mean.load_state_dict(kept["mean"])
        optimiser.load_state_dict(kept["optimiser"])
        spent = kept["spent"]
    epoch = 0
    while spent < minutes * 60:
        net.train()
        began, losses = time.monotonic(), []
        for x, quads, kinds in loader:
            share = min(1.0, (spent + time.monotonic() - began) / (minutes * 60))
            for group in optimiser.param_groups:
                group["lr"] = rate * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * share)))
            moved, logits = net(x.contiguous(memory_format=torch.channels_last))
            loss = loss_of(moved, logits, quads, kinds)
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
            optimiser.step()
            mean.update_parameters(net)
            losses.append(loss.item())
            if share >= 1:
                break
        spent += time.monotonic() - began
        epoch += 1
        torch.save(
            {"net": net.state_dict(), "mean": mean.state_dict(), "optimiser": optimiser.state_dict(), "spent": spent},
            last,
        )
        told = f"loss {np.mean(losses):.4f}, {figures(mean.module, held)}"
        print(f"{spent / 60:6.1f} min, epoch {epoch}, {told}", file=sys.stderr, flush=True)
    torch.save(mean.module.state_dict(), run / "final.pt")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, nargs="+")
    parser.add_argument("run", type=Path)
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--start", type=Path, help="a state dictionary to begin from: models/corners.pt")
    parser.add_argument("--rate", type=float, default=0.003, help="learning rate at the beginning")
    args = parser.parse_args()
    train(args.data, args.run, args.minutes, args.start, args.rate)


if __name__ == "__main__":
    main()
