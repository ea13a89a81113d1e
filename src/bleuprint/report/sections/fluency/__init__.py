"""Fidelity against fluency, where a perplexity was measured."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bleuprint.insight.quadrants import Quadrants, quadrants
from bleuprint.report import charts
from bleuprint.report.figures import Figure
from bleuprint.report.page import Page
from bleuprint.report.replay import if_possible, rank_systems
from bleuprint.results import Result, SystemResult

LINK = "Fluency"


class Fluency(NamedTuple):
    across: str
    upwards: str
    rule: str
    figures: tuple[Figure, ...]


def view(page: Page) -> Fluency | None:
    """A scatter plot of every system."""
    assignment = if_possible(quadrants, page.result)
    if assignment is None:
        return None
    result, across, upwards = page.result, assignment.fluency.metric, assignment.fidelity.metric
    figures = []
    for system in rank_systems(result, upwards):
        places = {"x": result.metrics.index(across), "y": result.metrics.index(upwards)}
        data = {**places, "system": result.systems.index(system)} if result.has_texts else None
        label = f"{upwards} against {across} for every segment of {system.name}"
        chart = charts.scatter(assignment, system.name, label, data=data, canvas=page.canvas())
        figures.append(Figure(system.name, "", chart))
    return Fluency(across, upwards, assignment.rule(percent=page.digits.percent), tuple(figures))


def draw(result: Result, metric: str, systems: Sequence[SystemResult], canvas: charts.Canvas) -> charts.Drawing | None:
    """The quadrants of the systems; thresholds and axes are those of all systems."""
    assignment = if_possible(quadrants, result)
    return None if assignment is None else draw_quadrants(assignment, [system.name for system in systems], canvas)


def draw_quadrants(assignment: Quadrants, systems: Sequence[str], canvas: charts.Canvas) -> charts.Drawing:
    """A panel for every system."""

    def panel(name: str, canvas: charts.Canvas) -> charts.Drawing:
        return charts.scatter(assignment, name, name, canvas=canvas)

    label = f"{assignment.fidelity.metric} against {assignment.fluency.metric} of every segment"
    return charts.panels(systems, panel, label, canvas=canvas)
