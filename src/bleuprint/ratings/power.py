"""How many rated items are enough to measure agreement, and to tell metrics apart.

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

from bleuprint import checks
from bleuprint.errors import InputError, OptionError
from bleuprint.ratings.items import Trials, correlation_sample, draw_items
from bleuprint.ratings.scoring import FromRatings, RatedScores
from bleuprint.results.display import Cell, DisplayTable
from bleuprint.statistics.power import detectable_difference, segments_needed

Numbers = NDArray[np.float64]
Items = NDArray[np.intp]

_ALPHA = 0.05
_FEWEST_ITEMS = 10  # correlations over fewer have no useful standard error
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


@dataclass(frozen=True, slots=True, repr=False)
class RatingPower(FromRatings):
    """How precise the correlations of metrics with ratings are, for each number of rated items."""

    name: str
    human: str
    outputs_per_item: float
    curve: PowerCurve
    notes: tuple[str, ...] = ()

    @property
    def closest(self) -> str | None:
        """The metric whose correlation comes closest to the best one; None if there is only one metric."""
        others = [name for name in self.curve.correlations if name != self.curve.best]
        return max(others, key=lambda name: self.curve.correlations[name]) if others else None

    @property
    def verdict(self) -> str:
        """The result in words."""
        curve, now = self.curve, next(point for point in self.curve.points if point.items == self.curve.items)
        best = f"{curve.best} correlates best with {self.human}, by {curve.correlations[curve.best]:.3f}"
        text = f"With {curve.items:,} items, {best} ± {now.margins[curve.best]:.3f}."
        if self.closest is None:
            return text
        gap = curve.correlations[curve.best] - curve.correlations[self.closest]
        needed = curve.needed(self.closest)
        chance = now.told_apart[self.closest]
        apart = f"{self.closest} is {gap:.3f} behind, which a test finds with a chance of {chance:.0%}"
        if needed is None:
            return f"{text} {self.closest} correlates just as well."
        more = "" if needed <= curve.items else ", if further items are like these"
        return f"{text} {apart}; for a chance of 80%, about {needed:,} items are needed{more}."

    def __repr__(self) -> str:
        return f"<RatingPower for {self.human}: {len(self.curve.points)} sizes, {self.curve.items} items at hand>"

    def display(self, *, percent: bool = False) -> tuple[DisplayTable, ...]:
        """A row for each number of items; `percent` changes nothing, because correlations have no percentage."""
        best, other = self.curve.best, self.closest
        header = ["items", "outputs", f"± of {best}"]
        rows = []
        for point in self.curve.points:
            items = Cell(f"{point.items:,}", point.items, mark="*" if point.extrapolated else "")
            outputs = round(point.items * self.outputs_per_item)
            row = [items, Cell(f"{outputs:,}", outputs), Cell(f"{point.margins[best]:.3f}", point.margins[best])]
            if other is not None:
                detectable, chance = point.detectable[other], point.told_apart[other]
                row += [Cell(f"{detectable:.3f}", detectable), Cell(f"{chance:.2f}", chance)]
            rows.append(tuple(row))
        if other is not None:
            header += [f"detectable vs {other}", "told apart"]
        notes = [self.verdict]
        if other is not None:
            notes.append(
                "detectable: the difference between two correlations that a test at level 0.05 finds with a chance of "
                "80%; told apart: the chance that it finds the difference at hand"
            )
        if any(point.extrapolated for point in self.curve.points):
            notes.append("* extrapolated: holds if further items are like these")
        return (
            DisplayTable(
                tuple(header),
                tuple(rows),
                caption=f"Precision of the correlation with {self.human} by the number of rated items.",
                notes=tuple(notes),
                words=frozenset(),
                label="rating-power",
            ),
        )


def estimate_power(scored: RatedScores, sizes: Sequence[int] | None, trials: Trials) -> RatingPower:
    """Estimate what more or fewer rated items would tell; see `Ratings.power`."""
    if not scored.scores:
        raise InputError("there is nothing to correlate with: pass at least one metric or column of scores.")
    if scored.item_count < _FEWEST_ITEMS:
        raise InputError(
            f"{scored.name} has ratings of {scored.item_count} items in {scored.human!r}; a power curve needs at least "
            f"{_FEWEST_ITEMS}, because it draws from them."
        )
    for name, values in {scored.human: scored.ratings, **scored.scores}.items():
        if np.ptp(values) == 0:
            raise InputError(f"all values of {name} are {values[0]:g}, so it has no correlation; leave it out.")
    predictors = {name: scored.sign[name] * values for name, values in scored.scores.items()}
    curve = power_curve(predictors, scored.ratings, scored.items, sizes, trials)
    return RatingPower(scored.name, scored.human, len(scored.ratings) / scored.item_count, curve, scored.notes)


def power_curve(
    predictors: Mapping[str, Numbers],
    ratings: Numbers,
    items: Items,
    sizes: Sequence[int] | None,
    trials: Trials,
) -> PowerCurve:
    """Measure how the precision of each predictor's correlation with the ratings grows with the number of items."""
    samples = {name: correlation_sample(values, ratings, items) for name, values in predictors.items()}
    correlations = {name: sample.score().item() for name, sample in samples.items()}
    best = max(correlations, key=lambda name: correlations[name])
    count = int(items.max()) + 1
    wanted = sorted({count, *(_default_sizes(count) if sizes is None else _check_sizes(sizes))})
    generator = np.random.default_rng(trials.seed)
    points, errors = [], {}
    for size in wanted:
        drawn = draw_items(generator, count, trials.count, size=size)
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


def _check_sizes(sizes: object) -> list[int]:
    allowed = f"integers from {_FEWEST_ITEMS} to {_LARGEST:,}"
    if not isinstance(sizes, Iterable) or isinstance(sizes, str | bytes) or not (listed := list(sizes)):
        raise OptionError("sizes", allowed, sizes)
    return [checks.integer("sizes", size, _FEWEST_ITEMS, _LARGEST, allowed=allowed) for size in listed]
