"""The checks of a gate: scores against bounds, single items, drops against a baseline, and what only one result has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from bleuprint import signature
from bleuprint.checks import number, reaches
from bleuprint.errors import GateError
from bleuprint.metrics.base import Metric, Score
from bleuprint.results import MetricResult, Result, SystemResult
from bleuprint.results.digits import list_first
from bleuprint.runners.comparisons import compare_counted
from bleuprint.runners.gates.evidence import Evidence, Joined, Pairs
from bleuprint.runners.gates.report import Check, Loss, Outcome, format_p_value, outcome_of
from bleuprint.runners.gates.rules import (
    BASELINE,
    NEW,
    Terms,
    decide,
    decide_flips,
    describe_change,
    describe_rule,
    find_doubt,
    interval_alpha,
    settle,
)
from bleuprint.runners.verdicts import card_of, checked_threshold, meets
from bleuprint.runners.worst import word_changes, worst_places
from bleuprint.statistics.small_samples import share_ends

_LOSSES_SHOWN = 5


def bound_checks(evidence: Evidence, bounds: Mapping[str, float], word: Literal["at least", "at most"]) -> list[Check]:
    """Check the scores of all systems against a bound by metric."""
    found = []
    for metric, bound in bounds.items():
        for system in evidence.result.systems:
            score = _score_of(system, metric)
            checked_threshold("minimum" if word == "at least" else "maximum", _card_names(score), bound)
            passed = meets(score.value, bound, word == "at least")
            rule = f"{word} {bound:g}"
            trusted = "" if evidence.covers(metric) else " (as stored)"
            verdict = f"{'is' if passed else 'must be'} {rule}{trusted}"
            verb = "which is" if passed else "but must be"
            message = f"{system.name}, {metric}: {score.value:.4f}{trusted}, {verb} {rule}"
            found.append(
                Check(system.name, metric, rule, outcome_of(passed), message, verdict=verdict, now=score.value)
            )
    return found


def _score_of(system: SystemResult, metric: str) -> MetricResult:
    """The score of a system, or an error that says which it has."""
    known = [score.metric for score in system.scores]
    if metric not in known:
        raise GateError(f"the result has no {metric}: it has {', '.join(known)}")
    return system.score(metric)


def _card_names(score: MetricResult) -> tuple[str, str]:
    """The names by which the card of a score can be found: its own, and that of its signature."""
    return score.metric, signature.parse(score.signature).metric


def item_checks(
    evidence: Evidence,
    pairs: Pairs,
    joined: Joined,
    rates: Mapping[str, float],
    thresholds: Mapping[str, float],
    terms: Terms,
) -> list[Check]:
    """Check how many items reach the threshold of a metric, and whether items fail that passed before."""
    for metric in thresholds:
        if metric not in rates:
            raise GateError(
                f"the threshold for {metric} has no effect without a min_pass_rate for it: "
                f"--threshold {metric}=N needs --min-pass-rate {metric}=SHARE"
            )
    result, before = evidence.result, {system.name: old for system, old in pairs}
    found = []
    for metric, rate in rates.items():
        number("min_pass_rate", rate, 0, 1, allowed="a share from 0 to 1")
        for system in result.systems:
            score = _score_of(system, metric)
            threshold = item_threshold(score, thresholds.get(metric))
            failing = failing_items(score, threshold)
            found.append(_pass_rate(evidence, system.name, score, failing, threshold, rate))
            old = before.get(system.name)
            if old is not None and metric in {score.metric for score in old.scores}:
                failed_before = failing_items(old.score(metric), threshold)
                then_at = dict(joined)
                worst = (place for place in worst_places(score) if place in then_at)
                changes = {result.segment_name(now): (failing[now], failed_before[then_at[now]]) for now in worst}
                found.append(_new_failures(system.name, metric, changes, terms))
    return found


def item_threshold(score: MetricResult, given: float | None) -> float:
    """The score that an item must reach: the given one, or that of the metric's card."""
    if given is not None:
        return checked_threshold("thresholds", _card_names(score), given)
    card = card_of(_card_names(score))
    if card is None or card.default_threshold is None:
        raise GateError(f"{score.metric} has no default threshold: pass one in thresholds")
    return card.default_threshold


def failing_items(score: MetricResult, threshold: float) -> list[bool]:
    """Which items do not reach the threshold."""
    if not score.segments:
        raise GateError(f"the result was stored without the segment scores of {score.metric}")
    return [not meets(value, threshold, score.higher_is_better) for value in score.segments]


def _pass_rate(
    evidence: Evidence, name: str, score: MetricResult, failing: Sequence[bool], threshold: float, rate: float
) -> Check:
    items = tuple(evidence.result.segment_name(place) for place in worst_places(score) if failing[place])
    trusted = "" if evidence.covers(score.metric) else " (as stored)"
    reached = len(failing) - len(items)
    sign = "≥" if score.higher_is_better else "≤"
    passed = reaches(reached / len(failing), rate)
    low, high = (f"{100 * end:.1f}" for end in share_ends(reached, len(failing), 0.95))
    verdict = (
        f"{reached} of {len(failing)} items ({100 * reached / len(failing):.1f} %; 95 %: {low} … {high} %) reach "
        f"{sign} {threshold:g}{trusted}, {'which is' if passed else 'but must be'} at least {100 * rate:.1f} %"
    )
    if items:
        verdict += f"; worst: {list_first(items)}"
    rule, outcome = f"pass rate at least {rate:g}", outcome_of(passed)
    return Check(name, score.metric, rule, outcome, f"{name}, {score.metric}: {verdict}", items, verdict)


def _new_failures(name: str, metric: str, changes: Mapping[str, tuple[bool, bool]], terms: Terms) -> Check:
    """Compare which items fail, by McNemar's exact test; `changes` are whether each item fails now and did before."""
    items = tuple(item for item, (now, then) in changes.items() if now and not then)
    better = sum(then and not now for now, then in changes.values())
    outcome, p_value = decide_flips(len(items), better, terms.rule, terms.alpha)
    fail = "1 item fails" if len(items) == 1 else f"{len(items):,} items fail"
    verdict = f"{fail} that passed before, {better:,} the other way round ({format_p_value(p_value)})"
    if outcome == "undecided":
        verdict += ", which may be due to chance"
    if items:
        verdict += f"; worst: {list_first(items)}"
    message = f"{name}, {metric}: {verdict}"
    return Check(name, metric, "no new failures", outcome, message, items, verdict, p_value=p_value)


def drop_checks(
    new: Evidence,
    old: Evidence,
    systems: tuple[str, str],
    shared: Sequence[str],
    metrics: Mapping[str, Metric[Score]],
    terms: Terms,
) -> list[Check]:
    """Compare a system with its predecessor, both by name, under the metrics that both results have."""
    name, before = systems
    scores = {metric: (new.score(name, metric), old.score(before, metric)) for metric in shared}
    untested = [metric for metric in shared if metric in metrics and not metrics[metric].can_resample]
    outcomes = {metric: _decide_untested(*scores[metric], terms) for metric in untested}
    tested, p_values = [metric for metric in shared if metric not in untested], dict[str, float]()
    doubts = dict.fromkeys(shared, "")
    changed = new.result.system(name).hypotheses != old.result.system(before).hypotheses
    if tested:
        computed = {metric: metrics[metric] for metric in tested if metric in metrics}
        columns = {metric: scores[metric] for metric in tested if metric not in metrics}
        compared = compare_counted(
            computed,
            {NEW: new.measured[name], BASELINE: old.measured[before]} if computed else {},
            columns={metric: {NEW: now.segments, BASELINE: then.segments} for metric, (now, then) in columns.items()},
            lower_is_better=[metric for metric, (now, _) in columns.items() if not now.higher_is_better],
            alpha=interval_alpha(terms.rule, terms.alpha),
            **terms.settings,
        )
        for metric in tested:
            entry, (now, then) = compared.metric(metric), scores[metric]
            limits = terms.rule, terms.max_drop[metric], terms.alpha
            pair, scale = entry.pair(NEW, BASELINE), _scale(now, then)
            p_values[metric] = pair.p_value
            doubts[metric] = find_doubt(pair.standard_error, then.value, *limits, undecided_fails=terms.undecided_fails)
            size, higher = entry.segments, now.higher_is_better
            outcomes[metric] = decide(pair, size, higher, *limits, now.unit, scale=scale, changed=changed)
    found = []
    for metric, (outcome, verdict) in outcomes.items():
        now, then = scores[metric]
        rule = describe_rule(now.higher_is_better, terms.max_drop[metric], terms.rule)
        message = f"{name}, {metric}: {now.value:.4f} after {then.value:.4f}{terms.where}: {verdict}"
        numbers = (f"{verdict}{terms.where}", then.value, now.value, p_values.get(metric), doubts[metric])
        found.append(Check(name, metric, rule, outcome, message, (), *numbers))
    return found


def find_losses(new: Evidence, old: Evidence, pairs: Pairs, found: Sequence[Check]) -> tuple[Loss, ...]:
    """The items that lost most under the first metric that dropped too far or did not pass; none without texts."""
    predecessors = {system.name: before.name for system, before in pairs}
    is_complete = new.result.has_texts and old.result.has_texts and bool(new.result.segment_references)
    for check in sorted(found, key=lambda check: check.before is None) if is_complete else ():
        if check.passed or check.system not in predecessors or check.metric not in old.result.metrics:
            continue
        system, before = new.result.system(check.system), old.result.system(predecessors[check.system])
        now, then = system.score(check.metric).segments, before.score(check.metric).segments
        losses = []
        for place in worst_places(system.score(check.metric), then)[:_LOSSES_SHOWN] if now and then else ():
            changes = word_changes(system.hypotheses[place], new.result.references[place])[1]
            outputs = (before.hypotheses[place], system.hypotheses[place])
            item = new.result.segment_name(place)
            losses.append(Loss(item, check.metric, then[place], now[place], *outputs, tuple(changes)))
        if losses:
            return tuple(losses)
    return ()


def _decide_untested(new: MetricResult, old: MetricResult, terms: Terms) -> tuple[Outcome, str]:
    """Decide on a metric that no resampling can test: only what needs no test is decided."""
    drop = (old.value - new.value) * (1 if new.higher_is_better else -1)
    _, change = describe_change(drop, new.higher_is_better)
    limit, scale = terms.max_drop[new.metric], _scale(new, old)
    settled = None if terms.rule == "not-worse" else settle(drop, change, terms.rule, limit, scale=scale)
    reason = "which cannot be tested: every resample would have to be encoded again; rule strict needs no test"
    return settled or ("undecided", f"{change}, {reason}")


def _scale(new: MetricResult, old: MetricResult) -> float:
    """The size of the scores that a drop was computed from."""
    return max(abs(new.value), abs(old.value))


def left_out_checks(new: Result, baseline: Result, joined: Joined) -> list[Check]:
    """Name the items that only one of the results has; the others were compared."""
    sides = ((NEW, new, {place for place, _ in joined}), (BASELINE, baseline, {place for _, place in joined}))
    lone = {
        f"the {name} result": tuple(one.segment_name(place) for place in range(one.size) if place not in common)
        for name, one, common in sides
    }
    if not any(lone.values()):
        return []
    listed = [f"{len(items):,} only in {where} ({list_first(items)})" for where, items in lone.items() if items]
    message = f"{len(joined):,} items are in both results and were compared; left out: {', '.join(listed)}"
    return [Check("", "", "items in both results", "passed", message, sum(lone.values(), ()))]


def missing_checks(new: Result, baseline: Result, *, allowed: bool) -> list[Check]:
    """Name every system and metric that only one of the results has, and that was therefore not compared."""
    lone = len(new.systems) == len(baseline.systems) == 1  # these two are compared whatever their names
    sides: list[tuple[str, Result, Result]] = [("baseline", new, baseline), ("new result", baseline, new)]
    outcome: Outcome = "passed" if allowed else "failed"
    refused = "so it was not compared; pass allow_missing (--allow-missing) to accept this"
    consequence = "which is allowed" if allowed else refused
    found = []
    for where, one, other in sides:
        mine, others = ([system.name for system in result.systems] for result in (one, other))
        absent = [(name, "", "system") for name in mine if name not in others and not lone]
        absent += [("", metric, "metric") for metric in one.metrics if metric not in other.metrics]
        for system, metric, kind in absent:
            message = f"{system or metric}: this {kind} is missing in the {where}, {consequence}"
            found.append(Check(system, metric, "in both results", outcome, message))
    return found
