"""How many rated items are enough: the precision of correlations with ratings, against the number of items.

For each number of items, that many are drawn from the items at hand, with replacement, again and again. The spread of
a correlation over these draws is its standard error with so many items; the same holds for the difference between the
correlations of two predictors. Numbers beyond the items at hand are extrapolated: they hold if more items are of the
same kind, which the data cannot tell.

The chance of telling two predictors apart is that of a two-sided test at level 0.05, if the true difference is the one
at hand and its estimate is normally distributed: Φ(difference / standard error − 1.96).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from bleuprint.errors import OptionError
from bleuprint.ratings.held_out import correlation_sample
from bleuprint.statistics.chance import Chance
from bleuprint.statistics.intervals import check_samples
from bleuprint.statistics.power import detectable_difference, segments_needed

__all__ = ["PowerCurve", "PowerPoint", "power_curve"]

Numbers = NDArray[np.float64]
Items = NDArray[np.intp]

_ALPHA = 0.05
_FEWEST = 10  # items; correlations over fewer have no useful standard error
_LARGEST = 10**7


@dataclass(frozen=True, slots=True)
class PowerPoint:
    """What can be expected of a number of rated items."""

    items: int
    extrapolated: bool  # more than the items at hand
    margins: Mapping[str, float]  # half the width of the 95% interval of each predictor's correlation
    detectable: Mapping[str, float]  # the difference from the best predictor that is detected in 80% of cases
    told_apart: Mapping[str, float]  # the chance of telling each predictor from the best one


@dataclass(frozen=True, slots=True)
class PowerCurve:
    """Correlations with ratings, and how precise they are for each number of items."""

    best: str
    correlations: Mapping[str, float]
    points: tuple[PowerPoint, ...]
    errors: Mapping[str, float]  # standard error of each predictor's difference from the best, with all items at hand
    items: int

    def needed(self, predictor: str, difference: float | None = None) -> int | None:
        """The items needed to tell a predictor from the best one in 80% of cases; None for equal correlations.

        By default for the difference at hand. Beyond the items at hand, this is an extrapolation.
        """
        if predictor not in self.errors:
            raise OptionError("predictor", f"one of {', '.join(self.errors)}", predictor)
        gap = self.correlations[self.best] - self.correlations[predictor] if difference is None else difference
        return None if gap == 0 else segments_needed(self.errors[predictor], self.items, gap)


def power_curve(
    predictors: Mapping[str, Numbers],
    ratings: Numbers,
    items: Items,
    *,
    sizes: Sequence[int] | None = None,
    trials: int = 1000,
    seed: int = 12345,
) -> PowerCurve:
    """Measure how the precision of each predictor's correlation with the ratings grows with the number of items."""
    samples = {name: correlation_sample(values, ratings, items) for name, values in predictors.items()}
    correlations = {name: sample.score().item() for name, sample in samples.items()}
    best = max(correlations, key=lambda name: correlations[name])
    count = int(items.max()) + 1
    wanted = sorted({count, *(_default_sizes(count) if sizes is None else _checked_sizes(sizes))})
    generator = np.random.default_rng(Chance(seed).seed)
    points, errors = [], {}
    for size in wanted:
        drawn = generator.multinomial(size, np.full(count, 1 / count), size=check_samples(trials)).astype(np.float64)
        scores = {name: sample.score(drawn @ sample.rows) for name, sample in samples.items()}
        spread = {name: float((scores[best] - scores[name]).std()) for name in scores if name != best}
        if size == count:
            errors = spread
        points.append(
            PowerPoint(
                size,
                size > count,
                {name: float(np.diff(np.quantile(values, (0.025, 0.975)))[0]) / 2 for name, values in scores.items()},
                {name: detectable_difference(error, alpha=_ALPHA) for name, error in spread.items()},
                {name: _chance(correlations[best] - correlations[name], error) for name, error in spread.items()},
            )
        )
    return PowerCurve(best, correlations, tuple(points), errors, count)


def _chance(difference: float, error: float) -> float:
    """The chance that a two-sided test finds the difference."""
    if error == 0:
        return float(difference > 0)
    normal = NormalDist()
    return normal.cdf(difference / error - normal.inv_cdf(1 - _ALPHA / 2))


def _default_sizes(count: int) -> list[int]:
    """1, 2 and 5 times powers of ten below the items at hand, then twice and four times as many."""
    steps = [step * 10**power for power in range(1, 7) for step in (1, 2, 5)]
    return [*(step for step in steps if step < count), 2 * count, 4 * count]


def _checked_sizes(sizes: object) -> list[int]:
    listed = list(sizes) if isinstance(sizes, Iterable) and not isinstance(sizes, str | bytes) else []
    for size in listed:
        if isinstance(size, bool) or not isinstance(size, int) or not _FEWEST <= size <= _LARGEST:
            listed = []
    if not listed:
        raise OptionError("sizes", f"integers from {_FEWEST} to {_LARGEST:,}", sizes)
    return listed
