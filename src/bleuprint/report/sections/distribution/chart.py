"""How the scores of single segments spread, the systems over each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bleuprint.report import charts
from bleuprint.report.look import Look
from bleuprint.report.sections.distribution.bins import BINS, rounded
from bleuprint.results import Result, SystemResult
from bleuprint.results.digits import Digits


def draw(
    result: Result,
    metric: str,
    systems: Sequence[SystemResult],
    look: Look,
    *,
    data: Mapping[str, object] | None = None,
) -> charts.Drawing | None:
    """The distributions of the segment scores; `data` lets the page choose a bin."""
    values = {system.name: rounded(system.score(metric).segments) for system in systems}
    return draw_values(values, metric, look, digits=look.digits(systems[0].score(metric)), data=data)


def draw_values(
    values: Mapping[str, Sequence[float]],
    metric: str,
    look: Look,
    *,
    digits: Digits,
    data: Mapping[str, object] | None = None,
) -> charts.Drawing | None:
    """The distributions of these values, on a logarithmic axis if they need one."""
    every = [value for row in values.values() for value in row]
    if not every:
        return None
    scale = charts.logarithmic(every) or charts.scale_of(every)
    unit = ", log scale" if scale.logarithmic else ""
    return charts.distributions(
        values,
        f"distribution of the {metric} of single segments",
        axis=f"{metric} of a segment{unit}",
        scale=scale,
        bins=BINS,
        data=data,
        digits=digits,
        width=look.width,
        height=look.height,
    )
