"""Checks of single items: how many reach the threshold of a metric, and which fail that passed before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bleuprint import checks
from bleuprint.errors import GateError
from bleuprint.results import MetricResult, Result
from bleuprint.runners.gates.bounds import card_names, score_of
from bleuprint.runners.gates.pairing import Pairs
from bleuprint.runners.gates.report import Check, Outcome
from bleuprint.runners.gates.rules import Terms, format_p_value
from bleuprint.runners.verdicts import card_of, checked_threshold
from bleuprint.statistics.paired import mcnemar_p_value

_ITEMS_SHOWN = 10


def item_checks(
    result: Result,
    pairs: Pairs,
    rates: Mapping[str, float],
    thresholds: Mapping[str, float],
    terms: Terms,
) -> list[Check]:
    """Check the share of items that pass, and whether items fail that passed before."""
    for metric in thresholds:
        if metric not in rates:
            raise GateError(f"there is a threshold for {metric} but no min_pass_rate, so it decides nothing")
    before = {system.name: old for system, old in pairs}
    found = []
    for metric, rate in rates.items():
        checks.number("min_pass_rate", rate, 0, 1, allowed="a share from 0 to 1")
        for system in result.systems:
            score = score_of(system, metric)
            threshold = _threshold(score, thresholds.get(metric))
            failing = _failing(score, threshold)
            found.append(_pass_rate(result, system.name, score, failing, threshold, rate))
            old = before.get(system.name)
            if old is not None and metric in {score.metric for score in old.scores}:
                failed_before = _failing(old.score(metric), threshold)
                found.append(_new_failures(result, system.name, metric, failing, failed_before, terms))
    return found


def _threshold(score: MetricResult, given: float | None) -> float:
    if given is None:
        card = card_of(card_names(score))
        if card is None or card.default_threshold is None:
            raise GateError(f"{score.metric} has no default threshold: pass one in thresholds")
        return card.default_threshold
    return checked_threshold("thresholds", card_names(score), given)


def _failing(score: MetricResult, threshold: float) -> list[bool]:
    if not score.segments:
        raise GateError(f"the result was stored without the segment scores of {score.metric}")
    return [value < threshold if score.higher_is_better else value > threshold for value in score.segments]


def _pass_rate(
    result: Result, name: str, score: MetricResult, failing: Sequence[bool], threshold: float, rate: float
) -> Check:
    share = 1 - sum(failing) / len(failing)
    items = _names(result, [place for place, fails in enumerate(failing) if fails])
    sign = "≥" if score.higher_is_better else "≤"
    passed = len(failing) - len(items) >= rate * len(failing)
    message = (
        f"{name}, {score.metric}: {len(failing) - len(items)} of {len(failing)} items ({share:.1%}) reach "
        f"{sign} {threshold:g}, {'which is' if passed else 'but must be'} at least {rate:.1%}"
    )
    if items:
        message += f"; failing: {_enumerate(items)}"
    return Check(name, score.metric, f"pass rate at least {rate:g}", "passed" if passed else "failed", message, items)


def _new_failures(
    result: Result, name: str, metric: str, failing: Sequence[bool], before: Sequence[bool], terms: Terms
) -> Check:
    """Compare which items fail, by McNemar's exact test."""
    worse = [place for place, (now, then) in enumerate(zip(failing, before, strict=True)) if now and not then]
    better = sum(then and not now for now, then in zip(failing, before, strict=True))
    p_value = mcnemar_p_value(len(worse), better)
    items = _names(result, worse)
    message = (
        f"{name}, {metric}: newly failing items: {len(worse)}, newly passing: {better} ({format_p_value(p_value)})"
    )
    outcome: Outcome
    if len(worse) <= better:
        outcome = "passed"
    elif terms.rule == "strict" or p_value < terms.alpha:
        outcome = "failed"
    else:
        outcome = "undecided"
        message += ", which may be due to chance"
    if items:
        message += f"; new: {_enumerate(items)}"
    return Check(name, metric, "no new failures", outcome, message, items)


def _names(result: Result, places: Sequence[int]) -> tuple[str, ...]:
    return tuple(map(result.segment_name, places))


def _enumerate(items: Sequence[str]) -> str:
    more = len(items) - _ITEMS_SHOWN
    return ", ".join(items[:_ITEMS_SHOWN]) + (f" and {more} more" if more > 0 else "")
