"""SARI: counts written out, because the package that defines it cannot be installed beside the others."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tests.vectors.plain import sari as plain
from tests.vectors.plain.case import Case
from tools.make_vectors.draft import Draft, Suite

NAMES = ("add", "keep", "delete")


def rates(case: Case) -> list[list[tuple[Fraction, Fraction]]]:
    """Per order and operation: precision and recall."""
    segments = [
        (plain.read(s, case), plain.read(h, case), [plain.read(text, case) for text in group])
        for s, h, group in zip(case.sources, case.hypotheses, case.references, strict=True)
    ]
    orders = range(1, case.options["max_order"] + 1)
    found = [plain.rates_of(segments, order, "") for order in orders]
    return [[(Fraction(p).limit_denominator(999), Fraction(r).limit_denominator(999)) for p, r in row] for row in found]


def f1(precision: Fraction, recall: Fraction) -> Fraction:
    return 2 * precision * recall / (precision + recall) if precision + recall else Fraction(0)


def scores(case: Case) -> dict[str, Any]:
    found = rates(case)
    means = [sum(f1(*row[at]) for row in found) / len(found) for at in range(3)]
    return {
        "score": float(sum(means) / 3),
        "parts": {name: float(mean) for name, mean in zip(NAMES, means, strict=True)},
    }


def arithmetic(case: Case) -> str:
    found = rates(case)
    lines = [
        f"{name} = ({' + '.join(str(f1(*row[at])) for row in found)})/{len(found)}" for at, name in enumerate(NAMES)
    ]
    return f"arithmetic: mean of {', '.join(lines)}; each term is F1 of one order, from precision and recall"


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
