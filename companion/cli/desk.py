"""What the commands about games share: where the games lie, which game, which player, what was recorded."""

import contextlib
import json
import sys
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from companion.app.session import Draft, GameSession
from companion.app.table_words import player_names
from companion.cli.codes import FAILED
from companion.cli.localized import Option, current_language
from companion.cli.terminal import harmless, print_error
from companion.errors import IllegalMoveError, UsageError
from companion.rules.moves import Violation, ViolationCode
from companion.rules.state import Game
from companion.rules.words import one_line
from companion.storage.photo_store import PhotoStore
from companion.storage.places import DATA_VARIABLE, Places, default_folder
from companion.storage.records import CODEC, HOST, Source
from companion.storage.sqlite_store import SqliteStore
from companion.text import Language, say
from companion.text.describe import violation_sentence
from companion.text.narrate import event_sentence

LAST = "last"
"""Instead of a code: the game that was changed last."""


def data_option() -> Option:
    """`--data`: another data folder."""
    return Option(["--data"], type=click.Path(path_type=Path), envvar=DATA_VARIABLE, metavar="FOLDER", help="help_data")


def json_option() -> Option:
    """`--json`."""
    return Option(["as_json", "--json"], is_flag=True, help="help_json")


def ruling_option() -> Option:
    """`--ruling`: why the table insists; without a reason nobody does."""

    def reason(_context: click.Context, _option: click.Parameter, why: str | None) -> str | None:
        return (why or "").strip() or None

    return Option(["--ruling"], metavar="REASON", help="help_ruling", callback=reason)


def who_option() -> Option:
    """`--as`: enter something as one of the players."""
    return Option(["who", "--as"], metavar="PLAYER", help="help_as")


def game_argument() -> click.Argument:
    """The code of a game."""
    return click.Argument(["code"], metavar="GAME")


def player_argument() -> click.Argument:
    """A player's name or number."""
    return click.Argument(["player"], metavar="PLAYER")


@dataclass
class Voice:
    """How a command answers: sentences for people, or JSON."""

    lang: Language
    as_json: bool

    def say(self, key: str, **params: Any) -> None:
        """Print a sentence, unless JSON was asked for."""
        self.print(say(key, self.lang, **params))

    def print(self, text: str) -> None:
        """Print text for people, unless JSON was asked for."""
        if not self.as_json:
            click.echo(harmless(text))

    def data(self, data: dict[str, Any]) -> None:
        """Print an object, if JSON was asked for: in ASCII, so that it survives every encoding."""
        if self.as_json:
            click.echo(json.dumps(data, allow_nan=False))


@dataclass
class Desk(Voice):
    """The games of one data folder."""

    store: SqliteStore
    photos: PhotoStore

    def session(self, code: str) -> GameSession:
        """A game by its code, the beginning of its code, or `last`. Raises UsageError."""
        wanted = code.strip().upper()
        entries = self.store.games()
        if wanted == LAST.upper():
            if not entries:
                raise UsageError("games_none")
            newest = max(entries, key=lambda entry: CODEC.record(entry.last, entry.last_seq).at)
            return GameSession(self.store, newest.game_id)
        found = [entry.game_id for entry in entries if wanted and entry.game_id.startswith(wanted)]
        if wanted in found or len(found) == 1:
            return GameSession(self.store, wanted if wanted in found else found[0])
        if found:
            raise UsageError("game_ambiguous", game=code, games=tuple(found))
        if self.store.deleted_at(wanted) is not None:
            raise UsageError("game_deleted", game=wanted)
        raise UsageError("game_unknown", game=code)

    def commit(self, session: GameSession, draft: Draft, source: Source) -> Game:
        """Record a draft and tell what was recorded."""
        before = session.seq
        session.commit(draft, source)
        return self.tell(session, before)

    def tell(self, session: GameSession, before: int) -> Game:
        """Tell what was recorded after line `before`."""
        for event in session.events[before:]:
            self.print(event_sentence(event, player_names(session.game), self.lang, session.events))
        self.data(
            {
                "game": session.game_id,
                "seq": session.seq,
                "recorded": [json.loads(line) for line in self.store.read(session.game_id, after=before)],
            }
        )
        return session.game


@contextlib.contextmanager
def desk(data: Path | None, as_json: bool) -> Iterator[Desk]:
    """Open the data folder for one command. A move that is against the rules is explained, and the command fails."""
    places = Places(data or default_folder())
    lang = current_language()
    store = SqliteStore(places.log)
    try:
        yield Desk(lang, as_json, store, PhotoStore(places.photos))
    finally:
        store.close()


@contextlib.contextmanager
def explaining(at: Voice, names: Sequence[str], hint: str, more: Callable[[], Sequence[str]] = tuple) -> Iterator[None]:
    """Explain what the rules do not allow: every violation with its clause, then `more`, then how to insist.

    `hint` is the key of the sentence that says how to insist, for what the table may overrule.
    """
    try:
        yield
    except IllegalMoveError as error:
        explain(at, error.violations, names, hint, more)
        raise click.exceptions.Exit(FAILED) from error


def explain(
    at: Voice,
    violations: Sequence[Violation],
    names: Sequence[str],
    hint: str,
    more: Callable[[], Sequence[str]] = tuple,
) -> None:
    """Say what is wrong, on stderr; as JSON on stdout too."""
    told = [(violation, violation_sentence(violation, names, at.lang)) for violation in violations]
    at.data(
        {
            "violations": [
                {"code": v.code, "clause": v.clause, "sentence": sentence, "impossible": v.impossible}
                for v, sentence in told
            ]
        }
    )
    width = max((len(violation.clause) for violation in violations), default=0)
    lines = [say("illegal_move", at.lang), *(f"  {v.clause:{width}}  {sentence}" for v, sentence in told), *more()]
    for violation in violations:
        options = violation.params.get("options")
        if violation.code is ViolationCode.UNANSWERED and isinstance(options, tuple):
            lines.append(say("hint_agree", at.lang, changes=" ".join(f"--change {name}=…" for name in options)))
    if violations and not any(violation.impossible for violation in violations):
        lines.append(say(hint, at.lang))
    print_error("\n".join(lines))


def ask(question: str, lang: Language) -> bool | None:
    """Ask a yes-or-no question, on stderr so that JSON stays clean; None where nobody can answer."""
    if not sys.stdin.isatty():
        return None
    click.echo(f"{question} [{say('yes_no', lang)}] ", nl=False, err=True)
    return sys.stdin.readline().strip().casefold() in say("yes_words", lang).split()


def seat_of(game: Game, word: str) -> int:
    """A seat by the player's name, the beginning of it (accents may be left out), or the number (from 1).

    Raises UsageError.
    """
    names = [name.casefold() for name in player_names(game)]
    wanted = one_line(word).casefold()
    if wanted in names:
        return names.index(wanted)
    if wanted.isdecimal() and len(wanted) < 4 and 1 <= int(wanted) <= len(names):
        return int(wanted) - 1
    plain = [_without_accents(name) for name in names]
    for whole, sought in ((names, wanted), (plain, _without_accents(wanted))):
        found = [seat for seat, name in enumerate(whole) if name == sought]
        found = found or [seat for seat, name in enumerate(whole) if sought and name.startswith(sought)]
        if len(found) == 1:
            return found[0]
    raise UsageError("player_unknown", player=word, players=player_names(game))


def _without_accents(name: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))


def source_of(game: Game, who: str | None) -> Source:
    """Who enters something: a player, or the host."""
    return HOST if who is None else Source(seat_of(game, who))
