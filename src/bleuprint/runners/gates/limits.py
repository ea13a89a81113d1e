"""What a gate is asked to hold, checked: bounds, drops and pass rates by metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bleuprint import checks
from bleuprint.errors import GateError
from bleuprint.metrics import registry
from bleuprint.metrics.base import Metric, Score
from bleuprint.results import Result
from bleuprint.runners.gates.report import UNDECIDED
from bleuprint.runners.gates.rules import RULES

ByMetric = Mapping[str, float]


class Limits(NamedTuple):
    """Numbers by the names that the metrics have in the result, however they were spelled."""

    max_drop: float | dict[str, float]
    minimum: dict[str, float]
    maximum: dict[str, float]
    min_pass_rate: dict[str, float]
    thresholds: dict[str, float]

    @property
    def bounded(self) -> set[str]:
        """The metrics whose scores are held to more than a drop."""
        return {*self.minimum, *self.maximum, *self.min_pass_rate}

    def drops(self, shared: Sequence[str], metrics: Mapping[str, Metric[Score]]) -> dict[str, float]:
        """The largest drop that is allowed for each metric that is compared; columns have no metric and any scale."""
        for name in self.max_drop if isinstance(self.max_drop, Mapping) else ():
            if name not in shared:
                raise GateError(
                    f"there is a max_drop for {name}, but only {', '.join(shared) or 'nothing'} is compared"
                )
        scales = {name: name in metrics and metrics[name].has_percent for name in shared}
        return {name: checks.difference("max_drop", self.max_drop, name, scales[name]) or 0.0 for name in shared}


def check_limits(
    new: Result,
    rule: str,
    undecided: str,
    max_drop: float | ByMetric,
    minimum: ByMetric | None,
    maximum: ByMetric | None,
    min_pass_rate: ByMetric | None,
    thresholds: ByMetric | None,
) -> Limits:
    """Refuse options that no gate takes."""
    bounds = {"minimum": minimum, "maximum": maximum, "min_pass_rate": min_pass_rate, "thresholds": thresholds}
    if isinstance(max_drop, Mapping):
        max_drop = _by_metric("max_drop", max_drop, new)
    for drop in max_drop.values() if isinstance(max_drop, Mapping) else (max_drop,):
        checks.number("max_drop", drop, 0)
    checks.choice("rule", rule, RULES)
    checks.choice("undecided", undecided, UNDECIDED)
    return Limits(max_drop, *(_by_metric(name, numbers, new) for name, numbers in bounds.items()))


def _by_metric(name: str, bounds: ByMetric | None, new: Result) -> dict[str, float]:
    checks.instance(name, bounds, Mapping | None, "a dict of numbers by metric name")
    for metric, bound in (bounds or {}).items():
        checks.instance(name, metric, str, "a dict of numbers by metric name")
        checks.instance(name, bound, int | float, "a dict of numbers by metric name")
    known = set(new.metrics)
    return {one if one in known else registry.find_name(one) or one: bound for one, bound in (bounds or {}).items()}
