"""WER, CER, MER and WIL, by jiwer."""

from __future__ import annotations

from typing import Any

import jiwer

from tests.vectors.plain.case import Case
from tools.make_vectors.draft import Draft, Suite, package


def rates(case: Case) -> dict[str, Any]:
    references = [group[0] for group in case.references]
    rate = case.options["rate"]
    found = (jiwer.process_characters if rate == "cer" else jiwer.process_words)(references, list(case.hypotheses))
    parts = {name: getattr(found, name) for name in ("hits", "substitutions", "deletions", "insertions")}
    return {"score": float(getattr(found, rate)), "parts": parts}


SUITES = [
    Suite(
        metric="wer",
        about="Word error rate (wer), character error rate (cer), match error rate (mer) and word information lost "
        "(wil): edits are summed over all segments, then divided. Lower is better, and wer and cer may exceed 1.",
        options={"rate": "wer"},
        expected=rates,
        source=package("jiwer"),
        scale="rate",
        drafts=[
            Draft(
                "sums",
                "All edits over all words of the references; an empty output costs the words of its reference.",
                ["the cat sat on a mat", "no it is really not", ""],
                [["the black cat sat at the mat"], ["it is not"], ["no way"]],
                flags=["empty"],
            ),
            Draft(
                "text-as-it-is",
                "Case and punctuation count; blanks in a row separate two words only.",
                ["The cat,  it sat."],
                [["the cat it sat"]],
            ),
            Draft(
                "empty-reference",
                "Where nothing was said, each word of the output is an error: their number is given.",
                ["uh huh"],
                [[""]],
                flags=["empty"],
            ),
            Draft(
                "cer",
                "Characters are code points, blanks between words count, blanks at the ends do not.",
                ["cafe\u0301 𝒳 привет", " ab c"],
                [["café 𝒴 приват"], ["a bc"]],
                options={"rate": "cer"},
            ),
            Draft(
                "mer",
                "Divided by all hits and edits: never above 1.",
                ["so it is not here now"],
                [["it is here"]],
                options={"rate": "mer"},
            ),
            Draft(
                "wil",
                "One minus the share of the reference that was hit times the share of the output that was.",
                ["so it is not here now"],
                [["it is here"]],
                options={"rate": "wil"},
            ),
        ],
    )
]
