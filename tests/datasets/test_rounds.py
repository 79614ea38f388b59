"""Tables laid by simulated people: nothing lies in anything else, what lies stays, and all can be seen."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from synth.geometry import face_corners, project
from synth.layouts import footprint, overlaps
from synth.round_looks import WANTED_HALF_PX
from synth.rounds import RoundTable, scene_for
from synth.sampling import Recipe

from companion.rules.house_rules import HouseRules
from companion.rules.tiles import Tile
from tests.vision.tables import lay_rounds, play_round

RECIPE = Recipe.load(Path(__file__).parents[2] / "datasets" / "recipes" / "round-table.toml")


@pytest.mark.parametrize("players", [2, 5, 8])
def test_a_round_is_laid_without_overlaps_and_every_tile_of_the_state_lies_where_it_belongs(players: int) -> None:
    for state, table in lay_rounds(players, players, every=9):
        scene, truth = table.scene()
        polys = [footprint(p.x, p.y, p.yaw, scene.style, 0.97) for p in scene.tiles if not p.standing]
        assert not any(overlaps(poly, polys[:k], 0.02) for k, poly in enumerate(polys))
        assert truth.engine is not None
        assert Tile(scene.tiles[truth.engine].a, scene.tiles[truth.engine].b) == state.engine
        for owner, numbers in truth.chains:
            laid = [(scene.tiles[n].a, scene.tiles[n].b) for n in numbers]
            assert laid == [(t.inner, t.outer) for t in state.train(owner).tiles]
        down = sum(not p.face_up and not p.standing for p in scene.tiles)
        lying_hands = sum(state.hands[s].count for s in state.seats) - sum(p.standing for p in scene.tiles)
        assert down == state.boneyard + lying_hands
        assert len(truth.markers) == sum(train.marker for train in state.trains)


def test_the_trains_ends_touch() -> None:
    """Each tile begins where the one before it ends: no half is farther from its neighbour than people leave gaps."""
    *_, (_, table) = lay_rounds(4, 11, every=1)
    scene, truth = table.scene()
    for _, numbers in truth.chains:
        for last, following in pairwise(numbers):
            quads = [face_corners(scene.tiles[n], scene.style)[:, :2] for n in (last, following)]
            outer, inner = quads[0][2:].mean(0), quads[1][:2].mean(0)
            across = scene.tiles[last].a == scene.tiles[last].b or scene.tiles[following].a == scene.tiles[following].b
            assert np.linalg.norm(outer - inner) < (2.2 if across else 1.2)


def test_a_tile_keeps_its_place_from_move_to_move_and_comes_back_when_it_is_taken_back() -> None:
    states = list(play_round(3, 4))
    table = RoundTable(states[0].participants, HouseRules().tile_set, 4)
    places: dict[tuple[int, int], tuple[float, float]] = {}
    moved = 0
    for state in states[:40]:
        table.follow(state)
        for placed in table._placed.values():
            for tile, pose in placed:
                key = (tile.low, tile.high)
                moved += places.setdefault(key, (pose.x, pose.y)) != (pose.x, pose.y)
    assert moved == 0
    before = table.scene()[0].tiles
    table.follow(states[39])
    assert table.scene()[0].tiles == before
    table.follow(states[0])
    assert table.scene()[1].chains == ()


def test_the_camera_sees_all_tiles_large_enough_and_is_pushed_a_little() -> None:
    *_, (_, table) = lay_rounds(6, 2, every=1)
    (scene, truth), (again, _) = table.scene(0), table.scene(1)
    assert scene.camera != again.camera
    assert scene.camera.width in (1920, 2560, 3200, 3840)
    for _, numbers in truth.chains:
        for n in numbers:
            quad = project(scene.camera, face_corners(scene.tiles[n], scene.style))
            assert (quad >= 0).all()
            assert (quad <= [scene.camera.width, scene.camera.height]).all()
            sides = np.linalg.norm(quad - np.roll(quad, 1, 0), axis=1)
            assert min(sides.min(), sides.max() / 2) > WANTED_HALF_PX * 0.8


def test_the_same_index_is_the_same_table_for_ever() -> None:
    small = replace(RECIPE, size=800)
    first, second = scene_for(small, 3), scene_for(small, 3)
    assert first[0].to_json() == second[0].to_json()
    assert first[1].to_json() == second[1].to_json()
    assert scene_for(small, 4)[1] != first[1]
