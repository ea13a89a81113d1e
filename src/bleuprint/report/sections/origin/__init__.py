"""Where a score comes from: from matched words over longer n-grams to the brevity penalty."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import exp, fsum, log
from typing import NamedTuple

from bleuprint.checks import LARGEST_ORDER
from bleuprint.report import charts
from bleuprint.report.figures import FactTable, Figure
from bleuprint.report.page import MetricHead, Page
from bleuprint.report.replay import rank_systems
from bleuprint.results import MetricResult, Result, SystemResult
from bleuprint.results.digits import Digits

LINK = "Origin"


class Origins(NamedTuple):
    """What the scores under one metric are made of: a table of the systems, and a figure of each."""

    head: MetricHead
    facts: FactTable
    figures: tuple[Figure, ...]
    falls: bool  # the figures are waterfalls


def view(page: Page) -> list[Origins]:
    """A table and figures for the metrics whose scores have precisions."""
    views = []
    for head in page.metrics:
        order, figures = rank_systems(page.result, head.name), []
        for system in order:
            chart, score = draw(page.result, head.name, [system], page.canvas()), system.score(head.name)
            if chart is not None:
                figures.append(Figure(system.name, head.digits(score.value), chart, tuple(_counts(score))))
        if figures:
            facts = FactTable.of({system.name: _facts(head, system.score(head.name)) for system in order})
            falls = any("waterfall" in figure.chart for figure in figures)
            views.append(Origins(head, facts, tuple(figures), falls))
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


def draw(result: Result, metric: str, systems: Sequence[SystemResult], canvas: charts.Canvas) -> charts.Drawing | None:
    """From single words to the brevity penalty, or the precision of every order."""
    (system,) = systems
    score = system.score(metric)
    canvas = canvas.of(score.signature)
    label = f"where the {metric} of {system.name} comes from"
    if steps := waterfall_steps(score, canvas.digits):
        return charts.waterfall(steps, label, axis=f"{metric} of {system.name}", canvas=canvas)
    precisions = score.parts.get("precisions")
    if not isinstance(precisions, tuple) or len(precisions) > LARGEST_ORDER:
        return None
    rows = [charts.Row(f"{order}-grams", value, canvas.digits(value)) for order, value in enumerate(precisions, 1)]
    return charts.bars(rows, label, axis=f"precision of {system.name}", canvas=canvas)


def waterfall_steps(score: MetricResult, digits: Digits) -> list[charts.Row]:
    """From the share of matched words to the score; empty where the score is made in another way."""
    precisions, penalty = _numbers(score, "precisions"), _number(score, "brevity_penalty")
    if penalty is None or not 0 < len(precisions) <= LARGEST_ORDER:
        return []
    means = []
    for order in range(1, len(precisions) + 1):
        used = precisions[:order]
        means.append(exp(fsum(map(log, used)) / order) if min(used) > 0 else 0.0)
    if abs(means[-1] * penalty - score.value) > 1e-6:
        return []
    steps = [charts.Row("words", means[0], digits(means[0]), "precision of single words")]
    for order, (before, mean) in enumerate(pairwise(means), start=2):
        steps.append(charts.Row(f"{order}-grams", mean, digits.delta(mean - before), f"mean of orders 1 to {order}"))
    loss = score.value - means[-1]
    lost = digits.delta(loss) if loss <= -0.00005 else "0"
    steps.append(charts.Row("brevity", score.value, lost, "brevity penalty"))
    steps.append(charts.Row(score.metric, score.value, digits(score.value), "the score"))
    return steps
