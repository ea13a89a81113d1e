"""The segments that cost most."""

from __future__ import annotations

from collections.abc import Sequence

from bleuprint.report import charts
from bleuprint.report.look import Look
from bleuprint.report.sections.influence import costs
from bleuprint.results import Result, SystemResult

_ROWS = 10


def draw(result: Result, metric: str, systems: Sequence[SystemResult], look: Look) -> charts.Drawing | None:
    """How much better the score would be without each of the segments that cost most."""
    (system,) = systems
    lost = costs(result, system, metric)
    worst = [place for place in sorted(range(len(lost)), key=lambda place: -lost[place])[:_ROWS] if lost[place] > 0]
    if not worst:
        return None
    largest = lost[worst[0]]
    digits = look.digits(system.score(metric))
    rows = [charts.Bar(result.segment_name(place), lost[place] / largest, digits(lost[place], 5)) for place in worst]
    label = f"what single segments take from the {metric} of {system.name}"
    axis = f"gain in {metric} of {system.name} without it"
    return charts.bars(rows, label, axis=axis, largest=largest, digits=digits, width=look.width, height=look.height)
