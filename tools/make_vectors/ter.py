"""TER, by sacrebleu."""

from __future__ import annotations

from typing import Any

from sacrebleu.metrics.ter import TER

from tests.vectors.plain.case import Case
from tools.make_vectors.draft import Draft, Suite, package, reference_sets


def corpus(case: Case) -> dict[str, Any]:
    options = case.options
    metric = TER(
        normalized=options["normalized"], no_punct=options["no_punct"], case_sensitive=not options["lowercase"]
    )
    found = metric.corpus_score(case.hypotheses, reference_sets(case))
    return {"score": found.score / 100, "parts": {"edits": found.num_edits, "reference_length": found.ref_length}}


SUITES = [
    Suite(
        metric="ter",
        about="Translation edit rate of a corpus: edits and shifts with the reference that needs the fewest, divided "
        "by the mean length of the references. Lower is better, and it may exceed 1.",
        options={"normalized": False, "no_punct": False, "lowercase": True},
        expected=corpus,
        source=package("sacrebleu"),
        scale="rate",
        drafts=[
            Draft(
                "shift",
                "Words are moved together at the cost of one edit.",
                ["on the old mat the cat sat", "it is he"],
                [["the cat sat on the old mat"], ["it was her again today"]],
            ),
            Draft(
                "direction",
                "The output is changed until it is the reference. The other way round it takes four edits instead of "
                "five.",
                ["hello hello the a dog", "it is so"],
                [["jumps dog lazy the"], ["no"]],
            ),
            Draft(
                "several-references",
                "The reference with the fewest edits counts, and the mean length of all references.",
                ["the cat sat on the mat", "a dog"],
                [["a cat sat on it", "the black cat sat down on the old mat over there"], ["no", "a dog barks"]],
                flags=["several-references"],
            ),
            Draft(
                "empty-output",
                "An empty output costs all words of its reference.",
                ["", "the cat"],
                [["hello world foo"], ["the dog"]],
                flags=["empty"],
            ),
            Draft(
                "empty-reference", "Nothing was to be said, but two words were: 1.", ["a b"], [[""]], flags=["empty"]
            ),
            Draft(
                "case",
                "Case counts only on request.",
                ["The Cat sat"],
                [["the cat sat down"]],
                options={"lowercase": False},
            ),
            Draft("lowercase", "By default case is ignored.", ["The CAT sat"], [["the cat sat down"]]),
            Draft(
                "normalized",
                "Punctuation is split off on request.",
                ["yes, he said."],
                [["yes he said ."]],
                options={"normalized": True},
            ),
            Draft(
                "no-punct",
                "Punctuation is removed on request.",
                ["yes, he said!"],
                [["yes he said that"]],
                options={"no_punct": True},
            ),
        ],
    )
]
