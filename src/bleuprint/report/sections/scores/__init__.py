"""Scores: every system under every metric, with intervals, signatures and the metric's card."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from markupsafe import Markup

from bleuprint.report import charts
from bleuprint.report.figures import Signature, signatures_of
from bleuprint.report.page import MetricHead, Page
from bleuprint.report.replay import if_possible, metric_of, ranked, sources_for
from bleuprint.report.sections.systems import comparison_of
from bleuprint.results import MetricResult, Result, SystemResult
from bleuprint.runners.comparisons import confidence_interval

__all__ = ["LINK", "intervals", "view"]

LINK = "Scores"
Ends = tuple[float, float, float]  # low, high, level


@dataclass(frozen=True, slots=True)
class ScoreRow:
    name: str
    value: str
    interval: str
    bar: Markup


@dataclass(frozen=True, slots=True)
class MetricScores:
    head: MetricHead
    scores: tuple[ScoreRow, ...]
    level: str
    signatures: tuple[Signature, ...]


def view(page: Page) -> list[MetricScores]:
    """A table for every metric, best system first."""
    tables = []
    for head in page.metrics:
        order = [(system.name, system.score(head.name)) for system in ranked(page.result, head.name)]
        known = intervals(page.result, head.name)
        tables.append(
            MetricScores(
                head=head,
                scores=tuple(_rows(order, known)),
                level=f"{100 * next(iter(known.values()))[2]:g} %" if known else "",
                signatures=signatures_of((name, score.signature) for name, score in order),
            )
        )
    return tables


def intervals(result: Result, metric: str) -> dict[str, Ends]:
    """The interval of every system's score: from the comparison, or by bootstrap over its segments."""
    known = comparison_of(result, metric)
    if known is not None:
        return known.intervals
    if not result.has_texts or result.size < 2:
        return {}
    ends = {system.name: if_possible(_bootstrap, result, system, metric) for system in result.systems}
    return {name: interval for name, interval in ends.items() if interval and all(map(math.isfinite, interval))}


def _bootstrap(result: Result, system: SystemResult, metric: str) -> Ends:
    score = system.score(metric)
    interval = confidence_interval(
        system.hypotheses, result.references, metric=metric_of(score), sources=sources_for(result, score)
    )
    return interval.low, interval.high, interval.level


def _rows(order: list[tuple[str, MetricResult]], known: dict[str, tuple[float, float, float]]) -> Iterable[ScoreRow]:
    ends = [end for entry in known.values() for end in entry[:2]]
    scale = max(1.0, *filter(math.isfinite, (*(score.value for _, score in order), *ends)))
    for name, score in order:
        text, places = "", None
        if name in known:
            low, high, _ = known[name]
            text, places = f"{low:.4f} … {high:.4f}", (low / scale, high / scale)
        bar = charts.meter(score.value / scale, f"{name}: {score.value:.4f} {text}".rstrip(), interval=places)
        yield ScoreRow(name, f"{score.value:.4f}", text, bar)
