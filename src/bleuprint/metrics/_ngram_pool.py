"""Shared code of the pool metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from bleuprint import checks
from bleuprint.core import counts, tokenizers
from bleuprint.core.arrays import Floats, Integers, NDArray, np
from bleuprint.core.pool import PartScorer
from bleuprint.core.tokenizers import Tokenize
from bleuprint.metrics.base import Definition, Metric
from bleuprint.metrics.base.pool import CountFormula, NoRows, PooledTexts, PoolFormula
from bleuprint.metrics.base.score import AnyScore
from bleuprint.signature import Option


def by_order(counted: Sequence[tuple[int, int]], symbols: str) -> dict[str, int]:
    """Two counts of each order by their symbols: with "dt", d_1, t_1, d_2, and so on.

    >>> by_order([(2, 6), (2, 4)], "dt")
    {'d_1': 2, 't_1': 6, 'd_2': 2, 't_2': 4}
    """
    return {
        f"{symbol}_{order}": number
        for order, numbers in enumerate(counted, start=1)
        for symbol, number in zip(symbols, numbers, strict=True)
    }


class DistinctCounts(CountFormula):
    """A formula of how many n-grams of each order are distinct, and how many there are."""

    def label(self, counted: Sequence[tuple[int, int]]) -> Mapping[str, int | float]:
        """The counts of each order by their symbols."""
        return by_order(counted, "dt")

    def count(self, pool: counts.Pool, references: counts.Pool, threads: int) -> Mapping[str, int | float]:
        return self.label(pool.distinct(self.max_order, threads))

    def part_scorer(self, pool: counts.Pool, references: counts.Pool, threads: int) -> PartScorer:
        parts = pool.parts(self.max_order, threads, repeats_count=False)

        def score(members: NDArray[np.uint64]) -> Floats:
            distinct, totals = np.split(parts.distinct(members), 2, axis=1)
            pairs = zip(distinct.tolist(), totals.tolist(), strict=True)
            return np.array([self.evaluate(self.label(list(zip(*pair, strict=True)))) for pair in pairs])

        return score


class TokenPool(Metric[AnyScore]):
    """A metric of a pool of texts, which it reads as tokens."""

    unit = "pool"
    needs_references = False

    def __init__(self, formula: PoolFormula, tokenizer: str | Tokenize, lowercase: bool, **options: Option) -> None:
        reader = tokenizers.resolve(tokenizer, lowercase)
        recorded = {"tokenizer": reader.name, "lowercase": lowercase, **options}
        super().__init__(Definition(type(self), recorded, NoRows(reader), formula, summary=PooledTexts))


class NgramPool(TokenPool[AnyScore]):
    """A metric of the n-grams of a pool, up to an order."""

    formula: ClassVar[type[PoolFormula]]

    def __init__(self, *, max_order: int = 4, tokenizer: str | Tokenize = "nltk", lowercase: bool = False) -> None:
        order = checks.order("max_order", max_order)
        super().__init__(self.formula(order), tokenizer, lowercase, max_order=order)


def group_texts(numbers: Integers) -> list[list[int]]:
    """Indices of texts with equal numbers, the largest group first; a text of its own is no group."""
    repeated = np.flatnonzero(np.bincount(numbers)[numbers] > 1)
    groups: dict[int, list[int]] = {}
    for index, number in zip(repeated.tolist(), numbers[repeated].tolist(), strict=True):
        groups.setdefault(number, []).append(index)
    return sorted(groups.values(), key=len, reverse=True)


def link_texts(leaders: Integers, pairs: Integers) -> Integers:
    """For each text, the first text of its group, after the texts of these pairs were put into one group each.

    >>> link_texts(np.arange(5), np.array([[0, 2], [2, 4]])).tolist()
    [0, 1, 0, 3, 0]
    """
    while True:
        linked = leaders[pairs]
        apart = linked[:, 0] != linked[:, 1]
        if not apart.any():
            return leaders
        pairs, linked = pairs[apart], linked[apart]
        # Leaders follow leaders, so that a long chain is halved in each round instead of shortened by a text.
        leaders = leaders.copy()
        np.minimum.at(leaders, linked.max(axis=1), linked.min(axis=1))
        while not np.array_equal(leaders, leaders[leaders]):
            leaders = leaders[leaders]
