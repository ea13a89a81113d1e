"""Cross-validation by item: predictions for rows that the fit has never seen, nor any other row of the same item.

Rows of one item (outputs of several systems for one source, several ratings of one output) resemble each other. Folds
over rows would put some of them on both sides, and the fit would be praised for recognizing the item. Folds here are
over items. The tuning is chosen by a second cross-validation inside each training set, also by item, so a prediction
does not depend on its own item in any way.
Varma and Simon (2006): Bias in error estimation when using cross-validation for model selection. BMC Bioinformatics 7.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bleuprint.errors import OptionError
from bleuprint.ratings.regression import Line, Moments, fitted_lines, tunings
from bleuprint.statistics.chance import Chance
from bleuprint.statistics.intervals import Interval, bootstrap_interval, check_samples, interval_of
from bleuprint.statistics.rows import Sample

__all__ = [
    "HeldOut",
    "correlation",
    "correlation_sample",
    "cross_validated",
    "difference_sample",
    "fold_numbers",
    "item_numbers",
    "tuned_fit",
    "weight_intervals",
]

Numbers = NDArray[np.float64]
Items = NDArray[np.intp]


def item_numbers(labels: Sequence[Hashable]) -> Items:
    """Number the items from 0, in the order of their first rows.

    >>> item_numbers(["b", "a", "b"]).tolist()
    [0, 1, 0]
    """
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(label, len(numbers)) for label in labels], dtype=np.intp)


def fold_numbers(items: int, folds: int, seed: int) -> Items:
    """The fold of each item: at random, and in folds of equal size as far as possible."""
    if isinstance(folds, bool) or not isinstance(folds, int) or not 2 <= folds <= items // 2:
        raise OptionError("folds", f"an integer from 2 to {items // 2}, half the number of items", folds)
    return np.random.default_rng(Chance(seed).seed).permutation(np.arange(items) % folds)


@dataclass(frozen=True, slots=True, eq=False)
class HeldOut:
    """The predictions of a cross-validation."""

    folds: Items  # of each row
    predictions: Numbers
    tunings: tuple[float, ...]  # chosen inside the training set of each fold

    def centered(self, values: Numbers) -> Numbers:
        """Values of the rows relative to the mean of their fold."""
        means = np.bincount(self.folds, weights=values) / np.bincount(self.folds)
        return values - means[self.folds]

    def standardized(self, values: Numbers) -> Numbers:
        """Values of the rows with mean 0 and variance 1 in each fold; 0 in a fold where all are equal.

        Correlate standardized predictions with centered ratings. Where the ratings of a test set are high by chance,
        those of its training set are low, and so are its predictions. Without any relation between x and y (400 data
        sets of 60 items with 3 rows and 3 predictors), predictions as they are correlate with ratings by −0.25 on
        average, centered ones by −0.09, and standardized ones by 0.00.
        """
        distances = self.centered(values)
        deviations = np.sqrt(np.bincount(self.folds, weights=distances**2) / np.bincount(self.folds))[self.folds]
        varies = deviations > 1e-9 * np.abs(values).max(initial=0.0)
        return np.where(varies, distances / np.where(varies, deviations, 1.0), 0.0)


def cross_validated(x: Numbers, y: Numbers, items: Items, *, method: str, folds: int, seed: int) -> HeldOut:
    """Predict each row by a fit to the rows of other items, tuned on these alone."""
    moments = Moments.by_group(x, y, items)
    fold_of = fold_numbers(len(moments.count), folds, seed)
    predictions, chosen = np.zeros(len(y)), []
    for fold in range(folds):
        training = fold_of != fold
        tuning = _best_tuning(x, y, items, moments, training, method=method, folds=folds, seed=seed + 1 + fold)
        (line,) = fitted_lines(method, moments.weighted(training.astype(np.float64)), [tuning])
        test = ~training[items]
        predictions[test] = line.at(x[test])
        chosen.append(tuning)
    return HeldOut(fold_of[items], predictions, tuple(chosen))


def tuned_fit(x: Numbers, y: Numbers, items: Items, *, method: str, folds: int, seed: int) -> tuple[Line, float]:
    """The fit to all rows, with the tuning that predicts best in cross-validation by item, and that tuning."""
    moments = Moments.by_group(x, y, items)
    everything = np.ones(len(moments.count), dtype=bool)
    tuning = _best_tuning(x, y, items, moments, everything, method=method, folds=folds, seed=seed)
    (line,) = fitted_lines(method, moments.weighted(everything.astype(np.float64)), [tuning])
    return line, tuning


def _best_tuning(
    x: Numbers,
    y: Numbers,
    items: Items,
    moments: Moments,
    among: NDArray[np.bool_],
    *,
    method: str,
    folds: int,
    seed: int,
) -> float:
    """The tuning with the smallest squared error on held-out items; of equal ones, the simplest."""
    numbers = np.flatnonzero(among)
    fold_of = np.full(len(among), -1, dtype=np.intp)
    fold_of[numbers] = fold_numbers(len(numbers), min(folds, len(numbers) // 2), seed)
    options = tunings(method, x.shape[1])
    errors = np.zeros(len(options))
    for fold in range(min(folds, len(numbers) // 2)):
        test = fold_of[items] == fold
        training = moments.weighted((among & (fold_of != fold)).astype(np.float64))
        for place, line in enumerate(fitted_lines(method, training, options)):
            errors[place] += ((y[test] - line.at(x[test])) ** 2).sum()
    return options[int(errors.argmin())]


def weight_intervals(
    x: Numbers,
    y: Numbers,
    items: Items,
    *,
    method: str,
    tuning: float,
    level: float = 0.95,
    samples: int = 1000,
    seed: int = 12345,
) -> list[Interval]:
    """Intervals of the weights, from resamples of items with the tuning held fixed.

    Weights are per standard deviation in all rows, so that those of different resamples can be compared.
    """
    moments = Moments.by_group(x, y, items)
    count = len(moments.count)
    (line,) = fitted_lines(method, moments.weighted(np.ones(count)), [tuning])
    chance = Chance(seed)
    generator = np.random.default_rng(chance.seed)
    drawn = np.concatenate(
        [
            resampled.slopes * line.scales
            for block in _blocks(check_samples(samples))
            for resampled in fitted_lines(method, moments.weighted(_draws(generator, count, block)), [tuning])
        ]
    )
    return [
        interval_of(float(weight), column, None, level=level, method="percentile", chance=chance)
        for weight, column in zip(line.weights, drawn.T, strict=True)
    ]


def _draws(generator: np.random.Generator, items: int, trials: int) -> Numbers:
    """How often each item is drawn, in trials that draw as many items as there are."""
    return generator.multinomial(items, np.full(items, 1 / items), size=trials).astype(np.float64)


def _blocks(trials: int, size: int = 256) -> list[int]:
    return [min(size, trials - done) for done in range(0, trials, size)]


def correlation_sample(x: Numbers, y: Numbers, items: Items) -> Sample:
    """A sample of items whose score is Pearson's correlation of x and y over their rows; 0 if a side is constant.

    >>> items = np.array([0, 0, 1, 2])
    >>> correlation_sample(np.array([1.0, 2, 3, 4]), np.array([2.0, 1, 4, 3]), items).score().round(3).item()
    0.6
    """
    return Sample(_sums(x, y, items), _pearson, has_percent=False)


def difference_sample(first: Numbers, second: Numbers, y: Numbers, items: Items) -> Sample:
    """A sample of items whose score is by how much `first` correlates better with y than `second` does."""
    rows = np.hstack([_sums(first, y, items), _sums(second, y, items)])
    return Sample(rows, lambda columns: _pearson(columns[:6]) - _pearson(columns[6:]), has_percent=False)


def correlation(
    x: Numbers, y: Numbers, items: Items, *, level: float = 0.95, samples: int = 1000, seed: int = 12345
) -> Interval:
    """Pearson's correlation, with an interval from resamples of items."""
    sample = correlation_sample(x, y, items)
    return bootstrap_interval(sample, level=level, samples=samples, chance=Chance(seed))


def _sums(x: Numbers, y: Numbers, items: Items) -> Numbers:
    x, y = x - x.mean(), y - y.mean()
    rows = np.zeros((int(items.max()) + 1, 6))
    np.add.at(rows, items, np.column_stack([np.ones(len(x)), x, y, x * x, y * y, x * y]))
    return rows


def _pearson(columns: Sequence[Numbers]) -> Numbers:
    count, x, y, xx, yy, xy = columns
    count = np.maximum(count, 1.0)
    x_variance, y_variance = xx / count - (x / count) ** 2, yy / count - (y / count) ** 2
    # A constant column leaves only rounding of its sum of squares.
    varies = (x_variance > 1e-12 * xx / count) & (y_variance > 1e-12 * yy / count)
    covariance = xy / count - x * y / count**2
    return np.clip(
        np.where(varies, covariance / np.sqrt(np.where(varies, x_variance * y_variance, 1.0)), 0.0), -1.0, 1.0
    )
