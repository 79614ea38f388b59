"""No sentence for a person stands outside `companion/text`."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import companion
from tests.syntax import tree_of

PACKAGE = Path(companion.__file__).parent
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if "text" not in path.relative_to(PACKAGE).parts[:1])
FOR_DEVELOPERS = {
    *("ValueError", "TypeError", "RuntimeError", "AssertionError", "CodecError", "KeyError", "AttributeError"),
    *("debug", "info", "warning", "exception"),
}
"""What a developer reads: mistakes in calling code, which no user can make, and logging."""
SENTENCE = re.compile(r"(?:[^\W\d_]{2,}[,;:]? ){2}[^\W\d_]{2,}|[А-Яа-яё]{2}")
"""Three words in a row, or anything in Cyrillic."""
NOT_FOR_PEOPLE = re.compile(r"^\s*(SELECT|INSERT|DELETE|UPDATE|CREATE|PRAGMA|BEGIN|default-src)\b")
"""Statements of SQL, and a browser's content policy."""
NAMES = {"Mexican Train Companion", "Русский"}
"""Names that are the same in every language."""


def texts(path: Path) -> Iterator[tuple[int, str]]:
    """Every text of a module that is no documentation and not meant for developers."""
    skipped: set[ast.AST] = set()

    def visit(node: ast.AST) -> Iterator[tuple[int, str]]:
        if node in skipped:
            return
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            return  # a docstring
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if name in FOR_DEVELOPERS:
                return
        if isinstance(node, ast.Assert):
            skipped.update([node.msg] if node.msg else [])
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value
        for child in ast.iter_child_nodes(node):
            yield from visit(child)

    return visit(tree_of(path))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_sentence_stands_outside_of_text(path: Path) -> None:
    found = [
        f"{path.relative_to(PACKAGE)}:{line}: {text!r}"
        for line, text in texts(path)
        if SENTENCE.search(text) and not NOT_FOR_PEOPLE.match(text) and text not in NAMES
    ]
    assert not found


def test_the_search_finds_sentences(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text(
        '"""Documentation of a module."""\n'
        "def f(n):\n"
        '    """Documentation of a function."""\n'
        "    assert n, 'a mistake of ours'\n"
        "    print(f'There are {n} tiles left over')\n"
        "    raise ValueError('a mistake of ours')\n"
        "    return 'да'\n"
    )
    assert [text for _, text in texts(module) if SENTENCE.search(text)] == [" tiles left over", "да"]
