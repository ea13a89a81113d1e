"""What a gate is asked to hold, and its rules: what a drop against the baseline means."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from statistics import NormalDist
from typing import Any, Literal, NamedTuple, get_args

from bleuprint import checks
from bleuprint.checks import reaches
from bleuprint.errors import GateError, OptionError
from bleuprint.metrics import registry
from bleuprint.metrics.base import Metric, Score
from bleuprint.metrics.base.metric import Unit
from bleuprint.results import Result
from bleuprint.runners.gates.report import UNDECIDED, Outcome, format_p_value
from bleuprint.statistics.comparison import PairComparison
from bleuprint.statistics.paired import mcnemar_p_value
from bleuprint.statistics.power import UNREACHABLE, has_spread, segments_needed
from bleuprint.statistics.settings import EXACT

Rule = Literal["strict", "worse", "not-worse"]
RULES: tuple[Rule, ...] = get_args(Rule)
_MOST_ALARMS, _LEAST_CAUGHT = 0.3, 0.4  # of a rule that is of use
BASELINE, NEW = "baseline", "new"  # the names of the two results, in comparisons and messages
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


class Terms(NamedTuple):
    """What makes a drop a failure."""

    rule: Rule
    max_drop: Mapping[str, float]  # by metric
    alpha: float
    settings: dict[str, Any]  # settings of the comparison
    undecided_fails: bool = True
    where: str = ""  # which items were compared, in messages, if not all


def decide(
    pair: PairComparison,
    size: int,
    higher_is_better: bool,
    rule: Rule,
    max_drop: float,
    alpha: float,
    unit: Unit = "segment",
    *,
    scale: float = 1.0,
    changed: bool = True,
) -> tuple[Outcome, str]:
    """Decide on the comparison of "new" with "baseline" on `size` segments by a rule, and say why.

    The interval of the difference must have the level that `interval_alpha` gives for the rule. `scale` is the size of
    the scores, as for `checks.reaches`. Two pools of texts that `changed` may show no event, such as a copy. The bound
    is then that of Clopper and Pearson for none in half of the texts, as in the interval of a pool.
    """
    sign = 1 if (pair.first == BASELINE) == higher_is_better else -1
    low, high = sorted((sign * pair.difference.low, sign * pair.difference.high))
    drop = sign * pair.difference.value
    if unit == "pool" and changed and not has_spread(pair.standard_error, drop):
        low, high = drop - (1 - alpha ** (2 / size)), drop + (1 - alpha ** (2 / size))
    needed = partial(_segments_needed, pair, size, unit)
    harm, change = describe_change(drop, higher_is_better)
    if rule == "not-worse":
        sure = f"{change}, with {100 * (1 - alpha):g} % confidence"
        bound = f"{sure} at most {high:.4f}"
        if 2.0**-size >= alpha:
            return "undecided", f"{bound}, but {size} segments cannot show it: {needed(None, alpha)}"
        if not changed and pair.samples == 1 and pair.test == EXACT:
            return "passed", f"no {harm}: no segment scores differently"
        if reaches(-high, -max_drop, scale=scale):
            return "passed", f"{bound}, not more than {max_drop:g}"
        if not reaches(-low, -max_drop, scale=scale):
            return "failed", f"{sure} at least {low:.4f}, more than {max_drop:g}"
        return "undecided", f"{bound}, more than {max_drop:g}: {needed(drop - max_drop, 2 * alpha)}"
    settled = settle(drop, change, rule, max_drop, scale=scale)
    if settled is not None:
        return settled
    if pair.better == BASELINE:
        return "failed", f"{change}, more than {max_drop:g} and significant ({format_p_value(pair.p_value)})"
    smallest = pair.smallest_p_value
    if smallest >= alpha:
        reason = (
            f"no p-value below {alpha:g} is possible with so few changed segments ({format_p_value(smallest)} at best)"
        )
    else:
        reason = f"which may be due to chance ({format_p_value(pair.p_value)})"
    return "undecided", f"{change}, more than {max_drop:g}, {reason}: {needed(drop, alpha)}"


def describe_change(drop: float, higher_is_better: bool) -> tuple[str, str]:
    """What a change for the worse is called, and how large this one is."""
    harm = "drop" if higher_is_better else "rise"
    return harm, f"a {harm} of {drop:.4f}" if drop > 0 else f"no {harm}"


def describe_rule(higher_is_better: bool, max_drop: float, rule: Rule) -> str:
    """What a check of a drop asks for."""
    return f"{'drop' if higher_is_better else 'rise'} at most {max_drop:g} ({rule})"


def settle(drop: float, change: str, rule: Rule, max_drop: float, *, scale: float) -> tuple[Outcome, str] | None:
    """The outcome of a rule that needs no test for a drop of this size; None if it needs one."""
    if drop <= 0:
        return "passed", change
    if reaches(-drop, -max_drop, scale=scale):
        return "passed", f"{change}, not more than {max_drop:g}"
    return ("failed", f"{change}, more than {max_drop:g}") if rule == "strict" else None


def decide_flips(worse: int, better: int, rule: Rule, alpha: float) -> tuple[Outcome, float]:
    """Decide on items of which so many fail that passed before, and so many the other way round; also the p-value.

    >>> decide_flips(3, 1, "worse", 0.05), decide_flips(9, 1, "worse", 0.05)
    (('undecided', 0.625), ('failed', 0.021484375))
    """
    p_value = mcnemar_p_value(worse, better)
    if worse <= better:
        return "passed", p_value
    return "failed" if rule == "strict" or p_value < alpha else "undecided", p_value


def stop_rate(
    drop: float, error: float, rule: Rule, max_drop: float, alpha: float, *, undecided_fails: bool = True
) -> float:
    """How often a rule stops a release with this true drop, if estimates are normal with this standard error.

    >>> round(stop_rate(0.0, 0.01, "worse", 0.0, 0.05), 3), round(stop_rate(0.0, 0.01, "not-worse", 0.02, 0.05), 3)
    (0.5, 0.361)
    """
    limit = stopping_drop(error, rule, max_drop, alpha, undecided_fails=undecided_fails)
    return NormalDist().cdf((drop - limit) / error) if error > 0 else float(drop > limit)


def stopping_drop(error: float, rule: Rule, max_drop: float, alpha: float, *, undecided_fails: bool = True) -> float:
    """The drop between two scores beyond which a rule stops a release, if differences are normal with this error.

    >>> round(stopping_drop(0.01, "not-worse", 0.02, 0.05), 4)
    0.0036
    """
    if rule == "not-worse":
        margin = NormalDist().inv_cdf(1 - alpha) * error
        return max_drop - margin if undecided_fails else max_drop + margin
    tested = rule == "worse" and not undecided_fails
    return max(max_drop, NormalDist().inv_cdf(1 - alpha / 2) * error if tested else 0.0)


def find_doubt(error: float, score: float, rule: Rule, max_drop: float, alpha: float, *, undecided_fails: bool) -> str:
    """Why a rule is of no use on these items, in words; empty if it is of use.

    >>> find_doubt(0.01, 0.3, "worse", 0.0, 0.05, undecided_fails=True)
    'stops about 50 % of harmless releases that change as much as this one'
    >>> find_doubt(0.01, 0.3, "worse", 0.0, 0.05, undecided_fails=False)
    'misses about 68 % of drops of 0.0150'
    """
    drop = max(abs(score) / 20, 2 * max_drop)
    alarms, caught = (
        stop_rate(true, error, rule, max_drop, alpha, undecided_fails=undecided_fails) for true in (0.0, drop)
    )
    if error > 0 and alarms >= _MOST_ALARMS:
        return f"stops about {100 * alarms:.0f} % of harmless releases that change as much as this one"
    if error > 0 and caught <= _LEAST_CAUGHT:
        return f"misses about {100 * (1 - caught):.0f} % of drops of {drop:.4f}"
    return ""


def interval_alpha(rule: Rule, alpha: float) -> float:
    """The alpha of the two-sided interval that a rule needs; a one-sided bound leaves alpha on one side only."""
    if rule == "not-worse" and not 0 < alpha < 0.5:
        raise OptionError("alpha", "between 0 and 0.5 with rule not-worse", alpha)
    return 2 * alpha if rule == "not-worse" else alpha


def _segments_needed(pair: PairComparison, size: int, unit: Unit, difference: float | None, alpha: float) -> str:
    """Say how many segments would decide, if those to come are like these; None asks for a possible verdict only.

    A pool metric is another number for a pool of another size, so nobody can say how many texts would decide.
    """
    if unit == "pool":
        return "a larger test set may decide it"
    if pair.test == EXACT and pair.samples > 1:
        changed = math.log2(pair.samples)
        fewest = math.ceil(size * (math.floor(math.log2(2 / alpha)) + 1) / changed)
    else:
        fewest = math.floor(math.log2(1 / alpha)) + 1
    if difference is not None:
        if not has_spread(pair.standard_error, difference) and -1 < difference < 0:
            reach = math.ceil(math.log(alpha / 2) / math.log1p(difference))  # without a change, see `small_samples`
        else:
            reach = segments_needed(pair.standard_error, size, difference, alpha=alpha) if difference else UNREACHABLE
        if reach >= UNREACHABLE:
            return "no number of segments would decide it"
        fewest = max(fewest, reach)
    return f"about {max(fewest, size + 1):,} segments are needed, this is {size:,}"
