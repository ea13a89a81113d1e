"""The comparison of the systems of a result: the one that it holds, or one made now."""

from __future__ import annotations

from dataclasses import replace

from bleuprint.metrics.base.pool import PoolFormula
from bleuprint.report.replay import if_possible, metric_of, passed_metrics
from bleuprint.results import MetricResult, Result
from bleuprint.results.comparison import Comparison, MetricComparison
from bleuprint.runners.comparisons import compare_result
from bleuprint.statistics.comparison import SampleComparison

_MOST_POOLS = 3  # systems


def with_comparison(result: Result) -> Result:
    """The result with its systems compared, if they are not yet and can be."""
    if result.comparison is not None or len(result.systems) < 2 or not result.has_texts or result.size < 2:
        return result
    entries: list[MetricComparison] = []
    signature = ""
    for score in result.systems[0].scores:  # one by one: a metric that cannot be resampled keeps no other from it
        if score.unit == "pool" and not if_possible(_is_quick, score, len(result.systems)):
            continue
        comparison = if_possible(_compare_by, result, score.metric)
        if comparison is not None:
            entries += comparison.metrics
            signature = comparison.signature
    return replace(result, comparison=Comparison(signature, tuple(entries))) if entries else result


def _is_quick(score: MetricResult, systems: int) -> bool:
    """Whether a test of a pool metric takes seconds: a thousand counts of n-grams for each of a few pairs."""
    formula: PoolFormula = metric_of(score).definition.formula
    return systems <= _MOST_POOLS and formula.is_quick


def _compare_by(result: Result, metric: str) -> Comparison | None:
    alone = [replace(system, scores=(system.score(metric),)) for system in result.systems]
    passed = {name: known for name, known in passed_metrics().items() if name == metric}
    return compare_result(replace(result, systems=tuple(alone)), metrics=passed).comparison


def comparison_of(result: Result, metric: str) -> SampleComparison | None:
    """The comparison in the result under a metric; None unless it compares all systems."""
    names = {system.name for system in result.systems}
    for entry in () if result.comparison is None else result.comparison.metrics:
        if entry.metric == metric and names == {system.name for system in entry.result.systems}:
            return entry.result
    return None
