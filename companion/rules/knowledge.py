"""What is known of a hand, and how a play, a draw or a pass changes it (R-RULING-2)."""

from collections.abc import Iterable

from companion.rules.state import Hand, Lack
from companion.rules.tiles import Tile


def take(hand: Hand, tile: Tile) -> Hand:
    """The hand without a tile that was laid from it, known or not."""
    if tile in hand.known:
        return Hand(hand.count - 1, hand.known - {tile}, hand.lacks)
    if hand.unknown > 0:
        return Hand(hand.count - 1, hand.known, identify(hand.lacks, hand.unknown, tile) if hand.lacks else ())
    # Every tile seemed known and this one was not among them: one was misread, nobody knows which.
    return Hand(max(hand.count - 1, 0))


def give(hand: Hand, count: int, tiles: Iterable[Tile] = ()) -> Hand:
    """The hand with `count` more tiles, of which some are known."""
    return Hand(hand.count + count, hand.known.union(tiles), hand.lacks)


def forget(hand: Hand, tiles: frozenset[Tile]) -> Hand:
    """The hand, whose owner turned out not to hold these tiles; its size stays."""
    return Hand(hand.count, hand.known - tiles, hand.lacks)


def identify(lacks: tuple[Lack, ...], unknown: int, tile: Tile) -> tuple[Lack, ...]:
    """The proofs about a hand when one of its `unknown` tiles turned out to be `tile`.

    It came from one of the groups that could have held it, or from tiles of which nothing is proved, so
    each of those groups answers for one tile less. If it can have come from nowhere, the earlier passes
    were no proof (somebody overlooked a play), and nothing is claimed any more.
    """
    free = unknown - sum(lack.count for lack in lacks)
    able = [lack for lack in lacks if tile.low not in lack.numbers and tile.high not in lack.numbers]
    if not free and not able:
        return ()
    rest = [lack for lack in lacks if lack not in able]
    return (*rest, *(Lack(lack.count - 1, lack.numbers) for lack in able if lack.count > 1))


def prove(hand: Hand, numbers: frozenset[int]) -> Hand:
    """The hand, of which no unknown tile shows any of these numbers: its owner could not play."""
    if not hand.unknown or not numbers:
        return hand
    free = hand.unknown
    groups: dict[frozenset[int], int] = {}
    for lack in hand.lacks:
        free -= lack.count
        merged = lack.numbers | numbers
        groups[merged] = groups.get(merged, 0) + lack.count
    if free:
        groups[numbers] = groups.get(numbers, 0) + free
    return Hand(hand.count, hand.known, tuple(Lack(count, lacking) for lacking, count in groups.items()))
