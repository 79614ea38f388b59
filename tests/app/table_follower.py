"""Somebody who follows simulated games by readings alone, and answers questions truthfully; figures about it."""

import time
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from enum import Enum
from random import Random

from companion.app.following import Following
from companion.app.session import GameSession
from companion.app.simulation import Simulator, as_onlooker
from companion.app.table_intake import (
    Alternative,
    Answer,
    Caution,
    Question,
    Standing,
    TableProposal,
    propose_table,
)
from companion.rules.events import (
    EngineLaid,
    Event,
    RoundEnded,
    RoundStarted,
    TileDrawn,
    TilePlayed,
    TurnPassed,
)
from companion.rules.fold import advance, replay
from companion.rules.history import effective
from companion.rules.legality import check, legal_moves
from companion.rules.moves import Draw, Move, Pass, Play
from companion.rules.state import Phase
from companion.rules.table import end_round
from companion.rules.turn import TrainKey
from companion.vision.readings import TableReading
from tests.app.memory_store import MemoryStore
from tests.app.table_readings import Faults, Painter

LOOKS = 6
"""Most readings of one still table. An answer to a question needs no new one."""
SOON = 2
"""Within so many photos (of one still table each) the log should be right again."""


class After(Enum):
    """What a look leaves to do."""

    NOTHING = 0
    MORE = 1
    """Something was recorded; what was seen may say more."""
    AGAIN = 2
    """One more reading is wanted."""


def plays(events: Sequence[Event]) -> list[TilePlayed | EngineLaid]:
    """The tiles laid in the last round of these effective events."""
    start = max((k for k, event in enumerate(events) if isinstance(event, RoundStarted)), default=0)
    return [event for event in events[start:] if isinstance(event, TilePlayed | EngineLaid)]


def what(play: TilePlayed | EngineLaid) -> tuple[object, ...]:
    if isinstance(play, EngineLaid):
        return play.seat, play.tile
    return play.seat, play.tile, play.train, play.outer


@dataclass
class Trouble:
    """What happens at the table, by chance for each move."""

    illegal: float = 0.0
    taken_back: float = 0.0
    skipped: float = 0.0
    """No photo between this move and the next."""
    covered: float = 0.0
    """A hand lies over a train in the first photo."""
    turned: float = 0.0
    """The camera is pushed or turned."""


@dataclass
class Follower:
    """Follows one game."""

    simulator: Simulator
    faults: Faults = field(default_factory=Faults)
    trouble: Trouble = field(default_factory=Trouble)
    caution: Caution = field(default_factory=lambda: Caution(1))
    figures: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0
    keeps: bool = False
    """Is one reading looked at until it says no more, as a photo is? Otherwise every look is a reading of its own."""
    verbose: bool = False

    def __post_init__(self) -> None:
        self.random = Random(self.simulator.random.random())
        self.following = Following()
        self.session: GameSession | None = None
        self.waiting: Question | None = None
        """What need not be answered yet."""
        self.unnamed: Counter[tuple[object, ...]] = Counter()
        """Plays against the rules that no question has named so far."""
        self.unseen: set[tuple[object, ...]] = set()
        """Plays against the rules of which no photo was taken before the next move: it may have hidden them."""
        self.behind = 0
        """So many photos ago the log was right."""
        self.disturbed = False
        """Has anything gone wrong at the table or in the readings since then?"""

    def play(self, rounds: int) -> "Follower":
        """Follow so many rounds."""
        from companion.rules import counting, seating

        sim = self.simulator
        sim.record(seating.start_game(sim.rules, sim.names, missing_tiles=sim.missing_tiles))
        self.session = GameSession.create(MemoryStore(), as_onlooker(sim.events))
        for _ in range(rounds):
            if sim.game.ended:
                break
            before = len(sim.events)
            sim.start_round()
            self._commit(as_onlooker(sim.events[before:]))
            self.sit_down()
            self._round()
            self._close()
            before = len(sim.events)
            sim.record(counting.count_known_hands(sim.game))
            self._commit(sim.events[before:])
        return self

    def _commit(self, events: Sequence[Event]) -> None:
        assert self.session is not None
        self.session.commit(self.session.draft(*events))

    # the table, which others may draw

    def sit_down(self) -> None:
        """A round begins."""
        if not hasattr(self, "painter"):
            self.painter = Painter(self.random, self.simulator.game.order, self.faults)

    def push(self) -> None:
        """The camera is moved."""
        self.painter.turn += self.random.choice((self.random.uniform(-0.2, 0.2), self.random.uniform(-3, 3)))
        self.painter.shift = (self.random.uniform(-200, 200), self.random.uniform(-200, 200))

    def reading(self, hidden: Collection[TrainKey]) -> TableReading:
        """What is seen of the table now; a hand lies over the trains in `hidden`."""
        self.disturbed |= self.faults.misread > 0  # which halves were misread is not told
        return self.painter.reading(self.simulator.game.table, hidden)

    def _round(self) -> None:
        sim, random, trouble = self.simulator, self.random, self.trouble
        self.look()
        while (now := sim.game.table) is not None and now.phase in (Phase.ENGINE, Phase.PLAYING):
            before, events = sim.game, len(sim.events)
            self._move()
            laid = isinstance(sim.events[events], TilePlayed)
            if random.random() < trouble.turned:
                self.push()
            if random.random() < trouble.skipped and sim.game.table.phase is not Phase.ENDED:
                self.disturbed = True
                new = (event for event in sim.events[events:] if isinstance(event, TilePlayed))
                self.unseen.update(what(event) for event in new if event.ruling is not None)
                continue
            self.look()
            if laid and random.random() < trouble.taken_back and len(sim.events) == events + 1:
                self.figures["taken back"] += 1
                self.disturbed = True
                sim.events, sim.game = sim.events[:events], before
                self.look()

    def _move(self) -> None:
        sim = self.simulator
        illegal = self._illegal() if self.random.random() < self.trouble.illegal else None
        if illegal is not None:
            self.figures["illegal"] += 1
            self.disturbed = True
            events, sim.game = advance(sim.game, illegal, "house")
            sim.events += events
            self.unnamed.update(what(event) for event in events if isinstance(event, TilePlayed))
            return
        seat = sim.game.table.to_act
        move = sim.choose(seat, legal_moves(sim.game))
        if isinstance(move, Draw):
            move = Draw(move.seat, sim.boneyard.pop())
        events, sim.game = advance(sim.game, move)
        sim.events += events
        self.figures["moves"] += 1

    def _illegal(self) -> Move | None:
        """A tile that is laid against the rules: on a closed train, where it does not fit, or out of turn."""
        game, table, random = self.simulator.game, self.simulator.game.table, self.random
        if table.phase is not Phase.PLAYING:
            return None
        found = []
        for seat in (table.to_act, random.choice(table.seats)):
            for tile in table.hands[seat].known:
                for key in (*table.participants, None):
                    move = Play(seat, tile, key)
                    broken = check(game, move)
                    if broken and not any(violation.impossible for violation in broken) and self._shows(move):
                        mismatch = any(violation.code == "does_not_match" for violation in broken)
                        found.append((mismatch, len(broken), random.random(), move))
        if not found:
            return None
        fits = [each for each in found if not each[0]]
        return min(fits)[3] if fits and random.random() < 0.7 else random.choice(found)[3]

    def _shows(self, move: Play) -> bool:
        """Does this look otherwise than the same tile laid by the rules, to who counts all that lies in view?

        It does not where others may have laid it, or passed, and their hands stand: then nobody at the camera can know.
        """
        game = replay(as_onlooker(self.simulator.events))
        for _ in range(len(self.simulator.names)):
            table = game.table
            if table is None or table.to_act is None:
                break
            seat = table.to_act
            if not check(game, Play(seat, move.tile, move.train)):
                return seat != move.seat and (self.counted(seat) or self.counted(move.seat))
            if check(game, Pass(seat)) or not table.trains[seat].marker:  # a marker would be put on
                break
            game = advance(game, Pass(seat))[1]
        return True

    def counted(self, seat: int) -> bool:
        """Can the tiles of this hand be counted?"""
        return self.faults.hands

    # looking

    def look(self) -> None:
        table = self.simulator.game.table
        hidden: tuple[int | None, ...] = ()
        if self.random.random() < self.trouble.covered:
            hidden = (self.random.choice([train.owner for train in table.trains]),)
            self.disturbed = True
        after, looks = After.AGAIN, 0
        while after is not After.NOTHING:
            if after is After.AGAIN or not self.keeps:
                if looks == LOOKS:
                    break
                reading = self.reading(() if looks else hidden)
                looks += 1
            after = self.see(reading)
        self._measure()

    def _measure(self) -> None:
        """For how many photos in a row has the log not been what was laid?"""
        assert self.session is not None
        mine = [what(play) for play in plays(effective(self.session.events))]
        if Counter(mine) != Counter(self._true_plays()):
            self.behind += 1
            self.figures["late"] += self.behind == SOON + 1
            self.figures["late after a fault"] += self.disturbed and self.behind == SOON + 1
            return
        self.figures["behind"] += self.behind > 0
        self.behind, self.disturbed = 0, False

    def see(self, reading: TableReading) -> After:
        """One reading."""
        assert self.session is not None
        start = time.process_time()
        proposal = propose_table(self.session, self.following, reading, caution=self.caution)
        took = time.process_time() - start
        self.slowest = max(self.slowest, took)
        self.figures["looks"] += 1
        self.figures["us"] += int(took * 1e6)
        self.figures["over 50 ms"] += took > 0.05
        self.following = proposal.following
        self.waiting = proposal.question if proposal.standing is Standing.WAIT else None
        if proposal.standing is Standing.SURE:
            self._wrong(proposal)
            self._commit(proposal.draft.events)
            return After.MORE
        if proposal.standing is Standing.ASK:
            assert proposal.question is not None
            self.figures["questions"] += 1
            self.figures[f"ask {proposal.question.ask}"] += 1
            self._answer(proposal.question)
            return After.MORE
        if proposal.standing is Standing.WAIT:
            self.figures["waits"] += 1
        hidden = bool(self.following.gone) or any(notice.key == "follow_hidden" for notice in proposal.notices)
        again = proposal.standing is Standing.LOOK_AGAIN or (self.trouble.covered > 0 and hidden)
        return After.AGAIN if again else After.NOTHING

    def _true_plays(self) -> list[tuple[object, ...]]:
        return [what(play) for play in plays(effective(self.simulator.events))]

    def _wrong(self, proposal: TableProposal) -> None:
        true = self._true_plays()
        for event in proposal.draft.events:
            if isinstance(event, TilePlayed | EngineLaid) and what(event) not in true:
                self.figures["wrong accepted"] += 1
                if self.verbose:
                    print("WRONG", event, "truth", self.simulator.events[-3:])

    def _answer(self, question: Question) -> None:
        assert self.session is not None
        true = self._true_plays()
        against = {what(play) for play in plays(effective(self.simulator.events)) if play.ruling is not None}

        def worth(answer: Alternative) -> tuple[int, ...]:
            events = effective((*self.session.events, *answer.draft.events))
            mine = [what(play) for play in plays(events)]
            good = mine == true[: len(mine)]
            game = replay(events)
            hands = sum(
                abs(hand.count - other.count)
                for hand, other in zip(game.table.hands, self.simulator.game.table.hands, strict=True)
            )
            same = [train.tiles for train in game.table.trains] == [
                train.tiles for train in self.simulator.game.table.trains
            ]
            told = 1 if not answer.plays else 2 * all(what(play) in true for play in answer.plays)
            # where the same play is offered by the rules, after passes, and against them, the table knows who passed
            ruled = all((play.ruling is not None) == (what(play) in against) for play in answer.plays)
            return told, same and good, good, ruled, same, len(mine) if good else -len(mine), -hands

        best = max(question.alternatives, key=worth)
        for play in best.plays:
            if best.answer is Answer.INSIST and self.unnamed[what(play)]:  # this answer says which clause it breaks
                self.unnamed[what(play)] -= 1
                self.figures["named"] += 1
        if self.verbose:
            print(
                "ASK",
                question.ask,
                [v.code for v in question.violations],
                "->",
                best.answer,
                [
                    (a.answer, [(p.seat, str(p.tile), getattr(p, "train", "engine")) for p in a.plays], a.count)
                    for a in question.alternatives
                ],
            )
        self.following = best.following
        if best.draft.events:
            self._commit(best.draft.events)

    def _close(self) -> None:
        """The round is over: answer what waits, compare, and let the table end it where the log has not noticed."""
        assert self.session is not None
        for _ in range(LOOKS):
            if self.waiting is None:
                break
            self.figures["questions"] += 1
            self.figures["ask at the end"] += 1
            self._answer(self.waiting)
            self.look()
        self.figures["illegal unseen"] += sum(self.unnamed[play] > 0 for play in self.unseen)
        mine = effective(self.session.events)
        true = effective(self.simulator.events)
        got = Counter(what(play) for play in plays(mine))
        want = Counter(what(play) for play in plays(true))
        self.figures["plays"] += sum(want.values())
        self.figures["recovered"] += sum((got & want).values())
        self.figures["extra"] += sum((got - want).values())
        self.figures["rounds"] += 1
        self.figures["perfect rounds"] += [what(p) for p in plays(mine)] == [what(p) for p in plays(true)]
        for kind in (TileDrawn, TurnPassed):
            got, want = (Counter(e.seat for e in _round(events) if isinstance(e, kind)) for events in (mine, true))
            self.figures[f"true {kind.__name__}"] += sum(want.values())
            self.figures[f"same {kind.__name__}"] += sum((got & want).values())
            self.figures[f"extra {kind.__name__}"] += sum((got - want).values())
        if self.session.game.round.ended is None:
            last = next(event for event in reversed(true) if isinstance(event, RoundEnded))
            self._commit(end_round(self.session.game, last.reason, last.went_out, "over"))


def _round(events: Sequence[Event]) -> Sequence[Event]:
    start = max(k for k, event in enumerate(events) if isinstance(event, RoundStarted))
    return events[start:]
