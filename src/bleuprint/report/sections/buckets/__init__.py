"""Parts of the corpus: the score of segments sorted by length, by word frequency or by any column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from bleuprint.core.arrays import np
from bleuprint.errors import LengthMismatchError
from bleuprint.insight.bucketing import ranges
from bleuprint.report import charts
from bleuprint.report.figures import direction
from bleuprint.report.replay import if_possible, metric_of, rows_of
from bleuprint.report.sections.segments.data import marking_of, segments_of
from bleuprint.results import Result, SystemResult
from bleuprint.statistics.intervals import bootstrap_intervals

if TYPE_CHECKING:
    from bleuprint.report.page import MetricHead, Page

LINK = "Parts"
_LENGTHS = (10, 20, 30, 40, 50, 60)


class Grouping(NamedTuple):
    """Segments sorted into buckets: the name of what they are sorted by, its buckets, and the bucket of each."""

    name: str
    labels: tuple[str, ...]
    of: tuple[int, ...]


def view(page: Page) -> list[tuple[str, list[tuple[MetricHead, charts.Drawing]]]]:
    """All systems side by side for every way to sort segments and every metric."""
    views, canvas = [], page.canvas(charts.BROAD)
    for number, grouping in enumerate(page.groupings):
        drawn = [
            (head, draw_grouping(page.result, head.name, page.result.systems, grouping, canvas, number=number))
            for head in page.metrics
        ]
        views.append((grouping.name, [(head, chart) for head, chart in drawn if chart is not None]))
    return [(name, drawn) for name, drawn in views if drawn]


def groupings(lengths: Sequence[int], columns: Mapping[str, Sequence[object]]) -> list[Grouping]:
    """Segments by the length of their references in tokens, and by every column."""
    ways = []
    if lengths:
        edges = (0, *_LENGTHS)
        names = [f"{low}–{high - 1}" for low, high in zip(edges, _LENGTHS, strict=False)] + [f"{_LENGTHS[-1]} and more"]
        ways.append(_grouping("length", names, [sum(length >= edge for edge in edges) - 1 for length in lengths]))
    for name, values in columns.items():
        if len(values) != len(lengths):
            raise LengthMismatchError("the segments", len(lengths), f"column {name}", len(values))
        places: dict[str, int] = {}
        of = tuple(places.setdefault(str(value), len(places)) for value in values)
        ways.append(Grouping(name, tuple(places), of))
    return ways


def by_frequency(result: Result, corpus: Sequence[str]) -> Grouping:
    """Segments by how often the rarest word of their references occurs in a corpus, such as the training data."""
    metric = metric_of(result.systems[0].scores[0])
    return _grouping("rarest word's frequency", *ranges(metric, result.references, by="frequency", corpus=corpus))


def _grouping(name: str, labels: Sequence[str], numbers: Sequence[int]) -> Grouping:
    """The grouping without empty buckets."""
    used = sorted(set(numbers))
    return Grouping(name, tuple(labels[number] for number in used), tuple(map(used.index, numbers)))


def bucket_values(result: Result, system: SystemResult, metric: str, grouping: Grouping) -> list[float]:
    """The score of every bucket, in order; empty if it cannot be told."""
    known = if_possible(_bucket_ends, result, metric, [system], grouping, intervals=False) or {}
    return [value for value, _, _ in known.get(system.name, ())]


def draw_grouping(
    result: Result,
    metric: str,
    systems: Sequence[SystemResult],
    grouping: Grouping,
    canvas: charts.Canvas,
    *,
    number: int | None = None,
) -> charts.Drawing | None:
    """The score of every system in every bucket; `number` is the grouping's in the page."""
    if not result.has_texts or not systems:
        return None
    known = if_possible(_bucket_ends, result, metric, systems, grouping)
    if not known:
        return None
    parts = [
        charts.Part(
            label,
            grouping.of.count(place),
            {name: values[place] for name, values in known.items()},
            None if number is None else {"group": number, "bucket": place},
        )
        for place, label in enumerate(grouping.labels)
    ]
    score = systems[0].score(metric)
    by = "tokens of the references" if grouping.name == "length" else grouping.name
    axis = f"{metric} ({direction(score)})"
    return charts.groups(parts, f"{metric} by {by}", by=by, axis=axis, canvas=canvas.of(score.signature))


def _bucket_ends(
    result: Result, metric: str, systems: Sequence[SystemResult], grouping: Grouping, *, intervals: bool = True
) -> dict[str, list[charts.Ends]]:
    """The corpus score of every bucket with its bootstrap interval; one segment alone has no interval."""
    definition = metric_of(systems[0].score(metric)).definition
    rows = rows_of(result, metric, systems)
    numbers = np.asarray(grouping.of)
    buckets = []
    for place in range(len(grouping.labels)):
        chosen = numbers == place
        parts = [all_rows[chosen] for all_rows in rows]
        ends = [(value, value, value) for value in map(float, map(definition.value_of, parts))]
        if intervals and np.count_nonzero(chosen) > 1:
            found = bootstrap_intervals([definition.row_summary.sample(definition, part) for part in parts])
            ends = [(value, one.low, one.high) for (value, _, _), one in zip(ends, found, strict=True)]
        buckets.append(ends)
    by_system = zip(systems, zip(*buckets, strict=True), strict=True)
    return {system.name: list(ends) for system, ends in by_system if np.isfinite(ends).all()}


def draw(result: Result, metric: str, systems: Sequence[SystemResult], canvas: charts.Canvas) -> charts.Drawing | None:
    """The scores by the length of the references."""
    if not result.has_texts or not result.size:
        return None
    lengths = segments_of(result, marking_of(result)).lengths
    return draw_grouping(result, metric, systems, groupings(lengths, {})[0], canvas)
