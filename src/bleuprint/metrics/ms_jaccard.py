"""MS-Jaccard: how alike two corpora are in their n-grams, quality and diversity in one number.

    J_n   = Σ_g min(a(g), b(g)) / Σ_g max(a(g), b(g)),   a(g) = occurrences of g per text of the first corpus
    MSJ-N = (J_1 · … · J_N)^(1/N)

Generated texts that differ from the real ones lower it, and so do generated texts that only repeat some of them.
Montahaei, Alihosseini, Soleymani Baghshah (2019): Jointly Measuring Diversity and Quality in Text Generation Models.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bleuprint.core import counts
from bleuprint.core.tokenizers import Tokenize
from bleuprint.metrics._ngram_pool import ngram_pool
from bleuprint.metrics.base.formulas import ratio, weighted_geometric_mean
from bleuprint.metrics.base.pool import PoolDefinition, PoolFormula, PoolMetric, PoolScore, Table

__all__ = ["MSJaccard"]


class MSJaccardFormula(PoolFormula):
    """Geometric means of the orders' Jaccard indices."""

    def score(
        self, definition: PoolDefinition[Any], pool: counts.Pool, references: counts.Pool, threads: int
    ) -> PoolScore:
        overlaps = [self._overlap(pool, references, order, threads) for order in range(1, self.max_order + 1)]
        return self._of_overlaps(definition, overlaps, len(pool))

    def score_tables(
        self, definition: PoolDefinition[Any], tables: Sequence[Table], texts: int, references: int
    ) -> PoolScore:
        overlaps = []
        for table in tables:
            scaled = [(first * references, second * texts, ngrams) for (first, second), ngrams in table.items()]
            shared = sum(min(first, second) * ngrams for first, second, ngrams in scaled)
            overlaps.append((shared, sum(max(first, second) * ngrams for first, second, ngrams in scaled)))
        return self._of_overlaps(definition, overlaps, texts)

    def _of_overlaps(
        self, definition: PoolDefinition[Any], overlaps: Sequence[tuple[int, int]], texts: int
    ) -> PoolScore:
        """From the sums of minima and of maxima, order by order."""
        jaccard = [float(ratio(shared, either)) for shared, either in overlaps]
        orders = range(1, self.max_order + 1)
        means = (weighted_geometric_mean(jaccard[:order], (1 / order,) * order) for order in orders)
        return PoolScore(definition, texts, tuple(means))

    def _overlap(self, pool: counts.Pool, references: counts.Pool, order: int, threads: int) -> tuple[int, int]:
        import numpy as np

        # Per-text averages brought to one denominator: c/|S| against d/|T| is c·|T| against d·|S|, in integers.
        pairs = pool.paired_counts(references, order, threads) * [len(references), len(pool)]
        shared, either = np.minimum(*pairs.T), np.maximum(*pairs.T)
        return int(shared.sum()), int(either.sum())


class MSJaccard(PoolMetric[PoolScore]):
    """MS-Jaccard of generated texts with real ones; `per_order` holds MSJ-1 … MSJ-N.

    >>> metric = MSJaccard(max_order=2, tokenizer="whitespace").add_references(["a b d"])
    >>> score = metric.update(["a b c"]).compute()
    >>> [round(value, 4) for value in score.per_order]
    [0.5, 0.4082]

    The references are given first and stay until `reset`; texts come through `corpus` or `update`.
    """

    name = "ms-jaccard"
    needs_references = True

    def __init__(self, *, max_order: int = 4, tokenizer: str | Tokenize = "nltk", lowercase: bool = False) -> None:
        super().__init__(ngram_pool(MSJaccard, MSJaccardFormula, max_order, tokenizer, lowercase))
