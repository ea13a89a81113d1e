"""BLEU of corpora and of sentences, by sacrebleu."""

from __future__ import annotations

from typing import Any

from sacrebleu.metrics.bleu import BLEU, BLEUScore

from tests.vectors.plain.case import Case
from tools.make_vectors.draft import Draft, Suite, package

OPTIONS = {
    "tokenizer": "13a",
    "lowercase": False,
    "max_order": 4,
    "smoothing": "none",
    "smoothing_value": None,
    "effective_order": False,
}


def metric_of(case: Case) -> BLEU:
    options = case.options
    return BLEU(
        lowercase=options["lowercase"],
        tokenize=options["tokenizer"].replace("whitespace", "none"),
        smooth_method=options["smoothing"],
        smooth_value=options["smoothing_value"],
        max_ngram_order=options["max_order"],
        effective_order=options["effective_order"],
    )


def corpus(case: Case) -> dict[str, Any]:
    # sacrebleu reads one list per reference set, with None where a segment has fewer references.
    width = max(map(len, case.references))
    sets = [[group[at] if at < len(group) else None for group in case.references] for at in range(width)]
    found: BLEUScore = metric_of(case).corpus_score(case.hypotheses, sets)
    # add-k changes the counts that sacrebleu reports, so they are taken without it.
    plain = BLEU(
        lowercase=case.options["lowercase"],
        tokenize=case.options["tokenizer"].replace("whitespace", "none"),
        smooth_method="none",
        max_ngram_order=case.options["max_order"],
    ).corpus_score(case.hypotheses, sets)
    parts = {
        "matches": plain.counts,
        "totals": plain.totals,
        "hypothesis_length": found.sys_len,
        "reference_length": found.ref_len,
        "brevity_penalty": found.bp,
    }
    return {"score": found.score / 100, "parts": parts}


def sentences(case: Case) -> dict[str, Any]:
    bleu = metric_of(case)
    pairs = zip(case.hypotheses, case.references, strict=True)
    return {"scores": [bleu.sentence_score(hypothesis, group).score / 100 for hypothesis, group in pairs]}


CORPUS = Suite(
    metric="bleu",
    about="BLEU of a whole corpus: counts are summed over the segments, then the formula is applied once.",
    options=OPTIONS,
    expected=corpus,
    source=package("sacrebleu"),
    drafts=[
        Draft(
            "sums",
            "Counts are summed before the formula; the second output has two references, the first one three.",
            ["the cat sat on the mat near the old door", "he reads the long book by the lake"],
            [
                ["the cat sat on a mat near the door", "a cat was on the mat", "on the mat near the old door it sat"],
                ["he reads a long book by the lake", "by the lake he reads the long book today"],
            ],
            flags=["several-references", "unequal-references"],
        ),
        Draft(
            "clipping",
            "The classic example of Papineni et al.: 'the' seven times counts twice, as often as one reference has it.",
            ["the the the the the the the"],
            [["the cat is on the mat", "there is a cat on the mat", "the the"]],
            options={"max_order": 1},
            flags=["several-references"],
        ),
    ],
)

SENTENCE = Suite(
    metric="sentence-bleu",
    about="BLEU of each output by itself, smoothed, with orders that the output is too short for left out.",
    options={**OPTIONS, "smoothing": "exp", "effective_order": True},
    expected=sentences,
    source=package("sacrebleu"),
    drafts=[
        Draft(
            "short",
            "Texts of one, two and three tokens that equal their reference score 1.",
            ["Paris", "the cat", "the cat sat"],
            [["Paris"], ["the cat"], ["the cat sat"]],
        ),
    ],
    level="sentence",
)
SUITES = [CORPUS, SENTENCE]
