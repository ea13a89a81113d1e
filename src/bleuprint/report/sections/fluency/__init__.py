"""Fidelity against fluency, where a perplexity was measured."""

from __future__ import annotations

from dataclasses import dataclass

from bleuprint.insight.quadrants import Quadrants, quadrants
from bleuprint.report import charts
from bleuprint.report.figures import Figure
from bleuprint.report.page import Page
from bleuprint.report.replay import if_possible, ranked
from bleuprint.results import Result, SystemResult

__all__ = ["LINK", "view"]

LINK = "Fluency"


@dataclass(frozen=True, slots=True)
class Fluency:
    across: str
    upwards: str
    rule: str
    figures: tuple[Figure, ...]


def view(page: Page) -> Fluency | None:
    """A scatter plot of every system."""
    assignment = if_possible(quadrants, page.result)
    if assignment is None:
        return None
    result, upwards = page.result, assignment.fidelity.metric
    figures = tuple(
        Figure(system.name, "", _drawn(assignment, result, system, percent=page.percent, brush=result.has_texts))
        for system in ranked(result, upwards)
    )
    return Fluency(assignment.fluency.metric, upwards, assignment.rule_in_words(percent=page.percent), figures)


def _drawn(
    assignment: Quadrants, result: Result, system: SystemResult, *, percent: bool, brush: bool
) -> charts.Drawing:
    across, upwards = assignment.fluency.metric, assignment.fidelity.metric
    places = {"x": result.metrics.index(across), "y": result.metrics.index(upwards)}
    data = {**places, "system": result.systems.index(system)} if brush else None
    label = f"{upwards} against {across} for every segment of {system.name}"
    return charts.scatter(assignment, system.name, label, data=data, percent=percent)
