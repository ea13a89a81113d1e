"""Intervals of agreement from resamples of items, systems or both, and permutation tests between metrics.

Two metrics are equally good if nobody could tell which of them gave a score. PERM-INPUTS therefore swaps the scores
that they give to all outputs of an item, at random, after bringing both to the same scale. Outputs of one item resemble
each other: swapped one by one (PERM-BOTH), they find differences between equal metrics. Deutsch, Dror and Roth (2021):
A Statistical Analysis of Summarization Evaluation Metrics Using Resampling Methods. TACL 9.

A correlation is a function of sums, and a swap moves terms from one sum to another, so all pairs of metrics need one
product of matrices. Trials come in blocks: memory does not grow with their number.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import NormalDist

from bleuprint.core.arrays import Floats, Places, np
from bleuprint.ratings.agreement.statistics import (
    concordance,
    dense_ranks,
    midranks,
    pairs_of,
    pairwise_accuracy,
    pearson,
    standardize,
    system_kendall,
)
from bleuprint.ratings.items import Trials, draw_items, pearson_of_sums, sums_by_item

_SHUFFLES = 5000
_CELLS = 1 << 19  # numbers of a block, few enough to stay in cache


@dataclass(frozen=True, slots=True, eq=False)
class Outputs:
    """Rated outputs: `scores[k, i]` is what metric k gives to output i, higher is better."""

    scores: Floats
    ratings: Floats
    item: Places
    system: Places
    items: int
    systems: int

    def __len__(self) -> int:
        return len(self.ratings)

    def part(self, kept: Places) -> Outputs:
        """Return some of the outputs, with their items and systems numbered anew."""
        items, item = np.unique(self.item[kept], return_inverse=True)
        systems, system = np.unique(self.system[kept], return_inverse=True)
        scores, ratings = self.scores[:, kept], self.ratings[kept]
        return Outputs(scores, ratings, item.reshape(-1), system.reshape(-1), len(items), len(systems))


@dataclass(frozen=True, slots=True, eq=False)
class Draw:
    """A block of resamples: how often each item and each system was drawn."""

    items: Floats
    systems: Floats

    def weights(self, outputs: Outputs) -> Floats:
        """Return how often each output was drawn."""
        weights: Floats = self.items[:, outputs.item] * self.systems[:, outputs.system]
        return weights


def draws(outputs: Outputs, units: str, trials: Trials) -> Iterator[Draw]:
    """Yield blocks of resamples, with replacement, of items, systems or both."""
    for generator, many in trials.blocks(_block(len(outputs))):
        yield Draw(
            *(
                draw_items(generator, count, many) if units in {unit, "both"} else np.ones((many, count))
                for unit, count in (("items", outputs.items), ("systems", outputs.systems))
            )
        )


def resampled_pearson(outputs: Outputs, weights: Floats) -> Floats:
    """Return Pearson's r of every metric (columns) in every resample (rows); NaN where it is undefined."""
    count = len(outputs.scores)
    z, h = standardize(outputs.scores).T, standardize(outputs.ratings)
    sums = weights @ np.column_stack([np.ones(len(h)), h, h**2, z, z**2, z * h[:, None]])
    total, human, squares = (sums[:, place : place + 1] for place in range(3))
    own, own_squares, products = (sums[:, 3 + place * count : 3 + (place + 1) * count] for place in range(3))
    return pearson_of_sums(total, own, human, own_squares, squares, products)


def resampled_spearman(outputs: Outputs, weights: Floats) -> Floats:
    """Return Spearman's rho of every metric in every resample; ranks are those within the resample."""
    human = np.empty_like(weights)
    order, ranks = _weighted_ranks(outputs.ratings, weights)
    human[:, order] = ranks
    total, spread, nothing = weights.sum(axis=1), (weights * human**2).sum(axis=1), np.zeros(len(weights))
    columns = []
    for scores in outputs.scores:
        order, own = _weighted_ranks(scores, weights)
        drawn = weights[:, order]
        own_spread = (drawn * own**2).sum(axis=1)
        shared = (drawn * own * human[:, order]).sum(axis=1)
        columns.append(pearson_of_sums(total, nothing, nothing, own_spread, spread, shared))  # ranks are centered
    return np.column_stack(columns)


def _weighted_ranks(values: Floats, weights: Floats) -> tuple[Places, Floats]:
    """Return an order of the outputs and, in that order, their centered ranks among all that were drawn."""
    order = np.argsort(values, kind="stable")
    dense = dense_ranks(values)[order]
    begins = np.flatnonzero(np.concatenate([[True], dense[1:] != dense[:-1]]))
    sizes = np.diff(np.append(begins, len(order)))
    drawn = np.add.reduceat(weights[:, order], begins, axis=1)
    ends = np.cumsum(drawn, axis=1)
    # Ranks from end − drawn + 1 to end, whose mean is taken, less the mean of all ranks.
    middle = ends - (drawn - 1) / 2 - (ends[:, -1:] + 1) / 2
    return order, np.repeat(middle, sizes, axis=1)


def item_means(values: Floats, weights: Floats) -> Floats:
    """Return the mean over items of each metric (rows of `values`) in each resample; undefined items do not count."""
    sums, counts = weights @ np.nan_to_num(values).T, weights @ (~np.isnan(values)).T.astype(np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        means: Floats = sums / counts
    return means


def quantile_interval(samples: Floats, level: float) -> tuple[float, float] | None:
    """Return the percentile interval; None if the statistic is undefined in too many resamples."""
    kept = samples[~np.isnan(samples)]
    if len(kept) < 0.9 * len(samples) or len(kept) == 0:
        return None
    low, high = np.quantile(kept, [0.5 - level / 2, 0.5 + level / 2]).tolist()
    return low, high


def normal_p_value(value: float, by_chance: float, samples: Floats) -> float:
    """Return the one-sided p-value of agreement by chance alone, from the standard error of the resamples; or NaN.

    It is that of Fisher's transformation, on which the error of a correlation hardly depends on its size.

    >>> round(normal_p_value(0.2, 0.0, np.array([0.1, 0.2, 0.3])), 4)
    0.0088
    """
    kept = samples[~np.isnan(samples)]
    if len(kept) < 2:
        return math.nan
    limit = 1 - 1e-9
    error = float(np.arctanh(np.clip(kept, -limit, limit)).std())
    distance = math.atanh(min(max(value, -limit), limit)) - math.atanh(by_chance)
    if error < 1e-12:
        return 0.0 if distance > 0 else 1.0
    return 1 - NormalDist().cdf(distance / error)


def kendall_interval(
    scores: Floats, outputs: Outputs, units: str, level: float
) -> tuple[float, tuple[float, float] | None]:
    """Return tau-b and its interval, from the influence of each item, each system or both, by Fisher's transformation.

    Resamples would have to be ranked one by one. The variance with items and systems as clusters is that of items plus
    that of systems, less that of outputs. Cameron, Gelbach and Miller (2011): Robust inference with
    multiway clustering.
    """
    counted = concordance(scores, outputs.ratings)
    tau = counted.tau
    if math.isnan(tau) or abs(tau) >= 1:
        return tau, None
    influences = counted.influences()

    def variance(clusters: Places) -> float:
        sums = np.bincount(clusters, weights=influences)
        groups = len(np.unique(clusters))
        return float((sums**2).sum()) * groups / max(1, groups - 1)

    parts = {"items": variance(outputs.item), "systems": variance(outputs.system)}
    single = variance(np.arange(len(scores), dtype=np.intp))
    total = parts[units] if units in parts else max(*parts.values(), sum(parts.values()) - single)
    reach = NormalDist().inv_cdf(min(0.5 + level / 2, math.nextafter(1, 0))) * math.sqrt(total) / (1 - tau**2)
    return tau, (math.tanh(math.atanh(tau) - reach), math.tanh(math.atanh(tau) + reach))


def _coins(count: int, block: int, trials: Trials) -> Iterator[Floats]:
    """Yield blocks of coin flips, 0 or 1, one row per trial."""
    for generator, many in trials.blocks(block):
        bits = np.frombuffer(generator.bytes(-(-many * count // 8)), dtype=np.uint8)
        yield np.unpackbits(bits)[: many * count].reshape(many, count).astype(np.float64)


def _block(cells: int) -> int:
    return max(1, _CELLS // max(1, cells))


@np.errstate(invalid="ignore", divide="ignore")
def _swap(
    terms: Sequence[tuple[Places, Floats]],
    statistic: Callable[[Floats], Floats],
    items: int,
    block: int,
    trials: Trials,
) -> Floats:
    """Return the two-sided p-values of all pairs of metrics: how often chance gives so large a difference.

    The statistic of a metric is a function of sums over items, which are swapped at random. Each of the `terms` gives
    one sum: the items that count, and what they add to the sum of each metric. The matrix of p-values is symmetric,
    with 1 on its diagonal and NaN where a statistic is undefined.
    """
    totals = np.stack([values.sum(axis=1) for _, values in terms], axis=-1)
    observed = statistic(totals)
    first, second = pairs_of(len(observed))
    gaps = np.abs(observed[first] - observed[second])
    larger = np.zeros(len(first))
    for coins in _coins(items, block, trials):
        moved = np.stack([coins[:, places] @ values.T for places, values in terms], axis=-1)
        swapped = [
            statistic(totals[own] - moved[:, own] + moved[:, other])
            for own, other in ((first, second), (second, first))
        ]
        # A trial in which a statistic is undefined counts against a difference.
        larger += (~(np.abs(swapped[0] - swapped[1]) < gaps - 1e-12)).sum(axis=0)
    p_values = np.ones((len(observed), len(observed)))
    values = np.where(np.isnan(gaps), np.nan, (1 + larger) / (1 + trials.count))
    p_values[first, second] = p_values[second, first] = values
    return p_values


def correlation_p_values(outputs: Outputs, trials: Trials, *, ranks: bool = False) -> Floats:
    """Return the p-values of all pairs of metrics for Pearson's r of all outputs; with `ranks`, for Spearman's rho."""
    scores = midranks(outputs.scores) if ranks else outputs.scores
    ratings = midranks(outputs.ratings) if ranks else outputs.ratings
    z, h = standardize(scores), standardize(ratings)
    many, nothing = np.array(float(len(outputs))), np.array(0.0)

    def correlation(sums: Floats) -> Floats:
        own, squares, products = (sums[..., place] for place in range(3))
        return pearson_of_sums(many, own, nothing, squares, many, products)  # ratings are standardized

    every = np.arange(outputs.items)
    terms = [(every, sums_by_item(outputs.item, values.T).T) for values in (z, z**2, z * h)]
    return _swap(terms, correlation, outputs.items, _block(len(outputs)), trials)


def mean_p_values(values: Floats, trials: Trials) -> Floats:
    """Return the p-values of all pairs of metrics for means over items; `values[k, i]` is of metric k and item i."""

    def mean(sums: Floats) -> Floats:
        means: Floats = sums[..., 0] / sums[..., 1]
        return means

    items = values.shape[1]
    every, defined = np.arange(items), (~np.isnan(values)).astype(np.float64)
    return _swap([(every, np.nan_to_num(values)), (every, defined)], mean, items, _block(items), trials)


SYSTEM_STATISTICS: dict[str, Callable[..., Floats]] = {
    "pearson": pearson,
    "kendall": system_kendall,
    "pairwise-accuracy": pairwise_accuracy,
}


def _numbers_of_systems(statistic: str, systems: int) -> int:
    """How many numbers a statistic of systems holds at a time."""
    return systems if statistic == "pearson" else math.comb(systems, 2)


def system_p_values(outputs: Outputs, statistic: str, trials: Trials) -> tuple[Floats, Floats]:
    """Return the p-values of all pairs of metrics at system level, and the statistics that they compare.

    The score of a system is the mean of its standardized scores: the score of a corpus cannot be swapped item by item.
    """
    z = standardize(outputs.scores)
    members = [np.flatnonzero(outputs.system == system) for system in range(outputs.systems)]
    sizes = np.array([len(places) for places in members], dtype=np.float64)
    human = np.array([outputs.ratings[places].mean() for places in members])

    def agreement(sums: Floats) -> Floats:
        return SYSTEM_STATISTICS[statistic](sums / sizes, human)

    terms = [(outputs.item[places], z[:, places]) for places in members]
    cells = max(len(outputs), max(1, math.comb(len(z), 2)) * _numbers_of_systems(statistic, outputs.systems))
    totals = np.stack([values.sum(axis=1) for _, values in terms], axis=-1)
    return _swap(terms, agreement, outputs.items, _block(cells), trials), agreement(totals)


def shuffle_systems(scores: Floats, ratings: Floats, statistic: str, seed: int) -> Floats:
    """Return, for each metric (rows of `scores`), the p-value of agreement by chance: the ratings are dealt out anew.

    It is corrected for the number of metrics: chance counts if it lets any metric agree so well. Metrics that resemble
    each other are then hardly corrected. Westfall and Young (1993): Resampling-based multiple testing.
    NaN where the statistic is undefined. A few systems have few orders, so that no p-value can be small.
    """
    agreement = SYSTEM_STATISTICS[statistic]
    metrics, systems = scores.shape
    observed = agreement(scores, ratings)
    more = np.zeros(metrics)
    for generator, many in Trials(_SHUFFLES, seed).blocks(_block(metrics * _numbers_of_systems(statistic, systems))):
        shuffled = generator.permuted(np.broadcast_to(ratings, (many, systems)), axis=1)
        best = np.fmax.reduce(agreement(scores, shuffled[:, None, :]), axis=1, initial=-np.inf)
        more += (best[:, None] >= observed - 1e-12).sum(axis=0)
    p_values: Floats = np.where(np.isnan(observed), np.nan, (1 + more) / (1 + _SHUFFLES))
    return p_values
