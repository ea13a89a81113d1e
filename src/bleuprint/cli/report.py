"""bleuprint report."""

from __future__ import annotations

from pathlib import Path

import click

from bleuprint.cli import _terminal
from bleuprint.cli._command import Command
from bleuprint.cli._metrics import model_options, with_models
from bleuprint.dataset import read_text
from bleuprint.files import check_targets, write_files
from bleuprint.results import Result
from bleuprint.runners.progress import progress

__all__ = ["command"]


@click.command(
    "report",
    cls=Command,
    examples=(
        "bleuprint report result.json",
        "bleuprint report result.json -o page.html --column domains.txt",
    ),
    more="docs/report.md",
    epilog="Existing files are only replaced with --force.",
)
@click.argument("result", metavar="RESULT.json")
@click.option("-o", "--output", metavar="FILE", help="File to write [default: RESULT.html].")
@click.option(
    "--column",
    "columns",
    multiple=True,
    metavar="FILE",
    help="Break down scores by the labels in this file, one per segment, such as its domain; repeatable.",
)
@click.option(
    "--corpus",
    metavar="FILE",
    help="Break down scores by how often a segment's rarest word occurs in this file, such as the training data.",
)
@model_options
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
def command(
    result: str,
    output: str | None,
    columns: tuple[str, ...],
    corpus: str | None,
    force: bool,
    **models: str | None,
) -> None:
    """Write a saved result as a single HTML file.

    RESULT.json is a result saved by 'bleuprint score --json'. Systems that were not compared yet are compared now. The
    page works offline.
    """
    from bleuprint.report import render

    path = Path(result).with_suffix(".html") if output is None else Path(output)
    stored = Result.read_json(result)
    check_targets([path], overwrite=force)
    labels = {Path(column).stem: read_text(column).segments for column in columns}
    corpus_texts = None if corpus is None else read_text(corpus).segments
    with progress("drawing", None):
        page = render(stored, columns=labels, corpus=corpus_texts, metrics=with_models(stored, models))
    write_files({path: page.encode()}, overwrite=force)
    _terminal.write(f"wrote {_terminal.visible(str(path))}\n")
