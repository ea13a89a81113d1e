"""bleuprint quadrants."""

from __future__ import annotations

from pathlib import Path

import click

from bleuprint.cli import _terminal
from bleuprint.cli._command import Command
from bleuprint.cli._terminal import Table
from bleuprint.files import write_files
from bleuprint.insight.quadrants import Quadrants, quadrants
from bleuprint.results import Result
from bleuprint.results.digits import Digits

__all__ = ["command", "show"]


@click.command(
    "quadrants",
    cls=Command,
    examples=(
        "bleuprint quadrants result.json",
        "bleuprint quadrants result.json --fidelity chrf --plot quadrants.svg",
    ),
    more="docs/how-to/fluency.md",
    epilog="Refuses to replace an existing file that differs, unless --force is given.",
)
@click.argument("result", metavar="RESULT.json")
@click.option("--fidelity", metavar="METRIC", help="Metric for fidelity [default: the first].")
@click.option("--fluency", metavar="METRIC", help="Metric for fluency [default: the first perplexity].")
@click.option("--fidelity-threshold", type=float, metavar="N", help="Outputs at or above this score are faithful.")
@click.option("--fluency-threshold", type=float, metavar="N", help="Outputs at or below this score are fluent.")
@click.option("--sentence-level", is_flag=True, help="Print the quadrant of every segment.")
@click.option("--percent", is_flag=True, help="Show scores of segments, and of the plot, multiplied by 100.")
@click.option("--plot", "plot_path", metavar="FILE", help="Plot the segments in an .svg, .png or .pdf file.")
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
def command(
    result: str,
    fidelity: str | None,
    fluency: str | None,
    fidelity_threshold: float | None,
    fluency_threshold: float | None,
    sentence_level: bool,
    percent: bool,
    plot_path: str | None,
    force: bool,
) -> None:
    """Show which outputs are faithful, fluent, or both.

    RESULT.json is a result saved by 'bleuprint score -m bleu,perplexity --lm MODEL --json'. Thresholds default to
    the median of all segments of all systems.
    """
    if plot_path is not None:
        from bleuprint.report.picture_files import check_picture_path

        check_picture_path("plot", plot_path)
    scored = Result.read_json(result)
    assignment = quadrants(
        scored,
        fidelity=fidelity,
        fluency=fluency,
        fidelity_threshold=fidelity_threshold,
        fluency_threshold=fluency_threshold,
    )
    if plot_path is not None:
        from bleuprint.report import quadrant_plot
        from bleuprint.report.picture_files import written

        svg = quadrant_plot(assignment, percent=percent)
        write_files({Path(plot_path): written(svg, plot_path)}, overwrite=force)
    if sentence_level:
        _show_segments(assignment, scored, Digits(percent))
    else:
        show(assignment)


def show(assignment: Quadrants) -> None:
    """Print how many segments of each system fall into each quadrant."""
    head, *rows = assignment.rows()
    _terminal.draw(Table(head, rows))
    _terminal.write(f"\n{_terminal.visible(assignment.rule)}\n")


def _show_segments(assignment: Quadrants, result: Result, digits: Digits) -> None:
    segments = range(1, result.size + 1) if result.ids is None else result.ids
    faith, flow = (
        digits.of(result.systems[0].score(axis.metric).signature) for axis in (assignment.fidelity, assignment.fluency)
    )
    rows = [
        [f"{system}:{segment}", faith(faithful), flow(fluent), name]
        for system, names in assignment.systems.items()
        for segment, name, faithful, fluent in zip(
            segments, names, assignment.fidelity.values[system], assignment.fluency.values[system], strict=True
        )
    ]
    table = Table(
        ["segment", assignment.fidelity.metric, assignment.fluency.metric, "quadrant"], rows, frozenset({0, 3})
    )
    for line in _terminal.plain(table):
        _terminal.write(f"{line}\n")
