"""Texts as a metric reads them, and counts of their n-grams in plain Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bleuprint.core import counts
from bleuprint.core.columns import Text
from bleuprint.core.tokenizers import Tokenizer
from bleuprint.insight.worked.model import MarkedText, WorkTable, disagree
from bleuprint.metrics.base.definition import Definition

Token = str | int
Tokens = tuple[Token, ...]
Gram = tuple[Token, ...]


@dataclass(frozen=True, slots=True)
class Segment:
    """The texts of one score, and the metric that reads them."""

    definition: Definition
    output: Text
    references: Sequence[Text]
    source: Text | None
    columns: Sequence[int]

    @property
    def formula(self) -> Any:
        return self.definition.formula

    def tokens(self) -> tuple[Tokens, list[Tokens]]:
        """The tokens of the output, and of each reference."""
        ours, *theirs = (tokens_of(text, self.definition.tokenizer) for text in (self.output, *self.references))
        return ours, theirs


def tokens_of(text: Text, tokenizer: Tokenizer, scheme: str | None = None) -> Tokens:
    """The tokens of a text, or those of a list, as the metric counts them; `scheme` replaces the native one."""
    if not isinstance(text, str):
        lowercase = tokenizer.lowercase
        return tuple(token.lower() if lowercase and isinstance(token, str) else token for token in text)
    if not tokenizer.native:
        return tuple(tokenizer.split(text))
    return tuple(counts.tokenize(text, scheme or tokenizer.scheme, tokenizer.lowercase))


def find(metric: str, rows: Sequence[Sequence[int]], columns: Sequence[float]) -> int:
    """The first reference whose counts are those of the score."""
    if list(columns) not in [list(row) for row in rows]:
        disagree(metric, rows, columns)
    return [list(row) for row in rows].index(list(columns))  # type: ignore[arg-type]


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
