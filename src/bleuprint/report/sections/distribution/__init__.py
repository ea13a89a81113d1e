"""The distribution of segment scores."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isfinite
from statistics import fmean, median

from bleuprint.report import charts
from bleuprint.report.figures import Figure, Signature, digits, signatures_of
from bleuprint.report.page import MetricHead, Page
from bleuprint.report.replay import ranked
from bleuprint.report.sections.segments.data import SCORE_STEPS
from bleuprint.results import Result, SystemResult

__all__ = ["LINK", "draw", "rounded", "view"]

LINK = "Distribution"
BINS = 20


@dataclass(frozen=True, slots=True)
class Distributions:
    head: MetricHead
    figures: tuple[Figure, ...]
    signatures: tuple[Signature, ...]


def view(page: Page) -> list[Distributions]:
    """A histogram of every system under every metric with segment scores."""
    views = []
    for head in page.metrics:
        figures = tuple(_figures(page.result, head.name))
        if figures:
            scores = ((system.name, system.score(head.name)) for system in ranked(page.result, head.name))
            signatures = signatures_of((name, score.segment_signature) for name, score in scores)
            views.append(Distributions(head, figures, signatures))
    return views


def _figures(result: Result, metric: str) -> Iterable[Figure]:
    for system in ranked(result, metric):
        chart = draw(result, metric, system, brush=result.has_texts)
        if chart is None:
            continue
        values = system.score(metric).segments
        facts = [("median", digits(median(values))), ("mean", digits(fmean(values)))]
        if min(values) >= 0 and max(values) <= 1:
            facts += [(f"at {end}", f"{sum(value == end for value in values):,}") for end in (0, 1)]
        else:
            facts += [("lowest", digits(min(values))), ("highest", digits(max(values)))]
        yield Figure(system.name, "", chart, tuple(facts))


def draw(result: Result, metric: str, system: SystemResult, *, brush: bool = False) -> charts.Drawing | None:
    """How the scores of single segments spread; all systems have the same axes."""
    # To as many digits as the page has: a bar is as tall as the list that a click on it gives is long.
    every = [rounded(entry.score(metric).segments) for entry in result.systems]
    values = every[result.systems.index(system)]
    if not values:
        return None
    scale = charts.scale_of([value for row in every for value in row])
    tallest = max(max(charts.bins_of(row, BINS, scale)) for row in every)
    data = {"metric": result.metrics.index(metric), "system": result.systems.index(system)} if brush else None
    label = f"distribution of the segment scores of {system.name}"
    return charts.histogram(values, label, bins=BINS, tallest=tallest, scale=scale, data=data)


def rounded(values: Sequence[float]) -> list[float]:
    return [round(value * SCORE_STEPS) / SCORE_STEPS if isfinite(value * SCORE_STEPS) else value for value in values]
