"""iBLEU under other weights: how the choice of alpha orders the systems."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from bleuprint.insight.sweep import Sweep, sweeps
from bleuprint.report import charts
from bleuprint.report.replay import if_possible, passed_metrics
from bleuprint.results import Result, SystemResult


def sweeps_of(result: Result) -> list[Sweep]:
    """Every iBLEU of a result, under whatever name, that the result can still give."""
    return if_possible(sweeps, result, passed_metrics()) or []


def draw(result: Result, metric: str, systems: Sequence[SystemResult], canvas: charts.Canvas) -> charts.Drawing | None:
    """The iBLEU of these systems by alpha, from the counts in the result."""
    left_out = {system.name for system in result.systems} - {system.name for system in systems}
    drawn = (draw_sweep(sweep, canvas, left_out) for sweep in sweeps_of(result) if sweep.metric == metric)
    return next(drawn, None)


def draw_sweep(sweep: Sweep, canvas: charts.Canvas, left_out: Collection[str] = ()) -> charts.Drawing:
    """The iBLEU of every system, and of copying the source, by alpha."""
    shown = {name: scores for name, scores in sweep.at().items() if name not in left_out}
    return charts.lines(
        [score.alpha for score in next(iter(shown.values()))],
        {name: [score.value for score in scores] for name, scores in shown.items()},
        "iBLEU by alpha",
        axis="alpha (weight of the references)",
        value_axis="iBLEU",
        canvas=canvas,
    )
