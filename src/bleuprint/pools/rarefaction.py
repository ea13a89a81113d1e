"""Rarefaction: what a pool metric would be for a smaller pool, so that pools of different size can be compared."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from bleuprint import checks
from bleuprint.core.arrays import np
from bleuprint.core.columns import Texts
from bleuprint.core.threads import worker_count
from bleuprint.metrics import registry
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.score import Score
from bleuprint.metrics.distinct import Distinct
from bleuprint.pools.statistic import PoolStatistic
from bleuprint.statistics.pools import expected_different

if TYPE_CHECKING:
    from numpy.typing import NDArray

_POINTS = 10  # of a curve, unless sizes are given
_UNITS = ("texts", "tokens")


class Rarefied(NamedTuple):
    """The value of a metric for a pool of that size; `error` is 0 where a closed form gives it."""

    size: int
    value: float
    error: float

    @property
    def exact(self) -> bool:
        return self.error == 0.0


def rarefaction(
    texts: Texts,
    sizes: Sequence[int] | None = None,
    *,
    metric: str | Metric[Score] = "distinct",
    unit: str = "texts",
    draws: int = 20,
    seed: int = 12345,
    threads: int | None = None,
) -> list[Rarefied]:
    """The mean of a pool metric over smaller pools drawn from the texts.

    - `sizes`: numbers of texts or tokens; ten up to all of them by default
    - `metric`: the name of a pool metric, or a metric
    - `unit`: "texts" draws whole texts; "tokens" draws texts up to that many tokens
    - `draws`: pools to draw at each size where there is no closed form
    - `seed`: random seed for them

    distinct-n is exact: the expected number of different n-grams is hypergeometric. With "texts" it is divided by the
    expected number of n-grams; with "tokens", n-grams are drawn one by one, and a size counts n-grams. For other
    metrics the mean of random draws is returned with its standard error.

    >>> pool = ["the cat sat", "the cat ran", "a dog ran", "the dog sat"]
    >>> [(point.size, round(point.value, 4)) for point in rarefaction(pool, [1, 2, 4], metric=Distinct(max_order=1))]
    [(1, 1.0), (2, 0.8056), (4, 0.5)]
    """
    checks.choice("unit", unit, _UNITS)
    checks.trials("draws", draws, 2)
    statistic = PoolStatistic(registry.resolve(metric, unit="pool"), texts, threads=worker_count(threads))
    lengths = statistic.pool.lengths()
    if isinstance(statistic.metric, Distinct):
        return _closed_form(statistic, sizes, unit, lengths)
    total = len(statistic) if unit == "texts" else int(lengths.sum())
    smallest = statistic.metric.fewest_texts
    return [_mean(statistic, size, unit, lengths, draws, seed) for size in _check_sizes(sizes, total, smallest)]


def _check_sizes(sizes: Sequence[int] | None, total: int, smallest: int = 1) -> list[int]:
    if sizes is None:
        return sorted({max(smallest, round(total * point / _POINTS)) for point in range(1, _POINTS + 1)})
    for place, size in enumerate(sizes):
        allowed = f"an integer from {smallest} to {total:,}"
        checks.integer(f"sizes[{place}]", size, smallest, total, allowed=allowed)
    return list(sizes)


def _closed_form(
    statistic: PoolStatistic, sizes: Sequence[int] | None, unit: str, lengths: NDArray[np.int64]
) -> list[Rarefied]:
    order = statistic.metric.definition.formula.max_order
    ngrams = int((lengths - order + 1).clip(min=0).sum())
    if unit == "tokens":
        with_count = statistic.pool.frequency_counts(order, 1)[-1]
        points = _check_sizes(sizes, ngrams)
        return [Rarefied(size, expected_different(with_count, ngrams, size) / size, 0.0) for size in points]
    texts = len(statistic)
    sets = statistic.pool.ngram_sets(order, 1)
    counted = np.unique(np.bincount(sets.elements), return_counts=True)
    with_texts = Counter(dict(zip(*(part.tolist() for part in counted), strict=True)))
    with_texts[1] += int(sets.sizes.sum()) - len(sets.elements)  # those that no other text has are not listed
    return [
        Rarefied(size, expected_different(with_texts, texts, size) / (ngrams * size / texts) if ngrams else 0.0, 0.0)
        for size in _check_sizes(sizes, texts)
    ]


def _mean(
    statistic: PoolStatistic, size: int, unit: str, lengths: NDArray[np.int64], draws: int, seed: int
) -> Rarefied:
    if unit == "texts" and size == len(statistic):
        return Rarefied(size, float(statistic.score().value), 0.0)
    generator = np.random.default_rng([seed, size])
    values = []
    for _ in range(draws):
        order = generator.permutation(len(statistic))
        kept = size if unit == "texts" else int(np.searchsorted(np.cumsum(lengths[order]), size)) + 1
        kept = min(max(kept, statistic.metric.fewest_texts), len(statistic))
        values.append(statistic.value(np.sort(order[:kept])))
    error = float(np.std(values, ddof=1)) / math.sqrt(draws)
    return Rarefied(size, math.fsum(values) / draws, error)
