"""chrF and chrF++, by sacrebleu."""

from __future__ import annotations

from typing import Any

from nltk.translate.chrf_score import sentence_chrf
from sacrebleu.metrics.chrf import CHRF

from tests.vectors.plain.case import Case, mean
from tools.make_vectors.draft import Draft, Suite, package, reference_sets


def corpus(case: Case) -> dict[str, Any]:
    return {"score": CHRF(**case.options).corpus_score(case.hypotheses, reference_sets(case)).score / 100}


def accepted(case: Case) -> list[dict[str, Any]]:
    metric = CHRF(**case.options, eps_smoothing=True)
    found = [
        {
            "name": "chrF++.py, eps_smoothing of sacrebleu",
            "score": metric.corpus_score(case.hypotheses, reference_sets(case)).score / 100,
            "why": "F is computed per order and averaged, and an order that a text is too short for counts as 0.",
        }
    ]
    options = case.options
    if not options["word_order"] and not options["lowercase"]:
        settings = {"max_len": options["char_order"], "beta": options["beta"]}
        settings["ignore_whitespace"] = not options["whitespace"]
        score = mean(
            [
                max(sentence_chrf(reference, text, min_len=1, **settings) for reference in group)
                for text, group in zip(case.hypotheses, case.references, strict=True)
            ]
        )
        why = "The mean of the segments' scores, each with its best reference and with F averaged over the orders."
        if abs(score - found[0]["score"]) > 1e-9:
            found.append({"name": package("nltk"), "score": score, "why": why})
    return found


SUITES = [
    Suite(
        metric="chrf",
        about="chrF (word_order 0) and chrF++ (word_order 2) of a corpus: counts with the best reference of each "
        "segment are summed, precision and recall are averaged over the orders that both texts have, then F is taken.",
        options={"char_order": 6, "word_order": 0, "beta": 2, "lowercase": False, "whitespace": False},
        expected=corpus,
        source=package("sacrebleu"),
        accepted=accepted,
        drafts=[
            Draft(
                "sums",
                "Several references, of which the best of each segment counts; counts are summed over segments.",
                ["the cat sat on the mat", "he reads a book"],
                [["a cat is on the mat now", "the cat sat down on the mats"], ["he reads books", "she read the books"]],
                flags=["several-references"],
            ),
            Draft(
                "nothing-shared",
                "A segment that shares nothing with its reference, and an empty one, still add the n-grams of the "
                "reference.",
                ["the cat sat on the mat", "xqzz", ""],
                [["the cat sat on a mat"], ["he went home early"], ["no way"]],
                flags=["empty"],
            ),
            Draft(
                "short",
                "Orders that a text is too short for are left out: a short text that equals its reference scores 1.",
                ["abc"],
                [["abc"]],
            ),
            Draft(
                "plus-plus",
                "chrF++ counts words too, with punctuation as words of their own.",
                ["Hello, world! (It is me.)"],
                [["Hello world! It is me, (again)."]],
                options={"word_order": 2},
            ),
            Draft(
                "lowercase",
                "Case is ignored only on request.",
                ["The CAT Sat"],
                [["the cat sat up"]],
                options={"lowercase": True},
            ),
            Draft("case", "By default case counts.", ["The CAT Sat"], [["the cat sat up"]]),
            Draft(
                "whitespace",
                "Blanks count as characters only on request.",
                ["a cat sat"],
                [["ac at sat"]],
                options={"whitespace": True},
            ),
            Draft(
                "unicode",
                "Characters are code points: neither bytes nor UTF-16 units nor normalized.",
                ["cafe\u0301 𝒳𝒴 привет"],
                [["café 𝒳𝒵 приват"]],
            ),
        ],
    )
]
