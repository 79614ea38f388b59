"""What the screen for one hand is busy with, and how the hand becomes a score."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from companion.app.intake import propose_correction, propose_tiles, propose_total
from companion.app.live_game import Outcome
from companion.app.place import Place
from companion.rules.moves import Violation
from companion.rules.state import Game
from companion.rules.tiles import Tile
from companion.ui.env import Env
from companion.ui.model import Counting, Elsewhere, corrected

Change = Callable[[Counting], Counting]
Put = Callable[[Change], None]
Slot = tuple[str, int, int]
"""Which hand: game, round, seat."""


class How(StrEnum):
    """The ways to count."""

    PHOTO = "photo"
    TILES = "tiles"
    TOTAL = "total"


@dataclass(frozen=True, slots=True)
class Doing:
    """What this screen is busy with; a new one for every hand."""

    slot: Slot
    how: How
    link: str = ""
    """The way to count that the address asked for: an address with another one is followed."""
    typed: str = ""
    only: int | None = None
    """Tiles with this number are shown; None: all."""
    editing: int | None = None
    """The place of the tile that is being changed; -1: one is being added."""
    first: int | None = None
    second: int | None = None
    asked: tuple[Violation, ...] = ()
    """What the rules wonder about: a reason is asked for."""
    why: str = ""
    problem: str = ""
    """What went wrong, in a sentence."""
    live: bool = False
    """The live camera is on."""
    accepted: bool = False
    """The score is written down; this screen is about to go."""

    @property
    def total(self) -> int | None:
        """The points that were typed; None: no number yet."""
        return int(self.typed) if self.typed.lstrip("-").isdigit() else None


def lacking(env: Env, doing: Doing, counting: Counting, correcting: bool) -> str:
    """What must be done before the score can be accepted, in a sentence; empty: nothing."""
    if doing.how is How.TOTAL:
        if doing.total is None:
            return env.say("ui_total_first")
    elif not counting.found:
        return env.say("ui_tiles_first")
    elif counting.impossible:
        return env.say("ui_impossible_first", n=len(counting.impossible))
    return env.say("ui_reason_first") if correcting and not doing.why.strip() else ""


def record(place: Place, doing: Doing, counting: Counting, correcting: bool, why: str | None) -> Outcome:
    """Write the score down. Raises CompanionError."""
    _, number, seat = doing.slot
    total = doing.total if doing.how is How.TOTAL else None
    if correcting:
        points = counting.points(place.game) if total is None else total
        return place.commit(place.propose(propose_correction, seat, points, doing.why, number).confirmed())
    if total is not None:
        return place.commit(place.propose(propose_total, seat, total, number, why).confirmed())
    scan = next((scan for scan in place.scans(seat, number) if scan.id in counting.photos), None)
    photo = scan.sha256 if scan else None
    reading = corrected(scan.reading, counting, scan.id) if scan and scan.reading else None
    return place.commit(place.propose(propose_tiles, seat, counting.tiles, number, why, photo).confirmed(), reading)


def elsewhere_names(env: Env, game: Game, elsewhere: dict[Tile, int | Elsewhere]) -> dict[Tile, str]:
    """Who holds the tiles that cannot be here, in words."""
    return {
        tile: env.say(f"ui_elsewhere_{who}")
        if isinstance(who, Elsewhere)
        else env.say("ui_elsewhere_player", name=game.players[who].name)
        for tile, who in elsewhere.items()
    }
