"""ROUGE, by rouge_score."""

from __future__ import annotations

from typing import Any

from rouge_score.rouge_scorer import RougeScorer

from tests.vectors.plain.case import Case, mean
from tools.make_vectors.draft import Draft, Suite, package


def scores(case: Case) -> dict[str, Any]:
    kind = case.options["type"]
    scorer = RougeScorer([kind], use_stemmer=case.options["stemmer"])
    found = [
        scorer.score_multi(group, hypothesis)[kind]
        for hypothesis, group in zip(case.hypotheses, case.references, strict=True)
    ]
    means = {name: mean([getattr(each, field) for each in found]) for name, field in FIELDS.items()}
    return {"score": means[case.options["measure"]], "parts": means}


FIELDS = {"f": "fmeasure", "precision": "precision", "recall": "recall"}

SUITES = [
    Suite(
        metric="rouge",
        about="ROUGE-1, -2, -L and -Lsum; the mean over the outputs, with the reference that gives the highest F. "
        "Words are runs of ASCII letters and digits, lowercased.",
        options={"type": "rouge1", "measure": "f", "stemmer": False},
        expected=scores,
        source=package("rouge_score"),
        drafts=[
            Draft(
                "recall",
                "The mean of the recalls of the outputs; of several references the one with the highest F counts, "
                "although another has a higher recall.",
                ["the the cat sat on the mat", "he reads a long book by the lake"],
                [["the cat is on the mat"], ["he writes", "the lake", "he reads a book by the big lake now"]],
                options={"measure": "recall"},
                flags=["several-references"],
            ),
            Draft(
                "words",
                "Punctuation, the underscore and letters outside of ASCII separate words; case is ignored; nothing is "
                "stemmed.",
                ["The well-known U.S. snake_case naïve cats."],
                [["the well known us snake case na ve cat"]],
            ),
            Draft(
                "stemmer",
                "Words of four letters or more are reduced to their stems on request.",
                ["The cats were running quickly as does a gas"],
                [["the cat was runs quick a doe ga"]],
                options={"stemmer": True},
            ),
            Draft(
                "bigrams",
                "ROUGE-2 counts pairs of words.",
                ["the cat sat on the mat"],
                [["the mat on the cat sat"]],
                options={"type": "rouge2"},
            ),
            Draft(
                "subsequence",
                "ROUGE-L: words in the same order, with gaps.",
                ["police killed the gunman near the old bridge"],
                [["the gunman kill police near a bridge"]],
                options={"type": "rougeL"},
            ),
            Draft(
                "summary",
                "ROUGE-Lsum: per line of the reference the union of the common subsequences with all lines of the "
                "output; a word counts at most as often as the output has it. 'x' or 'y' is as long as the other: "
                "walking back from the ends, the reference is shortened first.",
                ["w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5\ny x\nx"],
                [["w1 w2 w3 w4 w5\nw1 w9 w2 w1 w2 w5\nx y"]],
                options={"type": "rougeLsum"},
            ),
            Draft(
                "empty-output",
                "An empty output scores 0 and counts in the mean.",
                ["the cat", ""],
                [["the cat sat"], ["the cat"]],
                flags=["empty"],
            ),
        ],
    )
]
