"""Exact match and F1 of SQuAD: small enough to count by hand, as the sources do."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

from tests.vectors.plain.answers import read
from tests.vectors.plain.case import Case
from tools.make_vectors.draft import Draft, Suite


def terms(case: Case) -> list[Fraction]:
    """F1 of each output with its best reference."""
    found = []
    for hypothesis, group in zip(case.hypotheses, case.references, strict=True):
        words = Counter(read(hypothesis, case, "").split())
        others = [Counter(read(text, case, "").split()) for text in group]
        found.append(max(f1(words, other) for other in others))
    return found


def f1(words: Counter[str], other: Counter[str]) -> Fraction:
    both = (words & other).total()
    return Fraction(2 * both, words.total() + other.total()) if both else Fraction(0)


def equal(case: Case) -> list[Fraction]:
    return [
        Fraction(any(read(hypothesis, case, "") == read(text, case, "") for text in group))
        for hypothesis, group in zip(case.hypotheses, case.references, strict=True)
    ]


def mean_of(values: list[Fraction]) -> dict[str, Any]:
    return {"score": float(sum(values) / len(values)), "parts": {"scores": [float(value) for value in values]}}


def arithmetic(values: list[Fraction]) -> str:
    return f"arithmetic: ({' + '.join(map(str, values))})/{len(values)}, by the rules of SQuAD v1.1's evaluation"


SUITES = [
    Suite(
        metric="exact-match",
        about="Share of outputs that equal one of their references, blanks at the ends aside; `squad` lowercases, "
        "removes ASCII punctuation, then the articles a, an and the, and joins blanks.",
        options={"normalizer": "none"},
        expected=lambda case: mean_of(equal(case)),
        source=lambda case: arithmetic(equal(case)),
        drafts=[
            Draft(
                "plain",
                "Case, accents and their form count; blanks at the ends do not.",
                ["Paris", " London ", "paris", "cafe\u0301", "in Rome", ""],
                [["London", "Paris"], ["London"], ["Paris"], ["café"], ["Rome"], ["no answer"]],
                flags=["several-references", "empty"],
            ),
            Draft(
                "squad",
                "Articles go as whole words, ASCII punctuation goes without a trace, other signs stay.",
                ["The Eiffel Tower.", "thesis", "well-known", "rock’n’roll", "Zoë", "an  apple"],
                [["eiffel tower"], ["sis"], ["wellknown"], ["rocknroll"], ["Zo"], ["apple"]],
                options={"normalizer": "squad"},
            ),
        ],
    ),
    Suite(
        metric="squad-f1",
        about="F1 of the words of an answer and its best reference, as SQuAD v1.1 evaluates it; the mean over the "
        "answers.",
        options={"normalizer": "squad"},
        expected=lambda case: mean_of(terms(case)),
        source=lambda case: arithmetic(terms(case)),
        drafts=[
            Draft(
                "words",
                "A word counts as often as both have it; articles and punctuation do not count.",
                ["in the city of Paris, Paris", "new new York", "the well-known Zoë’s an anthem"],
                [["Paris, France", "Paris Paris"], ["New York City"], ["wellknown Zo s nthem Zoës"]],
                flags=["several-references"],
            ),
            Draft(
                "empty",
                "An answer of which nothing is left scores 0, also where nothing is left of its reference.",
                ["the", "", "yes"],
                [["a"], ["yes"], ["yes"]],
                accepted=lambda _: [
                    {
                        "name": "SQuAD v2.0, torchmetrics",
                        "score": 2 / 3,
                        "why": "An empty answer to an empty reference scores 1: the question has no answer.",
                    }
                ],
                flags=["empty"],
            ),
        ],
    ),
]
