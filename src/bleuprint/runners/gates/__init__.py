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

from collections.abc import Mapping
from typing import Any

from bleuprint import checks
from bleuprint.errors import GateError
from bleuprint.metrics.base import Metric, Score
from bleuprint.metrics.base.options import options_of
from bleuprint.results import Result
from bleuprint.runners.gates.evidence import (
    Evidence,
    Joined,
    join_items,
    pair_systems,
    recreate_metrics,
    shared_metrics,
)
from bleuprint.runners.gates.findings import (
    bound_checks,
    drop_checks,
    find_losses,
    item_checks,
    left_out_checks,
    missing_checks,
)
from bleuprint.runners.gates.report import UNDECIDED, Check, GateReport, Undecided
from bleuprint.runners.gates.rules import BASELINE, NEW, RULES, Rule, Terms, check_limits, decide, interval_alpha
from bleuprint.runners.replaying import check_result, measure_result
from bleuprint.statistics.settings import Settings

__all__ = ["RULES", "UNDECIDED", "Check", "GateReport", "Rule", "Undecided", "decide", "gate", "interval_alpha"]


@options_of(Settings)
def gate(
    new: Result,
    baseline: Result | None = None,
    *,
    rule: Rule = "worse",
    max_drop: float | Mapping[str, float] = 0.0,
    alpha: float = 0.05,
    undecided: Undecided = "fail",
    allow_missing: bool = False,
    minimum: Mapping[str, float] | None = None,
    maximum: Mapping[str, float] | None = None,
    min_pass_rate: Mapping[str, float] | None = None,
    thresholds: Mapping[str, float] | None = None,
    metrics: Mapping[str, Metric[Score]] | None = None,
    threads: int | None = None,
    **settings: Any,
) -> GateReport:
    """Check a result against bounds per metric, and against a baseline on the same references.

    Items are matched by their ids if both results have them: what both have is compared, and the report names the rest.

    - `baseline`: a result to compare with, under every metric
    - `rule`: "strict" fails on a drop of more than `max_drop`, "worse" if it is also significant, "not-worse" unless
      the drop is shown to be within `max_drop`
    - `max_drop`: largest drop that is allowed, for all metrics or by metric name; 0 for metrics that are not named
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
    limits = check_limits(new, rule, undecided, max_drop, minimum, maximum, min_pass_rate, thresholds)
    checks.flag("allow_missing", allow_missing)
    joined: Joined = [] if baseline is None else join_items(new, baseline)
    pairs = [] if baseline is None else pair_systems(new, baseline)
    shared = [] if baseline is None else shared_metrics(new, baseline, pairs)
    recreated = recreate_metrics(new, limits.bounded, set(shared), metrics)
    terms = Terms(rule, limits.drops(shared, recreated), alpha, {**settings, "threads": threads}, undecided == "fail")
    evidence = Evidence(NEW, new, new.systems, measure_result(new, recreated, threads=threads))
    evidence.check(limits.bounded | set(shared), set(limits.min_pass_rate))
    drops = []
    if baseline is not None:
        again = {metric: recreated[metric] for metric in shared if metric in recreated}
        predecessors = [old for _, old in pairs]
        counted = measure_result(baseline, again, systems=predecessors, threads=threads)
        before = Evidence(BASELINE, baseline, predecessors, counted)
        before.check(set(shared), set(limits.min_pass_rate))
        new_places, old_places = zip(*joined, strict=True)
        common, earlier = evidence.part(new_places, again, threads), before.part(old_places, again, threads)
        left_out = left_out_checks(new, baseline, joined)
        if left_out:
            terms = terms._replace(where=f" on the {len(joined):,} items in both")
        for system, old in pairs:
            drops += drop_checks(common, earlier, (system.name, old.name), shared, recreated, terms)
        drops += left_out + missing_checks(new, baseline, allowed=allow_missing)
    found = [*bound_checks(evidence, limits.minimum, "at least"), *bound_checks(evidence, limits.maximum, "at most")]
    found += item_checks(evidence, pairs, joined, limits.min_pass_rate, limits.thresholds, terms) + drops
    if not found:
        raise GateError("there is nothing to check: pass a baseline, a minimum, a maximum or a min_pass_rate")
    return GateReport(tuple(found), undecided, () if baseline is None else find_losses(common, earlier, pairs, found))
