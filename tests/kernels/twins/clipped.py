"""Clipped n-gram counts as their definition reads: the slow twin of the native kernel."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

Token = str | int


def grams(tokens: Sequence[Token], order: int) -> Counter[tuple[Token, ...]]:
    """Every run of `order` tokens with the number of times it occurs."""
    return Counter(tuple(tokens[at : at + order]) for at in range(len(tokens) - order + 1))


def clipped_matches(hypothesis: Sequence[Token], references: Sequence[Sequence[Token]], order: int) -> int:
    """An n-gram counts as often as the hypothesis has it, at most as often as any one reference has it."""
    in_references = [grams(reference, order) for reference in references]
    return sum(
        min(count, max((counted[gram] for counted in in_references), default=0))
        for gram, count in grams(hypothesis, order).items()
    )


def reference_length(rule: str, length: int, references: Sequence[int]) -> int:
    """The one reference length that a hypothesis of this length is held against."""
    match rule:
        case "shortest":
            return min(references)
        case "closest":
            return min(references, key=lambda candidate: (abs(candidate - length), candidate))
        case "closest-first":
            return min(references, key=lambda candidate: abs(candidate - length))
    raise ValueError(rule)


def row(
    hypothesis: Sequence[Token],
    references: Sequence[Sequence[Token]],
    max_order: int,
    rule: str = "closest",
    minimum_total: int = 0,
) -> list[int]:
    """Hypothesis length, reference length, matches of the orders 1..N, totals of the orders 1..N."""
    length = len(hypothesis)
    orders = range(1, max_order + 1)
    return [
        length,
        reference_length(rule, length, [len(reference) for reference in references]),
        *(clipped_matches(hypothesis, references, order) for order in orders),
        *(max(minimum_total, length - order + 1) for order in orders),
    ]
