"""BLEU (Papineni et al. 2002) with sacrebleu's ways to smooth it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

from tests.vectors.plain.case import Case, mean, shared
from tests.vectors.plain.tokenizers import tokens

Text = Sequence[str]
Segment = tuple[Text, Sequence[Text]]

FORMULA = {
    "no-clipping": "An n-gram of the output counts as often as it occurs, however often the references have it.",
    "clipped-by-sum": "Clipping adds up the counts of all references instead of taking the largest.",
    "distinct-ngrams": "Each different n-gram counts once.",
    "brevity-inverted": "The brevity penalty is exp(1 − output/reference), which exceeds 1 for short outputs.",
    "brevity-missing": "There is no brevity penalty.",
    "brevity-ratio": "The brevity penalty is output/reference instead of exp(1 − reference/output).",
    "brevity-rewards-length": "The brevity penalty is not limited to 1, so long outputs gain.",
    "shortest-length": "The reference length is that of the shortest reference instead of the closest.",
    "length-difference": "The smallest difference of lengths is taken for the reference length.",
    "arithmetic-mean": "Precisions are averaged arithmetically instead of geometrically.",
    "exp-not-halved-again": "Every order without a match gets one half, instead of one half, one fourth, …",
    "exp-starts-at-one": "The first order without a match gets a whole match instead of one half.",
}
OF_BOTH = shared("arguments-swapped", "first-reference-only", "percent", "single-precision", "rounded") | FORMULA
CORPUS_MISTAKES = OF_BOTH | shared(
    "references-transposed", "mean-of-sentences", "first-segment-only", "bootstrap-mean", "empty-output-skipped",
    "case-dropped", "case-kept",
) | {
    "zero-precision-skipped": "Orders without a match are left out of the mean instead of making the score 0.",
    "zero-precision-is-one": "An order without a match adds nothing to the mean of logarithms, as if it were perfect.",
    "tie-longer": "Of two references equally close in length, the longer one counts.",
    "tie-first-listed": "Of two references equally close in length, the one listed first counts.",
    "mean-length": "The reference length is the mean of all references.",
    "highest-order-only": "BLEU-n is the precision of the n-grams of the highest order alone.",
    "max-order-ignored": "The highest order is always 4.",
    "smoothed-first-order": "add-k adds to the unigrams too.",
    "add-k-numerator-only": "add-k adds to the matches and not to the totals.",
    "floor-everywhere": "floor adds to orders that have matches too.",
    "smoothing-ignored": "Nothing is smoothed.",
    "first-sentence-only": "Only the first sentence of an output is scored.",
    "tokens-split": "Texts are split at blanks instead of by the tokenizer.",
    "totals-at-least-one": "A segment that is too short for an order counts as one n-gram without a match.",
}  # fmt: skip
SENTENCE_MISTAKES = OF_BOTH | {
    "orders-beyond-text-count-zero": "Orders that a text is too short for make the score 0 instead of being left out.",
    "totals-at-least-one": "Orders that a text is too short for count as one n-gram without a match.",
    "add-one-everywhere": "One is added to the matches and the totals of all orders.",
    "smoothed-without-any-match": "Smoothing gives a score to an output that shares nothing with its references.",
    "smoothing-ignored": "Nothing is smoothed.",
    "corpus-score-for-all": "Each sentence gets the score of all of them together.",
}


def grams(words: Text, order: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[at : at + order]) for at in range(len(words) - order + 1))


def score(case: Case, mistake: str = "") -> float | list[float]:
    options = case.options
    tokenizer = "whitespace" if mistake == "tokens-split" else options["tokenizer"]

    def read(text: str) -> list[str]:
        return tokens(text.lower() if options["lowercase"] else text, tokenizer)

    ends = ". " if mistake == "first-sentence-only" else "\0"
    segments: list[Segment] = [
        (read(hypothesis.split(ends)[0]), [read(reference) for reference in group])
        for hypothesis, group in zip(case.hypotheses, case.references, strict=True)
    ]
    if mistake == "corpus-score-for-all":
        return [formula(segments, options, mistake)] * len(segments)
    if case.level == "sentence":
        return [formula([segment], options, mistake) for segment in segments]
    return formula(segments, options, mistake)


def formula(segments: Sequence[Segment], options: dict[str, Any], mistake: str) -> float:
    max_order = 4 if mistake == "max-order-ignored" else options["max_order"]
    orders = range(1, max_order + 1)
    matches = [sum(matching(*segment, order, mistake) for segment in segments) for order in orders]
    totals = [sum(possible(words, order, mistake) for words, _ in segments) for order in orders]
    output = sum(len(words) for words, _ in segments)
    reference = sum(reference_length(len(words), group, mistake) for words, group in segments)
    if not any(matches) and mistake not in {"smoothed-without-any-match", "add-one-everywhere"}:
        return 0.0
    precisions = smooth(matches, totals, options, mistake)
    if options["effective_order"] and mistake != "orders-beyond-text-count-zero":
        precisions = [precision for precision, total in zip(precisions, totals, strict=True) if total]
    return brevity(output, reference, mistake) * average(precisions, mistake)


def matching(words: Text, group: Sequence[Text], order: int, mistake: str) -> int:
    counts = grams(words, order)
    of_references = [grams(reference, order) for reference in group]
    limit: Counter[tuple[str, ...]] = Counter()
    for found in of_references:
        limit = limit + found if mistake == "clipped-by-sum" else limit | found
    if mistake == "no-clipping":
        return sum(count for gram, count in counts.items() if gram in limit)
    if mistake == "distinct-ngrams":
        return len(counts.keys() & limit.keys())
    return (counts & limit).total()


def possible(words: Text, order: int, mistake: str) -> int:
    found = grams(words, order)
    if mistake == "totals-at-least-one":
        return max(1, found.total())
    return len(found) if mistake == "distinct-ngrams" else found.total()


def reference_length(output: int, group: Sequence[Text], mistake: str) -> float:
    lengths = [len(reference) for reference in group]
    match mistake:
        case "shortest-length":
            return min(lengths)
        case "mean-length":
            return mean(lengths)
        case "length-difference":
            return min(abs(length - output) for length in lengths)
        case "tie-longer":
            return min(lengths, key=lambda length: (abs(length - output), -length))
        case "tie-first-listed":
            return min(lengths, key=lambda length: abs(length - output))
    return min(lengths, key=lambda length: (abs(length - output), length))


def brevity(output: int, reference: float, mistake: str) -> float:
    if output == 0:
        return 0.0
    match mistake:
        case "brevity-missing":
            return 1.0
        case "brevity-inverted":
            return math.exp(1 - output / reference) if output < reference else 1.0
        case "brevity-ratio":
            return min(1.0, output / reference)
        case "brevity-rewards-length":
            return math.exp(1 - reference / output)
    return math.exp(1 - reference / output) if output < reference else 1.0


def smooth(matches: list[int], totals: list[int], options: dict[str, Any], mistake: str) -> list[float]:
    method, value = options["smoothing"], options["smoothing_value"]
    precisions, without_match = [], 0
    for order, (match, total) in enumerate(zip(matches, totals, strict=True), start=1):
        numerator: float = match
        denominator: float = total
        if mistake == "add-one-everywhere":
            numerator, denominator = match + 1, total + 1
        elif mistake == "smoothing-ignored":
            pass
        elif method == "add-k" and (order > 1 or mistake == "smoothed-first-order"):
            numerator += value
            denominator += 0 if mistake == "add-k-numerator-only" else value
        elif method == "floor" and (match == 0 or mistake == "floor-everywhere"):
            numerator += value
        elif method == "exp" and match == 0 and total:
            without_match += 1
            power = {"exp-not-halved-again": 1, "exp-starts-at-one": without_match - 1}.get(mistake, without_match)
            numerator = 1 / 2**power
        precisions.append(numerator / denominator if denominator else 0.0)
    return precisions


def average(precisions: list[float], mistake: str) -> float:
    if mistake == "highest-order-only":
        return precisions[-1]
    if mistake == "arithmetic-mean":
        return mean(precisions)
    if mistake == "zero-precision-skipped":
        precisions = [precision for precision in precisions if precision]
    if mistake == "zero-precision-is-one":
        precisions = [precision or 1.0 for precision in precisions]
    if not precisions or not all(precisions):
        return 0.0
    return math.exp(math.fsum(map(math.log, precisions)) / len(precisions))
