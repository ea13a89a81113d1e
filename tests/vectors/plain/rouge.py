"""ROUGE-1, -2, -L and -Lsum (Lin 2004), as rouge_score computes them; of several outputs the mean."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from nltk.stem import PorterStemmer

from tests.kernels.twins import best_match as twin
from tests.vectors.plain.bleu import grams
from tests.vectors.plain.case import Case, mean, shared

MISTAKES = shared(
    "arguments-swapped", "references-transposed", "first-reference-only", "pooled-counts", "first-segment-only",
    "empty-output-skipped", "percent", "single-precision", "rounded",
) | {
    "case-matters": "Texts are not lowercased.",
    "punctuation-in-words": "Texts are split at blanks.",
    "underscore-in-words": "Words are found with \\w+, which keeps the underscore and letters of all scripts.",
    "no-clipping": "An n-gram of the output counts as often as it occurs.",
    "distinct-ngrams": "Each different n-gram counts once.",
    "precision-for-recall": "Precision and recall are exchanged.",
    "recall-for-f": "Recall is given for F.",
    "f-arithmetic": "F is the arithmetic mean of precision and recall.",
    "mean-of-references": "Several references are averaged instead of taking the one with the highest F.",
    "best-of-each": "Precision and recall come from the reference that is best for each.",
    "stemmer-ignored": "Words are not stemmed although they are to be.",
    "stemmer-always": "Words are stemmed although they are not to be.",
    "short-words-stemmed": "Words of up to three letters are stemmed too.",
    "common-substring": "ROUGE-L counts the longest run of common words instead of the longest subsequence.",
    "bag-of-words": "ROUGE-L ignores the order of words.",
    "lines-ignored": "ROUGE-Lsum reads the text as one line, as ROUGE-L does.",
    "lines-matched-in-pairs": "ROUGE-Lsum compares line with line instead of taking the union over all lines.",
    "union-not-clipped": "ROUGE-Lsum counts a word of the output again for each line of the reference.",
    "other-subsequence": "ROUGE-Lsum takes another one of several longest subsequences.",
    "highest-order-one": "ROUGE-2 counts single words.",
}  # fmt: skip

Lines = list[list[str]]
Parts = tuple[float, float, float]
porter = PorterStemmer()


def score(case: Case, mistake: str = "") -> float:
    segments = [
        [parts(read(hypothesis, case, mistake), read(reference, case, mistake), case, mistake) for reference in group]
        for hypothesis, group in zip(case.hypotheses, case.references, strict=True)
    ]
    best = [max(found, key=f_of) for found in segments]
    if mistake == "pooled-counts":
        sums = [sum(part) for part in zip(*best, strict=True)]
        return measure((sums[0], sums[1], sums[2]), case, mistake)
    if mistake == "mean-of-references":
        return mean([mean([measure(part, case, mistake) for part in found]) for found in segments])
    if mistake == "best-of-each":
        return mean([max(measure(part, case, mistake) for part in found) for found in segments])
    return mean([measure(part, case, mistake) for part in best])


def read(text: str, case: Case, mistake: str) -> Lines:
    """The words of each line."""
    lines = []
    for line in text.split("\n"):
        line = line if mistake == "case-matters" else line.lower()
        if mistake == "punctuation-in-words":
            words = line.split()
        elif mistake == "underscore-in-words":
            words = re.findall(r"\w+", line)
        else:
            words = re.findall("[a-zA-Z0-9]+", line)
        if (case.options["stemmer"] and mistake != "stemmer-ignored") or mistake == "stemmer-always":
            shortest = 0 if mistake == "short-words-stemmed" else 4
            words = [porter.stem(word) if len(word) >= shortest else word for word in words]
        lines.append(words)
    return lines


def parts(hypothesis: Lines, reference: Lines, case: Case, mistake: str) -> Parts:
    """What both have, what the output has, what the reference has."""
    words, others = [word for line in hypothesis for word in line], [word for line in reference for word in line]
    kind = case.options["type"]
    if kind == "rougeLsum" and mistake != "lines-ignored":
        return union(hypothesis, reference, mistake), len(words), len(others)
    if kind in {"rougeL", "rougeLsum"}:
        return subsequence(words, others, mistake), len(words), len(others)
    order = 1 if mistake == "highest-order-one" else int(kind[-1])
    ours, theirs = grams(words, order), grams(others, order)
    if mistake == "distinct-ngrams":
        return len(ours.keys() & theirs.keys()), len(ours), len(theirs)
    matches = (ours & theirs).total()
    if mistake == "no-clipping":
        matches = sum(times for gram, times in ours.items() if gram in theirs)
    return matches, ours.total(), theirs.total()


def subsequence(words: Sequence[str], others: Sequence[str], mistake: str) -> int:
    if mistake == "bag-of-words":
        return (grams(words, 1) & grams(others, 1)).total()
    if mistake == "common-substring":
        runs = [
            length for length in range(1, len(words) + 1) if grams(words, length).keys() & grams(others, length).keys()
        ]
        return max(runs, default=0)
    return twin.table(others, words)[-1][-1]


def union(hypothesis: Lines, reference: Lines, mistake: str) -> int:
    if mistake == "lines-matched-in-pairs":
        return sum(subsequence(*pair, "") for pair in zip(hypothesis, reference, strict=False))
    if mistake == "union-not-clipped":
        return sum(len(set().union(*(twin.subsequence(line, other) for other in hypothesis))) for line in reference)
    if mistake != "other-subsequence":
        return twin.union_matches(hypothesis, reference)
    left = Counter(word for line in hypothesis for word in line)
    taken = [line[at] for line in reference for at in set().union(*(other_way(line, other) for other in hypothesis))]
    return (left & Counter(taken)).total()


def other_way(rows: Sequence[str], columns: Sequence[str]) -> list[int]:
    """The rows of the longest common subsequence that is found by leaving out columns before rows."""
    lengths = twin.table(rows, columns)
    row, column, taken = len(rows), len(columns), []
    while row and column:
        if rows[row - 1] == columns[column - 1]:
            row, column = row - 1, column - 1
            taken.append(row)
        elif lengths[row][column - 1] >= lengths[row - 1][column]:
            column -= 1
        else:
            row -= 1
    return taken


def f_of(found: Parts) -> float:
    matches, output, reference = found
    return 2 * matches / (output + reference) if matches else 0.0


def measure(found: Parts, case: Case, mistake: str) -> float:
    matches, output, reference = found
    precision, recall = matches / output if output else 0.0, matches / reference if reference else 0.0
    if mistake == "precision-for-recall":
        precision, recall = recall, precision
    if mistake == "recall-for-f":
        return recall
    if case.options["measure"] == "f" and mistake == "f-arithmetic":
        return (precision + recall) / 2
    return {"f": f_of(found), "precision": precision, "recall": recall}[case.options["measure"]]
