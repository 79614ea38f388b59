"""`companion watch`: follow a round through a webcam or a video, and record what is laid."""

import json
import queue
import signal
import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from math import pi
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.app.following import Following
from companion.app.session import GameSession
from companion.app.table_play import can_be_followed, is_followed
from companion.app.table_sides import turned
from companion.app.table_talk import answer_line, notice_line, question_lines
from companion.app.table_words import player_names
from companion.cli.codes import FAILED
from companion.cli.desk import LAST, Desk, data_option, desk, json_option, seat_of
from companion.cli.localized import Command, Option
from companion.cli.parameters import whole_number
from companion.cli.terminal import on_one_line, print_error
from companion.errors import CompanionError, UsageError
from companion.rules.state import Game
from companion.rules.turn import TrainKey
from companion.text import error_sentence
from companion.text.narrate import event_sentence

if TYPE_CHECKING:  # vision brings numpy and the networks along
    from companion.app.watching import Asked, Happening, TableWatcher, Watcher


Typed = queue.SimpleQueue[str | None]
"""Lines that were typed; None: there will be no more."""


def load_reader() -> "TableWatcher":
    """The reader with the weights of this installation. Raises ModelMissingError, ModelMismatchError."""
    from companion.vision.reader import Reader

    return Reader.load()


def sides(game: Game, words: Sequence[str]) -> Following:
    """Where players sit, from words such as `Anna=9`: at nine o'clock in the picture. Raises UsageError."""
    hours: dict[int, int] = {}
    names = player_names(game)
    for word in words:
        name, equals, hour = word.rpartition("=")
        number = whole_number(hour)
        if not equals or number is None or not 1 <= number <= 12:
            raise UsageError("watch_side_syntax", text=word)
        seat = seat_of(game, name)
        if seat in hours:
            raise UsageError("watch_side_twice", name=names[seat])
        if game.table is not None and seat not in game.table.participants:
            raise UsageError("watch_side_absent", name=names[seat])
        if number in hours.values():
            other = next(other for other, taken in hours.items() if taken == number)
            raise UsageError("watch_side_shared", names=(names[other], names[seat]))
        hours[seat] = number
    order = [seat for seat in (game.table.participants if game.table is not None else sorted(hours)) if seat in hours]
    rounds = sum((hours[after] - hours[seat]) % 12 for seat, after in pairwise([*order, *order[:1]]))
    if rounds > 12:  # by turns, people sit clockwise (R-TURN-1)
        raise UsageError("watch_side_order", names=tuple(names[seat] for seat in order))
    places: dict[TrainKey, float] = {seat: turned(0.0, (hour - 3) * pi / 6) for seat, hour in hours.items()}
    return Following(len(game.rounds)).with_sides(places)


def _need_round(session: GameSession, waits: bool) -> None:
    """Is there a round to follow, or may there be one while a webcam waits? Raises UsageError."""
    game = session.game
    if game.ended:
        raise UsageError("watch_game_over")
    if is_followed(game) or waits:
        return
    current = game.round
    if current is not None and current.ended is None and not can_be_followed(game):
        raise UsageError("watch_scored_round", number=current.number, game=session.game_id)
    raise UsageError("watch_not_followed", game=session.game_id)


def run(source: str, code: str, side: tuple[str, ...], data: Path | None, as_json: bool) -> int:
    """Follow the round until the video ends or somebody presses Ctrl-C; returns the exit code."""
    from companion.app.watching import Watcher
    from companion.vision.frames import Webcam, open_frames

    with desk(data, as_json) as at:
        session = at.session(code)
        following = sides(session.game, side)
        with open_frames(source) as frames, ended_by_term():
            _need_round(session, waits=isinstance(frames, Webcam))
            watch = _Watch(at, session, Watcher(session, load_reader(), following))
            at.say("watch_begins", game=session.game_id, source=on_one_line(source))
            typed = _typed_lines()
            failed = False
            try:
                for frame in frames:
                    watch.tell(watch.watcher.see(frame))
                    watch.take_answers(typed)
                watch.take_last_answers(typed)
            except KeyboardInterrupt:
                at.print("")
            except CompanionError as error:  # what was recorded is told all the same
                print_error(error_sentence(error, at.lang))
                failed = True
        at.say("watch_end", n=watch.recorded, game=session.game_id)
        at.data({"happening": "end", "recorded": watch.recorded, "game": session.game_id})
        return FAILED if failed else 0


class _Watch:
    """Tells what happens."""

    def __init__(self, at: Desk, session: GameSession, watcher: "Watcher") -> None:
        self._at, self._session, self.watcher = at, session, watcher
        self._answered = _can_answer()
        self.recorded = 0
        """Entries that are this watcher's own."""

    def tell(self, happenings: Iterable["Happening"]) -> None:
        """Print each as a line, or as an object."""
        from companion.app.watching import Asked, LookTaken, Said, Told, Withdrawn

        at, game = self._at, self._session.game
        names = player_names(game)
        for each in happenings:
            match each:
                case Told(time_s=time_s, events=events, base=base):
                    self.recorded += len(events)
                    told = [event_sentence(event, names, at.lang, self._session.events) for event in events]
                    for line in told:
                        at.print(line)
                    lines = at.store.read(self._session.game_id, after=base)[: len(events)]
                    recorded = [json.loads(line) for line in lines]
                    self._data("recorded", time_s, sentences=told, recorded=recorded)
                case Asked():
                    self._ask(each)
                case Withdrawn(time_s=time_s):
                    at.say("watch_withdrawn")
                    self._data("withdrawn", time_s)
                case Said(time_s=time_s, notice=notice):
                    line = notice_line(notice, game, at.lang)
                    at.print(line)
                    self._data("notice", time_s, key=notice.key, sentence=line)
                case LookTaken(time_s=time_s):
                    self._data("read", time_s, seconds=round(each.seconds, 3), boxes=each.boxes, whole=each.whole)
        sys.stdout.flush()

    def _ask(self, asked: "Asked") -> None:
        at, game, question = self._at, self._session.game, asked.question
        lines = question_lines(question, game, at.lang)
        answers = [answer_line(answer, game, at.lang) for answer in question.alternatives]
        for line in lines:
            at.print(line)
        for number, answer in enumerate(answers, start=1):
            at.print(f"  {number}: {answer}")
        if self._answered:
            at.say("watch_answer_first" if self.watcher.waits_for_sides else "watch_how_to_answer")
        self._data("question", asked.time_s, ask=question.ask, sentences=lines, answers=answers)

    def take_answers(self, typed: Typed) -> None:
        """What was typed meanwhile."""
        while not typed.empty():
            line = typed.get()
            if line is None:
                typed.put(None)
                return
            if line.strip():
                self._answer(line)

    def take_last_answers(self, typed: Typed) -> None:
        """The video has ended: what is still asked can be answered, and an empty line leaves it open."""
        while self.watcher.question is not None:
            if not self._answered:
                self._at.say("watch_still_open")
                return
            self._at.say("watch_last_answer")
            held_up = self.watcher.waits_for_sides
            line = typed.get()
            if line is None or not line.strip():
                return
            self._answer(line)
            if held_up and not self.watcher.waits_for_sides:
                self._at.say("watch_answered_late")

    def _answer(self, line: str) -> None:
        word = line.strip()
        try:
            self.tell(self.watcher.answer(whole_number(word) or 0))
        except CompanionError as error:
            if error.key != "watch_no_answer":
                raise
            self._at.say("watch_no_answer", number=on_one_line(word))

    def _data(self, happening: str, time_s: float, **data: Any) -> None:
        self._at.data({"happening": happening, "time_s": round(time_s, 3)} | data)


@contextmanager
def ended_by_term() -> Iterator[None]:
    """A service that is told to stop ends as with Ctrl-C."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _can_answer() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


def _typed_lines() -> Typed:
    """What is typed into a terminal, line by line; a thread of its own waits for it, on every system."""
    typed: Typed = queue.SimpleQueue()

    def read() -> None:
        for line in sys.stdin:
            typed.put(line)
        typed.put(None)

    if _can_answer():
        threading.Thread(target=read, name="answers", daemon=True).start()
    return typed


command = Command(
    "watch",
    callback=run,
    params=[
        click.Argument(["source"], metavar="CAMERA|VIDEO"),
        Option(["code", "--game"], default=LAST, metavar="GAME", help="help_watch_game"),
        Option(["--side"], multiple=True, metavar="PLAYER=HOUR", help="help_watch_side"),
        data_option(),
        json_option(),
    ],
)
