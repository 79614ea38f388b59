"""What the table decides before a tile is laid: who plays by which rules, who starts, the deal.

Every function checks and returns the events that record the decision; it raises IllegalMoveError with
all violations. Where a `ruling` is taken, the table may insist (R-RULING-1).
"""

from collections.abc import Iterable, Mapping, Sequence

from companion.errors import UsageError
from companion.rules import events as ev
from companion.rules.fold import overrule, refuse
from companion.rules.house_rules import (
    MAX_PLAYERS,
    MIN_PLAYERS,
    EngineSource,
    HouseRules,
    LateJoiner,
    Preset,
    Starter,
    largest_hand,
)
from companion.rules.legality import due_engine, misnamed
from companion.rules.moves import Violation
from companion.rules.moves import ViolationCode as Code
from companion.rules.scoring import round_winners, score_for, total
from companion.rules.state import Game, LeavingHand, Phase
from companion.rules.tiles import Tile
from companion.rules.words import one_line

LONGEST_NAME = 60
"""Letters of a name; a longer one would leave no room for a sheet."""


def start_game(
    rules: HouseRules, names: Sequence[str], preset: Preset = Preset.CUSTOM, missing_tiles: Iterable[Tile] = ()
) -> tuple[ev.Event, ...]:
    """Players sit down (R-SET-3, R-SET-4). Raises UsageError for a name that is empty, taken or too long."""
    players = tuple(_name(name, [one_line(other) for other in names[:seat]]) for seat, name in enumerate(names))
    lost = tuple(sorted(missing_tiles))
    violations = _seats(len(players)) + misnamed(rules, frozenset(), frozenset(), lost)
    if not violations:
        violations = _deal_size(rules, len(rules.tile_set) - len(lost), len(players))
    overrule(violations, None)
    return (ev.GameStarted(rules, players, preset, lost),)


def agree(game: Game, rules: HouseRules) -> tuple[ev.Event, ...]:
    """The table answers what is open, or changes its rules, before round one (M15).

    Later it can agree on another hand size only, where late joiners leave none that fits (R-DEAL-1, R-DEAL-2).
    """
    if game.round is not None and not (game.round.finished and _lacks_hand(game, rules)):
        refuse(Violation.of(Code.RULES_FIXED))
    lost = sorted(game.missing_tiles)
    violations = misnamed(rules, frozenset(), frozenset(), lost)
    overrule(violations or _deal_size(rules, len(rules.tile_set) - len(lost), len(game.order)), None)
    return (ev.HouseRulesAgreed(rules),)


def join(game: Game, name: str, after: int | None = None) -> tuple[ev.Event, ...]:
    """A late joiner sits down to the left of `after` (None: last) and plays from the next round on."""
    name = _name(name, [player.name for player in game.players])
    violations = _seats(len(game.order) + 1)
    if game.ended:
        violations.append(Violation.of(Code.NOT_NOW))
    if after is not None and after not in game.order:
        violations.append(Violation.of(Code.NOT_AT_TABLE, seat=after))
    overrule(violations, None)
    points = 0
    if game.rounds and game.rules.late_joiner is LateJoiner.HIGHEST:
        points = max(total(game, player.seat) for player in game.players)
    return (ev.PlayerJoined(len(game.players), name, game.order[-1] if after is None else after, points),)


def leave(
    game: Game, seat: int, hand: LeavingHand | None = None, ranked: bool = True, points: int | None = None
) -> tuple[ev.Event, ...]:
    """A player leaves (R-PLAYER-1); during a round `hand` says what becomes of the hand (None: the boneyard).

    A hand that is counted costs what its tiles cost; where they are not all known, `points` says it, or
    it stays missing on the sheet.
    """
    if seat not in game.order:
        refuse(Violation.of(Code.NOT_AT_TABLE, seat=seat))
    current = game.round
    if current is None or current.ended is not None or seat not in current.table.seats:
        return (ev.PlayerLeft(seat, ranked),)
    held = current.table.hands[seat]
    if hand is None or current.table.phase is Phase.ENGINE:
        hand = LeavingHand.TO_BONEYARD  # the engine may be in that hand, and nobody has played yet
    happened: list[ev.Event] = [ev.PlayerLeft(seat, ranked, hand)]
    if hand is LeavingHand.COUNTED:
        tiles = None if held.unknown or not held.count else tuple(sorted(held.known))
        if points is None and tiles is not None:
            points = score_for(game, current, seat, tiles)
        if points is not None:
            happened.append(ev.HandCounted(current.number, seat, points, tiles))
    return tuple(happened)


def start_round(
    game: Game, starter: int | None = None, engine: Tile | None = None, ruling: str | None = None
) -> tuple[ev.Event, ...]:
    """The next round begins (R-ENG-1, R-ENG-2, R-START-1).

    `starter` and `engine` are needed only where the rules do not say them: the table chooses the first
    starter, and may insist on others.
    """
    number = len(game.rounds) + 1
    rules, players = game.rules, len(game.order)
    violations = _seats(players)
    open_questions = rules.unanswered(players)
    if open_questions:
        violations.append(Violation.of(Code.UNANSWERED, options=open_questions))
    violations += _deal_size(rules, game.tile_count, players)
    if starter is not None and starter not in game.order:
        violations.append(Violation.of(Code.NOT_AT_TABLE, seat=starter))
    if game.round is not None and not game.round.finished:
        violations.append(Violation.of(Code.ROUND_UNFINISHED, number=game.round.number))
    if number > game.planned_rounds or game.ended:
        violations.append(Violation.of(Code.NO_ROUND_LEFT, rounds=game.planned_rounds))
    due = due_starter(game)
    if starter is None:
        starter = due
    elif (due is not None and starter != due) or rules.starter is Starter.ENGINE_HOLDER:
        violations.append(Violation.of(Code.WRONG_STARTER, seat=starter, due=due))
    if rules.engine_source is EngineSource.SET_ASIDE:
        expected = due_engine(game, number)
        if engine is None:
            engine = expected
        if engine is None or engine not in game.engines:
            violations.append(Violation.of(Code.NO_SUCH_ROUND, number=number))
        elif engine in game.used_engines:
            violations.append(Violation.of(Code.ENGINE_USED, tile=engine))
        elif engine != expected:
            violations.append(Violation.of(Code.WRONG_ENGINE, tile=engine, due=expected))
    else:
        engine = None
    return (ev.RoundStarted(number, engine, starter, overrule(violations, ruling)),)


def due_starter(game: Game) -> int | None:
    """Who starts the next round by the rules; None: the table says, or whoever lays the engine (R-START-1)."""
    last, rule = game.round, game.rules.starter
    if last is None or rule in (Starter.CHOSEN, Starter.ENGINE_HOLDER):
        return None
    if rule is Starter.ROUND_WINNER:
        best = round_winners(game, last)
        return best[0] if len(best) == 1 and best[0] in game.order else None
    if last.starter is None:
        return None
    if last.starter in game.order:
        return game.order[(game.order.index(last.starter) + 1) % len(game.order)]
    seats = last.table.participants  # the last starter has left: the next one who is still here
    place = seats.index(last.starter)
    return next((seat for seat in (*seats[place + 1 :], *seats[:place]) if seat in game.order), None)


def deal(
    game: Game,
    tiles: Mapping[int, Sequence[Tile]] | None = None,
    counts: Mapping[int, int] | None = None,
    ruling: str | None = None,
) -> tuple[ev.Event, ...]:
    """Everybody takes a hand. `tiles`: what was shown of whose hand; `counts`: hands of another size."""
    current = game.round
    if current is None or current.table.phase is not Phase.DEALING or current.ended is not None:
        refuse(Violation.of(Code.NOT_NOW))
    table, tiles, counts = current.table, tiles or {}, counts or {}
    size = game.rules.hand_for(len(table.seats)) or 0
    shown = [tile for hand in tiles.values() for tile in hand]
    violations = misnamed(game.rules, game.missing_tiles, table.on_table, shown)
    violations += [Violation.of(Code.NOT_AT_TABLE, seat=seat) for seat in {*tiles, *counts} - set(table.seats)]
    if current.starter is None and game.rules.starter is not Starter.ENGINE_HOLDER:
        violations.append(Violation.of(Code.STARTER_NEEDED))
    hands = {seat: counts.get(seat, size) for seat in table.seats}
    if sum(hands.values()) > table.boneyard:
        violations.append(Violation.of(Code.TOO_MANY_TILES, count=sum(hands.values()), most=table.boneyard))
    for seat, count in hands.items():
        if not 0 < count >= len(tiles.get(seat, ())):
            violations.append(Violation.of(Code.TOO_MANY_TILES, count=len(tiles.get(seat, ())), most=count))
        if count != size:
            violations.append(Violation.of(Code.HAND_SIZE, seat=seat, count=count, expected=size))
    ruled = overrule(violations, ruling)
    return tuple(ev.HandDealt(seat, count, tuple(sorted(tiles.get(seat, ()))), ruled) for seat, count in hands.items())


def _lacks_hand(game: Game, rules: HouseRules) -> bool:
    """Is there no hand for those at the table, and do these rules bring nothing but one?"""
    players = len(game.order)
    lacking = game.rules.hand_for(players) is None or bool(_deal_size(game.rules, game.tile_count, players))
    return lacking and rules == game.rules.replace(hand_size=rules.hand_size)


def _name(name: str, taken: Sequence[str]) -> str:
    name = one_line(name)
    if not name:
        raise UsageError("player_name_empty")
    if len(name) > LONGEST_NAME:
        raise UsageError("player_name_long", name=f"{name[:20]}…", most=LONGEST_NAME)
    if name.casefold() in (other.casefold() for other in taken):
        raise UsageError("player_name_taken", name=name)
    return name


def _seats(players: int) -> list[Violation]:
    if MIN_PLAYERS <= players <= MAX_PLAYERS:
        return []
    return [Violation.of(Code.PLAYER_COUNT, players=players, least=MIN_PLAYERS, most=MAX_PLAYERS)]


def _deal_size(rules: HouseRules, tiles: int, players: int) -> list[Violation]:
    """Does the agreed hand fit (R-DEAL-2)? A hand that is not agreed yet is asked about elsewhere."""
    largest = largest_hand(tiles, max(players, 1))
    hand = rules.hand_for(players)
    if largest < 1 or (hand is not None and hand > largest):
        return [Violation.of(Code.DEAL_TOO_LARGE, hand=hand, players=players, tiles=tiles, largest=largest)]
    return []
