"""Agreement of metrics with people: a chart of intervals and a table for every column of ratings and level."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from bleuprint.ratings.agreement.result import LABELS, Agreement, LevelAgreement
from bleuprint.report import charts
from bleuprint.results.digits import Digits

__all__ = ["LINK", "view"]

LINK = "Agreement"
_DIGITS = Digits(width=2)


@dataclass(frozen=True, slots=True)
class Row:
    """One metric; `starts` where a cluster begins that all metrics above beat significantly."""

    metric: str
    rank: str
    agrees: bool
    starts: bool
    cells: tuple[tuple[str, str, str], ...]  # value, interval, and the reason if one of them is missing


@dataclass(frozen=True, slots=True)
class Level:
    title: str
    counted: str
    verdict: str
    statistic: str
    heads: tuple[str, ...]
    rows: tuple[Row, ...]
    clusters: int
    chart: Markup
    tied: str
    note_on_intervals: str


@dataclass(frozen=True, slots=True)
class View:
    levels: tuple[Level, ...]
    interval: str
    raters: tuple[tuple[str, tuple[str, ...]], ...]
    rater_heads: tuple[str, ...]
    rater_reasons: tuple[str, ...]
    notes: tuple[str, ...]
    signature: str
    signatures: tuple[tuple[str, str], ...]


def view(result: Agreement) -> View:
    """All levels, then the raters."""
    alphas = tuple(result.raters[0].alpha) if result.raters else ()
    reasons = dict.fromkeys(
        f"{entry.human}: {estimate.reason}"
        for entry in result.raters
        for estimate in (*entry.alpha.values(), entry.ceiling)
        if estimate.reason is not None
    )
    return View(
        levels=tuple(_level(entry, result.settings.resample) for entry in result.levels),
        interval=f"{100 * (1 - result.settings.alpha):g} %",
        raters=tuple(
            (
                entry.human,
                (
                    f"{entry.ratings:,}",
                    f"{entry.repeated:,} of {entry.outputs:,}",
                    *(entry.alpha[level].text for level in alphas),
                    entry.ceiling.text,
                ),
            )
            for entry in result.raters
        ),
        rater_heads=("ratings", "outputs rated twice", *(f"alpha, {level}" for level in alphas), "noise ceiling"),
        rater_reasons=tuple(reasons),
        notes=result.notes,
        signature=result.signature,
        signatures=tuple(result.signatures.items()),
    )


def _level(entry: LevelAgreement, resample: str) -> Level:
    labels = LABELS[entry.level]
    shown = [entry.statistic, *entry.other_statistics]
    starts = {cluster[0] for cluster in entry.clusters[1:]}
    counted = f"{entry.systems} systems" if entry.level == "system" else f"{entry.outputs:,} outputs"
    return Level(
        title=f"{entry.human}, {entry.level} level",
        counted=counted,
        verdict=entry.verdict,
        statistic=labels[entry.statistic],
        heads=tuple(labels[name] for name in shown),
        rows=tuple(
            Row(
                metric.metric,
                metric.rank,
                metric.agrees,
                metric.metric in starts,
                tuple(
                    (
                        metric.statistics[name].text,
                        metric.statistics[name].interval,
                        "" if metric.statistics[name].value is not None else metric.statistics[name].reason or "",
                    )
                    for name in shown
                ),
            )
            for metric in entry.metrics
        ),
        clusters=len(entry.clusters),
        chart=_chart(entry),
        tied="" if not entry.tied else f"{entry.tied:.3f}",
        note_on_intervals=entry.note_on_intervals(resample),
    )


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
        digits=_DIGITS,
        width=charts.WIDTH,
    )
