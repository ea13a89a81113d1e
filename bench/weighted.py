"""NIST and CIDEr of a corpus, weights included: both sides get text that is split at blanks already."""

from __future__ import annotations

from collections.abc import Iterator

import bleuprint
from bench.harness import Run, peer, race
from bench.results import Goal, Section
from bench.row_contestants import Scorer, Scores, duel

SEGMENTS = 2000
GOAL = Goal(20)


def sections(run: Run) -> Iterator[Section]:
    corpus = run.corpus.head(SEGMENTS)
    title = f"{len(corpus)} segments, one thread, CPU time"
    fields = {
        "NIST": duel(our_nist, "nltk", peer_nist(), GOAL),
        "CIDEr-D": duel(our_cider, "pycocoevalcap", peer_cider(), GOAL),
    }
    for name, contestants in fields.items():
        yield Section(f"Corpus {name}, {title}", "µs/segment", race(contestants, corpus, run), rate="segment")


def our_nist(hypotheses: list[str], references: list[str]) -> Scores:
    return [bleuprint.corpus_nist(hypotheses, references, tokenizer="whitespace", threads=1).value]


def our_cider(hypotheses: list[str], references: list[str]) -> Scores:
    score = bleuprint.cider(hypotheses, references, tokenizer="whitespace", lowercase=False, threads=1)
    return [score.value]


def peer_nist() -> Scorer | None:
    if peer("nltk") is None:
        return None
    from nltk.translate.nist_score import corpus_nist

    return lambda hypotheses, references: [
        corpus_nist([[text.split()] for text in references], [text.split() for text in hypotheses])
    ]


def peer_cider() -> Scorer | None:
    if peer("pycocoevalcap") is None:
        return None
    from pycocoevalcap.cider.cider import Cider

    def score(hypotheses: list[str], references: list[str]) -> Scores:
        theirs = {number: [text] for number, text in enumerate(references)}
        value, _ = Cider().compute_score(theirs, {number: [text] for number, text in enumerate(hypotheses)})
        return [float(value)]

    return score
