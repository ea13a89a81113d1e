"""distinct-n (Li et al. 2016) of a pool of texts: different n-grams by all n-grams."""

from __future__ import annotations

from tests.vectors.plain.bleu import grams
from tests.vectors.plain.case import Case, mean, shared

MISTAKES = shared("case-dropped", "percent", "single-precision", "rounded") | {
    "mean-of-texts": "The share is computed for each text and averaged.",
    "by-words": "Different n-grams are divided by the number of words.",
    "by-texts": "Different n-grams are divided by the number of texts.",
    "across-texts": "N-grams run from one text into the next.",
    "order-ignored": "Single words are counted whatever the order.",
    "all-orders": "All orders up to n are counted together.",
    "once-only": "N-grams that occur once are counted instead of different ones.",
    "characters": "Characters are counted instead of words.",
}


def score(case: Case, mistake: str = "") -> float:
    texts = [list(text) if mistake == "characters" else text.split() for text in case.hypotheses]
    if mistake == "across-texts":
        texts = [[word for text in texts for word in text]]
    if mistake == "mean-of-texts":
        return mean([score(case.one(at)) for at in range(len(texts))])
    orders = [1] if mistake == "order-ignored" else [case.options["order"]]
    if mistake == "all-orders":
        orders = list(range(1, case.options["order"] + 1))
    counts = [sum((grams(text, order) for text in texts), start=grams([], 1)) for order in orders]
    different = sum(map(len, counts))
    if mistake == "once-only":
        different = sum(times == 1 for found in counts for times in found.values())
    whole = sum(found.total() for found in counts)
    if mistake == "by-words":
        whole = sum(map(len, texts))
    if mistake == "by-texts":
        whole = len(texts)
    return different / whole if whole else 0.0
