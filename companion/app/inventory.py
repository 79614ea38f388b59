"""Are all tiles there? Table, hands, boneyard and lost tiles together are the set (R-SET-1, R-SET-2, R-SET-4)."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from companion.rules.state import Game
from companion.rules.tiles import Tile


@dataclass(frozen=True, slots=True)
class Inventory:
    """What is wrong with the tiles of a round; all empty and zero: nothing."""

    total: int
    """Tiles that ought to exist."""
    lost: int = 0
    """How many are missing."""
    lost_among: tuple[Tile, ...] = ()
    """Which: as many as are missing, or more where some tiles were not shown."""
    too_many: int = 0
    """How many more there seem to be than the set has."""
    twice: tuple[Tile, ...] = ()
    """Tiles that are in two places."""
    found: tuple[Tile, ...] = ()
    """Tiles that were said to be lost and are there."""

    @property
    def is_right(self) -> bool:
        """Is every tile accounted for?"""
        return not (self.lost or self.too_many or self.twice or self.found)


def round_inventory(game: Game) -> Inventory | None:
    """The inventory of a round that was followed, once it is over and everybody is counted; None before."""
    current = game.round
    if current is None or current.ended is None or current.missing:
        return None
    if not any(train.tiles for train in current.table.trains):
        return None  # only points were entered
    return take_inventory(game)


def take_inventory(game: Game, boneyard: Iterable[Tile] | None = None, backs: int | None = None) -> Inventory:
    """The inventory of the current round, after its hands were counted; there must be a round.

    `boneyard`: the tiles of the boneyard, turned up at the end; `backs`: how many it was counted to have, face down;
    neither: as many as the log says. A hand that was scored by its total alone counts as tiles nobody has seen.
    """
    current = game.round
    assert current is not None
    table = current.table
    shown: Counter[Tile] = Counter(table.on_table)
    unseen = 0
    for seat in table.participants:
        score, hand = current.score(seat), table.hands[seat]
        tiles = score.tiles if score is not None and score.tiles is not None else tuple(hand.known)
        shown.update(tiles)
        unseen += 0 if score is not None and score.tiles is not None else hand.unknown
    if boneyard is not None:
        shown.update(boneyard)
    else:
        unseen += max(table.boneyard, 0) if backs is None else backs
    every = set(game.rules.tile_set.tiles) - game.missing_tiles
    hidden = tuple(sorted(every - shown.keys()))
    difference = len(hidden) - unseen
    return Inventory(
        total=game.tile_count,
        lost=max(difference, 0),
        lost_among=hidden if difference > 0 else (),
        too_many=max(-difference, 0),
        twice=tuple(sorted(tile for tile, times in shown.items() if times > 1)),
        found=tuple(sorted(game.missing_tiles & shown.keys())),
    )
