"""Systems against each other: every pair as a matrix or with its interval, and two of them segment by segment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bleuprint.report import charts
from bleuprint.report.look import Look
from bleuprint.report.sections.systems.compared import Compared, Difference, comparison_of, with_comparison
from bleuprint.results import Result, SystemResult
from bleuprint.results.digits import Digits

__all__ = ["draw", "draw_matrix", "draw_versus"]


def _compared(result: Result, metric: str, systems: Sequence[SystemResult], digits: Digits) -> Compared | None:
    """The comparison that the result holds, or a new one of these systems alone."""
    known = comparison_of(result, metric, digits)
    if known is None:
        known = comparison_of(with_comparison(replace(result, systems=tuple(systems), comparison=None)), metric, digits)
    if known is None:
        return None
    names = {system.name for system in systems}
    return replace(known, pairs=tuple(pair for pair in known.pairs if {pair.first, pair.second} <= names))


def draw(result: Result, metric: str, systems: Sequence[SystemResult], look: Look) -> charts.Drawing | None:
    """The difference of every pair in its interval."""
    digits = look.digits(systems[0].score(metric))
    known = _compared(result, metric, systems, digits)
    if known is None or not known.pairs:
        return None
    names = [system.name for system in systems]
    room = ((look.width or charts.WIDTH) - charts.text_width(" against +0.0000") - 16) / 2
    short = dict(zip(names, charts.fitted(names, room), strict=True))
    rows = [
        charts.Range(
            f"{short[pair.first]} against {short[pair.second]}",
            pair.value,
            pair.low,
            pair.high,
            digits.signed(pair.value),
            strong=pair.significant,
            note=" ".join(pair.verdicts),
        )
        for pair in known.pairs
    ]
    return charts.ranges(
        rows,
        f"differences in {metric}, with intervals",
        zero=True,
        axis=f"difference in {metric}; faint: may be chance",
        digits=digits,
        width=look.width,
        height=look.height,
    )


def draw_matrix(
    result: Result, metric: str, systems: Sequence[SystemResult], look: Look, *, brush: bool = False
) -> charts.Drawing | None:
    """Every system against every other; with `brush` the page opens the pair of a cell."""
    digits = look.digits(systems[0].score(metric))
    known = _compared(result, metric, systems, digits)
    if known is None or not known.pairs:
        return None
    higher = systems[0].score(metric).higher_is_better
    cells = {}
    places = {system.name: place for place, system in enumerate(result.systems)}
    for pair in known.pairs:
        better = 0 if not pair.significant else 1 if (pair.value > 0) is higher else -1
        for first, second, sign in ((pair.first, pair.second, 1), (pair.second, pair.first, -1)):
            data = {"metric": result.metrics.index(metric), "first": places[first], "second": places[second]}
            cells[first, second] = _cell(pair, sign * better, sign * pair.value, digits, data if brush else None)
    return charts.matrix(
        [system.name for system in systems],
        cells,
        f"differences in {metric} of every two systems",
        axis=f"{metric} of the row minus that of the column",
        width=look.width,
        height=look.height,
    )


def _cell(pair: Difference, sign: int, value: float, digits: Digits, data: Mapping[str, object] | None) -> charts.Cell:
    low, high = sorted((pair.low, pair.high) if value == pair.value else (-pair.low, -pair.high))
    interval = f"({digits.signed(low)} to {digits.signed(high)})"
    return charts.Cell(sign, digits.signed(value), f"{' '.join(pair.verdicts)} {interval}", data)


def draw_versus(
    result: Result, metric: str, systems: Sequence[SystemResult], look: Look, *, brush: bool = False
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
    digits = look.digits(systems[0].score(metric))
    return charts.versus(
        first, second, label, metric=metric, digits=digits, data=data, width=look.width, height=look.height
    )
