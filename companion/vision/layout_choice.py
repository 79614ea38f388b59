"""Which of the possible links hold: the most likely forest of chains.

Links that share a port exclude each other, a tile has two neighbours at most, a chain has one beginning at the
engine and comes back to none of its tiles. The best choice is found exactly: first without a look at whole chains,
where only links that exclude each other must be weighed, then, where a chain has two beginnings or goes in a circle,
by forbidding each of its links in turn.
"""

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import count

from companion.vision.layout_links import Link, Root

Item = Link | Root

_STEPS = 4000
"""So many cases are weighed where links exclude each other; after that the best so far is taken, with a doubt."""

_TRIES = 300
"""So many times a link is forbidden to make whole chains possible."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Links and roots that hold together."""

    items: tuple[Item, ...]
    gain: float
    margins: dict[Item, float] = field(compare=False)
    """By how much (nats) the best choice without this item is worse."""
    exact: bool = True
    """False: there was too much to weigh, something better may exist."""


def _ports(item: Item) -> tuple[tuple[int, int], ...]:
    if isinstance(item, Root):
        return ((item.tile, item.port),)
    return ((item.a, item.port_a), (item.b, item.port_b))


def _tiles(item: Item) -> tuple[int, ...]:
    return tuple(tile for tile, _ in _ports(item))


def choose(candidates: Sequence[Item]) -> Choice:
    """The choice with the highest sum of gains; nothing is taken that does not gain."""
    worth = [item for item in candidates if item.gain > 0]
    solver = _Solver(worth)
    order = count()
    items, gain, exact = solver.solve(frozenset())
    queue = [(-gain, next(order), items, exact, frozenset[int]())]
    best = None
    for _ in range(_TRIES):
        if not queue:
            break
        best = heapq.heappop(queue)
        wrong = _impossible(best[2])
        if wrong is None:
            break
        for item in wrong:
            forbidden = best[4] | {solver.number[item]}
            items, gain, exact = solver.solve(forbidden)
            heapq.heappush(queue, (-gain, next(order), items, exact, forbidden))
    assert best is not None
    items, exact, forbidden = best[2], best[3], best[4]
    while (wrong := _impossible(items)) is not None:  # too many tries: break what is weakest
        weakest = min(wrong, key=lambda item: item.gain)
        items, exact = tuple(item for item in items if item != weakest), False
    margins = {item: -best[0] - solver.solve(forbidden | {solver.number[item]})[1] for item in items}
    return Choice(items, -best[0], margins, exact)


def _impossible(items: Iterable[Item]) -> list[Item] | None:
    """The items of a chain that has two beginnings or goes in a circle; None: there is none."""
    at: dict[int, list[Item]] = {}
    for item in items:
        for tile in _tiles(item):
            at.setdefault(tile, []).append(item)
    seen: set[int] = set()
    for tile in at:
        if tile in seen:
            continue
        group, todo, members = [tile], [tile], {tile}
        chain: list[Item] = []
        while todo:
            for item in at[todo.pop()]:
                if item not in chain:
                    chain.append(item)
                for other in _tiles(item):
                    if other not in members:
                        members.add(other)
                        group.append(other)
                        todo.append(other)
        seen |= members
        joins = sum(isinstance(item, Link) for item in chain)
        begins = len(chain) - joins
        if begins > 1 or joins >= len(group):
            return chain
    return None


class _Solver:
    """Finds the best items that do not exclude each other, group by group."""

    def __init__(self, items: Sequence[Item]) -> None:
        self.items = sorted(items, key=lambda item: -item.gain)
        self.number = {item: k for k, item in enumerate(self.items)}
        self._excludes: list[set[int]] = [set() for _ in self.items]
        by_tile: dict[int, list[int]] = {}
        for k, item in enumerate(self.items):
            for tile in _tiles(item):
                by_tile.setdefault(tile, []).append(k)
        for numbers in by_tile.values():
            for k in numbers:
                for other in numbers:
                    if other != k and _exclude(self.items[k], self.items[other]):
                        self._excludes[k].add(other)
        self._groups = self._find_groups(by_tile)
        self._group_of = {k: g for g, group in enumerate(self._groups) for k in group}
        self._solved: dict[tuple[int, frozenset[int]], tuple[tuple[int, ...], float, bool]] = {}

    def _find_groups(self, by_tile: dict[int, list[int]]) -> list[list[int]]:
        """Items that exclude each other directly, by others, or by crowding a tile that has more than two ports."""
        near = [set(excluded) for excluded in self._excludes]
        for numbers in by_tile.values():
            ports = {port for k in numbers for tile, port in _ports(self.items[k])}
            if len(numbers) > 2 and len(ports) > 2:
                for k in numbers:
                    near[k] |= set(numbers) - {k}
        groups, left = [], set(range(len(self.items)))
        while left:
            todo = [min(left)]
            left.discard(todo[0])
            group = []
            while todo:
                k = todo.pop()
                group.append(k)
                fresh = near[k] & left
                left -= fresh
                todo += sorted(fresh)
            groups.append(sorted(group))
        return groups

    def solve(self, forbidden: frozenset[int]) -> tuple[tuple[Item, ...], float, bool]:
        """The best items without the forbidden ones, their gain, and whether that is certain.

        A group is searched once for each set of its items that is forbidden.
        """
        taken: list[int] = []
        gain, exact = 0.0, True
        for g, group in enumerate(self._groups):
            here = frozenset(k for k in forbidden if self._group_of[k] == g)
            if (g, here) not in self._solved:
                self._solved[g, here] = self._search([k for k in group if k not in here])
            numbers, part, sure = self._solved[g, here]
            taken += numbers
            gain += part
            exact &= sure
        return tuple(self.items[k] for k in sorted(taken)), gain, exact

    def _search(self, group: list[int]) -> tuple[tuple[int, ...], float, bool]:
        """Take or leave each item, the best first; a branch that cannot beat the best is cut."""
        gains = [self.items[k].gain for k in group]
        rest = [0.0] * (len(group) + 1)
        for n in range(len(group) - 1, -1, -1):
            rest[n] = rest[n + 1] + gains[n]
        best: tuple[float, tuple[int, ...]] = (0.0, ())
        steps = 0
        stack: list[tuple[int, float, tuple[int, ...]]] = [(0, 0.0, ())]
        while stack and steps < _STEPS:
            steps += 1
            n, gain, taken = stack.pop()
            while n < len(group) and not self._fits(group[n], taken):
                n += 1
            if gain > best[0]:
                best = gain, taken
            if n >= len(group) or gain + rest[n] <= best[0]:
                continue
            stack.append((n + 1, gain, taken))
            stack.append((n + 1, gain + gains[n], (*taken, group[n])))
        return best[1], best[0], not stack

    def _fits(self, k: int, taken: tuple[int, ...]) -> bool:
        if any(other in self._excludes[k] for other in taken):
            return False
        crowded = (sum(tile in _tiles(self.items[other]) for other in taken) >= 2 for tile in _tiles(self.items[k]))
        return not any(crowded)


def _exclude(a: Item, b: Item) -> bool:
    """May these two not hold both? They share a port, or join the same tiles."""
    if set(_ports(a)) & set(_ports(b)):
        return True
    return isinstance(a, Link) and isinstance(b, Link) and set(_tiles(a)) == set(_tiles(b))
