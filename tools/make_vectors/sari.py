"""SARI: arithmetic over counts, because the package that defines it cannot be installed beside the others."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tests.kernels.twins import changes
from tests.vectors.plain.case import Case
from tools.make_vectors.draft import Draft, Suite

NAMES = ("add", "keep", "delete")


def counts(case: Case, order: int) -> list[list[int]]:
    """Per operation, summed over the segments: n-grams that output and references agree on, of the output, of these."""
    rows = [
        changes.operations(words(source), words(hypothesis), [words(text) for text in group], order)
        for source, hypothesis, group in zip(case.sources, case.hypotheses, case.references, strict=True)
    ]
    return [[sum(numbers) for numbers in zip(*operation, strict=True)] for operation in zip(*rows, strict=True)]


def words(text: str) -> list[str]:
    return text.lower().split()


def f1(both: int, ours: int, theirs: int) -> Fraction:
    return Fraction(2 * both, ours + theirs) if both else Fraction(0)


def terms(case: Case) -> dict[str, list[Fraction]]:
    """Per operation F1 of each order."""
    found = [counts(case, order) for order in range(1, case.options["max_order"] + 1)]
    return {name: [f1(*row[at]) for row in found] for at, name in enumerate(NAMES)}


def scores(case: Case) -> dict[str, Any]:
    means = {name: sum(values) / len(values) for name, values in terms(case).items()}
    return {"score": float(sum(means.values()) / 3), "parts": {name: float(value) for name, value in means.items()}}


def arithmetic(case: Case) -> str:
    lines = [f"{name} = ({' + '.join(map(str, values))})/{len(values)}" for name, values in terms(case).items()]
    return f"arithmetic: mean of {', '.join(lines)}; each term is F1 of one order, from counts of n-grams"


SOURCE = "About 95 species are currently accepted ."
REFERENCES = [
    "About 95 species are currently known .",
    "About 95 species are now accepted .",
    "95 species are now accepted .",
]
EVALUATE = "Deletion counts by precision alone, and 0 of 0 counts as 1, as in the script of Hugging Face evaluate."
SUITES = [
    Suite(
        metric="sari",
        about="SARI of a corpus as EASSE defines it, of texts that are split at blanks: the mean of the F1 of what "
        "was added, kept and deleted, each a mean over the orders.",
        options={"lowercase": True, "max_order": 4},
        expected=scores,
        source=arithmetic,
        drafts=[
            Draft(
                "paper",
                "The example of Xu et al.; EASSE 0.2.4 prints 31.350246975246975.",
                ["About 95 you now get in ."],
                [REFERENCES],
                [SOURCE],
                accepted=lambda _: [{"name": "evaluate", "score": 0.26953601953601954, "why": EVALUATE}],
                flags=["several-references"],
            ),
            Draft(
                "unchanged",
                "Nothing was to be changed and nothing was: keeping is perfect, but nothing added or deleted earns "
                "nothing.",
                ["the cat sat on the mat"],
                [["the cat sat on the mat"]],
                ["the cat sat on the mat"],
                accepted=lambda _: [{"name": "evaluate", "score": 1.0, "why": EVALUATE}],
            ),
            Draft(
                "sums",
                "Counts of the segments are summed before the formula; case is ignored; an empty output deletes all.",
                ["The cat sat on the mat", "he reads a a book", ""],
                [["the cat was sitting down"], ["He reads a a long book"], ["a dog"]],
                ["the cat was sitting on the mat", "he peruses the long book", "there is a dog"],
                flags=["empty"],
            ),
        ],
    )
]
