"""Where a score comes from: from matched words over longer n-grams to the brevity penalty."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from math import exp, fsum, log

from bleuprint.metrics.base.checks import LARGEST_ORDER
from bleuprint.report import charts
from bleuprint.report.figures import Figure, digits, signed
from bleuprint.report.page import MetricHead, Page
from bleuprint.report.replay import ranked
from bleuprint.results import MetricResult, Result, SystemResult

__all__ = ["LINK", "draw", "view", "waterfall_steps"]

LINK = "Where it comes from"


@dataclass(frozen=True, slots=True)
class Origins:
    head: MetricHead
    figures: tuple[Figure, ...]
    falls: bool  # the figures are waterfalls


def view(page: Page) -> list[Origins]:
    """A figure of every system for the metrics whose scores have precisions."""
    views = []
    for head in page.metrics:
        figures = tuple(_figures(page.result, head.name))
        if figures:
            views.append(Origins(head, figures, falls=any("waterfall" in figure.chart for figure in figures)))
    return views


def _figures(result: Result, metric: str) -> Iterable[Figure]:
    """How each score comes about, the counts and lengths as facts."""
    for system in ranked(result, metric):
        chart = draw(result, metric, system)
        if chart is None:
            continue
        score = system.score(metric)
        precisions, matches, totals = (_numbers(score, part) for part in ("precisions", "matches", "totals"))
        facts = [
            (f"{order}-grams matched", f"{match:,.0f} of {total:,.0f} · {digits(precision)}")
            for order, (match, total, precision) in enumerate(zip(matches, totals, precisions, strict=False), start=1)
        ]
        if (penalty := _number(score, "brevity_penalty")) is not None:
            facts.append(("brevity penalty", f"{penalty:.3f}"))
        hypothesis, reference = _number(score, "hypothesis_length"), _number(score, "reference_length")
        if hypothesis is not None and reference is not None:
            facts.append(("tokens", f"{hypothesis:,.0f} (references {reference:,.0f})"))
            facts.append(("length ratio", f"{hypothesis / reference:.3f}" if reference else "none"))
        yield Figure(system.name, f"{score.value:.4f}", chart, tuple(facts))


def _numbers(score: MetricResult, part: str) -> tuple[float, ...]:
    value = score.parts.get(part, ())
    return value if isinstance(value, tuple) else ()


def _number(score: MetricResult, part: str) -> float | None:
    value = score.parts.get(part)
    return None if isinstance(value, tuple) else value


def waterfall_steps(score: MetricResult) -> list[charts.Bar]:
    """From the share of matched words to the score; empty where the score is made in another way."""
    precisions, penalty = score.parts.get("precisions"), score.parts.get("brevity_penalty")
    if not isinstance(precisions, tuple) or not 0 < len(precisions) <= LARGEST_ORDER:
        return []
    if not isinstance(penalty, float | int):
        return []
    means = []
    for order in range(1, len(precisions) + 1):
        used = precisions[:order]
        means.append(exp(fsum(map(log, used)) / order) if min(used) > 0 else 0.0)
    if abs(means[-1] * penalty - score.value) > 1e-6:
        return []
    steps = [charts.Bar("words", means[0], digits(means[0]), "precision of single words")]
    for order, (before, mean) in enumerate(pairwise(means), start=2):
        steps.append(charts.Bar(f"{order}-grams", mean, signed(mean - before), f"mean of orders 1 to {order}"))
    loss = score.value - means[-1]
    steps.append(charts.Bar("brevity", score.value, signed(loss) if loss <= -0.00005 else "0", "brevity penalty"))
    steps.append(charts.Bar(score.metric, score.value, digits(score.value), "the score"))
    return steps


def draw(result: Result, metric: str, system: SystemResult) -> charts.Drawing | None:
    """How the score comes about."""
    score = system.score(metric)
    steps = waterfall_steps(score)
    label = f"where the {metric} of {system.name} comes from"
    if steps:
        return charts.waterfall(steps, label)
    precisions = score.parts.get("precisions")
    if not isinstance(precisions, tuple) or len(precisions) > LARGEST_ORDER:
        return None
    rows = [charts.Bar(f"{order}-grams", value, digits(value)) for order, value in enumerate(precisions, start=1)]
    return charts.bars(rows, label)
