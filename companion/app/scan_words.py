"""A scan in words, for every front end and for the annotated copy."""

from collections.abc import Iterable

from companion.app.scanning import MergedScan, ScanResult
from companion.text import Language, say
from companion.vision.readings import Doubt, HandReading

_COUNTED_APART = {Doubt.FACE_DOWN_NEARBY, Doubt.UNREADABLE}
"""Doubts about the photo that a sentence with a number tells better."""


def summary(result: ScanResult | MergedScan, lang: Language) -> str:
    """How many tiles and points, or that there was none. `result` has a reading."""
    assert result.reading is not None
    if result.reading.tiles:
        return say("scan_summary", lang, tiles=len(result.reading.tiles), points=result.points)
    return say("scan_nothing_read" if result.reading.unreadable else "scan_no_tile", lang)


def things_to_check(reading: HandReading, lang: Language) -> list[str]:
    """A line for each tile, and for each kind of place, that a person should look at."""
    lines = [
        say("scan_tile_doubt", lang, tile=tile.tile, doubts=doubt_words(tile.doubts, lang))
        for tile in reading.tiles
        if tile.doubts
    ]
    if reading.face_down:
        lines.append(say("scan_face_down", lang, n=len(reading.face_down)))
    if reading.unreadable:
        lines.append(say("scan_unreadable", lang, n=len(reading.unreadable)))
    if rest := reading.doubts - _COUNTED_APART:
        lines.append(say("scan_photo_doubt", lang, doubts=doubt_words(rest, lang)))
    return lines


def doubt_words(doubts: Iterable[Doubt], lang: Language) -> str:
    """Doubts as words with commas, always in the same order."""
    return ", ".join(say(f"doubt_{doubt.lower()}", lang) for doubt in sorted(doubts))


def hint_lines(reading: HandReading, lang: Language) -> list[str]:
    """What would make a better photo, a sentence each."""
    return [say(f"hint_photo_{hint.lower()}", lang) for hint in sorted(reading.hints)]


def annotation_lines(result: ScanResult, lang: Language) -> list[str]:
    """What stands below an annotated copy: the points, then what to check."""
    assert result.reading is not None
    return [summary(result, lang), *(f"? {line}" for line in things_to_check(result.reading, lang))]
