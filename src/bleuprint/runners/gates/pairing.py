"""A result and its baseline: which systems, segments and metrics belong together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bleuprint import signature
from bleuprint.errors import GateError
from bleuprint.results import MetricResult, Result, SystemResult
from bleuprint.runners.gates.report import Check, Outcome

Pairs = Sequence[tuple[SystemResult, SystemResult]]  # each new system with its predecessor


def align_baseline(new: Result, baseline: Result) -> Result:
    """The baseline with its segments in the order of the new result; raises an error if they are not the same."""
    if new.has_texts and baseline.has_texts:
        if new.digests.get("references") != baseline.digests.get("references"):
            raise GateError("the two results have different references, so their scores cannot be compared")
        return baseline
    for score in (score for system in new.systems[:1] for score in system.scores):
        if score.metric in baseline.metrics and not (score.is_column and score.segments):
            raise GateError(f"comparing {score.metric} needs the texts, but one of the results was stored without them")
    if new.size != baseline.size:
        raise GateError(f"the new result has {new.size:,} segments, but the baseline has {baseline.size:,}")
    if new.ids is None or baseline.ids is None or new.ids == baseline.ids:
        return baseline
    places = {name: place for place, name in enumerate(baseline.ids)}
    for name in new.ids:
        if name not in places:
            raise GateError(f"segment {name} of the new result is not in the baseline, so they cannot be compared")
    order = [places[name] for name in new.ids]

    def ordered(score: MetricResult) -> MetricResult:
        return replace(score, segments=tuple(score.segments[place] for place in order) if score.segments else ())

    systems = (replace(system, scores=tuple(map(ordered, system.scores))) for system in baseline.systems)
    return replace(baseline, systems=tuple(systems), ids=new.ids)


def pair_systems(new: Result, baseline: Result) -> list[tuple[SystemResult, SystemResult]]:
    """Each new system with its predecessor: the only one, or the one of the same name."""
    if len(new.systems) == len(baseline.systems) == 1:
        return [(new.systems[0], baseline.systems[0])]
    old = {system.name: system for system in baseline.systems}
    pairs = [(system, old[system.name]) for system in new.systems if system.name in old]
    if not pairs:
        raise GateError(f"no system of the new result is in the baseline, which has {', '.join(old)}")
    return pairs


def shared_metrics(new: Result, baseline: Result, pairs: Pairs) -> list[str]:
    """The metrics of both results, which must be at least one, with the same options."""
    shared = [metric for metric in new.metrics if metric in baseline.metrics]
    if not shared:
        raise GateError(
            f"the results have no metric in common: {', '.join(baseline.metrics)} against {', '.join(new.metrics)}"
        )
    for system, before in pairs:
        for metric in shared:
            _check_definition(system.score(metric), before.score(metric))
    return shared


def _check_definition(new: MetricResult, old: MetricResult) -> None:
    mine, theirs = signature.parse(new.signature), signature.parse(old.signature)
    if mine[:3] != theirs[:3]:
        options = {**theirs.options, **mine.options}
        changed = [name for name in options if mine.options.get(name) != theirs.options.get(name)]
        raise GateError(f"{new.metric} has other options in the baseline ({', '.join(changed) or 'its version'})")


def missing_checks(new: Result, baseline: Result, *, allowed: bool) -> list[Check]:
    """Name every system and metric that only one of the results has, and that was therefore not compared."""
    lone = len(new.systems) == len(baseline.systems) == 1  # these two are compared whatever their names
    sides: list[tuple[str, Result, Result]] = [("baseline", new, baseline), ("new result", baseline, new)]
    outcome: Outcome = "passed" if allowed else "failed"
    refused = "so it was not compared; pass allow_missing (--allow-missing) to accept this"
    consequence = "which is allowed" if allowed else refused
    found = []
    for where, one, other in sides:
        others = {system.name for system in other.systems}
        for system in () if lone else one.systems:
            if system.name not in others:
                message = f"{system.name}: this system is missing in the {where}, {consequence}"
                found.append(Check(system.name, "", "in both results", outcome, message))
        for metric in one.metrics:
            if metric not in other.metrics:
                message = f"{metric}: this metric is missing in the {where}, {consequence}"
                found.append(Check("", metric, "in both results", outcome, message))
    return found
