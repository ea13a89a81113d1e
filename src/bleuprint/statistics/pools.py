"""Intervals and tests for statistics of a whole pool of texts, such as Self-BLEU or distinct-n.

Such a statistic is no mean over texts: how much a text adds depends on the others. Resampling with replacement, which
serves means, puts copies into a pool. Self-BLEU then rises and distinct-n falls, whatever the texts are. So the
interval leaves groups of texts out, and the test swaps texts of two pools; neither makes a copy. Both score many parts
of the texts, which formulas that count n-grams do from one count.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from statistics import NormalDist
from typing import NamedTuple

from bleuprint import checks
from bleuprint.core.arrays import Flags, Floats, np
from bleuprint.core.pool import PartScorer, words_of_parts
from bleuprint.statistics.comparison import SampleComparison, UncorrectedPair, judge_pairs, pairs_of
from bleuprint.statistics.distributions import t_quantile
from bleuprint.statistics.intervals import Interval, standard_error
from bleuprint.statistics.settings import RANDOMIZATION, Settings
from bleuprint.statistics.small_samples import EXACT, difference_ends, share_ends

GROUPS = 20  # that are left out in turn
SWAPS = 999  # of the outputs of two systems, if they are scored from one count, and the settings give no number
_COUNTED_SWAPS = 199  # if the outputs are counted anew for each
_AT_ONCE = 128  # swaps that are scored together
ENOUGH = 50  # swaps with a difference as large as the observed one end the test
_RARE = 30  # events, such as copies: with fewer of them, a statistic is not normally distributed


def _leave_groups_out(score: PartScorer, size: int, groups: int, seed: int) -> Floats:
    """The statistics without each of the groups."""
    used = min(groups, size)
    group = np.empty(size, dtype=np.int64)
    group[np.random.default_rng(seed).permutation(size)] = np.arange(size) % used
    return score(words_of_parts(group != left for left in range(used)))[:used]


def jackknife_intervals(
    score: PartScorer,
    size: int,
    *,
    values: Sequence[float],
    shares: bool = False,
    confidence: float = 0.95,
    groups: int = GROUPS,
    seed: int = 12345,
) -> list[Interval]:
    """Confidence intervals of the expected values of statistics for pools of this size, around the observed values.

    The texts are split at random into groups of equal size, each is left out in turn, and the spread of the results is
    scaled up (delete-a-group jackknife; Shao, Wu 1989: A General Theory for Jackknife Variance Estimation). By the
    inequality of Efron and Stein (1981) it is too large on average rather than too small. With `shares`,
    the values are shares of texts, and rare ones get wider intervals.

    >>> import numpy as np
    >>> from bleuprint.core.pool import texts_of_part
    >>> numbers = np.random.default_rng(1).normal(size=1000)
    >>> def means(parts):
    ...     return np.array([[numbers[texts_of_part(parts, part)].mean()] for part in range(50)])
    >>> (interval,) = jackknife_intervals(means, 1000, values=[float(numbers.mean())], groups=50)
    >>> round(interval.margin, 3), round(2.01 * float(numbers.std(ddof=1)) / 1000**0.5, 3), interval.samples
    (0.063, 0.063, 50)
    """
    level, texts = checks.fraction("confidence", confidence), size if shares else None
    without = _leave_groups_out(score, size, groups, seed)
    errors = standard_error(without).tolist()
    return [interval_around(*pair, level, len(without), texts) for pair in zip(values, errors, strict=True)]


class Both(NamedTuple):
    """The outputs of two systems: what scores parts of them, those of the first system before those of the second."""

    score: PartScorer
    is_quick: bool  # they are counted once for all parts
    are_same: bool  # all outputs of one system are those of the other


def compare_pooled(
    values: Mapping[str, float],
    size: int,
    parts_of: Callable[[str], PartScorer],
    both_of: Callable[[str, str], Both],
    settings: Settings,
    *,
    higher_is_better: bool,
    has_percent: bool,
    baseline: str | None = None,
    report: Callable[[float], None] | None = None,
) -> SampleComparison:
    """Compare systems by a statistic of all their outputs, of which each system has `size`.

    `parts_of` scores parts of the outputs of a system, and `both_of` those of two; the last statistic is compared.

    The test swaps the outputs of two systems at random places (approximate randomization). If both systems are equally
    good, all swaps are equally likely, so the share of swaps with a difference at least as large is a p-value, whatever
    the statistic. That holds if output i of each system has the same input, and also if the outputs are independent
    draws from one source, whose order means nothing. It ends early where as many swaps as `ENOUGH` have reached the
    difference (Besag, Clifford 1991: Sequential Monte Carlo p-values. Biometrika 78): the p-value is then above 0.05
    whatever the other swaps give. Intervals come from leaving the outputs at groups of places out.
    """
    scored = {name: _leave_groups_out(parts_of(name), size, GROUPS, settings.seed) for name in values}
    without = {name: statistics[:, -1] for name, statistics in scored.items()}
    used = min(GROUPS, size)
    better_first = -1 if higher_is_better else 1
    names = sorted(values, key=lambda name: better_first * values[name])
    compared = pairs_of(names, baseline)
    errors = {name: float(standard_error(without[name])) for name in names}
    texts = size if has_percent else None

    def interval(name: str, level: float) -> Interval:
        return interval_around(values[name], errors[name], level, used, texts)

    pairs = {}
    for place, (first, second) in enumerate(compared):
        level = 1 - settings.alpha / len(compared)
        error = float(standard_error(without[first] - without[second]))
        both = both_of(first, second)
        difference = interval_around(values[first] - values[second], error, level, used)
        if not both.are_same:
            difference = _widen(difference, interval(first, level), interval(second, level))
        swaps = settings.at_least(SWAPS if both.is_quick else _COUNTED_SWAPS, len(compared))

        def tell(share: float, done: int = place) -> None:
            if report is not None:
                report((done + share) / len(compared))

        at_once = _AT_ONCE if both.is_quick else 1
        p_value, trials = _swap_p_value(both.score, size, swaps, settings.seed, at_once, tell)
        spread = difference.margin / t_quantile((1 + level) / 2, used - 1)
        pairs[first, second] = UncorrectedPair(difference, max(error, spread), p_value, RANDOMIZATION, trials)
    return judge_pairs(
        {name: interval(name, 1 - settings.alpha) for name in names},
        pairs,
        settings,
        segments=size,
        units=used,
        higher_is_better=higher_is_better,
        has_percent=has_percent,
        baseline=baseline,
        pooled=True,
    )


def _widen(difference: Interval, first: Interval, second: Interval) -> Interval:
    """The interval of a difference, made as wide as those of the two values if rare events made these wider.

    Where neither pool has a copy, the difference is 0 whatever is left out, and yet as uncertain as they are.
    """
    if EXACT not in (first.method, second.method):
        return difference
    low, high = difference_ends((first.value, first.low, first.high), (second.value, second.low, second.high))
    return replace(difference, low=min(low, difference.low), high=max(high, difference.high))


def interval_around(value: float, error: float, level: float, groups: int, texts: int | None = None) -> Interval:
    """The interval of a value with its standard error from so many groups; a share of `texts`, if these are given.

    Near 0 or 1, a share counts rare events, such as copies. The spread of a few of them says little, and that of none
    is 0. So it gets the interval of Clopper and Pearson for as many independent texts as give this error; for half of
    all, because an event takes two, if the error is 0. Korn, Graubard (1998): Confidence intervals for proportions with
    small expected number of positive counts.

    >>> round(interval_around(0.0, 0.0, 0.95, 20, texts=200).high, 3)
    0.036
    """
    quantile, tail = t_quantile((1 + level) / 2, groups - 1), (1 - level) / 2
    low, high, method = value - quantile * error, value + quantile * error, "jackknife"
    if texts is not None and 0 <= value <= 1:
        spread, reach = value * (1 - value), quantile / NormalDist().inv_cdf(1 - tail) * error
        trials = spread / reach**2 if spread and reach > 1e-100 else texts / 2
        hits, misses = value * trials, (1 - value) * trials
        if min(hits, misses) < _RARE:
            (low, high), method = share_ends(hits, trials, level), EXACT
    return Interval(value, low, high, value, level, method, groups)


def _swap_p_value(
    score: PartScorer, size: int, swaps: int, seed: int, at_once: int, report: Callable[[float], None]
) -> tuple[float, int]:
    """The p-value of the difference of the first `size` texts and the others, and the number of swaps it comes from."""
    generator = np.random.default_rng(seed)

    def both(places: Sequence[Flags]) -> Floats:
        """The statistics of the two systems, after the outputs at these places were swapped."""
        taken, everywhere = words_of_parts(places), words_of_parts([np.ones(size, dtype=bool)] * len(places))
        kept = taken ^ everywhere
        return score(np.block([[kept, taken], [taken, kept]]))[:, -1].reshape(2, -1)[:, : len(places)]

    unswapped = both([np.zeros(size, dtype=bool)])
    # A sum of the same values in another order is equal but for rounding.
    observed = float(abs(unswapped[0] - unswapped[1]).item() - 1e-12 * abs(unswapped).max())
    reached = trials = 0
    while trials < swaps:
        drawn = [generator.integers(2, size=size).astype(bool) for _ in range(min(at_once, swaps - trials))]
        first, second = both(drawn)
        for difference in abs(first - second).tolist():
            trials += 1
            reached += difference >= observed
            if reached == ENOUGH:
                return reached / trials, trials
        report(trials / swaps)
    return (reached + 1) / (swaps + 1), swaps
