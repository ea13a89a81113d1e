"""distinct-n: the share of n-grams that are different ones. Higher is more diverse.

    distinct-n = different n-grams of the pool / all n-grams of the pool

`per_text` holds the same inside each text. It falls as a pool grows: compare pools of equal size only.
Li, Galley, Brockett, Gao, Dolan (2016): A Diversity-Promoting Objective Function for Neural Conversation Models. NAACL.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bleuprint.core import counts
from bleuprint.core.tokenizers import Tokenize
from bleuprint.metrics._ngram_pool import ngram_pool, of_texts
from bleuprint.metrics.base.formulas import ratio
from bleuprint.metrics.base.pool import PoolDefinition, PoolFormula, PoolMetric, PoolScore, Table, occurrences

__all__ = ["Distinct"]


class DistinctFormula(PoolFormula):
    """Different n-grams over all n-grams, by order and inside every text."""

    def score(
        self, definition: PoolDefinition[Any], pool: counts.Pool, references: counts.Pool, threads: int
    ) -> PoolScore:
        per_order = _shares(pool.distinct(self.max_order, threads))
        different = pool.distinct_per_text(self.max_order, threads)[:, -1]
        totals = (pool.lengths() - self.max_order + 1).clip(min=0)
        return PoolScore(definition, len(pool), per_order, ratio(different, totals))

    def score_tables(
        self, definition: PoolDefinition[Any], tables: Sequence[Table], texts: int, references: int
    ) -> PoolScore:
        shares = _shares([(table.total(), occurrences(table)) for table in of_texts(tables)])
        return PoolScore(definition, texts, shares)


def _shares(counted: Sequence[tuple[int, int]]) -> tuple[float, ...]:
    return tuple(ratio(different, total) for different, total in counted)


class Distinct(PoolMetric[PoolScore]):
    """distinct-n of a pool; `value` is that of order `max_order`.

    >>> score = Distinct(max_order=2, tokenizer="whitespace").corpus(["a b a b", "a b"])
    >>> score.per_order, score.per_text.tolist()
    ((0.3333333333333333, 0.5), [0.6666666666666666, 1.0])
    """

    name = "distinct"

    def __init__(self, *, max_order: int = 4, tokenizer: str | Tokenize = "nltk", lowercase: bool = False) -> None:
        super().__init__(ngram_pool(Distinct, DistinctFormula, max_order, tokenizer, lowercase))
