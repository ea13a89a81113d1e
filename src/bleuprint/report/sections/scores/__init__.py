"""Scores: every system under every metric, with intervals, signatures and the metric's card."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

from markupsafe import Markup

from bleuprint.insight.quadrants import quadrants
from bleuprint.report import charts
from bleuprint.report.figures import direction, signatures_of
from bleuprint.report.page import MetricHead, Page
from bleuprint.report.replay import if_possible, metric_of, rank_systems, rows_of
from bleuprint.report.sections.scores.sweep import draw_sweep, sweeps_of
from bleuprint.report.sections.systems.compared import comparison_of
from bleuprint.results import Result, SystemResult
from bleuprint.results.display import DisplayTable
from bleuprint.statistics.intervals import bootstrap_intervals

LINK = "Scores"
Ends = tuple[float, float, float]  # low, high, level


class ScoreCell(NamedTuple):
    """A score; `standing` is "best", "tied" (cannot be told apart from the best) or nothing."""

    value: str
    number: float
    interval: str
    rank: str
    standing: str
    strip: Markup


class ScoreTable(NamedTuple):
    """Systems × metrics, the best system under the first metric first."""

    ends: tuple[tuple[str, str], ...]  # of the drawn intervals, for every metric
    rows: tuple[tuple[str, tuple[ScoreCell, ...]], ...]  # the system and its cells
    level: str
    ties: bool  # some system is tied with the best
    signatures: dict[str, dict[str, list[str]]]  # of every metric, with their owners
    sweeps: list[tuple[list[str], DisplayTable, charts.Drawing]]  # sentences, table and chart of every iBLEU


def view(page: Page) -> ScoreTable | None:
    """All scores in one table."""
    result = page.result
    if not page.metrics:
        return None
    columns, ends, level = [], [], ""
    for head in page.metrics:
        known = intervals(result, head.name)
        edges = [end for entry in known.values() for end in entry[:2]]
        drawn = charts.zoom([*edges, *(system.score(head.name).value for system in result.systems)])
        columns.append(_column(result, head, known, drawn))
        ends.append((head.digits(drawn.low), head.digits(drawn.high)))
        level = level or (f"{100 * next(iter(known.values()))[2]:g} %" if known else "")
    rows = tuple(
        (system.name, tuple(column[system.name] for column in columns))
        for system in rank_systems(result, page.metrics[0].name)
    )
    signatures = {
        head.name: signatures_of((system.name, system.score(head.name).signature) for system in result.systems)
        for head in page.metrics
    }
    ties = any(cell.standing == "tied" for _, cells in rows for cell in cells)
    shown, canvas = page.digits, page.canvas(charts.BROAD)
    swept = [(one.sentences(shown), one.table(shown), draw_sweep(one, canvas)) for one in sweeps_of(result)]
    return ScoreTable(tuple(ends), rows, level, ties, signatures, swept)


def _column(result: Result, head: MetricHead, known: dict[str, Ends], scale: charts.Scale) -> dict[str, ScoreCell]:
    compared = comparison_of(result, head.name)
    best = rank_systems(result, head.name)[0]
    cells = {}
    for system in result.systems:
        score, interval = system.score(head.name), known.get(system.name)
        text = f"{head.digits(interval[0])} … {head.digits(interval[1])}" if interval else ""
        pair = None if compared is None else compared.find_pair(system.name, best.name)
        standing = ""
        if len(result.systems) > 1 and score.value == best.score(head.name).value:
            standing = "best"
        elif pair is not None and pair.better is None:
            standing = "tied"
        rank = "" if compared is None else compared.system(system.name).rank.replace("-", "–")
        strip = charts.strip(
            score.value,
            interval and interval[:2],
            scale,
            f"{head.name} of {system.name}: {head.digits(score.value)} {text}".rstrip(),
            strong=bool(standing) or len(result.systems) == 1,
        )
        cells[system.name] = ScoreCell(head.digits(score.value), score.value, text, rank, standing, strip)
    return cells


def intervals(result: Result, metric: str) -> dict[str, Ends]:
    """The interval of every system's score: from the comparison, or by bootstrap over its segments."""
    known = comparison_of(result, metric)
    if known is not None:
        return {system.name: (system.score.low, system.score.high, system.score.level) for system in known.systems}
    if not result.has_texts or result.size < 2:
        return {}
    ends = {system.name: if_possible(_bootstrap, result, system, metric) for system in result.systems}
    return {name: interval for name, interval in ends.items() if interval and all(map(math.isfinite, interval))}


def _bootstrap(result: Result, system: SystemResult, metric: str) -> Ends:
    definition = metric_of(system.score(metric)).definition
    sample = definition.row_summary.sample(definition, *rows_of(result, metric, [system]))
    (interval,) = bootstrap_intervals([sample])
    return interval.low, interval.high, interval.level


def draw(result: Result, metric: str, systems: Sequence[SystemResult], canvas: charts.Canvas) -> charts.Drawing:
    """The score of every system in its interval, zoomed to the scores."""
    known = intervals(result, metric)
    rows, canvas = [], canvas.of(systems[0].score(metric).signature)
    for system in systems:
        value = system.score(metric).value
        interval = known.get(system.name)
        rows.append(charts.Row(system.name, value, canvas.digits(value), interval=interval and interval[:2]))
    level = f", {100 * next(iter(known.values()))[2]:g} % intervals" if known else ""
    axis = f"{metric} ({direction(systems[0].score(metric))}{level})"
    return charts.ranges(rows, f"{metric} of the systems, with intervals", axis=axis, canvas=canvas)


def draw_tradeoff(
    result: Result, metric: str, systems: Sequence[SystemResult], canvas: charts.Canvas
) -> charts.Drawing | None:
    """The corpus scores of fidelity and fluency of every system; the lines are the medians of all systems."""
    assignment = if_possible(quadrants, result)
    if assignment is None:
        return None
    axes = assignment.fluency, assignment.fidelity
    across, upwards = (systems[0].score(axis.metric) for axis in axes)
    values = [[system.score(axis.metric).value for system in result.systems] for axis in axes]
    return charts.dots(
        {system.name: (system.score(across.metric).value, system.score(upwards.metric).value) for system in systems},
        f"{upwards.metric} against {across.metric} of the systems",
        axis=f"{across.metric} ({direction(across)})",
        value_axis=f"{upwards.metric} ({direction(upwards)})",
        backwards=(not across.higher_is_better, not upwards.higher_is_better),
        lines=(median(values[0]), median(values[1])) if len(result.systems) > 1 else None,
        digits=(canvas.digits.of(across.signature), canvas.digits.of(upwards.signature)),
        canvas=canvas,
    )
