"""Score several systems under several metrics in one pass; the same texts are read, tokenized and counted only once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from bleuprint.core import counts
from bleuprint.core.arrays import Integers
from bleuprint.core.columns import Corpus, References, Texts, checked_column, warn
from bleuprint.core.threads import worker_count
from bleuprint.core.tokenizers import Tokenizer
from bleuprint.errors import TokenizerWarning
from bleuprint.metrics.base.definition import Definition
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.score import Measured, Score


def read_systems(
    metrics: Mapping[str, Metric[Score]],
    systems: Mapping[str, Texts],
    references: References | None,
    sources: Texts | None = None,
) -> dict[str, Corpus]:
    """The texts of each system beside the references, segment by segment.

    If all metrics are those of pools, the references are a corpus of any size, compared with as a whole.

    >>> from bleuprint import CrossBLEU
    >>> corpora = read_systems({"cross-bleu": CrossBLEU()}, {"A": ["a b", "c"]}, ["a b", "c", "d"])
    >>> len(corpora["A"]), len(corpora["A"].references)
    (2, 3)
    """
    if references is None or any(metric.unit == "segment" for metric in metrics.values()):
        return Corpus.of_systems(systems, references, sources)
    alone = Corpus.of_systems(systems, None, sources)
    tokenized = next(iter(alone.values())).hypotheses.tokenized
    whole = checked_column(references, "references", groups=True, tokenized=tokenized)
    return {name: replace(corpus, references=whole) for name, corpus in alone.items()}


def find_unseen(metrics: Mapping[str, Metric[Score]], corpora: Iterable[Corpus]) -> list[str]:
    """What to say of texts that tokenizers cannot read: a sentence for each tokenizer, which names the metrics."""
    labels: dict[str, dict[str, None]] = {}
    for corpus in corpora:
        for label, metric in metrics.items():
            problem = metric.definition.unseen(corpus.references, corpus.hypotheses)
            if problem is not None:
                labels.setdefault(problem, {})[label] = None
    return [f"{', '.join(named)}: {problem}" for problem, named in labels.items()]


def warn_of_unseen(metrics: Mapping[str, Metric[Score]], corpora: Iterable[Corpus]) -> list[str]:
    """Warn of texts that tokenizers cannot read, and return what was said."""
    sentences = find_unseen(metrics, corpora)
    for sentence in sentences:
        warn(TokenizerWarning(sentence))
    return sentences


def measure(
    metrics: Mapping[str, Metric[Score]], corpora: Mapping[str, Corpus], *, threads: int | None = None
) -> dict[str, dict[str, Measured[Score]]]:
    """Score every corpus under every metric: `measure(…)[corpus][metric]`.

    References that several corpora share are tokenized once for all of them. Sources go to the metrics that use them.

    >>> from bleuprint import BLEU, GLEU
    >>> corpus = Corpus.of(["the cat sat", "a dog"], ["the cat sat", "the dog"])
    >>> by_metric = measure({"bleu": BLEU(max_order=2), "gleu": GLEU()}, {"mine": corpus})["mine"]
    >>> [(name, round(float(measured.score), 4)) for name, measured in by_metric.items()]
    [('bleu', 0.7303), ('gleu', 0.7778)]
    """
    number = worker_count(threads)
    prepare = _Preparation()
    jobs: list[_Job] = []
    labels: list[tuple[str, str]] = []
    ready: dict[tuple[str, int], Definition] = {}
    for system, corpus in corpora.items():
        for label, metric in metrics.items():
            definition = metric.definition.chosen_for(corpus, corpora.values())
            prepared = prepare(definition, corpus)
            # Corpora with the same references share what a metric learns from them.
            key = label, id(prepared.references)
            ready[key] = ready.get(key) or definition.ready_for(prepared, number)
            jobs.append((ready[key], prepared))
            labels.append((system, label))
    measured: dict[str, dict[str, Measured[Score]]] = {system: {} for system in corpora}
    for (system, label), (definition, prepared), answers in zip(labels, jobs, _count(jobs, number), strict=True):
        measured[system][label] = definition.measure(prepared, answers, number)
    return measured


def update(
    running: Mapping[str, Mapping[str, Metric[Score]]], corpora: Mapping[str, Corpus], *, threads: int | None = None
) -> None:
    """Add a batch of each corpus to its running metrics, `running[corpus][metric]`."""
    prepare = _Preparation()
    for name, metrics in running.items():
        for metric in metrics.values():
            metric.settle(metric.definition.chosen_for(corpora[name], corpora.values()))
    summaries = [(name, metric.summary) for name, metrics in running.items() for metric in metrics.values()]
    jobs = [(summary.definition, prepare(summary.definition, corpora[name])) for name, summary in summaries]
    if len(jobs) == 1:  # nothing to share: a sum needs no row for each segment, and no NumPy
        ((_, summary),), ((_, corpus),) = summaries, jobs
        if len(corpus):
            summary.add_corpus(corpus, worker_count(threads))
        return
    # Count everything before the first summary changes, so that an interrupt cannot leave half a batch.
    counted = _count(jobs, worker_count(threads))
    batches = [
        (definition.rows.assemble(corpus, answers), corpus)
        for (definition, corpus), answers in zip(jobs, counted, strict=True)
    ]
    for (_, summary), (rows, corpus) in zip(summaries, batches, strict=True):
        if len(corpus):
            summary.add(rows, corpus)


_Job = tuple[Definition, Corpus]


def _count(jobs: Sequence[_Job], threads: int) -> list[list[Integers]]:
    """The answers to the requests of each job."""
    requested = [definition.rows.requests(corpus) for definition, corpus in jobs]
    answers = iter(counts.rows_together([request for requests in requested for request in requests], threads))
    return [[next(answers) for _ in requests] for requests in requested]


class _Preparation:
    """Applies tokenizers outside the core; metrics with the same tokenizer share the result."""

    def __init__(self) -> None:
        self._columns: dict[tuple[int, Tokenizer], counts.Column] = {}

    def __call__(self, definition: Definition, corpus: Corpus) -> Corpus:
        definition.check_sources(corpus.sources if definition.kind.needs_sources else None)
        definition.rows.check(corpus)
        return corpus.map_columns(partial(self._column, definition.tokenizer))

    def _column(self, tokenizer: Tokenizer, column: counts.Column, name: str) -> counts.Column:
        key = id(column), tokenizer
        if key not in self._columns:
            self._columns[key] = tokenizer.prepare_column(column, name)
        return self._columns[key]
