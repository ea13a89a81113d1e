"""Typed values from JSON: every field is checked, and errors name the field."""

from __future__ import annotations

import dataclasses
import math
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import NoneType, SimpleNamespace, UnionType
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from bleuprint.core.unicode import has_surrogate

Kind = TypeVar("Kind")
Name = TypeVar("Name", bound=str)

_LARGEST = 2**63 - 1  # counts are int64


class MalformedError(Exception):
    """A problem in the JSON, raised before its source is added to the message."""


def expect(value: object, kind: type[Kind], where: str) -> Kind:
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
    listed = expect(value, list, where)
    return tuple(expect(item, kind, f"{where}[{index}]") for index, item in enumerate(listed))


def one_of(value: object, allowed: Sequence[Name], where: str) -> Name:
    """Return one of the allowed strings."""
    given = expect(value, str, where)
    for name in allowed:
        if name == given:
            return name
    raise MalformedError(f"{where} must be one of {', '.join(allowed)}, got {given!r}")


def record(kind: type[Kind], value: object, where: str = "", **known: object) -> Kind:
    """Return a dataclass from a JSON object that holds its fields by name; those with a default may be left out.

    A field is a plain value, one of several words, another dataclass, a tuple of any length, a mapping by name, or one
    of these or None. Fields in `known` are not read.
    """
    stored: Mapping[str, object] = expect(value, dict, where or "the document")
    fields = {field.name: field for field in dataclasses.fields(kind) if field.name not in known}  # type: ignore[arg-type]
    # The type of a known field need not be imported: that of a comparison loads NumPy.
    annotations = SimpleNamespace(__annotations__={name: field.type for name, field in fields.items()})
    hints = get_type_hints(annotations, vars(sys.modules[kind.__module__]))
    for name, field in fields.items():
        place = f"{where}.{name}".removeprefix(".")
        if name in stored:
            known[name] = _value(stored[name], hints[name], place)
        elif field.default is dataclasses.MISSING:
            raise MalformedError(f"{place} is missing")
    return kind(**known)


def _value(value: object, hint: Any, where: str) -> object:
    if isinstance(hint, UnionType):
        return None if value is None and NoneType in get_args(hint) else _first_fit(value, get_args(hint), where)
    origin, kinds = get_origin(hint), get_args(hint)
    if origin is Literal:
        return one_of(value, kinds, where)
    if origin is Mapping:
        return {name: _value(item, kinds[1], f"{where}.{name}") for name, item in expect(value, dict, where).items()}
    if origin is tuple:
        read = expect if kinds[0] in {str, float} else _value  # the shorter way for those of every segment
        listed = expect(value, list, where)
        return tuple(read(item, kinds[0], f"{where}[{index}]") for index, item in enumerate(listed))
    is_record = isinstance(hint, type) and dataclasses.is_dataclass(hint)
    return record(hint, value, where) if is_record else expect(value, hint, where)


def _first_fit(value: object, kinds: Sequence[Any], where: str) -> object:
    """Return the value as the first of several kinds that it fits; the error is about the last of its shape."""
    possible = [kind for kind in kinds if kind is not NoneType]
    of_shape = [kind for kind in possible if (get_origin(kind) is tuple) == isinstance(value, list)]
    *others, last = of_shape or possible
    for kind in others:
        with suppress(MalformedError):
            return _value(value, kind, where)
    return _value(value, last, where)
