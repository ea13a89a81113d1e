"""bleuprint fit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from bleuprint.cli import _notes, _terminal
from bleuprint.cli._command import MetricsCommand
from bleuprint.cli._formats import check_format
from bleuprint.cli._metrics import build_metrics, metrics_option, model_options, shared_options
from bleuprint.cli._rated import column_roles, deliver, folds_option, output_options, rating_options, resampling_options
from bleuprint.files import check_targets
from bleuprint.ratings.fitting import METHODS, fit
from bleuprint.runners.progress import progress

__all__ = ["command"]


@click.command(
    "fit",
    cls=MetricsCommand,
    examples=(
        "bleuprint fit ratings.tsv --human mqm -m bleu,chrf,ter -o mine.json",
        "bleuprint fit ratings.csv --human fluency --method pls --group document",
    ),
    more="docs/how-to/fit-a-metric.md",
    epilog="Existing files are only replaced with --force.",
)
@rating_options
@metrics_option("bleu,chrf,ter")
@shared_options
@model_options
@click.option(
    "--method", type=click.Choice(METHODS), default="ridge", show_default=True, help="How the weights are fitted."
)
@folds_option
@resampling_options
@click.option("-o", "--output", metavar="FILE", help="Write the fitted metric here, for -m blend:fit=FILE.")
@output_options
def command(
    ratings: str,
    human: str,
    metrics: tuple[str, ...],
    method: str,
    folds: int,
    samples: int,
    seed: int,
    output: str | None,
    report_path: str | None,
    form: str,
    signatures: bool,
    force: bool,
    threads: int | None,
    **options: Any,
) -> None:
    """Combine metrics into one that predicts human ratings.

    RATINGS is a table (.tsv, .csv, .jsonl, .json, .parquet) with a row for each rated output. The correlation of the
    fitted metric with the ratings is measured on held-out items, never on items that it was fitted to.
    """
    check_format(form, {"--signatures": signatures})
    check_targets(filter(None, (output, report_path)), overwrite=force)
    roles = column_roles(options)
    built = build_metrics(metrics, options)
    with progress("fitting", None):
        fitted = fit(
            ratings,
            human,
            metrics=built,
            method=method,
            folds=folds,
            samples=samples,
            seed=seed,
            threads=threads,
            **roles,
        )
    _notes.show(fitted.notes)
    if output is not None:
        fitted.save(Path(output), overwrite=force)
    deliver(fitted, report_path=report_path, form=form, signatures=signatures, force=force)
    if output is not None and form == "text":
        _terminal.write(f"\nUse it with: bleuprint score hyp.txt -r ref.txt -m blend:fit={output}\n")
