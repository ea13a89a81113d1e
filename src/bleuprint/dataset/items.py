"""One item to score: an actual output and the expected output."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import partial
from types import MappingProxyType
from typing import Any

from bleuprint.core.columns import column
from bleuprint.core.unicode import has_surrogate
from bleuprint.errors import InputError, NotTextError

_NOTHING: Mapping[str, Any] = MappingProxyType({})
_TEXT = frozenset({str})


@dataclass(frozen=True, slots=True, init=False)
class DatasetItem:
    """An output with one or several references and, optionally, its input.

    `query`, `source` and `input` are names for the same. Items are checked and immutable.

    >>> item = DatasetItem(actual_output="The cat sat.", expected_output=["The cat sat.", "A cat sat."], id=7)
    >>> item.references
    ('The cat sat.', 'A cat sat.')
    >>> DatasetItem(actual_output=None, expected_output="The cat sat.")
    Traceback (most recent call last):
        ...
    bleuprint.errors.NotTextError: actual_output must be a str, got None; use '' for an empty text, or drop the segment.
    """

    actual_output: str
    expected_output: str | tuple[str, ...]
    source: str | None = None
    id: str | int | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __init__(
        self,
        actual_output: object,
        expected_output: object,
        *,
        query: object = None,
        source: object = None,
        input: object = None,
        id: object = None,
        metadata: object = None,
    ) -> None:
        name, value = "source", source
        if query is not None or input is not None:
            given = {"query": query, "source": source, "input": input}
            (name, value), *others = [pair for pair in given.items() if pair[1] is not None]
            for other, text in others:
                if text != value:
                    raise InputError(
                        f"{name} and {other} both name the input, got {value!r} and {text!r}; pass one of them."
                    )
        _set_actual_output(self, _text(actual_output, "actual_output"))
        _set_expected_output(self, _texts(expected_output, "expected_output"))
        _set_source(self, None if value is None else _text(value, name))
        _set_id(self, _identity(id))
        _set_metadata(self, _metadata(metadata))

    @property
    def query(self) -> str | None:
        """The input (same as `source`)."""
        return self.source

    @property
    def references(self) -> tuple[str, ...]:
        """The expected outputs as a tuple."""
        return (self.expected_output,) if isinstance(self.expected_output, str) else self.expected_output

    def __reduce__(self) -> tuple[object, ...]:
        named = {"source": self.source, "id": self.id, "metadata": dict(self.metadata)}
        return partial(DatasetItem, **named), (self.actual_output, self.expected_output)


# The slots' own setters: object.__setattr__ would look each up by its name.
_set_actual_output, _set_expected_output, _set_source, _set_id, _set_metadata = (
    vars(DatasetItem)[each.name].__set__ for each in fields(DatasetItem)
)


def _text(value: object, name: str) -> str:
    if not isinstance(value, str) or not (value.isascii() or not has_surrogate(value)):
        column([value], name, index=False)  # which says what is wrong
    return str(value)


def _texts(value: object, name: str) -> str | tuple[str, ...]:
    if isinstance(value, str):
        return _text(value, name)
    # pandas stores lists as arrays. A tuple of types takes half the time of a union of them.
    listed: Any = value if isinstance(value, (list, tuple)) else getattr(value, "tolist", lambda: value)()
    try:
        sound = isinstance(listed, (list, tuple)) and bool(listed) and not has_surrogate("\n".join(listed))
    except TypeError:  # not all of them are texts
        sound = False
    if not sound:
        column([listed], name, groups=True, index=False)  # which says what is wrong, and allows None beside a text
        listed = [text for text in listed if text is not None]
    return tuple(map(str, listed))


def _identity(value: object) -> str | int | None:
    if value is None or isinstance(value, str):
        return value if value is None else _text(value, "id")
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise NotTextError("id", "a str, an int or None", type(value).__name__, "use str(id)")
    return int(value.__index__())


def _metadata(value: Any) -> Mapping[str, Any]:
    if value is None:
        return _NOTHING
    # The types tell in half the time that all keys are texts.
    is_dict = isinstance(value, (dict, Mapping))
    if not is_dict or not (_TEXT.issuperset(map(type, value)) or all(isinstance(key, str) for key in value)):
        raise NotTextError("metadata", "a dict with str keys", type(value).__name__, "use {'name': value}")
    return MappingProxyType(dict(value))
