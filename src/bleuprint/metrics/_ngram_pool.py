"""Shared code of the pool metrics that only count n-grams."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from bleuprint.core import tokenizers
from bleuprint.metrics.base import checks
from bleuprint.metrics.base.pool import PoolDefinition, PoolFormula, PoolMetric, Table

__all__ = ["ngram_pool", "of_texts"]


def ngram_pool(
    kind: type[PoolMetric[Any]],
    formula: type[PoolFormula],
    max_order: int,
    tokenizer: str | tokenizers.Tokenize,
    lowercase: bool,
) -> PoolDefinition[PoolFormula]:
    """Definition of a metric whose options are tokenizer, lowercase and max_order."""
    order = checks.order("max_order", max_order)
    reader = tokenizers.resolve(tokenizer, checks.flag("lowercase", lowercase))
    options = {"tokenizer": reader.name, "lowercase": lowercase, "max_order": order}
    return PoolDefinition(kind, options, reader, formula(order))


def of_texts(tables: Sequence[Table]) -> list[Counter[int]]:
    """For each order, how many n-grams occur how often in the texts."""
    return [Counter({first: ngrams for (first, _), ngrams in table.items()}) for table in tables]
