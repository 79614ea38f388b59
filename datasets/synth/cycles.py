"""Draws a scene with Blender's ray tracer: real bevels, depth, glare and shadows; a few seconds a picture.

The same scenes, the same truth and the same lens as the compositor; only light and matter are computed. Needs `bpy`
(the extra `synth`, Python 3.11) and is imported only where somebody asks for it. One process draws one picture at a
time; Blender's state is global.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import bpy
import numpy as np
from mathutils import Matrix, Vector
from numpy.typing import NDArray

from .compositor import GRAZING, Drawn, Image, TileTruth
from .cycles_light import add_lights
from .cycles_markers import add_markers, things_truth
from .cycles_table import add_table
from .cycles_things import add_things
from .cycles_tiles import add_tiles
from .exposing import expose
from .geometry import camera_position, face_corners, frame, outline, project
from .scene import Camera, Scene, TilePose

Array = NDArray[np.float64]

SAMPLES = 6
"""Rays a pixel before the denoiser; found by looking, see docs/data-and-models.md."""
_PROBES = 7
"""Rays along each side of a half that find out how much of it can be seen."""


def draw(scene: Scene, threads: int = 0, samples: int = SAMPLES) -> Drawn:
    """Draw a scene; the picture and its truth as `compositor.draw` gives them.

    `threads` 0 takes all there are. The same scene gives the same picture on the same machine and version of Blender.
    """
    bpy.ops.wm.read_factory_settings(use_empty=True)  # frees all meshes and pictures of the scene before
    rng = np.random.default_rng([*scene.seed, 2])
    stage = bpy.context.scene
    _settings(stage, scene, threads, samples)
    table = add_table(scene, rng)
    add_tiles(scene, rng)
    add_markers(scene)
    add_things(scene, table, rng)
    add_lights(scene, rng)
    _add_camera(stage, scene.camera, rng)
    bpy.context.view_layer.update()
    tiles, things = _truth(scene), things_truth(scene)
    linear = _trace(stage, scene.camera)
    flat = dataclasses.replace(
        scene.light, field=((1.0,) * 3,) * 3, glare=(), shades=()
    )  # both are in the light already
    exposed = _develop(linear, rng)
    return Drawn(expose(exposed, flat, scene.lens, rng), tiles, things)


def _settings(stage: bpy.types.Scene, scene: Scene, threads: int, samples: int) -> None:
    r, c = stage.render, stage.cycles
    r.engine = "CYCLES"
    r.resolution_x, r.resolution_y, r.resolution_percentage = scene.camera.width, scene.camera.height, 100
    r.threads_mode, r.threads = ("FIXED", threads) if threads else ("AUTO", 1)
    r.image_settings.file_format, r.image_settings.color_depth = "OPEN_EXR", "16"
    r.image_settings.exr_codec = "NONE"
    c.device, c.samples, c.seed = "CPU", samples, int(scene.seed[1]) % 2**31
    c.use_adaptive_sampling = c.use_light_tree = False  # neither pays at so few samples and lamps
    c.use_denoising, c.denoiser = True, "OPENIMAGEDENOISE"
    c.denoising_input_passes, c.denoising_prefilter, c.denoising_quality = "RGB_ALBEDO_NORMAL", "FAST", "FAST"
    c.max_bounces, c.diffuse_bounces, c.glossy_bounces = 4, 2, 2
    c.transmission_bounces, c.transparent_max_bounces = 4, 6
    c.caustics_reflective = c.caustics_refractive = False
    c.sample_clamp_indirect, c.blur_glossy = 4.0, 1.0
    c.use_auto_tile = False
    c.filter_width = 1.3


def _add_camera(stage: bpy.types.Scene, cam: Camera, rng: np.random.Generator) -> None:
    data = bpy.data.cameras.new("camera")
    data.sensor_fit, data.sensor_width = "HORIZONTAL", 36.0
    data.lens = cam.focal_px / cam.width * 36
    data.shift_x, data.shift_y = -cam.offset_px[0] / cam.width, cam.offset_px[1] / cam.width
    data.clip_start, data.clip_end = 0.05, 2000
    aperture = rng.uniform(0.01, 0.05)  # radius in tile widths: a phone's is about 1 mm
    data.dof.use_dof, data.dof.focus_distance = True, cam.distance
    data.dof.aperture_fstop = data.lens * 1e-3 / (2 * aperture)
    thing = bpy.data.objects.new("camera", data)
    ca, sa, ct, st = np.cos(cam.azimuth), np.sin(cam.azimuth), np.cos(cam.tilt), np.sin(cam.tilt)
    turn = np.array([[ca, sa, 0], [-sa, ca, 0], [0, 0, 1]]) @ np.array([[1, 0, 0], [0, ct, -st], [0, st, ct]])
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = turn, camera_position(cam)
    thing.matrix_world = Matrix(matrix.tolist())
    stage.collection.objects.link(thing)
    stage.camera = thing


def _trace(stage: bpy.types.Scene, cam: Camera) -> NDArray[np.float32]:
    """(height, width, 3) float32, linear light."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "light.exr"
        stage.render.filepath = str(path)
        with _silence():
            bpy.ops.render.render(write_still=True)
        picture = bpy.data.images.load(str(path))
        picture.colorspace_settings.name = "Non-Color"
        values = np.empty(cam.height * cam.width * 4, np.float32)
        picture.pixels.foreach_get(values)
        bpy.data.images.remove(picture)
    return np.nan_to_num(values.reshape(cam.height, cam.width, 4)[::-1, :, :3])


@contextlib.contextmanager
def _silence() -> Iterator[None]:
    """Blender tells every step of its work on the standard output."""
    sys.stdout.flush()
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)


def _develop(linear: NDArray[np.float32], rng: np.random.Generator) -> Image:
    """What a camera makes of light: metered by the mean but with an eye on the highlights, with a soft shoulder."""
    luminance = linear @ np.array([0.2126, 0.7152, 0.0722], np.float32)
    mean, bright = float(luminance.mean()), float(np.percentile(luminance, 97))
    gain = min(rng.uniform(0.2, 0.34) / max(mean, 1e-6), rng.uniform(0.65, 0.95) / max(bright, 1e-6))
    x = linear * np.float32(gain)
    knee = 0.7
    over = np.maximum(x - knee, 0)
    x = np.minimum(x, knee) + (1 - knee) * (1 - np.exp(-over / (1 - knee)))
    x = np.where(x <= 0.0031308, 12.92 * x, 1.055 * np.power(np.maximum(x, 1e-8), 1 / 2.4) - 0.055)
    return np.clip(x * 255 + 0.5, 0, 255).astype(np.uint8)


def _truth(scene: Scene) -> tuple[TileTruth, ...]:
    found = []
    eye = camera_position(scene.camera)
    for pose in scene.tiles:
        side = _seen_side(scene, pose, eye)
        if side is None:
            continue
        corners_3d, outward, face_seen = side
        corners = project(scene.camera, corners_3d)
        shares = _visible(scene, corners_3d, outward, eye)
        points = tuple((float(x), float(y)) for x, y in corners)
        found.append(TileTruth(pose.a, pose.b, face_seen, pose.standing, points, shares))
    return tuple(found)


def _seen_side(scene: Scene, pose: TilePose, eye: Array) -> tuple[Array, Array, bool] | None:
    """Corners of the side turned to the camera, where it looks, and whether it is the face; None if there is none."""
    middle, _, _, outward = frame(pose, scene.style)
    rim = outline(pose, scene.style)
    if not _in_view(project(scene.camera, np.concatenate([rim, rim - outward * scene.style.thickness])), scene.camera):
        return None
    corners, height = face_corners(pose, scene.style), float((eye - middle) @ outward)
    behind = height <= 0
    if behind:
        corners, outward = corners[[1, 0, 3, 2]] - outward * scene.style.thickness, -outward
        height = -height - scene.style.thickness
    if height < GRAZING * np.linalg.norm(eye - middle):
        return None
    seen = project(scene.camera, corners)
    width = max(np.linalg.norm(seen[1] - seen[0]), np.linalg.norm(seen[3] - seen[0]) / scene.style.length)
    return None if width < 3 else (corners, outward, not behind and (pose.face_up or pose.standing))


def _in_view(points: Array, cam: Camera) -> bool:
    low, high, size = points.min(0), points.max(0), np.array([cam.width, cam.height])
    return bool((high > 0).all() and (low < size).all() and (high - low < 3 * size).all())


def _visible(scene: Scene, corners: Array, outward: Array, eye: Array) -> tuple[float, float]:
    """Share of each half from which a ray reaches the camera through the picture's frame."""
    cam, graph = scene.camera, bpy.context.evaluated_depsgraph_get()
    at = (np.arange(_PROBES) + 0.5) / _PROBES
    shares = []
    for first in (0.0, 0.5):
        u, v = (grid.ravel()[:, None] for grid in np.meshgrid(at, first + at / 2))
        points = corners[0] + (corners[1] - corners[0]) * u + (corners[3] - corners[0]) * v + outward * 0.01
        pixels = project(cam, points)
        inside = ((pixels >= 0) & (pixels < [cam.width, cam.height])).all(1)
        free = 0
        for point in points[inside]:
            way = eye - point
            far = float(np.linalg.norm(way))
            hit = bpy.context.scene.ray_cast(graph, Vector(point), Vector(way / far), distance=far)[0]
            free += not hit
        shares.append(free / len(points))
    return shares[0], shares[1]
