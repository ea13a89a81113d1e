"""Answers: exact match and word F1, with the normalization of SQuAD v1.1 (Rajpurkar et al. 2016)."""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Sequence

from tests.vectors.plain.case import Case, mean, shared

NORMALIZATION = {
    "normalizer-ignored": "Answers are compared as they are.",
    "articles-kept": "The articles a, an and the are not removed.",
    "articles-in-words": "Articles are removed inside of words too.",
    "punctuation-kept": "Punctuation is not removed.",
    "punctuation-to-blanks": "Punctuation becomes a blank instead of nothing.",
    "unicode-punctuation": "Punctuation outside of ASCII is removed too.",
    "accents-dropped": "Accents are removed.",
}
OF_BOTH = NORMALIZATION | shared(
    "first-reference-only", "references-transposed", "first-segment-only", "percent", "empty-output-skipped"
)
EXACT_MISTAKES = OF_BOTH | shared("nfc", "case-dropped") | {
    "contained": "An output that contains a reference counts as equal.",
    "blanks-kept": "Blanks at the ends of an answer count.",
    "mean-of-references": "Each output gets the share of references it equals.",
    "all-references": "An output has to equal all references.",
    "always-normalized": "Answers are normalized although they are to be compared as they are.",
}  # fmt: skip
F1_MISTAKES = OF_BOTH | shared("single-precision", "rounded") | {
    "distinct-words": "A word counts once however often it occurs.",
    "precision-only": "Precision is given for F1.",
    "recall-only": "Recall is given for F1.",
    "mean-of-references": "References are averaged instead of taking the best.",
    "pooled-counts": "Words of all answers are counted together before F1.",
    "no-clipping": "A word of the output counts as often as it occurs.",
}  # fmt: skip


def normalize(text: str, mistake: str) -> str:
    text = text.lower()
    if mistake == "unicode-punctuation":
        text = re.sub(r"[^\w\s]", "", text)
    if mistake == "accents-dropped":
        text = text.encode("ascii", "ignore").decode()
    if mistake != "punctuation-kept":
        other = " " if mistake == "punctuation-to-blanks" else ""
        text = "".join(other if letter in string.punctuation else letter for letter in text)
    if mistake == "articles-in-words":
        text = re.sub(r"the|an|a", " ", text)
    elif mistake != "articles-kept":
        text = re.sub(r"\b(a|an|the)\b", " ", text)
    return " ".join(text.split())


def read(text: str, case: Case, mistake: str) -> str:
    squad = case.options["normalizer"] == "squad" and mistake != "normalizer-ignored"
    if squad or mistake == "always-normalized":
        return normalize(text, mistake)
    return text if mistake == "blanks-kept" else text.strip()


def exact(case: Case, mistake: str = "") -> float:
    values = []
    for hypothesis, group in zip(case.hypotheses, case.references, strict=True):
        output, references = read(hypothesis, case, mistake), [read(text, case, mistake) for text in group]
        equal = [output == reference for reference in references]
        if mistake == "contained":
            equal = [reference in output for reference in references]
        choose = {"mean-of-references": mean, "all-references": all}.get(mistake, any)
        values.append(float(choose(equal)))
    return mean(values)


def f1(case: Case, mistake: str = "") -> float:
    segments = []
    for hypothesis, group in zip(case.hypotheses, case.references, strict=True):
        words = read(hypothesis, case, mistake).split()
        segments.append([common(words, read(text, case, mistake).split(), mistake) for text in group])
    if mistake == "mean-of-references":
        return mean([mean([formula(row, mistake) for row in rows]) for rows in segments])
    best = [max(rows, key=lambda row: formula(row, mistake)) for rows in segments]
    if mistake == "pooled-counts":
        return formula([sum(row[at] for row in best) for at in range(3)], "")
    return mean([formula(row, mistake) for row in best])


def common(words: list[str], reference: list[str], mistake: str) -> tuple[int, int, int]:
    if mistake == "distinct-words":
        return len(set(words) & set(reference)), len(set(words)), len(set(reference))
    both = (Counter(words) & Counter(reference)).total()
    if mistake == "no-clipping":
        both = sum(word in reference for word in words)
    return both, len(words), len(reference)


def formula(found: Sequence[int], mistake: str) -> float:
    both, output, reference = found
    if not both:
        return 0.0
    precision, recall = both / output, both / reference
    if mistake == "precision-only":
        return precision
    if mistake == "recall-only":
        return recall
    return 2 * precision * recall / (precision + recall)
