"""Tables in the middle of a round, written in a line or two."""

from collections.abc import Iterable, Mapping, Sequence

from companion.errors import IllegalMoveError
from companion.rules.events import Event, GameStarted, HandDealt, RoundStarted, TableObserved
from companion.rules.fold import advance, apply_all, decide
from companion.rules.house_rules import HouseRules, Value
from companion.rules.legality import check, legal_moves
from companion.rules.moves import Move, Play, ViolationCode
from companion.rules.state import Game, Hand, PlacedTile, TableState, Train
from companion.rules.tiles import Tile


def t(text: str) -> Tile:
    return Tile.parse(text)


def ts(text: str) -> tuple[Tile, ...]:
    return tuple(Tile.parse(word) for word in text.split())


def chain(start: int, text: str) -> tuple[PlacedTile, ...]:
    """Tiles in a row, each turned so that it touches the one before."""
    placed = []
    for tile in ts(text):
        placed.append(PlacedTile(tile, start, tile.other(start)))
        start = tile.other(start)
    return tuple(placed)


def scene(
    *hands: str | int,
    trains: Mapping[int | None, str] | None = None,
    markers: Iterable[int] = (),
    open_doubles: Sequence[int | None] = (),
    boneyard: str | None = None,
    engine: str = "12-12",
    to_act: int = 0,
    missing: str = "",
    rules: HouseRules | None = None,
    **options: Value,
) -> Game:
    """A round in play. A hand is its tiles, or a number of unknown ones. With `boneyard` all other tiles are lost."""
    rules = (rules or HouseRules()).replace(**options)
    trains = trains or {}
    laid = [t(engine), *(tile for text in trains.values() for tile in ts(text))]
    held = [ts(hand) if isinstance(hand, str) else () for hand in hands]
    lost = ts(missing)
    if boneyard is not None:
        kept = {*laid, *ts(boneyard), *(tile for hand in held for tile in hand)}
        lost = tuple(tile for tile in rules.tile_set if tile not in kept)
    counts = tuple(len(shown) if isinstance(hand, str) else hand for hand, shown in zip(hands, held, strict=True))
    seen = tuple(
        Train(owner, chain(t(engine).high, trains.get(owner, "")), owner in markers)
        for owner in (*range(len(hands)), None)
    )
    events: list[Event] = [
        GameStarted(rules, tuple("ABCDEFGH"[: len(hands)]), missing_tiles=lost),
        RoundStarted(1, t(engine), to_act),
        *(HandDealt(seat, counts[seat], held[seat]) for seat in range(len(hands))),
        TableObserved(t(engine), seen, counts, tuple(open_doubles), to_act),
    ]
    return apply_all(Game(), events)


def play(game: Game, *moves: Move, ruling: str | None = None) -> Game:
    for move in moves:
        game = advance(game, move, ruling)[1]
    return game


def lay(seat: int, tile: str, train: int | None) -> Play:
    return Play(seat, t(tile), train)


def codes(game: Game, move: Move) -> list[ViolationCode]:
    return [violation.code for violation in check(game, move)]


def plays(game: Game) -> set[tuple[str, int | None]]:
    """The legal plays as (tile, train)."""
    return {(str(move.tile), move.train) for move in legal_moves(game) if isinstance(move, Play)}


def kinds(game: Game) -> set[str]:
    """The kinds of legal moves."""
    return {type(move).__name__ for move in legal_moves(game)}


def table(game: Game) -> TableState:
    assert game.table is not None
    return game.table


def hand(game: Game, seat: int) -> Hand:
    return table(game).hands[seat]


def refused(game: Game, move: Move, ruling: str | None = None) -> list[ViolationCode]:
    """The codes with which a move is refused."""
    try:
        decide(game, move, ruling)
    except IllegalMoveError as error:
        return [violation.code for violation in error.violations]
    raise AssertionError(f"{move} was accepted")
