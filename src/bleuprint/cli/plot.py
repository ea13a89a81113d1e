"""bleuprint plot."""

from __future__ import annotations

from pathlib import Path

import click

from bleuprint.cli import _terminal
from bleuprint.cli._metrics import model_options, with_models
from bleuprint.cli._terminal import Table
from bleuprint.errors import MissingExtraError, OptionError
from bleuprint.files import write_files
from bleuprint.report import CHARTS, alone, picture
from bleuprint.report.replay import ranked
from bleuprint.results import Result

__all__ = ["command"]

_SCALE = 2  # PNG pixels per SVG unit


@click.command("plot", epilog="Charts: " + "; ".join(f"{name}: {chart.shows}" for name, chart in CHARTS.items()) + ".")
@click.argument("result", metavar="RESULT.json")
@click.option(
    "--chart", type=click.Choice(list(CHARTS)), metavar="NAME", help="Chart to draw; lists all charts if omitted."
)
@click.option("--metric", metavar="NAME", help="Metric to draw [default: the first of the result].")
@click.option("--system", metavar="NAME", help="System to draw [default: the best].")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help=".svg or .png file [default: RESULT.CHART.svg].",
)
@model_options
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
def command(
    result: str,
    chart: str | None,
    metric: str | None,
    system: str | None,
    output: str | None,
    force: bool,
    **models: str | None,
) -> None:
    """Draw a chart from a saved result as SVG or PNG.

    RESULT.json is a result saved by 'bleuprint score --json'. PNG needs CairoSVG: pip install 'bleuprint[png]'.
    """
    if chart is None:
        _terminal.draw(Table(["chart", "shows"], [[name, entry.shows] for name, entry in CHARTS.items()], _WORDS))
        return
    stored = Result.read_json(result)
    path = Path(result).with_suffix(f".{chart}.svg") if output is None else Path(output)
    drawn = picture(stored, chart, metric=metric, system=system, metrics=with_models(stored, models))
    svg = alone(drawn, _title(stored, chart, metric, system))
    write_files({path: _encoded(svg, path)}, overwrite=force)
    _terminal.write(f"wrote {_terminal.visible(str(path))}\n")


_WORDS = frozenset({0, 1})


def _title(result: Result, chart: str, metric: str | None, system: str | None) -> str:
    named = metric or result.metrics[0]
    owner = f" of {system or ranked(result, named)[0].name}" if CHARTS[chart].single else ""
    return f"{chart}: {named}{owner}"


def _encoded(svg: str, path: Path) -> bytes:
    if path.suffix.lower() == ".svg":
        return svg.encode()
    if path.suffix.lower() != ".png":
        raise OptionError("output", "the name of a .svg or .png file", str(path))
    try:
        from cairosvg import svg2png
    except (ImportError, OSError) as error:  # OSError: the package is installed but the cairo library is not
        raise MissingExtraError("writing PNG", ("cairosvg",), "png") from error
    picture: bytes = svg2png(bytestring=svg.encode(), scale=_SCALE)
    return picture
