"""Colours, sizes and the train colours, in one place; a test computes the contrast of every pair."""

from dataclasses import dataclass
from enum import StrEnum

import flet as ft

TARGET = 48
"""The least width and height of anything that is tapped, in logical pixels (44 is asked for)."""

GAP = 12
"""The usual distance between things."""

PHONE_WIDTH = 600
"""Below this a window is treated as a phone: one column."""

PAGE_WIDTH = 880
"""Running text and forms get no wider than this."""

TEXT_SCALES = (1.0, 1.25, 1.5, 2.0)
"""The text sizes that can be chosen."""


class Role(StrEnum):
    """What a text is, which says how large it is."""

    SMALL = "small"
    BODY = "body"
    LABEL = "label"
    TITLE = "title"
    HEADLINE = "headline"
    NUMBER = "number"
    DISPLAY = "display"


SIZES = {
    Role.SMALL: 13,
    Role.BODY: 16,
    Role.LABEL: 15,
    Role.TITLE: 18,
    Role.HEADLINE: 24,
    Role.NUMBER: 20,
    Role.DISPLAY: 40,
}
"""Logical pixels at scale 1."""

MOST_SCALES = {Role.HEADLINE: 1.75, Role.DISPLAY: 1.5}
"""What is large already grows less, or its words would break."""

LIGHT: dict[str, str] = {
    "primary": "#0E5A41",
    "on_primary": "#FFFFFF",
    "primary_container": "#CFE9DA",
    "on_primary_container": "#06301F",
    "secondary": "#8C3B1F",
    "on_secondary": "#FFFFFF",
    "secondary_container": "#FBDDD0",
    "on_secondary_container": "#4A1705",
    "tertiary": "#7A5900",
    "on_tertiary": "#FFFFFF",
    "tertiary_container": "#FFE7A8",
    "on_tertiary_container": "#2C2000",
    "error": "#B3261E",
    "on_error": "#FFFFFF",
    "error_container": "#F9DEDC",
    "on_error_container": "#410E0B",
    "surface": "#FBF8F0",
    "on_surface": "#1D211E",
    "on_surface_variant": "#4B524D",
    "surface_container_lowest": "#FFFFFF",
    "surface_container_low": "#F6F2E7",
    "surface_container": "#F1ECDF",
    "surface_container_high": "#EAE4D4",
    "surface_container_highest": "#E3DCC9",
    "outline": "#737970",
    "outline_variant": "#CFC8B6",
    "inverse_surface": "#31352F",
    "on_inverse_surface": "#F3F0E7",
    "inverse_primary": "#8BD8B2",
}
"""A paper score sheet in daylight: the roles of Material's colour scheme."""

DARK: dict[str, str] = {
    "primary": "#8BD8B2",
    "on_primary": "#00382A",
    "primary_container": "#0F5A42",
    "on_primary_container": "#CDF3DF",
    "secondary": "#FFB69B",
    "on_secondary": "#561F0A",
    "secondary_container": "#73351D",
    "on_secondary_container": "#FFDBCE",
    "tertiary": "#F2C14B",
    "on_tertiary": "#3E2E00",
    "tertiary_container": "#5A4400",
    "on_tertiary_container": "#FFE39E",
    "error": "#FFB4AB",
    "on_error": "#690005",
    "error_container": "#8C1D18",
    "on_error_container": "#F9DEDC",
    "surface": "#141714",
    "on_surface": "#E9E6DC",
    "on_surface_variant": "#BFC3BA",
    "surface_container_lowest": "#0F120F",
    "surface_container_low": "#1A1E1B",
    "surface_container": "#1F2420",
    "surface_container_high": "#292F2A",
    "surface_container_highest": "#343A35",
    "outline": "#8E938B",
    "outline_variant": "#424843",
    "inverse_surface": "#E9E6DC",
    "on_inverse_surface": "#2C302B",
    "inverse_primary": "#0E5A41",
}
"""The same sheet in lamplight."""

TEXT_ON: tuple[tuple[str, str], ...] = (
    ("on_primary", "primary"),
    ("on_primary_container", "primary_container"),
    ("on_secondary", "secondary"),
    ("on_secondary_container", "secondary_container"),
    ("on_tertiary", "tertiary"),
    ("on_tertiary_container", "tertiary_container"),
    ("on_error", "error"),
    ("on_error_container", "error_container"),
    ("on_inverse_surface", "inverse_surface"),
    ("inverse_primary", "inverse_surface"),
    *(
        (text, ground)
        for text in ("on_surface", "on_surface_variant", "primary", "secondary", "error")
        for ground in (
            "surface",
            "surface_container_lowest",
            "surface_container_low",
            "surface_container",
            "surface_container_high",
        )
    ),
)
"""Text (or an icon) and the ground it stands on: 4.5 to 1 at least."""

LINE_ON: tuple[tuple[str, str], ...] = (("outline", "surface"), ("outline", "surface_container_lowest"))
"""Frames that tell a control from its ground: 3 to 1 at least."""


@dataclass(frozen=True, slots=True)
class TrainColour:
    """The colour of a player's train, told apart by its letter and its pattern too."""

    key: str
    """Names its word in `companion.text`: `train_colour_KEY`."""
    ground: str
    """The colour."""
    ink: str
    """The letter on it."""
    dashes: tuple[int, ...]
    """The pattern of its line in a chart: on, off, on, off ...; empty is a full line."""


TRAIN_COLOURS: tuple[TrainColour, ...] = (
    TrainColour("blue", "#0067A3", "#FFFFFF", ()),
    TrainColour("orange", "#E69F00", "#1A1A1A", (8, 4)),
    TrainColour("green", "#007A59", "#FFFFFF", (2, 4)),
    TrainColour("pink", "#CC79A7", "#1A1A1A", (12, 4, 2, 4)),
    TrainColour("yellow", "#F0E442", "#1A1A1A", (16, 4)),
    TrainColour("red", "#B83A00", "#FFFFFF", (4, 2)),
    TrainColour("sky", "#56B4E9", "#1A1A1A", (10, 3, 3, 3)),
    TrainColour("black", "#2B2B2B", "#FFFFFF", (6, 6)),
    TrainColour("violet", "#6A4CA5", "#FFFFFF", (14, 3, 3, 3, 3, 3)),
    TrainColour("white", "#FFFFFF", "#1A1A1A", (3, 3)),
    TrainColour("brown", "#7B4A2B", "#FFFFFF", (9, 2)),
    TrainColour("mint", "#7FD6C2", "#1A1A1A", (2, 2)),
    TrainColour("grey", "#767B80", "#FFFFFF", (12, 2, 2, 2)),
    TrainColour("wine", "#7D1D3F", "#FFFFFF", (5, 3, 1, 3)),
)
"""The colours of trains in the order in which seats get them; neighbours stay apart for the colour-blind too."""


def theme(dark: bool) -> ft.Theme:
    """The theme that Flutter draws with; both are given, the chosen mode decides."""
    return ft.Theme(
        color_scheme=ft.ColorScheme(**(DARK if dark else LIGHT)),
        scaffold_bgcolor=(DARK if dark else LIGHT)["surface"],
        font_family="Roboto",
        visual_density=ft.VisualDensity.STANDARD,
        page_transitions=ft.PageTransitionsTheme(
            *(ft.PageTransitionTheme.NONE for _ in range(5))  # a score sheet that slides about only costs time
        ),
    )


def contrast(one: str, other: str) -> float:
    """The contrast of two colours `#RRGGBB`, 1 to 21 (WCAG 2)."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    def linear(part: int) -> float:
        value = part / 255
        return value / 12.92 if value <= 0.04045 else float(((value + 0.055) / 1.055) ** 2.4)

    red, green, blue = (linear(int(colour[n : n + 2], 16)) for n in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
