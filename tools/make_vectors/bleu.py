"""BLEU of corpora and of sentences, by sacrebleu."""

from __future__ import annotations

from typing import Any

from nltk.translate.bleu_score import corpus_bleu
from pycocoevalcap.bleu.bleu import Bleu
from sacrebleu.metrics.bleu import BLEU, BLEUScore

from tests.vectors.plain.case import Case
from tools.make_vectors.draft import Draft, Suite, package, reference_sets

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
    sets = reference_sets(case)
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


def nltk_corpus(case: Case) -> list[dict[str, Any]]:
    groups = [[text.split() for text in group] for group in case.references]
    score = float(corpus_bleu(groups, [text.split() for text in case.hypotheses]))
    why = "A segment that is too short for an order counts as one n-gram without a match."
    return [{"name": package("nltk"), "score": score, "why": why}]


def coco_corpus(case: Case) -> list[dict[str, Any]]:
    groups = {at: list(group) for at, group in enumerate(case.references)}
    scores, _ = Bleu(4).compute_score(groups, {at: [text] for at, text in enumerate(case.hypotheses)}, verbose=0)
    why = "Constants of 1e-9 and 1e-15 keep an order without a match from making the score 0."
    return [{"name": package("pycocoevalcap"), "score": float(scores[3]), "why": why}]


CORPUS = Suite(
    metric="bleu",
    about="BLEU of a whole corpus: counts are summed over the segments, then the formula is applied once.",
    options=OPTIONS,
    expected=corpus,
    source=package("sacrebleu"),
    drafts=[
        Draft(
            "clipping",
            "The classic example of Papineni et al.: 'the' seven times counts twice, as often as one reference has it.",
            ["the the the the the the the"],
            [["the cat is on the mat", "there is a cat on the mat", "the the"]],
            options={"max_order": 1},
            flags=["several-references"],
        ),
        Draft(
            "sums",
            "Counts and lengths are summed before the formula. The first output has 10 tokens, its references have "
            "12, 8 and 4; the second has 6, its references 3 and 9: of two equally close lengths the shorter counts.",
            ["we will meet at the station in the old town", "the train leaves at ten today", "it is not late"],
            [
                [
                    "we will all meet at the new station in the old town",
                    "we will meet at the old station tomorrow",
                    "we meet at ten",
                ],
                ["it leaves today", "the train leaves at ten past nine or later"],
                ["it was not too late for the last train that leaves for the town"],
            ],
            flags=["several-references", "unequal-references", "ties"],
        ),
        Draft(
            "lowercase",
            "Case is ignored only on request, and then in all scripts.",
            ["the CAT Sat on the mat ÄRGERLICH"],
            [["The cat sat on THE mat ärgerlich"]],
            options={"lowercase": True},
        ),
        Draft(
            "case-and-tokens",
            "By default case counts, and punctuation is split off as 13a does it.",
            ['The cat, it sat on the mat. It said: "no!"'],
            [['The cat - it sat on the mat; it said "no".']],
        ),
        Draft(
            "no-four-gram",
            "Unsmoothed, one order without a match makes the score 0.",
            ["the black cat sat quietly here"],
            [["the black cat lay quietly here"]],
            accepted=coco_corpus,
        ),
        Draft(
            "exp",
            "The first order without a match gets half a match, the next one a quarter.",
            ["the black cat sat here"],
            [["a black cat was here"]],
            options={"smoothing": "exp"},
        ),
        Draft(
            "floor",
            "Only orders without a match get the floor.",
            ["the black cat sat here quietly"],
            [["the black cat was here"]],
            options={"smoothing": "floor", "smoothing_value": 0.1},
        ),
        Draft(
            "add-k",
            "Matches and totals of the orders above 1 are increased.",
            ["the black cat sat here quietly"],
            [["the black cat was here today"]],
            options={"smoothing": "add-k", "smoothing_value": 1},
        ),
        Draft(
            "short-segment",
            "A segment of one token has no bigrams: it adds nothing to their total. An empty one counts with the "
            "length of its reference.",
            ["a b c d e", "x", ""],
            [["a b c d e"], ["x"], ["y z"]],
            flags=["empty"],
            accepted=nltk_corpus,
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
        Draft(
            "nothing-shared",
            "No shared token, an empty output, and an empty reference: 0, however smoothed.",
            ["it rains cats and dogs", "", "it rains"],
            [["we stay at home"], ["we stay"], [""]],
            flags=["empty"],
        ),
        Draft(
            "smoothed",
            "Orders without a match get 1/2, 1/4, … matches.",
            ["the black cat sat here", "one black dog barks"],
            [["a black cat was here"], ["a black cat barks loudly"]],
        ),
        Draft(
            "several-references",
            "Matches come from all references; one length is compared, that of the closest.",
            ["the cat the cat on the mat", "the old man sleeps now"],
            [
                ["the cat is on the mat", "there is a cat on the mat right there", "a cat"],
                ["the old man is asleep in his chair", "an old man sleeps on a chair", "he sleeps"],
            ],
            flags=["several-references"],
        ),
    ],
    level="sentence",
)
SUITES = [CORPUS, SENTENCE]
