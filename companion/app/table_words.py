"""What lies on the table, and what may be done, in words."""

from collections.abc import Sequence

from companion.rules.inference import Must, outlook
from companion.rules.legality import legal_moves
from companion.rules.moves import Draw, EndTurn, LayEngine, Mark, Move, Pass, Play
from companion.rules.state import Game, Phase, Round, TableState, Train
from companion.rules.tiles import Tile
from companion.text import Language, say
from companion.text.describe import option_label, player_name, train_name


def player_names(game: Game) -> tuple[str, ...]:
    """The players' names by seat."""
    return tuple(player.name for player in game.players)


def table_lines(game: Game, lang: Language) -> list[str]:
    """The running round: trains, markers, open doubles, boneyard, whose turn it is."""
    current = game.round
    if current is None:
        return _before(game, lang)
    names = player_names(game)
    table = current.table
    lines = [_round_line(game, current, lang)]
    if (table.engine is not None and any(train.tiles for train in table.trains)) or table.phase is Phase.PLAYING:
        lines += [_train_line(table, train, names, lang) for train in _trains(table)]
    lines += _hand_lines(table, names, lang)
    for double in table.open_doubles:
        train = train_name(double.train, names, lang)
        lines.append(say("state_open_double", lang, tile=double.tile, train=train))
    if current.ended is not None:
        lines.append(say("state_round_over", lang))
    lines += turn_lines(game, lang)
    missing = tuple(names[seat] for seat in current.missing) if current.ended or any(current.scores) else ()
    if missing:
        lines.append(say("state_missing", lang, names=missing))
    return lines


def turn_lines(game: Game, lang: Language) -> list[str]:
    """Whose turn it is, and what is proved about it."""
    view = outlook(game)
    if view is None:
        return []
    names = player_names(game)
    lines = [say("state_turn", lang, name=names[view.seat])]
    if view.cover:
        where = tuple(f"{d.tile} ({train_name(d.train, names, lang)})" for d in view.cover)
        lines.append(say("state_must_cover", lang, doubles=where))
    key = {
        Must.PLAY: "state_must_play",
        Must.DRAW: "state_must_draw",
        Must.PASS: "state_must_pass",
        Must.STOP_OR_PLAY: "state_may_stop",
        Must.LAY_ENGINE: "state_must_lay_engine",
        Must.UNKNOWN: None,
    }[view.must]
    if key is not None:
        lines.append(say(key, lang, tiles=view.tiles))
    return lines


def legal_lines(game: Game, lang: Language) -> list[str]:
    """What the player to act may do: where which number or tile fits, and what else is allowed."""
    moves = legal_moves(game)
    table, view = game.table, outlook(game)
    if table is None or not moves:
        return []
    if view is not None and view.must in (Must.DRAW, Must.PASS):  # no tile that anybody may hold fits
        moves = tuple(move for move in moves if not isinstance(move, Play))
    names = player_names(game)
    places: dict[int | None, list[Tile]] = {}
    for move in moves:
        if isinstance(move, Play) and move.tile not in places.setdefault(move.train, []):
            places[move.train].append(move.tile)
    lines = [say("legal_title", lang, name=names[moves[0].seat])]
    unknown = table.hands[moves[0].seat].unknown > 0
    for train, tiles in places.items():
        key = "legal_number" if unknown else "legal_tiles"
        name = train_name(train, names, lang)
        assert table.engine is not None
        lines.append("  " + say(key, lang, train=name, pips=table.train(train).tail(table.engine), tiles=tuple(tiles)))
    others = tuple(dict.fromkeys(word for move in moves if (word := _other(move, lang))))
    if others:
        lines.append("  " + say("legal_others" if places else "legal_only", lang, moves=others))
    return lines


def _other(move: Move, lang: Language) -> str:
    match move:
        case Play():
            return ""
        case Draw():
            return say("legal_draw", lang)
        case Pass():
            return say("legal_pass", lang)
        case EndTurn():
            return say("legal_stop", lang)
        case Mark():
            return say("legal_marker", lang)
        case LayEngine(tile=tile):
            return say("legal_engine", lang, tile=tile)


def _before(game: Game, lang: Language) -> list[str]:
    unanswered = game.rules.unanswered(len(game.order))
    lines = [say("sheet_not_begun", lang)]
    if unanswered:
        lines.append(say("violation_unanswered", lang, options=tuple(option_label(name, lang) for name in unanswered)))
    return lines


def _round_line(game: Game, current: Round, lang: Language) -> str:
    engine = current.table.engine
    if engine is None:
        return say("state_round", lang, number=current.number, rounds=game.planned_rounds)
    return say("state_round_engine", lang, number=current.number, rounds=game.planned_rounds, engine=engine)


def _trains(table: TableState) -> Sequence[Train]:
    """The Mexican Train, then everybody's in the order of the seats."""
    return (table.trains[-1], *(table.trains[seat] for seat in table.participants))


def _train_line(table: TableState, train: Train, names: Sequence[str], lang: Language) -> str:
    name = train_name(train.owner, names, lang)
    tail = "?" if table.engine is None else str(train.tail(table.engine))
    key = "state_train_open" if train.marker else "state_train"
    tiles = " ".join(f"{placed.inner}-{placed.outer}" for placed in train.tiles) or "–"
    return "  " + say(key, lang, train=name, tail=tail, tiles=tiles)


def _hand_lines(table: TableState, names: Sequence[str], lang: Language) -> list[str]:
    if not any(hand.count for hand in table.hands):
        return []
    hands = tuple(f"{player_name(seat, names)} {table.hands[seat].count}" for seat in table.participants)
    return [say("state_hands", lang, hands=hands, boneyard=table.boneyard)]
