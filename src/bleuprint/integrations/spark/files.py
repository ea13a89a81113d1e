"""Score files on Spark: read locally, block by block, and count on the cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from bleuprint.core import counts
from bleuprint.dataset import FileStream
from bleuprint.errors import InputError
from bleuprint.integrations.spark._columns import Roles, require_spark
from bleuprint.integrations.spark._scoring import Totals, add_up, result_of
from bleuprint.integrations.spark._shipping import parcels
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.score import Score
from bleuprint.results import Result

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["check_metrics", "one_line", "score_files"]

_CHUNK = 64 << 20  # bytes of files per DataFrame; large enough that starting a job costs little


def check_metrics(metrics: Mapping[str, Metric[Score]]) -> None:
    """Raise an error for metrics that Spark cannot score."""
    require_spark()
    parcels(metrics)


def score_files(
    spark: SparkSession,
    stream: FileStream,
    metrics: Mapping[str, Metric[Score]],
    *,
    advance: Callable[[int], object] | None = None,
) -> Result:
    """The corpus scores of all systems of a stream, equal to those on one machine; memory does not grow with the files.

    Only this machine needs the files. `advance` is called with the number of bytes done.
    """
    require_spark()
    all_totals = Totals(metrics, grouped=True)
    with one_line():
        for frame, size in _frames(spark, stream):
            for place, system in enumerate(stream.systems):
                roles = Roles.of(frame, f"hyp {place}", "refs", "src" if stream.has_sources else None)
                all_totals.absorb(system, add_up(frame, roles, metrics, by=None, bad_rows="error"))
            if advance is not None:
                advance(size)
    for system in stream.systems:
        all_totals.absorb(system, Totals(metrics, grouped=False))  # files without any lines still have systems
    return result_of(all_totals, order=stream.systems)


def _frames(spark: SparkSession, stream: FileStream) -> Iterator[tuple[DataFrame, int]]:
    """DataFrames of several blocks of the stream, each with the number of bytes read."""
    import pyarrow as pa

    parts: dict[str, list[Any]] = {}
    size = 0
    for block in stream.blocks():
        texts: dict[str, Any] = {
            f"hyp {place}": counts.column_strings(block.hypotheses[system])
            for place, system in enumerate(stream.systems)
        }
        assert block.references is not None, "a stream for Spark is opened with its references"
        texts["refs"] = block.references.unpack()
        if block.sources is not None:
            texts["src"] = counts.column_strings(block.sources)
        for name, column in texts.items():
            kind = pa.list_(pa.string()) if name == "refs" else pa.string()
            parts.setdefault(name, []).append(pa.array(column, kind))
        size += block.bytes_read
        if size >= _CHUNK:
            yield spark.createDataFrame(_table(parts)), size
            parts, size = {}, 0
    if parts:
        yield spark.createDataFrame(_table(parts)), size


def _table(parts: Mapping[str, list[Any]]) -> Any:
    import pyarrow as pa

    return pa.table({name: pa.chunked_array(arrays) for name, arrays in parts.items()})


@contextmanager
def one_line() -> Iterator[None]:
    """Reduce Spark's failures, which are pages of Java, to their first line, which says what happened."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except (PySparkException, Py4JError) as error:
        line = next((line for line in str(error).splitlines() if line.strip()), type(error).__name__)
        raise InputError(f"Spark could not finish: {line}") from None
