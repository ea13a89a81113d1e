"""bleuprint plot."""

from __future__ import annotations

from pathlib import Path

import click

from bleuprint.cli import _terminal
from bleuprint.cli._command import option, subcommand
from bleuprint.cli._metrics import metrics_with_models
from bleuprint.cli._options import shared_options
from bleuprint.cli._output import Output, output_options
from bleuprint.files import write_files
from bleuprint.report import CHARTS, alone, merge_results, picture
from bleuprint.report.pictures import check_picture_path, inner_size, picture_bytes, pixels
from bleuprint.results import Result


def _pixels(context: click.Context, parameter: click.Parameter, length: str | None) -> float | None:
    return None if length is None else pixels(length)


@subcommand(
    "plot",
    examples=(
        "bleuprint plot result.json --chart scores -o scores.pdf --width 3.3in",
        "bleuprint plot result.json --chart versus --system Base --system Big",
    ),
    more="docs/gallery.md",
)
@click.argument("results", nargs=-1, metavar="RESULT.json...")
@option("Output", "--chart NAME", "Chart to draw; lists all charts if omitted.", type=click.Choice(list(CHARTS)))
@shared_options(
    "metric",
    help="Metric to draw, with its model if it needs one, e.g. perplexity:lm=FILE [default: the first of the result].",
)
@option(
    "Input",
    "--system NAME",
    "System to draw; repeatable [default: all, or the best if the chart shows one or two].",
    name="systems",
    multiple=True,
)
@shared_options("path", help=".svg, .png or .pdf file [default: RESULT.CHART.svg].")
@option("Output", "--width LENGTH", "Width: 3.3in, 8.4cm, 320px [default: 5in].", callback=_pixels)
@option("Output", "--height LENGTH", "Height [default: as the chart needs].", callback=_pixels)
@shared_options("title", help="Title above the chart [default: none].")
@output_options("percent", "force")
def command(
    results: tuple[str, ...],
    chart: str | None,
    metric: str | None,
    systems: tuple[str, ...],
    path: str | None,
    width: float | None,
    height: float | None,
    title: str | None,
    output: Output,
) -> None:
    """Draw a chart from saved results as SVG, PNG or PDF.

    RESULT.json is a result saved by 'bleuprint score --json'. Several results on the same references are drawn
    together. PNG and PDF need Typst: pip install 'bleuprint[pictures]'.
    """
    if chart is None:
        _terminal.draw_rows(["chart", "shows"], [[name, CHARTS[name].shows] for name in CHARTS], words=(0, 1))
        return
    if not results:
        raise click.UsageError("Missing argument 'RESULT.json...'.")
    target = Path(results[0]).with_suffix(f".{chart}.svg") if path is None else Path(path)
    check_picture_path("output", target)
    stored = merge_results({file: Result.read_json(file) for file in results})
    with_model = [metric] if metric is not None and metric not in stored.metrics and ":" in metric else []
    size = inner_size(width, height, title or "")
    drawn = picture(
        stored,
        chart,
        metric=with_model[0].partition(":")[0] if with_model else metric,
        systems=systems,
        width=size.width,
        height=size.height,
        percent=output.percent,
        metrics=metrics_with_models(stored, with_model),
    )
    write_files({target: picture_bytes(alone(drawn, title or ""), target)}, overwrite=output.force)
    _terminal.write_lines([f"wrote {target}"])
