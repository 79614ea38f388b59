"""The scene: everything that is in a picture, and nothing about how it is drawn.

Units: the table is the plane z = 0, lengths are in tile widths, x to the right, y away from the viewer, angles in
radians; colours are RGB 0..255; places of things that are not tiles are fractions of the picture. A scene is made
of numbers, strings and tuples only, so that it can be written to JSON and any renderer can draw it.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

Rgb = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class SetStyle:
    """How the tiles of one box look."""

    max_pip: int
    body: Rgb
    side: Rgb
    """Colour of the lower half of the rim; many sets are made of two layers."""
    back: Rgb
    back_kind: str
    """plain | logo | pattern | frame"""
    pips: tuple[Rgb, ...]
    """Colour of each number, 0..max_pip."""
    pip_kind: str
    """flat | engraved | ringed | domed | socket"""
    pip_radius: float
    dense_radius: float
    """Radius of the pips of 10 and more."""
    spread: float
    """Distance of the pips from the middle of the half, as a factor."""
    patterns: tuple[int, ...]
    """Which of the known arrangements each number uses."""
    divider: str
    """line | bar | groove | pin | line+pin | none"""
    divider_rgb: Rgb
    corner: float
    bevel: float
    length: float
    thickness: float
    texture: str
    """plain | marbled | wood | speckled"""
    gloss: float
    """How strongly light is mirrored by a face, 0..1."""
    numerals: bool = False
    """Digits instead of pips."""
    mark: str = ""
    """How 6 and 9 are told apart on numeral faces: line | dot | '' (not at all)."""
    font: int = 0
    """Which of the faces of `numerals.FONTS`."""
    numeral_up: str = "outer"
    """Where the heads of the digits point: outer | inner | side | sides (both halves the same way)."""
    zero: bool = True
    """Whether a nought is written; else the half is blank."""
    holes: bool = False
    """Nine holes in every half, of which as many are filled as the number says (double-six only)."""


@dataclass(frozen=True, slots=True)
class TilePose:
    """A tile and where it lies."""

    a: int
    b: int
    x: float
    y: float
    yaw: float
    face_up: bool = True
    standing: bool = False
    """On its long edge; `yaw` is then the direction of the face."""
    lift: float = 0.0
    """Height of the underside over the table."""


@dataclass(frozen=True, slots=True)
class Thing:
    """Something that belongs to the game besides the tiles, and that is asked of the detector."""

    kind: str
    """marker | station"""
    model: str
    """A key of `things.MODELS`."""
    x: float
    y: float
    size: float
    """Longer extent on the table, in tile widths."""
    yaw: float
    rgb: Rgb
    rgb2: Rgb
    seed: int
    lift: float = 0.0
    on: int = -1
    """Number of the tile it stands on, or -1."""
    slots: int = 0
    """Of a station: places for trains."""


@dataclass(frozen=True, slots=True)
class Camera:
    """A pinhole camera that looks at `target`."""

    width: int
    height: int
    focal_px: float
    distance: float
    tilt: float
    """0 looks straight down."""
    azimuth: float
    target: tuple[float, float]
    offset_px: tuple[float, float]
    """Where `target` appears, from the middle of the picture."""


@dataclass(frozen=True, slots=True)
class Shade:
    """The edge of light in a picture: sun through a window or blinds, the shadow of a hand, a head or an arm."""

    kind: str
    """window | blinds | hand | head | arm"""
    x: float
    y: float
    size: float
    angle: float
    factor: float
    """Of the light inside of the shape; over 1 for the sun."""
    softness: float
    """Blur of the edge, as a fraction of the picture."""
    seed: int


@dataclass(frozen=True, slots=True)
class Light:
    """One main lamp, its shadows and reflections."""

    direction: tuple[float, float]
    """Where shadows fall, in tile heights."""
    shadow: float
    softness: float
    field: tuple[tuple[float, ...], ...]
    """Coarse map of brightness over the picture."""
    glare: tuple[tuple[float, float, float, float], ...]
    """Reflections: x, y, radius (fractions of the picture), strength 0..255."""
    tint: Rgb
    """Factor for each channel."""
    exposure: float
    gamma: float
    shades: tuple[Shade, ...] = ()


@dataclass(frozen=True, slots=True)
class Surface:
    """What the tiles lie on."""

    kind: str
    rgb: Rgb
    rgb2: Rgb
    scale: float
    """Size of the texture, as a fraction of the picture."""
    contrast: float
    angle: float
    seed: int


@dataclass(frozen=True, slots=True)
class Clutter:
    """Something that is no tile."""

    kind: str
    x: float
    y: float
    size: float
    angle: float
    rgb: Rgb
    rgb2: Rgb
    seed: int
    above: bool = False
    """Drawn over the tiles."""


@dataclass(frozen=True, slots=True)
class Lens:
    """What the camera does to the picture after the light has entered."""

    blur_px: float
    motion_px: float
    motion_angle: float
    noise: float
    grain: float
    """Size of a noise grain in pixels."""
    sharpen: float
    jpeg: int
    vignette: float
    defocus_px: float = 0.0
    """Blur of the part of the picture that is out of focus."""
    defocus_angle: float = 0.0
    """Direction in which the picture gets blurred, from its middle."""


@dataclass(frozen=True, slots=True)
class Scene:
    """One picture to be drawn."""

    seed: tuple[int, int]
    style: SetStyle
    tiles: tuple[TilePose, ...]
    camera: Camera
    light: Light
    surface: Surface
    clutter: tuple[Clutter, ...]
    lens: Lens
    kind: str = ""
    """Which layout it came from; for statistics only."""
    things: tuple[Thing, ...] = ()
    solid: bool = False
    """Sides that look up are lit as such, so that a standing tile shows its upper edge."""

    def to_json(self) -> dict[str, Any]:
        """Plain lists and dicts; floats rounded to 4 digits."""
        plain: dict[str, Any] = _plain(dataclasses.asdict(self))
        return plain


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    number = float(value)
    return int(number) if number.is_integer() else round(number, 4)
