"""Texts as a metric reads them, and counts of their n-grams in plain Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NoReturn

from bleuprint.core import counts
from bleuprint.core.columns import Text
from bleuprint.core.tokenizers import Tokenizer
from bleuprint.insight.worked.model import MarkedText, WorkTable

__all__ = ["Gram", "Token", "Tokens", "disagree", "grams", "marks_of", "ngram_table", "numbered", "tokens_of"]

Token = str | int
Tokens = tuple[Token, ...]
Gram = tuple[Token, ...]


def tokens_of(text: Text, tokenizer: Tokenizer, scheme: str | None = None) -> Tokens:
    """The tokens of a text, or those of a list, as the metric counts them; `scheme` replaces the native one."""
    if not isinstance(text, str):
        lowercase = tokenizer.lowercase
        return tuple(token.lower() if lowercase and isinstance(token, str) else token for token in text)
    if not tokenizer.native:
        return tuple(tokenizer.split(text))
    return tuple(counts.tokenize(text, scheme or tokenizer.scheme, tokenizer.lowercase))


def grams(tokens: Sequence[Token], order: int) -> Counter[Gram]:
    """Every n-gram with its number of occurrences, in order of first appearance."""
    return Counter(tuple(tokens[at : at + order]) for at in range(len(tokens) - order + 1))


def numbered(references: Sequence[object], at: int) -> str:
    """The name of a reference."""
    return "reference" if len(references) == 1 else f"reference {at + 1}"


def ngram_table(order: int, ours: Counter[Gram], limits: Counter[Gram], where: str, separator: str = " ") -> WorkTable:
    """All n-grams of the output, how often each side has them, and how often they are counted."""
    rows = [
        (separator.join(map(str, gram)), count, limits[gram], min(count, limits[gram])) for gram, count in ours.items()
    ]
    unit = "character" if separator == "" else "word"
    name = unit if order == 1 else f"{order}-gram"
    return WorkTable((name, "in the output", where, "counted"), tuple(rows))


def marks_of(tokens: Tokens, limits: Sequence[Counter[Gram]], lowest: int = 1) -> tuple[int, ...]:
    """Per token the length of the longest counted n-gram around it; limits[0] is the one of order `lowest`."""
    marks = [0] * len(tokens)
    for order, limit in enumerate(limits, start=lowest):
        left = limit.copy()
        for at in range(len(tokens) - order + 1):
            gram = tokens[at : at + order]
            if left[gram] > 0:
                left[gram] -= 1
                marks[at : at + order] = [order] * order
    return tuple(marks)


def marked(role: str, tokens: Tokens, others: Sequence[Tokens], orders: range, separator: str = " ") -> MarkedText:
    """A text with the n-grams marked that it shares with any one of the others."""
    limits = [_most(others, order) for order in orders]
    return MarkedText(role, tokens, marks_of(tokens, limits, orders.start), separator)


def _most(texts: Sequence[Tokens], order: int) -> Counter[Gram]:
    most: Counter[Gram] = Counter()
    for text in texts:
        most |= grams(text, order)
    return most


def disagree(metric: str, counted: object, expected: object) -> NoReturn:
    """Stop if plain counting and the core differ: showing either would be wrong."""
    raise AssertionError(f"{metric}: counted {counted!r}, but the core has {expected!r}")


def check(metric: str, counted: Sequence[Any], expected: Sequence[Any]) -> None:
    """Check that the counts are those of the score."""
    if list(counted) != list(expected):
        disagree(metric, counted, expected)
