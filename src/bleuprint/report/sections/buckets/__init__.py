"""Parts of the corpus: the score of segments sorted by length, by word frequency or by any column."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from markupsafe import Markup

from bleuprint.insight import buckets
from bleuprint.report.look import BROAD
from bleuprint.report.replay import if_possible, metric_of, sources_for
from bleuprint.report.sections.buckets.chart import draw_grouping
from bleuprint.report.sections.buckets.grouping import Grouping
from bleuprint.results import Result, SystemResult

if TYPE_CHECKING:
    from bleuprint.report.page import MetricHead, Page

__all__ = ["LINK", "bucket_values", "view"]

LINK = "Parts"


@dataclass(frozen=True, slots=True)
class Buckets:
    """One way to sort the segments, under every metric."""

    name: str
    charts: tuple[tuple[MetricHead, Markup], ...]


def view(page: Page) -> list[Buckets]:
    """All systems side by side for every way to sort segments and every metric."""
    views, look = [], page.look(BROAD)
    for number, grouping in enumerate(page.groupings):
        drawn = (
            (
                head,
                draw_grouping(page.result, head.name, page.result.systems, grouping, look, number=number),
            )
            for head in page.metrics
        )
        charts = tuple((head, chart) for head, chart in drawn if chart is not None)
        if charts:
            views.append(Buckets(grouping.name, charts))
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
