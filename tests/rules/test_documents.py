"""docs/rules.md and docs/house-rules.md are complete, and so are the tests they are proved by."""

import re
from pathlib import Path

import pytest

from companion.rules.house_rules import OPTIONS, HandTable, HouseRules, Preset
from companion.rules.moves import CLAUSE_OF, IMPOSSIBLE, ViolationCode

ROOT = Path(__file__).parents[2]
RULES = (ROOT / "docs" / "rules.md").read_text("utf-8")
HOUSE_RULES = (ROOT / "docs" / "house-rules.md").read_text("utf-8")
CLAUSES = tuple(re.findall(r"^\| (R-[A-Z]+-\d+) \|", RULES, re.M))
SENTENCES = tuple(re.findall(r"^\| ([FM]\d+) \|", RULES, re.M))
TESTS = "\n".join(path.read_text("utf-8") for path in sorted(Path(__file__).parent.glob("test_*.py")))


def shown(value: object) -> str:
    return {None: "none", True: "on", False: "off"}.get(value) if isinstance(value, bool | None) else str(value)


def test_the_clauses_are_all_there_once():
    counts = {"SET": 4, "PLAYER": 1, "ENG": 2, "ROUND": 1, "DEAL": 2, "START": 1, "TURN": 2, "PLAY": 4, "DRAW": 4}
    counts |= {"MARK": 3, "DBL": 7, "END": 3, "SCORE": 6, "RULING": 3}
    assert list(CLAUSES) == [f"R-{name}-{number}" for name, count in counts.items() for number in range(1, count + 1)]
    assert list(SENTENCES) == [f"{text}{number}" for text in "FM" for number in range(1, 16)]


@pytest.mark.parametrize("clause", CLAUSES)
def test_every_clause_has_a_test(clause):
    assert re.search(rf"^def test_{clause.replace('-', '_')}_\w+\(", TESTS, re.M)


@pytest.mark.parametrize("sentence", SENTENCES)
def test_every_sentence_has_a_test(sentence):
    assert re.search(rf"^def test_{sentence}_\w+\(", TESTS, re.M)


def test_tests_name_only_clauses_that_exist():
    named = {f"R-{name}-{number}" for name, number in re.findall(r"^def test_R_([A-Z]+)_(\d+)_", TESTS, re.M)}
    assert named == set(CLAUSES)


def test_sentences_rest_on_clauses_that_exist():
    rows = re.findall(r"^\| [FM]\d+ \|.*\| ([^|]+) \|$", RULES, re.M)
    assert len(rows) == 30
    assert all(set(row.split(", ")) <= set(CLAUSES) for row in rows)


@pytest.mark.parametrize("code", ViolationCode)
def test_every_violation_names_a_clause_that_exists(code):
    assert CLAUSE_OF[code] in CLAUSES


@pytest.mark.parametrize("code", ViolationCode)
def test_every_violation_is_tested(code):
    assert re.search(rf"Code\.{code.name}\b", TESTS)


def test_the_line_between_impossible_and_overrulable():
    assert ViolationCode.TILE_ON_TABLE in IMPOSSIBLE
    assert ViolationCode.REASON_NEEDED in IMPOSSIBLE
    assert ViolationCode.NOT_IN_HAND not in IMPOSSIBLE
    assert set(CLAUSE_OF) == set(ViolationCode)


@pytest.mark.parametrize("option", OPTIONS.values(), ids=OPTIONS)
def test_every_option_and_value_is_documented(option):
    row = re.search(rf"^\| `{option.name}` \|([^|]+)\|", HOUSE_RULES, re.M)
    assert row
    values = option.choices or (option.default, *([None] if option.optional else []))
    assert {f"`{shown(value)}`" for value in values} == set(re.findall(r"`[^`]+`", row[1]))
    assert f"**`{shown(option.default)}`**" in row[1]
    if not option.choices:
        assert f"from {option.least} to {option.most}" in row[1]
    assert f"`{option.name}" in RULES or option.name in ("hand_size", "hand_table")


@pytest.mark.parametrize("name", Preset)
def test_every_preset_is_documented_as_it_is(name):
    row = re.search(rf"^\| `{name}` \|([^|]+)\|$", HOUSE_RULES.split("## Presets")[1], re.M)
    assert row
    expected = {option: shown(values[1]) for option, values in HouseRules.preset(name).differences().items()}
    assert dict(re.findall(r"`(\w+)=(\S+)`", row[1])) == expected


def test_hand_sizes_are_documented_as_they_are():
    for name in HandTable:
        row = re.search(rf"^\| `{name}` \|([^|]+)\|$", HOUSE_RULES, re.M)
        assert row
        for part in row[1].split("·"):
            words = {"double-nine": 9, "double-twelve": 12, "double-fifteen": 15, "double-eighteen": 18}
            max_pip = next((pips for word, pips in words.items() if word in part), 12)
            rules = HouseRules(max_pip=max_pip, hand_table=name)
            sizes = {}
            for first, last, size in re.findall(r"(\d+)(?:-(\d+))?: (\d+)", part):
                sizes |= dict.fromkeys(range(int(first), int(last or first) + 1), int(size))
            assert {players: rules.hand_for(players) for players in range(2, 15)} == {
                players: sizes.get(players) for players in range(2, 15)
            }
