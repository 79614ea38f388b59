"""Events as sentences, for a history and for what a command has just recorded."""

from collections.abc import Sequence
from typing import Any

from companion.rules import events as ev
from companion.rules.counting import ZERO_FOR_LOWEST
from companion.text import Language, say
from companion.text.describe import player_name, train_name


def event_sentence(event: ev.Event, names: Sequence[str], lang: Language, log: Sequence[ev.Event] = ()) -> str:
    """What happened. `names` are the players', by seat; `log` the whole log, to tell what a retraction took back."""
    if isinstance(event, ev.Retracted):
        taken = [log[seq - 1] for seq in event.seqs if seq <= len(log)]
        what = " ".join(event_sentence(each, names, lang, log) for each in taken)
        sentence = say("event_retracted", lang, what=what) if what else say("event_retracted_unknown", lang)
        return f"{sentence} {say('event_reason', lang, why=_ended(event.why))}" if event.why else sentence
    key, words = _key_and_words(event, lang)
    if hasattr(event, "seat"):
        words["seat"] = player_name(event.seat, names)
    if isinstance(event, ev.TilePlayed):
        words["train"] = train_name(event.train, names, lang)
    sentences = [say(f"event_{key}", lang, **words)]
    if isinstance(event, ev.RoundStarted) and event.starter is not None:
        sentences.append(say("event_starter", lang, seat=player_name(event.starter, names)))
    if isinstance(event, ev.RoundEnded) and event.went_out is not None:
        sentences = [say("event_round_out", lang, seat=player_name(event.went_out, names), number=event.number)]
    if isinstance(event, ev.HandCounted) and event.why:
        sentences.append(say("event_reason", lang, why=_ended(event.why)))
    ruling = getattr(event, "ruling", None)
    if ruling is not None and (ruling.why or not isinstance(event, ev.HandSeen)):  # nobody insists on what was counted
        sentences.append(say("event_ruling", lang, why=_ended(ruling.why) or "—"))
    return " ".join(sentences)


def _key_and_words(event: ev.Event, lang: Language) -> tuple[str, dict[str, Any]]:
    """The sentence of an event and what fills it in, but for names."""
    match event:
        case ev.GameStarted():
            return "game_started", {"players": event.players}
        case ev.HouseRulesAgreed():
            return "house_rules_agreed", {}
        case ev.PlayerJoined():
            return "player_joined", {"points": event.opening_points}
        case ev.PlayerLeft():
            return "player_left", {}
        case ev.RoundStarted():
            key = "round_started" if event.engine is None else "round_engine"
            return key, {"number": event.number, "engine": event.engine}
        case ev.HandDealt():
            return "hand_shown" if event.tiles else "hand_dealt", {"count": event.count, "tiles": event.tiles}
        case ev.HandSeen():
            return "hand_seen" if event.tiles else "hand_recounted", {"count": event.count or 0, "tiles": event.tiles}
        case ev.EngineLaid():
            return "engine_laid", {"tile": event.tile}
        case ev.TilePlayed():
            return "tile_played", {"tile": event.tile}
        case ev.TileDrawn():
            return "tile_drawn" if event.tile is None else "tile_drawn_shown", {"tile": event.tile}
        case ev.TurnPassed():
            return "turn_passed", {}
        case ev.TurnEnded():
            return "turn_ended", {}
        case ev.MarkerSet():
            return "marker_on" if event.on else "marker_off", {}
        case ev.CallMissed():
            return "call_missed", {"count": event.count}
        case ev.TableObserved():
            return "table_observed", {}
        case ev.RoundEnded():
            return "round_blocked" if event.reason == "blocked" else "round_called", {"number": event.number}
        case ev.HandCounted():
            key = "hand_counted_tiles" if event.tiles else "hand_counted"
            return key, {"number": event.number, "points": event.points, "tiles": event.tiles}
        case ev.ScoreCorrected():
            why = say("event_lowest_hand", lang) if event.why == ZERO_FOR_LOWEST else _ended(event.why)
            return "score_corrected", {"number": event.number, "points": event.points, "why": why}
        case ev.GameEnded():
            return "game_ended", {}
        case ev.Retracted():
            return "retracted_unknown", {}


def _ended(text: str) -> str:
    """What a person wrote, without its full stop: the sentence around it has one."""
    return text.strip().rstrip(".")
