"""Which moves, in turn order, explain the tiles that are new on the table: a bounded search, cheapest first.

Moves that nobody sees (draws, passes, the end of a long train) are assumed where they are needed; each costs, so the
explanation with the fewest wins, and what markers and face-down tiles contradict costs more. At most `MOST_STATES`
states are looked at, each with at most one move a row of new tiles, train and reading, besides a draw, a pass and a
stop: the work is bounded by that number, whatever lies on the table.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from itertools import count
from typing import TypeVar

from companion.app.following import Signature
from companion.app.table_guesses import Changed, Guess, guesses
from companion.app.table_sighting import NewRow
from companion.app.table_signs import Evidence, Glimpse, NewPlace, Sign
from companion.rules.events import EngineLaid, Event, TileDrawn, TilePlayed
from companion.rules.fold import advance
from companion.rules.house_rules import MarkerOff
from companion.rules.legality import check
from companion.rules.moves import Draw, EndTurn, LayEngine, Move, Pass, Play, Violation
from companion.rules.state import Game, Phase, TableState
from companion.rules.tiles import Tile
from companion.rules.turn import TrainKey, tail

T = TypeVar("T")

MOST_STATES = 500
"""States that one search looks at."""
_MOVES_A_STATE = 4
"""Plays that one search tries, for every state it may look at."""
MOST_FOUND = 12
"""Explanations that are told apart."""
MOST_NEW = 16
"""More new tiles than this are not explained move by move."""
MARGIN = 2.0
"""By so much the best explanation must be better than any other to be believed without a question."""

_DRAW, _PASS, _STOP, _ENGINE = 0.9, 0.9, 0.1, 0.5
"""Both together are less than `MARGIN`: where no marker and no boneyard tell, a player may have passed unseen."""
_VISITING = 0.3
"""Cost of a tile on somebody else's train: what lies on the own train of who is to act, that player laid."""
_COUNTED_DRAW, _COUNTED_PASS = 0.25, 0.5
"""What draws and passes cost where the boneyard is counted: then a wrong one costs enough."""
_ENGINE_DRAW = 0.02
"""The same while all draw in turn until somebody has the engine (R-ENG-2): of those there are many."""
_OVERLOOKED = 3.0
"""Cost of an engine that was in a hand while others still drew for it (R-ENG-2)."""
_LOOSE = 0.5
_LATE = 5.0
"""Cost of a tile that would have been laid before another one, though it was seen later,"""
_UNSEEN_STATE = 3.0
"""and the most that it costs if markers and counts were never as they were seen in an earlier look."""
_ILLEGAL = 6.0
_LEFT_OUT = 7.5
"""Cost of tiles that are left unexplained."""
CONTRADICTED = 3.0
"""An explanation by the rules that costs so much, as one count does that speaks against it, is compared with those that
break them."""
_WORST = 20.0


@dataclass(frozen=True, slots=True, eq=False)
class Explanation:
    """Moves that explain what is new."""

    events: tuple[Event, ...]
    """From the state of the log to what is seen: up to the last tile that was laid."""
    game: Game
    """After them."""
    cost: float
    """How much had to be assumed, and what speaks against it."""
    changed: tuple[Changed, ...] = ()
    violations: tuple[Violation, ...] = ()
    """Of the one play that breaks the rules; empty: none does."""
    left_out: int | None = None
    """The row of new tiles that is not explained."""
    starts: tuple[tuple[int, TrainKey], ...] = ()
    """Which train each new chain turned out to be: row, train."""
    hidden: tuple[Event, ...] = ()
    """Moves after the last tile that what was counted speaks for."""
    against: float = 0.0
    """The part of the cost that markers and counts of this look cause, which are otherwise even so."""

    @property
    def plays(self) -> tuple[TilePlayed, ...]:
        """The tiles that were laid."""
        return tuple(event for event in self.events if isinstance(event, TilePlayed))

    @property
    def unsure(self) -> float:
        """The part of the cost that is about one broken rule, one tile left out, one that was read otherwise."""
        illegal = _ILLEGAL + 0.5 * (len(self.violations) - 1) if self.violations else 0.0
        return illegal + _LEFT_OUT * (self.left_out is not None) + sum(change.cost for change in self.changed)

    @property
    def signature(self) -> Signature:
        """What must be the same for two explanations to be one."""
        laid = (event.seat for event in self.events if isinstance(event, EngineLaid))
        plays = ((play.seat, play.tile, play.train, play.outer, play.ruling is None) for play in self.plays)
        return (*laid, *plays, self.left_out)


@dataclass(frozen=True, slots=True, eq=False)
class _State:
    game: Game
    cost: float
    done: tuple[int, ...]
    """Explained tiles by row."""
    keys: tuple[TrainKey | str, ...]
    """Train by row; _OPEN: not decided."""
    events: tuple[Event, ...] = ()
    hidden: tuple[Event, ...] = ()
    before_hidden: Game | None = None
    changed: tuple[Changed, ...] = ()
    violations: tuple[Violation, ...] = ()
    left_out: int | None = None
    glimpsed: int = 0
    """So many glimpses were what the table looked like on the way."""
    told: frozenset[Sign] = frozenset()
    """Contradictions that are paid for: a tile that is missed is missed in look after look."""


_OPEN = "?"


@dataclass(slots=True)
class Search:
    """One search for explanations."""

    rows: Sequence[NewRow]
    evidence: Evidence
    engine: Tile | None = None
    """The engine that is seen, where the log has none yet."""
    glimpses: Sequence[Glimpse] = ()
    """What earlier looks saw, in their order: the moves must lead past all of it."""
    denied: frozenset[Signature] = frozenset()
    """Explanations that the table said no to."""
    margin: float = MARGIN
    """Explanations that cost so much more than the best one are not looked for."""
    anybody: bool = False
    """May anybody have played out of turn?"""
    most_states: int = MOST_STATES
    states: int = field(default=0, init=False)
    """States looked at."""
    moves: int = field(default=0, init=False)
    """Plays tried."""

    def _draw(self, table: TableState) -> float:
        if self.evidence.boneyard is None:
            return _DRAW
        return _ENGINE_DRAW if table.phase is Phase.ENGINE else _COUNTED_DRAW

    @property
    def _pass(self) -> float:
        return _PASS if self.evidence.boneyard is None else _COUNTED_PASS

    def explanations(self, game: Game) -> list[Explanation]:
        """The best explanations that differ in who laid which tile where, cheapest first."""
        found = self._run(game, legal=True)
        if self.denied or not found or found[0].cost >= CONTRADICTED:
            found = _merged([*found, *self._run(game, legal=False)])
        return found[:MOST_FOUND]

    def everybody(self, game: Game) -> list[Explanation]:
        """Explanations of all kinds, cheapest first; the same play by the rules and not are two."""
        return _merged([*self._run(game, legal=True), *self._run(game, legal=False)])

    def _run(self, game: Game, legal: bool) -> list[Explanation]:
        ties = count()
        first = _State(
            game, 0.0, (0,) * len(self.rows), tuple(r.keys[0][0] if len(r.keys) == 1 else _OPEN for r in self.rows)
        )
        first = self._past(first)
        heap = [(self._ahead(first), next(ties), first)]
        seen: set[object] = set()
        best: dict[Signature, Explanation] = {}
        bound = _WORST
        left = self.most_states if legal else self.most_states // 3  # there anybody may have laid anything
        most = self.moves + _MOVES_A_STATE * left
        while heap and left and self.moves < most:
            least, _, state = heappop(heap)
            if least > bound:
                break
            name = _name(state)
            if name in seen:
                continue
            seen.add(name)
            left -= 1
            self.states += 1
            if self._complete(state):
                found = self._finished(state)
                old = best.get(found.signature)
                if found.signature not in self.denied and (old is None or found.cost < old.cost):
                    best[found.signature] = found
                    bound = min(bound, found.cost + self.margin)
            for child in map(self._past, self._children(state, legal)):
                if (least := child.cost + self._ahead(child)) <= bound:
                    heappush(heap, (least, next(ties), child))
        return sorted(best.values(), key=lambda each: each.cost)

    def _ahead(self, state: _State) -> float:
        """The least that is still to come: moves that the signs ask for, and what can never be met now."""
        table, seen = state.game.table, self.evidence
        assert table is not None
        drawn = 0 if seen.boneyard is None else max(0, table.boneyard - seen.boneyard)
        passed = sum(on and not table.trains[seat].marker for seat, on in seen.markers)
        cost = drawn * self._draw(table) + passed * self._pass
        past = False
        if state.glimpsed < len(self.glimpses):
            laid = self._laid(state)
            for glimpse in self.glimpses[state.glimpsed :]:
                over = glimpse.seen.overdrawn(table) > 0
                cost += _LATE * (not laid <= glimpse.places) + _UNSEEN_STATE * over
                past = past or over
        return cost if past else cost + seen.overdrawn(table, state.told)  # a glimpse may have paid for both

    def _complete(self, state: _State) -> bool:
        table = state.game.table
        if self.engine is not None and table is not None and table.engine is None:
            return False
        if state.glimpsed < len(self.glimpses):
            return False
        return all(
            done == len(row.tiles) or index == state.left_out
            for index, (done, row) in enumerate(zip(state.done, self.rows, strict=True))
        )

    def _finished(self, state: _State) -> Explanation:
        table = state.game.table
        assert table is not None
        against = self.evidence.against(table, state.told)
        starts = tuple(
            (index, key)
            for index, (key, row) in enumerate(zip(state.keys, self.rows, strict=True))
            if len(row.keys) > 1 and not isinstance(key, str)
        )
        return Explanation(
            state.events,
            state.before_hidden or state.game,
            state.cost + against,
            state.changed,
            state.violations,
            state.left_out,
            starts,
            state.hidden,
            against,
        )

    def _past(self, state: _State) -> _State:
        """The state after all glimpses that show the table as it is here."""
        while state.glimpsed < len(self.glimpses) and not self._unlike(state)[0]:
            state = replace(state, glimpsed=state.glimpsed + 1)
        return state

    def _unlike(self, state: _State) -> tuple[float, frozenset[Sign]]:
        """What it costs to say that the next glimpse was a look at this state, and what is paid for with it."""
        glimpse, table = self.glimpses[state.glimpsed], state.game.table
        assert table is not None
        wanted = glimpse.places & self._explained((len(row.tiles) for row in self.rows), state.left_out)
        late = _LATE * (wanted != self._laid(state))
        new = [(sign, cost) for sign, cost in glimpse.seen.contradictions(table) if sign not in state.told]
        against = sum(cost for _, cost in new)
        if against > _UNSEEN_STATE:
            return late + _UNSEEN_STATE, state.told
        return late + against, state.told.union(sign for sign, _ in new)

    def _laid(self, state: _State) -> frozenset[NewPlace]:
        """Where new tiles are explained."""
        return self._explained(state.done, None)

    def _explained(self, done: Iterable[int], left_out: int | None) -> frozenset[NewPlace]:
        rows = enumerate(zip(self.rows, done, strict=True))
        return frozenset(place for index, (row, n) in rows if index != left_out for place in row.places[:n])

    def _children(self, state: _State, legal: bool) -> Iterator[_State]:
        if state.glimpsed < len(self.glimpses):
            cost, told = self._unlike(state)
            yield replace(state, cost=state.cost + cost, glimpsed=state.glimpsed + 1, told=told)
        game, table = state.game, state.game.table
        if table is None or table.to_act is None:
            return
        if table.phase is Phase.ENGINE:
            if self.engine is not None:
                drew = next((e.seat for e in reversed(state.hidden) if isinstance(e, TileDrawn)), None)
                for seat in table.seats:
                    overlooked = 0.0 if drew in (None, seat) else _OVERLOOKED
                    yield from self._moved(state, LayEngine(seat, self.engine), _ENGINE + overlooked)
            yield from self._hid(state, Draw(table.to_act), self._draw(table))
            return
        if table.phase is not Phase.PLAYING:
            return
        for index, row in enumerate(self.rows):
            if state.done[index] < len(row.tiles) and index != state.left_out:
                yield from self._plays(state, table, index, row, legal)
        if not (state.violations and not any(state.done)):
            yield from self._hid(state, Draw(table.to_act), self._draw(table))
            yield from self._hid(state, Pass(table.to_act), self._pass)
            yield from self._hid(state, EndTurn(table.to_act), _STOP)
        if not legal and state.left_out is None:
            for index, done in enumerate(state.done):
                if not done:
                    yield replace(state, cost=state.cost + _LEFT_OUT, left_out=index, game=game)

    def _plays(self, state: _State, table: TableState, index: int, row: NewRow, legal: bool) -> Iterator[_State]:
        assert table.to_act is not None
        key = state.keys[index]
        options = row.keys if isinstance(key, str) else ((key, 0.0),)
        done = state.done[index]
        following = row.tiles[done + 1] if done + 1 < len(row.tiles) else None
        for train, against in options:
            if isinstance(key, str) and train in state.keys:
                continue
            pips = tail(table, train)
            against += _LOOSE * row.loose
            for guess in guesses(row.tiles[done], pips, following, table.on_table):
                yield from self._play(state, index, train, guess, against, table.to_act, legal)
                if not legal and not state.violations:
                    for seat in self._others(table, train):
                        yield from self._play(state, index, train, guess, against, seat, legal)

    def _others(self, table: TableState, train: TrainKey) -> Iterator[int]:
        """Seats that may have played out of turn: the train's owner, whose hand has shrunk, or all."""
        for seat in table.seats:
            seen = self.evidence.hand(seat)
            shrunk = seen is None or seen < table.hands[seat].count
            if seat != table.to_act and (seat == train or shrunk or self.anybody):
                yield seat

    def _play(
        self, state: _State, index: int, train: TrainKey, guess: Guess, against: float, seat: int, legal: bool
    ) -> Iterator[_State]:
        table = state.game.table
        assert table is not None
        keep = dict(self.evidence.markers).get(seat, False) and state.game.rules.marker_off is MarkerOff.OWNER_CHOICE
        move = Play(seat, guess.tile, train, guess.outer, keep and train == seat and table.trains[seat].marker)
        violations = check(state.game, move)
        if violations and (legal or state.violations or any(violation.impossible for violation in violations)):
            return
        cost = against + guess.cost + _VISITING * (train is not None and train != seat)
        cost += _ILLEGAL + 0.5 * (len(violations) - 1) if violations else 0.0
        self.moves += 1
        events, after = advance(state.game, move, "" if violations else None)
        yield replace(
            state,
            game=after,
            cost=state.cost + cost,
            done=_put(state.done, index, state.done[index] + 1),
            keys=_put(state.keys, index, train),
            events=(*state.events, *state.hidden, *events),
            hidden=(),
            before_hidden=None,
            changed=state.changed if guess.changed is None else (*state.changed, guess.changed),
            violations=violations or state.violations,
        )

    def _moved(self, state: _State, move: Move, cost: float) -> Iterator[_State]:
        if not check(state.game, move):
            events, after = advance(state.game, move)
            yield replace(
                state,
                game=after,
                cost=state.cost + cost,
                events=(*state.events, *state.hidden, *events),
                hidden=(),
                before_hidden=None,
            )

    def _hid(self, state: _State, move: Move, cost: float) -> Iterator[_State]:
        if not check(state.game, move):
            events, after = advance(state.game, move)
            yield replace(
                state,
                game=after,
                cost=state.cost + cost,
                hidden=(*state.hidden, *events),
                before_hidden=state.before_hidden or state.game,
            )


def _put(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    return (*values[:index], value, *values[index + 1 :])


def _name(state: _State) -> object:
    """What two states must share for the dearer one to be useless."""
    table = state.game.table
    assert table is not None
    plays = tuple((e.seat, e.tile, e.train) for e in state.events if isinstance(e, TilePlayed))
    return (
        plays,
        state.keys,
        state.left_out,
        state.glimpsed,
        table.to_act,
        table.phase,
        table.follow_up,
        table.drew_this_turn,
        table.holds_drawn,
        table.boneyard,
        tuple(hand.count for hand in table.hands),
        tuple(train.marker for train in table.trains),
    )


def _merged(found: Sequence[Explanation]) -> list[Explanation]:
    best: dict[Signature, Explanation] = {}
    for each in sorted(found, key=lambda each: each.cost):
        best.setdefault(each.signature, each)
    return list(best.values())
