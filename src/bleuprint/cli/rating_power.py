"""bleuprint rating-power."""

from __future__ import annotations

from typing import Any

import click

from bleuprint.cli import _notes
from bleuprint.cli._command import MetricsCommand
from bleuprint.cli._formats import check_format
from bleuprint.cli._metrics import build_metrics, metrics_option, model_options, shared_options
from bleuprint.cli._rated import column_roles, deliver, output_options, rating_options, resampling_options
from bleuprint.files import check_targets
from bleuprint.ratings.power import rating_power
from bleuprint.runners.progress import progress

__all__ = ["command"]


@click.command(
    "rating-power",
    cls=MetricsCommand,
    examples=(
        "bleuprint rating-power ratings.tsv --human mqm -m bleu,chrf",
        "bleuprint rating-power ratings.tsv --human mqm --column comet --items 1000",
    ),
    more="docs/how-to/fit-a-metric.md",
)
@rating_options
@metrics_option("bleu,chrf,ter")
@shared_options
@model_options
@click.option("--column", "columns", multiple=True, metavar="NAME", help="Column with scores from elsewhere.")
@click.option("--items", "sizes", multiple=True, type=int, metavar="N", help="Number of items to show; repeatable.")
@resampling_options
@output_options
def command(
    ratings: str,
    human: str,
    metrics: tuple[str, ...],
    columns: tuple[str, ...],
    sizes: tuple[int, ...],
    samples: int,
    seed: int,
    report_path: str | None,
    form: str,
    signatures: bool,
    force: bool,
    threads: int | None,
    **options: Any,
) -> None:
    """Estimate how many ratings are needed to tell metrics apart.

    RATINGS is a table with a row for each rated output, as for 'bleuprint fit'. Items are drawn from it again and
    again; numbers of items beyond those in the table are extrapolated and marked.
    """
    check_format(form, {"--signatures": signatures})
    check_targets(filter(None, (report_path,)), overwrite=force)
    roles = column_roles(options)
    built = build_metrics(metrics, options)
    with progress("drawing", None):
        power = rating_power(
            ratings,
            human,
            metrics=built,
            columns=columns,
            sizes=sizes or None,
            samples=samples,
            seed=seed,
            threads=threads,
            **roles,
        )
    _notes.show(power.notes)
    deliver(power, report_path=report_path, form=form, signatures=signatures, force=force)
