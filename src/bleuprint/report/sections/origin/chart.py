"""How a score comes about."""

from __future__ import annotations

from collections.abc import Sequence

from bleuprint.checks import LARGEST_ORDER
from bleuprint.report import charts
from bleuprint.report.look import Look
from bleuprint.report.sections.origin.steps import waterfall_steps
from bleuprint.results import Result, SystemResult


def draw(result: Result, metric: str, systems: Sequence[SystemResult], look: Look) -> charts.Drawing | None:
    """From single words to the brevity penalty, or the precision of every order."""
    (system,) = systems
    score = system.score(metric)
    digits = look.digits(score)
    steps = waterfall_steps(score, digits)
    label = f"where the {metric} of {system.name} comes from"
    if steps:
        axis = f"{metric} of {system.name}"
        return charts.waterfall(steps, label, axis=axis, digits=digits, width=look.width, height=look.height)
    precisions = score.parts.get("precisions")
    if not isinstance(precisions, tuple) or len(precisions) > LARGEST_ORDER:
        return None
    rows = [charts.Bar(f"{order}-grams", value, digits(value)) for order, value in enumerate(precisions, start=1)]
    return charts.bars(
        rows, label, axis=f"precision of {system.name}", digits=digits, width=look.width, height=look.height
    )
