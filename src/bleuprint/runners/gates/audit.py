"""Audit a gate on the user's own items: how often it stops a harmless release, and how often it catches a drop."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any, NamedTuple

from bleuprint import __version__, checks
from bleuprint.core.arrays import Floats, np
from bleuprint.core.threads import worker_count
from bleuprint.errors import GateError, InputError, LengthMismatchError, OptionError
from bleuprint.metrics.base import Metric, Score
from bleuprint.results import Result
from bleuprint.results.analysis import Analysis
from bleuprint.results.display import Cell, DisplayTable, words
from bleuprint.runners.gates.findings import item_threshold
from bleuprint.runners.gates.report import Undecided
from bleuprint.runners.gates.rules import Limits, Rule, check_limits, describe_rule, stopping_drop
from bleuprint.runners.gates.simulation import (
    Items,
    Judgement,
    PoolDrop,
    Release,
    SegmentDrop,
    SimulatedCheck,
    bound_check,
    flip_check,
    stops,
)
from bleuprint.runners.gates.sources import Sources
from bleuprint.runners.replaying import check_result
from bleuprint.statistics.chance import share_reporter
from bleuprint.statistics.rows import Sample
from bleuprint.statistics.small_samples import share_ends

_POWER = 0.8  # of catching the drop, for the number of items that are needed
_CURVE = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0)  # drops, as multiples of the one that is asked about
_MARGINS = (0.0, 0.25, 0.5, 0.75, 1.0)  # of the rules that are tried, as shares of that drop
_SIMILAR = 0.05  # a rule that catches so much more than another is better
_POINT = 0.01  # the drop that is asked about by default; of scores without a percentage, five such shares
_STEPS = 12  # of bisection: shares of harmed outputs are found to one in 4,000
_MOST_DOUBLINGS, _PER_DOUBLING = 24, 8  # of the number of items that are needed
_MOST_AVERAGED = 16  # releases; a mean of so many is as good as normal
_NEAR_TENTH = 0.025  # shares are said in tenths


@dataclass(frozen=True, slots=True)
class Rate:
    """How many simulated releases were stopped."""

    stopped: int
    of: int

    @property
    def share(self) -> float:
        return self.stopped / self.of

    def in_words(self) -> str:
        """The share as people say it.

        >>> [Rate(stopped, 400).in_words() for stopped in (0, 11, 203, 306, 390, 400)]
        ['none of 400', '1 of 36', '5 of 10', '76 of 100', '98 of 100', '400 of 400']
        """
        if not self.stopped or self.share > 0.995:
            return f"{self.stopped:,} of {self.of:,}" if self.stopped else f"none of {self.of:,}"
        if self.share < 0.15:
            return f"1 of {1 / self.share:.0f}"
        tenths = round(10 * self.share)
        is_near = tenths < 10 and abs(self.share - tenths / 10) <= _NEAR_TENTH
        return f"{tenths} of 10" if is_near else f"{100 * self.share:.0f} of 100"

    @property
    def ends(self) -> tuple[float, float]:
        """The exact 95 % interval of the share."""
        return share_ends(self.stopped, self.of, 0.95)

    def cell(self, *, best: bool = False) -> Cell:
        low, high = (f"{100 * end:.0f}" for end in self.ends)
        return Cell(f"{100 * self.share:.1f} % ({low} … {high})", self.share, ends=self.ends, best=best)


@dataclass(frozen=True, slots=True)
class AuditedCheck:
    """One check of the gate, with the drop of its own score that was simulated."""

    metric: str
    rule: str
    false_alarms: Rate
    drop: float
    caught: Rate


@dataclass(frozen=True, slots=True)
class AuditedDrop:
    """A simulated drop, the share of outputs that were harmed for it, and how often the gate stops it."""

    drop: float
    harmed: float
    stopped: Rate


@dataclass(frozen=True, slots=True)
class AuditedRule:
    """A rule with its margins, and what a gate does with it."""

    rule: Rule
    undecided: Undecided
    max_drop: Mapping[str, float]
    false_alarms: Rate
    caught: Rate
    needed: int | None  # items, for the drops of scores alone to catch it in 80 % of cases; None if none would

    @property
    def options(self) -> str:
        """The rule as the command line takes it."""
        margins = (f"--max-drop {name}={drop:.2g}" for name, drop in self.max_drop.items() if drop)
        policy = [] if self.rule == "strict" else [f"--undecided {self.undecided}"]
        return " ".join([f"--rule {self.rule}", *policy, *margins])


def _merit(alpha: float, rule: AuditedRule) -> tuple[float, ...]:
    """Least for the rule that catches most, of those that stop few harmless releases; else for the quietest."""
    alarms = rule.false_alarms.share
    return (0.0, -rule.caught.share, alarms) if alarms <= alpha else (1.0, alarms, -rule.caught.share)


@dataclass(frozen=True, slots=True, repr=False)
class GateAudit(Analysis):
    """What a gate does to simulated releases."""

    name: str  # of the system
    runs: int
    items: int
    metric: str  # whose score drops
    drop: float
    alpha: float
    checks: tuple[AuditedCheck, ...]
    drops: tuple[AuditedDrop, ...]  # from no drop at all
    rules: tuple[AuditedRule, ...]  # that of the gate first
    notes: tuple[str, ...]
    signature: str

    @property
    def best(self) -> AuditedRule:
        """The rule that catches most, of those that stop few harmless releases; that of the gate if it is as good."""
        own, best = self.rules[0], min(self.rules, key=partial(_merit, self.alpha))
        as_good = own.false_alarms.share <= self.alpha and own.caught.share > best.caught.share - _SIMILAR
        return own if as_good else best

    @property
    def verdict(self) -> str:
        """The result in words."""
        own, best, drop = self.rules[0], self.best, f"a drop of {self.drop:.3g} {self.metric}"
        rates = f"stops {own.false_alarms.in_words()} harmless releases and catches {drop} in {own.caught.in_words()}"
        sentences = [f"This gate {rates}."]
        if best.false_alarms.share > self.alpha:
            sentences.append(f"No rule that was tried stops at most {100 * self.alpha:g} % of harmless releases.")
        elif best is not own:
            rates = f"{best.false_alarms.in_words()} and {best.caught.in_words()}"
            sentences.append(f"With {best.options}, these are {rates}.")
        if best.caught.share < _POWER - _NEAR_TENTH and best.needed is not None:
            which = "it" if best is own else "that rule"
            sentences.append(f"With about {best.needed:,} items instead of {self.items:,}, {which} catches 8 of 10.")
        return " ".join(sentences)

    def __repr__(self) -> str:
        return f"<GateAudit of {self.name}: {self.verdict}>"

    def display(self, *, percent: bool = False) -> tuple[DisplayTable, ...]:
        """The checks, drops of several sizes, and other rules; `percent` changes nothing, as in a gate."""
        alarms, best = "false alarms", self.best
        checked = tuple(
            (*words(check.metric, check.rule), check.false_alarms.cell(), _number(check.drop), check.caught.cell())
            for check in self.checks
        )
        drops = tuple(
            (_number(point.drop), Cell(f"{100 * point.harmed:.1f} %", point.harmed), point.stopped.cell())
            for point in self.drops
        )
        rules = tuple(
            (
                Cell("this gate" if rule is self.rules[0] else rule.options),
                *(rate.cell(best=rule is best) for rate in (rule.false_alarms, rule.caught)),
                self._items_cell(rule.needed),
            )
            for rule in self.rules
        )
        caught = f"drops of {self.drop:.3g} {self.metric}"
        return (
            DisplayTable(
                ("metric", "check", alarms, "drop", "caught"),
                checked,
                caption=f"The gate of {self.name}, check by check.",
                notes=(self.verdict, f"{alarms}: harmless releases that are stopped, with the 95 % interval"),
                words=frozenset({0, 1}),
                label="gate-audit",
            ),
            DisplayTable(
                (f"drop of {self.metric}", "harmed outputs", "stopped"),
                drops,
                caption="How often the whole gate stops drops of several sizes.",
                words=frozenset(),
                label="gate-audit-drops",
            ),
            DisplayTable(
                ("rule", alarms, caught, "items for 80 %"),
                rules,
                caption="What other rules would stop.",
                label="gate-audit-rules",
            ),
        )

    def _items_cell(self, needed: int | None) -> Cell:
        if needed is None:
            return Cell("no number")
        return Cell(f"{needed:,}" if needed > self.items else "this many", needed)


def _number(value: float) -> Cell:
    return Cell(f"{value:.3g}", value)


def audit_gate(
    *runs: Result,
    system: str | None = None,
    drop: float | None = None,
    harm: str | None = None,
    clusters: Sequence[Hashable] | None = None,
    rule: Rule = "worse",
    max_drop: float | Mapping[str, float] = 0.0,
    alpha: float = 0.05,
    undecided: Undecided = "fail",
    minimum: Mapping[str, float] | None = None,
    maximum: Mapping[str, float] | None = None,
    min_pass_rate: Mapping[str, float] | None = None,
    thresholds: Mapping[str, float] | None = None,
    metrics: Mapping[str, Metric[Score]] | None = None,
    trials: int = 400,
    seed: int = 12345,
    threads: int | None = None,
    progress: Callable[[float], None] | None = None,
) -> GateAudit:
    """Simulate releases: how often a gate stops a harmless one, and how often it catches a drop.

    In a harmless release, each item gets the outputs of two runs in random order, so neither side is better. With one
    run only, the sides are different draws of the items, as if a release changed every output; that gives the most
    noise, and a second run that of this system. A drop is simulated by harming a share of the outputs.

    - `runs`: results of one system on the same items, such as repeated runs, or a release and the one before
    - `system`: the name of the system, if results have several
    - `drop`: the drop of the first metric that matters; by default 0.01, or 5 % of a score without a percentage
    - `harm`: how outputs are harmed: "cut" leaves the first half of each, "worse" takes that of an item with a lower
      score, and the name of a system takes its outputs; by default "cut" where there are texts. Pools get copies.
    - `clusters`: a label per item, such as its document; items with the same label are drawn together
    - `trials`: number of simulated releases for each size of the drop
    - `progress`: is called with the share of the work that is done

    The others are the options of `gate`.

    >>> from bleuprint import evaluate
    >>> words = [f"{first}{second}" for first in "bcdfghklmn" for second in ("at", "og", "en", "ig")]
    >>> references = [f"the {word} sat on the mat near the door" for word in words]
    >>> runs = [
    ...     [text.replace("near", "by") if place % 3 == run else text for place, text in enumerate(references)]
    ...     for run in (0, 1)
    ... ]
    >>> audit = audit_gate(*(evaluate(run, references) for run in runs), max_drop=0.02, drop=0.1)
    >>> audit.rules[0].false_alarms.share < 0.4 < audit.rules[0].caught.share
    True
    """
    if not runs:
        raise GateError("there is nothing to audit: pass a result, or better two runs of one system")
    for run in runs:
        check_result(run, metrics)
    limits = check_limits(runs[0], rule, undecided, max_drop, minimum, maximum, min_pass_rate, thresholds)
    workers = worker_count(threads)
    sources = Sources(runs, system, harm, limits.bounded, metrics, workers, seed)
    if clusters is not None and len(clusters) != sources.size:
        raise LengthMismatchError("items", sources.size, "clusters", len(clusters))
    if clusters is not None and len(set(clusters)) < 2:
        raise InputError("clusters must contain at least two different labels, got 1.")
    items = Items(sources.size, len(runs), clusters)
    drops = limits.drops(sources.labels, sources.metrics)
    simulated = dict(_checks(sources, items, limits, drops, rule, alpha, seed, workers))
    primary = next(iter(simulated.values()))
    asked = _POINT if drop is None else checks.number("drop", drop, 1e-9)
    metric = sources.metrics.get(primary.metric)
    if drop is None and (metric is None or not metric.has_percent):
        asked = 5 * _POINT * abs(sources.result(primary.metric).value)
    checks.trials("trials", trials)
    harmed = _share_for(primary, asked)
    if harmed is None:
        most = f"with all outputs {sources.harm_in_words}, {primary.metric} drops by {primary.drop(1.0):.3g}"
        raise OptionError.because(
            f"a drop of {asked:g} cannot be simulated: {most}; choose a smaller drop or other harm"
        )
    lost = {name: check.drop(harmed) for name, check in simulated.items()}
    usual = _Question(rule, undecided, {name: drops.get(check.metric, 0.0) for name, check in simulated.items()})
    others = [
        _Question(other, policy, {name: margin * max(0.0, lost[name]) for name in simulated})
        for (other, policy), margin in product(_POLICIES, _MARGINS)
    ]
    shares = {multiple: _share_for(primary, multiple * asked) for multiple in _CURVE}
    advance = share_reporter(progress, len(_CURVE) * len(simulated) * trials)

    def releases(share: float) -> Iterator[Release]:
        generator = np.random.default_rng(seed)  # all checks see the same releases
        return (items.draw(generator, share) for _ in range(trials))

    found = {
        multiple: _stop_rates(
            simulated, partial(releases, share), [usual, *others] if multiple in {0.0, 1.0} else [usual], advance
        )
        for multiple, share in shares.items()
        if share is not None
    }
    compared = {name: check.metric for name, check in simulated.items() if not isinstance(check, Judgement)}
    # A pool of another size is measured differently.
    harmful = {
        name: (lost[name], check.drops(releases(harmed)))
        for name, check in simulated.items()
        if isinstance(check, SegmentDrop)
    }
    rules = [
        AuditedRule(
            question.rule,
            question.undecided,
            {metric: question.max_drop[name] for name, metric in compared.items()},
            harmless[0],
            caught[0],
            items.size if caught[0].share >= _POWER else _items_needed(harmful, items.size, question, alpha, seed),
        )
        for question, harmless, caught in zip([usual, *others], found[0.0], found[1.0], strict=True)
    ]
    tried = [rules[1:][begin : begin + len(_MARGINS)] for begin in range(0, len(others), len(_MARGINS))]
    return GateAudit(
        sources.name,
        len(runs),
        sources.size,
        primary.metric,
        asked,
        alpha,
        tuple(
            AuditedCheck(check.metric, name.partition(": ")[2], alarms, lost[name], caught)
            for (name, check), alarms, caught in zip(
                simulated.items(), found[0.0][0][1:], found[1.0][0][1:], strict=True
            )
        ),
        tuple(
            AuditedDrop(multiple * asked, share, found[multiple][0][0])
            for multiple, share in shares.items()
            if share is not None
        ),
        (rules[0], *(min(margins, key=partial(_merit, alpha)) for margins in tried)),
        tuple(sources.notes),
        f"gate-audit|runs:{len(runs)}|items:{sources.size}|clusters:{'no' if clusters is None else 'yes'}"
        f"|harm:{sources.harm}|trials:{trials}|seed:{seed}#bleuprint:{__version__}",
    )


def _checks(
    sources: Sources,
    items: Items,
    limits: Limits,
    drops: Mapping[str, float],
    rule: Rule,
    alpha: float,
    seed: int,
    threads: int,
) -> Iterator[tuple[str, SimulatedCheck]]:
    """The checks of the gate by name, the drops first."""
    scores = {}
    for label in sources.labels:
        result = sources.result(label)
        name = f"{label}: {describe_rule(result.higher_is_better, drops[label], rule)}"
        if result.unit == "pool":
            yield name, PoolDrop(result, sources.pool(label), items, alpha, seed)
        else:
            scores[label] = SegmentDrop(label, sources.samples(label), alpha, seed, threads)
            yield name, scores[label]
    for word, bounds in (("at least", limits.minimum), ("at most", limits.maximum)):
        for label, bound in bounds.items():
            yield (
                f"{label}: {word} {bound:g}",
                bound_check(_score_of_items(scores, label), bound, least=word == "at least"),
            )
    for label, rate in limits.min_pass_rate.items():
        _score_of_items(scores, label)
        failing = sources.failing(label, item_threshold(sources.result(label), limits.thresholds.get(label)))
        passing = SegmentDrop(label, [Sample.of_scores(1.0 - row) for row in failing], alpha, seed, threads)
        yield f"{label}: pass rate at least {rate:g}", bound_check(passing, rate, least=True)
        yield f"{label}: no new failures", flip_check(label, passing.drop, failing, alpha)


def _score_of_items(scores: Mapping[str, SegmentDrop], label: str) -> SegmentDrop:
    if label not in scores:
        raise GateError(
            f"{label} cannot be audited: the results have scores of items for {', '.join(scores) or 'none'}"
        )
    return scores[label]


# The rules that are tried; of "worse", undecided checks that fail give the exit code of "strict".
_POLICIES: tuple[tuple[Rule, Undecided], ...] = (
    *(("strict", "fail"), ("worse", "pass"), ("not-worse", "fail"), ("not-worse", "pass")),
)


class _Question(NamedTuple):
    """A rule that simulated releases are put to, with the largest drop that it allows by check."""

    rule: Rule
    undecided: Undecided
    max_drop: Mapping[str, float]


def _stop_rates(
    simulated: Mapping[str, SimulatedCheck],
    releases: Callable[[], Iterator[Release]],
    questions: Sequence[_Question],
    advance: Callable[[int], None] | None,
) -> list[tuple[Rate, ...]]:
    """How often each rule stops a release: all checks together, then each of them."""
    stopped = []
    for name, check in simulated.items():
        rows = []
        for trial in check.trials(releases()):
            rows.append([stops(trial, rule, undecided, max_drop[name]) for rule, undecided, max_drop in questions])
            if advance is not None:
                advance(1)
        stopped.append(rows)
    found = np.array(stopped)  # check, release, question
    every = np.concatenate([found.any(axis=0, keepdims=True), found]).sum(axis=1)
    return [tuple(Rate(count, found.shape[1]) for count in column) for column in every.T.tolist()]


def _items_needed(
    drops: Mapping[str, tuple[float, Floats]], size: int, question: _Question, alpha: float, seed: int
) -> int | None:
    """How many items catch the drop in 80 % of cases; a release of more items is the mean of several simulated ones."""
    varying = {name: (expected, found) for name, (expected, found) in drops.items() if found.std() > 0}
    generator, trials = np.random.default_rng(seed), max((len(found) for _, found in varying.values()), default=0)
    for step in range(1, _MOST_DOUBLINGS * _PER_DOUBLING if varying else 0):
        times = 2 ** (step / _PER_DOUBLING)
        several = min(math.ceil(times), _MOST_AVERAGED)
        stopped: Any = False
        chosen = generator.integers(trials, size=(trials, several))
        for name, (expected, found) in varying.items():
            limit = stopping_drop(
                float(found.std()) / math.sqrt(times),
                question.rule,
                question.max_drop[name],
                alpha,
                undecided_fails=question.undecided == "fail",
            )
            deviations = (found[chosen].mean(axis=1) - found.mean()) * math.sqrt(several / times)
            stopped |= (expected + deviations > limit) & found[chosen].any(axis=1)  # what changes nothing passes
        if stopped.mean() >= _POWER:
            return math.ceil(size * times)
    return None


def _share_for(check: SimulatedCheck, drop: float) -> float | None:
    """The share of outputs to harm for this drop on average; None if all of them do not drop so far."""
    if drop == 0:
        return 0.0
    if check.drop(1.0) < drop:
        return None
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if check.drop(middle) < drop else (low, middle)
    return high
