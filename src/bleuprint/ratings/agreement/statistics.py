"""Statistics of agreement between scores and ratings: correlations, and shares of pairs that both order alike.

Arrays hold one number per output. Several metrics are rows of one matrix, and NaN marks what is undefined, such as a
correlation with numbers that are all equal.

- Kendall's tau-b over all outputs takes O(n log n): pairs are counted bit by bit of the ranks.
- Pairwise accuracy: the share of pairs of systems that metric and people order alike.
  Kocmi et al. (2021): To Ship or Not to Ship. WMT.
- Accuracy with tie calibration: a metric may call outputs equal if their scores differ by at most a threshold.
  Deutsch, Foster and Freitag (2023): Ties Matter. EMNLP.
"""

from __future__ import annotations

from dataclasses import dataclass

from bleuprint.core.arrays import Flags, Floats, Places, np
from bleuprint.ratings.items import pearson_of_sums


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


def pearson(scores: Floats, ratings: Floats, weights: Floats | None = None) -> Floats:
    """Return Pearson's r along the last axis; NaN where either side is constant.

    With `weights`, number i counts `weights[..., i]` times.

    >>> pearson(np.array([[1.0, 2.0, 4.0], [3.0, 3.0, 3.0]]), np.array([1.0, 2.0, 3.0])).round(4).tolist()
    [0.982, nan]
    """
    weight = np.ones(ratings.shape[-1]) if weights is None else weights
    x, y = standardize(scores), standardize(ratings)
    sums = ((weight * values).sum(axis=-1) for values in (x, y, x * x, y * y, x * y))
    return pearson_of_sums(weight.sum(axis=-1), *sums)


def standardize(values: Floats) -> Floats:
    """Return the rows with mean 0 and standard deviation 1; a constant row becomes 0."""
    if values.shape[-1] == 0:
        return values
    spread = np.ptp(values, axis=-1, keepdims=True)
    # Dividing by the spread first keeps squares of very large and very small numbers finite.
    scaled = (values - values[..., :1]) / np.where(spread > 0, spread, 1.0)
    centered = scaled - scaled.mean(axis=-1, keepdims=True)
    deviation = np.sqrt((centered**2).mean(axis=-1, keepdims=True))
    standardized: Floats = centered / np.where(deviation > 0, deviation, 1.0)
    return standardized


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

    columns = []
    for values in (scores, ratings):
        first = np.full(count, np.nan)
        first[items[::-1]] = values[::-1]
        low, high = np.full(count, np.inf), np.full(count, -np.inf)
        np.minimum.at(low, items, values)
        np.maximum.at(high, items, values)
        spread = np.where(high > low, high - low, np.nan)
        columns.append((values - first[items]) / spread[items])
    x, y = columns
    return pearson_of_sums(*map(totals, (np.ones(len(items)), x, y, x * x, y * y, x * y)))


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

    def sums(self, values: Floats | Flags) -> Floats:
        """Return the sum within each item."""
        return np.bincount(self.item, weights=values, minlength=self.items).astype(np.float64)

    @np.errstate(invalid="ignore", divide="ignore")
    def means(self, values: Flags) -> Floats:
        """Return the share within each item; NaN for an item without pairs."""
        shares: Floats = self.sums(values) / np.bincount(self.item, minlength=self.items)
        return shares


def pairs_within(items: Places, count: int) -> ItemPairs:
    """Return all pairs of outputs of the same item.

    >>> pairs = pairs_within(np.array([0, 1, 0, 0]), 2)
    >>> list(zip(pairs.first.tolist(), pairs.second.tolist(), strict=True))
    [(0, 2), (0, 3), (2, 3)]
    """
    order = np.argsort(items, kind="stable")
    arranged = items[order]
    largest = int(np.bincount(items, minlength=1).max())  # an item has no more outputs than there are systems
    alike = [np.flatnonzero(arranged[step:] == arranged[:-step]) for step in range(1, max(2, largest))]
    first = np.concatenate(alike)
    second = np.concatenate([places + step for step, places in enumerate(alike, start=1)])
    sort = np.lexsort((second, first))
    return ItemPairs(order[first][sort], order[second][sort], arranged[first][sort], count)


@np.errstate(invalid="ignore", divide="ignore")
def item_kendalls(scores: Floats, ratings: Floats, pairs: ItemPairs) -> Floats:
    """Return Kendall's tau-b within each item; NaN where it is undefined."""
    metric, human = np.sign(pairs.differences(scores)), np.sign(pairs.differences(ratings))
    untied = pairs.sums(np.abs(metric)) * pairs.sums(np.abs(human))
    taus: Floats = pairs.sums(metric * human) / np.sqrt(np.where(untied > 0, untied, np.nan))
    return taus


def item_accuracies(scores: Floats, ratings: Floats, pairs: ItemPairs, threshold: float) -> Floats:
    """Return, for each item, the share of its pairs that are ordered or called equal as people do.

    Scores that differ by at most `threshold` are called equal.
    """
    metric, human = pairs.differences(scores), pairs.differences(ratings)
    return pairs.means(np.where(np.abs(metric) <= threshold, human == 0, np.sign(metric) == np.sign(human)))


def calibrated_threshold(scores: Floats, ratings: Floats, pairs: ItemPairs) -> float:
    """Return the threshold with the highest accuracy, a mean over items; of equal ones, the smallest.

    NaN if there are no pairs.
    """
    sizes = np.bincount(pairs.item, minlength=pairs.items)
    items = int(np.count_nonzero(sizes))
    if items == 0:
        return float("nan")
    metric, human = pairs.differences(scores), pairs.differences(ratings)
    weight = 1.0 / sizes[pairs.item] / items
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
