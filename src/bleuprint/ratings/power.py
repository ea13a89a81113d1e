"""How many rated items are enough to measure agreement, and to tell metrics apart.

For each number of items, that many are drawn from the items at hand, with replacement, again and again. The spread of
a correlation over these draws is its standard error with so many items; the same holds for the difference between the
correlations of two predictors. Numbers beyond the items at hand are extrapolated: they hold if more items are of the
same kind, which the data cannot tell.

The chance of telling two predictors apart is that of a two-sided test at level 0.05, if the true difference is the one
at hand and its estimate is normally distributed: Φ(difference / standard error − 1.96).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

from bleuprint import checks
from bleuprint.core.arrays import Floats, np
from bleuprint.errors import InputError, OptionError
from bleuprint.ratings.items import Trials, correlation_sample, draw_items
from bleuprint.ratings.scoring import RatedScores
from bleuprint.results.analysis import Analysis
from bleuprint.results.display import Cell, DisplayTable
from bleuprint.statistics.power import UNREACHABLE, detectable_difference, segments_needed

_ALPHA = 0.05
_FEWEST_ITEMS = 10  # correlations over fewer have no useful standard error
_LARGEST = 10**7
_BLOCK = 1000  # trials in memory at a time
_ROUNDING = 1e-12  # of a correlation, whose sums depend on the scale of the scores


@dataclass(frozen=True, slots=True)
class PowerPoint:
    """What can be expected of a number of rated items."""

    items: int
    extrapolated: bool  # more than the items at hand
    margins: Mapping[str, float]  # half the width of the 95 % interval of each predictor's correlation
    detectable: Mapping[str, float]  # the difference from the best predictor that is detected in 80 % of cases
    told_apart: Mapping[str, float]  # the chance of telling each predictor from the best one


@dataclass(frozen=True, slots=True, repr=False)
class RatingPower(Analysis):
    """How precise the correlations of metrics with ratings are, for each number of rated items."""

    name: str
    human: str
    items: int  # at hand
    outputs_per_item: float
    best: str  # the predictor that correlates best
    correlations: Mapping[str, float]
    points: tuple[PowerPoint, ...]
    needed: Mapping[str, int | None]  # items to tell each predictor from the best in 80 % of cases; None if none would
    notes: tuple[str, ...] = ()

    @property
    def closest(self) -> str | None:
        """The metric whose correlation comes closest to the best one; None if there is only one metric."""
        return max(self.needed, key=lambda name: self.correlations[name], default=None)

    @property
    def verdict(self) -> str:
        """The result in words."""
        now = next(point for point in self.points if point.items == self.items)
        best = f"{self.best} correlates best with {self.human}, by {self.correlations[self.best]:.3f}"
        text = f"With {self.items:,} items, {best} ± {now.margins[self.best]:.3f}."
        if self.closest is None:
            return text
        gap = self.correlations[self.best] - self.correlations[self.closest]
        needed = self.needed[self.closest]
        chance = now.told_apart[self.closest]
        apart = f"{self.closest} is {gap:.3f} behind, which a test finds with a chance of {100 * chance:.0f} %"
        if needed is None:
            return f"{text} {self.closest} correlates just as well: no number of items would tell them apart."
        more = "" if needed <= self.items else ", if further items are like these"
        return f"{text} {apart}; for a chance of 80 %, about {needed:,} items are needed{more}."

    def __repr__(self) -> str:
        return f"<RatingPower for {self.human}: {len(self.points)} sizes, {self.items} items at hand>"

    def display(self, *, percent: bool = False) -> tuple[DisplayTable, ...]:
        """A row for each number of items; `percent` changes nothing, because correlations have no percentage."""
        best, other = self.best, self.closest
        header = ["items", "outputs", f"± of {best}"]
        rows = []
        for point in self.points:
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
                "80 %; told apart: the chance that it finds the difference at hand"
            )
        if any(point.extrapolated for point in self.points):
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
    samples = {
        name: correlation_sample(scored.sign[name] * values, scored.ratings, scored.items)
        for name, values in scored.scores.items()
    }
    correlations = {name: sample.score().item() for name, sample in samples.items()}
    best = max(correlations, key=lambda name: correlations[name])
    gaps = {name: correlations[best] - value for name, value in correlations.items() if name != best}
    gaps = {name: 0.0 if gap < _ROUNDING else gap for name, gap in gaps.items()}
    count = scored.item_count
    wanted = sorted({count, *(_default_sizes(count) if sizes is None else _check_sizes(sizes))})
    generator = np.random.default_rng(trials.seed)
    points, needed = [], {}
    for size in wanted:
        parts: dict[str, list[Floats]] = {name: [] for name in samples}
        for begin in range(0, trials.count, _BLOCK):
            drawn = draw_items(generator, count, min(_BLOCK, trials.count - begin), size=size)
            for name, sample in samples.items():
                parts[name].append(sample.score(drawn @ sample.rows))
        scores = {name: np.concatenate(found) for name, found in parts.items()}
        errors = {name: float((scores[best] - scores[name]).std()) for name in gaps}
        if size == count:
            counts = {
                name: segments_needed(errors[name], count, gap) if gap else UNREACHABLE for name, gap in gaps.items()
            }
            needed = {name: number if number < UNREACHABLE else None for name, number in counts.items()}
        points.append(
            PowerPoint(
                size,
                size > count,
                {name: float(np.diff(np.quantile(values, (0.025, 0.975)))[0]) / 2 for name, values in scores.items()},
                {name: detectable_difference(error, alpha=_ALPHA) for name, error in errors.items()},
                {name: _chance(gaps[name], error) for name, error in errors.items()},
            )
        )
    return RatingPower(
        scored.name,
        scored.human,
        count,
        len(scored.ratings) / count,
        best,
        correlations,
        tuple(points),
        needed,
        scored.notes,
    )


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
    listed = checks.items_of(sizes)
    if not listed:
        raise OptionError("sizes", allowed, sizes)
    return [checks.integer("sizes", size, _FEWEST_ITEMS, _LARGEST, allowed=allowed) for size in listed]
