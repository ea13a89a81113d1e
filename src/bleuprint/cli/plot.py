"""bleuprint plot."""

from __future__ import annotations

from pathlib import Path

import click

from bleuprint.cli import _terminal
from bleuprint.cli._command import Command
from bleuprint.cli._metrics import model_options, with_models
from bleuprint.cli._pictures import size_options
from bleuprint.cli._terminal import Table
from bleuprint.files import write_files
from bleuprint.report import CHARTS, alone, joined, picture
from bleuprint.report.picture_files import check_picture_path, written
from bleuprint.report.pictures import inner_size
from bleuprint.results import Result

__all__ = ["command"]


@click.command(
    "plot",
    cls=Command,
    examples=(
        "bleuprint plot result.json --chart scores -o scores.pdf --width 3.3in",
        "bleuprint plot result.json --chart versus --system Base --system Big",
    ),
    more="docs/gallery.md",
    epilog="Existing files are only replaced with --force.",
)
@click.argument("results", nargs=-1, metavar="RESULT.json...")
@click.option(
    "--chart", type=click.Choice(list(CHARTS)), metavar="NAME", help="Chart to draw; lists all charts if omitted."
)
@click.option("--metric", metavar="NAME", help="Metric to draw [default: the first of the result].")
@click.option(
    "--system",
    "systems",
    multiple=True,
    metavar="NAME",
    help="System to draw; repeatable [default: all, or the best if the chart shows one or two].",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help=".svg, .png or .pdf file [default: RESULT.CHART.svg].",
)
@size_options
@click.option("--title", metavar="TEXT", default="", help="Title above the chart [default: none].")
@click.option("--percent", is_flag=True, help="Show scores multiplied by 100.")
@model_options
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
def command(
    results: tuple[str, ...],
    chart: str | None,
    metric: str | None,
    systems: tuple[str, ...],
    output: str | None,
    width: float | None,
    height: float | None,
    title: str,
    percent: bool,
    force: bool,
    **models: str | None,
) -> None:
    """Draw a chart from saved results as SVG, PNG or PDF.

    RESULT.json is a result saved by 'bleuprint score --json'. Several results on the same references are drawn
    together. PNG and PDF need Typst: pip install 'bleuprint[pictures]'.
    """
    if chart is None:
        _terminal.draw(Table(["chart", "shows"], [[name, entry.shows] for name, entry in CHARTS.items()], _WORDS))
        return
    if not results:
        raise click.UsageError("Missing argument 'RESULT.json...'.")
    path = Path(results[0]).with_suffix(f".{chart}.svg") if output is None else Path(output)
    check_picture_path("output", path)
    stored = joined({file: Result.read_json(file) for file in results})
    size = inner_size(width, height, title)
    drawn = picture(
        stored,
        chart,
        metric=metric,
        systems=systems,
        width=size.width,
        height=size.height,
        percent=percent,
        metrics=with_models(stored, models),
    )
    write_files({path: written(alone(drawn, title), path)}, overwrite=force)
    _terminal.write(f"wrote {_terminal.visible(str(path))}\n")


_WORDS = frozenset({0, 1})
