"""From links to chains: one walk from each beginning outwards."""

from collections.abc import Sequence
from dataclasses import dataclass

from companion.vision.layout_choice import Item
from companion.vision.layout_links import LEFT, Link, Root


@dataclass(frozen=True, slots=True)
class Step:
    """A tile on the way outwards."""

    tile: int
    inner: int
    """The port that points to the engine."""
    outer: int
    """The port at the far side."""
    item: Item | None
    """What joins it to the tile before it, or to the engine; None: it begins a chain that does not."""

    @property
    def across(self) -> bool:
        """Does it lie across, as doubles do?"""
        return self.inner >= LEFT

    def reversed(self, item: Item | None) -> "Step":
        """The same tile on the way inwards."""
        return Step(self.tile, self.outer, self.inner, item)


Path = tuple[Step, ...]


def opposite(port: int) -> int:
    """The port across from this one."""
    return port ^ 1


def walk(items: Sequence[Item]) -> tuple[list[Path], list[Path]]:
    """The chains that begin at the engine, and the others, of two tiles or more, in either direction."""
    at: dict[int, list[Link]] = {}
    for item in items:
        if isinstance(item, Link):
            at.setdefault(item.a, []).append(item)
            at.setdefault(item.b, []).append(item)
    rooted = [_follow(root.tile, root.port, root, at) for root in items if isinstance(root, Root)]
    seen = {step.tile for path in rooted for step in path}
    free = []
    for tile in sorted(at):
        if tile in seen or len(at[tile]) > 1:
            continue
        (link,) = at[tile]
        port = link.port_a if link.a == tile else link.port_b
        path = _follow(tile, opposite(port), None, at)
        seen |= {step.tile for step in path}
        free.append(path)
    return rooted, free


def turned(path: Path) -> Path:
    """The same chain from its other end."""
    items = [*(step.item for step in path[1:]), None]
    return tuple(step.reversed(item) for step, item in zip(path[::-1], items[::-1], strict=True))


def _follow(tile: int, port: int, item: Item | None, at: dict[int, list[Link]]) -> Path:
    path: list[Step] = []
    while True:
        onwards = [link for link in at.get(tile, ()) if link is not item]
        if not onwards:
            return (*path, Step(tile, port, opposite(port), item))
        (link,) = onwards
        here, there = ((link.port_a, (link.b, link.port_b)), (link.port_b, (link.a, link.port_a)))[link.b == tile]
        path.append(Step(tile, port, here, item))
        (tile, port), item = there, link
