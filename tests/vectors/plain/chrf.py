"""chrF and chrF++ (Popović 2015, 2017), as sacrebleu computes them."""

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import Any

from tests.vectors.plain.bleu import grams
from tests.vectors.plain.case import Case, mean, shared

MISTAKES = shared(
    "arguments-swapped", "references-transposed", "first-reference-only", "mean-of-sentences", "bootstrap-mean",
    "empty-output-skipped", "case-dropped", "case-kept", "nfc", "bytes", "utf-16", "percent", "single-precision",
    "rounded",
) | {
    "beta-one": "Precision and recall count alike (β = 1).",
    "beta-three": "Recall counts as in NLTK's chrF (β = 3).",
    "beta-not-squared": "β is used where the formula has β².",
    "blanks-counted": "Blanks count as characters.",
    "blanks-dropped": "Blanks are dropped although they are to be counted.",
    "word-order-ignored": "chrF++ counts characters alone.",
    "words-with-punctuation": "chrF++ leaves punctuation at its word.",
    "words-by-regex": "chrF++ drops punctuation.",
    "mean-of-f-scores": "F is computed per order and averaged, instead of one F of mean precision and mean recall.",
    "absent-orders-count-zero": "Orders that a text is too short for count as 0 instead of being left out.",
    "pooled-orders": "N-grams of all orders are added up before precision and recall.",
    "no-clipping": "An n-gram of the output counts as often as it occurs.",
    "distinct-ngrams": "Each different n-gram counts once.",
    "references-of-zero-segments-dropped": "A segment that shares nothing with its reference does not add the "
    "reference's n-grams.",
    "zero-segments-dropped-per-order": "F is averaged over the orders, and a segment that shares nothing with its "
    "reference does not add the reference's n-grams.",
    "references-added-up": "The counts of all references of an output are added up.",
    "references-joined": "The references of an output are joined to one text; of several outputs the mean is given.",
    "char-order-four": "Characters are counted up to order 4.",
}  # fmt: skip

DROPPED = {"references-of-zero-segments-dropped", "zero-segments-dropped-per-order"}
PER_ORDER = {"mean-of-f-scores", "zero-segments-dropped-per-order", "references-joined"}
Counts = list[tuple[int, int, int]]


def score(case: Case, mistake: str = "") -> float:
    options = dict(case.options)
    if mistake == "word-order-ignored":
        options["word_order"] = 0
    if mistake == "char-order-four":
        options["char_order"] = 4
    if mistake == "references-joined":
        texts = zip(case.hypotheses, case.references, strict=True)
        rows = [count(text, " ".join(group), options, mistake) for text, group in texts]
        return mean([f_score(row, options, mistake) for row in rows])
    orders = options["char_order"] + options["word_order"]
    sums: Counts = [(0, 0, 0)] * orders
    for hypothesis, references in zip(case.hypotheses, case.references, strict=True):
        rows = [count(hypothesis, reference, options, mistake) for reference in references]
        if mistake == "references-added-up":
            row = add_rows(rows)
        else:
            row = max(rows, key=lambda row: f_score(row, options, mistake))
        if mistake in DROPPED and not any(shared for _, _, shared in row):
            row = [(output, 0, 0) for output, _, _ in row]
        sums = add_rows([sums, row])
    return f_score(sums, options, mistake)


def add_rows(rows: Sequence[Counts]) -> Counts:
    return [(sum(a), sum(b), sum(c)) for a, b, c in (zip(*order, strict=True) for order in zip(*rows, strict=True))]


def count(hypothesis: str, reference: str, options: dict[str, Any], mistake: str) -> Counts:
    """Per order: n-grams of the output, of the reference, and of both."""
    if options["lowercase"]:
        hypothesis, reference = hypothesis.lower(), reference.lower()
    texts = [(characters(hypothesis, options, mistake), characters(reference, options, mistake), order + 1)
             for order in range(options["char_order"])]  # fmt: skip
    texts += [(words(hypothesis, mistake), words(reference, mistake), order + 1)
              for order in range(options["word_order"])]  # fmt: skip
    return [overlap(*each, mistake) for each in texts]


def overlap(hypothesis: Sequence[str], reference: Sequence[str], order: int, mistake: str) -> tuple[int, int, int]:
    ours, theirs = grams(hypothesis, order), grams(reference, order)
    if mistake == "distinct-ngrams":
        return len(ours), len(theirs), len(ours.keys() & theirs.keys())
    if mistake == "no-clipping":
        return ours.total(), theirs.total(), sum(times for gram, times in ours.items() if gram in theirs)
    # Where the reference has no n-gram of this order, neither have those of the output anything to be compared with.
    return ours.total() if theirs else 0, theirs.total(), (ours & theirs).total()


def characters(text: str, options: dict[str, Any], mistake: str) -> list[str]:
    keep = mistake != "blanks-dropped" if options["whitespace"] else mistake == "blanks-counted"
    return list(text if keep else "".join(text.split()))


def words(text: str, mistake: str) -> list[str]:
    """A mark of punctuation at the end of a word, or else at its beginning, is a word of its own."""
    found: list[str] = []
    for word in text.split():
        if mistake == "words-by-regex":
            found += ["".join(letter for letter in word if letter not in string.punctuation)]
        elif mistake == "words-with-punctuation" or len(word) == 1:
            found.append(word)
        elif word[-1] in string.punctuation:
            found += [word[:-1], word[-1]]
        elif word[0] in string.punctuation:
            found += [word[0], word[1:]]
        else:
            found.append(word)
    return [word for word in found if word]


def f_score(row: Counts, options: dict[str, Any], mistake: str) -> float:
    if mistake == "pooled-orders":
        row = add_rows([[order] for order in row])
    weight = {"beta-one": 1, "beta-three": 9, "beta-not-squared": options["beta"]}.get(mistake, options["beta"] ** 2)

    def f(precision: float, recall: float) -> float:
        whole = weight * precision + recall
        return (1 + weight) * precision * recall / whole if whole else 0.0

    if mistake == "absent-orders-count-zero":
        rates = [(shared / max(1, output), shared / max(1, reference)) for output, reference, shared in row]
    else:
        rates = [(shared / output, shared / reference) for output, reference, shared in row if output and reference]
    if mistake in PER_ORDER:
        return mean([f(*rate) for rate in rates])
    return f(mean([precision for precision, _ in rates]), mean([recall for _, recall in rates]))
