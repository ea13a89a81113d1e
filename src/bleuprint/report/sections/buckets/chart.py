"""Parts of the corpus, the systems side by side with intervals."""

from __future__ import annotations

from collections.abc import Sequence

from bleuprint.core.arrays import np
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.score import Score
from bleuprint.report import charts
from bleuprint.report.look import Look
from bleuprint.report.replay import if_possible, metric_of, sources_for
from bleuprint.report.sections.buckets.grouping import Grouping, groupings
from bleuprint.report.sections.segments.data import marking_of, segments_of
from bleuprint.results import Result, SystemResult
from bleuprint.statistics.intervals import bootstrap_intervals

Ends = tuple[float, float, float]  # value, low, high


def draw_grouping(
    result: Result,
    metric: str,
    systems: Sequence[SystemResult],
    grouping: Grouping,
    look: Look,
    *,
    number: int | None = None,
) -> charts.Drawing | None:
    """The score of every system in every bucket; `number` is the grouping's in the page."""
    if not result.has_texts or not systems:
        return None
    known = if_possible(_bucket_intervals, result, metric, systems, grouping)
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
    higher = systems[0].score(metric).higher_is_better
    measured = "tokens of the references" if grouping.name == "length" else grouping.name
    return charts.groups(
        parts,
        f"{metric} by {measured}",
        by=measured,
        axis=f"{metric} ({'higher' if higher else 'lower'} is better)",
        digits=look.digits(systems[0].score(metric)),
        width=look.width,
        height=look.height,
    )


def _bucket_intervals(
    result: Result, metric: str, systems: Sequence[SystemResult], grouping: Grouping
) -> dict[str, list[Ends]]:
    """The corpus score of every bucket with its bootstrap interval; one segment alone has no interval."""
    measured: Metric[Score] = metric_of(systems[0].score(metric))
    definition, sources = measured.definition, sources_for(result, systems[0].score(metric))
    rows = [measured.statistics(system.hypotheses, result.references, sources=sources).rows for system in systems]
    numbers = np.asarray(grouping.of)
    buckets = []
    for place in range(len(grouping.labels)):
        chosen = numbers == place
        parts = [all_rows[chosen] for all_rows in rows]
        ends = [(value, value, value) for value in map(float, map(definition.value_of, parts))]
        if np.count_nonzero(chosen) > 1:
            intervals = bootstrap_intervals([definition.row_summary.sample(definition, part) for part in parts])
            ends = [(value, found.low, found.high) for (value, _, _), found in zip(ends, intervals, strict=True)]
        buckets.append(ends)
    by_system = zip(systems, zip(*buckets, strict=True), strict=True)
    return {system.name: list(ends) for system, ends in by_system if np.isfinite(ends).all()}


def draw(result: Result, metric: str, systems: Sequence[SystemResult], look: Look) -> charts.Drawing | None:
    """The scores by the length of the references."""
    if not result.has_texts or not result.size:
        return None
    lengths = segments_of(result, marking_of(result)).lengths
    return draw_grouping(result, metric, systems, groupings(lengths, {})[0], look)
