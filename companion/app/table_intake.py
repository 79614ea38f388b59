"""From a reading of the table to events: what the difference to the log means, as a proposal.

Nothing here records anything. A proposal is sure (it may be recorded as it is), wants another look, waits for what is
laid next, or asks one question with a few answers. Give the memory that it carries (`following`) with the next reading.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import inf

from companion.app.following import Following, Signature
from companion.app.session import DraftDoubt, GameSession
from companion.app.table_asking import end_question, which_question, who_question
from companion.app.table_counts import Counts, count
from companion.app.table_evidence import begun, evidence, met, settled, unsettled
from companion.app.table_hypotheses import FAR_FETCHED, Hypothesis, common_start, hypotheses, is_lost, rivals_of_best
from companion.app.table_match import sight
from companion.app.table_observed import observed
from companion.app.table_proposal import (
    Alternative,
    Answer,
    Ask,
    Caution,
    Notice,
    Question,
    Standing,
    TableProposal,
)
from companion.app.table_repair import Base, Change, goes_on, played_at
from companion.app.table_search import MOST_NEW, MOST_STATES
from companion.app.table_sighting import Sighting, View
from companion.app.table_signs import Evidence
from companion.rules.events import Event, RoundEnded, TileDrawn, TurnPassed
from companion.rules.fold import apply_all
from companion.rules.state import Game, Phase, TableState
from companion.rules.table import see_hand
from companion.rules.tiles import Tile
from companion.vision.readings import Doubt, TableReading

__all__ = [
    "Alternative",
    "Answer",
    "Ask",
    "Caution",
    "Notice",
    "Question",
    "Standing",
    "TableProposal",
    "propose_table",
]

_SAFE = 4.0
"""An explanation that costs more is not believed without a question,"""
_BELIEVED = ((6.0, 13.0), (4.0, FAR_FETCHED))
"""unless every other one is worse by the first of two numbers, and it costs less than the second."""
_WAITS = 3
"""New tiles that may wait for what is laid next, before the table is asked."""
_PATIENT, _PATIENT_FOR_ENGINE = 2, 1
"""Looks in a row that may leave a question to what is laid next; the second where nobody's turn is known yet."""
_MOST_HIDDEN = 4
"""Draws and passes in a row that are believed with no tile after them, though not all that was counted agrees; where it
does, everybody may have drawn and passed."""
_THOROUGH = 4 * MOST_STATES
"""States that are looked at before it is believed that the log has the hands wrong, or that nothing explains it."""
_PATIENCE = 5
"""Looks that must agree before something odd is asked that may pass by itself."""


def propose_table(
    session: GameSession,
    following: Following,
    reading: TableReading,
    photo: str | None = None,
    caution: Caution | None = None,
) -> TableProposal:
    """What a reading of the table says beyond the log. `photo`: sha256 of the picture."""
    return _Look(session, following, reading, photo, caution or Caution()).proposal()


class _Look:
    def __init__(
        self, session: GameSession, following: Following, reading: TableReading, photo: str | None, caution: Caution
    ) -> None:
        self.session = session
        self.game: Game = session.game
        self.reading = reading
        self.photo = photo
        self.caution = caution
        self.memory = following.for_game(self.game, session.seq)
        if reading.markers:
            self.memory = replace(self.memory, sees_markers=True)
        self.notices: list[Notice] = []

    def proposal(self) -> TableProposal:
        table = self.game.table
        if table is None or table.phase is Phase.DEALING or self.game.ended:
            return self._same("follow_no_round")
        sighting = sight(table, self.memory.sides, self.reading)
        if sighting.view not in (View.TABLE, View.NO_ENGINE):
            return self._same(f"follow_{sighting.view}")
        if not any(train.tiles for train in table.trains) and self._beyond_the_set():
            return self._same("follow_other_set", max_pip=self.game.rules.tile_set.max_pip)
        if sighting.view is View.NO_ENGINE:
            self.notices.append(Notice("follow_no_engine"))
        counts = count(self.game, sighting, self.reading, self.memory)
        seen = evidence(counts, self.memory, table)
        self.memory = begun(self._remembering(sighting, seen), table, counts)
        found = hypotheses(self.session, self.memory, self.reading, sighting, seen)
        if 0 < sighting.news <= MOST_NEW and (not found or (counts.complete and _is_far_fetched(found))):
            found = hypotheses(self.session, self.memory, self.reading, sighting, seen, _THOROUGH)
        if counts.complete and sighting.news and _is_far_fetched(found):
            # The log has the hands wrong: first what was laid, then they are counted anew.
            seen = replace(seen, boneyard=None, hands=())
            self.memory = replace(self.memory, glimpses=())
            found = hypotheses(self.session, self.memory, self.reading, sighting, seen)
        if not found and self.memory.dismissed and 0 < sighting.news <= MOST_NEW:
            return self._denied(sighting, counts, seen)
        if table.phase is Phase.ENDED and not any(h.base.change is not Change.NONE for h in found):
            return self._same("follow_round_over") if sighting.news else self._same()
        if sighting.news > MOST_NEW or not found:
            return self._unexplained(counts)
        best = found[0]
        if best.is_nothing and len(rivals_of_best(self.memory, found)) == 1:
            return self._nothing_new(best, sighting, counts, seen)
        return self._decided(found, sighting, counts, seen)

    def _beyond_the_set(self) -> bool:
        """Are there tiles of a larger set?"""
        engine = self.reading.engine
        if engine is not None and Doubt.NOT_IN_SET in engine.doubts:
            return True
        return sum(Doubt.NOT_IN_SET in tile.doubts for tile in self.reading.laid) > 1

    # what may have happened

    def _remembering(self, sighting: Sighting, seen: Evidence) -> Following:
        """The memory with what this look adds: sides, tiles not seen, tiles read otherwise."""
        memory = self.memory.with_sides(sighting.sides)
        table = self.game.table
        assert table is not None
        gone: tuple[tuple[Tile, int], ...] = ()
        if len(sighting.unseen) == 1:
            place = sighting.unseen[0]
            tile = played_at(self.game, place)
            if tile is not None and place[1] == len(table.train(place[0]).tiles) - 1:
                gone = ((tile, dict(memory.gone).get(tile, 0) + 1),)
        elif sighting.unseen:
            gone = memory.gone  # a hand is over the table: neither more nor less likely than before
        odd = {one.place: (one.laid.inner, one.laid.outer) for one in sighting.odd}
        hidden = set(sighting.unseen)
        kept = tuple((place, numbers) for place, numbers in memory.odd if place in odd or place in hidden)
        if not sighting.unseen:
            memory = memory.noting({place for row in sighting.rows for place in row.places}, seen, table)
        return replace(memory, gone=gone, odd=(*kept, *odd.items())[-24:])

    # what to do

    def _same(self, key: str | None = None, **params: int) -> TableProposal:
        if key is not None:
            self.notices.append(Notice(key, params))
        return TableProposal(Standing.SAME, self.session.draft(), self.memory, notices=tuple(self.notices))

    def _nothing_new(self, best: Hypothesis, sighting: Sighting, counts: Counts, seen: Evidence) -> TableProposal:
        table = self.game.table
        assert table is not None
        self.memory = replace(self.memory, waits=0, hands_last=seen.hands)
        tail = self._deep_gone()
        if tail is not None:
            return tail
        if not sighting.unseen:
            self.memory = met(self.memory, table, counts)
        else:
            self.notices.append(Notice("follow_hidden", {"n": len(sighting.unseen)}))
        suggestion = None
        hidden = best.explanation.hidden
        then = apply_all(self.game, hidden)
        told = not seen.missing().against(then.table or table) and len(hidden) <= 2 * len(table.participants)
        explained = bool(hidden) and (told or (best.total < _SAFE and len(hidden) <= _MOST_HIDDEN))
        if not explained:  # a pass that is about to be recorded explains its marker
            self._mark_notices(counts, seen)
        drew = {event.seat for event in hidden if isinstance(event, TileDrawn)}
        if explained and not sighting.unseen and seen.proves(then, drew):
            unseen: Signature = ("hidden", hidden)
            self.memory = self.memory.claiming(unseen)
            enough = self.memory.in_a_row(unseen) >= self.caution.looks + (not seen.counts(drew))
            standing = Standing.SURE if enough and _is_marked(hidden[-1], table, counts) else Standing.LOOK_AGAIN
            draft = self.session.draft(*hidden, photo=self.photo)
            return TableProposal(standing, draft, self.memory, None, tuple(self.notices))
        if explained and not any(isinstance(event, RoundEnded) for event in hidden):
            suggestion = self.session.draft(*hidden, photo=self.photo)
        claim: Signature = ("counts", counts)
        self.memory = self.memory.claiming(claim)
        if counts.complete and not explained and (recount := self._recounted(counts)):
            standing = Standing.SURE if self.memory.agreeing(claim) > self.caution.looks else Standing.LOOK_AGAIN
            draft = self.session.draft(*recount, photo=self.photo)
            return TableProposal(standing, draft, self.memory, None, tuple(self.notices))
        if not sighting.unseen and not seen.against(table):
            self.memory = settled(self.memory, table, counts)
        elif not sighting.unseen and not explained:
            self.memory = unsettled(self.memory, table, counts)
        return TableProposal(Standing.SAME, self.session.draft(), self.memory, None, tuple(self.notices), suggestion)

    def _recounted(self, counts: Counts) -> tuple[Event, ...]:
        """Hands as they were counted, where every tile of the set is in view and the log has them otherwise."""
        table = self.game.table
        assert table is not None
        if table.phase is not Phase.PLAYING:
            return ()
        game = self.game
        events: tuple[Event, ...] = ()
        # the smaller hands first, so that the boneyard never holds fewer tiles than are taken from it
        for seat, seen in sorted(counts.hands, key=lambda hand: hand[1] - table.hands[hand[0]].count):
            if seen != table.hands[seat].count and seen:
                assert game.table is not None
                if seen - table.hands[seat].count > game.table.boneyard:
                    return ()  # a hand that is gone from view is still in the log
                events += see_hand(game, seat, (), seen, "")
                game = apply_all(self.game, events)
        return events

    def _mark_notices(self, counts: Counts, seen: Evidence) -> None:
        """Say where markers are not as the log has them; nothing is adopted (R-MARK-1, R-MARK-2)."""
        table = self.game.table
        assert table is not None
        for seat, on in seen.markers:
            if table.trains[seat].marker != on:
                self.notices.append(Notice("follow_marker_seen" if on else "follow_marker_missing", {"seat": seat}))
        for seat in sorted(self.memory.marker_odd):
            on = counts.markers is not None and seat in counts.markers
            self.notices.append(Notice("follow_marker_seen" if on else "follow_marker_missing", {"seat": seat}))

    def _deep_gone(self) -> TableProposal | None:
        """Ask about a tile that has not been seen for long, though it was not the last to be laid."""
        for tile, looks in self.memory.gone:
            claim: Signature = ("gone", tile)
            if looks < _PATIENCE or claim in self.memory.dismissed:
                continue
            seen = observed(self.game, self.reading, self.memory.sides, Counts(), without=tile)
            if not seen:
                continue
            yes = Alternative(Answer.TAKEN_BACK, self.session.draft(*seen, photo=self.photo), self.memory)
            no = Alternative(Answer.NO, self.session.draft(), self.memory.without(claim))
            return self._asking(Question(Ask.TAKEN_BACK, (yes, no), tile))
        return None

    def _asking(self, question: Question, standing: Standing = Standing.ASK) -> TableProposal:
        return TableProposal(standing, self.session.draft(), self.memory, question, tuple(self.notices))

    def _unexplained(self, counts: Counts) -> TableProposal:
        """No order of moves explains the table: take it as it lies, if the table says whose turn it is."""
        claim: Signature = ("observe", tuple(sorted(_values(self.reading))))
        self.memory = self.memory.claiming(claim)
        if self.memory.agreeing(claim) < self.caution.looks:
            return TableProposal(Standing.LOOK_AGAIN, self.session.draft(), self.memory, notices=tuple(self.notices))
        base = self._going_on()
        answers = []
        if base is not None and base.game.table is not None:
            for seat in base.game.table.seats:
                if events := observed(base.game, self.reading, self.memory.sides, counts, to_act=seat):
                    draft = self.session.draft(*base.events, *events, photo=self.photo)
                    answers.append(Alternative(Answer.OBSERVED, draft, self.memory, seat=seat))
        if claim in self.memory.dismissed or not answers:
            return self._same("follow_unclear")
        no = Alternative(Answer.NO, self.session.draft(), self.memory.without(claim))
        return self._asking(Question(Ask.OBSERVE, (*answers, no)))

    def _was_denied(self, sighting: Sighting) -> bool:
        """Has the table said no to something about a tile that is new now?"""
        new = {laid.reading.tile for row in sighting.rows for laid in row.tiles}
        return any(claim[0] == "play" and claim[2] in new for claim in self.memory.dismissed)

    def _going_on(self) -> Base | None:
        """The game as it is, or as it is if the round is not over after all; None where it surely is."""
        over = self.game.table is not None and self.game.table.phase is Phase.ENDED
        return goes_on(self.session) if over else Base(self.game)

    def _denied(self, sighting: Sighting, counts: Counts, seen: Evidence) -> TableProposal:
        """What seemed likely was denied: no use in guessing on."""
        base = self._going_on()
        question = None
        if base is not None:
            question = who_question(self.session, base, self.memory, self.photo, sighting.rows, seen)
        if question is not None:
            return self._asking(question)
        return self._unexplained(counts) if sighting.news > 1 else self._same("follow_unclear")

    def _decided(
        self, found: Sequence[Hypothesis], sighting: Sighting, counts: Counts, seen: Evidence
    ) -> TableProposal:
        rivals = rivals_of_best(self.memory, found)
        best = rivals[0]
        claim = best.signature
        self.memory = self.memory.claiming(claim)
        was_denied = self._was_denied(sighting)
        if was_denied and sighting.news > 1:
            return self._denied(sighting, counts, seen)
        agreeing = self.memory.agreeing(claim)
        doubtful = any(change for change in best.explanation.changed)
        ahead = min((each.total for each in found[1:]), default=inf) - best.total
        most = next((limit for margin, limit in _BELIEVED if ahead >= margin and not was_denied), _SAFE)
        turned = seen.boneyard is None and not seen.hands and self._turned(best)
        clean = (
            len(rivals) == 1
            and not best.base.asks
            and best.total < most
            and not best.explanation.violations
            and best.explanation.left_out is None
            and not any(change.forced for change in best.explanation.changed)
            and not _still_held(best, seen)
            and not turned
        )
        was_clear = self.memory.clear == claim or self.caution.looks < 2
        self.memory = replace(self.memory, clear=claim if clean else ())
        if agreeing < self.caution.looks:
            return self._look_again(best)
        out = end_question(self.session, self.memory, self.photo, best, seen)
        if clean and out is None:
            if not was_clear or (doubtful and agreeing < self.caution.looks + 1):
                return self._look_again(best)
            if not doubtful:
                draft = self.session.draft(*best.events, photo=self.photo)
                return TableProposal(Standing.SURE, draft, self.memory, notices=tuple(self.notices))
        prefix = common_start(rivals) if not clean and not turned and best.strange < _SAFE else ()
        if prefix:
            draft = self.session.draft(*prefix, photo=self.photo)
            return TableProposal(Standing.SURE, draft, self.memory, notices=tuple(self.notices))
        if clean and out is not None:
            return self._asking(out)
        question = which_question(self.session, self.memory, self.photo, rivals, found)
        if question is None:
            return self._unexplained(counts)
        told = bool(sighting.sides) and not is_lost(rivals)
        can_wait = question.ask is Ask.WHICH and sighting.news < _WAITS and best.total < _SAFE and told
        patience = _PATIENT_FOR_ENGINE if self.game.table and self.game.table.phase is Phase.ENGINE else _PATIENT
        if can_wait and self.memory.waits < patience:
            self.memory = replace(self.memory, waits=self.memory.waits + 1)
            return self._asking(question, Standing.WAIT)
        return self._asking(question)

    def _turned(self, best: Hypothesis) -> bool:
        """Did an earlier look have another player lay one of these tiles?"""
        seats = {play.tile: play.seat for play in best.explanation.plays}
        plays = [part for claim in self.memory.claims for part in claim if isinstance(part, tuple) and len(part) == 5]
        return any(seats.get(part[1], part[0]) != part[0] for part in plays)

    def _look_again(self, best: Hypothesis) -> TableProposal:
        doubts = tuple(DraftDoubt(Doubt.CORRECTED, change.tile) for change in best.explanation.changed)
        draft = self.session.draft(*best.events, doubts=doubts, photo=self.photo)
        return TableProposal(Standing.LOOK_AGAIN, draft, self.memory, notices=tuple(self.notices))


def _is_far_fetched(found: Sequence[Hypothesis]) -> bool:
    return not found or found[0].strange >= FAR_FETCHED


def _is_marked(last: Event, table: TableState, counts: Counts) -> bool:
    """If the last of what nobody saw is a pass, does this look, too, see the marker that tells it?"""
    if not isinstance(last, TurnPassed) or counts.markers is None:
        return True
    return last.seat in counts.markers or table.trains[last.seat].marker


def _still_held(best: Hypothesis, seen: Evidence) -> bool:
    """Does the hand of somebody who would have played lie there with more tiles than would be left?"""
    table = best.explanation.game.table
    hands = [(table.hands[play.seat].count, seen.hand(play.seat)) for play in best.explanation.plays] if table else []
    return any(held is not None and held > left for left, held in hands)


def _values(reading: TableReading) -> list[Tile]:
    return [tile.tile for tile in reading.laid]
