"""`companion leave`: a player goes home."""

from pathlib import Path

from companion.app.table_words import player_names
from companion.cli.desk import (
    data_option,
    desk,
    explaining,
    game_argument,
    json_option,
    player_argument,
    seat_of,
    source_of,
    who_option,
)
from companion.cli.localized import Command, Option
from companion.cli.parameters import Integer
from companion.rules.seating import leave
from companion.rules.state import LeavingHand


def run(
    code: str,
    player: str,
    points: int | None,
    unranked: bool,
    who: str | None,
    data: Path | None,
    as_json: bool,
) -> None:
    """Let a player leave; during a round the hand goes to the boneyard, or is counted with `--points`."""
    with desk(data, as_json) as at:
        session = at.session(code)
        seat = seat_of(session.game, player)
        hand = None if points is None else LeavingHand.COUNTED
        with explaining(at, player_names(session.game), "hint_none"):
            events = leave(session.game, seat, hand, ranked=not unranked, points=points)
            at.commit(session, session.draft(*events), source_of(session.game, who))


command = Command(
    "leave",
    callback=run,
    params=[
        game_argument(),
        player_argument(),
        Option(["--points"], type=Integer(-1000, 1000), metavar="N", help="help_leave_points"),
        Option(["--unranked"], is_flag=True, help="help_unranked"),
        who_option(),
        data_option(),
        json_option(),
    ],
)
