"""Simulate how often intervals hold the truth where little is seen: tables of `bench/tables/simulations.md`.

Measures of diversity that count rare events: in pools of texts of which a few repeat a part of another one, the
interval of a pool is right if it holds the mean of the measure over many such pools. Thresholds: the interval is right
if it holds the best threshold of a large population.

    python -m tools.interval_simulation --write
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

import bleuprint as bp
from bleuprint.pools.statistic import PoolStatistic
from bleuprint.ratings.items import Trials
from bleuprint.ratings.threshold import Criterion, best_threshold, separate
from bleuprint.statistics.intervals import Interval
from bleuprint.statistics.pools import jackknife_intervals
from tools.pool_simulation import print_tables

SIZE = 60
COPIES = (0.02, 0.2, 1.0, 5.0)  # on average, in a pool
METRICS: tuple[tuple[Any, tuple[int, ...]], ...] = (
    (bp.metrics.NearDuplicates(tokenizer="whitespace"), ()),
    (bp.metrics.Duplicates(tokenizer="whitespace"), ()),
    (bp.metrics.Distinct(max_order=5, tokenizer="whitespace"), (4, 5)),
    (bp.metrics.Loops(tokenizer="whitespace"), ()),
)
MEASURES = [
    f"{metric.name}-{order}" if order else metric.name for metric, orders in METRICS for order in orders or (0,)
]
CRITERIA = {"F1": Criterion(), "precision": Criterion(precision=0.8), "recall": Criterion(recall=0.9)}
ITEMS = (60, 200)


def pool(copies: float, seed: int) -> list[str]:
    """Texts of many words, of which so many on average repeat another one, whole or in part, or turn in a loop."""
    generator = np.random.default_rng([seed, round(100 * copies)])
    texts = [generator.integers(3000, size=generator.integers(8, 16)).tolist() for _ in range(SIZE)]
    for place in generator.integers(SIZE, size=generator.poisson(copies)).tolist():
        kind, other = generator.integers(4), texts[int(generator.integers(SIZE))]
        texts[place] = [other[:], [*other[:-1], 3001], texts[place][:4] + other[:6], texts[place][:3] * 5][kind]
    return [" ".join(f"w{word}" for word in text) for text in texts]


@cache
def pool_coverage(copies: float, runs: int) -> dict[str, tuple[float, float]]:
    """For each measure, its mean, and the share of pools whose interval holds it."""
    intervals: dict[str, list[Interval]] = {name: [] for name in MEASURES}
    for seed in range(runs):
        texts = pool(copies, seed)
        for metric, orders in METRICS:
            statistic = PoolStatistic(metric, texts)

            places = [order - 1 for order in orders] or [-1]
            score = statistic.score()
            observed = [[*score.per_order, score.value][place] for place in places]

            def values(members: NDArray[np.uint64], places: list[int] = places, of: Any = statistic) -> Any:
                return of.score_parts(members)[:, places]

            names = [f"{metric.name}-{order}" for order in orders] or [metric.name]
            found = jackknife_intervals(values, SIZE, values=observed, shares=True, seed=seed)
            for name, interval in zip(names, found, strict=True):
                intervals[name].append(interval)
    shares = {}
    for name, listed in intervals.items():
        mean = math.fsum(interval.value for interval in listed) / runs
        shares[name] = mean, sum(interval.low <= mean <= interval.high for interval in listed) / runs
    return shares


def rated(items: int, seed: int) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.intp]]:
    """Scores of two outputs of each item, and whether they pass: the higher the score, the more often."""
    generator = np.random.default_rng(seed)
    item = np.repeat(np.arange(items), 2)
    scores = (generator.normal(size=len(item)) + 0.5 * generator.normal(size=items)[item]).round(2)
    return scores, generator.random(len(item)) < 1 / (1 + np.exp(-2 * scores)), item


def threshold_coverage(criterion: Criterion, items: int, runs: int) -> tuple[float, float]:
    """The shares of intervals that hold the best threshold of a population, and the threshold that was found."""
    scores, passes, _ = rated(200_000, 10**6)
    best: Any = best_threshold(scores, passes, criterion)
    found = [separate(*rated(items, seed), criterion, 10, Trials(200, seed)).threshold for seed in range(runs)]
    intervals = [interval for interval in found if interval is not None]
    held, own = (
        sum(interval.low <= value <= interval.high for interval, value in zip(intervals, values, strict=True))
        for values in ([best] * len(intervals), [interval.value for interval in intervals])
    )
    return held / len(intervals), own / len(intervals)


def tables(runs: int) -> dict[str, str]:
    """The Markdown tables by name."""
    rows = [f"| measure | {' | '.join(f'{copies:g} copies' for copies in COPIES)} |", f"|---{'|---:' * len(COPIES)}|"]
    for name in MEASURES:
        cells = [f"{100 * pool_coverage(copies, runs)[name][1]:.1f} %" for copies in COPIES]
        rows.append(f"| {name} | {' | '.join(cells)} |")
    lines = ["| criterion | items | holds the best of a population | holds the threshold |", "|---|---:|---:|---:|"]
    for label, criterion in CRITERIA.items():
        for items in ITEMS:
            cells = [f"{100 * share:.1f} %" for share in threshold_coverage(criterion, items, runs)]
            lines.append(f"| {label} | {items} | {' | '.join(cells)} |")
    return {"rare events": "\n".join(rows) + "\n", "thresholds": "\n".join(lines) + "\n"}


if __name__ == "__main__":
    print_tables("interval_simulation", __doc__, tables, 100)
