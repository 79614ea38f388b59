"""`companion scan PHOTO --save GAME PLAYER`: from a photo to the sheet, past everybody's eyes."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.app.intake import fixed_tiles, propose_count, propose_tiles, taken_tiles
from companion.app.scanning import HandReader, MergedScan, ScanResult, merge_scans, scan
from companion.app.session import Draft, GameSession
from companion.app.table_words import player_names
from companion.cli.codes import FAILED
from companion.cli.desk import (
    Desk,
    ask,
    data_option,
    desk,
    explain,
    explaining,
    seat_of,
    source_of,
    who_option,
)
from companion.cli.localized import Option
from companion.cli.parameters import Integer
from companion.cli.sheet import progress
from companion.cli.terminal import print_error
from companion.errors import UsageError
from companion.rules.tiles import Tile
from companion.text import say

if TYPE_CHECKING:
    from collections.abc import Callable

Fix = tuple[Tile | None, Tile | None]


def save_options() -> list[click.Parameter]:
    """What `scan` takes for a hand that is written down."""
    return [
        Option(["save", "--save"], type=(str, str), metavar="GAME PLAYER", help="help_save"),
        Option(["fixes", "--fix"], multiple=True, metavar="READ=RIGHT", help="help_fix"),
        Option(["--accept"], is_flag=True, help="help_accept"),
        Option(["--keep-photo"], is_flag=True, help="help_keep_photo"),
        Option(["number", "--round"], type=Integer(1, 19), metavar="N", help="help_score_round"),
        Option(["--why"], metavar="REASON", help="help_score_why"),
        who_option(),
        data_option(),
    ]


def parse_fix(text: str) -> Fix:
    """Read `3-11=3-12`, `=3-12` (add), `3-12=` (remove). Raises UsageError, TileSyntaxError."""
    was, equals, right = text.partition("=")
    if not equals or not (was.strip() or right.strip()):
        raise UsageError("fix_syntax", text=text)
    return Tile.parse(was) if was.strip() else None, Tile.parse(right) if right.strip() else None


def save_scan(
    photos: tuple[Path, ...],
    reader: "Callable[[], HandReader]",
    show: "Callable[[ScanResult | MergedScan], None]",
    save: tuple[str, str],
    merge: bool,
    fixes: tuple[str, ...],
    accept: bool,
    keep_photo: bool,
    number: int | None,
    why: str | None,
    who: str | None,
    data: Path | None,
    as_json: bool,
) -> int:
    """Read a hand and write it down for a player; doubts are confirmed or corrected first.

    Of several photos that are merged, the first is the one that the log names.
    """
    if len(photos) != 1 and not merge:
        raise UsageError("save_one_photo")
    corrections = [parse_fix(text) for text in fixes]
    with desk(data, as_json) as at:
        session = at.session(save[0])
        game = session.game
        seat = seat_of(game, save[1])
        rules = game.rules
        blank_points = rules.double_blank_points or 0
        results = list(scan(photos, reader(), rules.tile_set, taken_tiles(game, seat), blank_points))
        result = merge_scans(results, blank_points) if merge else results[0]
        show(result)
        if result.error is not None:
            raise result.error
        with explaining(at, player_names(game), "hint_why"):
            draft = _draft(session, seat, result, results[0], corrections, number, why)
        if draft.violations:
            explain(at, draft.violations, player_names(game), "hint_why", lambda: (say("hint_fix", at.lang),))
            return FAILED
        if draft.doubts and not (accept or _looked(at)):
            return FAILED
        if keep_photo:
            at.photos.put(photos[0].read_bytes())
            at.say("save_photo_kept")
        at.print(progress(at.commit(session, draft.confirmed(), source_of(game, who)), at.lang))
    return 0


def _draft(
    session: GameSession,
    seat: int,
    hand: ScanResult | MergedScan,
    first: ScanResult,
    fixes: list[Fix],
    number: int | None,
    why: str | None,
) -> Draft:
    """The hand as it was read, or as somebody corrected it, which settles the doubts."""
    assert hand.reading is not None
    assert first.photo is not None
    if fixes:
        tiles = fixed_tiles(hand.reading.values, fixes)
        return propose_tiles(session, seat, tiles, number, why, photo=first.photo.sha256)
    return propose_count(session, seat, hand.reading, first.photo.sha256, number, why)


def _looked(at: Desk) -> bool:
    """Ask the person at the terminal; where there is none, say what to do."""
    answer = ask(say("accept_ask", at.lang), at.lang)
    if not answer:
        print_error(say("hint_accept", at.lang))
    return bool(answer)
