"""What may have happened at the table, weighed: the log as it is or corrected, and moves from there.

Costs add up: assumed moves, contradicting counts, tiles that were read otherwise or are gone in look after look.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf

from companion.app.following import Following, Place, Signature, denial
from companion.app.session import GameSession
from companion.app.table_match import sight
from companion.app.table_repair import Base, Change, goes_on, misread, not_passed, otherwise, played_at, taken_back
from companion.app.table_search import CONTRADICTED, MARGIN, MOST_NEW, MOST_STATES, Explanation, Search
from companion.app.table_sighting import Sighting
from companion.app.table_signs import Evidence
from companion.rules.events import EngineLaid, Event, RoundEnded, TilePlayed
from companion.rules.state import Phase
from companion.vision.readings import TableReading

_ODD = 4.0
_GONE = 2.0
"""How fast it gets unlikely, look by look, that a tile was misread or is only hidden."""
_MOST_BASES = 4
_ODDER, _HAND_SHRUNK = 1.5 * MARGIN, 3.75
"""By so much a play by the rules must be likelier than one against them: what one tile counted wrongly costs;
a little more where a tile has just left the hand of who would have broken them."""
_ONE_BACK = 3.5
"""And who laid the engine by so much, once two photos tell it: a little less than one back more or less costs."""
_DOUBTFUL = 4.5
"""Where what is new costs so much, the play before it may have been another one."""
FAR_FETCHED = 9.0
"""Where the best explanation is as odd as this, the log has the hands wrong; after a denial it is not asked about."""


@dataclass(frozen=True, slots=True, eq=False)
class Hypothesis:
    """Something that may have happened."""

    base: Base
    """The state of the log it starts from."""
    explanation: Explanation
    """The moves from there."""
    total: float
    """What speaks against it."""

    @property
    def events(self) -> tuple[Event, ...]:
        """All that would be recorded."""
        return (*self.base.events, *self.explanation.events)

    @property
    def signature(self) -> Signature:
        """What must be the same for two looks to claim the same."""
        return (self.base.change, self.base.tile, self.base.right, *self.explanation.signature)

    @property
    def strange(self) -> float:
        """What speaks against it, besides what was asked for: one broken rule, one tile read otherwise."""
        return self.total - self.explanation.unsure

    @property
    def is_nothing(self) -> bool:
        """The table is as the log says."""
        return not self.events and self.explanation.left_out is None


def _bases(session: GameSession, memory: Following, sighting: Sighting) -> list[Base]:
    """The log as it is, and what it may have to be instead; at most four."""
    bases = [Base(session.game)]
    table = session.game.table
    assert table is not None
    if table.phase is Phase.ENDED and sighting.news:
        on = goes_on(session)
        bases += [on] if on is not None else []
    missed = {*sighting.moved, *(one.place for one in sighting.odd)}
    missed |= set(sighting.unseen) if len(sighting.unseen) == 1 else set()
    back = taken_back(session, {played_at(session.game, place) for place in missed}) if missed else None
    bases += [back] if back is not None else []
    for place, (inner, outer) in dict(memory.odd).items():
        if len(bases) < _MOST_BASES and _votes(memory, place, (inner, outer)) > 1:
            fixed = misread(session, place, inner, outer)
            bases += [fixed] if fixed is not None else []
    return bases


def _votes(memory: Following, place: Place, numbers: tuple[int, int]) -> int:
    return memory.odd.count((place, numbers))


def hypotheses(
    session: GameSession,
    memory: Following,
    reading: TableReading,
    sighting: Sighting,
    seen: Evidence,
    most_states: int = MOST_STATES,
) -> list[Hypothesis]:
    """What may have happened that explains the table, likeliest first, without what the table has denied."""
    found: list[Hypothesis] = []
    for base in _bases(session, memory, sighting):
        table = base.game.table
        assert table is not None
        its = sighting if base.change is Change.NONE else sight(table, memory.sides, reading)
        if its.news > MOST_NEW or (table.phase is Phase.ENDED and its.news):
            continue
        against = base.cost + sum(
            _ODD * (_votes(memory, one.place, (one.laid.inner, one.laid.outer)) - 1) for one in its.odd
        )
        gone = dict(memory.gone)
        tiles = {played_at(base.game, place) for place in its.unseen}
        against += sum(_GONE * (looks - 1) for tile, looks in gone.items() if tile in tiles)
        engine = reading.engine.tile if reading.engine is not None and table.engine is None else None
        earlier = memory.glimpses if its.unseen else memory.glimpses[:-1]  # the last one is this look
        mine = (base.change, base.tile, base.right)
        denied = frozenset(claim[len(mine) :] for claim in memory.dismissed if claim[: len(mine)] == mine)
        since = earlier if base.change is Change.NONE else ()
        search = Search(its.rows, seen, engine, since, denied, 2 * MARGIN, most_states=most_states)
        found += [Hypothesis(base, each, against + each.cost) for each in search.explanations(base.game)]
    best = min(found, key=lambda each: each.total, default=None)
    if sighting.news and (best is None or best.total >= _DOUBTFUL):
        found += _otherwise(session, memory, reading, sighting, seen, best)
        found += _not_passed(session, sighting, seen)
    if memory.dismissed:
        found = [each for each in found if not _is_denied(each, memory) and each.total < FAR_FETCHED]
    return sorted(found, key=lambda each: each.total)


def _is_denied(each: Hypothesis, memory: Following) -> bool:
    denied = memory.dismissed
    return each.signature in denied or any(denial(play) in denied for play in each.explanation.plays)


def _otherwise(
    session: GameSession,
    memory: Following,
    reading: TableReading,
    sighting: Sighting,
    seen: Evidence,
    best: Hypothesis | None,
) -> list[Hypothesis]:
    """Where what is new is hard to explain: the last play explained anew, together with it."""
    again = None if sighting.unseen else otherwise(session)
    if again is None:
        return []
    base, recorded = again
    if base.game.table is None:
        return []
    its = sight(base.game.table, memory.sides, reading)
    places = {place for row in its.rows for place in row.places}
    lying = places - {place for row in sighting.rows for place in row.places}
    if len(lying) != 1 or its.news > MOST_NEW:
        return []
    earlier = [replace(glimpse, places=glimpse.places | lying) for glimpse in memory.glimpses[:-1]]
    lawful = best is not None and not best.explanation.violations and best.explanation.left_out is None
    most = best.total - MARGIN if best is not None and lawful else inf
    return [
        Hypothesis(base, each, base.cost + each.cost)
        for each in Search(its.rows, seen, glimpses=earlier).explanations(base.game)
        if each.plays
        and not each.violations
        and _what(each.plays[0]) != _what(recorded)
        and base.cost + each.cost < most
    ]


def _not_passed(session: GameSession, sighting: Sighting, seen: Evidence) -> list[Hypothesis]:
    """The same where the last pass may have been none: what that player has laid."""
    base = not_passed(session)
    if base is None or base.game.table is None:
        return []
    seat = base.game.table.to_act
    return [
        Hypothesis(base, each, base.cost + each.cost)
        for each in Search(sighting.rows, seen).explanations(base.game)
        if each.plays and each.plays[0].seat == seat and not each.violations
    ]


def rivals_of_best(memory: Following, found: Sequence[Hypothesis]) -> list[Hypothesis]:
    """The hypotheses that are about as good as the best, which is the first of them.

    Where nobody's side is known, or something was counted that speaks even against the best one, more are; where the
    engine was laid too, because backs that were never counted before may be too many or too few: by one
    in one photo, and hardly in the next one as well.
    """
    best = found[0]
    known = any(key is not None for key in memory.sides)
    begun = not any(isinstance(event, EngineLaid) for event in best.events)
    plain = known and begun and not best.explanation.against and best.total < CONTRADICTED
    margin = MARGIN if plain else 2 * MARGIN
    if not begun and memory.waits:
        margin = _ONE_BACK

    def reach(each: Hypothesis) -> float:
        if best.explanation.violations or not each.explanation.violations:
            return margin
        broke = (play.seat for play in each.explanation.plays if play.ruling is not None)
        return min(margin, _HAND_SHRUNK if any(map(memory.shrunk, broke)) else _ODDER)

    return [each for each in found if each.total < best.total + reach(each)]


def laid(events: Sequence[Event]) -> tuple[TilePlayed | EngineLaid, ...]:
    """The tiles among these events that were laid."""
    return tuple(event for event in events if isinstance(event, TilePlayed | EngineLaid))


def shared_plays(rivals: Sequence[Hypothesis]) -> int:
    """How many plays all rivals begin with."""
    shared = 0
    for plays in zip(*(laid(each.explanation.events) for each in rivals), strict=False):
        if any(_what(play) != _what(plays[0]) for play in plays):
            break
        shared += 1
    return shared


def _what(play: TilePlayed | EngineLaid) -> tuple[object, ...]:
    return (play.seat, play.tile) if isinstance(play, EngineLaid) else (play.seat, play.tile, play.train, play.ruling)


def common_start(rivals: Sequence[Hypothesis]) -> tuple[Event, ...]:
    """What all rivals begin with, up to a tile that was laid by the rules and read without a change."""
    best = rivals[0]
    if best.base.asks:
        return ()
    if any(each.base.change is not best.base.change or each.base.tile != best.base.tile for each in rivals):
        return ()
    shared = shared_plays(rivals)
    changed = {change.tile for each in rivals for change in each.explanation.changed}
    taken: list[Event] = []
    sure: tuple[Event, ...] = ()
    for event in best.explanation.events:
        if isinstance(event, TilePlayed | EngineLaid):
            if not shared or event.ruling is not None or event.tile in changed:
                break
            shared -= 1
            taken.append(event)
            sure = tuple(taken)
        elif isinstance(event, RoundEnded):
            break
        else:
            taken.append(event)
    if best.explanation.left_out is not None and any(not isinstance(event, TilePlayed) for event in sure):
        return ()  # the tile that is left out may be what the assumed pass was
    return (*best.base.events, *sure) if sure else ()


def is_lost(rivals: Sequence[Hypothesis]) -> bool:
    """Is it unclear which train a chain is, although who laid its first tile is not? What comes next will not tell."""
    shared = shared_plays(rivals)
    first = {(play.seat, play.tile) for each in rivals for play in laid(each.explanation.events)[shared : shared + 1]}
    return len(first) == 1 and len(rivals) > 1


def first_plays(explanation: Explanation, number: int) -> tuple[Event, ...]:
    """The events up to a play; what comes after it is looked at again once it is settled."""
    events: list[Event] = []
    for event in explanation.events:
        if not number and not isinstance(event, RoundEnded):
            break
        events.append(event)
        number -= isinstance(event, TilePlayed | EngineLaid)
    return tuple(events)
