"""Where scores are computed: here, or on Spark."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from typing import Any

import click

from bleuprint.dataset import FileStream
from bleuprint.metrics.base.metric import FittedMetric, Metric
from bleuprint.results import Result
from bleuprint.runners.progress import progress

__all__ = ["Scorer", "engine_options", "spark_scorer"]

Scorer = Callable[[FileStream, dict[str, Metric[Any]], int | None], Result]


def engine_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """--engine and --master."""
    for option in (
        click.option("--master", metavar="URL", help="Where Spark runs: local[*] (if not given), local[2], spark://…"),
        click.option(
            "--engine", type=click.Choice(["local", "spark"]), default="local", help="Count here or on Spark."
        ),
    ):
        function = option(function)
    return function


def spark_scorer(options: Mapping[str, Any], *, every_segment: bool) -> Scorer | None:
    """What scores a stream on Spark; None if that was not asked for."""
    if options["engine"] != "spark":
        if options["master"] is not None:
            raise click.UsageError("--master needs --engine spark.")
        return None
    if every_segment:
        raise click.UsageError("--engine spark scores whole corpora: leave out --sentence-level and --report.")
    master = options["master"] or "local[*]"

    def scored(stream: FileStream, metrics: dict[str, Metric[Any]], threads: int | None) -> Result:
        if threads is not None:
            raise click.UsageError("--threads does not apply to --engine spark: write --master local[N].")
        from bleuprint.integrations.spark.files import check_metrics, score_files
        from bleuprint.integrations.spark.session import local_session

        for name, metric in metrics.items():
            if isinstance(metric, FittedMetric) and not metric.can_stream:
                raise click.UsageError(f"{name} reads all references before it scores: leave out --engine spark.")
        check_metrics(metrics)  # before seconds go into a session
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of pyspark, about versions of pandas
            spark = local_session(master, quiet=True)
            try:
                with progress("scoring", stream.size) as advance:
                    return score_files(spark, stream, metrics, advance=advance)
            finally:
                spark.stop()

    return scored
