"""What the taps on the table's screen do. Nothing here is drawn, and nothing waits for the screen."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from companion.app.live_game import Proposal
from companion.app.place import Place
from companion.app.table_play import (
    propose_deal,
    propose_end,
    propose_followed_round,
    propose_missed_call,
    propose_shown,
    propose_turn,
)
from companion.errors import CompanionError, IllegalMoveError
from companion.rules.moves import Draw, EndTurn, LayEngine, Mark, Move, Pass, Play
from companion.rules.state import EndReason, Game, Phase
from companion.rules.tiles import Tile
from companion.rules.turn import TrainKey
from companion.ui.env import Env
from companion.ui.hooks import Live
from companion.ui.table_model import (
    ANY,
    Doing,
    Mode,
    More,
    allowed,
    fitting,
    may_keep_marker,
    mover,
    objections,
    sees_hand,
)
from companion.ui.widgets.place import explain


@dataclass(frozen=True, slots=True)
class Moves:
    """One visitor's taps."""

    env: Env
    place: Place
    live: Live[Doing]

    def do(self, **changes: object) -> None:
        """Change what the screen is busy with."""
        self.live.change(lambda now: replace(now, **changes))  # type: ignore[arg-type]

    def calm(self, **changes: object) -> None:
        """Nothing is chosen, asked or wrong any more."""
        now = self.live.now()
        self.live.set(replace(Doing(unfolded=now.unfolded, last=now.last), **changes))  # type: ignore[arg-type]

    def note_why(self, text: str) -> None:
        """The reason as it is typed: it stands on the screen already."""
        self.live.note(replace(self.live.now(), why=text))

    # what is tapped

    def seat(self) -> int | None:
        """Who moves."""
        return mover(self.place.game, self.place.role, self.live.now().mover)

    def on_tile(self, tile: Tile) -> None:
        """A tile: laid at once where only one train fits."""
        now, game, seat = self.live.now(), self.place.game, self.seat()
        if seat is None:
            return
        if now.mode is Mode.HAND:
            self.do(hand=now.hand ^ {tile})
        elif now.mode is Mode.DRAWN:
            self.make(Draw(seat, tile))
        elif now.tile == tile:
            self.do(tile=None, problem="")
        elif game.table is not None and game.table.phase is Phase.ENGINE:
            if self.place.role.host:
                self.do(tile=tile)
            else:
                self.make(LayEngine(seat, tile))
        elif now.train != ANY:
            self.make(Play(seat, tile, now.train))  # type: ignore[arg-type]
        else:
            keys = self.fits(seat, tile)
            if len(keys) == 1 and not may_keep_marker(game, seat, keys[0]):
                self.make(Play(seat, tile, keys[0]))
            else:
                self.do(tile=tile, problem="")

    def on_train(self, key: TrainKey, keep_marker: bool = False) -> None:
        """A train: the tile that was tapped goes there, or one for it is looked for."""
        now, seat = self.live.now(), self.seat()
        table = self.place.game.table
        if seat is None or table is None or table.phase is not Phase.PLAYING or now.mode is not Mode.PLAY:
            return
        if now.tile is not None:
            self.make(Play(seat, now.tile, key, keep_marker=keep_marker))
        elif now.train == key:
            self.do(train=ANY, problem="")
        else:
            self.do(train=key, problem=self.why_not(seat, key), every=False, only=None)

    def lay_engine(self, seat: int, tile: Tile) -> None:
        """Somebody lays the engine."""
        self.make(LayEngine(seat, tile))

    def draw(self) -> None:
        """Draw; whose whole hand is known is asked which tile it was."""
        seat, table = self.seat(), self.place.game.table
        if seat is None or table is None:
            return
        sees = sees_hand(self.place.role, self.place.taken_seats, seat)
        if (
            sees
            and table.hands[seat].known
            and not table.hands[seat].unknown
            and Draw in allowed(self.place.game, seat)
        ):
            self.name_drawn()
        else:
            self.make(Draw(seat))

    def draw_hidden(self) -> None:
        """Draw without saying which tile."""
        if (seat := self.seat()) is not None:
            self.make(Draw(seat))

    def name_drawn(self) -> None:
        """The next tile that is tapped was drawn."""
        self.calm(mode=Mode.DRAWN, mover=self.live.now().mover)

    def give_up(self) -> None:
        """Pass."""
        if (seat := self.seat()) is not None:
            self.make(Pass(seat))

    def stop(self) -> None:
        """End the turn."""
        if (seat := self.seat()) is not None:
            self.make(EndTurn(seat))

    def mark(self, on: bool) -> None:
        """The own marker."""
        if (seat := self.seat()) is not None:
            self.make(Mark(seat, on))

    # what becomes of it

    def make(self, move: Move, ruling: str | None = None) -> None:
        """Record a move, or tell what the rules say against it."""
        if self.live.now().last == (move, self.place.seq):
            return  # a second tap on the same thing
        if self._record(lambda: self.place.propose(propose_turn, move, ruling), move):
            self.calm(last=(move, self.place.seq))

    def insist(self, reason: str) -> None:
        """The table says that it is right all the same."""
        now = self.live.now()
        if now.move is None:
            return
        move = now.move
        if isinstance(move, Play) and now.outer is not None:
            move = replace(move, outer=now.outer)
        self.make(move, reason)

    def show_hand(self) -> None:
        """The tiles that were tapped are the hand."""
        now, seat = self.live.now(), self.seat()
        if seat is not None and self._record(
            lambda: self.place.propose(propose_shown, seat, sorted(now.hand), self.env.say("ui_reason_default"))
        ):
            self.calm()

    def missed_call(self, seat: int) -> None:
        """Somebody did not call the last tile."""
        if self._record(lambda: self.place.propose(propose_missed_call, seat)):
            self.calm()

    def end(self, reason: EndReason, out: int | None = None) -> None:
        """The round is over, as the table says."""
        if self._record(lambda: self.place.propose(propose_end, reason, out, self.env.say("ui_reason_default"))):
            self.calm()

    def begin(self) -> None:
        """Follow the round that has begun."""
        if self._record(lambda: self.place.propose(propose_deal, self.live.now().starter)):
            self.calm()

    def begin_next(self) -> None:
        """Begin the next round and follow it."""
        if self._record(lambda: self.place.propose(propose_followed_round, self.live.now().starter)):
            self.calm()

    def undo(self) -> None:
        """Take back what was entered last."""
        self._write(self.place.undo)

    def redo(self) -> None:
        """Bring it back."""
        self._write(self.place.redo)

    def _write(self, write: Callable[[], Game]) -> None:
        try:
            write()
        except CompanionError as error:
            self.calm(problem=explain(self.env, error, self.place.game))
        else:
            self.calm()

    def _record(self, propose: Callable[[], Proposal], move: Move | None = None) -> bool:
        try:
            self.place.commit(propose())
        except IllegalMoveError as error:
            if move is None:
                self.do(problem=explain(self.env, error, self.place.game), more=More.CLOSED)
            else:
                self.do(asked=tuple(error.violations), move=move, outer=None, why="", more=More.CLOSED, problem="")
        except CompanionError as error:
            self.do(problem=explain(self.env, error, self.place.game), more=More.CLOSED, asked=())
        else:
            return True
        return False

    # what the rules say before anything is done

    def fits(self, seat: int, tile: Tile) -> tuple[TrainKey, ...]:
        """The trains on which a tile can be laid."""
        return fitting(self.place.game, seat, (tile,)).get(tile, ())

    def why_not(self, seat: int, key: TrainKey) -> str:
        """Why nothing can be laid on a train now, whatever the tile; empty: it can."""
        found = objections(self.place.game, seat, key)
        names = self.place.game
        return " ".join(
            f"{violation.clause}: {explain(self.env, IllegalMoveError('illegal_move', (violation,)), names)}"
            for violation in found
        )
