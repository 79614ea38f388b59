"""Values on the command line, and what to say about those that cannot be understood."""

from difflib import get_close_matches
from typing import Any

import click

from companion.errors import CompanionError, UsageError
from companion.rules.tiles import SET_SIZES, Tile, TileSet


class Integer(click.ParamType[int]):
    """A whole number in a range."""

    name = "integer"

    def __init__(self, low: int, high: int) -> None:
        self._low, self._high = low, high

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:  # noqa: ARG002
        """Raises UsageError."""
        number = whole_number(value)
        if number is None or not self._low <= number <= self._high:
            expected = UsageError("expected_number_range", min=self._low, max=self._high)
            raise UsageError("usage_value", value=value, option=param.opts[0] if param else "", expected=expected)
        return number


class SetSize(click.ParamType[TileSet]):
    """A set that is sold, by the pips of its highest double."""

    name = "set"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> TileSet:  # noqa: ARG002
        """Raises UsageError."""
        if isinstance(value, TileSet):
            return value
        size = whole_number(value)
        if size not in SET_SIZES:
            raise UsageError("set_unknown", max_pip=value)
        return TileSet(size)


class Tiles(click.ParamType[frozenset[Tile]]):
    """Tiles with commas or spaces between them: `3-12,0-0`."""

    name = "tiles"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> frozenset[Tile]:  # noqa: ARG002
        """Raises TileSyntaxError."""
        if isinstance(value, frozenset):
            return value
        return frozenset(Tile.parse(word) for word in str(value).replace(",", " ").replace(";", " ").split())


def whole_number(value: Any) -> int | None:
    """The number that is meant, or None."""
    try:
        return int(str(value))
    except ValueError:
        return None


def usage_error(error: click.ClickException) -> CompanionError:
    """What click complains about, as an error with a sentence in every language."""
    match error:
        case click.NoSuchOption(option_name=name, possibilities=[near, *_]):
            return UsageError("usage_no_such_option_near", option=name, near=near)
        case click.NoSuchOption(option_name=name):
            return UsageError("usage_no_such_option", option=name)
        case click.NoSuchCommand(command_name=name, ctx=click.Context(command=click.Group() as group) as ctx):
            for near in get_close_matches(name, group.list_commands(ctx), n=1):
                return UsageError("usage_no_such_command_near", command=name, near=near)
            return UsageError("usage_no_such_command", command=name)
        case click.MissingParameter() if error.param is not None and error.ctx is not None:
            return UsageError("usage_missing", name=error.param.make_metavar(error.ctx).rstrip("."))
        case click.BadOptionUsage():
            return UsageError("usage_option_needs_value", option=error.option_name)
        case _:
            return UsageError("usage_other", message=error.format_message())
