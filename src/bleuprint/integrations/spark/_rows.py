"""Scores of every row, and the rows of statistics that significance is told from."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from bleuprint.errors import BleuprintError, InputError, LengthMismatchError, OptionError
from bleuprint.integrations.spark._columns import GROUP, KEY, Roles, collected, corpus_of, require_spark, selected
from bleuprint.integrations.spark._faults import BadRows, Watch, checked_mode, first_fault, raise_named
from bleuprint.integrations.spark._scoring import partition_number
from bleuprint.integrations.spark._shipping import Parcel, parcels
from bleuprint.metrics.base.metric import Metric
from bleuprint.runners import one_pass as together
from bleuprint.runners.evaluation import Metrics, resolve
from bleuprint.statistics.rows import Sample

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from pyspark.sql import DataFrame

__all__ = ["samples", "with_scores"]

Arrow = Any  # a pyarrow.RecordBatch: pyarrow has no types
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
    """The DataFrame with a column of scores for each metric, under its name: each row scored on its own.

    Nothing is computed before the rows are asked for. A row without a text then stops the job with an error that names
    its partition and its place there; with `bad_rows="skip"` its scores are null.

    >>> rows = [("a cat", "a cat"), ("a dog", "the dog")]
    >>> df = spark.createDataFrame(rows, "hyp string, refs string")  # doctest: +SKIP
    >>> [row["gleu"] for row in with_scores(df, metrics="gleu").collect()]  # doctest: +SKIP
    [1.0, 0.3333333333333333]
    """
    require_spark()
    from pyspark.sql import types

    chosen = resolve(metrics)
    roles = Roles.of(df, hypothesis, references, sources)
    roles.check_sources(chosen)
    for label in chosen:
        if label in df.columns:
            raise OptionError(
                "metrics", "named unlike the columns of the DataFrame: give them as {name: metric}", label
            )
    fields = [types.StructField(label, types.DoubleType()) for label in chosen]
    schema = types.StructType([*df.schema.fields, *fields])
    work = _scored(len(df.columns), roles, parcels(chosen), skip=checked_mode(bad_rows) == "skip")
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
            measured = together.measure(metrics, {"": corpus_of(batch, good)}, threads=1)[""]
            scores = [_spread(measured[label].segments, good) for label in metrics]
            names = [*batch.schema.names[:kept], *metrics]
            yield pa.RecordBatch.from_arrays([*batch.columns[:kept], *scores], names)

    return work


def _spread(scores: NDArray[np.float64], good: NDArray[np.bool_] | None) -> Any:
    """Scores of the good rows at their places, null at the others."""
    import numpy as np
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
    """For each metric the systems of column `by` as samples, ready for `bleuprint.significance.compare_samples`.

    What comes to the driver are rows of statistics, some tens of bytes a segment, never texts. Paired tests need the
    same segments of every system: `key` is the column that says which segment a row is; without one the n-th rows of
    all systems belong together. A bad row is left out of every system with `bad_rows="skip"`, which needs a key.

    >>> rows = [(system, i, f"a {i} {system}", f"a {i} good") for i in range(8) for system in ("good", "bad")]
    >>> df = spark.createDataFrame(rows, "system string, segment int, hyp string, refs string")  # doctest: +SKIP
    >>> found = samples(df, metrics="gleu", by="system", key="segment")["gleu"]  # doctest: +SKIP
    >>> from bleuprint.significance import compare_samples
    >>> compare_samples(found).clusters  # doctest: +SKIP
    (('good',), ('bad',))
    """
    require_spark()
    chosen = resolve(metrics)
    roles = Roles.of(df, hypothesis, references, sources)
    roles.check_sources(chosen)
    skip = checked_mode(bad_rows) == "skip"
    if skip and key is None:
        raise OptionError("bad_rows", "'error' where no key says which segments belong together", bad_rows)
    schema = "record string, names binary, " + ", ".join(f"`rows {i}` binary" for i in range(len(chosen)))
    counted = selected(df, roles, by=by, key=key).mapInArrow(_counted(roles, parcels(chosen), skip=skip), schema)
    systems = _systems(collected(counted), chosen, skip=skip, keyed=key is not None)
    order = _in_step if key is None else _by_key
    orders = order({name: keys for name, (keys, _) in systems.items()}, skip=skip)
    found: dict[str, dict[str, Sample]] = {label: {} for label in chosen}
    for name in sorted(systems):
        for (label, metric), counts in zip(chosen.items(), systems[name][1], strict=True):
            definition = metric.definition
            found[label][name] = definition.summary.sample(definition, counts[orders[name]])
    return found


def _counted(roles: Roles, shipped: Mapping[str, Parcel], *, skip: bool) -> Work:
    """A row for every batch: groups and keys as JSON, and the statistics of every metric as they lie in memory."""

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


def _statistics_of(batch: Arrow, good: NDArray[np.bool_] | None, metrics: Mapping[str, Metric[Any]]) -> Arrow:
    import pyarrow as pa

    if good is not None:
        batch = batch.filter(pa.array(good))
    corpus = corpus_of(batch, None)
    rows = []
    for metric in metrics.values():
        sources = corpus.sources if metric.needs_sources else None
        found = metric.statistics(corpus.hypotheses, corpus.references, sources=sources, threads=1)
        rows.append(found.rows.tobytes())
    groups = batch.column(batch.schema.get_field_index(GROUP)).to_pylist()
    place = batch.schema.get_field_index(KEY)
    keys = batch.column(place).to_pylist() if place >= 0 else None
    return _record({}, json.dumps([groups, keys]).encode(), rows)


def _record(record: Mapping[str, Any], names_of: bytes, rows: Sequence[bytes]) -> Arrow:
    import pyarrow as pa

    columns = [pa.array([json.dumps(record)]), pa.array([names_of], pa.binary())]
    names = ["record", "names", *(f"rows {i}" for i in range(len(rows)))]
    return pa.RecordBatch.from_arrays([*columns, *(pa.array([part], pa.binary()) for part in rows)], names)


class _System:
    """Rows of one system as they come in."""

    def __init__(self, metrics: int) -> None:
        self.keys: list[str | None] = []
        self.rows: list[list[NDArray[np.int64]]] = [[] for _ in range(metrics)]


def _systems(
    rows: Sequence[Any], metrics: Mapping[str, Metric[Any]], *, skip: bool, keyed: bool
) -> dict[str, tuple[list[str | None], list[NDArray[np.int64]]]]:
    import numpy as np

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
        groups, keys = json.loads(row["names"])
        codes = np.asarray(["(null)" if group is None else group for group in groups], dtype=object)
        for name in dict.fromkeys(codes.tolist()):
            chosen = np.flatnonzero(codes == name)
            system = systems.setdefault(name, _System(len(metrics)))
            system.keys += [keys[i] for i in chosen.tolist()] if keyed else [None] * len(chosen)
            for place, metric in enumerate(metrics.values()):
                matrix = np.frombuffer(row[f"rows {place}"], dtype=np.int64).reshape(-1, len(metric.columns))
                system.rows[place].append(matrix[chosen])
    return {name: (found.keys, [np.concatenate(part) for part in found.rows]) for name, found in systems.items()}


Keys = Mapping[str, list[str | None]]


def _in_step(keys: Keys, *, skip: bool) -> dict[str, list[int]]:
    """All rows as they came."""
    del skip
    first = next(iter(keys), "")
    for name, found in keys.items():
        if len(found) != len(keys[first]):
            raise LengthMismatchError(first, len(keys[first]), name, len(found))
    return {name: list(range(len(found))) for name, found in keys.items()}


def _by_key(keys: Keys, *, skip: bool) -> dict[str, list[int]]:
    """The places of each system's rows in the order of their keys; with `skip` of the keys that all have."""
    places = {name: {key: place for place, key in enumerate(found)} for name, found in keys.items()}
    for name, found in keys.items():
        if None in places[name]:
            raise InputError(f"system {name} has a row without a key: a key names one segment of a system.")
        if len(places[name]) < len(found):
            twice = next(key for place, key in enumerate(found) if places[name][key] != place)
            raise InputError(f"system {name} has two rows of key {twice}: a key names one segment of a system.")
    every = set().union(*places.values())
    for name, found_places in places.items():
        missing = every - found_places.keys()
        if missing and not skip:
            raise InputError(f"system {name} has no row of key {min(map(str, missing))}, which another system has.")
    shared = sorted(str(key) for key in every if all(key in found_places for found_places in places.values()))
    return {name: [found_places[key] for key in shared] for name, found_places in places.items()}
