"""Makes `docs/video/round.mp4`: the beginning of a round, rendered, with hands that lay the tiles; and its truth.

    python docs/make_video.py                  # needs the extra `dev`; the same seed gives the same moves and places

The truth (`round.json`) tells who sits at the table, every move, and from when on the table lies still after it.
`tests/cli/test_watch_video.py` follows the video with `companion watch` and compares.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "datasets")]

from synth.compositor import draw  # noqa: E402
from synth.geometry import project  # noqa: E402
from synth.rounds import RoundTable  # noqa: E402
from synth.scene import Camera, Scene  # noqa: E402

from companion.app.simulation import Simulator, Strategy  # noqa: E402
from companion.rules import seating  # noqa: E402
from companion.rules.events import Event, TileDrawn, TilePlayed, TurnPassed  # noqa: E402
from companion.rules.house_rules import HouseRules, Preset  # noqa: E402

Image = NDArray[np.uint8]

FOLDER = ROOT / "docs" / "video"
SEED = 8
NAMES = ("Anna", "Boris", "Clara")
SIDES = {"Anna": 9}
"""Where somebody sits, by the hours of a clock; the others sit clockwise from there."""
MOVES = 13
PUSHED_AFTER = 8
"""After this move somebody pushes the camera."""
FPS = 10
STILL, REACH = 13, 3
"""Frames of the still table after each move, and of a hand that comes or goes."""
SIZE = (1920, 1080)
_SKIN = np.array([(208, 156, 124), (166, 112, 82), (122, 82, 60)], np.float32)
_SLEEVE = np.array([(70, 84, 120), (120, 60, 66), (64, 96, 78)], np.float32)


@dataclass(frozen=True, slots=True)
class Step:
    """The table after a move."""

    picture: Image
    events: tuple[Event, ...]
    """What the move was; nothing for the table as it is in the beginning."""
    seat: int
    at: tuple[float, float]
    """Where the hand reaches, pixels."""
    comes_from: tuple[float, float]


def steps() -> Iterator[Step]:
    """The round's first moves."""
    rules = HouseRules()
    sim = Simulator(rules, NAMES, [Strategy.CLOSER, Strategy.HEAVIEST, Strategy.PLANNER], Random(SEED))
    sim.record(seating.start_game(rules, NAMES, Preset.CUSTOM, ()))
    sim.start_round()
    assert sim.game.table is not None
    table = RoundTable(sim.game.table.seats, rules.tile_set, SEED, SIZE[0])
    table.follow(sim.game.table)
    first, _ = table.scene()
    camera = first.camera
    assert (camera.width, camera.height) == SIZE
    yield Step(_picture(first, camera, first), (), 0, (0, 0), (0, 0))
    before = _faces(first)
    drawn: tuple[Event, ...] = ()
    pushed = False
    for number, _ in zip(range(1, MOVES + 1), sim.round_moves(), strict=False):
        events = (*drawn, *_last_move(sim.events))
        if isinstance(events[-1], TileDrawn) and number < MOVES:  # whoever draws and passes reaches out once
            drawn = events
            continue
        drawn = ()
        table.follow(sim.game.table)
        scene, _ = table.scene()
        if not pushed and number > PUSHED_AFTER:
            pushed = True
            x, y = camera.target
            camera = replace(camera, target=(x + 0.7, y - 0.4), azimuth=camera.azimuth + 0.025)
        faces = _faces(scene)
        new = [place for tile, place in faces.items() if tile not in before]
        before = faces
        seat = events[0].seat
        hand = next(rim for owner, rim in table._rims.items() if owner == seat)
        near, far = hand[0], hand[0] + 14 * np.array([np.cos(hand[1]), np.sin(hand[1])])
        at, start = project(camera, np.array([[*(new[0] if new else near), 0.0], [*far, 0.0]]))
        yield Step(_picture(scene, camera, first), events, seat, tuple(at), tuple(start))


def _last_move(events: list[Event]) -> tuple[Event, ...]:
    """The event of the move just made."""
    return tuple(e for e in events if isinstance(e, TilePlayed | TileDrawn | TurnPassed))[-1:]


def _faces(scene: Scene) -> dict[tuple[int, int], tuple[float, float]]:
    lying = (pose for pose in scene.tiles if pose.face_up and not pose.standing)
    return {(min(p.a, p.b), max(p.a, p.b)): (p.x, p.y) for p in lying}


def _picture(scene: Scene, camera: Camera, first: Scene) -> Image:
    """As a camera on a stand sees it, the same place and lamp from move to move; noise would only fill the file."""
    lens = replace(scene.lens, noise=0.0)
    return draw(replace(scene, camera=camera, light=first.light, lens=lens)).image


def _with_hand(picture: Image, seat: int, comes_from: tuple[float, float], at: tuple[float, float]) -> Image:
    """An arm from the rim with its hand at `at`, with a soft shadow."""
    start, end = np.array(comes_from), np.array(at)
    way = (end - start) / max(1.0, float(np.linalg.norm(end - start)))
    side = np.array([-way[1], way[0]])
    arm, hand = (np.zeros(picture.shape[:2], np.uint8) for _ in range(2))
    wrist = end - 95 * way
    cv2.line(arm, _point(start), _point(wrist), 255, 74, cv2.LINE_AA)
    cv2.line(hand, _point(wrist - 20 * way), _point(wrist + 20 * way), 255, 52, cv2.LINE_AA)
    angle = float(np.degrees(np.arctan2(way[1], way[0])))
    cv2.ellipse(hand, (_point(end - 45 * way), (96, 78), angle), 255, -1, cv2.LINE_AA)
    for out in (-27, -9, 9, 27):
        tip = end + (22 - abs(out) / 3) * way
        cv2.line(hand, _point(end - 40 * way + out * side), _point(tip + out * side), 255, 17, cv2.LINE_AA)
    image = picture.astype(np.float32)
    shade = cv2.GaussianBlur(np.roll(np.maximum(arm, hand), (14, 20), (0, 1)), (0, 0), 16)
    image *= 1 - 0.35 * (shade / np.float32(255))[..., None]
    for mask, colour in ((arm, _SLEEVE[seat % 3]), (hand, _SKIN[seat % 3])):
        body = cv2.GaussianBlur(mask, (0, 0), 9)[..., None] / np.float32(255)
        alpha = mask[..., None] / np.float32(255)
        image = image * (1 - alpha) + alpha * colour * (0.72 + 0.28 * body)
    return np.asarray(np.clip(image, 0, 255), np.uint8)


def _point(place: NDArray[np.floating]) -> tuple[int, int]:
    return round(float(place[0])), round(float(place[1]))


def frames(made: list[Step]) -> Iterator[tuple[Image, Step | None]]:
    """Every frame; with the first still one after a move its step."""
    for number, step in enumerate(made):
        step = made[number] = replace(step, picture=lit(step.picture, number))
        if number:
            last = made[number - 1].picture
            start, at = np.array(step.comes_from), np.array(step.at)
            for k in range(1, REACH + 1):
                yield _with_hand(last, step.seat, step.comes_from, tuple(start + (at - start) * k / REACH)), None
            for k in range(REACH, 0, -1):
                reach = tuple(start + (at - start) * k / REACH)
                yield _with_hand(step.picture, step.seat, step.comes_from, reach), None
        for k in range(STILL):
            yield step.picture, step if k == 0 else None


def lit(picture: Image, move: int) -> Image:
    """Clouds pass before the window: now and then the light is another by a few per cent."""
    gain = 1 + 0.03 * np.sin(move // 4)
    return np.asarray(np.clip(picture * np.float32(gain), 0, 255), np.uint8)


def main() -> None:
    """Write the video and its truth."""
    FOLDER.mkdir(exist_ok=True)
    target = FOLDER / "round.mp4"
    made = list(steps())
    writer = cv2.VideoWriter(str(target), cv2.CAP_FFMPEG, cv2.VideoWriter.fourcc(*"mp4v"), FPS, SIZE)
    assert writer.isOpened(), "this OpenCV cannot write MPEG-4"
    moves = []
    for number, (picture, step) in enumerate(frames(made)):
        writer.write(picture[..., ::-1])
        if step is not None:
            moves += [_told(event, number / FPS) for event in step.events]
    writer.release()
    truth = {
        "seed": SEED,
        "players": NAMES,
        "sides": SIDES,
        "fps": FPS,
        "frames": number + 1,
        "moves": moves,
    }
    (FOLDER / "round.json").write_text(json.dumps(truth, indent=1) + "\n", "utf-8")
    print(f"{target}: {target.stat().st_size / 1e6:.2f} MB, {number + 1} frames, {len(moves)} moves")


def _told(event: Event, time_s: float) -> dict[str, object]:
    """One move as the truth has it."""
    told: dict[str, object] = {"still_from_s": time_s, "player": NAMES[event.seat], "what": type(event).__name__}
    if isinstance(event, TilePlayed):
        told |= {"tile": str(event.tile), "train": None if event.train is None else NAMES[event.train]}
        told |= {"outer": event.outer}
    return told


if __name__ == "__main__":
    main()
