"""Gates: decide whether a new result is good enough.

Every check has one of three outcomes: passed, failed, or undecided. A bound fails if a score is beyond it. A comparison
with a baseline follows one of three rules:

- strict: any drop of more than `max_drop` fails.
- worse: a drop of more than `max_drop` fails if it is significant; otherwise it is undecided.
- not-worse: passes if the one-sided confidence bound of the drop is within `max_drop` (non-inferiority), fails if the
  whole interval is beyond it, and is undecided in between.

Undecided means that there is too little data for an answer, so it fails the gate unless the caller decides otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, NamedTuple, get_args

from bleuprint import checks, signature
from bleuprint.core.columns import Corpus
from bleuprint.errors import BleuprintError, GateError, OptionError
from bleuprint.metrics import from_signature
from bleuprint.metrics.base.metric import Metric, Unit
from bleuprint.metrics.base.options import options_of
from bleuprint.metrics.base.score import Measured
from bleuprint.results import MetricResult, Result, SystemResult
from bleuprint.results.display import Cell, Displayed, DisplayTable, words
from bleuprint.results.escaping import markdown_text, visible, xml_text
from bleuprint.runners.comparisons import compare
from bleuprint.runners.evaluation import measure
from bleuprint.runners.replaying import check_result, metric_for, metrics_of
from bleuprint.runners.verdicts import card_of, checked_threshold
from bleuprint.statistics.comparison import PairComparison
from bleuprint.statistics.exact_mean import ExactMean
from bleuprint.statistics.power import segments_needed
from bleuprint.statistics.settings import EXACT, Settings

__all__ = [
    "RULES",
    "UNDECIDED",
    "Check",
    "GateReport",
    "Rule",
    "Undecided",
    "decide",
    "gate",
    "interval_alpha",
    "mcnemar_p_value",
]

Outcome = Literal["passed", "failed", "undecided"]
Rule = Literal["strict", "worse", "not-worse"]
Undecided = Literal["fail", "warn", "pass"]
RULES: tuple[Rule, ...] = get_args(Rule)
UNDECIDED: tuple[Undecided, ...] = get_args(Undecided)

_OLD, _NEW = "baseline", "new"
_ITEMS_SHOWN = 10
_SAME_SCORE = 1e-6  # between platforms, a score only differs in its last bits


@dataclass(frozen=True, slots=True)
class Check:
    """One check and its outcome."""

    system: str
    metric: str
    rule: str
    outcome: Outcome
    message: str
    items: tuple[str, ...] = ()  # ids or numbers of the items that fail

    @property
    def passed(self) -> bool:
        return self.outcome == "passed"


_MARKS = {"passed": "ok  ", "failed": "FAIL", "undecided": "UNDECIDED"}
_SIGNS = {"passed": "✅", "failed": "❌", "undecided": "❔"}


@dataclass(frozen=True, slots=True, repr=False)
class GateReport(Displayed):
    """All checks; the gate passes if every one of them does, or is undecided where `undecided` is not "fail"."""

    checks: tuple[Check, ...]
    undecided: Undecided = "fail"

    @property
    def passed(self) -> bool:
        return not any(map(self._stops, self.checks))

    @property
    def undecided_checks(self) -> tuple[Check, ...]:
        """The checks that had too little data."""
        return tuple(check for check in self.checks if check.outcome == "undecided")

    def _stops(self, check: Check) -> bool:
        return check.outcome == "failed" or (check.outcome == "undecided" and self.undecided == "fail")

    def _outcome(self) -> str:
        open_ones = len(self.undecided_checks)
        aside = f" ({open_ones} undecided)" if open_ones else ""
        if self.passed:
            return f"gate passed{aside}"
        return f"gate failed: {sum(map(self._stops, self.checks))} of {len(self.checks)} checks{aside}"

    def display(self, *, percent: bool = False) -> tuple[DisplayTable, ...]:
        """The checks as a table."""
        tones: dict[Outcome, Literal["", "good", "bad"]] = {"passed": "good", "failed": "bad", "undecided": ""}
        rows = tuple(
            (
                Cell(check.outcome, tone=tones[check.outcome]),
                *words(check.system, check.metric, check.rule, check.message),
            )
            for check in self.checks
        )
        header = ("outcome", "system", "metric", "rule", "message")
        return (DisplayTable(header, rows, caption=self._outcome(), words=frozenset(range(5)), label="gate"),)

    def __repr__(self) -> str:
        return f"<GateReport of {len(self.checks)} checks: {self._outcome()}>"

    def pretty(self, *, percent: bool = False) -> str:  # type: ignore[override]
        """One line per check, then the outcome; `percent` changes nothing, because rules are given as fractions."""
        lines = (f"{_MARKS[check.outcome]}  {visible(check.message)}" for check in self.checks)
        return "\n".join([*lines, self._outcome()])

    def to_markdown(self, *, percent: bool = False) -> str:  # type: ignore[override]
        """A summary in Markdown, for a pull request or a CI job; `percent` changes nothing, as in `pretty`."""
        title = "## Gate passed" if self.passed else "## Gate failed"
        rows = []
        for check in self.checks:
            cells = map(markdown_text, (check.system, check.metric, check.message))
            rows.append(f"| {_SIGNS[check.outcome]} | {' | '.join(cells)} |")
        lines = [title, "", "| | system | metric | |", "|---|---|---|---|", *rows]
        if self.undecided_checks:
            consequence = "counts as failed" if self.undecided == "fail" else "does not fail this gate"
            lines += ["", f"❔ undecided: too little data for an answer, which {consequence}."]
        return "\n".join(lines) + "\n"

    def to_junit(self) -> str:
        """The checks as test cases in JUnit XML; an undecided check is a failure of that type, or skipped."""
        failed = sum(map(self._stops, self.checks))
        skipped = 0 if self.undecided == "fail" else len(self.undecided_checks)
        cases = "".join(_test_case(check, stops=self._stops(check)) for check in self.checks)
        counts = f'tests="{len(self.checks)}" failures="{failed}" errors="0" skipped="{skipped}"'
        return (
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            f'<testsuites><testsuite name="bleuprint gate" {counts}>\n{cases}</testsuite></testsuites>\n'
        )


class _Rules(NamedTuple):
    """What makes a drop a failure."""

    rule: Rule
    max_drop: float
    alpha: float
    settings: dict[str, Any]  # settings of the comparison


@options_of(Settings)
def gate(
    new: Result,
    baseline: Result | None = None,
    *,
    rule: Rule = "worse",
    max_drop: float = 0.0,
    alpha: float = 0.05,
    undecided: Undecided = "fail",
    allow_missing: bool = False,
    minimum: Mapping[str, float] | None = None,
    maximum: Mapping[str, float] | None = None,
    min_pass_rate: Mapping[str, float] | None = None,
    thresholds: Mapping[str, float] | None = None,
    metrics: Mapping[str, Metric[Any]] | None = None,
    threads: int | None = None,
    **settings: Any,
) -> GateReport:
    """Check a result against bounds per metric, and against a baseline on the same references.

    - `baseline`: a result to compare with, under every metric
    - `rule`: "strict" fails on a drop of more than `max_drop`, "worse" if it is also significant, "not-worse" unless
      the drop is shown to be within `max_drop`
    - `max_drop`: largest drop that is allowed
    - `alpha`: significance level
    - `undecided`: whether checks with too little data "fail", "warn" or "pass"
    - `allow_missing`: accept systems and metrics that only one of the results has
    - `minimum`, `maximum`: bounds by metric name
    - `min_pass_rate`: share of items that must reach the metric's threshold, by metric name
    - `thresholds`: thresholds by metric name, in place of the default on the metric's card
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
    check_result(new, metrics)
    if baseline is not None:
        check_result(baseline, None)
    for name, bounds in (("minimum", minimum), ("maximum", maximum)):
        checks.typed(name, bounds, Mapping | None, "a dict of numbers by metric name")
        for bound in (bounds or {}).values():
            checks.typed(name, bound, int | float, "a dict of numbers by metric name")
    checks.number("max_drop", max_drop, 0)
    checks.choice("rule", rule, RULES)
    checks.choice("undecided", undecided, UNDECIDED)
    rates = min_pass_rate or {}
    again = _check_totals(_NEW, new, {*(minimum or {}), *(maximum or {}), *rates}, metrics, threads)
    _check_segments(_NEW, new, set(rates), metrics, threads)
    found = [*_bounds(new, minimum or {}, "at least", again), *_bounds(new, maximum or {}, "at most", again)]
    rules = _Rules(rule, max_drop, alpha, {**settings, "threads": threads})
    if baseline is not None:
        baseline = _in_step(new, baseline)
        _check_segments(_OLD, baseline, set(rates), metrics, threads)
    pairs = [] if baseline is None else _pairs(new, baseline)
    found += _items(new, pairs, rates, thresholds or {}, rules)
    if baseline is not None:
        recreated = metrics_of(new, metrics)
        found += [check for pair in pairs for check in _drops(new, *pair, recreated, rules)]
        found += _missing(new, baseline, allowed=allow_missing)
    if not found:
        raise GateError("there is nothing to check: pass a baseline, a minimum, a maximum or a min_pass_rate")
    return GateReport(tuple(found), undecided)


def _score(system: SystemResult, metric: str) -> MetricResult:
    known = [score.metric for score in system.scores]
    if metric not in known:
        raise GateError(f"the result has no {metric}: it has {', '.join(known)}")
    return system.score(metric)


def _check_totals(
    name: str, result: Result, names: Set[str], given: Mapping[str, Metric[Any]] | None, threads: int | None
) -> set[str]:
    """Compute the scores of these metrics again, and refuse a result that stores others; return what could be computed.

    A result without texts, or a metric that its signature cannot recreate, leaves nothing to compute from.
    """
    for system in result.systems:
        for score in system.scores:
            if score.metric in names and score.is_column and score.segments:
                _check_value(name, score, ExactMean().add(list(score.segments)).value)
    metrics = _recreated(result, names, lambda score: metric_for(score, given), given)
    for system, label, measured in _measured(result, metrics, threads):
        _check_value(name, system.score(label), float(measured.score.value))
    scores = (score for system in result.systems[:1] for score in system.scores)
    return {*metrics, *(score.metric for score in scores if score.is_column and score.segments)}


def _check_segments(
    name: str, result: Result, names: Set[str], given: Mapping[str, Metric[Any]] | None, threads: int | None
) -> None:
    """Compute the scores of the segments again, and refuse a result that stores others."""

    def metric_of(score: MetricResult) -> Metric[Any]:
        return (given or {}).get(score.metric) or from_signature(score.segment_signature)

    metrics = _recreated(result, names, metric_of, given)
    for system, label, measured in _measured(result, metrics, threads):
        for place, (stored, computed) in enumerate(zip(system.score(label).segments, measured.segments, strict=False)):
            if not math.isclose(stored, computed, rel_tol=_SAME_SCORE, abs_tol=_SAME_SCORE):
                segment = f"{result.segment_name(place)} in the {name} result"
                raise GateError(
                    f"the {label} of {segment} is stored as {stored:.4f}, but its text scores {computed:.4f}"
                )


def _recreated(
    result: Result,
    names: Set[str],
    metric_of: Callable[[MetricResult], Metric[Any]],
    given: Mapping[str, Metric[Any]] | None,
) -> dict[str, Metric[Any]]:
    """Those of the named metrics that can score the texts of the result again."""
    recreated = {}
    for score in (score for system in result.systems[:1] for score in system.scores):
        if result.has_texts and score.metric in names and not score.is_column:
            try:
                recreated[score.metric] = metric_of(score)
            except BleuprintError:
                if score.metric in (given or {}):
                    raise
    return recreated


def _measured(
    result: Result, metrics: Mapping[str, Metric[Any]], threads: int | None
) -> Iterator[tuple[SystemResult, str, Measured[Any]]]:
    if not metrics:
        return
    texts = {system.name: system.hypotheses for system in result.systems}
    measured = measure(
        metrics, Corpus.of_systems(texts, result.references or None, result.sources), store=None, threads=threads
    )
    for system in result.systems:
        for label in metrics:
            yield system, label, measured[system.name][label]


def _bounds(result: Result, bounds: Mapping[str, float], word: str, again: Set[str]) -> list[Check]:
    found = []
    for metric, bound in bounds.items():
        for system in result.systems:
            score = _score(system, metric)
            checked_threshold("minimum" if word == "at least" else "maximum", _card_names(score), bound)
            passed = score.value >= bound if word == "at least" else score.value <= bound
            rule = f"{word} {bound:g}"
            trusted = "" if metric in again else " (as stored)"
            verb = "which is" if passed else "but must be"
            message = f"{system.name}, {metric}: {score.value:.4f}{trusted}, {verb} {rule}"
            found.append(Check(system.name, metric, rule, "passed" if passed else "failed", message))
    return found


def _card_names(score: MetricResult) -> tuple[str, str]:
    """The names by which the card of a score can be found: its own, and that of its signature."""
    return score.metric, signature.parse(score.signature).metric


def _items(
    result: Result,
    pairs: Sequence[tuple[SystemResult, SystemResult]],
    rates: Mapping[str, float],
    thresholds: Mapping[str, float],
    rules: _Rules,
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
            score = _score(system, metric)
            threshold = _threshold(score, thresholds.get(metric))
            failing = _failing(score, threshold)
            found.append(_pass_rate(result, system.name, score, failing, threshold, rate))
            old = before.get(system.name)
            if old is not None and metric in {score.metric for score in old.scores}:
                _check_definition(score, old.score(metric))
                failed_before = _failing(old.score(metric), threshold)
                found.append(_new_failures(result, system.name, metric, failing, failed_before, rules))
    return found


def _threshold(score: MetricResult, given: float | None) -> float:
    if given is None:
        card = card_of(_card_names(score))
        if card is None or card.default_threshold is None:
            raise GateError(f"{score.metric} has no default threshold: pass one in thresholds")
        return card.default_threshold
    return checked_threshold("thresholds", _card_names(score), given)


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
        message += f"; failing: {_listed(items)}"
    return Check(name, score.metric, f"pass rate at least {rate:g}", "passed" if passed else "failed", message, items)


def _new_failures(
    result: Result, name: str, metric: str, failing: Sequence[bool], before: Sequence[bool], rules: _Rules
) -> Check:
    """Compare which items fail, by McNemar's exact test.

    McNemar (1947): Note on the sampling error of the difference between correlated proportions. Psychometrika 12.
    """
    worse = [place for place, (now, then) in enumerate(zip(failing, before, strict=True)) if now and not then]
    better = sum(then and not now for now, then in zip(failing, before, strict=True))
    p_value = mcnemar_p_value(len(worse), better)
    items = _names(result, worse)
    message = f"{name}, {metric}: newly failing items: {len(worse)}, newly passing: {better} ({_p(p_value)})"
    outcome: Outcome
    if len(worse) <= better:
        outcome = "passed"
    elif rules.rule == "strict" or p_value < rules.alpha:
        outcome = "failed"
    else:
        outcome = "undecided"
        message += ", which may be due to chance"
    if items:
        message += f"; new: {_listed(items)}"
    return Check(name, metric, "no new failures", outcome, message, items)


def mcnemar_p_value(worse: int, better: int) -> float:
    """The two-sided p-value of McNemar's exact test: both directions are equally likely.

    >>> mcnemar_p_value(8, 1)
    0.0390625
    """
    changed = worse + better
    tail = sum(math.comb(changed, count) for count in range(min(worse, better) + 1))
    return min(1.0, float(2 * tail / 2**changed))


def _names(result: Result, places: Sequence[int]) -> tuple[str, ...]:
    return tuple(map(result.segment_name, places))


def _listed(items: Sequence[str]) -> str:
    more = len(items) - _ITEMS_SHOWN
    return ", ".join(items[:_ITEMS_SHOWN]) + (f" and {more} more" if more > 0 else "")


def _missing(new: Result, baseline: Result, *, allowed: bool) -> list[Check]:
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


def _pairs(new: Result, baseline: Result) -> list[tuple[SystemResult, SystemResult]]:
    """Each new system with its predecessor: the only one, or the one of the same name."""
    if len(new.systems) == len(baseline.systems) == 1:
        return [(new.systems[0], baseline.systems[0])]
    old = {system.name: system for system in baseline.systems}
    pairs = [(system, old[system.name]) for system in new.systems if system.name in old]
    if not pairs:
        raise GateError(f"no system of the new result is in the baseline, which has {', '.join(old)}")
    return pairs


def _in_step(new: Result, baseline: Result) -> Result:
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
    untested = [score for score in shared if score.metric in metrics and not metrics[score.metric].can_resample]
    found = [_drop_untested(result, system, before, metrics[score.metric], score, rules) for score in untested]
    shared = [score for score in shared if score not in untested]
    if not shared:
        return found
    computed = {score.metric: metrics[score.metric] for score in shared if score.metric in metrics}
    compared = compare(
        {_NEW: system.hypotheses, _OLD: before.hypotheses} if computed else None,
        (result.references or None) if computed else None,
        metrics=computed,
        columns={
            score.metric: {_NEW: score.segments, _OLD: before.score(score.metric).segments}
            for score in shared
            if score.metric not in metrics
        },
        lower_is_better=[s.metric for s in shared if s.metric not in metrics and not s.higher_is_better],
        sources=result.sources,
        alpha=interval_alpha(rules.rule, rules.alpha),
        **rules.settings,
    )
    for score in shared:
        old, measured = before.score(score.metric), compared.metric(score.metric)
        for name, stored in ((_NEW, score), (_OLD, old)):
            _check_value(name, stored, measured.system(name).value)
        pair = measured.pair(_NEW, _OLD)
        found.append(_drop(system.name, score, old, pair, measured.segments, rules))
    return found


def _drop_untested(
    result: Result,
    system: SystemResult,
    before: SystemResult,
    metric: Metric[Any],
    new: MetricResult,
    rules: _Rules,
) -> Check:
    """Check a metric that no resampling can test: only what needs no test is decided."""
    old, harm = before.score(new.metric), "drop" if new.higher_is_better else "rise"
    for name, texts, stored in ((_NEW, system.hypotheses, new), (_OLD, before.hypotheses, old)):
        references = result.references if metric.needs_references else None
        _check_value(name, stored, metric.corpus(texts, references).value)
    drop = (old.value - new.value) * (1 if new.higher_is_better else -1)
    change = f"a {harm} of {drop:.4f}" if drop > 0 else f"no {harm}"
    outcome: Outcome = "passed" if drop <= rules.max_drop else "failed" if rules.rule == "strict" else "undecided"
    verdict = change if drop <= 0 else f"{change}, {'not ' * (outcome == 'passed')}more than {rules.max_drop:g}"
    if rules.rule == "not-worse" or outcome == "undecided":
        outcome = "undecided"
        verdict += ", which cannot be tested: every resample would have to be encoded again; rule strict needs no test"
    message = f"{system.name}, {new.metric}: {new.value:.4f} after {old.value:.4f}: {verdict}"
    return Check(system.name, new.metric, f"{harm} at most {rules.max_drop:g} ({rules.rule})", outcome, message)


def _check_value(name: str, stored: MetricResult, computed: float) -> None:
    if not math.isclose(stored.value, computed, rel_tol=_SAME_SCORE, abs_tol=_SAME_SCORE):
        source = "the mean of its segments is" if stored.is_column else "its texts score"
        raise GateError(
            f"the {stored.metric} of the {name} result is stored as {stored.value:.4f}, but {source} {computed:.4f}"
        )


def _check_definition(new: MetricResult, old: MetricResult) -> None:
    mine, theirs = signature.parse(new.signature), signature.parse(old.signature)
    if mine[:3] != theirs[:3]:
        options = {**theirs.options, **mine.options}
        changed = [name for name in options if mine.options.get(name) != theirs.options.get(name)]
        raise GateError(f"{new.metric} has other options in the baseline ({', '.join(changed) or 'its version'})")


def _drop(name: str, new: MetricResult, old: MetricResult, pair: PairComparison, size: int, rules: _Rules) -> Check:
    outcome, verdict = decide(pair, size, new.higher_is_better, rules.rule, rules.max_drop, rules.alpha, new.unit)
    harm = "drop" if new.higher_is_better else "rise"
    message = f"{name}, {new.metric}: {new.value:.4f} after {old.value:.4f}: {verdict}"
    return Check(name, new.metric, f"{harm} at most {rules.max_drop:g} ({rules.rule})", outcome, message)


def decide(
    pair: PairComparison,
    size: int,
    higher_is_better: bool,
    rule: Rule,
    max_drop: float,
    alpha: float,
    unit: Unit = "segment",
) -> tuple[Outcome, str]:
    """Decide on the comparison of "new" with "baseline" on `size` segments by a rule, and say why.

    The interval of the difference must have the level that `interval_alpha` gives for the rule.
    """
    sign = 1 if (pair.first == _OLD) == higher_is_better else -1
    low, high = sorted((sign * pair.difference.low, sign * pair.difference.high))
    drop = sign * pair.difference.value
    needed = partial(_needed, pair, size) if unit == "segment" else _needed_of_pool
    harm = "drop" if higher_is_better else "rise"
    change = f"a {harm} of {drop:.4f}" if drop > 0 else f"no {harm}"
    if rule == "not-worse":
        if pair.samples == 1 and pair.test == EXACT:
            return "passed", f"no {harm}: no segment scores differently"
        bound = f"{change}, with {1 - alpha:.0%} confidence at most {high:.4f}"
        if 2.0**-size >= alpha:
            return "undecided", f"{bound}, but {size} segments cannot show it: {needed(0.0, alpha)}"
        if high <= max_drop:
            return "passed", f"{bound}, not more than {max_drop:g}"
        if low > max_drop:
            return "failed", f"{change}, with {1 - alpha:.0%} confidence at least {low:.4f}, more than {max_drop:g}"
        return "undecided", f"{bound}, more than {max_drop:g}: {needed(drop - max_drop, 2 * alpha)}"
    if drop <= 0:
        return "passed", change
    if drop <= max_drop:
        return "passed", f"{change}, not more than {max_drop:g}"
    if rule == "strict":
        return "failed", f"{change}, more than {max_drop:g}"
    if pair.better == _OLD:
        return "failed", f"{change}, more than {max_drop:g} and significant ({_p(pair.p_value)})"
    smallest = pair.smallest_p_value
    if smallest >= alpha:
        reason = f"no p-value below {alpha:g} is possible with so few changed segments ({_p(smallest)} at best)"
    else:
        reason = f"which may be due to chance ({_p(pair.p_value)})"
    return "undecided", f"{change}, more than {max_drop:g}, {reason}: {needed(drop, alpha)}"


def interval_alpha(rule: Rule, alpha: float) -> float:
    """The alpha of the two-sided interval that a rule needs; a one-sided bound leaves alpha on one side only."""
    if rule == "not-worse" and not 0 < alpha < 0.5:
        raise OptionError("alpha", "between 0 and 0.5 with rule not-worse", alpha)
    return 2 * alpha if rule == "not-worse" else alpha


def _needed(pair: PairComparison, size: int, difference: float, alpha: float) -> str:
    """Say how many segments would decide, if those to come are like these."""
    if pair.test == EXACT and pair.samples > 1:
        changed = math.log2(pair.samples)
        fewest = math.ceil(size * (math.floor(math.log2(2 / alpha)) + 1) / changed)
    else:
        fewest = 1
    if difference:
        fewest = max(fewest, segments_needed(pair.standard_error, size, difference, alpha=alpha))
    return f"about {max(fewest, size + 1):,} segments are needed, this is {size:,}"


def _needed_of_pool(difference: float, alpha: float) -> str:
    """A pool metric is another number for a pool of another size, so nobody can say how many texts would decide."""
    return "a larger test set may decide it"


def _p(p_value: float) -> str:
    return f"p = {p_value:.4f}" if p_value >= 0.0001 else "p < 0.0001"


def _test_case(check: Check, *, stops: bool) -> str:
    name = xml_text(f"{check.metric}: {check.rule}")
    opening = f'<testcase classname="{xml_text(check.system)}" name="{name}"'
    if check.passed:
        return f"{opening}/>\n"
    message = xml_text(check.message)
    if not stops:
        return f'{opening}><skipped message="{message}"/></testcase>\n'
    return f'{opening}><failure type="{check.outcome}" message="{message}">{message}</failure></testcase>\n'
