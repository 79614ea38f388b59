"""The people of the house: the colours of their trains, and who played last."""

from collections.abc import Sequence
from dataclasses import dataclass

from companion.app.hub import Hub
from companion.app.visitors import Visitor

_COLOURS = "train_colours"


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who has played here."""

    name: str
    """As it stood on the sheet."""
    colour: str | None
    """The key of the train's colour; None: none was chosen."""


def train_colours(hub: Hub, code: str) -> tuple[str, ...]:
    """The keys of the train colours of a game, by seat; empty where none were chosen."""
    text = hub.access.setting(code, _COLOURS)
    return tuple(text.split(" ")) if text else ()


def choose_train_colours(hub: Hub, code: str, colours: Sequence[str]) -> None:
    """Remember the train colours of a game, by seat."""
    hub.access.set(code, _COLOURS, " ".join(colours))


def known_people(hub: Hub, visitor: Visitor, most: int = 14) -> tuple[Person, ...]:
    """The people of the games that a visitor knows, those of the last evening first, in the order of their seats."""
    people: dict[str, Person] = {}
    for card in sorted(hub.cards(visitor), key=lambda card: card.changed, reverse=True):
        if card.game is None:
            continue
        colours = train_colours(hub, card.code)
        for seat in card.game.order:
            name = card.game.players[seat].name
            colour = colours[seat] if seat < len(colours) else None
            people.setdefault(name.casefold(), Person(name, colour))
    return tuple(people.values())[:most]
