"""Compare pools of texts: does one generator repeat itself more than another?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from typing import Any

from bleuprint import checks
from bleuprint.core.arrays import np
from bleuprint.core.columns import Texts, checked_column
from bleuprint.core.threads import worker_count
from bleuprint.errors import OptionError, PoolError
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.score import Score
from bleuprint.pools.statistic import PoolStatistic, named_metrics
from bleuprint.results.digits import Digits
from bleuprint.results.display import Cell, Displayed, DisplayTable, words
from bleuprint.statistics.equivalence import t_quantile
from bleuprint.statistics.multiple import holm
from bleuprint.statistics.pools import GROUPS, jackknife_errors, permutation_p_values

POOL_METRICS = ("self-bleu", "distinct")  # unless others are given
PERMUTATIONS = 999


@dataclass(frozen=True, slots=True)
class PoolPair:
    """The difference between two pools by one metric, at equal numbers of texts."""

    metric: str
    first: str
    second: str
    first_value: float
    second_value: float
    low: float
    high: float
    p_value: float
    adjusted_p_value: float
    significant: bool
    signature: str

    @property
    def difference(self) -> float:
        return self.second_value - self.first_value


@dataclass(frozen=True, slots=True)
class PoolComparison(Displayed):
    """All pairs of pools by all metrics."""

    pairs: tuple[PoolPair, ...]
    texts: int
    sizes: Mapping[str, int]
    alpha: float
    permutations: int
    seed: int

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader has to know beside the table."""
        larger = [f"{name} ({size:,})" for name, size in self.sizes.items() if size > self.texts]
        if not larger:
            return ()
        return (
            f"{self.texts:,} texts were drawn from larger pools, so that all have the same size: {', '.join(larger)}",
        )

    def display(self, *, percent: bool = False) -> tuple[DisplayTable, ...]:
        """One row per metric and pair of pools."""
        return self.tables(Digits(percent))

    def tables(self, digits: Digits) -> tuple[DisplayTable, ...]:
        """The table of `display`, with numbers written in any way."""
        rows = []
        for pair in self.pairs:
            written = digits.of(pair.signature)
            scores = (pair.first_value, pair.second_value, pair.difference, pair.low, pair.high)
            rows.append(
                (
                    *words(pair.metric, pair.first, pair.second),
                    *(Cell(written(score), score) for score in scores),
                    *(Cell(f"{p:.4f}", p) for p in (pair.p_value, pair.adjusted_p_value)),
                    Cell("yes" if pair.significant else "no", pair.significant),
                )
            )
        header = ("metric", "first", "second", "first value", "second value", "difference", "low", "high")
        signatures = {pair.metric: pair.signature for pair in self.pairs}
        return (
            DisplayTable(
                (*header, "p", "adjusted p", "significant"),
                tuple(rows),
                f"Pools of {self.texts:,} texts",
                self.notes,
                signatures,
                frozenset({0, 1, 2, 10}),
                "pools",
            ),
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        return {**asdict(self), "sizes": dict(self.sizes)}


def compare_pools(
    pools: Mapping[str, Texts],
    *,
    metrics: Iterable[str | Metric[Score]] | Mapping[str, Metric[Score]] = POOL_METRICS,
    references: Texts | None = None,
    baseline: str | None = None,
    alpha: float = 0.05,
    permutations: int = PERMUTATIONS,
    seed: int = 12345,
    threads: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> PoolComparison:
    """Test whether pools of texts differ by pool metrics such as Self-BLEU and distinct-n.

    - `pools`: the texts of each generator, by name
    - `metrics`: names of pool metrics, or pool metrics with their options
    - `references`: the texts to compare with, for cross-bleu and ms-jaccard
    - `baseline`: compare the others with this pool only
    - `alpha`: significance level, for all pairs and metrics together (Holm's correction)
    - `permutations`: random splits of the texts of two pools
    - `seed`: random seed for them, and for the texts drawn from larger pools
    - `progress`: called with 1 after each split

    Pool metrics depend on the number of texts, so as many texts as the smallest pool has are drawn from the others. The
    p-value is that of a permutation test: it holds its level for any metric, because texts of one source can be dealt
    out in any way. The bootstrap does not: it puts copies into a pool. Intervals of the differences are those of a
    delete-a-group jackknife, each by itself.

    >>> one = [f"the cat number {number} sat on the mat" for number in range(30)]
    >>> two = [f"w{number} x{number} y{number} z{number}" for number in range(40)]
    >>> comparison = compare_pools({"one": one, "two": two}, metrics=["distinct"], permutations=99)
    >>> (pair,) = comparison.pairs
    >>> round(pair.first_value, 4), pair.second_value, pair.p_value, pair.significant
    (0.8067, 1.0, 0.01, True)
    """
    if not isinstance(pools, Mapping) or len(pools) < 2:
        raise OptionError("pools", "a dict with the texts of at least two pools", pools)
    checks.integer("permutations", permutations)
    if baseline is not None and baseline not in pools:
        raise OptionError("baseline", f"one of {', '.join(pools)}", baseline)
    checks.fraction("alpha", alpha)
    built, workers = named_metrics(metrics), worker_count(threads)
    with_references = [name for name, metric in built.items() if metric.needs_references]
    if with_references and references is None:
        raise OptionError("references", f"the texts that {', '.join(with_references)} compares with", references)
    if references is not None and not with_references:
        raise OptionError("references", f"left out, because {', '.join(built)} only looks at the texts", references)
    texts = {name: [group[0] for group in checked_column(pool, name).unpack()] for name, pool in pools.items()}
    sizes = {name: len(pool) for name, pool in texts.items()}
    size = min(sizes.values())
    needed = max(2, *(metric.fewest_texts for metric in built.values()))
    if size < needed:
        raise PoolError(f"compare_pools of {min(sizes, key=lambda name: sizes[name])}", needed, size)
    drawn = {name: _drawn(pool, size, seed) for name, pool in texts.items()}
    pairs = (
        list(combinations(pools, 2)) if baseline is None else [(baseline, name) for name in pools if name != baseline]
    )
    rows: list[PoolPair] = []
    for first, second in pairs:
        rows += _compared(built, first, second, drawn, references, alpha, permutations, seed, workers, progress)
    adjusted = holm([row.p_value for row in rows])
    final = tuple(_adjusted(row, p, alpha) for row, p in zip(rows, adjusted, strict=True))
    return PoolComparison(final, size, sizes, alpha, permutations, seed)


def _drawn(texts: list[Any], size: int, seed: int) -> list[Any]:
    if len(texts) == size:
        return texts
    kept = np.sort(np.random.default_rng(seed).choice(len(texts), size=size, replace=False))
    return [texts[place] for place in kept.tolist()]


def _compared(
    metrics: Mapping[str, Metric[Score]],
    first: str,
    second: str,
    pools: Mapping[str, list[Any]],
    references: Texts | None,
    alpha: float,
    permutations: int,
    seed: int,
    threads: int,
    progress: Callable[[int], object] | None,
) -> list[PoolPair]:
    """Compare two pools by all metrics, with the same splits of their texts."""
    size = len(pools[first])
    statistics = [
        PoolStatistic(
            metric, [*pools[first], *pools[second]], references if metric.needs_references else None, threads=threads
        )
        for metric in metrics.values()
    ]

    def values(kept: Any) -> list[float]:
        return [statistic.value(kept) for statistic in statistics]

    everything = np.arange(2 * size, dtype=np.int64)
    ones, others = values(everything[:size]), values(everything[size:])
    errors = [
        jackknife_errors(lambda kept, part=part: values(part[kept]), size, seed=seed)[0]  # type: ignore[misc]
        for part in (everything[:size], everything[size:])
    ]
    # Fewer groups than texts: both pools have as many.
    quantile = t_quantile(1 - alpha / 2, min(GROUPS, size) - 1)
    reaches = (quantile * np.hypot(*errors)).tolist()
    differences = [other - one for one, other in zip(ones, others, strict=True)]
    p_values = permutation_p_values(
        values, size, size, differences, permutations=permutations, seed=seed, advance=progress or _silent
    )
    return [
        PoolPair(
            name, first, second, one, other, other - one - reach, other - one + reach, p, p, False, metric.signature
        )
        for (name, metric), one, other, reach, p in zip(metrics.items(), ones, others, reaches, p_values, strict=True)
    ]


def _silent(amount: int) -> None: ...


def _adjusted(row: PoolPair, p_value: float, alpha: float) -> PoolPair:
    return replace(row, adjusted_p_value=p_value, significant=p_value <= alpha)
