"""All systems with their intervals, and by two scores."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from bleuprint.insight.quadrants import quadrants
from bleuprint.report import charts
from bleuprint.report.look import Look
from bleuprint.report.replay import if_possible
from bleuprint.report.sections.scores import intervals
from bleuprint.results import Result, SystemResult


def direction(system: SystemResult, metric: str) -> str:
    return "higher is better" if system.score(metric).higher_is_better else "lower is better"


def draw(result: Result, metric: str, systems: Sequence[SystemResult], look: Look) -> charts.Drawing:
    """The score of every system in its interval, zoomed to the scores."""
    known = intervals(result, metric)
    rows, digits = [], look.digits(systems[0].score(metric))
    for system in systems:
        value = system.score(metric).value
        low, high, _ = known.get(system.name, (value, value, 0.0))
        rows.append(charts.Range(system.name, value, low, high, digits(value)))
    level = f", {100 * next(iter(known.values()))[2]:g} % intervals" if known else ""
    axis = f"{metric} ({direction(systems[0], metric)}{level})"
    label = f"{metric} of the systems, with intervals"
    return charts.ranges(rows, label, axis=axis, digits=digits, width=look.width, height=look.height)


def draw_tradeoff(result: Result, metric: str, systems: Sequence[SystemResult], look: Look) -> charts.Drawing | None:
    """The corpus scores of fidelity and fluency of every system; the lines are the medians of all systems."""
    assignment = if_possible(quadrants, result)
    if assignment is None:
        return None
    across, upwards = assignment.fluency, assignment.fidelity
    dots = [
        charts.Dot(system.name, system.score(across.metric).value, system.score(upwards.metric).value)
        for system in systems
    ]
    every = [(system.score(across.metric).value, system.score(upwards.metric).value) for system in result.systems]
    return charts.dots(
        dots,
        f"{upwards.metric} against {across.metric} of the systems",
        axis=f"{across.metric} ({direction(systems[0], across.metric)})",
        value_axis=f"{upwards.metric} ({direction(systems[0], upwards.metric)})",
        backwards=(not across.higher_is_better, not upwards.higher_is_better),
        lines=(median(x for x, _ in every), median(y for _, y in every)) if len(every) > 1 else None,
        digits=(look.digits(systems[0].score(across.metric)), look.digits(systems[0].score(upwards.metric))),
        width=look.width,
        height=look.height,
    )
