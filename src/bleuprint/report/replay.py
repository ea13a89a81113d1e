"""What a stored result can still give: its metrics, made again from their signatures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from bleuprint.errors import BleuprintError
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.registry import from_signature
from bleuprint.results import MetricResult, Result, SystemResult

__all__ = ["if_possible", "metric_of", "ranked", "sources_for"]

Value = TypeVar("Value")
Given = ParamSpec("Given")


def ranked(result: Result, metric: str) -> list[SystemResult]:
    """The systems, best first."""
    higher = all(system.score(metric).higher_is_better for system in result.systems)
    return sorted(result.systems, key=lambda system: system.score(metric).value, reverse=higher)


def metric_of(score: MetricResult) -> Metric[Any]:
    """The metric that a score's signature describes; an error where the signature alone is not enough."""
    return from_signature(score.signature)


def sources_for(result: Result, score: MetricResult) -> tuple[str, ...] | None:
    """The sources, if the metric of the score reads them."""
    return result.sources if metric_of(score).needs_sources else None


def if_possible(compute: Callable[Given, Value], *given: Given.args, **named: Given.kwargs) -> Value | None:
    """What a function computes, or None where the result does not hold what it takes."""
    try:
        return compute(*given, **named)
    except (BleuprintError, OSError):
        return None
