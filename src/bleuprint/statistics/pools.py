"""Intervals and tests for statistics of a whole pool of texts, such as Self-BLEU or distinct-n.

Such a statistic is no mean over texts: how much a text adds depends on the others. Resampling with replacement, which
serves means, puts copies into a pool. Self-BLEU then rises and distinct-n falls, whatever the texts are. So the
interval leaves groups of texts out, and the test swaps texts of two pools; neither makes a copy.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from statistics import NormalDist
from typing import TYPE_CHECKING

from bleuprint import checks
from bleuprint.core.arrays import np
from bleuprint.errors import OptionError
from bleuprint.statistics.comparison import SampleComparison, UncorrectedPair, judge_pairs, pairs_of
from bleuprint.statistics.equivalence import beta_quantile, t_quantile
from bleuprint.statistics.intervals import Interval, standard_error
from bleuprint.statistics.settings import RANDOMIZATION, Settings

if TYPE_CHECKING:
    from numpy.typing import NDArray

GROUPS = 20  # that are left out in turn
SWAPS = 999  # of the outputs of two systems, unless the settings give another number
_ENOUGH = 50  # swaps with a difference as large as the observed one end the test
_RARE = 30  # events, such as copies: with fewer of them, a statistic is not normally distributed


def _leave_groups_out(
    statistics: Callable[[NDArray[np.int64]], float | Sequence[float]], size: int, groups: int, seed: int
) -> NDArray[np.float64]:
    """The statistics without each of the groups."""
    used = min(groups, size)
    order = np.random.default_rng(seed).permutation(size)
    parts = [order[group::used] for group in range(used)]
    return np.array([statistics(np.sort(np.concatenate(parts[:left] + parts[left + 1 :]))) for left in range(used)])


def jackknife_intervals(
    statistics: Callable[[NDArray[np.int64]], Sequence[float]],
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
    >>> values = np.random.default_rng(1).normal(size=1000)
    >>> mean = float(values.mean())
    >>> (interval,) = jackknife_intervals(lambda kept: [float(values[kept].mean())], 1000, values=[mean], groups=50)
    >>> round(interval.margin, 3), round(2.01 * float(values.std(ddof=1)) / 1000**0.5, 3), interval.samples
    (0.063, 0.063, 50)
    """
    without = _leave_groups_out(statistics, size, groups, seed)
    level = checks.fraction("confidence", confidence)
    errors = standard_error(without).tolist()
    texts = size if shares else None
    return [interval_around(*pair, level, len(without), texts) for pair in zip(values, errors, strict=True)]


def compare_pooled(
    systems: Iterable[str],
    size: int,
    statistic: Callable[[str, NDArray[np.int64]], float],
    swapped: Callable[[str, str, NDArray[np.bool_]], float],
    settings: Settings,
    *,
    higher_is_better: bool,
    has_percent: bool,
    baseline: str | None = None,
    report: Callable[[float], None] | None = None,
) -> SampleComparison:
    """Compare systems by a statistic of all their outputs, of which each system has `size`.

    `statistic` is that of some outputs of a system; `swapped` is that of a system with some outputs taken from the same
    places of another one.

    The test swaps the outputs of two systems at random places (approximate randomization). If both systems are equally
    good, all swaps are equally likely, so the share of swaps with a difference at least as large is a p-value, whatever
    the statistic. That holds if output i of each system has the same input, and also if the outputs are independent
    draws from one source, whose order means nothing. It ends early where as many swaps as `_ENOUGH` have reached the
    difference (Besag, Clifford 1991: Sequential Monte Carlo p-values. Biometrika 78). Intervals come from leaving the
    outputs at groups of places out.
    """
    everything = np.arange(size)
    values = {name: statistic(name, everything) for name in systems}
    without = {name: _leave_groups_out(partial(statistic, name), size, GROUPS, settings.seed) for name in values}
    used = min(GROUPS, size)
    better_first = -1 if higher_is_better else 1
    names = sorted(values, key=lambda name: better_first * values[name])
    compared = pairs_of(names, baseline)
    level = 1 - settings.alpha / len(compared)
    swaps = settings.resamples or SWAPS
    pairs = {}
    for place, (first, second) in enumerate(compared):
        difference, error = values[first] - values[second], float(standard_error(without[first] - without[second]))
        both = partial(swapped, first, second), partial(swapped, second, first)
        p_value, trials = _swap_p_value(*both, size, difference, swaps, settings.seed)
        interval = interval_around(difference, error, level, used)
        pairs[first, second] = UncorrectedPair(interval, error, p_value, RANDOMIZATION, trials)
        if report is not None:
            report((place + 1) / len(compared))
    errors = {name: float(standard_error(without[name])) for name in names}
    scale = 1 - settings.alpha, used, size if has_percent else None
    return judge_pairs(
        {name: interval_around(values[name], errors[name], *scale) for name in names},
        pairs,
        settings,
        segments=size,
        units=used,
        higher_is_better=higher_is_better,
        has_percent=has_percent,
        baseline=baseline,
        pooled=True,
    )


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
    low, high = value - quantile * error, value + quantile * error
    if texts is not None and 0 <= value <= 1:
        spread, reach = value * (1 - value), quantile / NormalDist().inv_cdf(1 - tail) * error
        trials = spread / reach**2 if spread and reach > 1e-100 else texts / 2
        hits, misses = value * trials, (1 - value) * trials
        if min(hits, misses) < _RARE:
            low = beta_quantile(tail, hits, misses + 1) if hits else 0.0
            high = beta_quantile(1 - tail, hits + 1, misses) if misses else 1.0
    return Interval(value, low, high, value, level, "jackknife", groups)


def _swap_p_value(
    first: Callable[[NDArray[np.bool_]], float],
    second: Callable[[NDArray[np.bool_]], float],
    size: int,
    observed: float,
    swaps: int,
    seed: int,
) -> tuple[float, int]:
    """The p-value of a difference of two statistics of swapped places, and the number of swaps it comes from."""
    generator = np.random.default_rng(seed)
    reached = 0
    for trial in range(1, swaps + 1):
        places = generator.integers(2, size=size).astype(bool)
        reached += abs(first(places) - second(places)) >= abs(observed) * (1 - 1e-12)  # equal but for rounding
        if reached == _ENOUGH:
            return reached / trial, trial
    return (reached + 1) / (swaps + 1), swaps


def expected_different(kinds_with_count: Mapping[int, int], total: int, drawn: int) -> float:
    """How many different kinds `drawn` of `total` items have on average, drawn without replacement.

    So many kinds have so many of the items: Σ_i 1 − C(total − f_i, drawn) / C(total, drawn), where kind i has f_i.
    Hurlbert (1971): The Nonconcept of Species Diversity.

    >>> round(expected_different({2: 1, 1: 2}, 4, 2), 6)  # 5 of the 6 pairs have two kinds
    1.833333
    """
    if not 0 <= drawn <= total:
        raise OptionError("size", f"an integer from 0 to {total:,}", drawn)
    places = np.arange(max(kinds_with_count, default=0), dtype=np.float64)
    # The chance that none of f items is drawn: (total − drawn)/total · (total − drawn − 1)/(total − 1) · …, f factors.
    missing = np.cumprod(np.maximum(total - drawn - places, 0) / (total - places))
    return math.fsum(kinds * (1 - float(missing[count - 1])) for count, kinds in kinds_with_count.items())
