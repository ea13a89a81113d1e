"""Typed values from JSON: every field is checked, and errors name the field."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from types import UnionType
from typing import Any, ClassVar, Protocol, TypeVar, get_args, get_origin, get_type_hints

from bleuprint.core.unicode import has_surrogate

Kind = TypeVar("Kind")
Name = TypeVar("Name", bound=str)

_LARGEST = 2**63 - 1  # counts are int64


class MalformedError(Exception):
    """A problem in the JSON, raised before its source is added to the message."""


class _Dataclass(Protocol):
    __dataclass_fields__: ClassVar[dict[str, dataclasses.Field[Any]]]


Record = TypeVar("Record", bound=_Dataclass)


def typed(value: object, kind: type[Kind], where: str) -> Kind:
    """Return a value of this type; an integer may stand for a float."""
    if type(value) is int and not -_LARGEST <= value <= _LARGEST:
        raise MalformedError(
            f"{where} must be at most 2 ** 63 - 1 in size, got an integer of {value.bit_length()} bits"
        )
    if kind is float and type(value) is int:
        value = float(value)
    if not isinstance(value, kind) or (kind is not bool and isinstance(value, bool)):
        raise MalformedError(f"{where} must be of type {kind.__name__}, got {type(value).__name__}")
    if isinstance(value, float) and not math.isfinite(value):
        raise MalformedError(f"{where} must be a finite number, got {value}")
    if isinstance(value, str) and has_surrogate(value):
        raise MalformedError(f"{where} holds a lone surrogate")
    return value


def items(value: object, kind: type[Kind], where: str) -> tuple[Kind, ...]:
    """Return the items of a list, all of this type."""
    listed = typed(value, list, where)
    return tuple(typed(item, kind, f"{where}[{index}]") for index, item in enumerate(listed))


def strings(value: object, where: str) -> dict[str, str]:
    """Return a dict of strings."""
    return {name: typed(text, str, f"{where}.{name}") for name, text in typed(value, dict, where).items()}


def one_of(value: object, allowed: Sequence[Name], where: str) -> Name:
    """Return one of the allowed strings."""
    given = typed(value, str, where)
    for name in allowed:
        if name == given:
            return name
    raise MalformedError(f"{where} must be one of {', '.join(allowed)}, got {given!r}")


def record(kind: type[Record], value: object, where: str) -> Record:
    """Return a dataclass from a JSON object that holds its fields by name; those with a default may be left out.

    A field is a plain value, another dataclass, a tuple of any length, or one of these or None.
    """
    stored: Mapping[str, object] = typed(value, dict, where)
    hints = get_type_hints(kind)
    given = {}
    for field in dataclasses.fields(kind):
        place = f"{where}.{field.name}"
        if field.name in stored:
            given[field.name] = _value(stored[field.name], hints[field.name], place)
        elif field.default is dataclasses.MISSING:
            raise MalformedError(f"{place} is missing")
    return kind(**given)


def _value(value: object, hint: Any, where: str) -> object:
    if isinstance(hint, UnionType):
        (kind,) = (option for option in get_args(hint) if option is not type(None))
        return None if value is None else _value(value, kind, where)
    if get_origin(hint) is tuple:
        kind = get_args(hint)[0]
        return tuple(_value(item, kind, f"{where}[{index}]") for index, item in enumerate(typed(value, list, where)))
    is_record = isinstance(hint, type) and dataclasses.is_dataclass(hint)
    return record(hint, value, where) if is_record else typed(value, hint, where)


def check_numbers(value: object, where: str) -> None:
    """Check the numbers and texts of any JSON value, with a list of what is left to do, as it can be nested deeply."""
    pending = [(value, where)]
    while pending:
        item, place = pending.pop()
        if isinstance(item, dict):
            pending += [(inner, f"{place}.{key}") for key, inner in item.items()]
        elif isinstance(item, list):
            pending += [(inner, f"{place}[{index}]") for index, inner in enumerate(item)]
        elif item is not None:
            typed(item, type(item), place)
