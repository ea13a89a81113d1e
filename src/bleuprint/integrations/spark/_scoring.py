"""Scores of a whole DataFrame or of its groups: each partition is reduced to sums, which the driver adds up."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from bleuprint.core.arrays import np
from bleuprint.core.columns import Corpus
from bleuprint.errors import BleuprintError, InputError
from bleuprint.integrations.spark._columns import GROUP, Roles, collected, corpus_of, require_spark, selected
from bleuprint.integrations.spark._faults import BadRows, Watch, checked_mode, first_fault, raise_named, totals
from bleuprint.integrations.spark._shipping import Parcel, parcels
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.score import Score
from bleuprint.results import MetricResult, Result, SystemResult
from bleuprint.runners import one_pass
from bleuprint.runners.evaluation import Metrics, resolve, versions

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def score(
    df: DataFrame,
    hypothesis: str = "hyp",
    references: str | Sequence[str] = "refs",
    sources: str | None = None,
    *,
    metrics: Metrics = "bleu",
    by: str | None = None,
    bad_rows: BadRows = "error",
) -> Result:
    """The corpus scores of a DataFrame, equal (`==`) to those of `bleuprint.evaluate` over the same rows.

    `references` is a column of texts or of arrays of texts, or several columns of texts. With `by`, each value of that
    column becomes a system of the result. A row without a text is an error that names the row; with `bad_rows="skip"`
    it is left out and counted in the result's notes.

    >>> rows = [("the cat sat on the mat", ["the cat sat on a mat"]), ("a dog", ["a dog", "the dog"])]
    >>> df = spark.createDataFrame(rows, "hyp string, refs array<string>")  # doctest: +SKIP
    >>> print(score(df, metrics=["bleu", "chrf"]).pretty().partition("\\n\\n")[0])  # doctest: +SKIP
    system        bleu    chrf
    hypotheses  0.5584  0.7387
    """
    require_spark()
    resolved = resolve(metrics, unit="segment")
    all_totals = add_up(df, Roles.of(df, hypothesis, references, sources), resolved, by=by, bad_rows=bad_rows)
    return result_of(all_totals)


class Totals:
    """The combined totals of all partitions: one running metric per name and group."""

    def __init__(self, metrics: Mapping[str, Metric[Score]], *, grouped: bool) -> None:
        self._metrics = metrics
        self.grouped = grouped
        self.running: dict[str, dict[str, Metric[Score]]] = {}
        self.sizes: dict[str, int] = {}
        self.rows = 0
        self.bad = 0
        if not grouped:
            self._group("hypotheses")

    def _group(self, name: str) -> dict[str, Metric[Score]]:
        if name not in self.running:
            self.running[name] = {label: metric.fresh() for label, metric in self._metrics.items()}
            self.sizes[name] = 0
        return self.running[name]

    def add(self, group: str, size: int, states: Mapping[str, Mapping[str, Any]]) -> None:
        running = self._group(group)
        self.sizes[group] += size
        for label, state in states.items():
            running[label].add_state(state)

    def absorb(self, group: str, other: Totals) -> None:
        """Add later rows, all to one group."""
        running = self._group(group)
        for name, size in other.sizes.items():
            self.sizes[group] += size
            for label, metric in other.running[name].items():
                running[label].merge(metric)

    def scores(self, group: str) -> dict[str, Score]:
        return {label: metric.compute() for label, metric in self.running[group].items()}


def add_up(
    df: DataFrame, roles: Roles, metrics: Mapping[str, Metric[Score]], *, by: str | None, bad_rows: BadRows
) -> Totals:
    """Count all rows in one pass."""
    skip = checked_mode(bad_rows) == "skip"
    roles.check_sources(metrics)
    shipped = parcels(metrics)
    reduced = selected(df, roles, by=by).mapInArrow(
        _partition_totals(roles, shipped, skip=skip), "partition int, record string"
    )
    rows = collected(reduced)
    records = [json.loads(row["record"]) for row in sorted(rows, key=lambda row: row["partition"])]
    reports = [record for record in records if "rows" in record]
    for record in records:
        if "error" in record:
            raise InputError(record["error"])
    fault = first_fault(reports)
    if fault is not None and not skip:
        raise_named(fault)
    all_totals = Totals(metrics, grouped=by is not None)
    all_totals.rows, all_totals.bad = totals(reports)
    for record in records:
        for group, size, states in record.get("groups", ()):
            all_totals.add(_group_name(group, by), size, states)
    return all_totals


def _group_name(group: str | None, by: str | None) -> str:
    return "hypotheses" if by is None else "(null)" if group is None else group


def partition_number() -> int:
    """The number of the current task's partition."""
    from pyspark import TaskContext

    context = TaskContext.get()
    return 0 if context is None else context.partitionId()


Arrow = Any  # a pyarrow.RecordBatch; pyarrow has no type hints
Work = Callable[[Iterator[Arrow]], Iterator[Arrow]]


def _partition_totals(roles: Roles, shipped: Mapping[str, Parcel], *, skip: bool) -> Work:
    def work(batches: Iterator[Arrow]) -> Iterator[Arrow]:
        import pyarrow as pa

        watch = Watch()
        record: dict[str, Any]
        try:
            running = _Running({label: parcel.open() for label, parcel in shipped.items()})
            for batch in batches:
                good = watch.good(roles.of_batch(batch))
                if watch.fault is None or skip:  # otherwise rows are only counted, to number the bad one
                    running.add(batch, good)
            record = {**watch.report(), "groups": running.states()}
        except BleuprintError as error:
            record = {"error": str(error)}
        columns = {"partition": pa.array([partition_number()], pa.int32()), "record": pa.array([json.dumps(record)])}
        yield pa.RecordBatch.from_pydict(columns)

    return work


class _Running:
    """The metrics of one partition, by group."""

    def __init__(self, metrics: Mapping[str, Metric[Score]]) -> None:
        self._metrics = metrics
        self._groups: dict[str | None, tuple[int, dict[str, Metric[Score]]]] = {}

    def add(self, batch: Arrow, good: Any) -> None:
        for group, corpus in _split(batch, good):
            size, running = self._groups.get(group) or (0, {k: m.fresh() for k, m in self._metrics.items()})
            one_pass.update({"": running}, {"": corpus}, threads=1)
            self._groups[group] = size + len(corpus), running

    def states(self) -> list[tuple[str | None, int, dict[str, Any]]]:
        return [
            (group, size, {label: metric.state() for label, metric in running.items()})
            for group, (size, running) in self._groups.items()
        ]


def _split(batch: Arrow, good: Any) -> Iterator[tuple[str | None, Corpus]]:
    """The good rows of a batch, by group, in row order."""
    import pyarrow as pa

    if good is not None:
        batch = batch.filter(pa.array(good))
    if batch.num_rows == 0:
        return
    place = batch.schema.get_field_index(GROUP)
    if place < 0:
        yield None, corpus_of(batch, None)
        return
    groups = batch.column(place).dictionary_encode(null_encoding="encode")
    codes = np.asarray(groups.indices)
    order = np.argsort(codes, kind="stable")
    batch = batch.take(pa.array(order))
    ends = np.cumsum(np.bincount(codes, minlength=len(groups.dictionary)))
    for code, (begin, end) in enumerate(zip([0, *ends[:-1].tolist()], ends.tolist(), strict=True)):
        yield groups.dictionary[code].as_py(), corpus_of(batch.slice(begin, end - begin), None)


def result_of(all_totals: Totals, order: Sequence[str] | None = None) -> Result:
    """The result: corpus scores without texts and segments, which stay on the cluster."""
    notes = []
    if all_totals.bad:
        notes.append(f"{all_totals.bad} of {all_totals.rows} rows were skipped: a text was missing or not valid UTF-8")
    names = sorted(all_totals.running) if order is None else order
    sizes = set(all_totals.sizes.values())
    if len(sizes) > 1:
        notes += [f"{name}: {all_totals.sizes[name]} segments" for name in names]
    systems = (
        SystemResult(
            name, (), "", tuple(_metric_result(label, score) for label, score in all_totals.scores(name).items())
        )
        for name in names
    )
    size = max(sizes, default=0)
    return Result(tuple(systems), (), None, size=size, digests={}, versions=versions(), notes=tuple(notes))


def _metric_result(label: str, score: Score) -> MetricResult:
    segment_signature = score.definition.signature_of(sentence=True, references=score.references)
    better, value = score.definition.kind.higher_is_better, float(score.value)
    return MetricResult(label, better, value, score.parts, score.signature, (), segment_signature)
