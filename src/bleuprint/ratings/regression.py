"""Ridge regression with several predictors.

    ŷ = intercept + Σ weight · (x − mean) / scale

with each predictor centered and divided by its standard deviation (over n, not n − 1). Weights minimize the squared
error plus penalty · n · Σ weight²; the factor n keeps a penalty comparable between samples of different sizes.

A fit needs only sums over rows: of x, y, and their products. Sums are kept per item, so leaving out or drawing items is
adding up their sums, and the texts and scores behind them are not touched again.

`Regression.cross_validate` predicts rows that the fit has never seen, nor any other row of the same item. The penalty
is chosen by a second cross-validation inside each training set, also by item, so a prediction does not depend on its
own item in any way.

Hoerl and Kennard (1970): Ridge regression: biased estimation for nonorthogonal problems. Technometrics 12.
Varma and Simon (2006): Bias in error estimation when using cross-validation for model selection. BMC Bioinformatics 7.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from bleuprint.core.arrays import Flags, Floats, NDArray, Places, np
from bleuprint.ratings.items import Trials, fold_numbers, sums_by_item
from bleuprint.statistics.intervals import Interval

PENALTIES: tuple[float, ...] = tuple(10.0 ** (exponent / 2) for exponent in reversed(range(-8, 5)))  # 100 to 0.0001
_NOTHING_LEFT = 1e-12  # of a variance of 1, after rounding
_BLOCK = 256  # resamples that are fitted at a time


@dataclass(frozen=True, slots=True, eq=False)
class Moments:
    """Sums over rows, for each group of rows; the leading dimensions of all arrays are the groups.

    Values are relative to `x_origin` and `y_origin`, so that large means do not cancel small variances.
    """

    x_origin: Floats
    y_origin: float
    count: Floats
    x: Floats
    y: Floats
    xx: Floats
    xy: Floats

    @classmethod
    def by_group(cls, x: Floats, y: Floats, groups: Places) -> Moments:
        """The sums of each group, such as an item; `groups` numbers the group of each row from 0."""
        x_origin, y_origin = x.mean(axis=0), float(y.mean())
        near, ratings = x - x_origin, y - y_origin
        products = near[:, :, None] * near[:, None, :]
        columns = np.ones(len(y)), near, ratings, products, near * ratings[:, None]
        return cls(x_origin, y_origin, *(sums_by_item(groups, values) for values in columns))

    def weigh(self, weights: Floats) -> Moments:
        """The sums over all groups, each as often as `weights` says; one set of sums for each row of weights."""
        sums = (np.tensordot(weights, sums, axes=1) for sums in (self.count, self.x, self.y, self.xx, self.xy))
        return Moments(self.x_origin, self.y_origin, *sums)


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """A fitted linear function; with leading dimensions, one for each set of sums."""

    means: Floats
    scales: Floats
    weights: Floats  # change of ŷ per standard deviation of a predictor
    intercept: Floats  # ŷ where every predictor has its mean

    def at(self, x: Floats) -> Floats:
        """The fitted values of rows of predictors."""
        values: Floats = self.intercept + ((x - self.means) / self.scales) @ self.weights
        return values


def fit_lines(moments: Moments, penalties: Sequence[float]) -> list[Line]:
    """Fit once for each penalty. A predictor that is constant gets the weight 0.

    >>> x, y = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 2.0], [3.0, 1.0]]), np.array([1.0, 3.0, 5.0, 7.0])
    >>> moments = Moments.by_group(x, y, np.arange(4)).weigh(np.ones(4))
    >>> [line.at(np.array([[10.0, 0.0]])).round(6).item() for line in fit_lines(moments, [1, 0])]
    [12.025641, 21.0]
    """
    count = moments.count[..., None]
    means, y_mean = moments.x / count, moments.y / moments.count
    covariances = moments.xx / count[..., None] - means[..., :, None] * means[..., None, :]
    variances = np.diagonal(covariances, axis1=-2, axis2=-1)
    # Relative to the variance about the origin: where all of that is one mean, what is left is rounding.
    squares = np.diagonal(moments.xx, axis1=-2, axis2=-1) / count
    varies = variances > _NOTHING_LEFT * np.maximum(squares, np.finfo(np.float64).tiny)
    scales = np.where(varies, np.sqrt(np.where(varies, variances, 1.0)), 1.0)
    both_vary = varies[..., :, None] & varies[..., None, :]
    correlations = np.where(both_vary, covariances / (scales[..., :, None] * scales[..., None, :]), 0.0)
    with_y = np.where(varies, (moments.xy / count - means * y_mean[..., None]) / scales, 0.0)
    identity = np.eye(with_y.shape[-1])
    solved = (np.linalg.solve(correlations + penalty * identity, with_y[..., None]) for penalty in penalties)
    return [
        Line(moments.x_origin + means, scales, weights[..., 0].astype(np.float64), moments.y_origin + y_mean)
        for weights in solved
    ]


def center(values: Floats, folds: Places) -> Floats:
    """Values of rows relative to the mean of their fold."""
    means = np.bincount(folds, weights=values) / np.bincount(folds)
    return values - means[folds]


def standardize(values: Floats, folds: Places) -> Floats:
    """Values of rows with mean 0 and variance 1 in each fold; 0 in a fold where all are equal.

    Correlate standardized predictions with centered ratings. Where the ratings of a test set are high by chance, those
    of its training set are low, and so are its predictions. Without any relation between x and y (400 data sets of 60
    items with 3 rows and 3 predictors), predictions as they are correlate with ratings by −0.25 on average, centered
    ones by −0.09, and standardized ones by 0.00.
    """
    distances = center(values, folds)
    deviations = np.sqrt(np.bincount(folds, weights=distances**2) / np.bincount(folds))[folds]
    varies = deviations > 1e-9 * np.abs(values).max(initial=0.0)
    return np.where(varies, distances / np.where(varies, deviations, 1.0), 0.0)


@dataclass(frozen=True, eq=False)
class Regression:
    """Predictors x and ratings y of rows, the item of each row, and the folds over items."""

    x: Floats
    y: Floats
    items: Places
    folds: int = 10
    seed: int = 12345

    @cached_property
    def moments(self) -> Moments:
        return Moments.by_group(self.x, self.y, self.items)

    def cross_validate(self) -> tuple[Floats, Places]:
        """Predict each row by a fit to the rows of other items, with a penalty chosen on these; return all folds."""
        fold_of = fold_numbers(len(self.moments.count), self.folds, self.seed)
        predictions = np.zeros(len(self.y))
        for fold in range(self.folds):
            training = fold_of != fold
            penalty = self._best_penalty(training, self.seed + 1 + fold)
            test = ~training[self.items]
            predictions[test] = self._line(training, penalty).at(self.x[test])
        return predictions, fold_of[self.items]

    def tune(self) -> tuple[Line, float]:
        """The fit to all rows, with the penalty that predicts best in cross-validation by item, and that penalty."""
        everything = np.ones(len(self.moments.count), dtype=bool)
        penalty = self._best_penalty(everything, self.seed)
        return self._line(everything, penalty), penalty

    def weight_intervals(self, line: Line, penalty: float, trials: Trials) -> list[Interval]:
        """95 % intervals of the weights of the fit to all rows, from resamples of items with the penalty held fixed.

        Weights are per standard deviation in all rows, so that those of different resamples can be compared.
        """
        fitted = (self._line(drawn, penalty) for drawn in trials.draws(len(self.moments.count), _BLOCK))
        columns = np.concatenate([other.weights / other.scales * line.scales for other in fitted]).T
        return [trials.percentiles(float(weight), column) for weight, column in zip(line.weights, columns, strict=True)]

    def _line(self, weights: NDArray[np.generic], penalty: float) -> Line:
        """Fit to items that count as often as `weights` says."""
        (line,) = fit_lines(self.moments.weigh(weights.astype(np.float64)), [penalty])
        return line

    def _best_penalty(self, among: Flags, seed: int) -> float:
        """The penalty with the smallest squared error on held-out items; of equal ones, the largest."""
        numbers = np.flatnonzero(among)
        folds = min(self.folds, len(numbers) // 2)
        fold_of = np.full(len(among), -1, dtype=np.intp)
        fold_of[numbers] = fold_numbers(len(numbers), folds, seed)
        errors = np.zeros(len(PENALTIES))
        for fold in range(folds):
            test = fold_of[self.items] == fold
            training = self.moments.weigh((among & (fold_of != fold)).astype(np.float64))
            for place, line in enumerate(fit_lines(training, PENALTIES)):
                errors[place] += ((self.y[test] - line.at(self.x[test])) ** 2).sum()
        return PENALTIES[int(errors.argmin())]
