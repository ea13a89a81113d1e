"""The distribution of segment scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from statistics import fmean, median
from typing import NamedTuple

from markupsafe import Markup

from bleuprint.report import charts
from bleuprint.report.figures import FactTable, signatures_of
from bleuprint.report.page import MetricHead, Page
from bleuprint.report.replay import rank_systems
from bleuprint.report.sections.segments.data import SCORE_STEPS
from bleuprint.results import Result, SystemResult
from bleuprint.results.digits import Digits

LINK = "Distributions"


class Distributions(NamedTuple):
    """The segment scores of all systems under one metric; the facts are those of every system."""

    head: MetricHead
    chart: Markup
    facts: FactTable
    signatures: dict[str, list[str]]


def view(page: Page) -> list[Distributions]:
    """The systems over each other, for every metric with segment scores."""
    views = []
    for head in page.metrics:
        data = {"metric": head.number} if page.data else None
        chart = draw(page.result, head.name, page.result.systems, page.canvas(charts.BROAD), data=data)
        if chart is None:
            continue
        order = rank_systems(page.result, head.name)
        facts = FactTable.of({system.name: _facts(system.score(head.name).segments, head.digits) for system in order})
        signatures = signatures_of((system.name, system.score(head.name).segment_signature) for system in order)
        views.append(Distributions(head, chart, facts, signatures))
    return views


def _facts(values: tuple[float, ...], digits: Digits) -> Iterator[tuple[str, str]]:
    if not values:
        return
    yield "median", digits(median(values))
    yield "mean", digits(fmean(values))
    yield "lowest", digits(min(values))
    yield "highest", digits(max(values))
    if min(values) >= 0 and max(values) <= 1:
        yield "at 0", f"{sum(value == 0 for value in values):,}"
        yield f"at {digits(1.0).rstrip('0').rstrip('.')}", f"{sum(value == 1 for value in values):,}"


def draw(
    result: Result, metric: str, systems: Sequence[SystemResult], canvas: charts.Canvas, *, data: charts.Data = None
) -> charts.Drawing | None:
    """The distributions of the segment scores; `data` lets the page choose a bin."""
    values = {system.name: list(map(_as_stored, system.score(metric).segments)) for system in systems}
    return draw_values(values, metric, canvas.of(systems[0].score(metric).signature), data=data)


def _as_stored(value: float) -> float:
    """To as many digits as the page has: a bar is as tall as the list that a click on it gives is long."""
    return round(value * SCORE_STEPS) / SCORE_STEPS if isfinite(value * SCORE_STEPS) else value


def draw_values(
    values: Mapping[str, Sequence[float]], metric: str, canvas: charts.Canvas, *, data: charts.Data = None
) -> charts.Drawing | None:
    """The distributions of these values, on a logarithmic axis if they need one."""
    every = [value for row in values.values() for value in row]
    if not every:
        return None
    scale = charts.logarithmic(every) or charts.scale_of(every)
    axis = f"{metric} of a segment{', log scale' if scale.logarithmic else ''}"
    label = f"distribution of the {metric} of single segments"
    return charts.distributions(values, label, axis=axis, scale=scale, data=data, canvas=canvas)
