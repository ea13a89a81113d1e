"""Rarefaction: what a pool metric would be for a smaller pool, so that pools of different size can be compared."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

from bleuprint import checks
from bleuprint.core.arrays import Integers, np
from bleuprint.core.columns import Texts
from bleuprint.core.pool import words_of_parts
from bleuprint.core.threads import worker_count
from bleuprint.metrics import registry
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.score import Score
from bleuprint.pools.statistic import PoolStatistic

_POINTS = 10  # of a curve, unless sizes are given
_UNITS = ("texts", "tokens")


class Rarefied(NamedTuple):
    """The mean of a metric over pools of that size: `exact` over all of them, or over random ones."""

    size: int
    value: float
    error: float  # 0 if exact, or if all random pools have the same value
    exact: bool


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
    - `draws`: pools to draw at each size
    - `seed`: random seed for them

    It is the mean over all pools of that size if there are at most `draws` of them, or over random ones, with its
    standard error.

    >>> from bleuprint.metrics import Distinct
    >>> pool = ["the cat sat", "the cat ran", "a dog ran", "the dog sat"]
    >>> [(point.size, round(point.value, 4)) for point in rarefaction(pool, [1, 2, 4], metric=Distinct(max_order=1))]
    [(1, 1.0), (2, 0.8056), (4, 0.5)]
    """
    checks.choice("unit", unit, _UNITS)
    checks.trials("draws", draws, 2)
    statistic = PoolStatistic(registry.resolve(metric, unit="pool"), texts, threads=worker_count(threads))
    lengths = statistic.pool.lengths()
    total = len(statistic) if unit == "texts" else int(lengths.sum())
    smallest = statistic.metric.fewest_texts
    return [_mean(statistic, size, unit, lengths, draws, seed) for size in _check_sizes(sizes, total, smallest)]


def _check_sizes(sizes: Sequence[int] | None, total: int, smallest: int = 1) -> list[int]:
    if sizes is None:
        return sorted({max(smallest, round(total * point / _POINTS)) for point in range(1, _POINTS + 1)})
    listed = checks.items("sizes", sizes, "None or a list of integers")
    for place, size in enumerate(listed):
        allowed = f"an integer from {smallest} to {total:,}"
        checks.integer(f"sizes[{place}]", size, smallest, total, allowed=allowed)
    return listed


def _mean(statistic: PoolStatistic, size: int, unit: str, lengths: Integers, draws: int, seed: int) -> Rarefied:
    many = len(statistic)
    if unit == "texts" and (size == many or (many <= draws and math.comb(many, size) <= draws)):
        every = _values(statistic, combinations(range(many), size))
        return Rarefied(size, math.fsum(every) / len(every), 0.0, True)
    generator = np.random.default_rng([seed, size])
    parts = []
    for _ in range(draws):
        order = generator.permutation(len(statistic))
        kept = size if unit == "texts" else int(np.searchsorted(np.cumsum(lengths[order]), size)) + 1
        kept = min(max(kept, statistic.metric.fewest_texts), len(statistic))
        parts.append(order[:kept])
    values = _values(statistic, parts)
    error = float(np.std(values, ddof=1)) / math.sqrt(draws)
    return Rarefied(size, math.fsum(values) / draws, error, False)


def _values(statistic: PoolStatistic, parts: Iterable[Sequence[int] | Integers]) -> list[float]:
    """The value of each part, given by the places of its texts."""
    places = np.arange(len(statistic))
    members = [np.isin(places, np.asarray(part, dtype=np.int64)) for part in parts]
    return [float(value) for value in statistic.score_parts(words_of_parts(members))[: len(members), -1]]
