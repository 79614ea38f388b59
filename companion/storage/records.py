"""Lines of the log: one record a line, and old versions upgraded as they are read.

A line is JSON (`codec`):

    {"seq":7,"at":"2026-07-30T19:04:05.120Z","by":"seat-1","event":"TurnPassed","v":1,"data":{"seat":1}}

`photo` stands after `by` where there is one. A line is kept as it was written, for ever: when an event changes, its
version in `VERSIONS` goes up, a function in `UPGRADES` turns the older data into the newer, and a line of the older
version goes into `tests/storage/samples`.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from companion.errors import EventVersionError, LogCorruptError
from companion.rules.events import EVENTS, Event
from companion.storage.codec import CodecError, decoder, dumps, encoder

_SEAT = re.compile(r"seat-(\d{1,2})", re.ASCII)
_AT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", re.ASCII)
_SHA256 = re.compile(r"[0-9a-f]{64}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Source:
    """Who entered something."""

    seat: int | None = None
    """The player's seat; None: the host, who keeps the sheet for everybody."""

    @property
    def is_host(self) -> bool:
        """May this one also take back what others have entered?"""
        return self.seat is None

    @classmethod
    def parse(cls, text: str) -> "Source":
        """Read `host` or `seat-2`. Raises ValueError."""
        if text == "host":
            return cls()
        match = _SEAT.fullmatch(text)
        if match is None:
            raise ValueError(f"{text!r} is no source")
        return cls(int(match[1]))

    def __str__(self) -> str:
        return "host" if self.seat is None else f"seat-{self.seat}"


HOST = Source()
"""Whoever started the game."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """An event with its envelope."""

    seq: int
    """Its place in the log of the game, from 1."""
    at: str
    """When it was recorded: UTC, ISO 8601 with milliseconds and `Z`."""
    source: Source
    """Who entered it."""
    photo: str | None
    """sha256 of the photo it was read from."""
    event: Event
    """What happened."""


Upgrade = Callable[[dict[str, Any]], tuple[str, dict[str, Any]]]
"""From the data of one version to (name, data) of the next; the name may change too."""


class RecordCodec:
    """Records to lines and back, for a set of events, their versions and the upgrades between them."""

    def __init__(
        self,
        events: Iterable[Any],
        versions: Mapping[str, int],
        upgrades: Mapping[tuple[str, int], Upgrade],
    ) -> None:
        self._encoders = {event: (event.__name__, versions.get(event.__name__, 1), encoder(event)) for event in events}
        self._decoders = {name: (version, decoder(event)) for event, (name, version, _) in self._encoders.items()}
        self._upgrades = upgrades
        self._sources: dict[str, Source] = {}

    def line(self, record: Recorded) -> str:
        """The line of a record, without a line break."""
        name, version, encode = self._encoders[type(record.event)]
        data: dict[str, Any] = {"seq": record.seq, "at": record.at, "by": str(record.source)}
        if record.photo is not None:
            data["photo"] = record.photo
        return dumps(data | {"event": name, "v": version, "data": encode(record.event)})

    def record(self, line: str, seq: int) -> Recorded:
        """The record of a line that stands at place `seq`.

        Raises LogCorruptError for a line that cannot be read, EventVersionError for one that only a newer version of
        the companion understands.
        """
        try:
            return self._record(json.loads(line), seq)
        except json.JSONDecodeError as error:
            raise LogCorruptError("log_line_no_json", seq=seq, column=error.colno) from error
        except (CodecError, ValueError, TypeError, KeyError, RecursionError) as error:
            raise LogCorruptError("log_line_bad", seq=seq, reason=str(error) or type(error).__name__) from error

    def records(self, lines: Iterable[str], after: int = 0) -> list[Recorded]:
        """The records of the lines that follow number `after`."""
        return [self.record(line, seq) for seq, line in enumerate(lines, start=after + 1)]

    def events(self, lines: Sequence[str]) -> list[Event]:
        """The events of a whole game without their envelopes: what opening a game needs, at half the time.

        Raises as `record` does, but for what is wrong in the envelope.
        """
        try:
            found = json.loads(f"[{','.join(lines)}]")  # one call is faster than thousands
            if len(found) == len(lines):
                return [self._event(data, seq) for seq, data in enumerate(found, start=1)]
        except (ValueError, TypeError, KeyError, RecursionError):
            pass  # read them one by one, which says what is wrong where
        return [record.event for record in self.records(lines)]

    def _event(self, data: Any, seq: int) -> Event:
        version, decode = self._decoders[data["event"]]
        if data["v"] != version or data["seq"] != seq:
            raise CodecError("not the usual line")
        event: Event = decode(data["data"])
        return event

    def _record(self, data: Any, seq: int) -> Recorded:
        if data["seq"] != seq:
            raise CodecError(f"seq {data['seq']!r} instead of {seq}")
        at, photo = data["at"], data.get("photo")
        if not _AT.fullmatch(at):
            raise CodecError(f"{at!r} is no time")
        if photo is not None and not _SHA256.fullmatch(photo):
            raise CodecError(f"{photo!r} is no sha256")
        name, found, fields = data["event"], data["v"], data["data"]
        known = self._decoders.get(name)
        if known is None or known[0] != found:
            name, fields = self._upgrade(name, found, fields, seq)
            known = self._decoders[name]
        if len(data) != (6 if photo is None else 7):
            raise CodecError(f"unknown fields in {sorted(data)}")
        return Recorded(seq, at, self._source(data["by"]), photo, known[1](fields))

    def _source(self, text: str) -> Source:
        source = self._sources.get(text)
        if source is None:
            source = self._sources[text] = Source.parse(text)
        return source

    def _upgrade(self, name: Any, version: Any, fields: Any, seq: int) -> tuple[str, dict[str, Any]]:
        """Bring the data of an older event up to today's version, one version at a time."""
        first, found = name, version
        while (upgrade := self._upgrades.get((name, version))) is not None:
            name, fields = upgrade(fields)
            version += 1
        if name not in self._decoders or self._decoders[name][0] != version:
            raise EventVersionError("event_newer", seq=seq, kind=first, version=found)
        return name, fields


VERSIONS: Mapping[str, int] = MappingProxyType({})
"""The version of each event that is no longer at its first."""

UPGRADES: Mapping[tuple[str, int], Upgrade] = MappingProxyType({})
"""(event, version) -> how its data becomes that of the next version."""

CODEC = RecordCodec(EVENTS, VERSIONS, UPGRADES)
"""The codec of the companion's own events."""
