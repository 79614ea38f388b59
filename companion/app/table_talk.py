"""What following a table says, for every front end: notices, the one question with its answers, the inventory."""

from collections.abc import Sequence

from companion.app.inventory import Inventory
from companion.app.table_intake import Alternative, Answer, Ask, Notice, Question
from companion.app.table_words import player_names
from companion.rules.events import EngineLaid, TilePlayed
from companion.rules.moves import CLAUSE_OF
from companion.rules.state import Game
from companion.text import Language, say
from companion.text.describe import player_name, train_name, violation_sentence


def notice_line(notice: Notice, game: Game, lang: Language) -> str:
    """A notice as a sentence."""
    names = player_names(game)
    params = dict(notice.params)
    if "seat" in params:
        params["train"] = train_name(params.pop("seat"), names, lang)
    return say(notice.key, lang, **params)


def question_lines(question: Question, game: Game, lang: Language) -> list[str]:
    """The question, and every clause that was broken with what it says (R-RULING-1)."""
    names = player_names(game)
    words: dict[str, object] = {}
    key = f"follow_ask_{question.ask}"
    if question.ask is Ask.OUT and question.seat is not None:
        words["name"] = player_name(question.seat, names)
    elif question.ask in (Ask.ILLEGAL, Ask.TILE, Ask.TAKEN_BACK):
        if question.tile is None:
            key = "follow_ask_which"
        words["tile"] = question.tile
    lines = [say(key, lang, **words)]
    for violation in question.violations:
        lines.append(f"{violation.clause}: {violation_sentence(violation, names, lang)}")
    return lines


def answer_line(answer: Alternative, game: Game, lang: Language) -> str:
    """One of the answers, in a few words."""
    names = player_names(game)
    match answer.answer:
        case Answer.NO:
            return say("follow_none", lang)
        case Answer.LEFT:
            return say("follow_left", lang, n=answer.count) if answer.count else say("follow_last", lang)
        case Answer.OBSERVED if answer.seat is not None:
            return say("follow_turn", lang, name=player_name(answer.seat, names))
        case Answer.TAKEN_BACK:
            return say("follow_taken", lang)
        case Answer.INSTEAD:
            return say("follow_instead", lang, plays=_told(answer, names, lang))
        case Answer.INSIST:
            plays = _plays(answer.plays, names, lang)
            return say("follow_insists", lang, plays=plays, clauses=_broken(answer.plays))
        case _:
            if answer.tile is not None and not answer.plays:
                return say("follow_is_tile", lang, tile=answer.tile)
            return _told(answer, names, lang)


def play_line(play: TilePlayed | EngineLaid, names: Sequence[str], lang: Language) -> str:
    """A tile that was laid, in a few words."""
    name = player_name(play.seat, names)
    if isinstance(play, EngineLaid):
        return say("follow_engine", lang, name=name, tile=play.tile)
    return say("follow_play", lang, name=name, tile=play.tile, train=train_name(play.train, names, lang))


def _told(answer: Alternative, names: Sequence[str], lang: Language) -> str:
    """What was laid, and who must have passed before: that tells answers apart which are alike otherwise."""
    plays = _plays(answer.plays, names, lang)
    passed = tuple(player_name(seat, names) for seat in answer.passed)
    return say("follow_passed", lang, plays=plays, names=passed) if passed and answer.plays else plays


def _broken(plays: Sequence[TilePlayed | EngineLaid]) -> tuple[str, ...]:
    """The clauses that these plays break, each once."""
    codes = (code for play in plays if play.ruling is not None for code in play.ruling.overruled)
    return tuple(dict.fromkeys(CLAUSE_OF[code] for code in codes))


def _plays(plays: Sequence[TilePlayed | EngineLaid], names: Sequence[str], lang: Language) -> str:
    return ", ".join(play_line(play, names, lang) for play in plays)


def inventory_lines(inventory: Inventory, lang: Language) -> list[str]:
    """What is wrong with the tiles, a line each; or that nothing is."""
    if inventory.is_right:
        return [say("inventory_right", lang, n=inventory.total)]
    lines = []
    if inventory.lost:
        key = "inventory_lost" if len(inventory.lost_among) == inventory.lost else "inventory_lost_among"
        lines.append(say(key, lang, n=inventory.lost, tiles=inventory.lost_among))
    if inventory.too_many:
        lines.append(say("inventory_too_many", lang, n=inventory.too_many))
    if inventory.twice:
        lines.append(say("inventory_twice", lang, tiles=inventory.twice))
    if inventory.found:
        lines.append(say("inventory_found", lang, tiles=inventory.found))
    return lines
