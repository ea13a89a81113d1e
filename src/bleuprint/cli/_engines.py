"""The --engine option: compute scores locally or on Spark."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from typing import Any

import click

from bleuprint.cli._command import combine, option
from bleuprint.dataset import FileStream
from bleuprint.metrics.base.metric import FittedMetric, Metric
from bleuprint.metrics.base.score import Score
from bleuprint.results import Result
from bleuprint.runners.progress import progress

Scorer = Callable[[FileStream, dict[str, Metric[Score]], int | None], Result]


engine_options = combine(
    option(
        "--engine",
        group="Speed",
        type=click.Choice(["local", "spark"]),
        default="local",
        help="Where to compute the scores.",
    ),
    option(
        "--master",
        group="Speed",
        metavar="URL",
        help="Spark master, such as local[2] or spark://… [default: local[*]].",
    ),
)


def spark_scorer(
    options: Mapping[str, Any], metrics: Mapping[str, Metric[Score]], *, every_segment: bool
) -> Scorer | None:
    """Return the function that scores a stream on Spark, or None without --engine spark."""
    if options["engine"] != "spark":
        if options["master"] is not None:
            raise click.UsageError("--master needs --engine spark.")
        return None
    if every_segment:
        raise click.UsageError("--engine spark computes corpus scores only; remove --sentence-level and --report.")
    for name, metric in metrics.items():
        if isinstance(metric, FittedMetric) and not metric.can_stream:
            raise click.UsageError(f"{name} must read all references before scoring; remove --engine spark.")
    master = options["master"] or "local[*]"

    def scored(stream: FileStream, metrics: dict[str, Metric[Score]], threads: int | None) -> Result:
        if threads is not None:
            raise click.UsageError("--threads does not apply to --engine spark; use --master local[N].")
        from bleuprint.integrations.spark.files import check_metrics, score_files
        from bleuprint.integrations.spark.session import local_session

        check_metrics(metrics)  # starting a session takes seconds
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # pyspark warns about pandas versions
            spark = local_session(master, quiet=True)
            try:
                with progress("scoring", stream.size) as advance:
                    return score_files(spark, stream, metrics, advance=advance)
            finally:
                spark.stop()

    return scored
