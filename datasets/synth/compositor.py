"""Draws a scene fast, without a ray tracer: numpy and OpenCV, about 60 ms a picture of 512 px on one core."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from .clutter import draw_clutter
from .exposing import expose
from .faces import draw_back, draw_face
from .geometry import camera_position, face_corners, frame, outline, project
from .scene import Scene, TilePose
from .surfaces import draw_surface, noise
from .things import FIRST_OWNER, draw_thing, footing

Image = NDArray[np.uint8]

GRAZING = 0.15
"""Sine of the angle under which a face is no longer told in the truth."""


@dataclass(frozen=True, slots=True)
class TileTruth:
    """What the sidecar says of one tile."""

    a: int
    b: int
    face_up: bool
    standing: bool
    corners: tuple[tuple[float, float], ...]
    """Of the face that is seen, in pixels, clockwise, the first two at the short side of half a."""
    visible: tuple[float, float]
    """Share of each half's face that is in the picture and not hidden."""


@dataclass(frozen=True, slots=True)
class ThingTruth:
    """What the sidecar says of a marker or a station."""

    kind: str
    model: str
    corners: tuple[tuple[float, float], ...]
    """Of a rectangle around it, in pixels, clockwise; upright but for trains, which have an angle to tell."""
    visible: float
    """Share that is in the picture and not hidden; tiles hide a station in part by lying in it."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A picture, (height, width, 3) uint8 RGB, and its truth."""

    image: Image
    tiles: tuple[TileTruth, ...]
    things: tuple[ThingTruth, ...]


def render(scene: Scene) -> tuple[Image, tuple[TileTruth, ...]]:
    """`draw` for those who ask for tiles only."""
    drawn = draw(scene)
    return drawn.image, drawn.tiles


def draw(scene: Scene) -> Drawn:
    """Draw a scene, and tell the truth of every tile whose face or back is turned to us, and of every thing."""
    rng = np.random.default_rng([*scene.seed, 1])
    cam = scene.camera
    image = draw_surface(scene.surface, cam.height, cam.width).astype(np.uint8)
    for item in scene.clutter:
        if not item.above:
            draw_clutter(image, item)
    owner = np.full((cam.height, cam.width), -1, np.int16)
    poses = _far_to_near(scene)
    found: dict[int, tuple[NDArray[np.float64], float]] = {}
    image = _draw_stations(image, owner, scene, found)
    image = _shade_table(image, scene, poses)
    markers = _markers_by_host(scene, poses)
    seen: list[tuple[TilePose, NDArray[np.float64], bool]] = []
    for number in markers.pop(-1, ()):
        _add_thing(image, owner, scene, number, found)
    for place, pose in enumerate(poses):
        drawn = _draw_tile(image, owner, scene, pose, len(seen), rng)
        if drawn is not None:
            seen.append((pose, *drawn))
        for number in markers.get(place, ()):
            _add_thing(image, owner, scene, number, found)
    for item in scene.clutter:
        if item.above:
            before = image.copy()
            draw_clutter(image, item)
            owner[(before != image).any(2)] = -1
    return Drawn(expose(image, scene.light, scene.lens, rng), _truth(owner, seen), _things_truth(owner, scene, found))


def _draw_stations(
    image: Image, owner: NDArray[np.int16], scene: Scene, found: dict[int, tuple[NDArray[np.float64], float]]
) -> Image:
    """Under all tiles, with a shadow of their own."""
    for number, thing in enumerate(scene.things):
        if thing.kind == "station":
            image = _shade_table(image, replace(scene, things=(thing,)), [])
            _add_thing(image, owner, scene, number, found)
    return image


def _add_thing(
    image: Image,
    owner: NDArray[np.int16],
    scene: Scene,
    number: int,
    found: dict[int, tuple[NDArray[np.float64], float]],
) -> None:
    drawn = draw_thing(image, owner, scene, number)
    if drawn is not None:
        found[number] = drawn


def _markers_by_host(scene: Scene, poses: list[TilePose]) -> dict[int, list[int]]:
    """After which of the poses each marker is drawn: its tile, else the last one that is farther off, or none (-1)."""
    eye = camera_position(scene.camera)
    far = [float(np.linalg.norm(frame(p, scene.style)[0] - eye)) for p in poses]
    after: dict[int, list[int]] = {}
    for number, thing in enumerate(scene.things):
        if thing.kind == "station":
            continue
        if thing.on >= 0:
            place = poses.index(scene.tiles[thing.on])
        else:
            away = float(np.linalg.norm(np.array([thing.x, thing.y, thing.lift + thing.size / 4]) - eye))
            place = sum(f > away for f in far) - 1
        after.setdefault(place, []).append(number)
    return after


def sidecar(scene: Scene, truth: tuple[TileTruth, ...], things: tuple[ThingTruth, ...] = ()) -> dict[str, Any]:
    """The whole truth about a picture as plain JSON values."""
    others = [
        {
            "kind": t.kind,
            "model": t.model,
            "corners": [[round(x, 2), round(y, 2)] for x, y in t.corners],
            "visible": round(t.visible, 3),
        }
        for t in things
    ]
    tiles = [
        {
            "a": t.a,
            "b": t.b,
            "face_up": t.face_up,
            "standing": t.standing,
            "corners": [[round(x, 2), round(y, 2)] for x, y in t.corners],
            "visible": [round(v, 3) for v in t.visible],
        }
        for t in truth
    ]
    size = {"width": scene.camera.width, "height": scene.camera.height}
    return size | {"tiles": tiles, "things": others, "scene": scene.to_json()}


def _far_to_near(scene: Scene) -> list[TilePose]:
    eye = camera_position(scene.camera)
    return sorted(scene.tiles, key=lambda p: -float(np.linalg.norm(frame(p, scene.style)[0] - eye)))


def _in_view(points: NDArray[np.float64], scene: Scene) -> bool:
    low, high = points.min(0), points.max(0)
    size = np.array([scene.camera.width, scene.camera.height])
    return bool((high > 0).all() and (low < size).all() and (high - low < 3 * size).all())


def _shade_table(image: Image, scene: Scene, poses: list[TilePose]) -> Image:
    """Shadows on the table: a hard or soft one away from the lamp, and a dark rim where tiles touch it."""
    h, w = image.shape[:2]
    cam, style = scene.camera, scene.style
    cast, contact = np.zeros((h, w), np.uint8), np.zeros((h, w), np.uint8)
    shift = np.array([*scene.light.direction, 0.0])
    any_seen = False
    for pose in poses:
        front = outline(pose, style)
        back = front - frame(pose, style)[3] * style.thickness
        body = np.concatenate([front, back])
        fallen = body + shift * body[:, 2:3]
        fallen[:, 2] = 0
        floor = body.copy()
        floor[:, 2] = 0
        shadow = project(cam, np.concatenate([fallen, floor]))
        if _in_view(shadow, scene):
            any_seen = True
            cv2.fillConvexPoly(cast, cv2.convexHull(shadow.astype(np.float32)).astype(np.int32), 255, cv2.LINE_AA)
            rim = project(cam, floor).astype(np.float32)
            cv2.fillConvexPoly(contact, cv2.convexHull(rim).astype(np.int32), 255, cv2.LINE_AA)
    for thing in scene.things:
        if (thing.kind == "station") == bool(poses):  # stations are shaded before there are tiles
            continue
        rim, shadow = footing(thing, cam, scene.light.direction)
        if thing.on < 0 and _in_view(shadow, scene):
            any_seen = True
            cv2.fillConvexPoly(cast, cv2.convexHull(shadow.astype(np.float32)).astype(np.int32), 255, cv2.LINE_AA)
            cv2.fillConvexPoly(contact, cv2.convexHull(rim.astype(np.float32)).astype(np.int32), 255, cv2.LINE_AA)
    if not any_seen:
        return image
    px = cam.focal_px / cam.distance
    soft = _soft(cast, max(0.7, px * scene.light.softness))
    rim = _soft(contact, max(0.7, px * 0.09))
    dark = 1 - np.maximum(soft * scene.light.shadow, rim * 0.45)
    return (image * dark[..., None]).astype(np.uint8)


def _soft(mask: Image, sigma: float) -> NDArray[np.float32]:
    """Blur; wide blurs are done on a smaller picture."""
    h, w = mask.shape
    k = max(1, int(sigma // 3))
    small = cv2.resize(mask, (max(1, w // k), max(1, h // k)), interpolation=cv2.INTER_AREA) if k > 1 else mask
    small = cv2.GaussianBlur(small, (0, 0), sigma / k)
    return cv2.resize(small, (w, h)).astype(np.float32) / 255


def _draw_tile(
    image: Image, owner: NDArray[np.int16], scene: Scene, pose: TilePose, number: int, rng: np.random.Generator
) -> tuple[NDArray[np.float64], bool] | None:
    """Paint one tile; returns the corners of the side that is seen, and whether that is the face."""
    cam, style = scene.camera, scene.style
    middle, across, along, outward = frame(pose, style)
    front_3d = outline(pose, style)
    back_3d = front_3d - outward * style.thickness
    front, back = project(cam, front_3d), project(cam, back_3d)
    if not _in_view(np.concatenate([front, back]), scene):
        return None
    eye = camera_position(cam)
    height = float((eye - middle) @ outward)  # over the plane of the face
    from_behind = height <= 0
    above = -height - style.thickness if from_behind else height
    lamp = np.array([-scene.light.direction[0], -scene.light.direction[1], 1.0])
    lamp /= np.linalg.norm(lamp)
    side_light = 0.62 + 0.28 * float(
        np.clip(lamp[:2] @ (eye[:2] - middle[:2]) / (np.linalg.norm(eye[:2] - middle[:2]) + 1e-6), -1, 1)
    )
    mid = (front + back) / 2
    upper, lower = np.array(style.body) * side_light, np.array(style.side) * side_light * 0.85
    _fill_hull(image, np.concatenate([front, back]), upper)
    _fill_hull(image, np.concatenate([mid, front if from_behind else back]), lower)
    if scene.solid and pose.standing:
        _draw_upper_edge(image, scene, front_3d, outward, (np.array(style.body), np.array(style.side)))
    _fill_hull(owner, np.concatenate([front, back]), -1)
    if from_behind:  # a standing tile seen from its back: mirrored, so that the corners stay clockwise
        corners_3d = face_corners(pose, style)[[1, 0, 3, 2]] - outward * style.thickness
        across, outward = -across, -outward
    else:
        corners_3d = face_corners(pose, style)
    if above < GRAZING * np.linalg.norm(eye - middle):
        return None  # seen on edge only: nothing can be read, nothing is asked
    face_seen = not from_behind and (pose.face_up or pose.standing)
    corners = project(cam, corners_3d)
    px = float(max(np.linalg.norm(corners[1] - corners[0]), np.linalg.norm(corners[3] - corners[0]) / style.length))
    if px < 3:
        return None
    width = int(np.clip(px * 1.25, 28, 300))
    shade = np.array([scene.light.direction[0], scene.light.direction[1], -1.0])
    light = np.array([shade @ across, shade @ along])
    light = light / max(1.0, float(np.linalg.norm(light)))
    face = draw_face(style, pose.a, pose.b, width, light, rng) if face_seen else draw_back(style, width, rng)
    brightness = float(np.clip(0.72 + 0.3 * (lamp @ outward), 0.45, 1.05)) * rng.uniform(0.94, 1.05)
    _paste(image, owner, face, corners, scene, light, brightness, number, rng)
    return corners, face_seen


def _draw_upper_edge(
    image: Image,
    scene: Scene,
    front: NDArray[np.float64],
    outward: NDArray[np.float64],
    tones: tuple[NDArray[np.float64], NDArray[np.float64]],
) -> None:
    """The long edge on which light falls from above, in the tones of both layers."""
    edge = front[front[:, 2] > front[:, 2].max() - scene.style.corner - 1e-6]
    deep = outward * scene.style.thickness
    halves = [project(scene.camera, edge - deep * k) for k in (0.0, 0.5, 1.0)]
    bright = 1.02 if scene.light.exposure < 1.2 else 0.97
    for near, far, tone in zip(halves[:-1], halves[1:], tones, strict=True):
        _fill_hull(image, np.concatenate([near, far]), tone * bright)


def _fill_hull(target: NDArray[Any], points: NDArray[np.float64], value: Any) -> None:
    hull = cv2.convexHull(points.astype(np.float32))[:, 0]
    if target.ndim == 2:
        cv2.fillConvexPoly(target, hull.astype(np.int32), int(value))
    else:
        rgb = tuple(float(v) for v in np.clip(value, 0, 255))
        cv2.fillConvexPoly(target, np.round(hull * 16).astype(np.int32), rgb, cv2.LINE_AA, 4)


def _paste(
    image: Image,
    owner: NDArray[np.int16],
    face: Image,
    corners: NDArray[np.float64],
    scene: Scene,
    light: NDArray[np.float64],
    brightness: float,
    number: int,
    rng: np.random.Generator,
) -> None:
    style = scene.style
    h, w = face.shape[:2]
    mask = _rounded(w, h, style.corner)
    toned = face.astype(np.float32) * brightness
    height = cv2.GaussianBlur(mask, (0, 0), max(0.6, style.bevel * w))
    slope_x, slope_y = cv2.Sobel(height, cv2.CV_32F, 1, 0), cv2.Sobel(height, cv2.CV_32F, 0, 1)
    bevel = (slope_x * light[0] + slope_y * light[1]) * (0.35 + 0.5 * style.gloss)
    toned *= np.clip(1 + bevel / 255 * 1.2, 0.4, 1.5)[..., None]
    if rng.random() < 0.25 * style.gloss + 0.05:  # reflections of this tile alone, as on varnish or foil
        spots = noise(rng, h, w, rng.uniform(2, 14), rng.uniform(2, 8))
        toned += (np.clip(spots - rng.uniform(0.8, 1.6), 0, 1) * rng.uniform(60, 260))[..., None]
    low = np.maximum(np.floor(corners.min(0)).astype(int) - 1, 0)
    high = np.minimum(np.ceil(corners.max(0)).astype(int) + 2, [image.shape[1], image.shape[0]])
    if (high - low < 1).any():
        return
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    source = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    matrix = cv2.getPerspectiveTransform(source, (corners - low).astype(np.float32))
    flags = cv2.INTER_LINEAR
    warped = cv2.warpPerspective(
        np.clip(toned, 0, 255).astype(np.uint8), matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE
    )
    cover = cv2.warpPerspective(mask, matrix, size, flags=flags).astype(np.float32)[..., None] / 255
    part = image[low[1] : high[1], low[0] : high[0]]
    part[:] = (part * (1 - cover) + warped * cover).astype(np.uint8)
    for half, quad in enumerate(_halves(corners)):
        cv2.fillConvexPoly(owner, np.round(quad).astype(np.int32), number * 2 + half)


def _halves(corners: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Half a and half b of a face (4, 2)."""
    halfway = (corners[[0, 1]] + corners[[3, 2]]) / 2
    return (
        np.array([corners[0], corners[1], halfway[1], halfway[0]]),
        np.array([halfway[0], halfway[1], corners[2], corners[3]]),
    )


def _rounded(w: int, h: int, corner: float) -> Image:
    mask = np.zeros((h, w), np.uint8)
    k = max(1, int(corner * w))
    cv2.rectangle(mask, (k, 0), (w - k - 1, h - 1), 255, -1)
    cv2.rectangle(mask, (0, k), (w - 1, h - k - 1), 255, -1)
    for x in (k, w - k - 1):
        for y in (k, h - k - 1):
            cv2.circle(mask, (x, y), k, 255, -1, cv2.LINE_AA)
    return mask


def _truth(owner: NDArray[np.int16], seen: list[tuple[TilePose, NDArray[np.float64], bool]]) -> tuple[TileTruth, ...]:
    counts = np.bincount(owner[owner >= 0].ravel(), minlength=2 * len(seen))
    result = []
    for k, (pose, corners, face_seen) in enumerate(seen):
        shares = []
        for half, quad in enumerate(_halves(corners)):
            area = max(1.0, float(cv2.contourArea(quad.astype(np.float32))))
            shares.append(min(1.0, float(counts[2 * k + half]) / area))
        points = tuple((float(x), float(y)) for x, y in corners)
        result.append(TileTruth(pose.a, pose.b, face_seen, pose.standing, points, (shares[0], shares[1])))
    return tuple(result)


def _things_truth(
    owner: NDArray[np.int16], scene: Scene, found: dict[int, tuple[NDArray[np.float64], float]]
) -> tuple[ThingTruth, ...]:
    result = []
    for number, (corners, area) in sorted(found.items()):
        thing = scene.things[number]
        share = min(1.0, float(np.count_nonzero(owner == FIRST_OWNER + number)) / area)
        points = tuple((float(x), float(y)) for x, y in corners)
        result.append(ThingTruth(thing.kind, thing.model, points, share))
    return tuple(result)
