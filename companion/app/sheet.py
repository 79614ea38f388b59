"""The score sheet in words, for the terminal, a table calculation and a picture."""

from dataclasses import dataclass

from companion.rules.scoring import Row, sheet, standings
from companion.rules.state import Game
from companion.text import Language, say

NOT_YET = "?"
"""A score that is still to be entered."""


@dataclass(frozen=True, slots=True)
class SheetLine:
    """A line of the sheet."""

    label: str
    """What the line is about: the number of the round, or a word."""
    engine: str
    """The engine of the round, or nothing."""
    cells: tuple[str, ...]
    """By seat; empty: not in this round, `NOT_YET`: to be entered."""
    best: tuple[int, ...] = ()
    """Seats that won the round, or lead."""


@dataclass(frozen=True, slots=True)
class SheetTable:
    """The whole sheet."""

    header: SheetLine
    """Column titles and players."""
    rounds: tuple[SheetLine, ...]
    """A line for each round; before them what late joiners started with."""
    total: SheetLine
    """The totals."""
    rank: SheetLine
    """The places; empty for who is out of the ranking, and before the first score."""

    @property
    def lines(self) -> tuple[SheetLine, ...]:
        """All lines, from the top."""
        return (self.header, *self.rounds, self.total, self.rank)


def sheet_table(game: Game, lang: Language) -> SheetTable:
    """The sheet of a game in words."""
    places = {standing.seat: standing for standing in standings(game)}
    begun = any(score is not None for row in sheet(game) for score in row.points)
    seats = range(len(game.players))
    lines = [_round_line(row, len(game.players)) for row in sheet(game)]
    if any(player.opening_points for player in game.players):
        opening = tuple(str(player.opening_points or "") for player in game.players)
        lines.insert(0, SheetLine(say("sheet_opening", lang), "", opening))
    leaders = tuple(seat for seat in seats if begun and places[seat].rank == 1)
    return SheetTable(
        SheetLine(
            say("sheet_round", lang), say("sheet_engine", lang), tuple(player.name for player in game.players), leaders
        ),
        tuple(lines),
        SheetLine(say("sheet_total", lang), "", tuple(str(places[seat].total) for seat in seats), leaders),
        SheetLine(
            say("sheet_rank", lang),
            "",
            tuple(str(places[seat].rank or "") if begun else "" for seat in seats),
            leaders,
        ),
    )


def _round_line(row: Row, players: int) -> SheetLine:
    cells = tuple(
        NOT_YET if seat in row.missing else "" if points is None else str(points)
        for seat, points in zip(range(players), row.points, strict=True)
    )
    return SheetLine(str(row.number), str(row.engine or ""), cells, row.winners)
