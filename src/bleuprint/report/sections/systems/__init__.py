"""Pairs of systems: which are better, which cannot be told apart, and how they differ segment by segment."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from markupsafe import Markup

from bleuprint.report.look import BROAD
from bleuprint.report.page import MetricHead, Page
from bleuprint.report.replay import ranked
from bleuprint.report.sections.systems.chart import draw_matrix, draw_versus, verdicts_on
from bleuprint.report.sections.systems.compared import comparison_of
from bleuprint.statistics.comparison import SampleComparison

__all__ = ["LINK", "view"]

LINK = "Pairs"


@dataclass(frozen=True, slots=True)
class Verdict:
    """A pair of systems in words; `first` and `second` are their places in the page."""

    text: str
    first: int
    second: int


@dataclass(frozen=True, slots=True)
class ComparisonView:
    """The systems under one metric, in words and as a chart."""

    head: MetricHead
    ranks: tuple[str, ...]
    verdicts: tuple[Verdict, ...]
    matrix: Markup
    versus: Markup | None  # the two best systems, segment by segment
    signature: str


def view(page: Page) -> list[ComparisonView]:
    """A comparison for every metric that has one."""
    views = []
    places = {system.name: place for place, system in enumerate(page.result.systems)}
    for head in page.metrics:
        order, brush = ranked(page.result, head.name), bool(page.data)
        known = comparison_of(page.result, head.name)
        matrix = draw_matrix(page.result, head.name, order, page.look(BROAD), brush=brush)
        if known is None or matrix is None or page.result.comparison is None:
            continue
        verdicts = tuple(
            Verdict(f"{verdict}.", places[pair.first], places[pair.second])
            for pair in known.pairs
            for verdict in verdicts_on(pair, head.digits)
        )
        versus = draw_versus(page.result, head.name, order[:2], page.look(), brush=brush)
        ranks, signature = tuple(_ranks_in_words(known)), page.result.comparison.signature
        views.append(ComparisonView(head, ranks, verdicts, matrix, versus, signature))
    return views


def _ranks_in_words(known: SampleComparison) -> Iterator[str]:
    for system in known.systems:
        if system.wins is not None:
            ranks = system.rank.replace("-", " to ")
            yield f"{system.name}: rank {ranks}, better than {system.wins} of {len(known.systems) - 1}."
