"""Fidelity of every segment against its fluency, a panel for every system."""

from __future__ import annotations

from collections.abc import Sequence

from bleuprint.insight.quadrants import Quadrants, quadrants
from bleuprint.report import charts
from bleuprint.report.look import Look
from bleuprint.report.replay import if_possible
from bleuprint.results import Result, SystemResult


def draw(result: Result, metric: str, systems: Sequence[SystemResult], look: Look) -> charts.Drawing | None:
    """The quadrants of the systems; thresholds and axes are those of all systems."""
    assignment = if_possible(quadrants, result)
    return None if assignment is None else draw_quadrants(assignment, [system.name for system in systems], look)


def draw_quadrants(assignment: Quadrants, systems: Sequence[str], look: Look) -> charts.Drawing:
    def panel(name: str, width: float, height: float | None) -> charts.Drawing:
        return charts.scatter(assignment, name, name, percent=look.percent, width=width, height=height)

    label = f"{assignment.fidelity.metric} against {assignment.fluency.metric} of every segment"
    return charts.panels(systems, panel, label, width=look.width, height=look.height)
