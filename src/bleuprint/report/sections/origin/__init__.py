"""Where a score comes from: from matched words over longer n-grams to the brevity penalty."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bleuprint.report.figures import Figure
from bleuprint.report.page import MetricHead, Page
from bleuprint.report.replay import ranked
from bleuprint.report.sections.origin.chart import draw
from bleuprint.results import MetricResult

__all__ = ["LINK", "view"]

LINK = "Origin"


@dataclass(frozen=True, slots=True)
class Origins:
    """What the scores under one metric are made of: a table of the systems, and a figure of each."""

    head: MetricHead
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]  # name, cells
    figures: tuple[Figure, ...]
    falls: bool  # the figures are waterfalls


def view(page: Page) -> list[Origins]:
    """A table and figures for the metrics whose scores have precisions."""
    views = []
    for head in page.metrics:
        order = ranked(page.result, head.name)
        drawn = [(system, draw(page.result, head.name, [system], page.look())) for system in order]
        figures = tuple(
            Figure(
                system.name, head.digits(system.score(head.name).value), chart, tuple(_counts(system.score(head.name)))
            )
            for system, chart in drawn
            if chart is not None
        )
        if not figures:
            continue
        facts = {system.name: dict(_facts(head, system.score(head.name))) for system in order}
        columns = tuple(dict.fromkeys(column for cells in facts.values() for column in cells))
        rows = tuple((name, tuple(cells.get(column, "") for column in columns)) for name, cells in facts.items())
        views.append(
            Origins(head, columns, rows, figures, falls=any("waterfall" in figure.chart for figure in figures))
        )
    return views


def _facts(head: MetricHead, score: MetricResult) -> Iterator[tuple[str, str]]:
    for order, precision in enumerate(_numbers(score, "precisions"), start=1):
        yield f"{order}-grams", head.digits(precision)
    if (penalty := _number(score, "brevity_penalty")) is not None:
        yield "brevity", f"{penalty:.3f}"
    hypothesis, reference = _number(score, "hypothesis_length"), _number(score, "reference_length")
    if hypothesis is not None and reference is not None:
        yield "tokens", f"{hypothesis:,.0f} of {reference:,.0f}"
        yield "ratio", f"{hypothesis / reference:.3f}" if reference else "none"


def _counts(score: MetricResult) -> Iterator[tuple[str, str]]:
    for order, (match, total) in enumerate(zip(_numbers(score, "matches"), _numbers(score, "totals"), strict=False), 1):
        yield f"{order}-grams", f"{match:,.0f} of {total:,.0f} matched"


def _numbers(score: MetricResult, part: str) -> tuple[float, ...]:
    value = score.parts.get(part, ())
    return value if isinstance(value, tuple) else ()


def _number(score: MetricResult, part: str) -> float | None:
    value = score.parts.get(part)
    return None if isinstance(value, tuple) else value
