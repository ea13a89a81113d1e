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
        options={"rate": "wer", "lowercase": False},
        expected=rates,
        source=package("jiwer"),
        scale="rate",
        drafts=[
            Draft(
                "sums",
                "Edits of both segments over words of both references; two substitutions, a deletion, two insertions.",
                ["the cat sat on a mat", "no it is really not"],
                [["the black cat sat at the mat"], ["it is not"]],
            ),
        ],
    )
]
