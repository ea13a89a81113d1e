"""SARI (Xu et al. 2016) of a corpus, with F1 for all three operations as EASSE has it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tests.vectors.plain.bleu import grams
from tests.vectors.plain.case import Case, mean, shared

MISTAKES = shared(
    "first-reference-only", "mean-of-sentences", "first-segment-only", "case-kept", "percent", "single-precision",
    "rounded", "empty-output-skipped",
) | {
    "source-and-output-swapped": "The source is read as the output and the output as the source.",
    "source-ignored": "Nothing is known of the source, so that all of the output counts as added.",
    "deletion-precision": "Deletion counts by its precision alone.",
    "addition-counts": "Added n-grams count as often as they occur.",
    "references-not-weighted": "Counts of source and output are not multiplied by the number of references.",
    "references-merged": "What any reference keeps counts as kept by all.",
    "zero-over-zero-is-one": "An operation that nobody makes counts as perfect.",
    "mean-of-rates": "Precision and recall are averaged over the orders before F1 is taken.",
    "unigrams-only": "Only single words are looked at.",
    "no-deletion": "The score is the mean of addition and keeping.",
}  # fmt: skip

Rate = tuple[float, float]


def read(text: str, case: Case) -> list[str]:
    return (text.lower() if case.options["lowercase"] else text).split()


def score(case: Case, mistake: str = "") -> float:
    return mean(list(operations(case, mistake)))


def operations(case: Case, mistake: str = "") -> Sequence[float]:
    """Addition, keeping, deletion."""
    segments = [
        (read(source, case), read(output, case), [read(reference, case) for reference in group])
        for source, output, group in zip(case.sources, case.hypotheses, case.references, strict=True)
    ]
    orders = range(1, 2 if mistake == "unigrams-only" else case.options["max_order"] + 1)
    rates = [rates_of(segments, order, mistake) for order in orders]
    if mistake == "mean-of-rates":
        means = [(mean([r[at][0] for r in rates]), mean([r[at][1] for r in rates])) for at in range(3)]
        return [f1(*each) for each in means]
    scores = [mean([f1(*rate[at]) for rate in rates]) for at in range(3)]
    if mistake == "deletion-precision":
        scores[2] = mean([rate[2][0] for rate in rates])
    return scores[:2] if mistake == "no-deletion" else scores


def rates_of(segments: list[tuple[list[str], list[str], list[list[str]]]], order: int, mistake: str) -> list[Rate]:
    """Precision and recall of each operation."""
    sums = [[0, 0, 0] for _ in range(3)]
    for source, output, group in segments:
        if mistake == "source-and-output-swapped":
            source, output = output, source
        if mistake == "source-ignored":
            source = []
        times = 1 if mistake == "references-not-weighted" else len(group)
        s, o = (Counter({gram: times * n for gram, n in grams(text, order).items()}) for text in (source, output))
        r = sum((grams(reference, order) for reference in group), Counter())
        if mistake == "references-merged":
            r = Counter({gram: len(group) * n for gram, n in r.items()})
        new, wanted = Counter(set(o) - set(s)), Counter(set(r) - set(s))
        if mistake == "addition-counts":
            new, wanted = o - s, r - s
        pairs = [(new, wanted), (s & o, s & r), (s - o, s - r)]
        for counts, (ours, theirs) in zip(sums, pairs, strict=True):
            for at, part in enumerate((ours & theirs, ours, theirs)):
                counts[at] += part.total()
    otherwise = 1.0 if mistake == "zero-over-zero-is-one" else 0.0
    return [(both / ours if ours else otherwise, both / theirs if theirs else otherwise) for both, ours, theirs in sums]


def f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0
