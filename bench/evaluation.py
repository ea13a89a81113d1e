"""Several metrics of several systems: in one evaluation, and one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from bench.data import Corpus
from bench.harness import Contestant, Run, largest_difference, race
from bench.results import Section
from bleuprint.core.columns import Corpus as Columns
from bleuprint.runners.one_pass import measure
from tests.support.tables import TABLE

SEGMENTS = 5_000
SYSTEMS = 5
Values = Sequence[float]


def sections(run: Run) -> Iterator[Section]:
    for names in (("bleu", "gleu"), ("bleu", "chrf", "ter", "rouge")):
        corpus = run.large.head(SEGMENTS)
        yield Section(
            f"{', '.join(names)} of {SYSTEMS} systems, {len(corpus):,} segments: corpus and every sentence, one thread",
            "µs/segment",
            race(_field(names), corpus, run),
            ["One evaluation reads, takes apart and counts the same text once; no peer does several metrics."],
            rate="segment",
        )


def _field(names: tuple[str, ...]) -> Callable[[Corpus], list[Contestant[Values]]]:
    def field(corpus: Corpus) -> list[Contestant[Values]]:
        def prepare_together(mark: int) -> Callable[[], Values]:
            systems, references = _systems(corpus, mark)
            return lambda: _together(names, systems, references)

        def prepare_apart(mark: int) -> Callable[[], Values]:
            systems, references = _systems(corpus, mark)
            return lambda: _apart(names, systems, references)

        def difference(mark: int, values: Values) -> float:
            return largest_difference(values, _together(names, *_systems(corpus, mark)))

        items = len(corpus) * SYSTEMS
        return [
            Contestant("one evaluation", items, prepare_together),
            Contestant("metric by metric", items, prepare_apart, difference),
        ]

    return field


def _systems(corpus: Corpus, mark: int) -> tuple[dict[str, list[str]], list[str]]:
    hypotheses, references = corpus.fresh(mark)
    return {str(number): [*hypotheses[number:], *hypotheses[:number]] for number in range(SYSTEMS)}, references


def _together(names: tuple[str, ...], systems: dict[str, list[str]], references: list[str]) -> Values:
    found = measure({name: TABLE[name]() for name in names}, Columns.of_systems(systems, references), threads=1)
    return [float(measured.score) for scores in found.values() for measured in scores.values()]


def _apart(names: tuple[str, ...], systems: dict[str, list[str]], references: list[str]) -> Values:
    values = []
    for hypotheses in systems.values():
        for name in names:
            metric = TABLE[name]()
            metric.sentences(hypotheses, references, threads=1)
            values.append(float(metric.corpus(hypotheses, references, threads=1)))
    return values
