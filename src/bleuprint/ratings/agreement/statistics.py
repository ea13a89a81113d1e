"""Statistics of agreement between scores and ratings: correlations, and shares of pairs that both order alike.

Arrays hold one number per output. Several metrics are rows of one matrix, and NaN marks what is undefined, such as a
correlation with numbers that are all equal.

- Kendall's tau-b over all outputs takes O(n log n): pairs are counted bit by bit of the ranks.
- Pairwise accuracy: the share of pairs of systems that metric and people order alike.
  Kocmi et al. (2021): To Ship or Not to Ship. WMT.
- Soft pairwise accuracy: compares how sure each is of the order, as p-values. Thompson et al. (2024). WMT.
- Accuracy with tie calibration: a metric may call outputs equal if their scores differ by at most a threshold.
  Deutsch, Foster and Freitag (2023): Ties Matter. EMNLP.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bleuprint.ratings.items import Trials

Floats = NDArray[np.float64]
Places = NDArray[np.intp]

_FLIPS_AT_A_TIME = 256
_CELLS = 1 << 22  # differences held at a time


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


def pairs_of(count: int) -> tuple[Places, Places]:
    """Return the places of the first and the second of all pairs."""
    first, second = np.triu_indices(count, 1)
    return first.astype(np.intp), second.astype(np.intp)


def _signs(values: Floats) -> Floats:
    first, second = pairs_of(values.shape[-1])
    signs: Floats = np.sign(values[..., first] - values[..., second])
    return signs


def _pair_weights(weights: Floats | None, count: int) -> Floats:
    first, second = pairs_of(count)
    return np.ones(len(first)) if weights is None else weights[..., first] * weights[..., second]


def pairwise_accuracy(scores: Floats, ratings: Floats, weights: Floats | None = None) -> Floats:
    """Return the share of pairs that both order alike, among those that people order; NaN if they order none.

    A metric that gives both the same score is wrong. With `weights`, pairs count as often as both of their systems.

    >>> pairwise_accuracy(np.array([0.3, 0.2, 0.1]), np.array([3.0, 1.0, 2.0])).round(4).item()
    0.6667
    """
    weight = _pair_weights(weights, ratings.shape[-1])
    human = _signs(ratings)
    with np.errstate(invalid="ignore", divide="ignore"):
        right = (weight * ((_signs(scores) == human) & (human != 0))).sum(axis=-1)
        share: Floats = right / (weight * (human != 0)).sum(axis=-1)
    return share


def system_kendall(scores: Floats, ratings: Floats, weights: Floats | None = None) -> Floats:
    """Return Kendall's tau-b of a few systems along the last axis, with weights as in `pairwise_accuracy`."""
    weight = _pair_weights(weights, ratings.shape[-1])
    metric, human = _signs(scores), _signs(ratings)
    with np.errstate(invalid="ignore", divide="ignore"):
        untied = (weight * (metric != 0)).sum(axis=-1) * (weight * (human != 0)).sum(axis=-1)
        tau: Floats = (weight * metric * human).sum(axis=-1) / np.sqrt(np.where(untied > 0, untied, np.nan))
    return tau


def sign_flip_p_values(values: Floats, flips: Trials) -> Floats:
    """Return, for each pair of systems, how often chance favors the first at least as much as these values do.

    `values[i, s]` is the score of segment i of system s, or NaN. Chance swaps the scores of a segment. Equal
    differences count half, so that the p-values of a pair and of its reverse add up to 1.
    """
    first, second = pairs_of(values.shape[1])
    step = max(1, _CELLS // max(1, len(values)))
    parts = [
        _flip_signs(values[:, first[begin : begin + step]] - values[:, second[begin : begin + step]], flips)
        for begin in range(0, len(first), step)
    ]
    return np.concatenate(parts) if parts else np.zeros(0)


def _flip_signs(differences: Floats, flips: Trials) -> Floats:
    differences = np.where(np.isnan(differences), 0.0, differences)
    scale = np.abs(differences).max(axis=0, initial=0.0)
    differences /= np.where(scale > 0, scale, 1.0)
    observed = differences.sum(axis=0)
    # Sums of the same differences in another order may miss each other by a rounding.
    slack = 1e-9 * np.maximum(1.0, np.abs(differences).sum(axis=0))
    more = np.zeros(differences.shape[1])
    for generator, many in flips.blocks(_FLIPS_AT_A_TIME):
        signs = 2.0 * generator.integers(0, 2, size=(many, len(differences))) - 1.0
        sums = signs @ differences
        more += (sums > observed + slack).sum(axis=0) + 0.5 * (np.abs(sums - observed) <= slack).sum(axis=0)
    return more / flips.count


def soft_pairwise_accuracy(metric: Floats, human: Floats) -> float:
    """Return 1 minus the mean difference of p-values; `metric` and `human` are those of `sign_flip_p_values`."""
    return float(1 - np.abs(metric - human).mean()) if len(human) else float("nan")


@dataclass(frozen=True, slots=True, eq=False)
class ItemPairs:
    """All pairs of outputs of the same item."""

    first: Places
    second: Places
    item: Places
    items: int

    def differences(self, values: Floats) -> Floats:
        """Return first minus second."""
        return values[self.first] - values[self.second]

    def means(self, values: NDArray[np.bool_]) -> Floats:
        """Return the share within each item; NaN for an item without pairs."""
        sizes = np.bincount(self.item, minlength=self.items)
        with np.errstate(invalid="ignore", divide="ignore"):
            shares: Floats = np.bincount(self.item, weights=values, minlength=self.items) / sizes
        return shares


def pairs_within(items: Places, count: int) -> ItemPairs:
    """Return all pairs of outputs of the same item.

    >>> pairs = pairs_within(np.array([0, 1, 0, 0]), 2)
    >>> list(zip(pairs.first.tolist(), pairs.second.tolist(), strict=True))
    [(0, 2), (0, 3), (2, 3)]
    """
    order = np.argsort(items, kind="stable")
    sizes = np.bincount(items, minlength=count)
    begins = np.cumsum(sizes) - sizes
    firsts, seconds, of = [], [], []
    for size in np.unique(sizes[sizes > 1]).tolist():  # items of one size together
        chosen = np.flatnonzero(sizes == size)
        first, second = pairs_of(size)
        firsts.append((begins[chosen][:, None] + first).ravel())
        seconds.append((begins[chosen][:, None] + second).ravel())
        of.append(np.repeat(chosen, len(first)))
    none = np.zeros(0, dtype=np.intp)
    joined = [np.concatenate(parts) if parts else none for parts in (firsts, seconds, of)]
    sort = np.lexsort((joined[1], joined[0]))
    return ItemPairs(order[joined[0]][sort], order[joined[1]][sort], joined[2][sort].astype(np.intp), count)


def item_kendalls(scores: Floats, ratings: Floats, pairs: ItemPairs) -> Floats:
    """Return Kendall's tau-b within each item; NaN where it is undefined."""
    metric, human = np.sign(pairs.differences(scores)), np.sign(pairs.differences(ratings))

    def totals(values: Floats) -> Floats:
        return np.bincount(pairs.item, weights=values, minlength=pairs.items).astype(np.float64)

    with np.errstate(invalid="ignore", divide="ignore"):
        untied = totals(np.abs(metric)) * totals(np.abs(human))
        taus: Floats = totals(metric * human) / np.sqrt(np.where(untied > 0, untied, np.nan))
    return taus


def item_accuracies(scores: Floats, ratings: Floats, pairs: ItemPairs, threshold: float | Floats) -> Floats:
    """Return, for each item, the share of its pairs that are ordered or called equal as people do.

    Scores that differ by at most `threshold` are called equal; it is one number, or one for each item.
    """
    metric, human = pairs.differences(scores), pairs.differences(ratings)
    limit = threshold[pairs.item] if isinstance(threshold, np.ndarray) else threshold
    return pairs.means(np.where(np.abs(metric) <= limit, human == 0, np.sign(metric) == np.sign(human)))


def calibrated_threshold(
    scores: Floats, ratings: Floats, pairs: ItemPairs, used: NDArray[np.bool_] | None = None
) -> float:
    """Return the threshold with the highest accuracy, a mean over items; of equal ones, the smallest.

    With `used`, only these items count. NaN if there are no pairs.
    """
    sizes = np.bincount(pairs.item, minlength=pairs.items)
    kept = np.ones(pairs.items, dtype=bool) if used is None else used
    rows = kept[pairs.item]
    items = int(np.count_nonzero(kept & (sizes > 0)))
    if items == 0:
        return float("nan")
    metric, human = pairs.differences(scores)[rows], pairs.differences(ratings)[rows]
    weight = 1.0 / sizes[pairs.item[rows]] / items
    sizes_of_difference = np.abs(metric)
    order = np.argsort(sizes_of_difference, kind="stable")
    ordered_alike = weight * ((np.sign(metric) == np.sign(human)) & (metric != 0))
    tied_alike = weight * (human == 0)
    # The accuracy if the i smallest differences, and all others of the same size, are ties.
    gained = np.concatenate([[0.0], np.cumsum((tied_alike - ordered_alike)[order])])
    ends = np.flatnonzero(np.diff(sizes_of_difference[order], append=np.inf) > 0) + 1
    if sizes_of_difference[order[0]] > 0:
        ends = np.concatenate([[0], ends])
    accuracies = ordered_alike.sum() + gained[ends]
    best = int(np.flatnonzero(accuracies >= accuracies.max() - 1e-12)[0])
    return 0.0 if ends[best] == 0 else float(sizes_of_difference[order[ends[best] - 1]])


def held_out_accuracies(scores: Floats, ratings: Floats, pairs: ItemPairs, folds: Places) -> Floats:
    """Return the accuracy of each item with the threshold that the other folds of items give; `folds[item]`."""
    thresholds = np.zeros(pairs.items)
    for fold in np.unique(folds).tolist():
        thresholds[folds == fold] = calibrated_threshold(scores, ratings, pairs, folds != fold)
    return item_accuracies(scores, ratings, pairs, thresholds)
