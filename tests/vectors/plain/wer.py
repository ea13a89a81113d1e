"""Error rates of words and characters: WER, CER, MER and WIL (Morris et al. 2004)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tests.vectors.plain.case import Case, shared

MISTAKES = shared(
    "arguments-swapped", "first-segment-only", "mean-of-sentences", "bootstrap-mean", "empty-output-skipped",
    "case-dropped", "nfc", "bytes", "utf-16", "percent", "single-precision", "rounded",
) | {
    "substitution-costs-two": "A substitution costs as much as a deletion and an insertion.",
    "no-insertions": "Insertions do not count.",
    "divided-by-longer": "Edits are divided by the length of the longer text.",
    "limited-to-one": "A rate above 1 is given as 1.",
    "accuracy": "The share of what is right is given: one minus the rate.",
    "cer-without-blanks": "CER leaves out blanks.",
    "cer-trims-nothing": "CER counts blanks at the ends of the texts.",
    "cer-of-words": "CER counts words.",
    "wer-of-characters": "WER counts characters.",
    "punctuation-dropped": "Punctuation is dropped.",
    "blanks-not-joined": "A text is split at each single blank, so that two blanks in a row hold an empty word.",
    "wil-of-reference-only": "WIL looks at the reference alone: 1 − hits/reference.",
    "mer-as-wer": "MER is divided by the length of the reference, as WER is.",
    "empty-reference-is-zero": "An empty reference gives 0 whatever the output is.",
    "bag-of-words": "The order of the words is ignored.",
}  # fmt: skip


class Edits(NamedTuple):
    hits: int
    substitutions: int
    deletions: int
    insertions: int


def edits(reference: Sequence[str], output: Sequence[str], substitution: int = 1) -> Edits:
    """The cheapest edits from reference to output, of equally cheap ones those with the most hits."""
    row = [(at, 0, Edits(0, 0, 0, at)) for at in range(len(output) + 1)]
    for i, word in enumerate(reference, start=1):
        above, row = row, [(i, 0, Edits(0, 0, i, 0))]
        for j, other in enumerate(output, start=1):
            cost, hits, found = above[j - 1]
            if word == other:
                across = (cost, hits - 1, found._replace(hits=found.hits + 1))
            else:
                across = (cost + substitution, hits, found._replace(substitutions=found.substitutions + 1))
            cost, hits, found = above[j]
            deletion = (cost + 1, hits, found._replace(deletions=found.deletions + 1))
            cost, hits, found = row[-1]
            insertion = (cost + 1, hits, found._replace(insertions=found.insertions + 1))
            row.append(min(across, deletion, insertion, key=lambda way: way[:2]))
    return row[-1][2]


def items(text: str, rate: str, mistake: str) -> list[str]:
    if mistake == "punctuation-dropped":
        text = "".join(letter for letter in text if letter.isalnum() or letter.isspace())
    if (rate == "cer" and mistake != "cer-of-words") or (rate != "cer" and mistake == "wer-of-characters"):
        if mistake == "cer-without-blanks":
            text = "".join(text.split())
        return list(text if mistake == "cer-trims-nothing" else text.strip())
    found = text.split(" ") if mistake == "blanks-not-joined" else text.split()
    return sorted(found) if mistake == "bag-of-words" else found


def score(case: Case, mistake: str = "") -> float:
    rate = case.options["rate"]
    pairs = [
        (items(group[0], rate, mistake), items(hypothesis, rate, mistake))
        for hypothesis, group in zip(case.hypotheses, case.references, strict=True)
    ]
    cost = 2 if mistake == "substitution-costs-two" else 1
    found = [edits(*pair, substitution=cost) for pair in pairs]
    hits, substitutions, deletions, insertions = (sum(numbers) for numbers in zip(*found, strict=True))
    if mistake == "no-insertions":
        insertions = 0
    reference = sum(len(pair[0]) for pair in pairs)
    output = sum(len(pair[1]) for pair in pairs)
    if mistake == "empty-reference-is-zero" and not reference:
        return 0.0
    value = formula(rate, Edits(hits, substitutions, deletions, insertions), reference, output, mistake)
    if mistake == "accuracy":
        return 1 - value
    return min(1.0, value) if mistake == "limited-to-one" else value


def formula(rate: str, found: Edits, reference: int, output: int, mistake: str) -> float:
    hits, substitutions, deletions, insertions = found
    errors: float = substitutions + deletions + insertions
    if mistake == "substitution-costs-two":
        errors += substitutions
    if rate == "wil":
        kept = hits / reference if reference else 0.0
        if mistake == "wil-of-reference-only":
            return 1 - kept
        return 1 - kept * (hits / output if output else 0.0)
    length = reference
    if rate == "mer" and mistake != "mer-as-wer":
        length = hits + substitutions + deletions + insertions
    elif mistake == "divided-by-longer":
        length = max(reference, output)
    return errors / length if length else float(errors)
