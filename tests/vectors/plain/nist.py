"""NIST (Doddington 2002), as NLTK computes it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from tests.vectors.plain.bleu import grams
from tests.vectors.plain.case import Case, shared

MISTAKES = shared(
    "arguments-swapped", "references-transposed", "first-reference-only", "mean-of-sentences", "first-segment-only",
    "empty-output-skipped", "case-dropped", "single-precision", "rounded",
) | {
    "natural-logarithm": "Information is counted in nats instead of bits.",
    "no-information": "All n-grams weigh the same.",
    "information-of-outputs": "Information is counted on the outputs instead of the references.",
    "information-of-first-references": "Information is counted on the first reference of each output alone.",
    "weights-of-one-segment": "Information is counted on each segment by itself.",
    "probability-of-ngram": "An n-gram weighs by its own frequency instead of its frequency after its first words.",
    "brevity-of-bleu": "The brevity penalty is that of BLEU.",
    "brevity-missing": "There is no brevity penalty.",
    "no-clipping": "An n-gram of the output counts as often as it occurs.",
    "mean-of-orders": "The orders are averaged instead of added up.",
    "max-order-ignored": "The highest order is always 5.",
}  # fmt: skip

Segment = tuple[list[str], list[list[str]]]


def score(case: Case, mistake: str = "") -> float:
    segments = [
        (hypothesis.split(), [reference.split() for reference in group])
        for hypothesis, group in zip(case.hypotheses, case.references, strict=True)
    ]
    max_order = 5 if mistake == "max-order-ignored" else case.options["max_order"]
    weights = information(segments, max_order, mistake)
    value, output, reference = 0.0, 0, 0
    for order in range(1, max_order + 1):
        gained, total = 0.0, 0
        for segment in segments:
            if mistake == "weights-of-one-segment":
                weights = information([segment], max_order, "")
            best = max(candidates(segment, order, weights, mistake))
            gained, total = gained + best[1], total + best[2]
            # As NLTK does: lengths are added once for each order, of the reference that is best at that order.
            output, reference = output + len(segment[0]), reference + best[3]
        value += gained / total if total else 0.0
    if mistake == "mean-of-orders":
        value /= max_order
    return value * brevity(output / reference, mistake)


def candidates(
    segment: Segment, order: int, weights: dict[tuple[str, ...], float], mistake: str
) -> list[tuple[float, float, int, int]]:
    """Per reference: gain per n-gram, gain, n-grams of the output, words of the reference."""
    words, references = segment
    ours = grams(words, order)
    rows = []
    for reference in references:
        theirs = grams(reference, order)
        both = Counter({gram: n for gram, n in ours.items() if gram in theirs})
        both = both if mistake == "no-clipping" else ours & theirs
        gained = math.fsum(weights.get(gram, 0.0) * times for gram, times in both.items())
        rows.append((gained / max(1, ours.total()), gained, ours.total(), len(reference)))
    return rows


def information(segments: Sequence[Segment], max_order: int, mistake: str) -> dict[tuple[str, ...], float]:
    """log2 of how often the first words occur over how often the whole n-gram does."""
    texts = [text for _, references in segments for text in references]
    if mistake == "information-of-outputs":
        texts = [words for words, _ in segments]
    if mistake == "information-of-first-references":
        texts = [references[0] for _, references in segments]
    counts = sum((grams(text, order) for text in texts for order in range(1, max_order + 1)), Counter())
    words = sum(map(len, texts))
    logarithm = math.log if mistake == "natural-logarithm" else math.log2
    weights = {}
    for gram, times in counts.items():
        before = words if len(gram) == 1 or mistake == "probability-of-ngram" else counts[gram[:-1]]
        weights[gram] = 1.0 if mistake == "no-information" else logarithm(before / times)
    return weights


def brevity(ratio: float, mistake: str) -> float:
    """One half where the output has two thirds of the reference's words."""
    if mistake == "brevity-missing" or ratio >= 1:
        return 1.0
    if mistake == "brevity-of-bleu":
        return math.exp(1 - 1 / ratio) if ratio else 0.0
    return math.exp(math.log(0.5) / math.log(1.5) ** 2 * math.log(ratio) ** 2) if ratio else 0.0
