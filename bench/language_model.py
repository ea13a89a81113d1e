"""Language models: training, and the probability of texts."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from bench.data import Corpus
from bench.harness import SINGLE_PRECISION, Contestant, Run, peer, race
from bench.results import Goal, Section
from bleuprint import LanguageModel, Perplexity

TRAINING_LINES = 5_000  # NLTK takes a second or more for each repeat
ORDER = 3
Logs = Sequence[float]


def sections(run: Run) -> Iterator[Section]:
    corpus = run.corpus.head(TRAINING_LINES)
    yield Section(
        f"A model of order {ORDER} of {len(corpus):,} lines, whitespace tokens, one thread, CPU time",
        "µs/token",
        race(training_field, corpus, run),
        ["NLTK's fit only counts; its one-discount estimates are worked out at every query. Ours are done."],
        rate="token",
    )
    yield Section(
        f"log10 probabilities of {len(run.corpus):,} lines under a model of order {ORDER}, one thread, CPU time",
        "µs/token",
        race(query_field, run.corpus, run),
        ["KenLM's module takes one line a call; the difference is relative to our number, as it sums float32."],
        rate="token",
    )


def token_count(lines: Sequence[str]) -> int:
    return sum(len(line.split()) + 1 for line in lines)


def train(lines: Sequence[str], order: int = ORDER) -> LanguageModel:
    return LanguageModel.train(lines, order=order, discount_fallback=True, threads=1)


def training_field(corpus: Corpus) -> list[Contestant[object]]:
    items = token_count(corpus.references)

    def entry(name: str, work: Callable[[list[str]], object], goal: Goal | None) -> Contestant[object]:
        def prepare(mark: int) -> Callable[[], object]:
            lines = corpus.fresh(mark)[1]
            return lambda: work(lines)

        return Contestant(name, items, prepare, goal=goal)

    entries = [entry("bleuprint", train, None)]
    models, preprocessing = peer("nltk.lm"), peer("nltk.lm.preprocessing")
    if models is not None and preprocessing is not None:

        def fit(lines: list[str]) -> object:
            model = models.KneserNeyInterpolated(ORDER)
            model.fit(*preprocessing.padded_everygram_pipeline(ORDER, [line.split() for line in lines]))
            return model

        entries.append(entry("nltk.lm KneserNeyInterpolated", fit, Goal(20)))
    return entries


def evenly_spaced(lines: Sequence[str]) -> list[str]:
    """KenLM's module knows only the white space of ASCII: here no line has any other."""
    return [" ".join(line.split()) for line in lines]


def query_field(corpus: Corpus) -> list[Contestant[Logs]]:
    model = train(corpus.references)
    metric = Perplexity(model)
    items = token_count(corpus.hypotheses)

    def ours(lines: list[str]) -> Logs:
        rows = metric.statistics(lines, threads=1).rows
        return list((rows[:, 0] / 2**28).tolist())

    def entry(name: str, work: Callable[[list[str]], Logs], goal: Goal | None) -> Contestant[Logs]:
        def prepare(mark: int) -> Callable[[], Logs]:
            lines = evenly_spaced(corpus.fresh(mark)[0])
            return lambda: work(lines)

        def difference(mark: int, logs: Logs) -> float:
            expected = ours(evenly_spaced(corpus.fresh(mark)[0]))
            return max(abs(log / own - 1) for log, own in zip(logs, expected, strict=True))

        return Contestant(name, items, prepare, None if work is ours else difference, SINGLE_PRECISION, goal)

    entries = [entry("bleuprint", ours, Goal(at_most=1.0, of="value"))]
    module = peer("kenlm")
    if module is not None:
        settings = module.Config()
        settings.show_progress = False
        settings.arpa_complain = module.ARPALoadComplain.NONE
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "model.arpa"
            model.save(path)
            theirs = module.Model(str(path), settings)
        entries.append(entry("ufal.kenlm", lambda lines: [theirs.score(line) for line in lines], Goal(at_least=1.25)))
    return entries
