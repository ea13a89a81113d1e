"""Parts of the corpus: the score of segments sorted by length, by word frequency or by any column."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bleuprint.insight import buckets
from bleuprint.report import charts
from bleuprint.report.figures import Figure, digits
from bleuprint.report.replay import if_possible, metric_of, ranked, sources_for
from bleuprint.report.sections.buckets.grouping import Grouping
from bleuprint.results import Result, SystemResult

if TYPE_CHECKING:
    from bleuprint.report.page import MetricHead, Page

__all__ = ["LINK", "bucket_values", "view"]

LINK = "Buckets"


@dataclass(frozen=True, slots=True)
class Buckets:
    head: MetricHead
    name: str
    figures: tuple[Figure, ...]


def view(page: Page) -> list[Buckets]:
    """A figure of every system for every way to sort segments, under the first metric."""
    views = []
    for number, grouping in enumerate(page.groupings):
        for head in page.metrics[:1]:
            drawn = (
                (system.name, draw_grouping(page.result, head.name, system, grouping, number=number))
                for system in ranked(page.result, head.name)
            )
            figures = tuple(Figure(name, "", chart) for name, chart in drawn if chart is not None)
            if figures:
                views.append(Buckets(head, grouping.name, figures))
    return views


def bucket_values(result: Result, system: SystemResult, metric: str, grouping: Grouping) -> list[float]:
    """The score of every bucket, in order; empty if it cannot be told."""
    score = system.score(metric)

    def scores() -> list[float]:
        sources = sources_for(result, score)
        parts = buckets(metric_of(score), system.hypotheses, result.references, by=grouping.of, sources=sources)
        by_label = {bucket.label: bucket.value for bucket in parts}
        return [by_label[str(number)] for number in range(len(grouping.labels))]

    values = if_possible(scores) or []
    return values if all(map(math.isfinite, values)) else []


def draw_grouping(
    result: Result, metric: str, system: SystemResult, grouping: Grouping, *, number: int | None = None
) -> charts.Drawing | None:
    """The score of every bucket; `number` is the grouping's in the page."""
    if not result.has_texts:
        return None
    values = bucket_values(result, system, metric, grouping)
    if not values:
        return None
    scale = max(1.0, *values)
    rows = []
    for place, (label, value) in enumerate(zip(grouping.labels, values, strict=True)):
        size = grouping.of.count(place)
        data = None if number is None else {"group": number, "bucket": place}
        rows.append(charts.Bar(label, value / scale, digits(value), f"{label}: {size} segments", data=data))
    return charts.bars(rows, f"{metric} of {system.name} by {grouping.name}")
