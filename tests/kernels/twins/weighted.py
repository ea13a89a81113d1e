"""Scores of n-grams weighed by a corpus, said plainly: information of matches, and cosines of rarities."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from tests.kernels.twins.clipped import grams

Text = Sequence[str]
Groups = Sequence[Sequence[Text]]
Gram = tuple[str | int, ...]


class Information:
    """What n-grams tell, by the references of a corpus; what was never seen counts as seen once."""

    def __init__(self, groups: Groups, orders: int = 5) -> None:
        self.seen: Counter[Gram] = Counter()
        self.words = sum(len(text) for group in groups for text in group)
        for group in groups:
            for text in group:
                for order in range(1, orders + 1):
                    self.seen += grams(text, order)

    def __call__(self, gram: Gram) -> float:
        wider = self.seen[gram[:-1]] if len(gram) > 1 else self.words
        return math.log2(Fraction(max(1, wider), max(1, self.seen[gram])))


class Order(NamedTuple):
    information: float
    total: int
    reference_length: int


def best_match(hypothesis: Text, references: Sequence[Text], order: int, information: Information) -> Order:
    ours, choices = grams(hypothesis, order), []
    for reference in references:
        shared = ours & grams(reference, order)
        found = math.fsum(information(gram) * count for gram, count in shared.items())
        # Sums that are equal but for rounding are equal.
        choices.append((round(found, 9), len(reference), found))
    _, length, found = max(choices)
    return Order(found, ours.total(), length)


def informed(hypotheses: Sequence[Text], groups: Groups, prior: Groups, orders: int = 5) -> float:
    information, score, ours, theirs = Information(prior, orders), 0.0, 0, 0
    for order in range(1, orders + 1):
        found = [best_match(*pair, order, information) for pair in zip(hypotheses, groups, strict=True)]
        total = sum(item.total for item in found)
        score += math.fsum(item.information for item in found) / total if total else 0.0
        theirs += sum(item.reference_length for item in found)
        ours += sum(map(len, hypotheses))
    ratio = ours / theirs if theirs else 0.0
    if ratio >= 1 or ratio == 0:
        return score if ratio else 0.0
    return score * math.exp(math.log(0.5) * (math.log(ratio) / math.log(1.5)) ** 2)


def cosines(
    hypotheses: Sequence[Text],
    groups: Groups,
    prior: Groups,
    orders: int = 4,
    sigma: float | None = 6.0,
) -> list[float]:
    """Ten times the mean over orders and references; clipped and with a penalty on lengths unless sigma is None."""
    having = [Counter[Gram]() for _ in range(orders)]
    for group in prior:
        for order in range(1, orders + 1):
            having[order - 1].update({gram for text in group for gram in grams(text, order)})
    scores = []
    for hypothesis, references in zip(hypotheses, groups, strict=True):
        found = [
            cosine(grams(hypothesis, n), grams(reference, n), having[n - 1], len(prior), clipped=sigma is not None)
            * (1.0 if sigma is None else math.exp(-((len(hypothesis) - len(reference)) ** 2) / (2 * sigma**2)))
            for reference in references
            for n in range(1, orders + 1)
        ]
        scores.append(10 * math.fsum(found) / len(found))
    return scores


def cosine(ours: Counter[Gram], theirs: Counter[Gram], having: Counter[Gram], segments: int, *, clipped: bool) -> float:
    def vector(counts: Counter[Gram]) -> dict[Gram, float]:
        return {gram: count * math.log(segments / max(1, having[gram])) for gram, count in counts.items()}

    one, other = vector(ours), vector(theirs)
    norms = math.sqrt(math.fsum(x * x for x in one.values()) * math.fsum(x * x for x in other.values()))
    shared = one.keys() & other.keys()
    product = math.fsum((min(one[gram], other[gram]) if clipped else one[gram]) * other[gram] for gram in shared)
    return product / norms if norms else 0.0
