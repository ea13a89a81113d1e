"""The drop-ins against what they stand in for: what a call costs when only the import changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import Any

import bleuprint
from bench.bleu import PAIR_TOKENS, nearest_length
from bench.data import Corpus
from bench.harness import Contestant, Field, Run, largest_difference, peer, race
from bench.results import Goal, Section

Scores = Sequence[float]
Scorer = Callable[[list[str], list[str]], Scores]


def sections(run: Run) -> Iterator[Section]:
    pairs = nearest_length(run.corpus, PAIR_TOKENS - 1, 5 if run.quick else 1000)
    calls = f"call by call, new pairs of {PAIR_TOKENS} tokens, CPU time"
    yield _section(f"compat.sacrebleu.sentence_bleu, {calls}", sacrebleu_field("sentence_bleu", 10), pairs, run)
    yield _section(f"compat.sacrebleu.sentence_chrf, {calls}", sacrebleu_field("sentence_chrf", 10), pairs, run)
    yield _section(f"compat.nltk.sentence_bleu on tokens, {calls}", nltk_field, pairs, run)
    yield _section("compat.sacrebleu.corpus_bleu, CPU time", sacrebleu_corpus_field, run.corpus, run)
    yield _section(f"compat.jiwer.wer, {calls}", jiwer_field(_each_wer), pairs, run)
    few = run.corpus.head(1000)
    yield _section("compat.jiwer.wer of a corpus, CPU time", jiwer_field(_wer), few, run)
    yield _section("compat.jiwer.process_words, sums alone, CPU time", jiwer_field(_sums), few, run)
    yield _section("compat.jiwer.process_words, with alignments, CPU time", jiwer_field(_alignments), few, run)


def _section(title: str, field: Field[Scores], corpus: Corpus, run: Run) -> Section:
    return Section(title, "µs/segment", race(field, corpus, run), rate="segment")


def entries(
    corpus: Corpus, scorers: dict[str, Scorer], goals: dict[str, Goal], scales: dict[str, float]
) -> list[Contestant[Scores]]:
    first = next(iter(scorers.values()))

    def entry(name: str, score: Scorer) -> Contestant[Scores]:
        def prepare(mark: int) -> Callable[[], Scores]:
            lines = corpus.fresh(mark)
            return lambda: score(*lines)

        def difference(mark: int, scores: Scores) -> float:
            scale = scales.get(name, 1.0)
            return largest_difference([scale * value for value in scores], first(*corpus.fresh(mark)))

        return Contestant(name, len(corpus), prepare, None if score is first else difference, goal=goals.get(name))

    return [entry(name, score) for name, score in scorers.items()]


def sacrebleu_field(function: str, goal: float) -> Field[Scores]:
    own = getattr(bleuprint, function)

    def plain(hypotheses: list[str], references: list[str]) -> Scores:
        return [own(h, r).value for h, r in zip(hypotheses, references, strict=True)]

    def of(module: Any) -> Scorer:
        call = getattr(module, function)
        return lambda hypotheses, references: [call(h, [r]).score for h, r in zip(hypotheses, references, strict=True)]

    def field(corpus: Corpus) -> list[Contestant[Scores]]:
        scorers = {"compat.sacrebleu": of(import_module("bleuprint.compat.sacrebleu")), f"bleuprint.{function}": plain}
        if (module := peer("sacrebleu")) is not None:
            scorers["sacrebleu"] = of(module)
        return entries(corpus, scorers, {"sacrebleu": Goal(goal)}, {f"bleuprint.{function}": 100.0})

    return field


def sacrebleu_corpus_field(corpus: Corpus) -> list[Contestant[Scores]]:
    def of(module: Any) -> Scorer:
        return lambda hypotheses, references: [module.corpus_bleu(hypotheses, [references]).score]

    scorers = {"compat.sacrebleu": of(import_module("bleuprint.compat.sacrebleu"))}
    if (module := peer("sacrebleu")) is not None:
        scorers["sacrebleu"] = of(module)
    return entries(corpus, scorers, {"sacrebleu": Goal(40)}, {})


def nltk_field(corpus: Corpus) -> list[Contestant[Scores]]:
    def of(module: Any) -> Scorer:
        smooth = module.SmoothingFunction().method1

        def scores(hypotheses: list[str], references: list[str]) -> Scores:
            return [
                module.sentence_bleu([r.split()], h.split(), smoothing_function=smooth)
                for h, r in zip(hypotheses, references, strict=True)
            ]

        return scores

    scorers = {"compat.nltk": of(import_module("bleuprint.compat.nltk.bleu_score"))}
    if (module := peer("nltk.translate.bleu_score")) is not None:
        scorers["nltk"] = of(module)
    return entries(corpus, scorers, {"nltk": Goal(5)}, {})


def jiwer_field(score: Callable[[Any, list[str], list[str]], Scores]) -> Field[Scores]:
    def of(module: Any) -> Scorer:
        return lambda hypotheses, references: score(module, hypotheses, references)

    def field(corpus: Corpus) -> list[Contestant[Scores]]:
        scorers = {"compat.jiwer": of(import_module("bleuprint.compat.jiwer"))}
        if (module := peer("jiwer")) is not None:
            scorers["jiwer"] = of(module)
        return entries(corpus, scorers, {}, {})

    return field


def _each_wer(module: Any, hypotheses: list[str], references: list[str]) -> Scores:
    return [module.wer(r, h) for h, r in zip(hypotheses, references, strict=True)]


def _wer(module: Any, hypotheses: list[str], references: list[str]) -> Scores:
    return [module.wer(references, hypotheses)]


def _sums(module: Any, hypotheses: list[str], references: list[str]) -> Scores:
    output = module.process_words(references, hypotheses)
    return [output.wer, output.hits, output.substitutions, output.deletions, output.insertions]


def _alignments(module: Any, hypotheses: list[str], references: list[str]) -> Scores:
    output = module.process_words(references, hypotheses)
    return [place for chunks in output.alignments for chunk in chunks for place in list(vars(chunk).values())[1:]]
