"""Correlations of scores with ratings: Pearson, Spearman and Kendall's tau-b, over all outputs or within each item.

Arrays hold one number per output. Several metrics are rows of one matrix, and NaN marks what is undefined: a
correlation with numbers that are all equal. Kendall's tau-b takes O(n log n): pairs are counted bit by bit of the
ranks.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Places = NDArray[np.intp]


def why_undefined(scores: Floats, ratings: Floats, unit: str) -> str | None:
    """Say why the correlation of scores with ratings is undefined; None if it is defined.

    >>> why_undefined(np.array([1.0, 1.0, 1.0]), np.array([1.0, 2.0, 3.0]), "outputs")
    'all of its scores are equal'
    """
    if len(ratings) < 3:
        return f"it needs at least 3 {unit}, got {len(ratings)}"
    if np.isnan(scores).any():
        return f"some {unit} have no score"
    if np.ptp(ratings) == 0:
        return "all ratings are equal"
    return "all of its scores are equal" if np.ptp(scores) == 0 else None


def pearson(scores: Floats, ratings: Floats) -> Floats:
    """Return Pearson's r along the last axis; NaN where either side is constant.

    >>> pearson(np.array([[1.0, 2.0, 4.0], [3.0, 3.0, 3.0]]), np.array([1.0, 2.0, 3.0])).round(4).tolist()
    [0.982, nan]
    """
    first, second = _normalize(scores), _normalize(ratings)
    r: Floats = np.clip((first * second).sum(axis=-1), -1.0, 1.0)
    return r


def _normalize(values: Floats) -> Floats:
    """Return the values with mean 0 and a sum of squares of 1; NaN if all are equal."""
    if values.shape[-1] == 0:
        return values
    centered = _center(values)
    squares = (centered**2).sum(axis=-1, keepdims=True)
    normalized: Floats = centered / np.sqrt(np.where(squares > 0, squares, np.nan))
    return normalized


def standardize(values: Floats) -> Floats:
    """Return the rows with mean 0 and standard deviation 1; a constant row becomes 0."""
    centered = _center(values)
    deviation = np.sqrt((centered**2).mean(axis=-1, keepdims=True))
    standardized: Floats = centered / np.where(deviation > 0, deviation, 1.0)
    return standardized


def _center(values: Floats) -> Floats:
    """Return the values divided by their spread, with mean 0."""
    spread = np.ptp(values, axis=-1, keepdims=True)
    # Dividing by the spread first keeps squares of very large and very small numbers finite.
    scaled = (values - values[..., :1]) / np.where(spread > 0, spread, 1.0)
    centered: Floats = scaled - scaled.mean(axis=-1, keepdims=True)
    return centered


def weighted_pearson(scores: Floats, ratings: Floats, weights: Floats) -> Floats:
    """Return Pearson's r along the last axis, where output i counts `weights[..., i]` times."""
    scores, ratings = _scale(scores), _scale(ratings)
    with np.errstate(invalid="ignore", divide="ignore"):
        total = weights.sum(axis=-1, keepdims=True)
        first = scores - (weights * scores).sum(axis=-1, keepdims=True) / total
        second = ratings - (weights * ratings).sum(axis=-1, keepdims=True) / total
        squares = (weights * first**2).sum(axis=-1) * (weights * second**2).sum(axis=-1)
        # Rounding leaves a trace of variance where a resample holds one value only.
        scale = (weights * scores**2).sum(axis=-1) * (weights * ratings**2).sum(axis=-1)
        r = (weights * first * second).sum(axis=-1) / np.sqrt(np.where(squares > 1e-24 * scale, squares, np.nan))
    clipped: Floats = np.clip(r, -1.0, 1.0)
    return clipped


def _scale(values: Floats) -> Floats:
    """Return the values divided by the largest of them, so that squares neither overflow nor vanish."""
    largest = np.fmax.reduce(np.abs(values), axis=-1, keepdims=True, initial=0.0)
    scaled: Floats = values / np.where(largest > 0, largest, 1.0)
    return scaled


def dense_ranks(values: Floats | Places) -> Places:
    """Return 0 for the smallest number, 1 for the next larger one, and so on."""
    return np.unique(values, return_inverse=True)[1].reshape(-1).astype(np.intp)


def midranks(values: Floats | Places) -> Floats:
    """Return the ranks from 1 along the last axis; equal numbers share the mean of their ranks.

    >>> midranks(np.array([3.0, 1.0, 3.0])).tolist()
    [2.5, 1.0, 2.5]
    """
    if values.ndim > 1:
        return np.array([midranks(row) for row in values]).reshape(values.shape)
    ranks = dense_ranks(values)
    counts = np.bincount(ranks)
    shared: Floats = (np.cumsum(counts) - (counts - 1) / 2)[ranks]
    return shared


def spearman(scores: Floats, ratings: Floats) -> Floats:
    """Return Spearman's rho along the last axis; NaN where either side is constant."""
    return pearson(midranks(scores), midranks(ratings))


@dataclass(frozen=True, slots=True, eq=False)
class Concordance:
    """For each output, its pairs with all others: concordant minus discordant, untied scores, untied ratings."""

    surplus: Floats
    untied_scores: Floats
    untied_ratings: Floats

    @property
    def tau(self) -> float:
        """Kendall's tau-b; NaN if all scores or all ratings are equal."""
        untied = float(self.untied_scores.sum()) * float(self.untied_ratings.sum())
        return float(self.surplus.sum()) / untied**0.5 if untied > 0 else float("nan")

    def influences(self) -> Floats:
        """Return how much each output moves tau, to first order; their mean is 0."""
        count, tau = len(self.surplus), self.tau
        scores, ratings = self.untied_scores.mean(), self.untied_ratings.mean()
        moved = (self.surplus - self.surplus.mean()) / np.sqrt(scores * ratings)
        shrunk = (self.untied_scores - scores) / scores + (self.untied_ratings - ratings) / ratings
        influences: Floats = 2 * (moved - tau / 2 * shrunk) / count
        return influences


def concordance(scores: Floats, ratings: Floats) -> Concordance:
    """Count the concordant and discordant pairs of each output, in O(n log n).

    >>> round(concordance(np.array([1.0, 2.0, 2.0, 4.0]), np.array([1.0, 3.0, 2.0, 4.0])).tau, 4)
    0.9129
    """
    x, y = dense_ranks(scores), dense_ranks(ratings)
    count = len(x)
    ties_x, ties_y = np.bincount(x), np.bincount(y)
    ties_both = np.unique(x * (int(y.max(initial=0)) + 1) + y, return_inverse=True, return_counts=True)
    together = ties_both[2][ties_both[1].reshape(-1)]
    below_x, below_y = (np.cumsum(ties_x) - ties_x)[x], (np.cumsum(ties_y) - ties_y)[y]
    # Pairs are counted in an order in which an earlier output has the smaller x; y decides among equal x.
    less_less = _smaller_before(np.lexsort((-y, x)), y)
    upto_less = _smaller_before(np.lexsort((y, x)), y)
    less_upto = _smaller_before(np.lexsort((x, y)), x)
    upto_upto = upto_less + less_upto - less_less + together
    upto_x, upto_y = below_x + ties_x[x], below_y + ties_y[y]
    concordant = less_less + count - upto_x - upto_y + upto_upto
    discordant = below_x - less_upto + below_y - upto_less
    return Concordance(
        (concordant - discordant).astype(np.float64),
        (count - ties_x[x]).astype(np.float64),
        (count - ties_y[y]).astype(np.float64),
    )


def _smaller_before(order: Places, ranks: Places) -> Places:
    """Return, for each output, how many outputs stand before it in `order` and have a smaller rank.

    From the highest bit on, outputs with equal higher bits form a block that keeps the order. In a block, an output
    with a one is larger than every output with a zero.
    """
    counts = np.zeros(len(ranks), dtype=np.intp)
    for bit in reversed(range(int(ranks.max(initial=0)).bit_length())):
        arranged = ranks[order]
        zero = 1 - (arranged >> bit & 1)
        before = np.cumsum(zero) - zero
        block = arranged >> (bit + 1)
        begins = np.flatnonzero(np.concatenate([[True], block[1:] != block[:-1]]))
        lengths = np.diff(np.append(begins, len(order)))
        counts[order] += np.where(zero, 0, before - np.repeat(before[begins], lengths))
        order = order[np.argsort(arranged >> bit, kind="stable")]
    return counts


def item_correlations(scores: Floats, ratings: Floats, items: Places, count: int) -> Floats:
    """Return Pearson's r within each of `count` items; NaN where it is undefined.

    >>> items = np.array([0, 0, 0, 1])
    >>> item_correlations(np.array([1.0, 2.0, 3.0, 1.0]), np.array([3.0, 2.0, 1.0, 1.0]), items, 2).tolist()
    [-1.0, nan]
    """

    def totals(values: Floats) -> Floats:
        return np.bincount(items, weights=values, minlength=count).astype(np.float64)

    sizes = np.bincount(items, minlength=count)
    sums = []
    for values in (scores, ratings):
        first = np.full(count, np.nan)
        first[items[::-1]] = values[::-1]
        low, high = np.full(count, np.inf), np.full(count, -np.inf)
        np.minimum.at(low, items, values)
        np.maximum.at(high, items, values)
        spread = np.where((high > low) & (sizes > 1), high - low, np.nan)
        with np.errstate(invalid="ignore", divide="ignore"):
            scaled = (values - first[items]) / spread[items]
            sums.append(scaled - (totals(scaled) / sizes)[items])
    with np.errstate(invalid="ignore", divide="ignore"):
        r = totals(sums[0] * sums[1]) / np.sqrt(totals(sums[0] ** 2) * totals(sums[1] ** 2))
    clipped: Floats = np.clip(r, -1.0, 1.0)
    return clipped


def item_midranks(values: Floats, items: Places) -> Floats:
    """Return the ranks of the numbers within their items."""
    dense = dense_ranks(values)
    sizes = np.bincount(items)
    before = (np.cumsum(sizes) - sizes)[items]
    ranks: Floats = midranks(items * (int(dense.max(initial=0)) + 1) + dense) - before
    return ranks
