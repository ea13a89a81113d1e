"""Linear regression with several predictors: ridge and partial least squares.

    ŷ = intercept + Σ weight · (x − mean) / scale

with each predictor centered and divided by its standard deviation (over n, not n − 1). Ridge minimizes the squared
error plus penalty · n · Σ weight²; the factor n keeps a penalty comparable between samples of different sizes. Partial
least squares (PLS1) adds components one after another: the direction of the largest covariance with what is left of y.
With as many components as predictors it is ordinary least squares.

Both need only sums over rows: of x, y, and their products. Sums are kept per group of rows, so leaving out or drawing
groups is adding up their sums, and the texts and scores behind them are not touched again.

Hoerl and Kennard (1970): Ridge regression: biased estimation for nonorthogonal problems. Technometrics 12.
Wold, Sjöström and Eriksson (2001): PLS-regression: a basic tool of chemometrics. Chemometrics and Intelligent
Laboratory Systems 58.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bleuprint.core.arrays import np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["METHODS", "Line", "Moments", "fitted_lines", "tunings"]

METHODS = ("ridge", "pls")
_PENALTIES = tuple(10.0 ** (exponent / 2) for exponent in range(-8, 5))  # 0.0001 to 100
_NOTHING_LEFT = 1e-12  # of a variance of 1, after rounding


@dataclass(frozen=True, slots=True, eq=False)
class Moments:
    """Sums over rows, for each group of rows; the leading dimensions of all arrays are the groups.

    Values are relative to `x_origin` and `y_origin`, so that large means do not cancel small variances.
    """

    x_origin: NDArray[np.float64]
    y_origin: float
    count: NDArray[np.float64]
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    xx: NDArray[np.float64]
    xy: NDArray[np.float64]

    @classmethod
    def by_group(cls, x: NDArray[np.float64], y: NDArray[np.float64], groups: NDArray[np.intp]) -> Moments:
        """The sums of each group; `groups` numbers the group of each row from 0."""
        x_origin, y_origin = x.mean(axis=0), float(y.mean())
        near, ratings = x - x_origin, y - y_origin

        def summed(values: NDArray[np.float64]) -> NDArray[np.float64]:
            sums = np.zeros((int(groups.max()) + 1, *values.shape[1:]))
            np.add.at(sums, groups, values)
            return sums

        products = near[:, :, None] * near[:, None, :]
        return cls(
            x_origin,
            y_origin,
            summed(np.ones(len(y))),
            summed(near),
            summed(ratings),
            summed(products),
            summed(near * ratings[:, None]),
        )

    def weighted(self, weights: NDArray[np.float64]) -> Moments:
        """The sums over all groups, each as often as `weights` says; one set of sums for each row of weights."""
        sums = (np.tensordot(weights, sums, axes=1) for sums in (self.count, self.x, self.y, self.xx, self.xy))
        return Moments(self.x_origin, self.y_origin, *sums)


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """A fitted linear function; with leading dimensions, one for each set of sums."""

    means: NDArray[np.float64]
    scales: NDArray[np.float64]
    weights: NDArray[np.float64]  # change of ŷ per standard deviation of a predictor
    intercept: NDArray[np.float64]  # ŷ where every predictor has its mean

    @property
    def slopes(self) -> NDArray[np.float64]:
        """Change of ŷ per unit of each predictor."""
        return self.weights / self.scales

    def at(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        """The fitted values of rows of predictors."""
        values: NDArray[np.float64] = self.intercept + ((x - self.means) / self.scales) @ self.weights
        return values


def tunings(method: str, predictors: int) -> tuple[float, ...]:
    """The values that a method can be tuned to, from the simplest fit to the most flexible.

    >>> tunings("pls", 3), len(tunings("ridge", 3))
    ((1, 2, 3), 13)
    """
    return tuple(reversed(_PENALTIES)) if method == "ridge" else tuple(range(1, predictors + 1))


def fitted_lines(method: str, moments: Moments, tuned_to: Sequence[float]) -> list[Line]:
    """Fit once for each tuning: by ridge with a penalty, or by partial least squares with a number of components.

    A predictor that is constant gets the weight 0.

    >>> x, y = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 2.0], [3.0, 1.0]]), np.array([1.0, 3.0, 5.0, 7.0])
    >>> moments = Moments.by_group(x, y, np.arange(4)).weighted(np.ones(4))
    >>> [line.at(np.array([[10.0, 0.0]])).round(6).item() for line in fitted_lines("pls", moments, [1, 2])]
    [17.538462, 21.0]
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
    solve = _ridge if method == "ridge" else _partial_least_squares
    return [
        Line(moments.x_origin + means, scales, weights, moments.y_origin + y_mean)
        for weights in solve(correlations, with_y, tuned_to)
    ]


def _ridge(
    correlations: NDArray[np.float64], with_y: NDArray[np.float64], penalties: Sequence[float]
) -> list[NDArray[np.float64]]:
    identity = np.eye(with_y.shape[-1])
    y_column = with_y[..., None]
    solved = (np.linalg.solve(correlations + penalty * identity, y_column) for penalty in penalties)
    return [weights[..., 0].astype(np.float64) for weights in solved]


def _partial_least_squares(
    correlations: NDArray[np.float64], with_y: NDArray[np.float64], components: Sequence[float]
) -> list[NDArray[np.float64]]:
    """NIPALS in terms of XᵀX and Xᵀy, which a component changes as it changes X."""
    left_of_x, left_of_y = correlations.copy(), with_y.copy()
    enough = _NOTHING_LEFT * (with_y**2).sum(axis=-1)
    weights = [np.zeros_like(with_y)]
    rotations: list[tuple[NDArray[np.float64], NDArray[np.float64]]] = []
    for _ in range(int(max(components))):
        square = (left_of_y**2).sum(axis=-1)
        direction = left_of_y / np.sqrt(np.where(square > enough, square, np.inf))[..., None]
        onto = np.einsum("...ij,...j->...i", left_of_x, direction)
        variance = (direction * onto).sum(axis=-1)
        variance = np.where(variance > _NOTHING_LEFT, variance, np.inf)[..., None]
        loadings = onto / variance
        gain = (left_of_y * direction).sum(axis=-1)[..., None] / variance
        rotation = direction.copy()
        for earlier, its_loadings in rotations:
            rotation -= (its_loadings * direction).sum(axis=-1)[..., None] * earlier
        rotations.append((rotation, loadings))
        weights.append(weights[-1] + rotation * gain)
        left_of_x -= loadings[..., :, None] * onto[..., None, :]
        left_of_y = left_of_y - onto * gain
    return [weights[int(count)] for count in components]
