"""Source files as syntax trees."""

import ast
from pathlib import Path


def tree_of(path: Path) -> ast.Module:
    """The syntax tree of a source file.

    Python 3.11 counts the depth of a tree for all threads together, so that a tree which another thread builds at the
    same moment makes it fail (SystemError, CPython issue 106905): then it is built again.
    """
    text = path.read_text(encoding="utf-8")
    for _ in range(4):
        try:
            return ast.parse(text)
        except SystemError:
            continue
    return ast.parse(text)
