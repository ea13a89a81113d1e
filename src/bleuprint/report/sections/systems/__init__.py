"""Pairs of systems: which are better, which cannot be told apart, and how they differ segment by segment."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from markupsafe import Markup

from bleuprint.report.look import BROAD
from bleuprint.report.page import MetricHead, Page
from bleuprint.report.replay import ranked
from bleuprint.report.sections.systems.chart import draw_matrix, draw_versus
from bleuprint.report.sections.systems.compared import Compared, comparison_of

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
        known = comparison_of(page.result, head.name, head.digits)
        matrix = draw_matrix(page.result, head.name, order, page.look(BROAD), brush=brush)
        if known is None or matrix is None:
            continue
        verdicts = tuple(
            Verdict(f"{verdict}.", places[pair.first], places[pair.second])
            for pair in known.pairs
            for verdict in pair.verdicts
        )
        versus = draw_versus(page.result, head.name, order[:2], page.look(), brush=brush)
        views.append(ComparisonView(head, tuple(_ranks_in_words(known)), verdicts, matrix, versus, known.signature))
    return views


def _ranks_in_words(known: Compared) -> Iterator[str]:
    others = len(known.intervals) - 1
    for name, rank in known.ranks.items():
        ranks = f"{rank.best}" if rank.best == rank.worst else f"{rank.best} to {rank.worst}"
        yield f"{name}: rank {ranks}, better than {rank.wins} of {others}."
    if known.ranks:
        return
    for number, names in enumerate(known.clusters, start=1):
        listed = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
        yield f"Rank {number}: {listed}{', with no clear order among them' if len(names) > 1 else ''}."
