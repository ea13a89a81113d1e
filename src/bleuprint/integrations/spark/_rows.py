"""Scores per row, and the rows of statistics for significance tests."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from bleuprint.core.arrays import np
from bleuprint.errors import InputError, LengthMismatchError, OptionError
from bleuprint.integrations.spark._batches import Work, build_batch, collect, partition_number
from bleuprint.integrations.spark._columns import GROUP, KEY, Roles, corpus_of, require_spark
from bleuprint.integrations.spark._faults import BadRows, Watch, check_reports, skips
from bleuprint.integrations.spark._shipping import Parcel, parcels
from bleuprint.runners import one_pass
from bleuprint.runners.evaluation import Metrics, resolve
from bleuprint.statistics.rows import Sample

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pyarrow import Array, RecordBatch
    from pyspark.sql import DataFrame


def with_scores(
    df: DataFrame,
    hypothesis: str = "hyp",
    references: str | Sequence[str] = "refs",
    sources: str | None = None,
    *,
    metrics: Metrics = "bleu",
    bad_rows: BadRows = "error",
) -> DataFrame:
    """The DataFrame with one column of scores per metric, named after it; each row is scored on its own.

    The computation is lazy. A row without a text then fails the job with an error that names its partition and its
    position there; with `bad_rows="skip"` its scores are null.

    >>> rows = [("a cat", "a cat"), ("a dog", "the dog")]
    >>> df = spark.createDataFrame(rows, "hyp string, refs string")  # doctest: +SKIP
    >>> [row["gleu"] for row in with_scores(df, metrics="gleu").collect()]  # doctest: +SKIP
    [1.0, 0.3333333333333333]
    """
    require_spark()
    from pyspark.sql import types

    resolved = resolve(metrics, unit="segment")
    roles = Roles.of(df, hypothesis, references, sources, resolved)
    for label in resolved:
        if label in df.columns:
            raise OptionError(
                "metrics", "named differently from the columns of the DataFrame; pass {name: metric}", label
            )
    fields = [types.StructField(label, types.DoubleType()) for label in resolved]
    schema = types.StructType([*df.schema.fields, *fields])
    work = _score_rows(len(df.columns), roles, parcels(resolved), skip=skips(bad_rows))
    return df.select("*", *roles.columns()).mapInArrow(work, schema)


def _score_rows(kept: int, roles: Roles, shipped: Mapping[str, Parcel], *, skip: bool) -> Work:
    def work(batches: Iterator[RecordBatch]) -> Iterator[RecordBatch]:
        import pyarrow as pa

        metrics = {label: parcel.open() for label, parcel in shipped.items()}
        watch = Watch(skip=skip)
        for batch in batches:
            good = watch.good_rows(roles.of_batch(batch))
            if watch.fault is not None:
                watch.fault.raise_error(place=f"partition {partition_number()}: ")
            corpus = corpus_of(batch if good.all() else batch.filter(pa.array(good)))
            one_pass.warn_of_unseen(metrics, [corpus])  # in the log of the worker: the driver does not wait for it
            measured = one_pass.measure(metrics, {"": corpus}, threads=1)[""] if len(corpus) else {}
            scores = [_spread_scores(measured[label].segments if measured else np.zeros(0), good) for label in metrics]
            names = [*batch.schema.names[:kept], *metrics]
            yield pa.RecordBatch.from_arrays([*batch.columns[:kept], *scores], names)

    return work


def _spread_scores(scores: NDArray[np.float64], good: NDArray[np.bool_]) -> Array:
    """Scores at the positions of the good rows, null elsewhere."""
    import pyarrow as pa

    spread = np.zeros(len(good))
    spread[good] = scores
    return pa.array(spread, mask=~good)


def samples(
    df: DataFrame,
    hypothesis: str = "hyp",
    references: str | Sequence[str] = "refs",
    sources: str | None = None,
    *,
    metrics: Metrics = "bleu",
    by: str,
    key: str | None = None,
    bad_rows: BadRows = "error",
) -> dict[str, dict[str, Sample]]:
    """For each metric, the systems in column `by` as samples for `bleuprint.statistics.comparison.compare_samples`.

    The driver receives rows of statistics, tens of bytes per segment, and never texts. Paired tests need the same
    segments for every system: column `key` identifies the segment of a row; without it, the n-th rows of all systems
    belong together. With `bad_rows="skip"`, which requires a key, a bad row is left out of every system.

    >>> rows = [(system, i, f"a {i} {system}", f"a {i} good") for i in range(8) for system in ("good", "bad")]
    >>> df = spark.createDataFrame(rows, "system string, segment int, hyp string, refs string")  # doctest: +SKIP
    >>> by_system = samples(df, metrics="gleu", by="system", key="segment")["gleu"]  # doctest: +SKIP
    >>> from bleuprint.statistics.comparison import compare_samples
    >>> compare_samples(by_system).clusters  # doctest: +SKIP
    (('good',), ('bad',))
    """
    require_spark()
    resolved = resolve(metrics, unit="segment")
    roles = Roles.of(df, hypothesis, references, sources, resolved)
    skip = skips(bad_rows)
    if skip and key is None:
        raise OptionError("bad_rows", "'error' if there is no key to match segments", bad_rows)
    schema = "record string" + "".join(f", rows_{place} binary" for place in range(len(resolved)))
    work = _count_rows(roles, parcels(resolved), schema, skip=skip)
    batches = collect(roles.select(df, by=by, key=key).mapInArrow(work, schema))
    records = [json.loads(row["record"]) for row in batches]
    check_reports([record for record in records if "rows" in record])
    groups = np.asarray([group for record in records for group in record.get("groups", ())], dtype=object)
    keys = np.asarray([segment for record in records for segment in record.get("keys", ())], dtype=object)
    places = {name: np.flatnonzero(groups == name) for name in sorted(set(groups))}
    keys_by_system = {name: keys[rows].tolist() for name, rows in places.items()}
    orders = _match_in_order(keys_by_system) if key is None else _match_by_key(keys_by_system, skip=skip)
    samples_by_metric: dict[str, dict[str, Sample]] = {label: {} for label in resolved}
    for number, (label, metric) in enumerate(resolved.items() if places else ()):
        parts = [
            np.frombuffer(row[f"rows_{number}"], dtype=record["kinds"][number]).reshape(-1, len(metric.columns))
            for row, record in zip(batches, records, strict=True)
            if "kinds" in record
        ]
        matrix, definition = np.concatenate(parts), metric.definition
        for name, rows in places.items():
            samples_by_metric[label][name] = definition.row_summary.sample(definition, matrix[rows[orders[name]]])
    return samples_by_metric


def _count_rows(roles: Roles, shipped: Mapping[str, Parcel], schema: str, *, skip: bool) -> Work:
    """One row per batch: groups and keys as JSON, and the statistics of each metric as raw bytes; then a report."""

    def work(batches: Iterator[RecordBatch]) -> Iterator[RecordBatch]:
        with Watch(skip=skip) as watch:
            metrics = [parcel.open() for parcel in shipped.values()]
            for batch in batches:
                kept = watch.keep_good(batch, roles.of_batch(batch))
                corpus = corpus_of(kept)
                counted = [
                    metric.statistics(
                        corpus.hypotheses,
                        corpus.references,
                        sources=corpus.sources if metric.needs_sources else None,
                        threads=1,
                    ).rows
                    for metric in metrics
                ]
                groups = ["(null)" if group is None else group for group in kept.column(GROUP).to_pylist()]
                keys = kept.column(KEY).to_pylist() if KEY in kept.schema.names else [None] * len(groups)
                record = {"groups": groups, "keys": keys, "kinds": [rows.dtype.str for rows in counted]}
                yield build_batch(schema, [json.dumps(record)], *([rows.tobytes()] for rows in counted))
        yield build_batch(schema, [json.dumps(watch.report())], *[[b""]] * len(shipped))

    return work


Keys = Mapping[str, list[str | None]]


def _match_in_order(keys: Keys) -> dict[str, list[int]]:
    """All rows in their order."""
    first = next(iter(keys), "")
    for name, system_keys in keys.items():
        if len(system_keys) != len(keys[first]):
            raise LengthMismatchError(first, len(keys[first]), name, len(system_keys))
    return {name: list(range(len(system_keys))) for name, system_keys in keys.items()}


def _match_by_key(keys: Keys, *, skip: bool) -> dict[str, list[int]]:
    """The positions of each system's rows in key order; with `skip`, only for keys that all systems have."""
    places = {name: {key: place for place, key in enumerate(system_keys)} for name, system_keys in keys.items()}
    for name, system_keys in keys.items():
        if None in places[name]:
            raise InputError(f"system {name} has a row without a key, which must identify a segment.")
        if len(places[name]) < len(system_keys):
            twice = next(key for place, key in enumerate(system_keys) if places[name][key] != place)
            raise InputError(f"system {name} has two rows with the key {twice}, which must identify one segment.")
    every = set().union(*places.values())
    for name, positions in places.items():
        missing = every - positions.keys()
        if missing and not skip:
            raise InputError(
                f"system {name} has no row with the key {min(map(str, missing))}, which another system has."
            )
    shared = sorted(str(key) for key in every if all(key in positions for positions in places.values()))
    return {name: [positions[key] for key in shared] for name, positions in places.items()}
