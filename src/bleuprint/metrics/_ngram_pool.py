"""Shared code of the pool metrics."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from operator import mul
from typing import ClassVar

from bleuprint import checks
from bleuprint.core import counts, tokenizers
from bleuprint.core.arrays import Integers, Members, np
from bleuprint.core.pool import each_part
from bleuprint.core.tokenizers import Tokenize
from bleuprint.metrics.base import Definition, Metric
from bleuprint.metrics.base.pool import Counted, CountFormula, NoRows, PooledTexts, PoolFormula
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


class FrequencyFormula(CountFormula):
    """A formula of how many n-grams of each order occur how often."""

    is_quick = counts_on_disk = True

    @abstractmethod
    def label(self, tables: Sequence[Counter[int]], texts: int) -> Counted:
        """What the formula takes, from the numbers of n-grams by how often they occur, for each order."""

    def count(self, pool: counts.Pool, references: counts.Pool, threads: int) -> Counted:
        return self.label(pool.frequency_counts(max(1, self.max_order), threads), len(pool))

    def count_parts(self, pool: counts.Pool, members: Members, threads: int) -> Iterable[Counted]:
        orders = range(1, max(1, self.max_order) + 1)
        tables = (pool.holders(order, threads).frequencies(members) for order in orders)
        return map(self.label, zip(*tables, strict=True), map(len, each_part(members)))


class DistinctCounts(FrequencyFormula):
    """A formula of how many n-grams of each order are distinct, and how many there are."""

    def label(self, tables: Sequence[Counter[int]], texts: int) -> Counted:
        return by_order([(table.total(), count_items(table)) for table in tables], "dt")


def count_items(table: Mapping[int, int]) -> int:
    """All n-grams, from how many occur how often."""
    return sum(map(mul, table.keys(), table.values()))


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
