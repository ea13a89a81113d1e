"""The HTML report of several systems, and the evaluation behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import bleuprint as bp
from bench.data import Corpus
from bench.harness import Contestant, Run, race
from bench.results import Section
from bench.significance import growth_sections

SEGMENTS = 500
SYSTEMS = 10
METRICS = ["bleu", "chrf", "ter"]


def sections(run: Run) -> Iterator[Section]:
    corpus = run.corpus.head(SEGMENTS)
    yield Section(
        f"Report of {SYSTEMS} systems, {len(corpus):,} segments, {', '.join(METRICS)}, CPU time",
        "µs/report",
        race(_field, corpus, run),
        ["The report includes the evaluation, the comparison of all pairs and the marks of every segment."],
    )
    yield from growth_sections(run, "report", "Report")


def _field(corpus: Corpus) -> list[Contestant[int]]:
    def prepare_report(mark: int) -> Callable[[], int]:
        systems, references = systems_of(corpus, mark)
        return lambda: len(bp.evaluate(systems, references, metrics=METRICS).to_html())

    def prepare_evaluation(mark: int) -> Callable[[], int]:
        systems, references = systems_of(corpus, mark)
        return lambda: len(bp.evaluate(systems, references, metrics=METRICS).systems)

    return [Contestant("report", 1, prepare_report), Contestant("evaluation alone", 1, prepare_evaluation)]


def systems_of(corpus: Corpus, mark: int, systems: int = SYSTEMS) -> tuple[dict[str, list[str]], list[str]]:
    """Systems of similar quality: each leaves out another word of every output."""
    hypotheses, references = corpus.fresh(mark)
    return {
        f"system-{number}": [_without(text, number) for text in hypotheses] for number in range(systems)
    }, references


def _without(text: str, place: int) -> str:
    words = text.split(" ")
    return " ".join(words[: place % len(words)] + words[place % len(words) + 1 :])
