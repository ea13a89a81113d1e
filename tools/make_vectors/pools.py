"""Metrics of a pool of texts: Self-BLEU by NLTK, distinct-n by counting."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu

from tests.vectors.plain.bleu import grams
from tests.vectors.plain.case import Case, mean
from tools.make_vectors.draft import Draft, Suite, package


def self_bleu(case: Case) -> dict[str, Any]:
    texts = [text.split() for text in case.hypotheses]
    order = case.options["max_order"]
    smooth = SmoothingFunction(epsilon=0.1).method1
    values = [
        float(sentence_bleu(texts[:at] + texts[at + 1 :], text, (1 / order,) * order, smooth))
        for at, text in enumerate(texts)
    ]
    return {"score": mean(values), "parts": {"scores": values}}


def count_ngrams(case: Case) -> tuple[int, int]:
    found = [grams(text.split(), case.options["order"]) for text in case.hypotheses]
    return len(set().union(*found)), sum(each.total() for each in found)


def distinct(case: Case) -> dict[str, Any]:
    different, whole = count_ngrams(case)
    parts = {"distinct": different, "total": whole}
    return {"score": float(Fraction(different, whole)) if whole else 0.0, "parts": parts}


def fraction(case: Case) -> str:
    different, whole = count_ngrams(case)
    return f"arithmetic: {different} different n-grams of {whole}"


SUITES = [
    Suite(
        metric="self-bleu",
        about="Self-BLEU of a pool of texts, which are split at blanks: the mean of each text's BLEU against all "
        "others, by NLTK's sentence BLEU with method 1: an order without a match counts 0.1 matches, an order that a "
        "text is too short for counts as one n-gram.",
        options={"max_order": 3, "smoothing": "epsilon", "smoothing_value": 0.1},
        expected=self_bleu,
        source=package("nltk"),
        drafts=[
            Draft(
                "pool",
                "Five texts, two of them equal, two of them short.",
                [
                    "the cat sat on the mat",
                    "the cat sat on the mat",
                    "The cat lay on the old mat",
                    "a cat sat there",
                    "there",
                ],
            ),
            Draft(
                "repetition",
                "Clipping and short texts.",
                ["the the the the cat", "the cat the", "the", "dogs bark"],
                options={"max_order": 2},
            ),
        ],
    ),
    Suite(
        metric="distinct",
        about="distinct-n of a pool of texts, which are split at blanks: different n-grams by all n-grams of the pool.",
        options={"order": 2},
        expected=distinct,
        source=fraction,
        drafts=[
            Draft(
                "bigrams",
                "Pairs of words within each text.",
                ["the cat sat", "the cat sat on the cat", "The dog", "the dog sat on"],
            ),
        ],
    ),
]
