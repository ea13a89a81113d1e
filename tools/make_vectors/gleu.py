"""GLEU, by NLTK."""

from __future__ import annotations

from typing import Any

from nltk.translate.gleu_score import corpus_gleu

from tests.vectors.plain.case import Case
from tools.make_vectors.draft import Draft, Suite, package


def corpus(case: Case) -> dict[str, Any]:
    groups = [[text.split() for text in group] for group in case.references]
    outputs = [text.split() for text in case.hypotheses]
    options = case.options
    return {"score": float(corpus_gleu(groups, outputs, options["min_order"], options["max_order"]))}


SUITES = [
    Suite(
        metric="gleu",
        about="Google's GLEU of a corpus, of texts that are split at blanks: n-grams of all orders are pooled, of "
        "each output's references the one with the best ratio counts, and the larger text divides.",
        options={"min_order": 1, "max_order": 4},
        expected=corpus,
        source=package("nltk"),
        drafts=[
            Draft(
                "sums",
                "One output is longer than its reference, the other one shorter; counts are summed.",
                ["the cat sat on the mat near the door", "he reads a book"],
                [
                    [
                        "near the door",
                        "on the mat near the door sat a black cat with the white tail of the dog",
                        "the cat sat on a mat",
                    ],
                    ["he reads the book by the lake", "she writes"],
                ],
                flags=["several-references"],
            ),
            Draft(
                "orders",
                "Pairs and triples alone.",
                ["the cat sat on the mat"],
                [["a cat sat on a mat"]],
                options={"min_order": 2, "max_order": 3},
            ),
            Draft("case", "Case counts.", ["The cat sat"], [["the cat sat"]]),
            Draft(
                "empty-output",
                "An empty output counts with the n-grams of its reference.",
                ["the cat", ""],
                [["the cat"], ["a dog"]],
                flags=["empty"],
            ),
        ],
    )
]
