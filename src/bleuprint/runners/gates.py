"""Gates: decide whether a new result is good enough.

A bound fails if a score is beyond it. A comparison with a baseline only fails on a drop that is both larger than
allowed and statistically significant: a tenth of a point on forty segments does not fail, and neither does a real drop
that is too small to matter.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple
from xml.sax.saxutils import escape, quoteattr

from bleuprint import signature
from bleuprint.errors import GateError, OptionError
from bleuprint.metrics.base.metric import Metric
from bleuprint.results import MetricResult, Result, SystemResult
from bleuprint.results.text_tables import markdown_text
from bleuprint.runners.comparisons import compare
from bleuprint.runners.replaying import metrics_of
from bleuprint.significance import PairComparison

__all__ = ["Check", "GateReport", "gate"]

_OLD, _NEW = "baseline", "new"


@dataclass(frozen=True, slots=True)
class Check:
    """One check and its outcome."""

    system: str
    metric: str
    rule: str
    passed: bool
    message: str


@dataclass(frozen=True, slots=True)
class GateReport:
    """All checks; the gate passes if every one of them does."""

    checks: tuple[Check, ...]

    @property
    def passed(self) -> bool:
        return all(check.passed for check in self.checks)

    def pretty(self) -> str:
        """One line per check, then the outcome."""
        lines = [f"{'ok  ' if check.passed else 'FAIL'}  {check.message}" for check in self.checks]
        failed = sum(not check.passed for check in self.checks)
        outcome = "gate passed" if self.passed else f"gate failed: {failed} of {len(self.checks)} checks"
        return "\n".join([*lines, outcome])

    def to_markdown(self) -> str:
        """A summary in Markdown, for a pull request or a CI job."""
        title = "## Gate passed" if self.passed else "## Gate failed"
        rows = []
        for check in self.checks:
            cells = map(markdown_text, (check.system, check.metric, check.message))
            rows.append(f"| {'✅' if check.passed else '❌'} | {' | '.join(cells)} |")
        return "\n".join([title, "", "| | system | metric | |", "|---|---|---|---|", *rows]) + "\n"

    def to_junit(self) -> str:
        """The checks as test cases in JUnit XML, for CI systems."""
        failed = sum(not check.passed for check in self.checks)
        cases = "".join(map(_test_case, self.checks))
        return (
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            f'<testsuites><testsuite name="bleuprint gate" tests="{len(self.checks)}" failures="{failed}" errors="0">'
            f"\n{cases}</testsuite></testsuites>\n"
        )


class _Rules(NamedTuple):
    """What makes a drop a failure."""

    max_drop: float
    settings: dict[str, Any]  # settings of the comparison


def gate(
    new: Result,
    baseline: Result | None = None,
    *,
    max_drop: float = 0.0,
    alpha: float = 0.05,
    minimum: Mapping[str, float] | None = None,
    maximum: Mapping[str, float] | None = None,
    metrics: Mapping[str, Metric[Any]] | None = None,
    threads: int | None = None,
    **settings: Any,
) -> GateReport:
    """Check a result against bounds per metric, and against a baseline on the same references.

    - `baseline`: a result to compare with, under every metric that both results have
    - `max_drop`: largest drop that is allowed even if it is significant
    - `alpha`: significance level
    - `minimum`, `maximum`: bounds by metric name
    - `metrics`: metrics that cannot be recreated from their signature, such as one with a language model
    - `settings`: as for `compare`

    >>> from bleuprint import evaluate
    >>> references = [f"the {word} sat on the mat" for word in "cat dog cow hen pig fox owl bee".split()]
    >>> good = evaluate(references, references)
    >>> worse = evaluate([text.replace("sat", "is") for text in references], references)
    >>> print(gate(worse, good, max_drop=0.005).pretty())
    FAIL  hypotheses, bleu: 0.2259 after 1.0000: a drop of 0.7741, more than 0.005 and significant (p = 0.0078)
    gate failed: 1 of 1 checks
    >>> gate(good, minimum={"bleu": 0.3}).passed
    True
    """
    if isinstance(max_drop, bool) or not isinstance(max_drop, int | float) or not max_drop >= 0:
        raise OptionError("max_drop", "a number of at least 0", max_drop)
    checks = [*_bounds(new, minimum or {}, "at least"), *_bounds(new, maximum or {}, "at most")]
    if baseline is not None:
        recreated = metrics_of(new, metrics)
        rules = _Rules(max_drop, {**settings, "alpha": alpha, "threads": threads})
        checks += [check for pair in _pairs(new, baseline) for check in _drops(new, *pair, recreated, rules)]
    if not checks:
        raise GateError("there is nothing to check: pass a baseline, a minimum or a maximum")
    return GateReport(tuple(checks))


def _bounds(result: Result, bounds: Mapping[str, float], word: str) -> list[Check]:
    checks = []
    for metric, bound in bounds.items():
        if metric not in result.metrics:
            raise GateError(f"the result has no {metric}: it has {', '.join(result.metrics)}")
        for system in result.systems:
            value = system.score(metric).value
            passed = value >= bound if word == "at least" else value <= bound
            rule = f"{word} {bound:g}"
            message = f"{system.name}, {metric}: {value:.4f}, {'which is' if passed else 'but must be'} {rule}"
            checks.append(Check(system.name, metric, rule, passed, message))
    return checks


def _pairs(new: Result, baseline: Result) -> list[tuple[SystemResult, SystemResult]]:
    """Each new system with its predecessor: the only one, or the one of the same name."""
    if not (new.has_texts and baseline.has_texts):
        raise GateError("a comparison needs the texts, but one of the results was stored without them")
    if new.digests.get("references") != baseline.digests.get("references"):
        raise GateError("the two results have different references, so their scores cannot be compared")
    if len(new.systems) == len(baseline.systems) == 1:
        return [(new.systems[0], baseline.systems[0])]
    old = {system.name: system for system in baseline.systems}
    pairs = [(system, old[system.name]) for system in new.systems if system.name in old]
    if not pairs:
        raise GateError(f"no system of the new result is in the baseline, which has {', '.join(old)}")
    return pairs


def _drops(
    result: Result,
    system: SystemResult,
    before: SystemResult,
    metrics: Mapping[str, Metric[Any]],
    rules: _Rules,
) -> list[Check]:
    known = {score.metric for score in before.scores}
    shared = [score for score in system.scores if score.metric in known]
    if not shared:
        raise GateError(f"the results have no metric in common: {', '.join(known)} against {', '.join(result.metrics)}")
    for score in shared:
        _check_definition(score, before.score(score.metric))
    compared = compare(
        {_NEW: system.hypotheses, _OLD: before.hypotheses},
        result.references,
        metrics={score.metric: metrics[score.metric] for score in shared if score.metric in metrics},
        columns={
            score.metric: {_NEW: score.segments, _OLD: before.score(score.metric).segments}
            for score in shared
            if score.metric not in metrics
        },
        lower_is_better=[s.metric for s in shared if s.metric not in metrics and not s.higher_is_better],
        sources=result.sources,
        **rules.settings,
    )
    return [
        _drop(
            system.name,
            score,
            before.score(score.metric),
            compared.metric(score.metric).pair(_NEW, _OLD),
            rules.max_drop,
        )
        for score in shared
    ]


def _check_definition(new: MetricResult, old: MetricResult) -> None:
    mine, theirs = signature.parse(new.signature), signature.parse(old.signature)
    if mine[:3] != theirs[:3]:
        options = {**theirs.options, **mine.options}
        changed = [name for name in options if mine.options.get(name) != theirs.options.get(name)]
        raise GateError(f"{new.metric} has other options in the baseline ({', '.join(changed) or 'its version'})")


def _drop(name: str, new: MetricResult, old: MetricResult, pair: PairComparison, max_drop: float) -> Check:
    drop = old.value - new.value if new.higher_is_better else new.value - old.value
    real = pair.better == _OLD
    chance = f"p = {pair.p_value:.4f}" if pair.p_value >= 0.0001 else "p < 0.0001"
    values = f"{name}, {new.metric}: {new.value:.4f} after {old.value:.4f}"
    harm = "drop" if new.higher_is_better else "rise"
    change = f"a {harm} of {drop:.4f}"
    if drop <= 0:
        message = f"{values}: no {harm}"
    elif drop <= max_drop:
        message = f"{values}: {change}, not more than {max_drop:g}"
    elif not real:
        message = f"{values}: {change}, which may be due to chance ({chance})"
    else:
        message = f"{values}: {change}, more than {max_drop:g} and significant ({chance})"
    return Check(name, new.metric, f"{harm} at most {max_drop:g}", not (drop > max_drop and real), message)


def _test_case(check: Check) -> str:
    name = quoteattr(_xml(f"{check.metric}: {check.rule}"))
    opening = f"<testcase classname={quoteattr(_xml(check.system))} name={name}"
    if check.passed:
        return f"{opening}/>\n"
    message = _xml(check.message)
    return f"{opening}><failure message={quoteattr(message)}>{escape(message)}</failure></testcase>\n"


def _xml(text: str) -> str:
    """Replace the characters that XML cannot represent even when escaped."""
    return "".join(
        c if c >= " " and not "\ud800" <= c <= "\udfff" and c not in "\ufffe\uffff" else "\ufffd" for c in text
    )
