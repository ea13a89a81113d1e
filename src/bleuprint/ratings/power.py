"""How many rated items are enough to measure agreement, and to tell metrics apart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bleuprint.core.arrays import np
from bleuprint.errors import InputError
from bleuprint.ratings.power_statistics import PowerCurve, power_curve
from bleuprint.ratings.scored import FromRatings, rated_scores
from bleuprint.ratings.table import Names
from bleuprint.results.display import Cell, DisplayTable
from bleuprint.runners.evaluation import Metrics

__all__ = ["RatingPower", "rating_power"]

_FEWEST_ITEMS = 10


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


def rating_power(
    table: Any,
    human: str,
    *,
    metrics: Metrics = ("bleu", "chrf", "ter"),
    models: Mapping[str, Any] | None = None,
    columns: Names | Mapping[str, Sequence[float | None]] = (),
    lower_is_better: Iterable[str] = (),
    group: str | None = None,
    sizes: Sequence[int] | None = None,
    segment: str | None = None,
    system: str | None = None,
    rater: str | None = None,
    hypothesis: str | None = None,
    reference: Names | None = None,
    source: str | None = None,
    samples: int = 1000,
    seed: int = 12345,
    threads: int | None = None,
) -> RatingPower:
    """Estimate how many rated items are needed to measure agreement with people, and to tell metrics apart.

    - `table`, `human`, `metrics`, `models`, `group` and the columns: as in `fit`
    - `columns`: scores of other metrics: names of columns, or a dict with a value per row by name
    - `lower_is_better`: names of the columns of ratings and scores in which lower is better
    - `sizes`: numbers of items; by default, steps up to those at hand, and two and four times as many
    - `samples`, `seed`: number and random seed of the draws of items

    >>> words = "the old cat sat on a red mat near the big door".split()
    >>> rows = []
    >>> for number in range(60):
    ...     kept = 4 + number % 9
    ...     rows.append({
    ...         "id": number,
    ...         "output": " ".join(words[:kept]),
    ...         "reference": " ".join(words),
    ...         "quality": kept + 5 * (number % 4),
    ...     })
    >>> power = rating_power(rows, "quality", metrics=["bleu"], sizes=[20, 240])
    >>> [(point.items, round(point.margins["bleu"], 1)) for point in power.curve.points]
    [(20, 0.4), (60, 0.2), (240, 0.1)]
    """
    scored = rated_scores(
        table,
        human,
        metrics=metrics,
        models=models,
        columns=columns,
        lower_is_better=lower_is_better,
        group=group,
        threads=threads,
        segment=segment,
        system=system,
        rater=rater,
        hypothesis=hypothesis,
        reference=reference,
        source=source,
    )
    if not scored.scores:
        raise InputError("there is nothing to correlate with: pass at least one metric or column of scores.")
    if scored.item_count < _FEWEST_ITEMS:
        raise InputError(
            f"{scored.name} has ratings of {scored.item_count} items in {human!r}; a power curve needs at least "
            f"{_FEWEST_ITEMS}, because it draws from them."
        )
    for name, values in {human: scored.ratings, **scored.scores}.items():
        if np.ptp(values) == 0:
            raise InputError(f"all values of {name} are {values[0]:g}, so it has no correlation; leave it out.")
    curve = power_curve(
        {name: scored.sign[name] * values for name, values in scored.scores.items()},
        scored.ratings,
        scored.items,
        sizes=sizes,
        trials=samples,
        seed=seed,
    )
    return RatingPower(scored.name, human, len(scored.ratings) / scored.item_count, curve, scored.notes)
