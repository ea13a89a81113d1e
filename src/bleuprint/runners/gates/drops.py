"""Checks against a baseline: whether a score has dropped, by the rule of the gate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.score import Score
from bleuprint.results import MetricResult, SystemResult
from bleuprint.runners.comparisons import compare_counted
from bleuprint.runners.gates.evidence import Evidence
from bleuprint.runners.gates.report import Check
from bleuprint.runners.gates.rules import BASELINE, NEW, Terms, decide, describe_change, interval_alpha, settle
from bleuprint.statistics.comparison import SampleComparison


def drop_checks(
    new: Evidence,
    old: Evidence,
    system: SystemResult,
    before: SystemResult,
    shared: Sequence[str],
    metrics: Mapping[str, Metric[Score]],
    terms: Terms,
) -> list[Check]:
    """Compare a system with its predecessor under the metrics that both results have."""
    untested = [metric for metric in shared if metric in metrics and not metrics[metric].can_resample]
    checks = [_check_untested(system.name, system.score(name), before.score(name), terms) for name in untested]
    tested = [metric for metric in shared if metric not in untested]
    if not tested:
        return checks
    computed = {metric: metrics[metric] for metric in tested if metric in metrics}
    columns = [system.score(metric) for metric in tested if metric not in metrics]
    compared = compare_counted(
        computed,
        {NEW: new.measured[system.name], BASELINE: old.measured[before.name]} if computed else {},
        columns={
            score.metric: {NEW: score.segments, BASELINE: before.score(score.metric).segments} for score in columns
        },
        lower_is_better=[score.metric for score in columns if not score.higher_is_better],
        alpha=interval_alpha(terms.rule, terms.alpha),
        **terms.settings,
    )
    return checks + [
        _check(system.name, system.score(metric), before.score(metric), compared.metric(metric), terms)
        for metric in tested
    ]


def _check(name: str, new: MetricResult, old: MetricResult, compared: SampleComparison, terms: Terms) -> Check:
    pair, better_up = compared.pair(NEW, BASELINE), new.higher_is_better
    outcome, verdict = decide(pair, compared.segments, better_up, terms.rule, terms.max_drop, terms.alpha, new.unit)
    message = f"{name}, {new.metric}: {new.value:.4f} after {old.value:.4f}: {verdict}"
    rule = f"{'drop' if better_up else 'rise'} at most {terms.max_drop:g} ({terms.rule})"
    return Check(name, new.metric, rule, outcome, message)


def _check_untested(name: str, new: MetricResult, old: MetricResult, terms: Terms) -> Check:
    """Check a metric that no resampling can test: only what needs no test is decided."""
    drop = (old.value - new.value) * (1 if new.higher_is_better else -1)
    harm, change = describe_change(drop, new.higher_is_better)
    settled = None if terms.rule == "not-worse" else settle(drop, change, terms.rule, terms.max_drop)
    reason = "which cannot be tested: every resample would have to be encoded again; rule strict needs no test"
    outcome, verdict = settled or ("undecided", f"{change}, {reason}")
    message = f"{name}, {new.metric}: {new.value:.4f} after {old.value:.4f}: {verdict}"
    return Check(name, new.metric, f"{harm} at most {terms.max_drop:g} ({terms.rule})", outcome, message)
