"""bleuprint report."""

from __future__ import annotations

from pathlib import Path

import click

from bleuprint.cli import _terminal
from bleuprint.dataset import read_text
from bleuprint.files import write_files
from bleuprint.results import Result

__all__ = ["command"]


@click.command("report", epilog="A file that exists is replaced only with --force, unless it would stay the same.")
@click.argument("result", metavar="RESULT.json")
@click.option("-o", "--output", metavar="FILE", help="Where to write; the result's name with .html if not given.")
@click.option(
    "--column",
    "columns",
    multiple=True,
    metavar="FILE",
    help="A label for every segment, one per line, such as its domain; scores are shown by it. Can be repeated.",
)
@click.option(
    "--corpus",
    metavar="FILE",
    help="Texts such as the training data; scores are shown by how often a segment's rarest word occurs there.",
)
@click.option("--force", is_flag=True, help="Replace a file that exists.")
def command(result: str, output: str | None, columns: tuple[str, ...], corpus: str | None, force: bool) -> None:
    """Show a stored result as one HTML file.

    RESULT.json is what 'bleuprint score --json' wrote. The page needs no network. Systems not compared yet are.
    """
    from bleuprint.report import render

    stored = Result.read_json(result)
    path = Path(result).with_suffix(".html") if output is None else Path(output)
    labels = {Path(column).stem: read_text(column).segments for column in columns}
    counted = None if corpus is None else read_text(corpus).segments
    write_files({path: render(stored, columns=labels, corpus=counted).encode()}, overwrite=force)
    _terminal.write(f"wrote {_terminal.visible(str(path))}\n")
