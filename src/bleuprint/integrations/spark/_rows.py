"""Scores per row, and the rows of statistics for significance tests."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from bleuprint.core.arrays import np
from bleuprint.errors import BleuprintError, InputError, LengthMismatchError, OptionError
from bleuprint.integrations.spark._columns import GROUP, KEY, Roles, collected, corpus_of, require_spark, selected
from bleuprint.integrations.spark._faults import BadRows, Watch, checked_mode, first_fault, raise_named
from bleuprint.integrations.spark._scoring import partition_number
from bleuprint.integrations.spark._shipping import Parcel, parcels
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.score import Score
from bleuprint.runners import one_pass
from bleuprint.runners.evaluation import Metrics, resolve
from bleuprint.statistics.rows import Sample

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pyspark.sql import DataFrame

Arrow = Any  # a pyarrow.RecordBatch; pyarrow has no type hints
Work = Callable[[Iterator[Arrow]], Iterator[Arrow]]


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
    roles = Roles.of(df, hypothesis, references, sources)
    roles.check_sources(resolved)
    for label in resolved:
        if label in df.columns:
            raise OptionError(
                "metrics", "named differently from the columns of the DataFrame; pass {name: metric}", label
            )
    fields = [types.StructField(label, types.DoubleType()) for label in resolved]
    schema = types.StructType([*df.schema.fields, *fields])
    work = _scored(len(df.columns), roles, parcels(resolved), skip=checked_mode(bad_rows) == "skip")
    return df.select("*", *roles.columns()).mapInArrow(work, schema)


def _scored(kept: int, roles: Roles, shipped: Mapping[str, Parcel], *, skip: bool) -> Work:
    def work(batches: Iterator[Arrow]) -> Iterator[Arrow]:
        import pyarrow as pa

        metrics = {label: parcel.open() for label, parcel in shipped.items()}
        watch = Watch()
        for batch in batches:
            good = watch.good(roles.of_batch(batch))
            if watch.fault is not None and not skip:
                raise_named(watch.fault, place=f"partition {partition_number()}: ")
            corpus = corpus_of(batch, good)
            measured = one_pass.measure(metrics, {"": corpus}, threads=1)[""] if len(corpus) else {}
            segments = (measured[label].segments if len(corpus) else np.zeros(0) for label in metrics)
            scores = [_spread(column, good) for column in segments]
            names = [*batch.schema.names[:kept], *metrics]
            yield pa.RecordBatch.from_arrays([*batch.columns[:kept], *scores], names)

    return work


def _spread(scores: NDArray[np.float64], good: NDArray[np.bool_] | None) -> Any:
    """Scores at the positions of the good rows, null elsewhere."""
    import pyarrow as pa

    if good is None:
        return pa.array(scores)
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
    roles = Roles.of(df, hypothesis, references, sources)
    roles.check_sources(resolved)
    skip = checked_mode(bad_rows) == "skip"
    if skip and key is None:
        raise OptionError("bad_rows", "'error' if there is no key to match segments", bad_rows)
    schema = "record string, names binary, " + ", ".join(f"`rows {i}` binary" for i in range(len(resolved)))
    counted = selected(df, roles, by=by, key=key).mapInArrow(_counted(roles, parcels(resolved), skip=skip), schema)
    systems = _systems(collected(counted), resolved, skip=skip, keyed=key is not None)
    order = _in_step if key is None else _by_key
    orders = order({name: keys for name, (keys, _) in systems.items()}, skip=skip)
    samples_by_metric: dict[str, dict[str, Sample]] = {label: {} for label in resolved}
    for name in sorted(systems):
        for (label, metric), counts in zip(resolved.items(), systems[name][1], strict=True):
            definition = metric.definition
            samples_by_metric[label][name] = definition.row_summary.sample(definition, counts[orders[name]])
    return samples_by_metric


def _counted(roles: Roles, shipped: Mapping[str, Parcel], *, skip: bool) -> Work:
    """One row per batch: groups and keys as JSON, and the statistics of each metric as raw bytes."""

    def work(batches: Iterator[Arrow]) -> Iterator[Arrow]:
        watch = Watch()
        try:
            metrics = {label: parcel.open() for label, parcel in shipped.items()}
            for batch in batches:
                good = watch.good(roles.of_batch(batch))
                if watch.fault is None or skip:
                    yield _statistics_of(batch, good, metrics)
            yield _record(watch.report(), b"", [b""] * len(shipped))
        except BleuprintError as error:
            yield _record({"error": str(error)}, b"", [b""] * len(shipped))

    return work


def _statistics_of(batch: Arrow, good: NDArray[np.bool_] | None, metrics: Mapping[str, Metric[Score]]) -> Arrow:
    import pyarrow as pa

    if good is not None:
        batch = batch.filter(pa.array(good))
    corpus = corpus_of(batch, None)
    rows, kinds = [], []
    for metric in metrics.values():
        sources = corpus.sources if metric.needs_sources else None
        statistics = metric.statistics(corpus.hypotheses, corpus.references, sources=sources, threads=1)
        rows.append(statistics.rows.tobytes())
        kinds.append(statistics.rows.dtype.str)
    groups = batch.column(batch.schema.get_field_index(GROUP)).to_pylist()
    place = batch.schema.get_field_index(KEY)
    keys = batch.column(place).to_pylist() if place >= 0 else None
    return _record({}, json.dumps([groups, keys, kinds]).encode(), rows)


def _record(record: Mapping[str, Any], names_of: bytes, rows: Sequence[bytes]) -> Arrow:
    import pyarrow as pa

    columns = [pa.array([json.dumps(record)]), pa.array([names_of], pa.binary())]
    names = ["record", "names", *(f"rows {i}" for i in range(len(rows)))]
    return pa.RecordBatch.from_arrays([*columns, *(pa.array([part], pa.binary()) for part in rows)], names)


class _System:
    """The rows of one system as they arrive."""

    def __init__(self, metrics: int) -> None:
        self.keys: list[str | None] = []
        self.rows: list[list[NDArray[np.int64]]] = [[] for _ in range(metrics)]


def _systems(
    rows: Sequence[Any], metrics: Mapping[str, Metric[Score]], *, skip: bool, keyed: bool
) -> dict[str, tuple[list[str | None], list[NDArray[np.int64]]]]:
    records = [json.loads(row["record"]) for row in rows]
    for record in records:
        if "error" in record:
            raise InputError(record["error"])
    fault = first_fault(record for record in records if "rows" in record)
    if fault is not None and not skip:
        raise_named(fault)
    systems: dict[str, _System] = {}
    for row in rows:
        if not row["names"]:
            continue
        groups, keys, kinds = json.loads(row["names"])
        codes = np.asarray(["(null)" if group is None else group for group in groups], dtype=object)
        for name in dict.fromkeys(codes.tolist()):
            of_system = np.flatnonzero(codes == name)
            system = systems.setdefault(name, _System(len(metrics)))
            system.keys += [keys[i] for i in of_system.tolist()] if keyed else [None] * len(of_system)
            for place, metric in enumerate(metrics.values()):
                matrix = np.frombuffer(row[f"rows {place}"], dtype=kinds[place]).reshape(-1, len(metric.columns))
                system.rows[place].append(matrix[of_system])
    return {name: (system.keys, [np.concatenate(part) for part in system.rows]) for name, system in systems.items()}


Keys = Mapping[str, list[str | None]]


def _in_step(keys: Keys, *, skip: bool) -> dict[str, list[int]]:
    """All rows in their order."""
    del skip
    first = next(iter(keys), "")
    for name, system_keys in keys.items():
        if len(system_keys) != len(keys[first]):
            raise LengthMismatchError(first, len(keys[first]), name, len(system_keys))
    return {name: list(range(len(system_keys))) for name, system_keys in keys.items()}


def _by_key(keys: Keys, *, skip: bool) -> dict[str, list[int]]:
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
