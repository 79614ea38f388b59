"""From a reading of the table to events: what the difference to the log means, as a proposal.

Nothing here records anything. A proposal is sure (it may be recorded as it is), wants another look, waits for what is
laid next, or asks one question with a few answers. Give the memory that it carries (`following`) with the next reading.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from companion.app.following import Following, Signature
from companion.app.session import Draft, DraftDoubt, GameSession
from companion.app.table_evidence import Counts, Evidence, count, evidence, settled, unsettled
from companion.app.table_match import Sighting, View, sight
from companion.app.table_observed import observed
from companion.app.table_repair import Base, Change, goes_on, misread, played_at, taken_back
from companion.app.table_search import MARGIN, MOST_NEW, Explanation, Search
from companion.rules.events import EngineLaid, Event, HandSeen, RoundEnded, Ruling, TilePlayed
from companion.rules.fold import apply_all
from companion.rules.moves import Violation, ViolationCode
from companion.rules.state import EndReason, Game, Phase
from companion.rules.table import see_hand
from companion.rules.tiles import Tile
from companion.rules.turn import TrainKey
from companion.vision.readings import Doubt, TableReading

_MOST_ANSWERS = 4
"""Answers besides no; twice as many while nobody's side is known, when the answer tells all sides."""
_SAFE = 5.0
"""An explanation that costs more is not believed without a question,"""
_CLEAR = 4.0
"""unless every other one is worse by so much,"""
_CLEAR_TOTAL = 9.0
"""and it does not cost more than this."""
_ODD = 4.0
_GONE = 2.0
"""How fast it gets unlikely, look by look, that a tile was misread or is only hidden."""
_WAITS = 3
"""New tiles that may wait for what is laid next, before the table is asked."""
_MOST_HIDDEN = 4
"""Draws and passes in a row that are believed because they were counted, with no tile laid after them."""
_PATIENCE = 5
"""Looks that must agree before something odd is asked that may pass by itself."""


@dataclass(frozen=True, slots=True)
class Caution:
    """How much is needed before something counts as sure."""

    looks: int = 2
    """Looks that must claim the same. One is right for single photos that a person takes and confirms."""


class Standing(StrEnum):
    """What is to be done with a proposal."""

    SAME = "same"
    """Nothing: the table is as the log says, or nothing can be said."""
    LOOK_AGAIN = "look_again"
    """Something may have happened: read the table once more."""
    SURE = "sure"
    """It may be recorded without asking."""
    WAIT = "wait"
    """Two things may have happened; what is laid next may tell. The question may be answered, too."""
    ASK = "ask"
    """Ask the table."""


class Ask(StrEnum):
    """What the table is asked."""

    WHICH = "which"
    """Which of these happened?"""
    ILLEGAL = "illegal"
    """Was this really laid, against the rules?"""
    TILE = "tile"
    """Which tile is it?"""
    OUT = "out"
    """Was it the last tile of the hand?"""
    OBSERVE = "observe"
    """The order cannot be known: take the table as it lies, and whose turn is it?"""
    TAKEN_BACK = "taken_back"
    """Was this tile taken back?"""


class Answer(StrEnum):
    """What can be answered."""

    PLAYED = "played"
    """These tiles were laid."""
    INSIST = "insist"
    """They were, and the table insists (R-RULING-1)."""
    NO = "no"
    """Nothing of it: the log stays as it is."""
    LEFT = "left"
    """The player has so many tiles left."""
    OBSERVED = "observed"
    """The table is as it is seen, and this seat is to act."""
    TAKEN_BACK = "taken_back"
    """It was."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """One answer to a question: commit `draft`, go on with `following`."""

    answer: Answer
    draft: Draft
    """Without events where nothing is recorded."""
    following: Following
    plays: tuple[TilePlayed | EngineLaid, ...] = ()
    """What it says was laid, where answers differ."""
    count: int | None = None
    """Tiles left in the hand."""
    seat: int | None = None
    """Who is to act."""
    tile: Tile | None = None
    """What a tile that was recorded earlier really is."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question to the table."""

    ask: Ask
    alternatives: tuple[Alternative, ...]
    tile: Tile | None = None
    """What it is about."""
    seat: int | None = None
    violations: tuple[Violation, ...] = ()
    """The clauses that were broken."""


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to show; nothing is to be decided. `table_talk` says it."""

    key: str
    params: dict[str, Any] = field(default_factory=dict)
    """Seats, trains and tiles, to be put into words."""


@dataclass(frozen=True, slots=True)
class TableProposal:
    """What a look at the table means."""

    standing: Standing
    draft: Draft
    """What happened for sure, or most likely; commit it when `standing` is SURE or a person says so."""
    following: Following
    """The memory to go on with, whether or not the draft is recorded."""
    question: Question | None = None
    notices: tuple[Notice, ...] = ()
    suggestion: Draft | None = None
    """A draw or a pass that markers and counts speak for; for a person to accept."""


@dataclass(frozen=True, slots=True, eq=False)
class _Hypothesis:
    base: Base
    explanation: Explanation
    total: float

    @property
    def events(self) -> tuple[Event, ...]:
        return (*self.base.events, *self.explanation.events)

    @property
    def signature(self) -> Signature:
        return (self.base.change, self.base.tile, self.base.right, *self.explanation.signature)

    @property
    def is_nothing(self) -> bool:
        return not self.events and self.explanation.left_out is None


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
        if sighting.view is View.NO_ENGINE:
            self.notices.append(Notice("follow_no_engine"))
        counts = count(self.game, sighting, self.reading, self.memory.sees_markers)
        seen = evidence(counts, self.memory, table)
        self.memory = self._remembering(sighting)
        hypotheses = self._hypotheses(sighting, seen)
        if table.phase is Phase.ENDED and not any(h.base.change is not Change.NONE for h in hypotheses):
            return self._same("follow_round_over") if sighting.news else self._same()
        if sighting.news > MOST_NEW or not hypotheses:
            return self._unexplained(counts)
        best = hypotheses[0]
        if best.is_nothing and len(self._rivals(hypotheses)) == 1:
            return self._nothing_new(best, sighting, counts, seen)
        return self._decided(hypotheses, sighting, counts, seen)

    # what may have happened

    def _remembering(self, sighting: Sighting) -> Following:
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
        return replace(memory, gone=gone, odd=(*kept, *odd.items())[-24:])

    def _bases(self, sighting: Sighting) -> list[Base]:
        """The log as it is, and what it may have to be instead; at most four."""
        bases = [Base(self.game)]
        table = self.game.table
        assert table is not None
        if table.phase is Phase.ENDED and sighting.news:
            on = goes_on(self.session)
            bases += [on] if on is not None else []
        missed = {*sighting.moved, *(one.place for one in sighting.odd)}
        missed |= set(sighting.unseen) if len(sighting.unseen) == 1 else set()
        back = taken_back(self.session, {played_at(self.game, place) for place in missed}) if missed else None
        bases += [back] if back is not None else []
        for place, (inner, outer) in dict(self.memory.odd).items():
            if len(bases) < _MOST_ANSWERS and self._votes(place, (inner, outer)) > 1:
                fixed = misread(self.session, place, inner, outer)
                bases += [fixed] if fixed is not None else []
        return bases

    def _votes(self, place: tuple[TrainKey, int], numbers: tuple[int, int]) -> int:
        return self.memory.odd.count((place, numbers))

    def _hypotheses(self, sighting: Sighting, seen: Evidence) -> list[_Hypothesis]:
        found: list[_Hypothesis] = []
        for base in self._bases(sighting):
            table = base.game.table
            assert table is not None
            its = sighting if base.change is Change.NONE else sight(table, self.memory.sides, self.reading)
            if its.news > MOST_NEW or (table.phase is Phase.ENDED and its.news):
                continue
            against = base.cost + sum(
                _ODD * (self._votes(one.place, (one.laid.inner, one.laid.outer)) - 1) for one in its.odd
            )
            gone = dict(self.memory.gone)
            tiles = {played_at(base.game, place) for place in its.unseen}
            against += sum(_GONE * (looks - 1) for tile, looks in gone.items() if tile in tiles)
            engine = self.reading.engine.tile if self.reading.engine is not None and table.engine is None else None
            search = Search(its.rows, seen, engine)
            found += [_Hypothesis(base, each, against + each.cost) for each in search.explanations(base.game)]
        found = [each for each in found if each.signature not in self.memory.dismissed]
        return sorted(found, key=lambda each: each.total)

    def _rivals(self, hypotheses: Sequence[_Hypothesis]) -> list[_Hypothesis]:
        """The hypotheses that are about as good as the best, which is the first of them."""
        margin = MARGIN if any(key is not None for key in self.memory.sides) else 2 * MARGIN
        return [each for each in hypotheses if each.total < hypotheses[0].total + margin]

    # what to do

    def _same(self, key: str | None = None) -> TableProposal:
        if key is not None:
            self.notices.append(Notice(key))
        return TableProposal(Standing.SAME, self.session.draft(), self.memory, notices=tuple(self.notices))

    def _nothing_new(self, best: _Hypothesis, sighting: Sighting, counts: Counts, seen: Evidence) -> TableProposal:
        table = self.game.table
        assert table is not None
        self._mark_notices(counts, seen)
        tail = self._deep_gone()
        if tail is not None:
            return tail
        if sighting.unseen:
            self.notices.append(Notice("follow_hidden", {"n": len(sighting.unseen)}))
        suggestion = None
        hidden = best.explanation.hidden
        explained = bool(hidden) and best.total < _SAFE and len(hidden) <= _MOST_HIDDEN
        if explained and not sighting.unseen and seen.counted:
            unseen: Signature = ("hidden", hidden)
            self.memory = self.memory.claiming(unseen)
            standing = Standing.SURE if self.memory.agreeing(unseen) > self.caution.looks - 1 else Standing.LOOK_AGAIN
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
        table = self.game.table
        assert table is not None
        answers = [
            Alternative(Answer.OBSERVED, self.session.draft(*events, photo=self.photo), self.memory, seat=seat)
            for seat in table.seats
            if (events := observed(self.game, self.reading, self.memory.sides, counts, to_act=seat))
        ]
        if claim in self.memory.dismissed or not answers:
            return self._same("follow_unclear")
        no = Alternative(Answer.NO, self.session.draft(), self.memory.without(claim))
        return self._asking(Question(Ask.OBSERVE, (*answers, no)))

    def _decided(
        self, hypotheses: Sequence[_Hypothesis], sighting: Sighting, counts: Counts, seen: Evidence
    ) -> TableProposal:
        rivals = self._rivals(hypotheses)
        best = rivals[0]
        claim = best.signature
        self.memory = self.memory.claiming(claim)
        if self.memory.dismissed and sighting.news > 1:
            return self._unexplained(counts)  # what seemed likely was denied: no use in guessing on
        agreeing = self.memory.agreeing(claim)
        if agreeing < self.caution.looks:
            return self._look_again(best)
        out = self._unsure_end(best, seen)
        doubtful = any(change for change in best.explanation.changed)
        clear = all(each.total >= best.total + _CLEAR for each in hypotheses[1:])
        clean = (
            len(rivals) == 1
            and best.total < (_CLEAR_TOTAL if clear else _SAFE)
            and not best.explanation.violations
            and best.explanation.left_out is None
            and not any(change.forced for change in best.explanation.changed)
        )
        if clean and out is None:
            if doubtful and agreeing < self.caution.looks + 1:
                return self._look_again(best)
            standing = Standing.ASK if doubtful else Standing.SURE
            if standing is Standing.ASK:
                return self._asking(self._question(rivals, hypotheses))
            draft = self.session.draft(*best.events, photo=self.photo)
            return TableProposal(standing, draft, self.memory, notices=tuple(self.notices))
        prefix = _common(rivals) if best.total - best.explanation.unsure < _SAFE else ()
        if prefix:
            draft = self.session.draft(*prefix, photo=self.photo)
            return TableProposal(Standing.SURE, draft, self.memory, notices=tuple(self.notices))
        if clean and out is not None:
            return self._asking(out)
        question = self._question(rivals, hypotheses)
        told = bool(sighting.sides) and not _lost(rivals)
        can_wait = question.ask is Ask.WHICH and sighting.news < _WAITS and best.total < _SAFE and told
        return self._asking(question, Standing.WAIT if can_wait else Standing.ASK)

    def _look_again(self, best: _Hypothesis) -> TableProposal:
        doubts = tuple(DraftDoubt(Doubt.CORRECTED, change.tile) for change in best.explanation.changed)
        draft = self.session.draft(*best.events, doubts=doubts, photo=self.photo)
        return TableProposal(Standing.LOOK_AGAIN, draft, self.memory, notices=tuple(self.notices))

    def _question(self, rivals: Sequence[_Hypothesis], hypotheses: Sequence[_Hypothesis]) -> Question:
        """One question that tells the rivals apart; what is less likely may be answered, too."""
        best = rivals[0]
        more = [each for each in hypotheses if each.total < best.total + 2 * MARGIN and each not in rivals]
        violations = next((each.explanation.violations for each in rivals if each.explanation.violations), ())
        shared = _shared_plays([*rivals, *more])
        if len(rivals) + len(more) == 1:
            shared = max(len(_laid(best.explanation.events)) - 1, 0)
        answers: list[Alternative] = []
        for each in (*rivals, *more):
            if each.is_nothing or each.explanation.left_out is not None:
                continue
            events = (*each.base.events, *_first_plays(each.explanation, shared + 1))
            kind = Answer.INSIST if _laid(events) and _laid(events)[-1].ruling is not None else Answer.PLAYED
            if each.base.change is Change.TAKEN_BACK and not each.explanation.plays:
                kind = Answer.TAKEN_BACK
            differing = _laid(events)[shared:]
            if all((kind, differing) != (other.answer, other.plays) for other in answers):
                draft = self.session.draft(*events, photo=self.photo)
                answers.append(Alternative(kind, draft, self.memory, differing, tile=each.base.right))
                if len(answers) == (_MOST_ANSWERS if self.memory.sides else 2 * _MOST_ANSWERS):
                    break
        no = self.memory.without(*(each.signature for each in (*rivals, *more)))
        answers.append(Alternative(Answer.NO, self.session.draft(), no))
        ask = Ask.WHICH
        tile = None
        if violations:
            ask = Ask.ILLEGAL
            tile = next((p.tile for each in rivals for p in each.explanation.plays if p.ruling is not None), None)
        elif best.explanation.changed:
            ask, tile = Ask.TILE, best.explanation.changed[0].read
        elif best.explanation.left_out is not None:
            ask = Ask.TILE
        elif best.base.change is not Change.NONE or any(each.is_nothing for each in rivals):
            ask, tile = Ask.TAKEN_BACK, best.base.tile
        return Question(ask, tuple(answers), tile, violations=violations)

    def _unsure_end(self, best: _Hypothesis, seen: Evidence) -> Question | None:
        """The log says that somebody went out; it is only sure where draws were seen (R-END-1, R-RULING-2)."""
        last = best.events[-1] if best.events else None
        if not isinstance(last, RoundEnded) or last.reason is not EndReason.OUT or last.went_out is None:
            return None
        seat = last.went_out
        hand = seen.hand(seat)
        if hand == 0 or (hand is None and seen.boneyard is not None):
            return None
        events = best.events[:-1]
        answers = [Alternative(Answer.LEFT, self.session.draft(*best.events, photo=self.photo), self.memory, count=0)]
        before = apply_all(best.base.game, best.explanation.events[:-2])
        assert before.table is not None
        for left in range(1, min(5, before.table.boneyard + 1)):
            count_anew = HandSeen(seat, (), left + 1, Ruling((ViolationCode.HAND_SIZE,)))
            again = (*events[:-1], count_anew, events[-1])
            answers.append(
                Alternative(Answer.LEFT, self.session.draft(*again, photo=self.photo), self.memory, count=left)
            )
        return Question(Ask.OUT, tuple(answers), seat=seat)


def _values(reading: TableReading) -> list[Tile]:
    return [laid.reading.tile for chain in reading.chains for laid in chain.tiles]


def _laid(events: Sequence[Event]) -> tuple[TilePlayed | EngineLaid, ...]:
    return tuple(event for event in events if isinstance(event, TilePlayed | EngineLaid))


def _shared_plays(rivals: Sequence[_Hypothesis]) -> int:
    """How many plays all rivals begin with."""
    shared = 0
    for plays in zip(*(_laid(each.explanation.events) for each in rivals), strict=False):
        if any(_what(play) != _what(plays[0]) for play in plays):
            break
        shared += 1
    return shared


def _what(play: TilePlayed | EngineLaid) -> tuple[object, ...]:
    return (play.seat, play.tile) if isinstance(play, EngineLaid) else (play.seat, play.tile, play.train, play.ruling)


def _common(rivals: Sequence[_Hypothesis]) -> tuple[Event, ...]:
    """What all rivals begin with, up to a tile that was laid by the rules and read without a change."""
    best = rivals[0]
    if any(each.base.change is not best.base.change or each.base.tile != best.base.tile for each in rivals):
        return ()
    shared = _shared_plays(rivals)
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


def _lost(rivals: Sequence[_Hypothesis]) -> bool:
    """Is it unclear which train a chain is, although who laid its first tile is not? What comes next will not tell."""
    shared = _shared_plays(rivals)
    first = {(play.seat, play.tile) for each in rivals for play in _laid(each.explanation.events)[shared : shared + 1]}
    return len(first) == 1 and len(rivals) > 1


def _first_plays(explanation: Explanation, number: int) -> tuple[Event, ...]:
    """The events up to a play; what comes after it is looked at again once it is settled."""
    events: list[Event] = []
    for event in explanation.events:
        if not number and not isinstance(event, RoundEnded):
            break
        events.append(event)
        number -= isinstance(event, TilePlayed | EngineLaid)
    return tuple(events)
