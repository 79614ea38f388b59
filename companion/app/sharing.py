"""The sheet for others: a table calculation, data, an app for board games, a picture."""

import csv
import io
import json
from collections.abc import Sequence
from datetime import datetime
from functools import cache
from typing import Any
from urllib.parse import quote

from PIL import Image, ImageDraw, ImageFont

from companion.app.session import GameSession
from companion.app.sheet import SheetLine, sheet_table
from companion.rules.scoring import sheet, standings
from companion.rules.state import Game
from companion.text import Language, say
from companion.vision.annotate import FONT

BG_STATS = "https://app.bgstatsapp.com/createPlay.html?data="
"""BG Stats opens this address and asks before it stores anything; nothing is sent to anybody before."""

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def sheet_csv(game: Game, lang: Language) -> str:
    """The sheet as comma-separated values (RFC 4180); a name that a table calculation would run is defused."""
    table = sheet_table(game, lang)
    file = io.StringIO()
    writer = csv.writer(file)
    names = tuple(f"'{name}" if name.startswith(_FORMULA) else name for name in table.header.cells)
    writer.writerow((table.header.label, table.header.engine, *names))
    writer.writerows((line.label, line.engine, *line.cells) for line in table.lines[1:])
    return file.getvalue()


def sheet_data(session: GameSession) -> dict[str, Any]:
    """Everything that is on the sheet as plain data; scores that are still to be entered are null."""
    game, entries = session.game, session.entries()
    places = {standing.seat: standing for standing in standings(game)}
    return {
        "game": session.game_id,
        "started": entries[0].at,
        "changed": entries[-1].at,
        "preset": str(game.preset),
        "house_rules": game.rules.to_dict(),
        "missing_tiles": [str(tile) for tile in sorted(game.missing_tiles)],
        "planned_rounds": game.planned_rounds,
        "ended": game.ended,
        "players": [
            {
                "seat": player.seat + 1,
                "name": player.name,
                "opening_points": player.opening_points,
                "total": places[player.seat].total,
                "rank": places[player.seat].rank,
                "missing_rounds": places[player.seat].missing,
                "left": player.left,
            }
            for player in game.players
        ],
        "rounds": [
            {
                "number": row.number,
                "engine": None if row.engine is None else str(row.engine),
                "ended": row.ended,
                "scores": list(row.points),
                "missing": [seat + 1 for seat in row.missing],
                "winners": [seat + 1 for seat in row.winners],
            }
            for row in sheet(game)
        ],
    }


def bg_stats_link(session: GameSession) -> str:
    """An address that hands the game over to the app BG Stats: the play, the players, their scores and places."""
    game, entries = session.game, session.entries()
    started, ended = (datetime.fromisoformat(entries[n].at) for n in (0, -1))
    first = game.rounds[0].starter if game.rounds else None
    play = {
        "sourceName": "Mexican Train Companion",
        "sourcePlayId": f"{session.game_id}-{started:%Y%m%d%H%M%S}",
        "playDate": f"{started.astimezone():%Y-%m-%d %H:%M:%S}",  # the evening as the table's clock told it
        "durationMin": round((ended - started).total_seconds() / 60),
        "game": {
            "name": "Mexican Train",
            "sourceGameId": "mexican-train",
            "highestWins": False,
            "noPoints": False,
        },
        "players": [
            {
                "name": game.players[standing.seat].name,
                # A player is matched once in the app and known from then on: by name, since seats change.
                "sourcePlayerId": game.players[standing.seat].name.casefold(),
                "startPlayer": standing.seat == first,
                "score": standing.total,
                "rank": standing.rank or 0,
                "winner": standing.rank == 1,  # always there: the app for Android insists
            }
            for standing in standings(game)
        ],
    }
    return BG_STATS + quote(json.dumps(play, ensure_ascii=False, separators=(",", ":")), safe="")


PAPER, INK, FAINT, GOOD, STRIPE = (255, 253, 247), (32, 32, 32), (200, 194, 180), (16, 110, 60), (244, 239, 226)
"""Colours of the picture, RGB."""

_SIZE_PX = 28
_PAD_PX = 14
_ROW_PX = 46
_NAME_PX = 260


def sheet_picture(game: Game, title: str, lang: Language) -> bytes:
    """The sheet as a picture to send to friends, PNG; who won a round or leads is green and underlined."""
    table = sheet_table(game, lang)
    rows = [(line.label, line.engine, *line.cells) for line in table.lines]
    rows[0] = (*rows[0][:2], *(_fitting(name) for name in rows[0][2:]))
    widths = [max(_width(row[n]) for row in rows) + 2 * _PAD_PX for n in range(len(rows[0]))]
    title_px = 2 * _ROW_PX
    total = max(sum(widths) + 2 * _PAD_PX, _width(title) + 4 * _PAD_PX)
    height = title_px + len(rows) * _ROW_PX + _ROW_PX + _PAD_PX
    picture = Image.new("RGB", (total, height), PAPER)
    draw = ImageDraw.Draw(picture)
    draw.text((2 * _PAD_PX, title_px // 2), title, INK, _font(_SIZE_PX), anchor="lm")
    last = len(rows) - 1
    for n, (line, row) in enumerate(zip(table.lines, rows, strict=True)):
        top = title_px + n * _ROW_PX
        if 0 < n < last - 1 and n % 2:
            draw.rectangle((_PAD_PX, top, total - _PAD_PX, top + _ROW_PX - 1), STRIPE)
        if n in (1, last - 1):
            draw.line((_PAD_PX, top, total - _PAD_PX, top), INK, 2)
        _draw_row(draw, line, row, widths, top)
    note = say("sheet_made_with", lang)
    draw.text((2 * _PAD_PX, height - _ROW_PX // 2 - _PAD_PX // 2), note, FAINT, _font(_SIZE_PX // 2), anchor="lm")
    file = io.BytesIO()
    picture.save(file, "PNG", optimize=True)
    return file.getvalue()


def _draw_row(draw: ImageDraw.ImageDraw, line: SheetLine, row: Sequence[str], widths: Sequence[int], top: int) -> None:
    left = _PAD_PX
    for column, (text, width) in enumerate(zip(row, widths, strict=True)):
        good = column >= 2 and column - 2 in line.best
        at = (left + _PAD_PX, top + _ROW_PX // 2) if column < 2 else (left + width - _PAD_PX, top + _ROW_PX // 2)
        draw.text(at, text, GOOD if good else INK, _font(_SIZE_PX), anchor="lm" if column < 2 else "rm")
        if good:  # not by colour alone
            y = top + _ROW_PX - 8
            draw.line((at[0] - _width(text), y, at[0], y), GOOD, 2)
        left += width


def _fitting(name: str) -> str:
    """A name that leaves room for the others."""
    if _width(name) <= _NAME_PX:
        return name
    while name and _width(name + "…") > _NAME_PX:
        name = name[:-1]
    return name.rstrip() + "…"


def _width(text: str) -> int:
    return round(_font(_SIZE_PX).getlength(text))


@cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(FONT, size)
