"""Agreement of metrics with people: a chart of intervals and a table for every column of ratings and level."""

from __future__ import annotations

from typing import NamedTuple

from markupsafe import Markup

from bleuprint.ratings.agreement.result import LABELS, Agreement, LevelAgreement
from bleuprint.report import charts
from bleuprint.results.digits import Digits

LINK = "Agreement"
_CANVAS = charts.Canvas(digits=Digits(width=2))


class Level(NamedTuple):
    """One level with its columns, the statistic that ranks the metrics first, and its chart."""

    agreement: LevelAgreement
    columns: dict[str, str]  # headings by statistic
    starts: frozenset[str]  # metrics that begin a cluster which all metrics above beat significantly
    chart: Markup
    note_on_intervals: str


class View(NamedTuple):
    result: Agreement
    levels: tuple[Level, ...]
    interval: str
    rater_reasons: tuple[str, ...]


def view(result: Agreement) -> View:
    """All levels, then the raters."""
    reasons = tuple(reason for entry in result.raters for reason in entry.reasons)
    levels = tuple(
        Level(
            entry,
            {name: LABELS[entry.level][name] for name in (entry.statistic, *entry.other_statistics)},
            frozenset(cluster[0] for cluster in entry.clusters[1:]),
            _chart(entry),
            entry.note_on_intervals(result.settings.resample),
        )
        for entry in result.levels
    )
    return View(result, levels, f"{100 * (1 - result.settings.alpha):g} %", reasons)


def _chart(entry: LevelAgreement) -> Markup:
    label = LABELS[entry.level][entry.statistic]
    rows = []
    for metric in entry.metrics:
        main = metric.statistics[entry.statistic]
        if main.value is None:
            continue
        low, high = (main.value, main.value) if main.low is None or main.high is None else (main.low, main.high)
        rows.append(charts.Range(metric.metric, main.value, low, high, f"{main.value + 0.0:.3f}", strong=metric.agrees))
    if not rows:
        return Markup("")
    return charts.ranges(
        rows,
        f"{label} with {entry.human} at {entry.level} level",
        zero=not entry.statistic.endswith("accuracy"),
        axis=f"{label} with {entry.human} →",
        canvas=_CANVAS,
    )
