"""Checks of scores against bounds that the caller gives by metric."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from bleuprint import signature
from bleuprint.errors import GateError
from bleuprint.results import MetricResult, SystemResult
from bleuprint.runners.gates.evidence import Evidence
from bleuprint.runners.gates.report import Check
from bleuprint.runners.verdicts import checked_threshold

Word = Literal["at least", "at most"]


def bound_checks(evidence: Evidence, bounds: Mapping[str, float], word: Word) -> list[Check]:
    """Check the scores of all systems against a bound by metric."""
    found = []
    for metric, bound in bounds.items():
        for system in evidence.result.systems:
            score = score_of(system, metric)
            checked_threshold("minimum" if word == "at least" else "maximum", card_names(score), bound)
            passed = score.value >= bound if word == "at least" else score.value <= bound
            rule = f"{word} {bound:g}"
            trusted = "" if evidence.covers(metric) else " (as stored)"
            verb = "which is" if passed else "but must be"
            message = f"{system.name}, {metric}: {score.value:.4f}{trusted}, {verb} {rule}"
            found.append(Check(system.name, metric, rule, "passed" if passed else "failed", message))
    return found


def score_of(system: SystemResult, metric: str) -> MetricResult:
    """The score of a system, or an error that says which it has."""
    known = [score.metric for score in system.scores]
    if metric not in known:
        raise GateError(f"the result has no {metric}: it has {', '.join(known)}")
    return system.score(metric)


def card_names(score: MetricResult) -> tuple[str, str]:
    """The names by which the card of a score can be found: its own, and that of its signature."""
    return score.metric, signature.parse(score.signature).metric
