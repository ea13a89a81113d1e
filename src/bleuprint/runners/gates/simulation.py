"""Simulated releases, and what the checks of a gate find in them.

A harmless release is simulated from runs of one system: the items are drawn again, in whole clusters, and each gets two
outputs, those of two runs in random order; so neither side is better. With one run only, the two sides are two draws of
the items, as if a release changed every output. A drop is simulated by harming a share of the outputs of the new side.
Pools of texts keep their items, because a second copy of an item would count as a repetition.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from statistics import NormalDist
from typing import Any, NamedTuple, Protocol

from bleuprint.core.arrays import Flags, Floats, Places, np
from bleuprint.core.pool import PartScorer, words_of_parts
from bleuprint.results import MetricResult
from bleuprint.runners.gates.report import Outcome, Undecided, outcome_of
from bleuprint.runners.gates.rules import BASELINE, NEW, Rule, decide, decide_flips, interval_alpha
from bleuprint.runners.verdicts import meets
from bleuprint.statistics.comparison import PairComparison, compare_samples
from bleuprint.statistics.intervals import Interval, jackknife, standard_error
from bleuprint.statistics.paired import MOST_EXACT, differing_segments
from bleuprint.statistics.rows import Sample
from bleuprint.statistics.settings import AUTO, RANDOMIZATION, Settings

_RESAMPLES = 1000  # of the test of a release: on average, p-values near alpha are the same as with 10,000
_FEW, _MANY = 50, 400  # items: of fewer, every release is tested; of more, none, because the normal distribution holds
_NEAR = 0.8, 1.25  # times the critical value of that distribution: between these, a release is tested
_POOLS = 4  # that give the average drop of a pool


class Release(NamedTuple):
    """A new release and the one before: the sources of their outputs, a run or the harmed outputs, and their items."""

    new: tuple[Places, Places]
    old: tuple[Places, Places]


class Items:
    """The items of all runs, and what is drawn from them."""

    def __init__(self, size: int, runs: int, clusters: Sequence[Hashable] | None = None) -> None:
        self.size, self.runs = size, runs
        labels: dict[Hashable, int] = {}
        groups = range(size) if clusters is None else [labels.setdefault(label, len(labels)) for label in clusters]
        self._order = np.argsort(groups, kind="stable")  # the items of each cluster stand together
        self._sizes = np.bincount(groups)

    def draw(self, generator: np.random.Generator, share: float) -> Release:
        """A release with as many items, of which a share is harmed."""
        count = len(self._sizes)
        drawn, others = generator.integers(len(self._sizes), size=(2, count))
        new, sizes = self._in_clusters(drawn), self._sizes[drawn]
        old = new if self.runs > 1 else np.resize(self._in_clusters(others), len(new))
        first = np.repeat(generator.integers(self.runs, size=count), sizes)
        further = np.repeat(generator.integers(1, max(2, self.runs), size=count), sizes)
        harmed = generator.random(len(new)) < share
        return Release((np.where(harmed, self.runs, first), new), ((first + further) % self.runs, old))

    def _in_clusters(self, clusters: Places) -> Places:
        sizes, starts = self._sizes[clusters], (np.cumsum(self._sizes) - self._sizes)[clusters]
        within = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        items: Places = self._order[np.repeat(starts, sizes) + within]
        return items


# What a check finds in one simulated release, by a rule and the largest drop that it allows.
Trial = Callable[[Rule, float], Outcome]


def stops(trial: Trial, rule: Rule, undecided: Undecided, max_drop: float) -> bool:
    """Whether a check stops a release."""
    # Where undecided checks fail, what is beyond the margin stops the release whether or not it is significant.
    outcome = trial("strict" if (rule, undecided) == ("worse", "fail") else rule, max_drop)
    return outcome == "failed" or (outcome == "undecided" and undecided == "fail")


class SimulatedCheck(Protocol):
    """A check of the gate, on simulated releases."""

    metric: str

    def trials(self, releases: Iterable[Release]) -> Iterator[Trial]: ...

    def drop(self, share: float) -> float:
        """How much the score drops on average if this share of outputs is harmed."""


class SegmentDrop:
    """The drop of a score of segments; `samples` are those of the runs, then that of the harmed outputs."""

    def __init__(self, metric: str, samples: Sequence[Sample], alpha: float, seed: int, threads: int) -> None:
        self.metric = metric
        self._rows: Any = np.stack([sample.rows for sample in samples])
        self._sample, self._settings = replace(samples[0], whole=None), (alpha, seed, threads)

    def trials(self, releases: Iterable[Release]) -> Iterator[Trial]:
        error = None
        for release in releases:
            new, old = (replace(self._sample, rows=self._rows[side]) for side in release)
            trial = _SegmentTrial(new, old, *self._settings, error)
            error = trial.error if len(new) > _MANY else None  # of many items, it is the same for each release
            yield trial.decide

    def drops(self, releases: Iterable[Release]) -> Floats:
        """How much the score drops from old to new."""
        differences = np.array([self.score(release.old) - self.score(release.new) for release in releases])
        return differences if self._sample.higher_is_better else -differences

    def score(self, side: tuple[Places, Places]) -> float:
        return self._sample.score(self._rows[side].sum(axis=0, keepdims=True)).item()

    def drop(self, share: float) -> float:
        usual, harmed = self._rows[:-1].mean(axis=0).sum(axis=0), self._rows[-1].sum(axis=0)
        mixed = usual + share * (harmed - usual)
        before, after = (self._sample.score(sums[np.newaxis]).item() for sums in (usual, mixed))
        return (before - after) * (1 if self._sample.higher_is_better else -1)


class _SegmentTrial:
    def __init__(self, new: Sample, old: Sample, alpha: float, seed: int, threads: int, error: float | None) -> None:
        self._samples, self._alpha = {NEW: new, BASELINE: old}, alpha
        self._settings, self._threads = Settings(resamples=_RESAMPLES, seed=seed), threads
        self._scores = new.score().item(), old.score().item()
        self._changed = differing_segments(new, old)
        self.error = float(standard_error(jackknife(new) - jackknife(old))) if error is None else error
        self._tested: dict[float, PairComparison] = {}

    def decide(self, rule: Rule, max_drop: float) -> Outcome:
        size, alpha = len(self._samples[NEW]), interval_alpha(rule, self._alpha)
        pair = self._estimate(alpha) if self._is_clear(rule, max_drop, alpha) else self._test(alpha)
        limits = self._samples[NEW].higher_is_better, rule, max_drop, self._alpha
        return decide(pair, size, *limits, scale=max(map(abs, self._scores)), changed=self._changed > 0)[0]

    def _is_clear(self, rule: Rule, max_drop: float, alpha: float) -> bool:
        """Whether a normal distribution tells the outcome as the tests of the gate do."""
        new, old = self._scores
        drop = old - new if self._samples[NEW].higher_is_better else new - old
        if rule == "strict" or (rule == "worse" and drop <= max_drop):
            return True
        size = len(self._samples[NEW])
        if size < _FEW or self._changed <= MOST_EXACT or not self.error:
            return False
        z = abs(drop - (max_drop if rule == "not-worse" else 0.0)) / self.error
        low, high = (factor * NormalDist().inv_cdf(1 - alpha / 2) for factor in _NEAR)
        return size > _MANY or not low < z < high

    def _estimate(self, alpha: float) -> PairComparison:
        difference = self._scores[0] - self._scores[1]
        p_value = 2 * NormalDist().cdf(-abs(difference) / self.error) if self.error else 1.0
        higher = self._samples[NEW].higher_is_better
        return _pair(difference, self.error, p_value, alpha, self._alpha, higher_is_better=higher)

    def _test(self, alpha: float) -> PairComparison:
        if alpha not in self._tested:
            is_short = 2**self._changed <= 2 * _RESAMPLES  # an exact test is
            settings = replace(self._settings, alpha=alpha, test=AUTO if is_short else RANDOMIZATION)
            self._tested[alpha] = compare_samples(self._samples, settings, threads=self._threads).pairs[0]
        return self._tested[alpha]


class PoolDrop:
    """The drop of a score of pools; `score` gives that of parts of the outputs of all runs and the harmed ones."""

    def __init__(self, result: MetricResult, score: PartScorer, items: Items, alpha: float, seed: int) -> None:
        self.metric, self._higher = result.metric, result.higher_is_better
        self._score, self._items, self._alpha, self._seed = score, items, alpha, seed
        self._harmless: Floats | None = None  # differences, among which p-values are found as by swapping outputs

    def trials(self, releases: Iterable[Release]) -> Iterator[Trial]:
        differences = self._differences(list(releases))
        if self._harmless is None:
            self._harmless = differences
        sizes, error = np.abs(self._harmless), float(self._harmless.std())
        for difference in differences.tolist():
            as_far = np.count_nonzero(sizes >= abs(difference) * (1 - 1e-9))
            yield partial(self._decide, difference, error, (as_far + 1) / (len(sizes) + 1))

    def drop(self, share: float) -> float:
        generator = np.random.default_rng(self._seed)
        harmed = [self._items.draw(generator, share) for _ in range(_POOLS)]
        usual = [(np.where(sources == self._items.runs, 0, sources), items) for (sources, items), _ in harmed]
        found = self._differences([one._replace(old=side) for one, side in zip(harmed, usual, strict=True)])
        return float(found.mean()) * (-1 if self._higher else 1)

    def _decide(self, difference: float, error: float, p_value: float, rule: Rule, max_drop: float) -> Outcome:
        alpha = interval_alpha(rule, self._alpha)
        pair = _pair(difference, error, p_value, alpha, self._alpha, higher_is_better=self._higher)
        return decide(pair, self._items.size, self._higher, rule, max_drop, self._alpha, "pool")[0]

    def _differences(self, releases: Sequence[Release]) -> Floats:
        """The new score of every release minus the old one."""
        places, parts = np.arange(self._items.size), list[Flags]()
        for side in (0, 1):
            for release in releases:
                part = np.zeros((self._items.runs + 1, self._items.size), dtype=bool)
                part[release[side][0], places] = True
                parts.append(part.ravel())
        new, old = np.split(self._score(words_of_parts(parts))[: len(parts), -1], 2)
        differences: Floats = new - old
        return differences


def _pair(
    difference: float, error: float, p_value: float, alpha: float, level: float, *, higher_is_better: bool
) -> PairComparison:
    """A comparison of the new release with the one before, from what a normal distribution says."""
    margin = NormalDist().inv_cdf(1 - alpha / 2) * error
    interval = Interval(difference, difference - margin, difference + margin, difference, 1 - alpha, "normal", 0)
    ahead = NEW if (difference > 0) == higher_is_better else BASELINE
    better = ahead if p_value < level and difference else None
    shown = interval, p_value, p_value, RANDOMIZATION, 10 * _RESAMPLES, better, error
    return PairComparison(NEW, BASELINE, *shown, detectable=0.0, segments_needed=None)


class Judgement:
    """A check that needs no test of a score: a bound, a pass rate, or items that fail anew."""

    def __init__(self, metric: str, drop: Callable[[float], float], judge: Callable[[Release, Rule], Outcome]) -> None:
        self.metric, self.drop, self._judge = metric, drop, judge

    def trials(self, releases: Iterable[Release]) -> Iterator[Trial]:
        for release in releases:
            yield partial(self._decide, release)

    def _decide(self, release: Release, rule: Rule, _: float) -> Outcome:
        return self._judge(release, rule)


def bound_check(check: SegmentDrop, bound: float, *, least: bool) -> Judgement:
    """A score that must reach a bound, or must not exceed it."""
    return Judgement(
        check.metric, check.drop, lambda release, _: outcome_of(meets(check.score(release.new), bound, least))
    )


def flip_check(metric: str, drop: Callable[[float], float], failing: Flags, alpha: float) -> Judgement:
    """Items that fail although they passed before; `failing` has a row for each run, then that of harmed outputs."""

    def judge(release: Release, rule: Rule) -> Outcome:
        now, then = failing[release.new], failing[release.old]
        worse, better = (int(np.count_nonzero(flags)) for flags in (now & ~then, then & ~now))
        return decide_flips(worse, better, rule, alpha)[0]

    return Judgement(metric, drop, judge)
