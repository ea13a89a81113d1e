"""Perplexity under the small model in the folder, by KenLM."""

from __future__ import annotations

from functools import cache
from typing import Any

import kenlm

from tests.vectors.plain.case import Case
from tests.vectors.plain.perplexity import FOLDER
from tools.make_vectors.draft import Draft, Suite, package


@cache
def model(name: str) -> Any:
    quiet = kenlm.Config()
    quiet.show_progress = False
    quiet.arpa_complain = kenlm.ARPALoadComplain.NONE
    return kenlm.Model(str(FOLDER / name), quiet)


def perplexity(case: Case) -> dict[str, Any]:
    rows = [row for text in case.hypotheses for row in model(case.options["model"]).full_scores(text)]
    if case.options["unknown"] == "exclude":
        rows = [row for row in rows if not row[2]]
    total = sum(row[0] for row in rows)
    return {"score": 10.0 ** (-total / len(rows)), "parts": {"log10_probability": total, "tokens": len(rows)}}


SUITES = [
    Suite(
        metric="perplexity",
        about="Perplexity of all texts together, which are split at blanks, under tiny.arpa: ten to the mean negative "
        "log10 probability of each word and of the end of each text, from the beginning of the text on.",
        options={"model": "tiny.arpa", "unknown": "include"},
        expected=perplexity,
        source=package("ufal.kenlm"),
        scale="unbounded",
        drafts=[
            Draft(
                "texts",
                "Two texts of unequal length: all probabilities are multiplied, then the root is taken.",
                ["the cat sat on the cat", "a dog"],
            ),
            Draft("unknown", "A word outside of the model counts as <unk>; case counts.", ["the zebra sat on The cat"]),
            Draft(
                "unknown-excluded",
                "Words outside of the model leave both the sum and the number.",
                ["the zebra sat on the cat"],
                options={"unknown": "exclude"},
            ),
        ],
    )
]
