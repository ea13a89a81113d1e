"""Thresholds that separate rows that pass from rows that fail, by a score.

A row is predicted to pass if its score is at least the threshold. Of the rows predicted to pass, `precision` is the
share that do pass; of the rows that pass, `recall` is the share predicted to.

Whether a score separates the two at all is decided first, by the area under the ROC curve: the chance that a row that
passes has a higher score than one that fails, counting ties as half. If the lower end of its 95% interval, from
resamples of items, is not above one half, no threshold is better than chance. Of data sets whose scores have no
relation to the outcome, this finds separation in 1.5% to 4%, where 2.5% are intended;
`tests/ratings/test_separation.py` simulates it. The chosen threshold must also be of use on held-out items: rows
that meet it must pass more often than all rows do, by more than resamples of items explain.
Bradley (1997): The use of the area under the ROC curve in the evaluation of machine learning algorithms. Pattern
Recognition 30.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bleuprint import checks
from bleuprint.errors import OptionError
from bleuprint.ratings.held_out import fold_numbers
from bleuprint.statistics.chance import Chance
from bleuprint.statistics.intervals import Interval, bootstrap_interval, check_samples, interval_of
from bleuprint.statistics.rows import Sample

__all__ = ["Criterion", "Separation", "best_threshold", "precision_recall", "separation"]

Numbers = NDArray[np.float64]
Flags = NDArray[np.bool_]
Items = NDArray[np.intp]

_DRAWN_AT_A_TIME = 1 << 22  # numbers held for a block of resamples


@dataclass(frozen=True, slots=True)
class Criterion:
    """What the threshold maximizes: F1, or one of precision and recall where the other is at least a given share."""

    precision: float | None = None
    recall: float | None = None

    def __post_init__(self) -> None:
        if self.precision is not None and self.recall is not None:
            given = {"precision": self.precision, "recall": self.recall}
            raise OptionError("precision and recall", "one of the two, which the other is maximized under", given)
        for name in ("precision", "recall"):
            value = getattr(self, name)
            if value is not None and (isinstance(value, bool) or not isinstance(value, int | float) or value != 1):
                checks.fraction(name, value)

    def __str__(self) -> str:
        if self.precision is not None:
            return f"the largest recall with a precision of at least {self.precision:g}"
        if self.recall is not None:
            return f"the largest precision with a recall of at least {self.recall:g}"
        return "the largest F1"

    def worth(self, right: Any, predicted: Any, passing: Any) -> Any:
        """What to maximize, of counts of rows: rightly predicted to pass, predicted to pass, and passing."""
        precision, recall = _share(right, predicted), _share(right, passing)
        if self.precision is not None:
            return np.where(precision >= self.precision, recall, -1.0)
        if self.recall is not None:
            return np.where(recall >= self.recall, precision, -1.0)
        return _share(2 * right, predicted + passing)


def _share(part: Any, whole: Any) -> Any:
    return part / np.where(whole > 0, whole, 1.0)


@dataclass(frozen=True, slots=True)
class Separation:
    """A threshold on a score, and how well it separates.

    `threshold` is None if no threshold separates, and `reason` says why. Precision, recall and F1 are those of held-out
    items: the threshold that judged a row was chosen without its item.
    """

    criterion: Criterion
    rows: int
    items: int
    passing: int
    area: Interval  # under the ROC curve; 0.5 is chance
    threshold: Interval | None
    precision: Interval | None
    recall: Interval | None
    f1: Interval | None
    reason: str = ""

    @property
    def separates(self) -> bool:
        """Whether there is a threshold that is better than chance and meets the criterion."""
        return self.threshold is not None

    @property
    def better_than_chance(self) -> bool:
        return self.area.low > 0.5


def best_threshold(scores: Numbers, passes: Flags, criterion: Criterion) -> float | None:
    """The threshold that is best by the criterion, as a short decimal; None if none meets it.

    >>> scores, passes = np.array([0.12, 0.31, 0.38, 0.47, 0.9]), np.array([False, False, True, False, True])
    >>> best_threshold(scores, passes, Criterion()), best_threshold(scores, passes, Criterion(precision=1.0))
    (0.34, 0.7)
    """
    steps = _Steps.of(scores, passes, np.arange(len(scores)))
    place = steps.best(np.ones((1, len(scores))), criterion)[0]
    return None if place < 0 else _between(steps, int(place))


def precision_recall(scores: Numbers, passes: Flags, *, points: int = 100) -> list[tuple[float, float, float]]:
    """Threshold, precision and recall, from the lowest score to the highest; evenly spaced ones if there are many.

    >>> precision_recall(np.array([0.1, 0.2, 0.3]), np.array([False, True, True]))
    [(0.1, 0.6666666666666666, 1.0), (0.2, 1.0, 1.0), (0.3, 1.0, 0.5)]
    """
    steps = _Steps.of(scores, passes, np.arange(len(scores)))
    passing, failing = (counted[0] for counted in steps.counts(np.ones((1, len(scores)))))
    places = np.unique(np.linspace(0, len(steps.levels) - 1, min(points, len(steps.levels))).round().astype(int))[::-1]
    rows = zip(steps.levels, _share(passing, passing + failing), _share(passing, passing[-1]), strict=True)
    listed = [(float(level), float(precision), float(recall)) for level, precision, recall in rows]
    return [listed[place] for place in places]


def separation(
    scores: Numbers,
    passes: Flags,
    items: Items,
    *,
    criterion: Criterion | None = None,
    folds: int = 10,
    level: float = 0.95,
    samples: int = 1000,
    seed: int = 12345,
) -> Separation:
    """Find the threshold of a score, higher being better, for rows that pass or fail; see the module's docstring."""
    criterion, chance = criterion or Criterion(), Chance(seed)
    steps = _Steps.of(scores, passes, items)
    count = int(items.max()) + 1
    fold_of = fold_numbers(count, folds, seed)[items]
    once = np.ones((1, count))
    areas, places = _resampled(steps, criterion, count, check_samples(samples), chance.seed)
    area = interval_of(float(steps.areas(once)[0]), areas, None, level=level, method="percentile", chance=chance)
    place = int(steps.best(once, criterion)[0])
    facts = (criterion, len(scores), count, int(passes.sum()), area)
    if not area.low > 0.5 or place < 0:
        chance_alone = "the interval of the area under the ROC curve reaches down to 0.5, which is chance"
        reason = chance_alone if not area.low > 0.5 else f"no threshold has {criterion}"
        return Separation(*facts, None, None, None, None, reason)
    met = steps.levels[places[places >= 0]]
    threshold = interval_of(_between(steps, place), met, None, level=level, method="percentile", chance=chance)
    judged = _judged_by_others(scores, passes, fold_of, criterion)
    outcomes = np.zeros((count, 4))
    flags = (judged & passes, judged, passes, np.ones(len(passes), dtype=bool))
    np.add.at(outcomes, items, np.column_stack(flags).astype(np.float64))

    def of(formula: Callable[[Any], Any]) -> Interval:
        sample = Sample(outcomes, formula, has_percent=False)
        return bootstrap_interval(sample, level=level, samples=samples, chance=chance)

    gain = of(lambda columns: _share(columns[0], columns[1]) - _share(columns[2], columns[3]))
    if not gain.low > 0:
        # Where most rows pass, the largest F1 is often that of a threshold that lets all of them pass.
        reason = (
            f"with {criterion}, held-out outputs that meet the threshold pass no more often than all outputs do "
            f"({gain.value:+.3f}, from {gain.low:+.3f} to {gain.high:+.3f}); ask for another precision or recall"
        )
        return Separation(*facts, None, None, None, None, reason)
    return Separation(
        *facts,
        threshold,
        of(lambda columns: _share(columns[0], columns[1])),
        of(lambda columns: _share(columns[0], columns[2])),
        of(lambda columns: _share(2 * columns[0], columns[1] + columns[2])),
    )


def _judged_by_others(scores: Numbers, passes: Flags, fold_of: Items, criterion: Criterion) -> Flags:
    """Which rows a threshold chosen on other folds predicts to pass; where none meets the criterion, none."""
    judged = np.zeros(len(scores), dtype=bool)
    for fold in np.unique(fold_of):
        test = fold_of == fold
        threshold = best_threshold(scores[~test], passes[~test], criterion)
        if threshold is not None:
            judged[test] = scores[test] >= threshold
    return judged


@dataclass(frozen=True, slots=True, eq=False)
class _Steps:
    """The distinct scores from the highest down, each of which can be a threshold, and the rows at each."""

    levels: Numbers
    level_of: Items  # of each row
    passes: Flags
    items: Items

    @classmethod
    def of(cls, scores: Numbers, passes: Flags, items: Items) -> _Steps:
        levels, level_of = np.unique(-scores, return_inverse=True)
        order = np.argsort(level_of, kind="stable")
        return cls(-levels, level_of.reshape(-1)[order], passes[order], items[order])

    def counts(self, drawn: Numbers) -> tuple[Numbers, Numbers]:
        """For each resample, the rows with at least each score that pass, and that fail."""
        weights = drawn[:, self.items]
        starts = np.searchsorted(self.level_of, np.arange(len(self.levels)))
        passing = np.add.reduceat(np.where(self.passes, weights, 0.0), starts, axis=1)
        failing = np.add.reduceat(np.where(self.passes, 0.0, weights), starts, axis=1)
        return passing.cumsum(axis=1), failing.cumsum(axis=1)

    def areas(self, drawn: Numbers) -> Numbers:
        """The area under the ROC curve; one half if all rows pass or all fail."""
        passing, failing = self.counts(drawn)
        below = failing[:, -1:] - failing
        at = np.diff(failing, axis=1, prepend=0.0)
        pairs = passing[:, -1] * failing[:, -1]
        won = (np.diff(passing, axis=1, prepend=0.0) * (below + at / 2)).sum(axis=1)
        return np.where(pairs > 0, won / np.where(pairs > 0, pairs, 1.0), 0.5)

    def best(self, drawn: Numbers, criterion: Criterion) -> Items:
        """The place of the best threshold, of equal ones the highest; -1 if none meets the criterion."""
        passing, failing = self.counts(drawn)
        worth = criterion.worth(passing, passing + failing, passing[:, -1:])
        return np.where(worth.max(axis=1) > 0, worth.argmax(axis=1), -1).astype(np.intp)


def _resampled(steps: _Steps, criterion: Criterion, items: int, samples: int, seed: int) -> tuple[Numbers, Items]:
    generator = np.random.default_rng(seed)
    size = max(1, _DRAWN_AT_A_TIME // len(steps.items))
    areas, places = [], []
    for done in range(0, samples, size):
        drawn = generator.multinomial(items, np.full(items, 1 / items), size=min(size, samples - done)).astype(float)
        areas.append(steps.areas(drawn))
        places.append(steps.best(drawn, criterion))
    return np.concatenate(areas), np.concatenate(places)


def _between(steps: _Steps, place: int) -> float:
    """The shortest decimal above the next lower score and up to the score at this place."""
    high = float(steps.levels[place])
    low = float(steps.levels[place + 1]) if place + 1 < len(steps.levels) else -np.inf
    middle = (low + high) / 2 if low > -np.inf else high
    for digits in range(17):
        rounded = round(middle, digits)
        if low < rounded <= high:
            return rounded
    return high
