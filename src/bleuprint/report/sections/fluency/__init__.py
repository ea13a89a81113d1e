"""Fidelity against fluency, where a perplexity was measured."""

from __future__ import annotations

from dataclasses import dataclass

from bleuprint.metrics import registry
from bleuprint.report import charts
from bleuprint.report.figures import Figure
from bleuprint.report.page import Page
from bleuprint.report.replay import if_possible, ranked
from bleuprint.report.sections.distribution import rounded
from bleuprint.results import Result, SystemResult
from bleuprint.signature import parse

__all__ = ["LINK", "draw", "view"]

LINK = "Fluency"


@dataclass(frozen=True, slots=True)
class Fluency:
    across: str
    upwards: str
    figures: tuple[Figure, ...]


def view(page: Page) -> Fluency | None:
    """A scatter plot of every system."""
    axes = fluent_metrics(page.result)
    if axes is None:
        return None
    across, upwards = axes
    drawn = (
        (system.name, draw(page.result, upwards, system, brush=page.result.has_texts))
        for system in ranked(page.result, upwards)
    )
    figures = tuple(Figure(name, "", chart) for name, chart in drawn if chart is not None)
    return Fluency(across, upwards, figures) if figures else None


def fluent_metrics(result: Result) -> tuple[str, str] | None:
    """The first metric of outputs alone, which is fluency, and the first that compares, where both are there."""
    kinds = registry.segment_metrics()
    scores = result.systems[0].scores if result.systems else ()
    measured = {score.metric: if_possible(parse, score.signature) for score in scores}
    alone = {name for name, kind in kinds.items() if not kind.needs_references}
    fluency = [metric for metric, signed in measured.items() if signed is not None and signed.metric in alone]
    fidelity = [metric for metric in result.metrics if metric not in fluency]
    return (fluency[0], fidelity[0]) if fluency and fidelity else None


def draw(result: Result, metric: str, system: SystemResult, *, brush: bool = False) -> charts.Drawing | None:
    """Fidelity against fluency."""
    axes = fluent_metrics(result)
    if axes is None or not system.score(axes[0]).segments:
        return None
    across, upwards = axes
    cloud = charts.Cloud(
        across=rounded(system.score(across).segments),
        upwards=rounded(system.score(upwards).segments),
        across_scale=_common_scale(result, across),
        upwards_scale=_common_scale(result, upwards),
        across_name=across,
        upwards_name=upwards,
        across_better_high=system.score(across).higher_is_better,
        upwards_better_high=system.score(upwards).higher_is_better,
    )
    places = {"x": result.metrics.index(across), "y": result.metrics.index(upwards)}
    data = {**places, "system": result.systems.index(system)} if brush else None
    return charts.scatter(cloud, f"{upwards} against {across} for every segment of {system.name}", data=data)


def _common_scale(result: Result, metric: str) -> charts.Scale:
    return charts.scale_of([value for system in result.systems for value in system.score(metric).segments])
