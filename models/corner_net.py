"""The small network of `companion.vision.corners`, in torch; written from scratch, 0.35 million weights."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from companion.vision.corners import HEIGHT, WIDTH

CLASSES = ("face", "back", "none")


class Block(nn.Module):
    """Two 3x3 convolutions with a way around them."""

    def __init__(self, inside: int, outside: int, stride: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(inside, outside, 3, stride, 1, bias=False)
        self.norm = nn.BatchNorm2d(outside)
        self.second = nn.Conv2d(outside, outside, 3, 1, 1, bias=False)
        self.norm2 = nn.BatchNorm2d(outside)
        self.around = nn.Conv2d(inside, outside, 1, stride, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        y = torch.relu(self.norm(self.first(x)))
        return torch.relu(self.norm2(self.second(y)) + self.around(x))


class CornerNet(nn.Module):
    """(n, 3, HEIGHT, WIDTH) -> corners (n, 8) in widths and lengths of the box, logits (n, 3) of CLASSES."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 16, 5, 2, 2, bias=False), nn.BatchNorm2d(16), nn.ReLU())
        self.body = nn.Sequential(Block(16, 24, 2), Block(24, 48, 2), Block(48, 80, 2), Block(80, 80, 1))
        self.squeeze = nn.Sequential(nn.Conv2d(80, 24, 1, bias=False), nn.BatchNorm2d(24), nn.ReLU(), nn.Flatten())
        places = 24 * (HEIGHT // 16) * (WIDTH // 16)
        self.corners = nn.Sequential(nn.Linear(places, 96), nn.ReLU(), nn.Linear(96, 8))
        self.kinds = nn.Linear(160, len(CLASSES))
        self.register_buffer("canonical", torch.tensor([0.0, 0, 1, 0, 1, 1, 0, 1]))

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        y = self.body(self.stem(x))
        pooled = torch.cat([y.mean((2, 3)), y.amax((2, 3))], 1)
        return self.canonical + 0.25 * self.corners(self.squeeze(y)), self.kinds(pooled)
