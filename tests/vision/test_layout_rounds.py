"""Chains on the tables of simulated rounds: exact where boxes are, and nearly always where they are not quite."""

from itertools import islice

import pytest
from synth.compositor import render

from companion.rules.tiles import TileSet
from companion.vision.layout import read_layout
from companion.vision.photo import Photo
from companion.vision.reader import Reader
from companion.vision.readings import Doubt
from tests.vision.tables import known_chains, lay_rounds, read_chains, readings, tilted, true_chains

TWELVE = TileSet(12)


@pytest.mark.parametrize("players", range(2, 9))
def test_the_chains_of_a_round_are_read_exactly(players: int) -> None:
    for look, (state, table) in enumerate(lay_rounds(players, 40 + players, every=12)):
        scene, _ = table.scene(look)
        faces, backs = readings(scene)
        table_read = read_layout(faces, TWELVE, state.engine, face_down=backs)
        assert read_chains(table_read) == true_chains(state)
        assert not table_read.is_doubtful
        tilt = (0.0, 0.3, 0.6)[look % 3]
        for upright in (False, True):
            faces, _ = readings(tilted(scene, tilt), noise=0.03, seed=look, upright=upright)
            assert read_chains(read_layout(faces, TWELVE, state.engine)) == true_chains(state)


def test_without_the_name_of_the_engine_it_is_found() -> None:
    for state, table in lay_rounds(4, 8, every=15):
        scene, truth = table.scene()
        if len(truth.chains) > 1:
            faces, _ = readings(scene)
            found = read_layout(faces, TWELVE)
            assert found.engine is not None
            assert found.engine.tile == state.engine
            assert read_chains(found) == true_chains(state)


def test_halves_that_were_misread_are_corrected_or_doubts_and_never_silent() -> None:
    last = None
    wrong = corrected = 0
    for look, (state, table) in enumerate(lay_rounds(5, 21, every=6)):
        scene, _ = table.scene(look)
        faces, _ = readings(scene, noise=0.02, seed=look, misread=0.02)
        found = read_layout(faces, TWELVE, state.engine, known_chains(last) if last else ())
        if read_chains(found) != true_chains(state):
            wrong += 1
            assert found.is_doubtful or any(tile.doubts for tile in found.loose)
        corrected += sum(Doubt.CORRECTED in t.reading.doubts for chain in found.chains for t in chain.tiles)
        last = state
    assert corrected > 3
    assert wrong <= 1


def test_tiles_that_were_not_found_leave_doubts() -> None:
    for state, table in lay_rounds(6, 33, every=20):
        scene, truth = table.scene()
        faces, _ = readings(scene)
        for _, numbers in truth.chains:
            if len(numbers) >= 4:
                missing = [face for n, face in enumerate(faces) if n != numbers[1]]
                found = read_layout(missing, TWELVE, state.engine)
                assert found.is_doubtful or any(tile.doubts for tile in found.loose)


@pytest.mark.parametrize("players", [3, 7])
def test_drawn_tables_are_read_by_the_networks(players: int) -> None:
    *_, (state, table) = islice(lay_rounds(players, 60 + players), 40)
    pixels, _ = render(table.scene()[0])
    found = Reader.load().read_table(Photo(pixels, "0" * 64), TWELVE, state.engine)
    assert found.engine is not None
    assert read_chains(found) == true_chains(state)
