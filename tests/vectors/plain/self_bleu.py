"""Self-BLEU (Zhu et al. 2018): the mean BLEU of each text against all the others, by NLTK's sentence BLEU."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from tests.vectors.plain.bleu import grams
from tests.vectors.plain.case import Case, mean, shared

MISTAKES = shared("case-dropped", "percent", "single-precision", "rounded") | {
    "own-reference": "A text is among its own references.",
    "pairwise-mean": "BLEU is computed of every pair and averaged, instead of each text against all the others.",
    "pooled-counts": "Counts are summed over the texts before the formula.",
    "no-smoothing": "An order without a match makes the score of its text 0.",
    "add-one": "One is added to the matches and the totals of orders above 1.",
    "next-text-only": "Each text is compared with the next one alone.",
    "duplicates-removed": "Texts that occur twice are counted once.",
    "earlier-texts-only": "Each text is compared with those before it.",
    "max-order-ignored": "The highest order is always 4.",
    "brevity-missing": "There is no brevity penalty.",
    "shortest-length": "The reference length is that of the shortest other text.",
    "clipped-by-sum": "Clipping adds up the counts of all other texts.",
    "diversity": "One minus the score is given.",
    "absent-orders-left-out": "Orders that a text is too short for are left out.",
}
EPSILON = 0.1


def score(case: Case, mistake: str = "") -> float:
    texts = [text.split() for text in case.hypotheses]
    if mistake == "duplicates-removed":
        texts = [list(text) for text in dict.fromkeys(map(tuple, texts))]
    max_order = 4 if mistake == "max-order-ignored" else case.options["max_order"]
    pairs = [(text, others(texts, at, mistake)) for at, text in enumerate(texts)]
    if mistake == "pairwise-mean":
        return mean([bleu([(text, [other])], max_order, mistake) for text, group in pairs for other in group])
    if mistake == "pooled-counts":
        return bleu(pairs, max_order, mistake)
    value = mean([bleu([pair], max_order, mistake) for pair in pairs if pair[1]])
    return 1 - value if mistake == "diversity" else value


def others(texts: list[list[str]], at: int, mistake: str) -> list[list[str]]:
    match mistake:
        case "own-reference":
            return texts
        case "next-text-only":
            return [texts[(at + 1) % len(texts)]]
        case "earlier-texts-only":
            return texts[:at]
    return texts[:at] + texts[at + 1 :]


def bleu(pairs: Sequence[tuple[list[str], list[list[str]]]], max_order: int, mistake: str) -> float:
    logarithms = []
    for order in range(1, max_order + 1):
        match = sum(matches(text, group, order, mistake) for text, group in pairs)
        total = sum(max(1, grams(text, order).total()) for text, _ in pairs)
        if order == 1 and not match:
            return 0.0
        if mistake == "absent-orders-left-out" and not any(grams(text, order) for text, _ in pairs):
            continue
        smoothed: float = match or (0 if mistake == "no-smoothing" else EPSILON)
        if mistake == "add-one" and order > 1:
            smoothed, total = match + 1, total + 1
        if not smoothed:
            return 0.0
        logarithms.append(math.log(smoothed / total))
    output = sum(len(text) for text, _ in pairs)
    closest = sum(length(len(text), [len(other) for other in group], mistake) for text, group in pairs)
    penalty = 1.0 if output > closest or mistake == "brevity-missing" else math.exp(1 - closest / output)
    return penalty * math.exp(mean(logarithms))


def matches(text: list[str], group: list[list[str]], order: int, mistake: str) -> int:
    limit: Counter[tuple[str, ...]] = Counter()
    for other in group:
        found = grams(other, order)
        limit = limit + found if mistake == "clipped-by-sum" else limit | found
    return (grams(text, order) & limit).total()


def length(output: int, lengths: list[int], mistake: str) -> int:
    if mistake == "shortest-length":
        return min(lengths)
    return min(lengths, key=lambda other: (abs(other - output), other))
