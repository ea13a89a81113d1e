"""Convert token lists for the core."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bleuprint.core import counts
from bleuprint.errors import NoReferenceError, OptionError

__all__ = ["Tokens", "check_orders", "columns_of", "require_equal_lengths"]

Tokens = Sequence[Any]  # of anything hashable


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


def columns_of(
    references: Sequence[Sequence[Tokens]], hypotheses: Sequence[Tokens]
) -> tuple[counts.Column, counts.Column]:
    """Hypotheses and references as columns for the core.

    Tokens that are neither str nor int are numbered; Python's equality decides which are the same.
    """
    texts = [_listed(hypothesis) for hypothesis in hypotheses]
    groups = [[_listed(reference) for reference in group] for group in references]
    if not all(groups):
        raise NoReferenceError(f"references[{groups.index([])}]")
    try:
        return _read(texts, groups)
    except counts.Fault:
        pass
    numbers: dict[object, int] = {}
    texts = [_numbered(text, numbers) for text in texts]
    return _read(texts, [[_numbered(text, numbers) for text in group] for group in groups])


def _read(texts: list[Tokens], groups: list[list[Tokens]]) -> tuple[counts.Column, counts.Column]:
    hypotheses = counts.column(texts, groups=False, tokenized=True)  # type: ignore[arg-type]
    return hypotheses, counts.column(groups, groups=True, tokenized=True)  # type: ignore[arg-type]


def _listed(text: Tokens) -> Tokens:
    return text if type(text) in (list, tuple) else list(text)


def _numbered(text: Tokens, numbers: dict[object, int]) -> list[int]:
    return [numbers.setdefault(token, len(numbers)) for token in text]
