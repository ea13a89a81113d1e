"""Rows that belong to items: folds and resamples over items, and correlations whose intervals resample items.

Rows of one item (outputs of several systems for one source, several ratings of one output) resemble each other. Folds
over rows would put some of them on both sides, and a fit would be praised for recognizing the item. Resamples of rows
would make intervals too narrow. So both are over items.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bleuprint import checks
from bleuprint.statistics.chance import Chance
from bleuprint.statistics.intervals import Interval, bootstrap_interval
from bleuprint.statistics.rows import Sample

Numbers = NDArray[np.float64]
Items = NDArray[np.intp]


def check_resamples(resamples: object) -> int:
    """Check the number of resamples and return it."""
    number: int = checks.integer("resamples", resamples, 1, 10**8)
    return number


def fold_numbers(items: int, folds: int, seed: int) -> Items:
    """The fold of each item: at random, and in folds of equal size as far as possible."""
    allowed = f"an integer from 2 to {items // 2}, half the number of items"
    checks.integer("folds", folds, 2, items // 2, allowed=allowed)
    return np.random.default_rng(Chance(seed).seed).permutation(np.arange(items) % folds)


def draw_items(generator: np.random.Generator, items: int, trials: int, *, size: int | None = None) -> Numbers:
    """How often each item is drawn, in trials that draw `size` items, as many as there are by default."""
    drawn = generator.multinomial(items if size is None else size, np.full(items, 1 / items), size=trials)
    return drawn.astype(np.float64)


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


def correlation(x: Numbers, y: Numbers, items: Items, *, resamples: int = 1000, seed: int = 12345) -> Interval:
    """Pearson's correlation, with an interval from resamples of items."""
    return bootstrap_interval(correlation_sample(x, y, items), resamples=resamples, chance=Chance(seed))


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
