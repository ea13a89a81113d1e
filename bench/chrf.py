"""chrF and chrF++: corpora, columns of scores, single pairs, other scripts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import bleuprint
from bench.bleu import loop, timed
from bench.data import Corpus
from bench.harness import Contestant, Run, peer, race
from bench.results import Goal, Section
from bench.row_contestants import Scorer, Scores, entry

SEGMENTS = 5_000
SLOW = 500  # segments for sacrebleu, which takes as long for them as we take for a hundred times as many
DOCUMENT = 40  # segments

AGAINST_SACREBLEU = Goal(at_least=40)
AGAINST_FASTCHRF = Goal(at_least=10)


def sections(run: Run) -> Iterator[Section]:
    corpus = run.corpus.head(SEGMENTS)
    for name, word_order in (("chrF", 0), ("chrF++", 2)):
        rows = race(partial(corpus_field, word_order=word_order), corpus, run)
        yield timed(f"Corpus {name}, lists of str, one thread, CPU time", rows)
    yield timed("sentence_chrfs for a column, against a loop, CPU time", race(column_field, corpus, run))
    yield timed("sentence_chrf, call by call, CPU time", race(pair_field, corpus.head(SLOW), run))
    texts = documents(run.large.head(SEGMENTS))
    yield timed(f"Corpus chrF of documents of {DOCUMENT} segments, CPU time", race(document_field, texts, run))


def documents(corpus: Corpus) -> Corpus:
    sides = [
        [" ".join(lines[at : at + DOCUMENT]) for at in range(0, len(lines), DOCUMENT)]
        for lines in (corpus.hypotheses, corpus.references)
    ]
    return Corpus(corpus.source, *sides)


def corpus_score(word_order: int) -> Scorer:
    def score(hypotheses: list[str], references: list[str]) -> Scores:
        return [bleuprint.corpus_chrf(hypotheses, references, word_order=word_order, threads=1).value]

    return score


def row_of_scores(hypotheses: list[str], references: list[str]) -> Scores:
    return bleuprint.sentence_chrfs(hypotheses, references, threads=1)


def corpus_field(
    corpus: Corpus, word_order: int, slow: int = SLOW, goal: Goal = AGAINST_SACREBLEU
) -> list[Contestant[Scores]]:
    ours = corpus_score(word_order)
    entries = [entry("bleuprint", corpus, lambda lines, references: lambda: ours(lines, references))]
    if sacrebleu := peer("sacrebleu"):

        def prepare(hypotheses: list[str], references: list[str]) -> Callable[[], Scores]:
            return lambda: [sacrebleu.corpus_chrf(hypotheses, [references], word_order=word_order).score / 100]

        entries.append(entry(f"sacrebleu, {slow} segments", corpus.head(slow), prepare, ours, goal=goal))
    return entries


def document_field(corpus: Corpus) -> list[Contestant[Scores]]:
    return corpus_field(corpus, word_order=0, slow=10)


def column_field(corpus: Corpus) -> list[Contestant[Scores]]:
    entries = [entry("bleuprint", corpus, lambda lines, references: lambda: row_of_scores(lines, references))]
    return entries + sacrebleu_loop(corpus.head(SLOW)) + fastchrf_column(corpus.head(4 * SLOW))


def pair_field(corpus: Corpus) -> list[Contestant[Scores]]:
    ours = loop(lambda line, group: bleuprint.sentence_chrf(line, group).value)
    return [entry("bleuprint", corpus, ours, row_of_scores), *sacrebleu_loop(corpus)]


def sacrebleu_loop(corpus: Corpus) -> list[Contestant[Scores]]:
    sacrebleu = peer("sacrebleu")
    if sacrebleu is None:
        return []
    metric = sacrebleu.CHRF()
    theirs = loop(lambda line, group: metric.sentence_score(line, group).score / 100)
    return [entry("sacrebleu, one CHRF object", corpus, theirs, row_of_scores, goal=AGAINST_SACREBLEU)]


def fastchrf_column(corpus: Corpus) -> list[Contestant[Scores]]:
    fastchrf = peer("fastchrf")
    if fastchrf is None:
        return []

    def prepare(hypotheses: list[str], references: list[str]) -> Callable[[], Scores]:
        groups = [[line] for line in hypotheses], [[line] for line in references]
        return lambda: [score / 100 for ((score,),) in fastchrf.pairwise_chrf(*groups)]

    return [entry("fastchrf", corpus, prepare, row_of_scores, goal=AGAINST_FASTCHRF)]
