"""Scores of a whole DataFrame or of its groups: each partition is reduced to sums, which the driver adds up."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from bleuprint.core.arrays import np
from bleuprint.core.columns import Corpus, warn
from bleuprint.errors import TokenizerWarning
from bleuprint.integrations.spark._batches import Work, build_batch, collect
from bleuprint.integrations.spark._columns import GROUP, Roles, corpus_of, require_spark
from bleuprint.integrations.spark._faults import BadRows, Watch, check_reports, skips
from bleuprint.integrations.spark._shipping import Parcel, parcels
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.score import Score
from bleuprint.results import MetricResult, Result, SystemResult
from bleuprint.runners import one_pass
from bleuprint.runners.evaluation import Metrics, resolve, versions

if TYPE_CHECKING:
    from pyarrow import RecordBatch
    from pyspark.sql import DataFrame

ALL = "hypotheses"  # the name of the only system


def score(
    df: DataFrame,
    hypothesis: str = "hyp",
    references: str | Sequence[str] | None = "refs",
    sources: str | None = None,
    *,
    metrics: Metrics = "bleu",
    by: str | None = None,
    bad_rows: BadRows = "error",
) -> Result:
    """The corpus scores of a DataFrame, equal (`==`) to those of `bleuprint.evaluate` over the same rows.

    `references` is a column of texts or of arrays of texts, or several columns of texts; None if no metric compares
    with references. With `by`, each value of that column becomes a system of the result. A row without a text is an
    error that names the row; with `bad_rows="skip"` it is left out and counted in the result's notes.

    The tokens of pool metrics such as Self-BLEU are brought to the driver, which must be able to hold them.

    >>> rows = [("the cat sat on the mat", ["the cat sat on a mat"]), ("a dog", ["a dog", "the dog"])]
    >>> df = spark.createDataFrame(rows, "hyp string, refs array<string>")  # doctest: +SKIP
    >>> print(score(df, metrics=["bleu", "chrf", "distinct"]).pretty().partition("\\n\\n")[0])  # doctest: +SKIP
    system        bleu    chrf  distinct
    hypotheses  0.5584  0.7387    1.0000
    """
    require_spark()
    resolved = resolve(metrics)
    roles = Roles.of(df, hypothesis, references, sources, resolved)
    totals = Totals(resolved, systems=() if by is not None else (ALL,))
    totals.add_frame(df, roles, by=by, bad_rows=bad_rows)
    return totals.result(sorted(totals.running))


class Totals:
    """Running metrics by system: of one partition on a worker, or of all on the driver."""

    def __init__(self, metrics: Mapping[str, Metric[Score]], systems: Sequence[str] = ()) -> None:
        self._metrics = metrics
        self.running: dict[str, dict[str, Metric[Score]]] = {}
        self._sizes: dict[str, int] = {}
        self._rows = self._bad = 0
        self.unseen: dict[str, None] = {}  # what to say of texts that tokenizers cannot read
        for system in systems:
            self._system(system)

    def _system(self, name: str) -> dict[str, Metric[Score]]:
        if name not in self.running:
            self.running[name] = {label: metric.fresh() for label, metric in self._metrics.items()}
            self._sizes[name] = 0
        return self.running[name]

    def add_corpus(self, system: str, corpus: Corpus) -> None:
        if system not in self.running:
            self.unseen |= dict.fromkeys(one_pass.find_unseen(self._metrics, [corpus]))
        one_pass.update({"": self._system(system)}, {"": corpus}, threads=1)
        self._sizes[system] += len(corpus)

    def states(self) -> list[tuple[str, int, dict[str, dict[str, object]]]]:
        """Name, size and states of each system, ready for JSON."""
        return [
            (name, self._sizes[name], {label: metric.state() for label, metric in running.items()})
            for name, running in self.running.items()
        ]

    def add_frame(
        self, df: DataFrame, roles: Roles, *, system: str = ALL, by: str | None = None, bad_rows: BadRows = "error"
    ) -> None:
        """Count all rows in one pass, as those of one system or of the systems in column `by`."""
        work = _count_partition(roles, parcels(self._metrics), system, skip=skips(bad_rows))
        records = [json.loads(row["record"]) for row in collect(roles.select(df, by=by).mapInArrow(work, _RECORD))]
        rows, bad = check_reports(records)
        self._rows, self._bad = self._rows + rows, self._bad + bad
        for sentence in dict.fromkeys(sentence for record in records for sentence in record["unseen"]):
            warn(TokenizerWarning(sentence))
            self.unseen[sentence] = None
        for record in records:
            for name, size, states in record["systems"]:
                running = self._system(name)
                self._sizes[name] += size
                for label, state in states.items():
                    running[label].add_state(state)

    def result(self, names: Sequence[str]) -> Result:
        """The result: corpus scores without texts and segments, which stay on the cluster."""
        notes = [*self.unseen]
        if self._bad:
            notes.append(f"{self._bad} of {self._rows} rows were skipped: a text was missing or not valid UTF-8")
        if len(set(self._sizes.values())) > 1:
            notes += [f"{name}: {self._sizes[name]} segments" for name in names]
        systems = tuple(SystemResult(name, (), "", tuple(self._scores(name))) for name in names)
        size = max(self._sizes.values(), default=0)
        return Result(systems, (), None, size=size, digests={}, versions=versions(), notes=tuple(notes))

    def _scores(self, system: str) -> Iterator[MetricResult]:
        for label, metric in self.running[system].items():
            yield MetricResult.of(label, metric.compute())


_RECORD = "record string"


def _count_partition(roles: Roles, shipped: Mapping[str, Parcel], system: str, *, skip: bool) -> Work:
    def work(batches: Iterator[RecordBatch]) -> Iterator[RecordBatch]:
        totals = Totals({})
        with Watch(skip=skip) as watch:
            totals = Totals({label: parcel.open() for label, parcel in shipped.items()})
            for batch in batches:
                for name, corpus in _split(watch.keep_good(batch, roles.of_batch(batch)), system):
                    totals.add_corpus(name, corpus)
        yield build_batch(
            _RECORD, [json.dumps({**watch.report(), "systems": totals.states(), "unseen": [*totals.unseen]})]
        )

    return work


def _split(batch: RecordBatch, system: str) -> Iterator[tuple[str, Corpus]]:
    """The rows of a batch by system, in row order."""
    import pyarrow as pa

    if batch.num_rows == 0:
        return
    if GROUP not in batch.schema.names:
        yield system, corpus_of(batch)
        return
    groups = batch.column(GROUP).dictionary_encode(null_encoding="encode")
    codes = np.asarray(groups.indices)
    batch = batch.take(pa.array(np.argsort(codes, kind="stable")))
    begin = 0
    for group, size in zip(groups.dictionary.to_pylist(), np.bincount(codes).tolist(), strict=True):
        yield "(null)" if group is None else group, corpus_of(batch.slice(begin, size))
        begin += size
