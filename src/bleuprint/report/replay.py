"""What a stored result can still give: its metrics, passed by the caller or made again from their signatures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import ParamSpec, TypeVar

from bleuprint.core.arrays import Integers
from bleuprint.errors import BleuprintError, OptionError
from bleuprint.metrics.base import Metric, Score
from bleuprint.results import MetricResult, Result, SystemResult
from bleuprint.runners.replaying import check_result, measure_result, metric_for

# By their names in the result. Every section draws charts on its own, so the metrics do not pass through all of them.
_PASSED: ContextVar[Mapping[str, Metric[Score]]] = ContextVar("passed", default={})  # noqa: B039  # never changed

Value = TypeVar("Value")
Given = ParamSpec("Given")


def rank_systems(result: Result, metric: str) -> list[SystemResult]:
    """The systems, best first."""
    higher = all(system.score(metric).higher_is_better for system in result.systems)
    return sorted(result.systems, key=lambda system: system.score(metric).value, reverse=higher)


@contextmanager
def using(result: Result, metrics: Mapping[str, Metric[Score]] | None) -> Iterator[None]:
    """Use these metrics of the result, as signatures only name models; an error if one is not of the result."""
    check_result(result, metrics)
    for system in result.systems:
        for score in system.scores:
            if score.metric in (metrics or {}):
                metric_for(score, metrics)
    token = _PASSED.set(metrics or {})
    try:
        yield
    finally:
        _PASSED.reset(token)


def passed_metrics() -> Mapping[str, Metric[Score]]:
    """The metrics passed by the caller."""
    return _PASSED.get()


def metric_of(score: MetricResult) -> Metric[Score]:
    """The metric that a score's signature describes; an error where the signature alone is not enough."""
    return metric_for(score, passed_metrics())


def rows_of(result: Result, metric: str, systems: Sequence[SystemResult]) -> list[Integers]:
    """The counts of each of these systems, one row per segment; only what the result no longer holds is counted."""
    counted = measure_result(result, {metric: metric_of(systems[0].score(metric))}, systems=systems)
    statistics = [counted[system.name][metric].statistics for system in systems]
    rows = [each.rows for each in statistics if each is not None]
    if len(rows) < len(systems):
        raise OptionError.because(f"{metric} has no counts that add up")
    return rows


def if_possible(compute: Callable[Given, Value], *given: Given.args, **named: Given.kwargs) -> Value | None:
    """What a function computes, or None where the result does not hold what it takes."""
    try:
        return compute(*given, **named)
    except (BleuprintError, OSError):
        return None
