"""bleuprint quadrants."""

from __future__ import annotations

from pathlib import Path

import click

from bleuprint.cli import _terminal
from bleuprint.cli._terminal import Table
from bleuprint.files import write_files
from bleuprint.insight.quadrant_plot import draw
from bleuprint.insight.quadrants import Quadrants, quadrants
from bleuprint.results import Result

__all__ = ["command", "show"]


@click.command("quadrants", epilog="A file that exists is replaced only with --force, unless it would stay the same.")
@click.argument("result", metavar="RESULT.json")
@click.option("--fidelity", metavar="METRIC", help="Metric that says what is right; the first if not given.")
@click.option(
    "--fluency", metavar="METRIC", help="Metric that says what reads well; the first perplexity if not given."
)
@click.option("--fidelity-threshold", type=float, metavar="N", help="From where on an output is faithful.")
@click.option("--fluency-threshold", type=float, metavar="N", help="Up to where an output is fluent.")
@click.option("--sentence-level", is_flag=True, help="Print the quadrant of every segment.")
@click.option("--plot", "plot_path", metavar="FILE", help="Draw the segments into an SVG file.")
@click.option("--force", is_flag=True, help="Replace a file that exists.")
def command(
    result: str,
    fidelity: str | None,
    fluency: str | None,
    fidelity_threshold: float | None,
    fluency_threshold: float | None,
    sentence_level: bool,
    plot_path: str | None,
    force: bool,
) -> None:
    """Say which outputs are faithful, which are fluent, and which are both.

    RESULT.json is what 'bleuprint score -m bleu -m perplexity --lm MODEL --json' wrote. A threshold that is not given
    is the median of all segments.
    """
    found = quadrants(
        Result.read_json(result),
        fidelity=fidelity,
        fluency=fluency,
        fidelity_threshold=fidelity_threshold,
        fluency_threshold=fluency_threshold,
    )
    if plot_path is not None:
        write_files({Path(plot_path): draw(found).encode()}, overwrite=force)
    if sentence_level:
        _show_segments(found)
    else:
        show(found)


def show(found: Quadrants) -> None:
    """How many segments of every system are in which quadrant."""
    head, *rows = found.rows()
    _terminal.draw(Table(head, rows))
    _terminal.write(f"\n{_terminal.visible(found.rule)}\n")


def _show_segments(found: Quadrants) -> None:
    rows = [
        [f"{system}:{place}", f"{faithful:.4f}", f"{fluent:.4f}", name]
        for system, names in found.systems.items()
        for place, (name, faithful, fluent) in enumerate(
            zip(names, found.fidelity.values[system], found.fluency.values[system], strict=True), start=1
        )
    ]
    table = Table(["segment", found.fidelity.metric, found.fluency.metric, "quadrant"], rows, frozenset({0, 3}))
    for line in _terminal.plain(table):
        _terminal.write(f"{line}\n")
