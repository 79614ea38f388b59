"""The one question that a look at the table may leave, with its few answers."""

from collections.abc import Sequence
from dataclasses import replace
from math import inf

from companion.app.following import Following, Signature, denial
from companion.app.session import GameSession
from companion.app.table_hypotheses import Hypothesis, first_plays, laid, shared_plays
from companion.app.table_proposal import Alternative, Answer, Ask, Question
from companion.app.table_repair import Base, Change, counted_anew
from companion.app.table_search import MARGIN, Search
from companion.app.table_sighting import NewRow
from companion.app.table_signs import Evidence
from companion.rules.events import RoundEnded, Ruling, TilePlayed
from companion.rules.fold import apply_all
from companion.rules.moves import Violation, ViolationCode
from companion.rules.state import EndReason

_MOST_WHO, _MOST_WHO_STATES = 12, 1000
"""Answers to who laid a tile, and states that are looked at for them."""
_MOST_LEFT = 4
"""Tiles that may be left to who went out by the log."""
_MOST_ANSWERS = 4
"""Answers besides no; three times as many if they are equally likely, and while nobody's side is known, when the answer
tells all sides."""


def which_question(
    session: GameSession,
    memory: Following,
    photo: str | None,
    rivals: Sequence[Hypothesis],
    found: Sequence[Hypothesis],
) -> Question | None:
    """One question that tells the rivals apart; what is less likely may be answered, too.

    None where nothing can be answered but no.
    """
    best = rivals[0]
    more = [each for each in found if each.total < best.total + 2 * MARGIN and each not in rivals]
    violations = next((each.explanation.violations for each in rivals if each.explanation.violations), ())
    shared = shared_plays([*rivals, *more])
    if len(rivals) + len(more) == 1:
        shared = max(len(laid(best.explanation.events)) - 1, 0)
    against = (k for k, play in enumerate(laid(best.explanation.events)) if play.ruling is not None)
    shared = min(shared, next(against, shared))  # what breaks the rules is asked about, not what came after it
    answers: list[Alternative] = []
    last = best
    for each in (*rivals, *more):
        if len(answers) >= (_MOST_ANSWERS if memory.sides and each.total > last.total else 3 * _MOST_ANSWERS):
            break
        if each.is_nothing or each.explanation.left_out is not None:
            continue
        new = first_plays(each.explanation, shared + 1)
        events = (*each.base.events, *new)
        kind = Answer.INSIST if laid(new) and laid(new)[-1].ruling is not None else Answer.PLAYED
        if each.base.change is Change.OTHERWISE:
            kind = Answer.INSTEAD
        if each.base.change is Change.TAKEN_BACK and not each.explanation.plays:
            kind = Answer.TAKEN_BACK
        differing = laid(new)[0 if kind is Answer.INSTEAD else shared :]
        if kind is Answer.PLAYED and not differing and each.base.right is None:
            continue  # a round that goes on, and nothing was laid: there is nothing to say to the table
        answer = Alternative(kind, session.draft(*events, photo=photo), memory, differing, tile=each.base.right)
        if all(_said(answer) != _said(other) for other in answers):
            answers.append(answer)
            last = each
    if not answers:
        return None
    no = memory.without(*(each.signature for each in (*rivals, *more)), *map(denial, _last_plays(answers)))
    answers.append(Alternative(Answer.NO, session.draft(), no))
    ask = Ask.WHICH
    tile = None
    insisted = next((play.tile for each in answers for play in each.plays if play.ruling is not None), None)
    if violations and insisted is not None:  # else that play is asked about when those before it are known
        ask, tile = Ask.ILLEGAL, insisted
    elif best.explanation.changed:
        ask, tile = Ask.TILE, best.explanation.changed[0].read
    elif best.explanation.left_out is not None:
        ask = Ask.TILE
    elif best.base.change not in (Change.NONE, Change.OTHERWISE) or any(each.is_nothing for each in rivals):
        ask, tile = Ask.TAKEN_BACK, best.base.tile
    return Question(ask, tuple(answers), tile, violations=violations if ask is Ask.ILLEGAL else ())


def _said(answer: Alternative) -> tuple[object, ...]:
    """What an answer says to the table: who laid which tile where, against the rules or after whose pass."""
    plays = tuple((play.seat, play.tile, getattr(play, "train", None)) for play in answer.plays)
    return answer.answer, plays, answer.tile, () if answer.answer is Answer.INSIST else answer.passed


def _last_plays(answers: Sequence[Alternative]) -> list[TilePlayed]:
    """What each answer is about in the end, and no denies."""
    lasts = [answer.plays[-1] for answer in answers if answer.plays]
    return [play for play in lasts if isinstance(play, TilePlayed)]


def who_question(
    session: GameSession, base: Base, memory: Following, photo: str | None, rows: Sequence[NewRow], seen: Evidence
) -> Question | None:
    """What is likely was denied: who laid the tile that was laid first, be it ever so unlikely? `seen` of this look.

    None where even that was denied, or nobody can have laid it.
    """
    places = {row.places[0] for row in rows}
    first = next((glimpse.places & places for glimpse in memory.glimpses if glimpse.places & places), places)
    for row in rows:
        claim: Signature = ("who", row.places[0])
        if row.places[0] not in first or claim in memory.dismissed:
            continue
        search = Search(
            [replace(row, tiles=row.tiles[:1])], seen, margin=inf, anybody=True, most_states=_MOST_WHO_STATES
        )
        answers: dict[object, Alternative] = {}
        violations: tuple[Violation, ...] = ()
        for each in search.everybody(base.game):
            if not each.plays or any(change.forced for change in each.changed):
                continue
            play = each.plays[-1]
            if denial(play) not in memory.dismissed and len(answers) < _MOST_WHO:
                if not answers:
                    violations = each.violations  # of the likeliest
                kind = Answer.PLAYED if play.ruling is None else Answer.INSIST
                answer = Alternative(kind, session.draft(*base.events, *each.events, photo=photo), memory, (play,))
                answers.setdefault(_said(answer), answer)
        if answers:
            no = memory.without(claim, *map(denial, _last_plays(list(answers.values()))))
            ask, tile = (Ask.ILLEGAL, row.tiles[0].reading.tile) if violations else (Ask.WHICH, None)
            all_answers = (*answers.values(), Alternative(Answer.NO, session.draft(), no))
            return Question(ask, all_answers, tile, violations=violations)
    return None


def end_question(
    session: GameSession, memory: Following, photo: str | None, best: Hypothesis, seen: Evidence
) -> Question | None:
    """The log says that somebody went out; it is only sure where draws were seen (R-END-1, R-RULING-2)."""
    last = best.events[-1] if best.events else None
    if not isinstance(last, RoundEnded) or last.reason is not EndReason.OUT or last.went_out is None:
        return None
    seat = last.went_out
    hand = seen.hand(seat)
    if hand == 0 or (hand is None and seen.exact):
        return None
    events = best.events[:-1]
    answers = [Alternative(Answer.LEFT, session.draft(*best.events, photo=photo), memory, count=0)]
    before = apply_all(best.base.game, best.explanation.events[:-2])
    assert before.table is not None
    for left in range(1, _MOST_LEFT + 1):
        seen_anew = counted_anew(before, seat, left + 1, Ruling((ViolationCode.HAND_SIZE,)))
        if not seen_anew:
            break
        again = (*events[:-1], *seen_anew, events[-1])
        answers.append(Alternative(Answer.LEFT, session.draft(*again, photo=photo), memory, count=left))
    no = Alternative(Answer.NO, session.draft(), memory.without(best.signature))
    return Question(Ask.OUT, (*answers, no), seat=seat)
