"""ROUGE-1, ROUGE-2 and ROUGE-L of a column of texts, with and without stemmer, and ROUGE-Lsum of long texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import bleuprint
from bench.data import Corpus
from bench.harness import Contestant, Run, peer, race
from bench.results import Goal, Row, Section
from bench.row_contestants import Prepare, Scores, entry
from bleuprint.compat.rouge_score.rouge_scorer import RougeScorer

TYPES = ("rouge1", "rouge2", "rougeL")
ALL_TYPES = (*TYPES, "rougeLsum")
FEW = 500  # segments of the slow ones
LINES = 20  # of a long text


def sections(run: Run) -> Iterator[Section]:
    yield timed("ROUGE-1/2/L of a column, no stemmer, one thread, CPU time", race(plain_field, run.corpus, run))
    yield timed("The same with the stemmer", race(partial(original_field, stemmer=True), run.corpus, run))
    yield timed(
        f"ROUGE-1/2/L/Lsum of texts of {LINES} lines",
        race(partial(original_field, types=ALL_TYPES, few=25), long_texts(run.corpus), run),
    )
    yield timed("sentence_rouge, call by call", race(pair_field, run.corpus.head(FEW), run))
    yield timed("RougeScorer.score, call by call", race(drop_in_entries, run.corpus.head(FEW), run))


def timed(title: str, rows: list[Row]) -> Section:
    return Section(
        title, "µs/segment", rows, ["A difference is the largest of any F, segment by segment."], rate="segment"
    )


def long_texts(corpus: Corpus) -> Corpus:
    starts = range(0, len(corpus), LINES)
    sides = (["\n".join(lines[at : at + LINES]) for at in starts] for lines in (corpus.hypotheses, corpus.references))
    return Corpus(corpus.source, *sides)


def spread(corpus: Corpus, segments: int) -> Corpus:
    """So many segments from all over the corpus: their lengths must be those of the whole."""
    step = max(1, len(corpus) // segments)
    return Corpus(corpus.source, corpus.hypotheses[::step][:segments], corpus.references[::step][:segments])


def ours(hypotheses: list[str], references: list[str], types: tuple[str, ...], stemmer: bool) -> Scores:
    """Every F of every segment."""
    metric = bleuprint.ROUGE(types=types, stemmer=stemmer)
    found = metric.definition.formula.scores(tuple(metric.statistics(hypotheses, references, threads=1).rows.T))
    return [float(value) for kind in types for value in found[kind]]


def corpus_entry(corpus: Corpus, types: tuple[str, ...], stemmer: bool) -> Contestant[Scores]:
    """What users call: all means of a corpus, segment scores included."""

    def prepare(hypotheses: list[str], references: list[str]) -> Callable[[], Scores]:
        return lambda: [bleuprint.corpus_rouge(hypotheses, references, types=types, stemmer=stemmer, threads=1).value]

    return entry("bleuprint, corpus_rouge", corpus, prepare)


def original_entry(
    corpus: Corpus, types: tuple[str, ...], stemmer: bool, few: int, goal: Goal | None = None
) -> list[Contestant[Scores]]:
    module = peer("rouge_score") and peer("rouge_score.rouge_scorer")
    if module is None:
        return []
    scorer = module.RougeScorer(list(types), use_stemmer=stemmer)

    def prepare(hypotheses: list[str], references: list[str]) -> Callable[[], Scores]:
        def job() -> Scores:
            scores = [scorer.score(*pair) for pair in zip(references, hypotheses, strict=True)]
            return [score[kind].fmeasure for kind in types for score in scores]

        return job

    expected = partial(ours, types=types, stemmer=stemmer)
    return [entry("rouge_score", spread(corpus, few), prepare, expected, goal)]


def rust_entry(corpus: Corpus) -> list[Contestant[Scores]]:
    module = peer("fast_rouge")
    if module is None:
        return []

    def prepare(hypotheses: list[str], references: list[str]) -> Callable[[], Scores]:
        def job() -> Scores:
            columns = module.score_batch_flat(references, hypotheses)
            return [*columns.rouge1_fmeasure, *columns.rouge2_fmeasure, *columns.rougeL_fmeasure]

        return job

    expected = partial(ours, types=TYPES, stemmer=False)
    return [entry("rouge-rust", corpus, prepare, expected, Goal(at_least=1.5))]


def drop_in_entries(corpus: Corpus) -> list[Contestant[Scores]]:
    """Two classes with the methods of rouge_score's, called pair by pair."""

    def loop(scorer: Any) -> Prepare:
        def prepare(hypotheses: list[str], references: list[str]) -> Callable[[], Scores]:
            pairs = list(zip(references, hypotheses, strict=True))

            def job() -> Scores:
                scores = [scorer.score(*pair) for pair in pairs]
                return [score[kind].fmeasure for kind in TYPES for score in scores]

            return job

        return prepare

    expected = partial(ours, types=TYPES, stemmer=False)
    entries = [entry("bleuprint.compat.rouge_score", corpus, loop(RougeScorer(list(TYPES))), expected)]
    if module := peer("rouge_score_rs"):
        theirs = loop(module.RougeScorer(list(TYPES)))
        entries.append(entry("rouge-score-rs", corpus, theirs, expected, Goal(at_least=2)))
    return entries


def batch_entry(corpus: Corpus) -> list[Contestant[Scores]]:
    module = peer("rouge_score_rs")
    if module is None:
        return []
    scorer = module.RougeScorer(list(TYPES))

    def prepare(hypotheses: list[str], references: list[str]) -> Callable[[], Scores]:
        def job() -> Scores:
            scores = scorer.score_batch(references, hypotheses)
            return [score[kind].fmeasure for kind in TYPES for score in scores]

        return job

    return [entry("rouge-score-rs", corpus, prepare, partial(ours, types=TYPES, stemmer=False), Goal(at_least=3))]


def plain_field(corpus: Corpus) -> list[Contestant[Scores]]:
    return [
        corpus_entry(corpus, TYPES, False),
        *original_entry(corpus, TYPES, False, FEW, Goal(at_least=90)),
        *rust_entry(corpus),
        *batch_entry(corpus),
    ]


def original_field(
    corpus: Corpus, types: tuple[str, ...] = TYPES, stemmer: bool = False, few: int = FEW
) -> list[Contestant[Scores]]:
    return [corpus_entry(corpus, types, stemmer), *original_entry(corpus, types, stemmer, few)]


def pair_field(corpus: Corpus) -> list[Contestant[Scores]]:
    def prepare(hypotheses: list[str], references: list[str]) -> Callable[[], Scores]:
        pairs = list(zip(hypotheses, references, strict=True))

        def job() -> Scores:
            scores = [bleuprint.sentence_rouge(*pair, types=TYPES) for pair in pairs]
            return [score[kind] for kind in TYPES for score in scores]

        return job

    expected = partial(ours, types=TYPES, stemmer=False)
    return [
        entry("bleuprint, sentence_rouge", corpus, prepare, expected),
        *original_entry(corpus, TYPES, False, len(corpus)),
    ]
