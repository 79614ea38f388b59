from collections import Counter
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from derive_detector import detector_lines
from synth import clutter, surfaces
from synth.compositor import draw
from synth.faces import draw_face
from synth.geometry import project
from synth.layouts import Hand, overlaps, rows, table
from synth.layouts import footprint as flat_footprint
from synth.lighting import KINDS as SHADES
from synth.lighting import draw_shades
from synth.negatives import NEGATIVES
from synth.numerals import FONTS, glyph
from synth.sampling import Recipe, sample_scene, sample_style
from synth.scene import Clutter, Lens, Light, Scene, SetStyle, Shade, Surface, Thing, TilePose
from synth.strokes import turned_box
from synth.things import FIRST_OWNER, MODELS, STATIONS, draw_thing

RECIPES = Path(__file__).parents[2] / "datasets" / "recipes"
WIDE = Recipe.load(RECIPES / "wide.toml")
BLACK, WHITE, RED = (10.0, 10.0, 10.0), (250.0, 250.0, 250.0), (200.0, 30.0, 30.0)


def plain_style(**changes: object) -> SetStyle:
    """White tiles, black flat pips, nothing left to chance."""
    style = replace(
        sample_style(np.random.default_rng(5)), max_pip=18, body=WHITE, side=WHITE, back=WHITE, pips=(BLACK,) * 19,
        patterns=(0,) * 19, pip_kind="flat", divider="none", texture="plain", pip_radius=0.08, dense_radius=0.07,
        spread=1.0, length=2.0, thickness=0.3, gloss=0.0, corner=0.08,
    )  # fmt: skip
    return replace(style, **changes)  # type: ignore[arg-type]


def table_scene(tilt: float, tiles: tuple[TilePose, ...] = (), things: tuple[Thing, ...] = ()) -> Scene:
    """An even grey table under even light, 60 px a tile width, the origin in the middle."""
    base = sample_scene(WIDE, 0)
    camera = replace(base.camera, width=400, height=400, focal_px=600.0, distance=10.0, tilt=tilt, azimuth=0.4,
                     target=(0.0, 0.0), offset_px=(0.0, 0.0))  # fmt: skip
    even = ((1.0,) * 3,) * 3
    light = Light((0.2, -0.2), 0.4, 0.05, even, (), (1.0, 1.0, 1.0), 1.0, 1.0)
    lens = Lens(0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 95, 0.0)
    surface = Surface("plain", (120.0,) * 3, (120.0,) * 3, 0.3, 0.0, 0.0, 3)
    return Scene((1, 1), plain_style(), tiles, camera, light, surface, (), lens, "test", things, True)


def thing(model: str, x: float = 0.0, y: float = 0.0, **changes: object) -> Thing:
    kind, size = ("station", 3.2) if model in STATIONS else ("marker", 0.8)
    made = Thing(kind, model, x, y, size, 0.5, RED, (30.0, 60.0, 200.0), 7, slots=8 if kind == "station" else 0)
    return replace(made, **changes)  # type: ignore[arg-type]


def test_older_recipes_get_nothing_of_what_is_new() -> None:
    for name in ("broad", "ordinary", "held-out"):
        recipe = Recipe.load(RECIPES / f"{name}.toml")
        for k in range(40):
            scene = sample_scene(recipe, k)
            assert not scene.things
            assert not scene.light.shades
            assert not scene.solid
            assert scene.lens.defocus_px == 0
            assert not scene.style.numerals
            assert scene.style.max_pip <= 12
            assert {item.kind for item in scene.clutter} <= set(clutter.BASIC)
            assert scene.surface.kind in {*surfaces.BASIC, "plain", "photo"}


def test_the_wide_recipe_draws_every_kind_it_is_for() -> None:
    seen: Counter[str] = Counter()
    for k in range(900):
        scene = sample_scene(WIDE, k)
        style = scene.style
        seen[f"set {style.max_pip}"] += 1
        seen["holes"] += style.holes
        if style.numerals:
            seen.update(["numerals", f"mark {style.mark}", f"up {style.numeral_up}", f"font {style.font}"])
        seen.update(t.model for t in scene.things)
        seen.update(s.kind for s in scene.light.shades)
        seen.update(c.kind for c in scene.clutter)
        seen.update([scene.surface.kind, scene.kind])
        seen["defocus"] += scene.lens.defocus_px > 0
    wanted = [*MODELS, *SHADES, *NEGATIVES, *surfaces.TEXTURES, *WIDE.layouts, "set 15", "set 18", "holes", "numerals",
              "defocus", "mark ", "mark line", "mark dot", *(f"font {k}" for k in range(len(FONTS))),
              *(f"up {u}" for u in ("outer", "inner", "side", "sides"))]  # fmt: skip
    assert [name for name in wanted if not seen[name]] == []
    assert seen["coin"] == sum(t.model == "coin" for k in range(900) for t in sample_scene(WIDE, k).things)


@pytest.mark.parametrize("number", range(13, 19))
def test_a_drawn_face_shows_high_numbers_as_separate_pips(number: int) -> None:
    for pattern in range(8):
        style = plain_style(patterns=(*(0,) * 13, *(pattern,) * 6))
        face = draw_face(style, number, 0, 200, np.zeros(2), np.random.default_rng(3))
        dark = (face.max(2) < 110).astype(np.uint8)
        half = face.shape[0] // 2
        assert [cv2.connectedComponents(part)[0] - 1 for part in (dark[:half], dark[half:])] == [number, 0]


@pytest.mark.parametrize("font", range(len(FONTS)))
@pytest.mark.parametrize("mark", ["line", "dot"])
def test_a_marked_six_is_no_nine_upside_down(font: int, mark: str) -> None:
    for number in (6, 9):
        plain, marked = glyph(number, font, ""), glyph(number, font, mark)
        parts = [cv2.connectedComponents((g > 128).astype(np.uint8))[0] for g in (plain, marked)]
        assert parts[1] == parts[0] + 1
    assert (glyph(8, font, mark) == glyph(8, font, "")).all()
    six, nine = (cv2.resize(glyph(n, font, mark), (40, 60)).astype(float) for n in (6, 9))
    assert np.abs(six - nine[::-1, ::-1]).mean() > 30


def _ink(face: np.ndarray) -> np.ndarray:
    return np.asarray(face.max(2) < 110)


@pytest.mark.parametrize(("up", "turned"), [("outer", True), ("inner", True), ("side", True), ("sides", False)])
def test_numerals_stand_as_the_style_says(up: str, turned: bool) -> None:
    style = plain_style(numerals=True, numeral_up=up)
    ink = _ink(draw_face(style, 14, 14, 200, np.zeros(2), np.random.default_rng(3)))
    first, second = ink[:200], ink[200:]
    other = second[::-1, ::-1] if turned else second
    assert (
        np.count_nonzero(first & cv2.dilate(other.astype(np.uint8), np.ones((5, 5))).astype(bool)) > 0.95 * first.sum()
    )
    ys, xs = np.nonzero(first)
    assert (np.ptp(xs) > np.ptp(ys)) == (up in ("outer", "inner")), "14 is wider than high where it is upright"
    upright = glyph(14, style.font, "") > 128
    fits = {"outer": 0, "inner": 2, "side": -1, "sides": -1}[up]
    patch = np.rot90(first[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1], -fits)
    same = cv2.resize(upright.astype(np.uint8), patch.shape[::-1]) == patch
    assert same.mean() > 0.88


def test_a_nought_is_written_only_where_the_set_writes_it() -> None:
    for zero in (True, False):
        ink = _ink(draw_face(plain_style(numerals=True, zero=zero), 0, 5, 200, np.zeros(2), np.random.default_rng(3)))
        assert ink[:200].any() == zero
        assert ink[200:].any()


def test_pegs_sit_in_holes_and_are_as_many_as_the_number() -> None:
    style = plain_style(max_pip=6, holes=True, body=(40.0, 40.0, 40.0), pips=(WHITE,) * 7, patterns=(0,) * 7)
    face = draw_face(style, 5, 6, 200, np.zeros(2), np.random.default_rng(3))
    bright = (face.min(2) > 180).astype(np.uint8)
    assert [cv2.connectedComponents(part)[0] - 1 for part in (bright[:200], bright[200:])] == [5, 6]


@pytest.mark.parametrize("tilt", [0.0, 0.9])
@pytest.mark.parametrize("model", sorted(MODELS))
def test_every_thing_fills_its_box_and_nothing_else(model: str, tilt: float) -> None:
    scene = table_scene(tilt, (), (thing(model, 0.3, -0.2),))
    image = np.full((400, 400, 3), 120, np.uint8)
    owner = np.full((400, 400), -1, np.int16)
    drawn = draw_thing(image, owner, scene, 0)
    assert drawn is not None
    corners, _ = drawn
    ys, xs = np.nonzero((np.abs(image.astype(int) - 120) > 12).any(2))
    inside = [
        cv2.pointPolygonTest(corners.astype(np.float32), (float(x), float(y)), True)
        for x, y in zip(xs, ys, strict=True)
    ]
    assert min(inside) > -2.5, "all that is drawn lies in the box"
    tight = cv2.contourArea(cv2.convexHull(np.column_stack([xs, ys]).astype(np.float32)))
    assert tight > 0.6 * cv2.contourArea(corners.astype(np.float32))
    assert set(np.unique(owner)) == {-1, FIRST_OWNER}
    middle = project(scene.camera, np.array([[0.3, -0.2, 0.0]]))[0]
    assert cv2.pointPolygonTest(corners.astype(np.float32), tuple(map(float, middle)), False) > 0


def test_a_marker_on_a_tile_hides_a_half_and_is_seen_whole() -> None:
    tile = TilePose(3, 4, 0.0, 0.0, 0.0)
    scene = table_scene(0.3, (tile,), (thing("coin", 0.0, 0.5, size=0.9, lift=0.3, on=0),))
    drawn = draw(scene)
    assert drawn.things[0].visible > 0.95
    hidden, free = drawn.tiles[0].visible
    assert hidden < 0.8
    assert free > 0.95


def test_a_tile_hides_what_lies_behind_and_a_marker_half_out_of_the_picture_is_half_seen() -> None:
    tile = TilePose(3, 4, 0.0, 0.0, 0.4, standing=True)
    hidden = draw(table_scene(1.1, (tile,), (thing("bead", 0.25, 0.55, size=0.5),))).things
    assert not hidden or hidden[0].visible < 0.8
    at_rim = draw(table_scene(0.0, (), (thing("coin", 0.0, 0.0, size=1.0),)))
    camera = replace(table_scene(0.0).camera, offset_px=(200.0, 0.0))
    half = draw(replace(table_scene(0.0, (), (thing("coin", 0.0, 0.0, size=1.0),)), camera=camera))
    assert at_rim.things[0].visible > 0.95
    assert half.things[0].visible == pytest.approx(0.5, abs=0.08)


@pytest.mark.parametrize("model", STATIONS)
def test_the_engine_lies_in_its_station(model: str) -> None:
    engine = TilePose(9, 9, 0.0, 0.0, 0.5)
    drawn = draw(table_scene(0.4, (engine,), (thing(model),)))
    assert min(drawn.tiles[0].visible) > 0.95
    assert 0.3 < drawn.things[0].visible < 0.95
    lines = detector_lines({"width": 400, "height": 400, "tiles": [], "scene": {}, "things": [
        {"kind": t.kind, "corners": t.corners, "visible": t.visible} for t in drawn.things]})  # fmt: skip
    assert [line.split()[0] for line in lines] == ["3"]


def test_labels_of_markers_stations_and_of_coins_in_older_clutter() -> None:
    def thing_at(x: float, kind: str, visible: float) -> dict[str, object]:
        return {"kind": kind, "corners": [[x, 10], [x + 20, 10], [x + 20, 30], [x, 30]], "visible": visible}

    coin = {"kind": "coin", "x": 0.5, "y": 0.5, "size": 0.1}
    truth = {
        "width": 400, "height": 400, "tiles": [],
        "things": [thing_at(10, "marker", 0.9), thing_at(60, "marker", 0.4), thing_at(110, "station", 0.3)],
        "scene": {"clutter": [coin]},
    }  # fmt: skip
    assert [line[0] for line in detector_lines(truth)] == ["2", "3", "2"]
    square = np.array(detector_lines(truth)[2].split()[1:], float).reshape(4, 2) * 400
    assert square.min(0) == pytest.approx([184, 184], abs=0.1)
    assert square.max(0) == pytest.approx([216, 216], abs=0.1)
    over = {"corners": [[180, 180], [220, 180], [220, 260], [180, 260]], "visible": [1, 1], "face_up": True}
    covered = truth | {"tiles": [over]}
    assert [line[0] for line in detector_lines(covered)] == ["0", "2", "3"]
    later = truth | {"scene": {"clutter": [coin, coin | {"kind": "card"}]}}
    assert [line[0] for line in detector_lines(later)] == ["2", "3"]


@pytest.mark.parametrize("kind", sorted(NEGATIVES))
def test_every_negative_is_drawn_where_it_lies_and_the_same_again(kind: str) -> None:
    item = Clutter(kind, 0.5, 0.5, 0.2, 0.4, (230.0, 220.0, 200.0), (30.0, 20.0, 90.0), 11)
    images = [np.full((300, 300, 3), 120, np.uint8) for _ in range(2)]
    for image in images:
        clutter.draw_clutter(image, item)
    assert images[0].tobytes() == images[1].tobytes()
    changed = (images[0] != 120).any(2)
    assert 60 < changed.sum() < 0.9 * changed.size
    for place in ((-0.1, 0.5), (1.05, 1.05)):  # over the edge of the picture nothing fails
        clutter.draw_clutter(images[1], replace(item, x=place[0], y=place[1]))


def test_printed_dominoes_are_no_tiles() -> None:
    item = Clutter("printed", 0.5, 0.5, 0.3, 0.0, WHITE, BLACK, 11)
    drawn = draw(replace(table_scene(0.3), clutter=(item,)))
    assert drawn.tiles == ()
    corners = turned_box(item, drawn.image.shape, 1.0)
    inner = cv2.fillConvexPoly(np.zeros((400, 400), np.uint8), corners.astype(np.int32), 1).astype(bool)
    assert np.ptp(drawn.image[inner].astype(int)) > 120, "something is printed"


@pytest.mark.parametrize("kind", SHADES)
def test_every_shade_changes_light_inside_of_its_edge_only(kind: str) -> None:
    field = draw_shades((Shade(kind, 0.5, 0.5, 0.4, 0.7, 0.4, 0.004, 5),), 240, 320)
    assert field.shape == (240, 320)
    assert field.min() == pytest.approx(0.4, abs=0.05)
    assert field.max() == pytest.approx(1.0, abs=0.05)
    assert 0.01 < (field < 0.7).mean() < 0.95


@pytest.mark.parametrize("seed", range(6))
def test_standing_rows_stand_apart_and_face_the_same_way(seed: int) -> None:
    rng = np.random.default_rng(seed)
    style = sample_style(rng)
    poses = rows(style, Hand(style.max_pip, rng), 12, rng, 0.7)
    assert len(poses) >= 3
    assert all(p.standing and abs(p.yaw - 0.7) < 1.3 for p in poses)
    places = np.array([[p.x, p.y] for p in poses])
    gaps = np.linalg.norm(places[:, None] - places[None], axis=2) + 9 * np.eye(len(poses))
    assert gaps.min() > style.thickness * 0.6


@pytest.mark.parametrize("seed", range(6))
def test_trains_of_a_table_match_and_keep_off_each_other(seed: int) -> None:
    rng = np.random.default_rng(seed)
    style = sample_style(rng)
    poses = table(style, Hand(style.max_pip, rng), 20, rng)
    assert poses[0].a == poses[0].b
    flat = [flat_footprint(p.x, p.y, p.yaw, style) for p in poses if not p.standing]
    assert not any(overlaps(poly, flat[:k], allowed=0.12 * style.length) for k, poly in enumerate(flat))
    known = [tuple(sorted((p.a, p.b))) for p in poses if p.standing or p.face_up]
    assert len(set(known)) == len(known), "no tile twice"


def test_a_standing_tile_shows_a_bright_upper_edge() -> None:
    tile = TilePose(3, 4, 0.0, 0.0, -0.4 - np.pi / 2, standing=True)
    scene = table_scene(0.8, (tile,))
    place = project(scene.camera, np.array([[0.0, 0.0, 1.0]]))[0].astype(int)
    lit, unlit = (int(draw(replace(scene, solid=s)).image[place[1], place[0]].min()) for s in (True, False))
    assert lit > unlit + 15
