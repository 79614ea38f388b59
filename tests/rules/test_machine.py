"""A state machine over all house rules: whatever the table does, the invariants hold and the log tells it all."""

from random import Random

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from companion.errors import IllegalMoveError
from companion.rules import counting, seating
from companion.rules.events import Event, Retracted
from companion.rules.fold import advance, apply_all, decide, replay
from companion.rules.history import actions, redoable
from companion.rules.legality import check, legal_moves, unseen
from companion.rules.moves import Draw, Move
from companion.rules.scoring import sheet, standings
from companion.rules.state import EndReason, Game, LeavingHand, Phase
from companion.rules.table import end_round, miss_call, see_hand
from companion.rules.tiles import Tile
from tests.rules.invariants import all_moves, check_moves, check_state
from tests.rules.random_rules import random_rules

STEPS = 2_000
"""More moves than any round of these small sets can have."""


class Table(RuleBasedStateMachine):
    """A table that plays, insists, takes back, leaves, joins and counts."""

    def __init__(self) -> None:
        super().__init__()
        self.log: list[Event] = []
        self.game = Game()
        self.ruled = False
        self.hidden = False
        self.random = Random(0)

    def record(self, events) -> None:
        self.log += events
        self.game = apply_all(self.game, events)
        self.ruled |= any(getattr(event, "ruling", None) is not None for event in events)

    @property
    def phase(self) -> Phase | None:
        return self.game.table.phase if self.game.table else None

    def running(self) -> bool:
        return self.phase in (Phase.ENGINE, Phase.PLAYING)

    def over(self) -> bool:
        return not self.running() and not self.game.ended

    @initialize(seed=st.integers(0, 2**32), players=st.integers(2, 4), lost=st.integers(0, 2), hidden=st.booleans())
    def sit_down(self, seed, players, lost, hidden) -> None:
        self.random, self.hidden = Random(seed), hidden
        rules = random_rules(self.random, players, lost, sets=(3, 4, 5, 6))
        missing = self.random.sample(rules.tile_set.tiles, lost)
        self.record(seating.start_game(rules, [str(seat) for seat in range(players)], missing_tiles=missing))
        self.next_round()

    def tile(self) -> Tile | None:
        return None if self.hidden else self.random.choice(sorted(unseen(self.game, self.game.table)))

    def drawn(self, move: Move) -> Move:
        return Draw(move.seat, self.tile()) if isinstance(move, Draw) else move

    @precondition(over)
    @rule()
    def next_round(self) -> None:
        if self.phase is Phase.ENDED:
            self.count()
        if self.game.ended or len(self.game.rounds) >= self.game.planned_rounds or len(self.game.order) < 2:
            return
        holder = self.game.rules.starter == "engine_holder"
        due = seating.due_starter(self.game)
        starter = self.random.choice(self.game.order) if due is None and not holder else None
        try:
            self.record(seating.start_round(self.game, starter))
        except IllegalMoveError as error:  # late joiners may make the deal too large
            assert {violation.code for violation in error.violations} <= {"deal_too_large", "unanswered"}  # noqa: PT017
            return
        table = self.game.table
        tiles = sorted(unseen(self.game, table))
        self.random.shuffle(tiles)
        size = self.game.rules.hand_for(len(table.seats))
        hands = {seat: [tiles.pop() for _ in range(size)] for seat in table.seats}
        if self.hidden:
            hands = {seat: hand[: self.random.randint(0, len(hand))] for seat, hand in hands.items() if seat % 2}
        self.record(seating.deal(self.game, hands))

    @precondition(running)
    @rule(choice=st.integers(0, 10**6))
    def move(self, choice) -> None:
        moves = legal_moves(self.game)
        self.record(decide(self.game, self.drawn(moves[choice % len(moves)])))

    @precondition(running)
    @rule(count=st.integers(5, 25))
    def moves(self, count) -> None:
        for _ in range(count):
            if self.running():
                self.record(decide(self.game, self.drawn(self.random.choice(check_moves(self.game)))))
                check_state(self.game, self.ruled)

    @precondition(running)
    @rule(choice=st.integers(0, 10**6))
    def insist(self, choice) -> None:
        moves = list(all_moves(self.game))
        move = moves[choice % len(moves)]
        violations = check(self.game, move)
        if not violations:
            return
        try:
            decide(self.game, move)
        except IllegalMoveError as error:
            assert error.violations == violations  # noqa: PT017
        else:
            raise AssertionError("an illegal move was accepted")
        if any(violation.impossible for violation in violations):
            return
        self.record(decide(self.game, move, "the table says so"))

    @precondition(lambda self: self.log and self.game.rounds)
    @rule(steps=st.integers(1, 3))
    def undo_and_redo(self, steps) -> None:
        before = [self.game]
        for _ in range(min(steps, len(actions(self.log)) - 1)):
            last = actions(self.log)[-1]
            self.log.append(Retracted(last))
            self.game = replay(self.log)
            before.append(self.game)
        for state in reversed(before[:-1]):
            again = redoable(self.log)
            self.log += again
            self.game = apply_all(self.game, again)
            assert self.game == state

    @precondition(lambda self: len(actions(self.log)) > 1)
    @rule()
    def undo(self) -> None:
        self.log.append(Retracted(actions(self.log)[-1]))
        self.game = replay(self.log)

    @precondition(running)
    @rule(choice=st.integers(0, 10**6), hand=st.sampled_from(LeavingHand))
    def leave(self, choice, hand) -> None:
        seats = self.game.table.seats
        if len(seats) > 2:
            self.record(seating.leave(self.game, seats[choice % len(seats)], hand))

    @precondition(lambda self: self.over() and len(self.game.players) < 5)
    @rule()
    def join(self) -> None:
        self.record(seating.join(self.game, f"late {len(self.game.players)}", self.random.choice(self.game.order)))

    @precondition(running)
    @rule(choice=st.integers(0, 10**6))
    def show(self, choice) -> None:
        """Somebody shows tiles that they may well hold."""
        table = self.game.table
        seat = table.seats[choice % len(table.seats)]
        count = min(table.hands[seat].unknown, len(unseen(self.game, table)), choice % 3)
        tiles = self.random.sample(sorted(unseen(self.game, table)), count)
        self.record(see_hand(self.game, seat, tiles))

    @precondition(running)
    @rule()
    def forget_to_call(self) -> None:
        table = self.game.table
        seats = [seat for seat in table.seats if table.hands[seat].count == 1]
        if self.phase is Phase.PLAYING and self.game.rules.last_tile_call and seats and table.boneyard:
            self.record(miss_call(self.game, seats[0], [] if self.hidden else [self.tile()]))

    @precondition(running)
    @rule(late=st.integers(0, 3))
    def call_it_a_round(self, late) -> None:
        if late == 3:
            self.record(end_round(self.game, EndReason.CALLED))

    def count(self) -> None:
        self.record(counting.count_known_hands(self.game))
        for seat in self.game.round.missing:
            self.record(counting.count_hand(self.game, seat, points=1, why="nobody looked"))

    @invariant()
    def sound(self) -> None:
        check_state(self.game, self.ruled)
        if self.game.rounds:
            check_moves(self.game)
        rows = sheet(self.game)
        for standing in standings(self.game):
            points = [row.points[standing.seat] for row in rows]
            opening = self.game.players[standing.seat].opening_points
            assert standing.total == opening + sum(value for value in points if value is not None)

    def teardown(self) -> None:
        assert replay(self.log) == self.game
        for _ in range(STEPS):
            if not self.running():
                break
            move = self.drawn(self.random.choice(legal_moves(self.game)))
            events, self.game = advance(self.game, move)
            self.log += events
        assert not self.running(), "the round does not end"
        assert replay(self.log) == self.game


Table.TestCase.settings = settings(
    max_examples=60, stateful_step_count=40, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
TestTable = Table.TestCase
