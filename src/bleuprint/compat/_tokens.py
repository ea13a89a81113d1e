"""What the drop-ins share: token lists of any kind for the core, and NLTK's checks."""

from __future__ import annotations

from collections.abc import Hashable, Sequence, Sized
from contextlib import suppress
from functools import lru_cache
from typing import Any

from bleuprint.core import counts
from bleuprint.core.columns import checked_column
from bleuprint.core.threads import worker_count
from bleuprint.errors import InputError, NoReferenceError, OptionError
from bleuprint.metrics import registry
from bleuprint.metrics.base.definition import Definition

Tokens = Sequence[Hashable]
_LISTS = (list, tuple)


def require_equal_lengths(references: Sequence[object], hypotheses: Sequence[object], message: str) -> None:
    """Raise AssertionError like NLTK's assert, but also under python -O."""
    if len(references) != len(hypotheses):
        raise AssertionError(message)


def check_orders(min_len: int, max_len: int) -> None:
    """Raise an error if the range of orders is empty or invalid."""
    if min_len < 1:
        raise OptionError("min_len", "an integer of at least 1", min_len)
    if max_len < min_len:
        raise OptionError("max_len", f"at least min_len ({min_len})", max_len)


def total(plan: counts.Counts, references: Sequence[Sequence[Tokens]], hypotheses: Sequence[Tokens]) -> tuple[int, ...]:
    """The counts of all segments, added up."""
    return plan.total(*columns(references, hypotheses), None, threads(hypotheses))


def threads(texts: Sized) -> int:
    """All that there are, unless there is only one text."""
    return worker_count(None) if len(texts) > 1 else 1


def columns(
    references: Sequence[Sequence[Tokens]], hypotheses: Sequence[Tokens]
) -> tuple[counts.Column, counts.Column]:
    """Hypotheses and references as columns for the core."""
    texts = [text if type(text) in _LISTS else list(text) for text in hypotheses]
    groups = [[text if type(text) in _LISTS else list(text) for text in group] for group in references]
    if not all(groups):
        raise NoReferenceError(f"references[{groups.index([])}]")
    return columns_of_lists(groups, texts)


def columns_of_lists(groups: list[Any], texts: list[Any]) -> tuple[counts.Column, counts.Column]:
    """The same for lists or tuples of tokens.

    Tokens that the core does not take are numbered; Python's equality decides which are the same. They are those that
    are neither str nor int, and those with a lone surrogate.
    """
    try:
        return _read(groups, texts)
    except counts.Fault:
        numbers: dict[Hashable, int] = {}

    def as_numbers(text: Tokens) -> list[int]:
        return [numbers.setdefault(token, len(numbers)) for token in text]

    return _read([[as_numbers(text) for text in group] for group in groups], [as_numbers(text) for text in texts])


def _read(groups: list[Any], texts: list[Any]) -> tuple[counts.Column, counts.Column]:
    return counts.column(texts, groups=False, tokenized=True), counts.column(groups, groups=True, tokenized=True)


def warn_of_scripts(metric: str, scheme: str | None, texts: object) -> None:
    """Warn if the tokenizer of an original cannot read the script of its texts; `metric` and `scheme` are our names."""
    listed = [texts] if isinstance(texts, str) else texts if isinstance(texts, Sequence) else ()
    if scheme is not None and not all(isinstance(text, str) and text.isascii() for text in listed):
        with suppress(InputError):
            _definition(metric, scheme).warn_of_unseen(checked_column(listed, "texts"))


@lru_cache(maxsize=64)
def _definition(metric: str, scheme: str) -> Definition:
    return registry.resolve(metric, {"tokenizer": scheme}).definition
