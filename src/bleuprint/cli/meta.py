"""bleuprint meta."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from bleuprint.cli import _notes, _terminal
from bleuprint.cli._command import MetricsCommand
from bleuprint.cli._formats import check_format, format_option, write_formatted
from bleuprint.cli._metrics import build_metrics, model_options, shared_options
from bleuprint.cli._rated import column_options, table_columns
from bleuprint.cli._tables import short_signature, signatures_option
from bleuprint.cli.score import check_outputs
from bleuprint.dataset import STDIN
from bleuprint.files import write_files
from bleuprint.ratings import read_ratings
from bleuprint.ratings.meta import LEVELS, STATISTICS, allowed_metrics, meta
from bleuprint.ratings.meta_result import MetaResult
from bleuprint.runners.progress import progress

__all__ = ["command"]

_STEPS = 1000  # of the progress bar
_RESAMPLED = ("items", "systems", "both")  # significance.agreement.UNITS, without loading NumPy for --help


@click.command(
    "meta",
    cls=MetricsCommand,
    examples=(
        "bleuprint meta ratings.tsv --human mqm",
        "bleuprint meta ratings.jsonl --human fluency -m bleu,sari --group document",
        "bleuprint meta ratings.csv --human score --column comet --report meta.html",
    ),
    more="docs/how-to/which-metric-agrees.md, docs/which-metric.md",
    epilog="Existing files are only replaced with --force.",
)
@click.argument("table", metavar="TABLE")
@click.option("--human", multiple=True, required=True, metavar="NAME", help="Column with ratings; repeatable.")
@column_options
@click.option(
    "--group", multiple=True, metavar="NAME", help="Column with a label, such as the document: agreement within each."
)
@click.option(
    "--column",
    "scores",
    multiple=True,
    metavar="NAME",
    help="Column with scores of another metric, such as comet, which competes too; repeatable.",
)
@click.option(
    "--lower-is-better", multiple=True, metavar="NAME", help="A --human or --column in which lower is better."
)
@click.option(
    "-m",
    "--metric",
    "metrics",
    multiple=True,
    metavar="METRIC",
    help="Metric, with its options if need be: bleu, chrf:word_order=2; repeatable, or joined by commas. "
    "[default: all that the columns allow]",
)
@shared_options
@model_options
@click.option("--level", type=click.Choice(LEVELS), multiple=True, help="Compare over systems, segments, or both.")
@click.option(
    "--statistic",
    type=click.Choice(list(STATISTICS)),
    default="pearson",
    show_default=True,
    help="What ranks the metrics.",
)
@click.option(
    "--resample",
    type=click.Choice(_RESAMPLED),
    default="items",
    show_default=True,
    help="What intervals are resampled over; items are segments.",
)
@click.option("--samples", type=int, default=1000, show_default=True, metavar="N", help="Resamples for the intervals.")
@click.option(
    "--permutations",
    type=int,
    metavar="N",
    help="Permutations for the tests between metrics [default: 1000, more for many metrics].",
)
@click.option("--significance", type=float, default=0.05, show_default=True, metavar="P", help="Significance level.")
@click.option("--seed", type=int, default=12345, show_default=True, metavar="N", help="Random seed.")
@format_option
@signatures_option
@_notes.strict_option
@click.option(
    "--json", "json_path", metavar="FILE", help="Save the result as JSON; '-' prints it instead of the table."
)
@click.option("--report", "report_path", metavar="FILE", help="Write an HTML report.")
@click.option("--force", is_flag=True, help="Overwrite existing files.")
@click.option("--threads", type=click.IntRange(1), help="Number of threads [default: all cores].")
def command(
    table: str,
    human: tuple[str, ...],
    metrics: tuple[str, ...],
    form: str,
    signatures: bool,
    strict: bool,
    json_path: str | None,
    report_path: str | None,
    force: bool,
    threads: int | None,
    **options: Any,
) -> None:
    """Measure which metric agrees with human ratings.

    TABLE has a row per rated output: .tsv, .csv, .jsonl, .json or .parquet; text may be compressed (.gz, .zst). It has
    one or more columns of ratings, the segment and the system, and the texts that metrics need: hypothesis, reference,
    source. Usual names of columns are recognized. An output with several ratings has a row for each; cells of ratings
    may be empty.
    """
    check_format(form, {"--signatures": signatures, "--json -": json_path == STDIN})
    check_outputs(json_path, report_path, force=force)
    with progress("reading", None):
        ratings = read_ratings(
            table,
            human,
            group=options["group"],
            scores=options["scores"],
            **table_columns(options),
        )
    names = metrics or tuple(allowed_metrics(ratings))
    with progress("comparing", _STEPS) as advance:
        result = meta(
            ratings,
            human,
            metrics=build_metrics(names, options) if names else {},
            lower_is_better=options["lower_is_better"],
            level=options["level"] or None,
            statistic=options["statistic"],
            resample=options["resample"],
            samples=options["samples"],
            permutations=options["permutations"],
            alpha=options["significance"],
            seed=options["seed"],
            threads=threads,
            progress=_steps(advance),
        )
    _notes.show(result.notes)
    files = {}
    if json_path not in (None, STDIN):
        files[Path(str(json_path))] = result.to_json().encode()
    if report_path is not None:
        files[Path(report_path)] = result.to_html().encode()
    write_files(files, overwrite=force)
    if json_path == STDIN:
        _terminal.write_json(result.to_json())
    elif form == "text":
        _show(result, signatures)
    else:
        write_formatted(result, result.to_json(), form, percent=False)


def _steps(advance: Callable[[int], object]) -> Callable[[float], None]:
    """Turn the finished share into steps of the progress bar."""
    done = 0

    def report(share: float) -> None:
        nonlocal done
        steps = round(_STEPS * share)
        advance(steps - done)
        done = steps

    return report


def _show(result: MetaResult, full: bool) -> None:
    for table in result.display():
        _terminal.write(f"{_terminal.visible(table.caption)}\n")
        rows = [[cell.plain for cell in row] for row in table.rows]
        _terminal.draw(_terminal.Table(list(table.header), rows))
        _terminal.write_sentences(table.notes)
        _terminal.write("\n")
    shown = [text if full else short_signature(text) for text in result.signatures.values()]
    _terminal.write("".join(f"{_terminal.visible(text)}\n" for text in (*shown, result.signature)))
