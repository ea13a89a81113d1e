"""Character and word n-gram counts as their definition reads: the slow twin of the native kernels."""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

EPSILON = 1e-16


def shared(first: Sequence[str], second: Sequence[str], order: int) -> list[int]:
    """N-grams of the first (none if the second has none), n-grams of the second, and what both have."""
    a, b = (Counter(tuple(items[at : at + order]) for at in range(len(items) - order + 1)) for items in (first, second))
    return [a.total() if b else 0, b.total(), (a & b).total()]


def words(text: str) -> list[str]:
    """Words, and apart from them a sign of punctuation at their end or, without one there, at their beginning."""
    found: list[str] = []
    for word in text.split():
        if len(word) > 1 and word[-1] in string.punctuation:
            found += [word[:-1], word[-1]]
        elif len(word) > 1 and word[0] in string.punctuation:
            found += [word[0], word[1:]]
        else:
            found.append(word)
    return found


@dataclass(frozen=True)
class Twin:
    char_order: int = 6
    word_order: int = 0
    beta: float = 2
    lowercase: bool = False
    whitespace: bool = False
    eps_smoothing: bool = False

    def row(self, hypothesis: str, references: Sequence[str]) -> list[int]:
        """The counts with the best reference, the first of equals."""
        return max((self.counts(hypothesis, reference) for reference in references), key=self.percent)

    def counts(self, hypothesis: str, reference: str) -> list[int]:
        if self.lowercase:
            hypothesis, reference = hypothesis.lower(), reference.lower()
        row = []
        for order in range(1, self.char_order + 1):
            row += shared(self.characters(hypothesis), self.characters(reference), order)
        for order in range(1, self.word_order + 1):
            row += shared(words(hypothesis), words(reference), order)
        return row

    def characters(self, text: str) -> str:
        return text if self.whitespace else "".join(text.split())

    def percent(self, row: Sequence[int]) -> float:
        orders = list(zip(row[0::3], row[1::3], row[2::3], strict=True))
        ratios = [(m / h if h else EPSILON, m / r if r else EPSILON) for h, r, m in orders]
        if self.eps_smoothing:
            return 100 * plain_sum([self.f_score(p, r, EPSILON) for p, r in ratios]) / len(orders)
        present = [pair for pair, (h, r, _) in zip(ratios, orders, strict=True) if h and r]
        if not present:
            return 0.0
        precision, recall = (plain_sum(side) / len(present) for side in zip(*present, strict=True))
        return 100 * self.f_score(precision, recall, 0.0)

    def f_score(self, precision: float, recall: float, undefined: float) -> float:
        denominator = self.beta**2 * precision + recall
        return (1 + self.beta**2) * precision * recall / denominator if denominator else undefined


def plain_sum(numbers: Sequence[float]) -> float:
    """One after another: since Python 3.12 sum() compensates, which moves the last digit."""
    total = 0.0
    for number in numbers:
        total += number
    return total
