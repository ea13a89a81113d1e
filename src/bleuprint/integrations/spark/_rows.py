"""Scores per row, and the rows of statistics for significance tests."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from bleuprint.core.arrays import np
from bleuprint.errors import InputError, OptionError
from bleuprint.integrations.spark._columns import GROUP, KEY, Roles, corpus_of, require_spark
from bleuprint.integrations.spark._partitions import Record, Watch, collect_records
from bleuprint.integrations.spark._shipping import pack
from bleuprint.runners import one_pass
from bleuprint.runners.evaluation import Metrics, resolve
from bleuprint.statistics.rows import Sample

if TYPE_CHECKING:
    from pyarrow import RecordBatch
    from pyspark.sql import DataFrame


def with_scores(
    df: DataFrame,
    hypotheses: str = "hyp",
    references: str | Sequence[str] = "refs",
    sources: str | None = None,
    *,
    metrics: Metrics = "bleu",
) -> DataFrame:
    """The DataFrame with one column of scores per metric, named after it; each row is scored on its own.

    The computation is lazy. A row without a text then fails the job with an error that names its partition and its
    position there.

    >>> rows = [("a cat", "a cat"), ("a dog", "the dog")]
    >>> df = spark.createDataFrame(rows, "hyp string, refs string")  # doctest: +SKIP
    >>> [row["gleu"] for row in with_scores(df, metrics="gleu").collect()]  # doctest: +SKIP
    [1.0, 0.3333333333333333]
    """
    require_spark()
    from pyspark.sql import types

    resolved = resolve(metrics, unit="segment")
    roles = Roles.of(df, hypotheses, references, sources, resolved)
    for label in resolved:
        if label in df.columns:
            raise OptionError(
                "metrics", "named differently from the columns of the DataFrame; pass {name: metric}", label
            )
    fields = [types.StructField(label, types.DoubleType()) for label in resolved]
    schema = types.StructType([*df.schema.fields, *fields])
    kept, parcel = len(df.columns), pack(resolved)

    def work(batches: Iterator[RecordBatch]) -> Iterator[RecordBatch]:
        import pyarrow as pa
        from pyspark import TaskContext

        opened, watch = parcel.open(), Watch()
        for batch in batches:
            if not watch.is_good(roles.of_batch(batch)) and watch.fault is not None:
                context = TaskContext.get()
                watch.fault.raise_error(place=f"partition {0 if context is None else context.partitionId()}: ")
            corpus = corpus_of(batch)
            one_pass.warn_of_unseen(opened, [corpus])  # in the log of the worker: the driver does not wait for it
            measured = one_pass.measure(opened, {"": corpus}, threads=1)[""] if len(corpus) else {}
            scores = [pa.array(measured[label].segments if measured else np.zeros(0)) for label in opened]
            names = [*batch.schema.names[:kept], *opened]
            yield pa.RecordBatch.from_arrays([*batch.columns[:kept], *scores], names)

    return df.select("*", *roles.columns()).mapInArrow(work, schema)


def samples(
    df: DataFrame,
    hypotheses: str = "hyp",
    references: str | Sequence[str] = "refs",
    sources: str | None = None,
    *,
    metrics: Metrics = "bleu",
    by: str,
    key: str,
) -> dict[str, dict[str, Sample]]:
    """For each metric, the systems in column `by` as samples for `bleuprint.statistics.comparison.compare_samples`.

    The driver receives rows of statistics, tens of bytes per segment, and never texts. Paired tests need the same
    segments for every system: column `key` identifies the segment of a row.

    >>> rows = [(system, i, f"a {i} {system}", f"a {i} good") for i in range(8) for system in ("good", "bad")]
    >>> df = spark.createDataFrame(rows, "system string, segment int, hyp string, refs string")  # doctest: +SKIP
    >>> by_system = samples(df, metrics="gleu", by="system", key="segment")["gleu"]  # doctest: +SKIP
    >>> from bleuprint.statistics.comparison import compare_samples
    >>> compare_samples(by_system).clusters  # doctest: +SKIP
    (('good',), ('bad',))
    """
    require_spark()
    resolved = resolve(metrics, unit="segment")
    roles = Roles.of(df, hypotheses, references, sources, resolved)
    parcel = pack(resolved)

    def count(batches: Iterator[RecordBatch]) -> Iterator[Record]:
        opened = parcel.open().values()
        for batch in batches:
            corpus = corpus_of(batch)
            counted = []
            for metric in opened:
                sources = corpus.sources if metric.needs_sources else None
                counted.append(metric.statistics(corpus.hypotheses, corpus.references, sources=sources, threads=1).rows)
            groups = ["(null)" if group is None else group for group in batch.column(GROUP).to_pylist()]
            rows = [(table.dtype.str, b64encode(table.tobytes()).decode()) for table in counted]
            yield {"groups": groups, "keys": batch.column(KEY).to_pylist(), "rows": rows}

    records = collect_records(roles.select(df, by=by, key=key), roles, count)
    groups = np.asarray([group for record in records for group in record["groups"]], dtype=object)
    keys = np.asarray([segment for record in records for segment in record["keys"]], dtype=object)
    places = {name: np.flatnonzero(groups == name) for name in sorted(set(groups))}
    orders = _match_by_key({name: keys[rows].tolist() for name, rows in places.items()})
    samples_by_metric: dict[str, dict[str, Sample]] = {label: {} for label in resolved}
    for number, (label, metric) in enumerate(resolved.items() if places else ()):
        tables = (record["rows"][number] for record in records)
        flat = np.concatenate([np.frombuffer(b64decode(table), dtype=kind) for kind, table in tables])
        matrix, definition = flat.reshape(-1, len(metric.columns)), metric.definition
        for name, rows in places.items():
            samples_by_metric[label][name] = definition.row_summary.sample(definition, matrix[rows[orders[name]]])
    return samples_by_metric


def _match_by_key(keys: Mapping[str, list[str | None]]) -> dict[str, list[int]]:
    """The positions of each system's rows in key order."""
    places = {name: {key: place for place, key in enumerate(system_keys)} for name, system_keys in keys.items()}
    for name, system_keys in keys.items():
        if None in places[name]:
            raise InputError(f"system {name} has a row without a key, which must identify a segment.")
        if len(places[name]) < len(system_keys):
            twice = next(key for place, key in enumerate(system_keys) if places[name][key] != place)
            raise InputError(f"system {name} has two rows with the key {twice}, which must identify one segment.")
    every = sorted(str(key) for key in set[object]().union(*places.values()))
    for name, positions in places.items():
        missing = [key for key in every if key not in positions]
        if missing:
            raise InputError(f"system {name} has no row with the key {missing[0]}, which another system has.")
    return {name: [positions[key] for key in every] for name, positions in places.items()}
