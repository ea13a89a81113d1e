"""bleuprint threshold."""

from __future__ import annotations

from typing import Any

import click

from bleuprint.cli import _notes, _terminal
from bleuprint.cli._command import MetricsCommand
from bleuprint.cli._formats import check_format
from bleuprint.cli._metrics import build_metric, metric_options
from bleuprint.cli._rated import column_roles, deliver, folds_option, output_options, rating_options, resampling_options
from bleuprint.files import check_targets
from bleuprint.ratings.thresholds import find_threshold
from bleuprint.runners.progress import progress

__all__ = ["command"]


@click.command(
    "threshold",
    cls=MetricsCommand,
    examples=(
        "bleuprint threshold ratings.tsv --human ok -m bleu",
        "bleuprint threshold ratings.tsv --human mqm --cut -1 -m chrf --precision 0.9",
    ),
    more="docs/how-to/fit-a-metric.md",
    epilog="Exits with 1 if no threshold separates.",
)
@rating_options
@metric_options
@click.option("--column", metavar="NAME", help="Column with scores from elsewhere, instead of a metric.")
@click.option(
    "--cut",
    type=float,
    metavar="N",
    help="Outputs with this rating or a better one pass [default: 0.5 if all ratings are 0 or 1].",
)
@click.option("--precision", type=float, metavar="SHARE", help="Require this precision, and maximize the recall.")
@click.option("--recall", type=float, metavar="SHARE", help="Require this recall, and maximize the precision.")
@folds_option
@resampling_options
@output_options
def command(
    ratings: str,
    human: str,
    metrics: tuple[str, ...],
    column: str | None,
    cut: float | None,
    precision: float | None,
    recall: float | None,
    folds: int,
    samples: int,
    seed: int,
    report_path: str | None,
    form: str,
    signatures: bool,
    force: bool,
    threads: int | None,
    **options: Any,
) -> None:
    """Find the score at which an output is good enough, from ratings.

    RATINGS is a table with a row for each rated output, as for 'bleuprint fit'. Without --precision or --recall, the
    threshold has the largest F1. Its precision and recall are measured on held-out items. If the metric separates
    outputs that pass from outputs that fail no better than chance, there is no threshold.
    """
    check_format(form, {"--signatures": signatures})
    check_targets(filter(None, (report_path,)), overwrite=force)
    roles = column_roles(options)
    metric = build_metric("threshold", metrics, options)
    with progress("searching", None):
        threshold = find_threshold(
            ratings,
            human,
            metric=metric,
            column=column,
            cut=cut,
            precision=precision,
            recall=recall,
            folds=folds,
            samples=samples,
            seed=seed,
            threads=threads,
            **roles,
        )
    _notes.show(threshold.notes)
    deliver(threshold, report_path=report_path, form=form, signatures=signatures, force=force)
    if not threshold.separates:
        click.get_current_context().exit(1)
    if form == "text":
        lines = [f"  {line}" for line in (threshold.code, threshold.command) if line]
        _terminal.write("\n".join(["", "Use it as:", *lines, ""]))
