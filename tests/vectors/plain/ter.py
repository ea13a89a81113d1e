"""TER (Snover et al. 2006), with tercom's limits to the search for shifts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from tests.kernels.twins import edits, shifts
from tests.vectors.plain.case import Case, mean, shared

MISTAKES = shared(
    "arguments-swapped", "first-reference-only", "references-transposed", "mean-of-sentences", "bootstrap-mean",
    "empty-output-skipped", "case-dropped", "case-kept", "percent", "single-precision", "rounded",
) | {
    "edits-swapped": "The search for shifts changes the reference instead of the output.",
    "empty-output-free": "An empty output costs nothing.",
    "no-shifts": "Shifts are not searched, so that TER is the word error rate.",
    "free-shifts": "A shift costs nothing.",
    "shift-costs-its-length": "A shift costs as much as it moves words.",
    "shortest-reference-length": "Edits are divided by the length of the shortest reference.",
    "best-reference-length": "Edits are divided by the length of the reference with the fewest edits.",
    "lowest-ratio": "The reference with the lowest ratio counts, not the one with the fewest edits.",
    "mean-edits": "Edits are averaged over the references.",
    "limited-to-one": "A rate above 1 is given as 1.",
    "divided-by-output": "Edits are divided by the length of the output.",
    "empty-reference-is-zero": "An empty reference gives 0 whatever the output is.",
    "punctuation-not-split": "Punctuation stays at its word although it is to be split off.",
    "punctuation-kept": "Punctuation stays although it is to be removed.",
    "one-minus": "The share of what is right is given: one minus the rate.",
}  # fmt: skip


def score(case: Case, mistake: str = "") -> float:
    rows = [
        segment(read(hypothesis, case.options, mistake), [read(text, case.options, mistake) for text in group], mistake)
        for hypothesis, group in zip(case.hypotheses, case.references, strict=True)
    ]
    total, length = sum(row[0] for row in rows), sum(row[1] for row in rows)
    if mistake == "empty-reference-is-zero" and not length:
        return 0.0
    value = total / length if length else float(total > 0)
    if mistake == "one-minus":
        return 1 - value
    return min(1.0, value) if mistake == "limited-to-one" else value


def segment(words: Sequence[str], references: list[list[str]], mistake: str) -> tuple[float, float]:
    """Edits with the reference that needs the fewest, and the mean length of the references."""
    costs = [cost(words, reference, mistake) for reference in references]
    lengths = [len(reference) for reference in references]
    best, length = min(costs), mean(lengths)
    match mistake:
        case "mean-edits":
            return mean(costs), length
        case "shortest-reference-length":
            return best, min(lengths)
        case "best-reference-length":
            return best, lengths[costs.index(best)]
        case "lowest-ratio":
            at = min(range(len(costs)), key=lambda at: costs[at] / max(1, lengths[at]))
            return costs[at], length
        case "divided-by-output":
            return best, len(words)
    return best, length


def cost(words: Sequence[str], reference: Sequence[str], mistake: str) -> int:
    if mistake == "no-shifts":
        return sum(edits.operations(reference, words)[1:])
    if mistake == "edits-swapped":
        return shifts.edits(reference, words)
    if mistake == "empty-output-free" and not words:
        return 0
    if mistake in {"free-shifts", "shift-costs-its-length"}:
        moves, steps = shifts.path(reference, words)
        moved = 0 if mistake == "free-shifts" else sum(length for _, length, _ in moves)
        return moved + len(steps) - steps.count("=")
    return shifts.edits(words, reference)


def read(text: str, options: dict[str, Any], mistake: str) -> list[str]:
    if options["lowercase"]:
        text = text.lower()
    if options["normalized"] and mistake != "punctuation-not-split":
        text = re.sub(r"([{-~[-` -&(-+:-@/])", r" \1 ", f" {text} ")
        text = text.replace("'s ", " 's ")
        text = re.sub(r"([^0-9])([.,])", r"\1 \2 ", text)
        text = re.sub(r"([.,])([^0-9])", r" \1 \2", text)
        text = re.sub(r"([0-9])(-)", r"\1 \2 ", text)
    if options["no_punct"] and mistake != "punctuation-kept":
        text = re.sub(r'[.,?:;!"()]', "", text)
    return text.split()
