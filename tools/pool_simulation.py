"""Simulate how often a comparison of pools is wrong, and write its table in `bench/tables/simulations.md`.

Texts are drawn from one source with the word frequencies of natural text (Zipf). A share of them are copies of stock
phrases, as generators have them. For each trial, two pools come from the same source: a significant difference is a
false alarm. The interval of a pool is right if it holds the mean of the metric over many pools of that size. A test
that holds its level of 5 % has a share of false alarms within the binomial range in 19 of 20 such simulations.

The bootstrap is there to show why it is not used: it puts copies into a pool.

    python -m tools.pool_simulation --write
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.distinct import Distinct
from bleuprint.metrics.self_bleu import SelfBLEU
from bleuprint.pools.statistic import PoolStatistic
from bleuprint.runners.comparisons import compare

SIZES = (50, 500, 5000)
ALPHA, PERMUTATIONS, RESAMPLES = 0.05, 39, 39  # the smallest numbers at which a p-value can be exactly 0.05
PAGE = Path(__file__).parents[1] / "bench" / "tables" / "simulations.md"
BEGIN, END = "<!-- begin: python -m tools.pool_simulation --write -->\n", "<!-- end -->\n"
_WORDS = [f"w{number}" for number in range(3000)]
_SHARES = (lambda ranks: ranks / ranks.sum())(1 / np.arange(1.0, 3001))
_PHRASES, _COPIED = 20, 0.1


class Rates(NamedTuple):
    """Shares of the trials of one metric and size."""

    metric: str
    texts: int
    trials: int
    false_alarms: float
    coverage: float
    bootstrap_coverage: float


def metrics() -> dict[str, Metric[Any]]:
    return {
        "self-bleu": SelfBLEU(max_order=3, tokenizer="whitespace"),
        "distinct": Distinct(max_order=2, tokenizer="whitespace"),
    }


def texts(generator: np.random.Generator, number: int) -> list[str]:
    """Texts of ten words, some of them with a stock phrase in front."""
    words = generator.choice(len(_WORDS), size=(number, 10), p=_SHARES).tolist()
    phrases = generator.integers(_PHRASES, size=number).tolist()
    copied = (generator.random(number) < _COPIED).tolist()
    return [
        " ".join(([f"p{phrase}", f"q{phrase}", f"r{phrase}"] if copy else []) + [_WORDS[word] for word in row])
        for row, phrase, copy in zip(words, phrases, copied, strict=True)
    ]


def simulate(sizes: Sequence[int], trials: int, *, seed: int = 1) -> list[Rates]:
    """The rates of all metrics at all sizes; a fifth of the trials where a pool has more than 1,000 texts."""
    rates = []
    for size in sizes:
        rounds = trials if size <= 1000 else max(2, trials // 5)
        for place, (name, metric) in enumerate(metrics().items()):
            generator = np.random.default_rng([seed, size, place])
            rates.append(_rates(name, metric, size, rounds, generator))
    return rates


def _rates(name: str, metric: Metric[Any], size: int, trials: int, generator: np.random.Generator) -> Rates:
    alarms = 0
    observed: list[float] = []
    intervals, percentiles = [], []
    for trial in range(trials):
        pools = {"first": texts(generator, size), "second": texts(generator, size)}
        comparison = compare(pools, metrics={name: metric}, alpha=ALPHA, resamples=PERMUTATIONS, seed=trial).metric(
            name
        )
        alarms += comparison.pairs[0].p_value <= ALPHA
        scores = {system.name: system.score for system in comparison.systems}
        observed += [score.value for score in scores.values()]
        intervals.append(scores["first"])
        statistic = PoolStatistic(metric, pools["first"])
        draws = [statistic.score(np.sort(generator.integers(size, size=size))).value for _ in range(RESAMPLES)]
        percentiles.append(np.quantile(draws, [ALPHA / 2, 1 - ALPHA / 2]).tolist())
    mean = math.fsum(observed) / len(observed)
    held = sum(interval.low <= mean <= interval.high for interval in intervals)
    bootstrap_held = sum(low <= mean <= high for low, high in percentiles)
    return Rates(name, size, trials, alarms / trials, held / trials, bootstrap_held / trials)


def binomial_range(trials: int) -> tuple[float, float]:
    """Between which shares of false alarms 95 % of such simulations of an exact test end."""
    chances = [math.comb(trials, count) * ALPHA**count * (1 - ALPHA) ** (trials - count) for count in range(trials + 1)]
    below = np.cumsum(chances)
    low, high = np.searchsorted(below, [0.025, 0.975]).tolist()
    return low / trials, high / trials


def table(rates: Sequence[Rates]) -> str:
    lines = [
        "| metric | texts | trials | false alarms | binomial range | coverage | coverage of the bootstrap |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for row in rates:
        alarms, coverage, bootstrap = (f"{100 * share:.1f} %" for share in row[3:])
        low, high = (f"{100 * share:.1f}" for share in binomial_range(row.trials))
        cells = (row.metric, f"{row.texts:,}", f"{row.trials:,}", alarms, f"{low} to {high} %", coverage, bootstrap)
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def write_table(name: str, table: str) -> None:
    """Write a table between its marks on the page of simulations."""
    page = PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(f"<!-- {name} -->\n")
    after = rest[rest.index(f"<!-- end of {name} -->") :]
    PAGE.write_text(f"{before}<!-- {name} -->\n{table}{after}", encoding="utf-8")


def print_tables(tool: str, about: str | None, tables: Callable[[int], dict[str, str]], runs: int) -> None:
    """Print the tables of a tool after so many runs or as many as asked for, and write them into the page if asked."""
    parser = argparse.ArgumentParser(prog=f"python -m tools.{tool}", description=about)
    parser.add_argument("--runs", type=int, default=runs)
    parser.add_argument("--write", action="store_true", help=f"write the tables into {PAGE.name}")
    given = parser.parse_args()
    for name, table in tables(given.runs).items():
        print(table)
        if given.write:
            write_table(name, table)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.pool_simulation", description=__doc__)
    parser.add_argument("--trials", type=int, default=1000, help="trials of pools with up to 1,000 texts")
    parser.add_argument("--sizes", type=int, nargs="+", default=list(SIZES), help="texts of a pool")
    parser.add_argument("--write", action="store_true", help=f"write the table into {PAGE.name}")
    given = parser.parse_args()
    text = table(simulate(given.sizes, given.trials))
    print(text)
    if given.write:
        page = PAGE.read_text(encoding="utf-8")
        before, _, rest = page.partition(BEGIN)
        _, _, after = rest.partition(END)
        PAGE.write_text(before + BEGIN + text + END + after, encoding="utf-8")


if __name__ == "__main__":
    main()
