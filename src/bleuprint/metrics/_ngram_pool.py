"""Shared code of the pool metrics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from bleuprint import checks
from bleuprint.core import tokenizers
from bleuprint.core.arrays import np
from bleuprint.metrics.base.definition import Definition
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.pool import NoRows, PooledTexts, PoolFormula, Table
from bleuprint.metrics.base.score import Score
from bleuprint.signature import Option

if TYPE_CHECKING:
    from numpy.typing import NDArray


class PoolOnly(PoolFormula):
    """A formula that needs all texts in one place."""

    exchange = None

    def __init__(self) -> None:
        super().__init__(1)


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


def pool_definition(
    kind: type[Metric[Score]],
    formula: PoolFormula,
    tokenizer: str | tokenizers.Tokenize,
    lowercase: bool,
    **options: Option,
) -> Definition:
    """Definition of a metric with a tokenizer and further options."""
    reader = tokenizers.resolve(tokenizer, checks.flag("lowercase", lowercase))
    return text_definition(kind, {"tokenizer": reader.name, "lowercase": lowercase, **options}, reader, formula)


def text_definition(
    kind: type[Metric[Score]], options: Mapping[str, Option], tokenizer: tokenizers.Tokenizer, formula: PoolFormula
) -> Definition:
    """Definition of a metric of texts as token ids."""
    return Definition(kind, options, NoRows(tokenizer), formula, summary=PooledTexts)


def ngram_pool(
    kind: type[Metric[Score]],
    formula: type[PoolFormula],
    max_order: int,
    tokenizer: str | tokenizers.Tokenize,
    lowercase: bool,
) -> Definition:
    """Definition of a metric whose options are tokenizer, lowercase and max_order."""
    order = checks.order("max_order", max_order)
    return pool_definition(kind, formula(order), tokenizer, lowercase, max_order=order)


def of_texts(tables: Sequence[Table]) -> list[Counter[int]]:
    """For each order, how many n-grams occur how often in the texts."""
    return [Counter({first: ngrams for (first, _), ngrams in table.items()}) for table in tables]


def grouped(numbers: NDArray[np.int64]) -> list[list[int]]:
    """Indices of texts with equal numbers, the largest group first; a text of its own is no group."""
    repeated = np.flatnonzero(np.bincount(numbers)[numbers] > 1)
    groups: dict[int, list[int]] = {}
    for index, number in zip(repeated.tolist(), numbers[repeated].tolist(), strict=True):
        groups.setdefault(number, []).append(index)
    return sorted(groups.values(), key=len, reverse=True)
