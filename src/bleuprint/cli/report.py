"""bleuprint report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from bleuprint.cli import _terminal
from bleuprint.cli._command import option, subcommand
from bleuprint.cli._metrics import metrics_with_models
from bleuprint.cli._options import shared_options
from bleuprint.cli._output import Output, output_options
from bleuprint.cli.score import saved_on
from bleuprint.dataset import read_text
from bleuprint.files import write_files
from bleuprint.results import Result
from bleuprint.runners.progress import progress


@subcommand(
    "report",
    examples=(
        "bleuprint report result.json",
        "bleuprint report result.json -o page.html --column domains.txt --percent",
    ),
    more="docs/report.md",
)
@click.argument("results", nargs=-1, required=True, metavar="RESULT.json...")
@shared_options("path", help="File to write [default: RESULT.html].")
@option(
    "Input",
    "--column FILE",
    "Break down scores by the labels in this file, one per segment, such as its domain; repeatable.",
    name="columns",
    multiple=True,
)
@option(
    "Input",
    "--corpus FILE",
    "Break down scores by how often a segment's rarest word occurs in this file, such as the training data.",
)
@option(
    "Output",
    "--what-if PAGE",
    "The web page that 'make web' builds: with its module, readers of the report can edit an output and rescore it.",
)
@shared_options("title")
@shared_options("models")
@output_options("percent", "force")
def command(
    results: tuple[str, ...],
    path: str | None,
    columns: tuple[str, ...],
    corpus: str | None,
    what_if: str | None,
    title: str | None,
    models: tuple[str, ...],
    output: Output,
) -> None:
    """Write a saved result as a single HTML file.

    RESULT.json is a result saved by 'bleuprint score --json'. Systems that were not compared yet are compared now.
    Several results on the same test set, oldest first, are shown as a history up to the last one. The page works
    offline.
    """
    from bleuprint.report import render

    result = results[-1]
    target = Path(result).with_suffix(".html") if path is None else Path(path)
    stored = Result.read_json(result)
    earlier = dict(zip(run_names(results), map(Result.read_json, results[:-1]), strict=False))
    output.check_files([target])
    labels = {Path(column).stem: read_text(column).segments for column in columns}
    corpus_texts = None if corpus is None else read_text(corpus).segments
    with progress("drawing", None):
        page = render(
            stored,
            columns=labels,
            corpus=corpus_texts,
            metrics=metrics_with_models(stored, models),
            title=title,
            date=saved_on(result),
            earlier=earlier,
            run=run_names(results)[-1],
            percent=output.percent,
            what_if=what_if,
        )
    write_files({target: page.encode()}, overwrite=output.force)
    _terminal.write_lines([f"wrote {target}"])


def run_names(paths: Sequence[str]) -> list[str]:
    """A name for every run: that of its file, with the folder if files of several folders have the same one."""
    stems = [Path(path).stem for path in paths]
    if len(set(stems)) < len(stems):
        stems = [f"{Path(path).absolute().parent.name}/{Path(path).stem}" for path in paths]
    return [stem if stems.count(stem) == 1 else f"{stem} {place}" for place, stem in enumerate(stems, start=1)]
