"""TER of a corpus and of single pairs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bleuprint
from bench.data import Corpus
from bench.harness import Field, Run, peer, race
from bench.results import Goal, Section
from bench.row_contestants import Scorer, Scores, duel

SEGMENTS = 300  # sacrebleu takes some 10 ms for each


def sections(run: Run) -> Iterator[Section]:
    corpus = spread(run.corpus, SEGMENTS)
    title = f"{len(corpus)} segments, one thread, CPU time"
    yield section(f"Corpus TER, {title}", duel(corpus_scores({}), "sacrebleu", peer_corpus({}), Goal(100)), corpus, run)
    rules = {"normalized": True, "no_punct": True, "asian_support": True}
    rules_field = duel(corpus_scores(rules), "sacrebleu", peer_corpus(rules), Goal(100))
    yield section(f"Corpus TER with all rules of the tokenizer, {title}", rules_field, corpus, run)
    single = duel(sentence_scores, "sacrebleu", peer_sentences())
    yield section(f"sentence_ter, call by call, {title}", single, corpus, run)


def spread(corpus: Corpus, segments: int) -> Corpus:
    """That many segments from all over the corpus: its language pairs differ in length, and time grows faster."""
    step = max(1, len(corpus) // segments)
    return Corpus(corpus.source, corpus.hypotheses[::step], corpus.references[::step]).head(segments)


def section(title: str, contestants: Field[Scores], corpus: Corpus, run: Run) -> Section:
    return Section(title, "µs/segment", race(contestants, corpus, run), rate="segment")


def corpus_scores(rules: dict[str, Any]) -> Scorer:
    return lambda hypotheses, references: [bleuprint.corpus_ter(hypotheses, references, threads=1, **rules).value]


def sentence_scores(hypotheses: list[str], references: list[str]) -> Scores:
    return [bleuprint.sentence_ter(*pair).value for pair in zip(hypotheses, references, strict=True)]


def peer_corpus(rules: dict[str, Any]) -> Scorer | None:
    sacrebleu = peer("sacrebleu")
    if sacrebleu is None:
        return None
    metric = sacrebleu.TER(**rules)
    return lambda hypotheses, references: [metric.corpus_score(hypotheses, [references]).score / 100]


def peer_sentences() -> Scorer | None:
    sacrebleu = peer("sacrebleu")
    if sacrebleu is None:
        return None
    metric = sacrebleu.TER()
    return lambda hypotheses, references: [
        metric.sentence_score(text, [reference]).score / 100
        for text, reference in zip(hypotheses, references, strict=True)
    ]
