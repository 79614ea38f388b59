"""What of the counts can be believed of moves that nobody sees: draws and passes."""

from collections.abc import Collection
from dataclasses import replace
from math import log

from companion.app.following import Following, Tally
from companion.app.table_counts import LAST_TILES, ODD_TILES, Counts
from companion.app.table_signs import Evidence
from companion.rules.state import Phase, TableState

_FEW_SEEN, _FEW_MISSED = 4.6, 0.4
"""So many markers, seen and not seen, are believed of a table before any was."""
_MOST_DRAWN = 8
"""If more tiles than this seem to have left the boneyard since the last look, or joined it, that was something else."""


def evidence(counts: Counts, following: Following, table: TableState) -> Evidence:
    """What of the counts can be trusted, by how they agreed with the log so far."""
    markers: tuple[tuple[int, bool], ...] = ()
    total = None
    if counts.markers is not None and table.phase is not Phase.ENGINE:  # before the engine lies nobody has passed
        again = following.marker_last & (_on(table) ^ counts.markers)  # seen otherwise than the log says once more
        unsure = following.marker_odd | counts.markers_blind | again
        markers = tuple((seat, seat in counts.markers) for seat in table.participants if seat not in unsure)
        if counts.markers_blind and not following.marker_odd:
            total = counts.marker_total
    missed = _missed(*following.markers_met)
    off = following.boneyard is not None and following.boneyard.proven and following.boneyard.offset
    if counts.complete or (counts.balanced and not off):  # what is always off by one is not right all at once
        return Evidence(markers, total, missed, counts.boneyard, counts.hands)
    boneyard = None
    if following.boneyard is not None and following.boneyard.trusted and counts.boneyard is not None:
        boneyard = counts.boneyard - following.boneyard.offset
        if not 0 <= table.boneyard - boneyard <= _MOST_DRAWN:  # it does not grow: a hand lies beside it, or is missed
            boneyard = None
    elif following.boneyard is None and table.phase is Phase.ENGINE and counts.boneyard is not None:
        boneyard = min(counts.boneyard, table.boneyard)  # the first look: whoever had no engine has drawn
    seen = dict(counts.hands)
    hands = []
    tallies = following.hands
    if not tallies and all(seen.get(seat) == table.hands[seat].count for seat in table.participants):
        tallies = tuple((seat, Tally(0, 2)) for seat, _ in counts.hands)  # the first look of a round: all hands lie
    for seat, tally in tallies:
        if (
            tally.steady > 1
            and tally.trusted
            and (seat in seen or (counts.hands and table.hands[seat].count <= LAST_TILES))
        ):
            held = max(0, seen.get(seat, 0) - tally.offset)  # no back is left where one or two were
            if abs(held - table.hands[seat].count) <= ODD_TILES:  # else a part of a hand, or something else
                hands.append((seat, held))
    told = following.boneyard if boneyard is not None else None
    proven = told is not None and (told.proven or not (told.offset or told.shaken))
    exact = told is not None and told.proven and not told.offset
    return Evidence(markers, total, missed, boneyard, tuple(hands), proven, exact)


def _missed(seen: int, missed: int) -> float:
    """What it costs that a marker is on and was not seen, by how often that was so at this table."""
    return -log((_FEW_MISSED + missed) / (_FEW_SEEN + _FEW_MISSED + seen + missed))


def settled(following: Following, table: TableState, counts: Counts) -> Following:
    """The memory after a look that agreed with the log."""
    following = _markers_noted(following, table, counts)
    boneyard = following.boneyard
    offset = None if counts.boneyard is None else counts.boneyard - table.boneyard
    if (
        offset is not None
        and abs(offset) <= _MOST_DRAWN
        and not (boneyard is not None and boneyard.proven and offset > boneyard.offset)
    ):
        boneyard = _tally(boneyard, offset, following.seq)  # it does not grow: that was a tile that stands
    before = dict(following.hands)
    hands = {
        seat: _tally(before.get(seat), seen - table.hands[seat].count, following.seq) for seat, seen in counts.hands
    }
    tallies = tuple(sorted({**before, **hands}.items()))
    certain = [seat for seat, seen in counts.hands if seen == table.hands[seat].count > LAST_TILES]
    anchor = tuple(replace(glimpse, places=frozenset()) for glimpse in following.glimpses[-1:])
    return _placed(replace(following, boneyard=boneyard, hands=tallies, glimpses=anchor), counts, certain)


def begun(following: Following, table: TableState, counts: Counts) -> Following:
    """The memory after a look before the engine is recorded: where hands lie that agree with the boneyard."""
    if table.phase is not Phase.ENGINE or not counts.balanced:
        return following
    return _placed(following, counts, [seat for seat, seen in counts.hands if seen > LAST_TILES])


def _placed(following: Following, counts: Counts, seats: Collection[int]) -> Following:
    """The memory with where the hands of these seats lie."""
    places = {seat: place for seat, place in counts.places if seat in seats}
    return replace(following, hand_places=tuple(sorted({**dict(following.hand_places), **places}.items())))


def unsettled(following: Following, table: TableState, counts: Counts) -> Following:
    """The memory after a look in which nothing was new but something was counted that nothing explains.

    What is counted so twice in a row is how the table is seen from here.
    """
    hands = tuple((seat, seen - table.hands[seat].count) for seat, seen in counts.hands)
    odd = (None if counts.boneyard is None else counts.boneyard - table.boneyard, hands)
    if odd == following.counts_last:
        return replace(settled(following, table, counts), counts_last=odd)
    return replace(_markers_noted(following, table, counts), counts_last=odd)


def met(following: Following, table: TableState, counts: Counts) -> Following:
    """The memory after any look in which no tile was new: how many of the markers that are on were seen."""
    if counts.markers is None:
        return following
    on = _on(table)
    seen, missed = following.markers_met
    missing = on - counts.markers - counts.markers_blind
    return replace(following, markers_met=(seen + len(on & counts.markers), missed + len(missing)))


def _markers_noted(following: Following, table: TableState, counts: Counts) -> Following:
    """The memory after a look in which nothing was new: whose marker is not as the log says."""
    if counts.markers is None:
        return following
    odd = (_on(table) ^ counts.markers) - counts.markers_blind
    last, before = following.marker_last, following.marker_odd
    kept = counts.markers_blind  # of these this look tells nothing
    return replace(following, marker_last=odd | (last & kept), marker_odd=(odd & (last | before)) | (before & kept))


def _on(table: TableState) -> frozenset[int]:
    """The seats whose marker is on by the log."""
    return frozenset(seat for seat in table.participants if table.trains[seat].marker)


def _tally(before: Tally | None, offset: int, seq: int) -> Tally:
    return Tally(offset, 1, seq) if before is None else before.again(offset, seq)
