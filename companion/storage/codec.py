"""Values to JSON and back, led by their types alone.

| type | in JSON |
|---|---|
| bool, int, str | themselves |
| StrEnum | its value |
| a class with `parse()` and `str()`, such as Tile | its text |
| dataclass | an object; a field that by default is empty (None, no text, an empty tuple), and is so, is left out |
| tuple[X, ...] | an array |
| tuple[X, Y] | an array of that length |
| frozenset[X] | an array, sorted |
| X or None | X, or null |

Other defaults are written out: a house rule whose default changes one day must not change old games.

The JSON is canonical: fields in the order of the class, no spaces, no escapes but the necessary ones. So the same value
always has the same bytes. Decoding believes nothing: a wrong type, an unknown field or a missing one is a CodecError.
"""

import dataclasses
import json
import types
from collections.abc import Callable
from enum import Enum
from functools import cache
from typing import Any, TypeAlias, Union, get_args, get_origin, get_type_hints

Convert: TypeAlias = Callable[[Any], Any]

_MISSING = object()
_EMPTY = (None, "", ())


class CodecError(ValueError):
    """Data that is not of the type. The message is for developers; whoever catches it knows the place."""


def dumps(data: Any) -> str:
    """Canonical JSON of plain data, on one line."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


@cache
def encoder(kind: Any) -> Convert:
    """The function from a value of the type `kind` to plain data. Raises TypeError for a type it has no rule for."""
    if kind in (bool, int, str):
        return _same
    if dataclasses.is_dataclass(kind) and not hasattr(kind, "parse"):
        return _dataclass_encoder(kind)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return lambda value: value.value
    if hasattr(kind, "parse"):
        return str
    origin, args = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        inner = encoder(_without_none(kind))
        return lambda value: None if value is None else inner(value)
    if origin is tuple and len(args) == 2 and args[1] is Ellipsis:
        inner = encoder(args[0])
        return lambda value: [inner(item) for item in value]
    if origin is tuple:
        inners = tuple(encoder(arg) for arg in args)
        return lambda value: [inner(item) for inner, item in zip(inners, value, strict=True)]
    if origin is frozenset:
        inner = encoder(args[0])
        return lambda value: [inner(item) for item in sorted(value)]
    raise TypeError(f"the codec has no rule for {kind}")


@cache
def decoder(kind: Any) -> Convert:
    """The function from plain data to a value of the type `kind`; it raises CodecError."""
    if kind is str:
        return _decode_str
    if kind in (bool, int):
        return _plain_decoder(kind)
    if dataclasses.is_dataclass(kind) and not hasattr(kind, "parse"):
        return _dataclass_decoder(kind)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _table_decoder(kind, {member.value: member for member in kind})
    if hasattr(kind, "parse"):
        return _text_decoder(kind)
    origin, args = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        inner = decoder(_without_none(kind))
        return lambda data: None if data is None else inner(data)
    if origin is tuple and len(args) == 2 and args[1] is Ellipsis:
        inner = decoder(args[0])
        return lambda data: tuple([inner(item) for item in _list(data)])
    if origin is tuple:
        return _fixed_tuple_decoder(tuple(decoder(arg) for arg in args))
    if origin is frozenset:
        inner = decoder(args[0])
        return lambda data: _set_of([inner(item) for item in _list(data)])
    raise TypeError(f"the codec has no rule for {kind}")


def _same(value: Any) -> Any:
    return value


def _without_none(kind: Any) -> Any:
    """X of `X | None`; other unions would need a tag in the data and have none."""
    inner = [arg for arg in get_args(kind) if arg is not type(None)]
    if len(inner) != 1:
        raise TypeError(f"the codec has no rule for {kind}")
    return inner[0]


def _list(data: Any) -> list[Any]:
    if type(data) is not list:
        raise CodecError(f"expected an array, got {data!r}")
    return data


def _set_of(items: list[Any]) -> frozenset[Any]:
    found = frozenset(items)
    if len(found) != len(items):
        raise CodecError(f"expected different values, got {items!r}")
    return found


def _decode_str(data: Any) -> Any:
    if type(data) is not str:
        raise CodecError(f"expected str, got {data!r}")
    try:
        data.encode()
    except UnicodeEncodeError:  # half of a surrogate pair, which no file can hold
        raise CodecError(f"{data!r} is no text") from None
    return data


def _plain_decoder(kind: type) -> Convert:
    def decode_plain(data: Any) -> Any:
        if type(data) is not kind:  # exactly: True is no int here
            raise CodecError(f"expected {kind.__name__}, got {data!r}")
        return data

    return decode_plain


def _table_decoder(kind: type, table: dict[Any, Any]) -> Convert:
    def decode_choice(data: Any) -> Any:
        try:
            return table[data]
        except (KeyError, TypeError):
            raise CodecError(f"{data!r} is no {kind.__name__}") from None

    return decode_choice


def _text_decoder(kind: Any) -> Convert:
    known: dict[str, Any] = {}  # few values, read thousands of times: tiles

    def decode_text(data: Any) -> Any:
        try:
            return known[data]
        except (KeyError, TypeError):
            if type(data) is not str:
                raise CodecError(f"expected the text of a {kind.__name__}, got {data!r}") from None
        try:
            value = kind.parse(data)
        except Exception as error:
            raise CodecError(f"{data!r} is no {kind.__name__}") from error
        if str(value) != data:
            raise CodecError(f"{data!r} should be written {value}")
        known[data] = value
        return value

    return decode_text


def _fixed_tuple_decoder(inners: tuple[Convert, ...]) -> Convert:
    def decode_tuple(data: Any) -> Any:
        if len(_list(data)) != len(inners):
            raise CodecError(f"expected {len(inners)} items, got {data!r}")
        return tuple([inner(item) for inner, item in zip(inners, data, strict=True)])

    return decode_tuple


def _fields(kind: Any) -> list[tuple[str, Any, Any]]:
    """(name, type, default or _MISSING) of each field."""
    hints = get_type_hints(kind)
    found = []
    for field in dataclasses.fields(kind):
        default = field.default
        if default is dataclasses.MISSING:
            default = _MISSING if field.default_factory is dataclasses.MISSING else field.default_factory()
        found.append((field.name, hints[field.name], default))
    return found


def _dataclass_encoder(kind: Any) -> Convert:
    fields = tuple((name, encoder(hint), default) for name, hint, default in _fields(kind))

    def encode_dataclass(value: Any) -> Any:
        if type(value) is not kind:
            raise TypeError(f"expected {kind.__name__}, got {value!r}")
        data = {}
        for name, convert, default in fields:
            field = getattr(value, name)
            if field != default or default not in _EMPTY:
                data[name] = convert(field)
        return data

    return encode_dataclass


def _dataclass_decoder(kind: Any) -> Convert:
    fields = tuple((name, decoder(hint), default) for name, hint, default in _fields(kind))
    names = frozenset(name for name, _, _ in fields)

    def decode_dataclass(data: Any) -> Any:
        if type(data) is not dict or not names.issuperset(data):
            raise CodecError(f"expected the fields of {kind.__name__}, got {data!r}")
        values = []
        for name, convert, default in fields:
            if name in data:
                values.append(convert(data[name]))
            elif default is not _MISSING:
                values.append(default)
            else:
                raise CodecError(f"{kind.__name__} lacks {name}: {data!r}")
        try:
            return kind(*values)
        except CodecError:
            raise
        except Exception as error:  # the class itself refuses the values
            raise CodecError(f"{kind.__name__} refuses {data!r}: {error}") from error

    return decode_dataclass
