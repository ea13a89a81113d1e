"""Agreement of metrics with people: a chart of intervals and a table for every column of ratings and level."""

from __future__ import annotations

from typing import NamedTuple

from markupsafe import Markup

from bleuprint.ratings.agreement.result import LABELS, Agreement, LevelAgreement
from bleuprint.report import charts

LINK = "Agreement"
_CANVAS = charts.Canvas(charts.WHOLE)


class View(NamedTuple):
    """The result, and every level with the headings of its columns by statistic and its chart."""

    result: Agreement
    levels: list[tuple[LevelAgreement, dict[str, str], Markup]]


def view(result: Agreement) -> View:
    """All levels, then the raters."""
    return View(result, [(entry, _columns(entry), _chart(entry)) for entry in result.levels])


def _columns(entry: LevelAgreement) -> dict[str, str]:
    return {name: LABELS[entry.level][name] for name in (entry.statistic, *entry.other_statistics)}


def _chart(entry: LevelAgreement) -> Markup:
    label = LABELS[entry.level][entry.statistic]
    rows = []
    for metric in entry.metrics:
        main = metric.statistics[entry.statistic]
        if main.value is None:
            continue
        interval = None if main.low is None or main.high is None else (main.low, main.high)
        text = f"{main.value + 0.0:.3f}"
        rows.append(charts.Row(metric.metric, main.value, text, interval=interval, strong=metric.agrees))
    if not rows:
        return Markup("")
    return charts.ranges(
        rows,
        f"{label} with {entry.human} at {entry.level} level",
        zero=not entry.statistic.endswith("accuracy"),
        axis=f"{label} with {entry.human} →",
        canvas=_CANVAS,
    )
