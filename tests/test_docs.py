"""The documents are complete and tell the truth."""

import re
import tomllib
from pathlib import Path

import click
import numpy as np
import pytest

import companion
from companion.app.scan_words import annotation_lines, summary
from companion.app.scanning import scan
from companion.cli import COMMANDS, program
from companion.rules.tiles import TileSet
from companion.text import Language
from companion.vision.photo import Photo

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def code_lines(text: str) -> list[str]:
    """The lines of all fenced blocks of a Markdown text."""
    return [line for block in re.findall(r"```\w*\n(.*?)```", text, re.DOTALL) for line in block.splitlines() if line]


def test_readme_begins_with_its_two_commands() -> None:
    assert code_lines(README)[:2] == ["python3 quickstart.py", "python3 quickstart.py test"]


def test_ci_runs_the_test_command_of_readme_last() -> None:
    lines = (ROOT / ".ci" / "run").read_text(encoding="utf-8").rstrip().splitlines()
    assert lines[-1] == code_lines(README)[1]


def test_readme_tells_what_the_sample_counts() -> None:
    from companion.vision.reader import Reader

    (result,) = scan([ROOT / "docs" / "samples" / "hand-1.jpg"], Reader.load(), TileSet(12))
    assert summary(result, Language.EN) in README


def test_the_table_of_readme_is_read_without_a_doubt() -> None:
    from companion.app.table_scanning import read_table_photo, table_doubts
    from companion.vision.reader import Reader

    table = read_table_photo(Reader.load(), Photo.from_path(ROOT / "docs" / "samples" / "table.jpg"), TileSet(12))
    assert [len(chain.tiles) for chain in table.chains] == [18, 1, 1, 4, 6]
    assert table.chains[3].values == ((12, 8), (8, 8), (8, 7), (7, 6))
    assert table_doubts(table, Language.EN) == []


def test_the_annotated_sample_is_what_the_program_draws() -> None:
    """After new weights or a change in drawing: `companion scan --annotate docs/samples docs/samples/hand-1.jpg`."""
    from companion.vision.annotate import annotate
    from companion.vision.reader import Reader

    (result,) = scan([ROOT / "docs" / "samples" / "hand-1.jpg"], Reader.load(), TileSet(12))
    assert result.photo is not None
    assert result.reading is not None
    drawn = annotate(result.photo, result.reading, annotation_lines(result, Language.EN))
    shown = Photo.from_path(ROOT / "docs" / "samples" / "hand-1-read.jpg").pixels
    assert shown.shape == drawn.shape
    assert np.abs(shown.astype(int) - drawn).mean() < 3


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)|(?:src|href)=\"([^\"#]+)\"", text):
        path = "".join(target)
        if "://" not in path:
            assert (document.parent / path).exists(), path


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_is_documented(name: str) -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs").rglob("*.md"))
    assert f"companion {name}" in text
    command = program.get_command(click.Context(program), name)
    assert command is not None
    for option in (word for param in command.params for word in param.opts if word.startswith("--")):
        assert option in text


def test_every_command_in_the_documents_exists() -> None:
    for document in DOCUMENTS:
        for line in code_lines(document.read_text(encoding="utf-8")):
            if match := re.match(r"companion ([a-z]\S*)", line):
                assert match[1] in COMMANDS, f"{document.name}: {line}"


def test_decisions_are_numbered_and_listed() -> None:
    records = sorted(path.name for path in (ROOT / "docs" / "adr").glob("*.md") if path.name != "README.md")
    assert all(re.fullmatch(r"\d{4}-[a-z0-9-]+\.md", name) for name in records)
    assert len({name[:4] for name in records}) == len(records)
    index = (ROOT / "docs" / "adr" / "README.md").read_text(encoding="utf-8")
    assert [name for name in records if name not in index] == []


def test_the_version_is_in_the_changelog() -> None:
    assert f"## {companion.__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_every_dependency_says_why() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    project = tomllib.loads(text)["project"]
    for group in (project["dependencies"], *project["optional-dependencies"].values()):
        for dependency in group:
            assert re.search(re.escape(f'"{dependency}",') + r"\s+# \w+", text), dependency
