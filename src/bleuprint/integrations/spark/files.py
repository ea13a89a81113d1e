"""Score files on Spark: read locally, block by block, and count on the cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from bleuprint.core import counts
from bleuprint.dataset import FileStream
from bleuprint.integrations.spark._columns import Roles, require_spark
from bleuprint.integrations.spark._scoring import Totals
from bleuprint.integrations.spark._shipping import parcels
from bleuprint.integrations.spark.session import one_line
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
    """The corpus scores of all systems of a stream, equal to those on one machine.

    Only this machine needs the files. Its memory does not grow with them, except for the token ids that pool metrics
    keep. `advance` is called with the number of bytes done.
    """
    require_spark()
    totals = Totals(metrics, stream.systems)  # files without any lines still have systems
    with one_line("Spark could not finish"):
        for frame, size in _frames(spark, stream):
            references = "refs" if "refs" in frame.columns else None
            sources = "src" if stream.has_sources else None
            for place, system in enumerate(stream.systems):
                roles = Roles.of(frame, f"hyp {place}", references, sources, metrics)
                totals.add_frame(frame, roles, system=system)
            if advance is not None:
                advance(size)
    return totals.result(stream.systems)


def _frames(spark: SparkSession, stream: FileStream) -> Iterator[tuple[DataFrame, int]]:
    """DataFrames of several blocks of the stream, each with the number of bytes read."""
    import pyarrow as pa

    tables = []
    size = 0
    for block in stream.blocks():
        texts = {
            f"hyp {place}": pa.array(counts.column_strings(block.hypotheses[system]), pa.string())
            for place, system in enumerate(stream.systems)
        }
        if block.references is not None:
            texts["refs"] = pa.array(block.references.unpack(), pa.list_(pa.string()))
        if block.sources is not None:
            texts["src"] = pa.array(counts.column_strings(block.sources), pa.string())
        tables.append(pa.table(texts))
        size += block.bytes_read
        if size >= _CHUNK:
            yield spark.createDataFrame(pa.concat_tables(tables)), size
            tables, size = [], 0
    if tables:
        yield spark.createDataFrame(pa.concat_tables(tables)), size
