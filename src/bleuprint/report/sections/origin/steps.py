"""From the share of matched words to the score."""

from __future__ import annotations

from itertools import pairwise
from math import exp, fsum, log

from bleuprint.checks import LARGEST_ORDER
from bleuprint.report import charts
from bleuprint.results import MetricResult
from bleuprint.results.digits import Digits


def waterfall_steps(score: MetricResult, digits: Digits) -> list[charts.Bar]:
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
        steps.append(charts.Bar(f"{order}-grams", mean, digits.delta(mean - before), f"mean of orders 1 to {order}"))
    loss = score.value - means[-1]
    steps.append(charts.Bar("brevity", score.value, digits.delta(loss) if loss <= -0.00005 else "0", "brevity penalty"))
    steps.append(charts.Bar(score.metric, score.value, digits(score.value), "the score"))
    return steps
