"""Pairs of systems: which are better, which cannot be told apart, and how they differ segment by segment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from markupsafe import Markup

from bleuprint.report import charts
from bleuprint.report.page import MetricHead, Page
from bleuprint.report.replay import rank_systems
from bleuprint.report.sections.systems.compared import comparison_of, with_comparison
from bleuprint.results import Result, SystemResult
from bleuprint.results.digits import Digits
from bleuprint.statistics.comparison import PairComparison, SampleComparison

LINK = "Pairs"


class ComparisonView(NamedTuple):
    """The systems under one metric, in words and as a chart."""

    head: MetricHead
    compared: SampleComparison
    matrix: Markup
    versus: Markup | None  # the two best systems, segment by segment


def view(page: Page) -> list[ComparisonView]:
    """A comparison for every metric that has one."""
    views = []
    for head in page.metrics:
        order, brush = rank_systems(page.result, head.name), bool(page.data)
        known = comparison_of(page.result, head.name)
        matrix = draw_matrix(page.result, head.name, order, page.canvas(charts.BROAD), brush=brush)
        if known is not None and matrix is not None:
            versus = draw_versus(page.result, head.name, order[:2], page.canvas(), brush=brush)
            views.append(ComparisonView(head, known, matrix, versus))
    return views


def _pairs(result: Result, metric: str, systems: Sequence[SystemResult]) -> list[PairComparison]:
    """The pairs of these systems in the comparison that the result holds, or in a new one of these systems alone."""
    known = comparison_of(result, metric)
    if known is None:
        known = comparison_of(with_comparison(replace(result, systems=tuple(systems), comparison=None)), metric)
    names = {system.name for system in systems}
    return [] if known is None else [pair for pair in known.pairs if {pair.first, pair.second} <= names]


def verdicts_on(pair: PairComparison, digits: Digits) -> list[str]:
    """What the test says and, with a margin, what it says about equivalence; numbers as the charts have them."""
    equivalence = pair.equivalence_in_words(digits)
    return [pair.in_words(digits), *([] if equivalence is None else [equivalence])]


def draw(result: Result, metric: str, systems: Sequence[SystemResult], canvas: charts.Canvas) -> charts.Drawing | None:
    """The difference of every pair in its interval."""
    pairs, canvas = _pairs(result, metric, systems), canvas.of(systems[0].score(metric).signature)
    if not pairs:
        return None
    digits, names = canvas.digits, [system.name for system in systems]
    room = (canvas.width or charts.WIDTH) - charts.text_width(" − +0.0000") - 8

    def fit(name: str, other: str) -> str:
        """A name in the room that the other one leaves, or in half of it."""
        return charts.shorten(names, max(room / 2, room - charts.text_width(other)))[names.index(name)]

    rows = [
        charts.Row(
            f"{fit(pair.first, pair.second)} − {fit(pair.second, pair.first)}",
            pair.difference.value,
            f"{digits.delta(pair.difference.value)}{'*' * pair.crosses_zero}",
            " ".join(verdicts_on(pair, digits)),
            (pair.difference.low, pair.difference.high),
            pair.better is not None,
        )
        for pair in pairs
    ]
    starred = "; *: clear by the test alone" if any(pair.crosses_zero for pair in pairs) else ""
    return charts.ranges(
        rows,
        f"differences in {metric}, with intervals",
        zero=True,
        axis=f"difference in {metric}; faint: may be chance{starred}",
        canvas=canvas,
    )


def draw_matrix(
    result: Result, metric: str, systems: Sequence[SystemResult], canvas: charts.Canvas, *, brush: bool = False
) -> charts.Drawing | None:
    """Every system against every other; with `brush` the page opens the pair of a cell."""
    pairs, canvas = _pairs(result, metric, systems), canvas.of(systems[0].score(metric).signature)
    if not pairs:
        return None
    cells = {}
    places = {system.name: place for place, system in enumerate(result.systems)}
    for pair in pairs:
        better = 0 if pair.better is None else 1 if pair.better == pair.first else -1
        for first, second, sign in ((pair.first, pair.second, 1), (pair.second, pair.first, -1)):
            data = {"metric": result.metrics.index(metric), "first": places[first], "second": places[second]}
            cells[first, second] = _cell(pair, better, sign, canvas.digits, data if brush else None)
    return charts.matrix(
        [system.name for system in systems],
        cells,
        f"differences in {metric} of every two systems",
        axis=f"{metric} of the row minus that of the column",
        canvas=canvas,
    )


def _cell(pair: PairComparison, better: int, sign: int, digits: Digits, data: charts.Data) -> charts.Cell:
    low, high = sorted((sign * pair.difference.low, sign * pair.difference.high))
    note = f"{' '.join(verdicts_on(pair, digits))} ({digits.delta(low)} to {digits.delta(high)})"
    return charts.Cell(sign * better, digits.delta(sign * pair.difference.value), note, data)


def draw_versus(
    result: Result, metric: str, systems: Sequence[SystemResult], canvas: charts.Canvas, *, brush: bool = False
) -> charts.Drawing | None:
    """The segments of two systems; those with the largest differences carry their numbers."""
    if len(systems) != 2:
        return None
    first, second = ((system.name, system.score(metric).segments) for system in systems)
    if not first[1] or len(first[1]) != len(second[1]):
        return None
    label = f"{metric} of every segment, {first[0]} against {second[0]}"
    place, numbers = result.metrics.index(metric), [result.systems.index(system) for system in systems]
    data = {"x": place, "y": place, "systems": f"{numbers[0]} {numbers[1]}"} if brush else None
    canvas = canvas.of(systems[0].score(metric).signature)
    return charts.versus(first, second, label, metric=metric, data=data, canvas=canvas)
