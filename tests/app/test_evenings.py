"""Whole evenings through `app`, without any user interface."""

from random import Random

import pytest

from companion.app.backup import Outcome, game_jsonl, restore_jsonl
from companion.app.session import GameSession
from companion.app.simulation import Simulator, Strategy, as_onlooker
from companion.rules.house_rules import HouseRules, Preset
from companion.rules.scoring import winners
from companion.storage.records import CODEC, HOST
from tests.app.evening import play_again
from tests.app.golden import FOLDER, LANGUAGES, RULES, Language, story
from tests.app.helpers import Clock
from tests.app.memory_store import MemoryStore


@pytest.mark.parametrize("preset", Preset)
def test_a_golden_game_tells_the_same_story_for_ever(preset: Preset) -> None:
    """An old log folds to the same sheet, and is told in the same words."""
    store = MemoryStore()
    text = (FOLDER / f"{preset}.jsonl").read_text("utf-8")
    restored = restore_jsonl(store, text)
    assert restored.outcome is Outcome.NEW
    assert game_jsonl(store, restored.game_id) == text
    session = GameSession(store, restored.game_id)
    assert session.game.ended
    assert story(session, LANGUAGES.get(preset, Language.EN)) == (FOLDER / f"{preset}.txt").read_text("utf-8")


@pytest.mark.parametrize("preset", Preset)
def test_a_golden_game_is_entered_again_step_by_step(preset: Preset) -> None:
    """Entered once more by the same people at the same times, it writes the same log, byte for byte."""
    text = (FOLDER / f"{preset}.jsonl").read_text("utf-8")
    records = CODEC.records(text.splitlines())
    events = [record.event for record in records]
    session = play_again(MemoryStore(), events, [record.source for record in records], Clock())
    assert session.events == tuple(events)
    again = game_jsonl(session._store, session.game_id)
    assert again == text


def test_there_is_a_golden_game_for_every_preset() -> None:
    assert {file.stem for file in FOLDER.glob("*.jsonl")} == {file.stem for file in FOLDER.glob("*.txt")} == set(Preset)


@pytest.mark.parametrize(("preset", "players"), [(preset, 2 + n) for n, preset in enumerate(Preset)])
def test_an_evening_that_only_the_table_knows(preset: Preset, players: int) -> None:
    """With hidden hands the app follows every move, never objects to a legal one, and ends with the same scores."""
    rules = HouseRules.preset(preset).replace(**(RULES.get(preset, {}) | {"rounds": 2, "max_pip": 12}))
    strategies = [Strategy.HEAVIEST, Strategy.RANDOM, Strategy.CLOSER] * 3
    names = [f"Player {n}" for n in range(players)]
    played = Simulator(rules, names, strategies[:players], Random(f"evening {preset}"))
    played.play_game()
    events = as_onlooker(played.events)
    session = play_again(MemoryStore(), events, [HOST] * len(events), Clock())
    assert session.events == events
    assert session.game.ended
    assert winners(session.game) == winners(played.game)
    for mine, theirs in zip(session.game.rounds, played.game.rounds, strict=True):
        assert [mine.score(seat) for seat in range(players)] == [theirs.score(seat) for seat in range(players)]
