"""The distribution of segment scores."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import fmean, median

from markupsafe import Markup

from bleuprint.report.figures import Signature, signatures_of
from bleuprint.report.look import BROAD
from bleuprint.report.page import MetricHead, Page
from bleuprint.report.replay import ranked
from bleuprint.report.sections.distribution.chart import draw
from bleuprint.results.digits import Digits

__all__ = ["LINK", "view"]

LINK = "Distributions"


@dataclass(frozen=True, slots=True)
class Distributions:
    """The segment scores of all systems under one metric; the facts are those of every system."""

    head: MetricHead
    chart: Markup
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]  # name, cells
    signatures: tuple[Signature, ...]


def view(page: Page) -> list[Distributions]:
    """The systems over each other, for every metric with segment scores."""
    views = []
    for head in page.metrics:
        data = {"metric": head.number} if page.data else None
        chart = draw(page.result, head.name, page.result.systems, page.look(BROAD), data=data)
        if chart is None:
            continue
        order = ranked(page.result, head.name)
        facts = {system.name: dict(_facts(system.score(head.name).segments, head.digits)) for system in order}
        columns = tuple(dict.fromkeys(column for cells in facts.values() for column in cells))
        rows = tuple((name, tuple(cells.get(column, "") for column in columns)) for name, cells in facts.items())
        signatures = signatures_of((system.name, system.score(head.name).segment_signature) for system in order)
        views.append(Distributions(head, chart, columns, rows, signatures))
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
