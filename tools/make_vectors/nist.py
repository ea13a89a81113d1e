"""NIST, by NLTK."""

from __future__ import annotations

from typing import Any

from nltk.translate.nist_score import corpus_nist

from tests.vectors.plain.case import Case
from tools.make_vectors.draft import Draft, Suite, package


def corpus(case: Case) -> dict[str, Any]:
    groups = [[text.split() for text in group] for group in case.references]
    outputs = [text.split() for text in case.hypotheses]
    return {"score": float(corpus_nist(groups, outputs, case.options["max_order"]))}


SUITES = [
    Suite(
        metric="nist",
        about="NIST of a corpus as NLTK computes it, of texts that are split at blanks: matches weigh by how rare "
        "they are in the references of the whole corpus. At each order an output is compared with the reference that "
        "gives it the highest precision, also in length.",
        options={"max_order": 5},
        expected=corpus,
        source=package("nltk"),
        scale="unbounded",
        drafts=[
            Draft(
                "sums",
                "Weights are counted on all references of all segments.",
                ["the the cat sat on the mat", "he reads a book by the"],
                [
                    ["the cat is sitting on the mat", "a cat sat on the mat near the door"],
                    ["he reads the book by the lake", "a man reads a book by it"],
                ],
                flags=["several-references"],
            ),
            Draft(
                "short",
                "Shorter than the references, with orders up to 2.",
                ["the cat sat", "He reads a book"],
                [["the cat sat on the mat"], ["he reads a book of the cat"]],
                options={"max_order": 2},
            ),
            Draft(
                "empty-output",
                "An empty output counts with the length of its reference.",
                ["the cat sat on it", ""],
                [["the cat sat on it"], ["a dog"]],
                flags=["empty"],
            ),
        ],
    )
]
