"""GLEU (Wu et al. 2016), as NLTK computes it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from tests.vectors.plain.bleu import grams
from tests.vectors.plain.case import Case, mean, shared

MISTAKES = shared(
    "references-transposed", "first-reference-only", "mean-of-sentences", "first-segment-only", "bootstrap-mean",
    "empty-output-skipped", "case-dropped", "percent", "single-precision", "rounded",
) | {
    "precision-only": "Recall is not looked at.",
    "recall-only": "Precision is not looked at.",
    "larger-of-both": "The larger of precision and recall is taken instead of the smaller.",
    "f-score": "F1 of precision and recall is taken instead of the smaller.",
    "mean-of-orders": "The orders are averaged instead of pooled.",
    "no-clipping": "An n-gram of the output counts as often as it occurs.",
    "distinct-ngrams": "Each different n-gram counts once.",
    "references-merged": "An n-gram may match any reference, instead of one reference being chosen.",
    "most-matches": "The reference with the most matches is chosen instead of the one with the best ratio.",
    "orders-ignored": "The lowest and the highest order are always 1 and 4.",
}  # fmt: skip


def score(case: Case, mistake: str = "") -> float:
    low, high = (1, 4) if mistake == "orders-ignored" else (case.options["min_order"], case.options["max_order"])
    if mistake == "mean-of-orders":
        return mean([corpus(case, range(order, order + 1), "") for order in range(low, high + 1)])
    return corpus(case, range(low, high + 1), mistake)


def corpus(case: Case, orders: range, mistake: str) -> float:
    sums = [0, 0, 0]
    for hypothesis, group in zip(case.hypotheses, case.references, strict=True):
        rows = segment(hypothesis, group, orders, mistake)
        if mistake == "most-matches":
            row = max(rows, key=lambda row: row[0])
        else:
            row = max(rows, key=lambda row: row[0] / max(row[1:]) if max(row[1:]) else -1.0)
        sums = [total + number for total, number in zip(sums, row, strict=True)]
        if mistake not in RATIOS:
            # The larger of the two is chosen per segment.
            sums[1] = sums[2] = sums[1] - row[1] + max(row[1:])
    matches, output, reference = sums
    whole = RATIOS.get(mistake, max)(output, reference)
    return matches / whole if whole else 0.0


RATIOS: dict[str, Callable[[int, int], float]] = {
    "precision-only": lambda output, _: output,
    "recall-only": lambda _, reference: reference,
    "larger-of-both": min,
    "f-score": lambda output, reference: (output + reference) / 2,
}


def segment(hypothesis: str, group: Sequence[str], orders: range, mistake: str) -> list[tuple[int, int, int]]:
    """Per reference: matches, n-grams of the output, n-grams of the reference."""
    ours = everything(hypothesis, orders)
    others = [everything(reference, orders) for reference in group]
    if mistake == "references-merged":
        merged: Counter[tuple[str, ...]] = Counter()
        for other in others:
            merged |= other
        return [((ours & merged).total(), ours.total(), other.total()) for other in others]
    if mistake == "no-clipping":
        return [(sum(n for gram, n in ours.items() if gram in o), ours.total(), o.total()) for o in others]
    if mistake == "distinct-ngrams":
        return [(len(ours.keys() & other.keys()), len(ours), len(other)) for other in others]
    return [((ours & other).total(), ours.total(), other.total()) for other in others]


def everything(text: str, orders: range) -> Counter[tuple[str, ...]]:
    return sum((grams(text.split(), order) for order in orders), Counter())
