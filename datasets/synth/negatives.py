"""Things that have been taken for tiles or may be: printed dominoes, dice, cards, sockets, remotes, letters, knots."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from .faces import draw_face, half_pips
from .scene import Clutter
from .strokes import Image, Rng, at, disc, fill, line, text, tone, turned_box
from .styles import sample_style


def _scaled(corners: NDArray[np.float64], factor: float) -> NDArray[np.float64]:
    return np.asarray(corners.mean(0) + (corners - corners.mean(0)) * factor)


def _side(corners: NDArray[np.float64]) -> float:
    return float(np.linalg.norm(corners[1] - corners[0]))


def _printed(image: Image, item: Clutter, rng: Rng) -> None:
    """Dominoes printed flat on a box, a leaflet or a score sheet: no edge, no shadow, ink on the paper's own tone."""
    corners = _scaled(turned_box(item, image.shape, rng.uniform(0.6, 1.5)), rng.uniform(1.4, 2.6))
    side = _side(corners)
    if side < 24:
        return
    w, h = int(np.clip(side, 40, 420)), int(np.clip(np.linalg.norm(corners[3] - corners[0]), 40, 420))
    sheet = np.empty((h, w, 3), np.float32)
    sheet[:] = tone(item.rgb)
    if rng.random() < 0.6:
        m = max(2, int(0.04 * w))
        cv2.rectangle(sheet, (m, m), (w - m, h - m), tone(item.rgb2), max(1, m // 3), cv2.LINE_AA)
    style = sample_style(np.random.default_rng(item.seed + 1))
    for _ in range(int(rng.integers(1, 7))):
        width = int(rng.uniform(0.1, 0.24) * w) + 8
        a, b = (int(v) for v in rng.integers(0, style.max_pip + 1, 2))
        face = np.clip(draw_face(style, a, b, 48, np.zeros(2), rng).astype(np.float32), 0, 255)
        if rng.random() < 0.5:  # line art
            ink = np.abs(face - np.array(style.body, np.float32)).sum(2, keepdims=True) > 60
            face = np.where(ink, np.float32(tone(item.rgb2)), np.float32(tone(item.rgb)))
        cv2.rectangle(face, (1, 1), (46, face.shape[0] - 2), tone(item.rgb2), 2, cv2.LINE_AA)
        angle = rng.uniform(0, 360) if rng.random() < 0.5 else float(rng.choice([0, 90, 15]))
        turn = cv2.getRotationMatrix2D((24, face.shape[0] / 2), angle, width / 48)
        turn[:, 2] += rng.uniform(0.15, 0.85, 2) * [w, h] - [24, face.shape[0] / 2]
        cover = cv2.warpAffine(np.ones(face.shape[:2], np.float32), turn, (w, h))[..., None]
        sheet = sheet * (1 - cover) + cv2.warpAffine(face, turn, (w, h)) * cover
    sheet = sheet * 0.82 + np.float32(tone(item.rgb)) * 0.18
    if rng.random() < 0.4:  # halftone
        yy, xx = np.mgrid[:h, :w]
        period = rng.uniform(2.5, 5)
        sheet += (np.sin(xx / period * 2 * np.pi) * np.sin(yy / period * 2 * np.pi) * rng.uniform(8, 22))[..., None]
    printed = np.clip(sheet, 0, 255).astype(np.uint8)
    if rng.random() < 0.6:
        text(printed, rng, np.array([0.1 * w, rng.uniform(0.15, 0.95) * h]), w * 0.1, tone(item.rgb2))
    _lay(image, printed, corners)


def _lay(image: Image, sheet: Image, corners: NDArray[np.float64]) -> None:
    """Put a flat sheet into the picture, with a thin shadow."""
    h, w = sheet.shape[:2]
    fill(image, corners + 2, (28.0, 26.0, 24.0))
    source = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    matrix = cv2.getPerspectiveTransform(source, corners.astype(np.float32))
    size = (image.shape[1], image.shape[0])
    cv2.warpPerspective(sheet, matrix, size, dst=image, borderMode=cv2.BORDER_TRANSPARENT)


def _dice(image: Image, item: Clutter, rng: Rng) -> None:
    """Some dice, near each other or in a row, with round corners and a second face that is seen."""
    first = turned_box(item, image.shape, 1.0)
    side = max(6.0, _side(first) * rng.uniform(0.25, 0.6))
    in_row = rng.random() < 0.35
    heading = first[1] - first[0]
    heading = heading / max(float(np.linalg.norm(heading)), 1e-6)
    down = np.array([rng.uniform(-0.2, 0.2), rng.uniform(0.1, 0.45)]) * side
    for k in range(int(rng.integers(2, 7))):
        middle = first.mean(0) + (heading * side * k * 1.02 if in_row else rng.normal(0, side * 2.2, 2))
        angle = np.arctan2(heading[1], heading[0]) if in_row else rng.uniform(0, 2 * np.pi)
        u = np.array([np.cos(angle), np.sin(angle)]) * side / 2
        v = np.array([-u[1], u[0]])
        top = np.array([middle - u - v, middle + u - v, middle + u + v, middle - u + v])
        hull = cv2.convexHull(np.concatenate([top, top + down]).astype(np.float32))[:, 0]
        fill(image, hull + down * 0.25, (25.0, 23.0, 21.0))
        fill(image, hull, tone(item.rgb, 0.65))
        fill(image, top, tone(item.rgb))
        for x, y in half_pips(int(rng.integers(1, 7)), int(rng.integers(4)), 1.0):
            disc(image, at(top, x, y), side * 0.085, tone(item.rgb2))
        if np.linalg.norm(down) > 0.3 * side:
            low = top[np.argsort(top[:, 1])[2:]]
            wall = np.array([low[0], low[1], low[1] + down, low[0] + down])
            for x, y in half_pips(int(rng.integers(1, 7)), 0, 0.9):
                disc(image, at(wall, x, y), side * 0.05, tone(item.rgb2, 0.8))


def _cards(image: Image, item: Clutter, rng: Rng) -> None:
    """Playing cards, fanned or in a row: indices in the corners, suits in two columns."""
    base = turned_box(item, image.shape, 1.42)
    side = _side(base)
    if side < 12:
        return
    w, h = 70, 100
    for k in range(int(rng.integers(1, 6))):
        card = np.full((h, w, 3), 244, np.uint8)
        cv2.rectangle(card, (0, 0), (w - 1, h - 1), (150, 150, 150), 1)
        ink = (195, 25, 35) if rng.random() < 0.5 else (22, 22, 26)
        if rng.random() < 0.2:
            cv2.rectangle(card, (5, 5), (w - 6, h - 6), tone(item.rgb), -1)
            for z in range(-h, w, 7):
                cv2.line(card, (z, 0), (z + h, h), (235, 235, 235), 1, cv2.LINE_AA)
        else:
            n = int(rng.integers(1, 11))
            corner = str(rng.choice(["A", "K", "Q", "J", str(n)]))
            cv2.putText(card, corner, (3, 14), cv2.FONT_HERSHEY_SIMPLEX, 0.42, ink, 1, cv2.LINE_AA)
            card[-18:, -18:] = card[:18, :18][::-1, ::-1]
            for j in range(n):
                x, y = (22 if j % 2 else 48) if j < n // 2 * 2 else 35, 22 + (j // 2) * 56 // max(1, (n - 1) // 2 or 1)
                suit = np.array([[0, -7], [5, 0], [0, 7], [-5, 0]]) + np.array([x, min(y, 80)])
                if rng.random() < 0.5:
                    cv2.fillPoly(card, [suit.astype(np.int32)], ink, cv2.LINE_AA)
                else:
                    cv2.circle(card, (x, min(y, 80)), 5, ink, -1, cv2.LINE_AA)
        angle = item.angle + (k - 2) * rng.uniform(0.1, 0.3)
        u = np.array([np.cos(angle), np.sin(angle)])
        v = np.array([-u[1], u[0]])
        middle = base.mean(0) + u * side * 0.4 * k
        x, y = u * side / 2, v * side * 0.71
        _lay(image, card, np.array([middle - x - y, middle + x - y, middle + x + y, middle - x + y]))


def _remote(image: Image, item: Clutter, rng: Rng) -> None:
    """A remote control: a long dark brick with round and square keys."""
    corners = _scaled(turned_box(item, image.shape, rng.uniform(2.6, 4.0)), 0.8)
    fill(image, corners + _side(corners) * 0.08, (18.0, 17.0, 16.0))
    body = tone(item.rgb2) if rng.random() < 0.5 else (30.0, 30.0, 33.0)
    fill(image, corners, body)
    across, down = int(rng.integers(2, 5)), int(rng.integers(5, 12))
    round_keys = rng.random() < 0.6
    ink = tone(item.rgb) if rng.random() < 0.5 else (205.0, 205.0, 205.0)
    for i in range(across):
        for j in range(down):
            if rng.random() < 0.15:
                continue
            p = at(corners, (i + 0.8) / (across + 0.6), 0.06 + 0.7 * j / down)
            size = _side(corners) / across
            if round_keys:
                disc(image, p, size * 0.28, ink)
            else:
                u = (corners[1] - corners[0]) / across * 0.3
                v = (corners[3] - corners[0]) / down * 0.22
                fill(image, np.array([p - u - v, p + u - v, p + u + v, p - u + v]), ink)
    disc(image, at(corners, 0.25, 0.03), _side(corners) * 0.08, (200.0, 30.0, 30.0))


def _socket(image: Image, item: Clutter, rng: Rng) -> None:
    """Wall sockets: square plates with a bowl and two holes, or slots; one to three side by side."""
    first = _scaled(turned_box(item, image.shape, 1.0), 0.9)
    step = first[1] - first[0]
    light = tone(np.array([rng.uniform(215, 250)] * 3) - rng.uniform(0, 20, 3))
    slots = rng.random() < 0.4
    for k in range(int(rng.integers(1, 4))):
        plate = first + step * k
        fill(image, plate + 2, (60.0, 58.0, 55.0))
        fill(image, plate, light)
        side = _side(plate)
        if not slots:
            disc(image, at(plate, 0.5, 0.5), side * 0.38, tone(light, 0.86))
            disc(image, at(plate, 0.5, 0.5), side * 0.35, tone(light, 0.93))
        for x, y in ((0.36, 0.5), (0.64, 0.5)):
            if slots:
                line(image, at(plate, x, 0.3), at(plate, x, 0.48), (25.0, 25.0, 25.0), side * 0.06)
            else:
                disc(image, at(plate, x, y), side * 0.055, (25.0, 25.0, 25.0))
        if slots:
            disc(image, at(plate, 0.5, 0.68), side * 0.07, (25.0, 25.0, 25.0))


def _plug(image: Image, item: Clutter, rng: Rng) -> None:
    """A plug or a charger: a rounded block with two pins and a cable."""
    corners = _scaled(turned_box(item, image.shape, rng.uniform(1.0, 1.8)), 0.6)
    side = _side(corners)
    body = tone(item.rgb) if rng.random() < 0.5 else (238.0, 238.0, 236.0)
    tail, away = at(corners, 0.5, 1.0), (corners[3] - corners[0]) * rng.uniform(1, 4)
    for k in range(6):
        bend = np.array([-away[1], away[0]]) * 0.08 * np.sin(np.array([k, k + 1]))[:, None]
        line(image, tail + away * k / 6 + bend[0], tail + away * (k + 1) / 6 + bend[1], body, side * 0.14)
    fill(image, corners + side * 0.06, (24.0, 23.0, 22.0))
    fill(image, corners, body)
    for x in (0.33, 0.67):
        line(image, at(corners, x, 0.0), at(corners, x, -0.35), (190.0, 185.0, 170.0), side * 0.1)
    for _ in range(int(rng.integers(0, 3))):
        text(image, rng, at(corners, 0.15, rng.uniform(0.3, 0.9)), side * 0.12, tone(body, 0.55))


def _knot(image: Image, item: Clutter, rng: Rng) -> None:
    """Knots in wood: dark cores in rings that run along the grain."""
    h, w = image.shape[:2]
    for _ in range(int(rng.integers(1, 6))):
        p = np.array([item.x * w, item.y * h]) + rng.normal(0, 0.15, 2) * max(h, w)
        r = max(3.0, item.size * max(h, w) * rng.uniform(0.04, 0.16))
        x, y = (int(np.clip(v, -2 * w, 3 * w)) for v in p)
        axes = (int(r * rng.uniform(1.0, 1.8)) + 1, int(r) + 1)
        dark = np.array([rng.uniform(40, 110), rng.uniform(25, 70), rng.uniform(12, 45)])
        for factor, shade in ((1.5, 1.8), (1.2, 1.4), (1.0, 1.0), (0.6, 0.6)):
            size = (int(axes[0] * factor), int(axes[1] * factor))
            cv2.ellipse(image, (x, y), size, float(np.degrees(item.angle)), 0, 360, tone(dark, shade),
                        -1 if factor <= 1 else max(1, int(r * 0.12)), cv2.LINE_AA)  # fmt: skip


def _ladybird(image: Image, item: Clutter, rng: Rng) -> None:
    """Ladybirds, real, painted or of chocolate: a red dome with black dots and a seam."""
    h, w = image.shape[:2]
    r = max(4.0, item.size * max(h, w) * 0.3)
    for k in range(int(rng.integers(1, 4))):
        p = np.array([item.x * w, item.y * h]) + (rng.normal(0, 3 * r, 2) if k else 0)
        angle = item.angle + k
        u = np.array([np.cos(angle), np.sin(angle)])
        v = np.array([-u[1], u[0]])
        disc(image, p + r * 0.15, r, (25.0, 22.0, 20.0))
        disc(image, p + u * r * 0.75, r * 0.5, (20.0, 20.0, 22.0))
        disc(image, p, r, tone(np.array([rng.uniform(170, 235), rng.uniform(15, 60), 25.0])))
        line(image, p - u * r, p + u * r, (20.0, 18.0, 18.0), r * 0.08)
        for x, y in ((0.4, 0.45), (-0.2, 0.6), (-0.55, 0.3), (0.05, 0.25))[: int(rng.integers(2, 5))]:
            for sign in (-1, 1):
                disc(image, p + u * x * r + v * sign * y * r, r * 0.16, (18.0, 16.0, 16.0))
        disc(image, p + v * r * 0.4 + u * r * 0.3, r * 0.1, (250.0, 225.0, 220.0))


def _letters(image: Image, item: Clutter, rng: Rng) -> None:
    """Letter tiles and number squares of other games: square, with one sign and a small figure."""
    first = turned_box(item, image.shape, 1.0)
    side = max(8.0, _side(first) * rng.uniform(0.3, 0.6))
    body = np.array([rng.uniform(200, 245), rng.uniform(175, 225), rng.uniform(120, 190)])
    word = rng.random() < 0.6
    u = (first[1] - first[0]) / max(_side(first), 1e-6)
    for k in range(int(rng.integers(2, 8))):
        middle = first.mean(0) + (u * side * 1.04 * k if word else rng.normal(0, 2.5 * side, 2))
        angle = item.angle if word else rng.uniform(0, 2 * np.pi)
        x = np.array([np.cos(angle), np.sin(angle)]) * side / 2
        y = np.array([-x[1], x[0]])
        tile = np.array([middle - x - y, middle + x - y, middle + x + y, middle - x + y])
        fill(image, tile + side * 0.07, (30.0, 26.0, 22.0))
        face = np.empty((40, 40, 3), np.uint8)
        face[:] = body.astype(np.uint8)
        sign = chr(int(rng.integers(65, 91))) if rng.random() < 0.8 else str(rng.integers(1, 14))
        cv2.putText(face, sign, (7, 30), cv2.FONT_HERSHEY_DUPLEX, 0.9 if len(sign) == 1 else 0.6, (25, 20, 18), 2,
                    cv2.LINE_AA)  # fmt: skip
        cv2.putText(face, str(rng.integers(1, 11)), (28, 37), cv2.FONT_HERSHEY_SIMPLEX, 0.28, (25, 20, 18), 1)
        _lay(image, face, tile)


NEGATIVES: dict[str, Callable[[Image, Clutter, Rng], None]] = {
    "printed": _printed,
    "dice": _dice,
    "cards": _cards,
    "remote": _remote,
    "socket": _socket,
    "plug": _plug,
    "knot": _knot,
    "ladybird": _ladybird,
    "letters": _letters,
}
"""What recipes with breadth add."""
