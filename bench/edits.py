"""Error rates, the Levenshtein ratio, string matches and SARI."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import bleuprint
from bench.data import Corpus
from bench.harness import Contestant, Field, Run, largest_difference, peer, race
from bench.results import Goal, Row, Section
from bench.row_contestants import Scorer, Scores, at_once, entry
from bench.self_bleu import slope

PAIRS = 10_000
LONG = (10_000, 40_000, 160_000)


def sections(run: Run) -> Iterator[Section]:
    corpus = run.large.head(PAIRS)
    yield timed("WER of every pair, from strings", race(words, corpus, run))
    yield timed("Edit distance on ready word lists", race(word_lists, corpus, run))
    few = corpus.head(2000)
    yield timed("WER of a corpus, with hits, substitutions, deletions and insertions", race(corpora, few, run))
    yield timed("CER of a corpus, with its operations", race(characters, few, run))
    for definition in ("levenshtein", "indel"):
        yield timed(f"Levenshtein ratio of every pair, {definition}", race(ratios(definition), corpus, run))
    yield from long_pairs(run)
    yield timed("Exact and contains match of a corpus", race(matches, corpus, run))
    yield timed("SARI of a corpus, the reference as source", race(simplification, corpus, run))


def timed(title: str, rows: list[Row]) -> Section:
    return Section(f"{title}, one thread, CPU time", "µs/pair", rows, rate="pair")


def each_wer(hypotheses: list[str], references: list[str]) -> Scores:
    return list(bleuprint.sentence_wers(hypotheses, references, threads=1).tolist())


def words(corpus: Corpus) -> list[Contestant[Scores]]:
    entries = [entry("bleuprint", corpus, at_once(each_wer))]
    module = peer("rapidfuzz") and peer("rapidfuzz.distance")
    if module is None:
        return entries
    distance = module.Levenshtein.distance

    def prepare(hypotheses: list[str], references: list[str]) -> Callable[[], Scores]:
        pairs = [(r.split(), h.split()) for h, r in zip(hypotheses, references, strict=True)]
        return lambda: [distance(reference, hypothesis) / len(reference) for reference, hypothesis in pairs]

    return [
        *entries,
        entry(
            "rapidfuzz in a loop, with str.split",
            corpus,
            lambda hypotheses, references: lambda: prepare(hypotheses, references)(),
            each_wer,
            Goal(1),
        ),
        entry("rapidfuzz in a loop, already in words", corpus, prepare, each_wer, Goal(1)),
    ]


def word_lists(corpus: Corpus) -> list[Contestant[Scores]]:
    def ours(hypotheses: list[str], references: list[str]) -> Callable[[], Scores]:
        sides = [[line.split() for line in lines] for lines in (hypotheses, references)]
        return lambda: bleuprint.sentence_wers(*sides, threads=1).tolist()

    def theirs(hypotheses: list[str], references: list[str]) -> Callable[[], Scores]:
        pairs = [(r.split(), h.split()) for h, r in zip(hypotheses, references, strict=True)]
        return lambda: [distance(reference, hypothesis) / len(reference) for reference, hypothesis in pairs]

    module = peer("rapidfuzz") and peer("rapidfuzz.distance")
    entries = [entry("bleuprint", corpus, ours)]
    if module is not None:
        distance = module.Levenshtein.distance
        entries.append(entry("rapidfuzz in a loop", corpus, theirs, each_wer, Goal(1)))
    return entries


def corpora(corpus: Corpus) -> list[Contestant[Scores]]:
    def ours(hypotheses: list[str], references: list[str]) -> Scores:
        score = bleuprint.corpus_wer(hypotheses, references, threads=1)
        return [score.value, *score.columns]

    def theirs(jiwer: Any, hypotheses: list[str], references: list[str]) -> Scores:
        found = jiwer.process_words(references, hypotheses)
        return [found.wer, found.hits, found.substitutions, found.deletions, found.insertions]

    return against_jiwer(corpus, ours, theirs)


def characters(corpus: Corpus) -> list[Contestant[Scores]]:
    def ours(hypotheses: list[str], references: list[str]) -> Scores:
        return [bleuprint.corpus_cer(hypotheses, references, threads=1).value]

    def theirs(jiwer: Any, hypotheses: list[str], references: list[str]) -> Scores:
        return [jiwer.cer(references, hypotheses)]

    return against_jiwer(corpus, ours, theirs)


def against_jiwer(
    corpus: Corpus, ours: Scorer, theirs: Callable[[Any, list[str], list[str]], Scores]
) -> list[Contestant[Scores]]:
    entries = [entry("bleuprint", corpus, at_once(ours))]
    if jiwer := peer("jiwer"):
        entries.append(entry("jiwer", corpus, at_once(lambda h, r: theirs(jiwer, h, r)), ours))
    return entries


def long_pairs(run: Run) -> Iterator[Section]:
    """Ours finds all operations, RapidFuzz the distance alone."""
    sizes = (1000, 2000) if run.quick else LONG
    kinds: dict[str, Callable[[int], list[str]]] = {
        "unlike": lambda size: [f"other {number}" for number in range(size)],
        "alike but for every tenth word": lambda size: [
            f"{number}{'!' * (number % 10 == 0)}" for number in range(size)
        ],
    }
    for kind, make in kinds.items():
        rows: list[Row] = []
        points: list[tuple[float, float]] = []
        for size in sizes:
            found = race(long_field([str(number) for number in range(size)], make(size)), run.corpus, run)
            points.append((math.log(size), math.log(found[0].value)))
            rows += [
                Row(f"{size:,} words, {row.name}", row.raw, row.ratio, row.difference, goal=row.goal) for row in found
            ]
        yield Section(
            f"WER of one pair of long texts, {kind}, one thread, CPU time",
            "µs/pair",
            rows,
            [f"Fitted exponent of CPU time over words: {slope(points):.2f}."],
        )


def long_field(reference: list[str], hypothesis: list[str]) -> Field[Scores]:
    def ours() -> Scores:
        return [float(sum(bleuprint.sentence_wer(hypothesis, reference).columns[1:]))]

    def field(_: Corpus) -> list[Contestant[Scores]]:
        entries = [Contestant[Scores]("bleuprint", 1, lambda _: ours)]
        module = peer("rapidfuzz") and peer("rapidfuzz.distance")
        if module is not None:
            distance = module.Levenshtein.distance

            def theirs() -> Scores:
                return [float(distance(reference, hypothesis))]

            entries.append(
                Contestant(
                    "rapidfuzz", 1, lambda _: theirs, lambda _, scores: largest_difference(scores, ours()), goal=Goal(1)
                )
            )
        return entries

    return field


def ratios(definition: str) -> Field[Scores]:
    def ours(hypotheses: list[str], references: list[str]) -> Scores:
        found = bleuprint.metrics.LevenshteinRatio(definition=definition).sentences(hypotheses, references, threads=1)
        return list(found.tolist())

    def field(corpus: Corpus) -> list[Contestant[Scores]]:
        entries = [entry("bleuprint", corpus, at_once(ours))]
        module = peer("rapidfuzz") and peer("rapidfuzz.distance")
        if module is not None:
            similarity = (module.Levenshtein if definition == "levenshtein" else module.Indel).normalized_similarity

            def loop(hypotheses: list[str], references: list[str]) -> Scores:
                return [similarity(r, h) for h, r in zip(hypotheses, references, strict=True)]

            entries.append(entry("rapidfuzz in a loop", corpus, at_once(loop), ours))
            if process := peer("rapidfuzz.process"):
                cpdist = process.cpdist

                def column(hypotheses: list[str], references: list[str]) -> Scores:
                    found = cpdist(hypotheses, references, scorer=similarity, workers=1, dtype=np.float64)
                    return list(found.tolist())

                entries.append(entry("rapidfuzz.process.cpdist", corpus, at_once(column), ours, Goal(1)))
        return entries

    return field


def matches(corpus: Corpus) -> list[Contestant[Scores]]:
    def exact(hypotheses: list[str], references: list[str]) -> Scores:
        return [bleuprint.exact_match(hypotheses, references, threads=1).value]

    def cleaned(hypotheses: list[str], references: list[str]) -> Scores:
        options: dict[str, Any] = {
            "lowercase": True,
            "ignore_punctuation": True,
            "ignore_numbers": True,
            "whitespace": "collapse",
        }
        return [bleuprint.exact_match(hypotheses, references, threads=1, **options).value]

    def contains(hypotheses: list[str], references: list[str]) -> Scores:
        return [bleuprint.metrics.ContainsMatch().corpus(hypotheses, references, threads=1).value]

    jobs = {"exact": exact, "exact, everything ignored": cleaned, "contains": contains}
    return [entry(name, corpus, at_once(job)) for name, job in jobs.items()]


def simplification(corpus: Corpus) -> list[Contestant[Scores]]:
    """Nobody else installs: by EASSE's definition and by Hugging Face's."""

    def ours(profile: str | None) -> Scorer:
        def score(hypotheses: list[str], references: list[str]) -> Scores:
            return [bleuprint.sari(hypotheses, references, sources=references, threads=1, profile=profile).value]

        return score

    return [entry("bleuprint", corpus, at_once(ours(None))), entry("profile hf", corpus, at_once(ours("hf")))]
