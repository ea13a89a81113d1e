"""Repetition rate: the share of different n-grams that occur more than once. Lower is more diverse.

    RR = (Π_n  n-grams of order n that occur at least twice / different n-grams of order n)^(1/N)

over the whole pool, so it grows with the pool: compare pools of equal size only. `per_text` holds rep-N of each text,
1 − different/all n-grams inside it (Welleck et al. 2020: Neural Text Generation with Unlikelihood Training. ICLR).
Bertoldi, Cettolo, Federico (2013): Cache-based Online Adaptation for Machine Translation Enhanced Computer Assisted
Translation. MT Summit; they average over windows of 1,000 words, which a pool has not got.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bleuprint.core import counts
from bleuprint.core.tokenizers import Tokenize
from bleuprint.metrics._ngram_pool import ngram_pool, of_texts
from bleuprint.metrics.base.formulas import ratio, weighted_geometric_mean
from bleuprint.metrics.base.pool import PoolDefinition, PoolFormula, PoolMetric, PoolScore, Table

__all__ = ["RepetitionRate"]


class RepetitionFormula(PoolFormula):
    """The share of different n-grams that repeat, by order; the geometric mean is the score."""

    def score(
        self, definition: PoolDefinition[Any], pool: counts.Pool, references: counts.Pool, threads: int
    ) -> PoolScore:
        frequencies = [pool.frequencies(order, threads) for order in range(1, self.max_order + 1)]
        per_order = tuple(_repeated(int((counted > 1).sum()), len(counted)) for counted in frequencies)
        totals = (pool.lengths() - self.max_order + 1).clip(min=0)
        repeated = totals - pool.distinct_per_text(self.max_order, threads)[:, -1]
        return PoolScore(definition, len(pool), per_order, ratio(repeated, totals), self._mean(per_order))

    def score_tables(
        self, definition: PoolDefinition[Any], tables: Sequence[Table], texts: int, references: int
    ) -> PoolScore:
        per_order = tuple(_repeated(table.total() - table[1], table.total()) for table in of_texts(tables))
        return PoolScore(definition, texts, per_order, value=self._mean(per_order))

    def _mean(self, per_order: tuple[float, ...]) -> float:
        return float(weighted_geometric_mean(per_order, (1 / self.max_order,) * self.max_order))


def _repeated(repeated: int, different: int) -> float:
    return float(ratio(repeated, different))


class RepetitionRate(PoolMetric[PoolScore]):
    """Repetition rate of a pool.

    >>> score = RepetitionRate(max_order=2, tokenizer="whitespace").corpus(["a b a b", "c d"])
    >>> score.per_order, round(score.value, 4)
    ((0.5, 0.3333333333333333), 0.4082)
    """

    name = "repetition-rate"
    higher_is_better = False

    def __init__(self, *, max_order: int = 4, tokenizer: str | Tokenize = "nltk", lowercase: bool = False) -> None:
        super().__init__(ngram_pool(RepetitionRate, RepetitionFormula, max_order, tokenizer, lowercase))
